/* fir and gain on CUDA. A thread of fir makes 16 neighbouring outputs with all their chains in registers, so
 * that a tap and a frame that it loads are used 16 and 8 times; both come from shared memory. */
#include "base/cuda_status.h"
#include "base/device_scope_cuda.h"
#include "signal/signal_args.h"
#include "signal/signal_sum.h"
#include "signal/track_cuda.cuh"

enum { THREADS = 128, EACH = 16, TILE = THREADS * EACH, TAPS = 512, WINDOW = TILE + TAPS };
enum { CHAINS = GF_SUM_CHAINS, RING = EACH + CHAINS }; /* RING: frames of a thread in registers */

struct fir_params {
    struct gf_source in;
    struct gf_sink out;
    int32_t taps, centre;
    const float *tap;
};

/* Where frame j of the window lies: lanes that are 16 frames apart read different banks. */
GF_DEVICE_FN int at(int j)
{
    return j + j / 32 * 4;
}

/* Frames [first, first + length) of the input, length a multiple of 8, to window. */
GF_DEVICE_FN void load_window(const struct gf_source &in, const float *x, int64_t first, int length,
                              float *window)
{
    const int shift = static_cast<int>(reinterpret_cast<uintptr_t>(x + (first - in.first)) / 4 % 4);
    for (int j = static_cast<int>(threadIdx.x) * 4 - shift; j < length; j += THREADS * 4) {
        const int64_t i = first + j;
        if (j >= 0 && j + 4 <= length && i >= in.first && i + 4 <= in.first + in.count) {
            const uint4 four = gf_load16(x + (i - in.first), GF_READ_ONLY);
            window[at(j)] = gf_bits_float(four.x);
            window[at(j + 1)] = gf_bits_float(four.y);
            window[at(j + 2)] = gf_bits_float(four.z);
            window[at(j + 3)] = gf_bits_float(four.w);
            continue;
        }
        for (int k = j < 0 ? 0 : j; k < j + 4 && k < length; k++) {
            window[at(k)] = gf_source_frame(in, x, first + k);
        }
    }
}

/* Eight taps on 16 outputs; v[u] is the frame of output u - 7 and the first tap, in a ring that begins at
 * `turn`. `some`: only taps below `rest`. */
template <int TURN, bool SOME>
GF_DEVICE_FN void eight_taps(const float *tap, const float *v, int rest, float (*chain)[CHAINS])
{
    GF_UNROLL
    for (int d = 0; d < CHAINS; d++) {
        if (SOME && d >= rest) {
            continue;
        }
        GF_UNROLL
        for (int r = 0; r < EACH; r++) {
            chain[r][d] = gf_fma(tap[d], v[(r - d + 7 + RING - TURN) % RING], chain[r][d]);
        }
    }
}

GF_DEVICE_FN void load_four(const float *from, float *to)
{
    const uint4 four = gf_load16(from);
    to[0] = gf_bits_float(four.x);
    to[1] = gf_bits_float(four.y);
    to[2] = gf_bits_float(four.z);
    to[3] = gf_bits_float(four.w);
}

/* One step: the frames that eight further taps need are loaded where those of the oldest were. */
template <int TURN>
GF_DEVICE_FN void step(const float *window, const float *taps, int place, int rest, float *v,
                       float (*chain)[CHAINS])
{
    float tap[CHAINS];
    if (rest <= 0) {
        return;
    }
    load_four(window + at(place), v + (RING - TURN) % RING);
    load_four(window + at(place + 4), v + (RING - TURN) % RING + 4);
    load_four(taps, tap);
    load_four(taps + 4, tap + 4);
    if (rest >= CHAINS) {
        eight_taps<TURN, false>(tap, v, rest, chain);
    } else {
        eight_taps<TURN, true>(tap, v, rest, chain);
    }
}

static __global__ void __launch_bounds__(THREADS, 2) gf_signal_fir_tile(const struct fir_params p)
{
    GF_SHARED(float, window, WINDOW + WINDOW / 8 + 4);
    GF_SHARED(float, tap, TAPS);
    const float *x = p.in.data + blockIdx.y * p.in.pitch;
    const int64_t first = p.out.first + int64_t(blockIdx.x) * TILE; /* output of the tile */
    const int own = static_cast<int>(threadIdx.x) * EACH;
    float chain[EACH][CHAINS] = {};
    float v[RING];
    for (int k = 0; k < p.taps; k += TAPS) {
        const int taps = p.taps - k < TAPS ? p.taps - k : TAPS, room = (taps + 7) / 8 * 8;
        __syncthreads();
        for (int d = static_cast<int>(threadIdx.x); d < room; d += THREADS) {
            tap[d] = d < taps ? p.tap[k + d] : 0.0F;
        }
        load_window(p.in, x, first + p.centre - k - room + 1, TILE + room, window);
        __syncthreads();
        GF_UNROLL
        for (int u = CHAINS; u < RING; u += 4) {
            load_four(window + at(own + room - CHAINS + u), v + u);
        }
        for (int d = 0; d < taps; d += 3 * CHAINS) {
            const int place = own + room - CHAINS - d, rest = taps - d;
            step<0>(window, tap + d, place, rest, v, chain);
            step<8>(window, tap + d + 8, place - 8, rest - 8, v, chain);
            step<16>(window, tap + d + 16, place - 16, rest - 16, v, chain);
        }
    }
    __syncthreads();
    GF_UNROLL
    for (int r = 0; r < EACH; r++) {
        window[at(own + r)] = gf_canonical(gf_sum_fold(chain[r]));
    }
    __syncthreads();
    for (int j = static_cast<int>(threadIdx.x) * 4; j < TILE; j += THREADS * 4) {
        gf_sink_four(p.out, blockIdx.y, first + j, window + at(j));
    }
}

extern "C" size_t gf_signal_fir_cuda_scratch(const void *, int64_t, int32_t)
{
    return 0;
}

extern "C" gf_status gf_signal_fir_cuda(gf_queue queue, const void *args, void *state, void *,
                                        const struct gf_track *in, int64_t frames, const struct gf_track *out,
                                        int32_t channels, gf_error *error)
{
    const struct gf_signal_fir *a = static_cast<const struct gf_signal_fir *>(args);
    GF_ON_DEVICE(queue.device, error)
    GF_TRY(gf_upload_table(queue, state, a->tap, static_cast<size_t>(a->taps) * sizeof *a->tap, out, error));
    const struct fir_params p = {gf_source_of(in, frames, a->border == 1), gf_sink_of(out, channels), a->taps,
                                 a->centre, static_cast<const float *>(state)};
    gf_launch launch = {};
    launch.grid = dim3(gf_blocks(out->count, TILE), static_cast<unsigned>(channels));
    launch.block = dim3(THREADS);
    launch.stream = static_cast<cudaStream_t>(queue.stream);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_fir_tile, launch, p));
    return GF_OK;
}

static __global__ void __launch_bounds__(256)
    gf_signal_scale(const struct gf_source in, const struct gf_sink out, float gain, float offset)
{
    const float *x = in.data + blockIdx.y * in.pitch - in.first;
    const int64_t stride = int64_t(gridDim.x) * 256;
    for (int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x; i < (out.count + 3) / 4; i += stride) {
        const int64_t first = out.first + 4 * i;
        const int rest = static_cast<int>(out.count - 4 * i < 4 ? out.count - 4 * i : 4);
        float v[4] = {};
        if (rest == 4 && in.wide && (first - in.first) % 4 == 0) {
            load_four(x + first, v);
        } else {
            for (int k = 0; k < rest; k++) {
                v[k] = x[first + k];
            }
        }
        GF_UNROLL
        for (int k = 0; k < 4; k++) {
            v[k] = gf_canonical(gf_fma(gain, v[k], offset));
        }
        gf_sink_four(out, blockIdx.y, first, v);
    }
}

extern "C" size_t gf_signal_gain_cuda_scratch(const void *, int64_t, int32_t)
{
    return 0;
}

extern "C" gf_status gf_signal_gain_cuda(gf_queue queue, const void *args, void *, void *,
                                         const struct gf_track *in, int64_t frames,
                                         const struct gf_track *out, int32_t channels, gf_error *error)
{
    const struct gf_signal_gain *a = static_cast<const struct gf_signal_gain *>(args);
    GF_ON_DEVICE(queue.device, error)
    const unsigned blocks = gf_blocks(out->count, 4 * 256);
    gf_launch launch = {};
    launch.grid = dim3(blocks < 4096 ? blocks : 4096u, static_cast<unsigned>(channels));
    launch.block = dim3(256);
    launch.stream = static_cast<cudaStream_t>(queue.stream);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_scale, launch, gf_source_of(in, frames, false),
                                 gf_sink_of(out, channels), a->gain, a->offset));
    return GF_OK;
}
