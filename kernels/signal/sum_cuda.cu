/* fir and gain on CUDA. A thread of fir makes 8 neighbouring outputs with all their chains in registers, so
 * that a tap and a frame that it loads are used 8 times each; both come from shared memory. Up to 64 taps
 * stand in the kernel's parameters, as operands, since shared memory is busy with frames. */
#include "base/cuda_status.h"
#include "base/device_scope_cuda.h"
#include "signal/signal_args.h"
#include "signal/signal_sum.h"
#include "signal/track_cuda.cuh"

enum {
    SUM_THREADS = 128,
    SUM_EACH = 8,
    SUM_TILE = SUM_THREADS * SUM_EACH,
    TAPS = 512,
    FEW = 64,
    MOST_TURNS = 8
};
enum { SUM_CHAINS = GF_SUM_CHAINS, RING = SUM_EACH + SUM_CHAINS }; /* RING: frames of a thread in registers */
enum { HALF = (SUM_TILE + TAPS) / 2 + 16, WINDOW = 2 * HALF };     /* HALF: quads of even number; of odd */

struct fir_params {
    struct gf_source in;
    struct gf_sink out;
    int32_t taps, centre;
    int32_t tiles, turns; /* all tiles; those that a block makes one after another */
    const float *tap;
};
struct fir_few {
    float tap[FEW];
};

/* Where frame j of the window lies: quads of even number first, so that lanes that are 8 frames apart read
 * neighbouring ones. */
GF_DEVICE_FN int at(int j)
{
    return j / 8 * 4 + j % 4 + (j & 4) / 4 * HALF;
}

/* A tile's part of the taps: those from `from` on, `taps` of them, rounded up to `room`. */
struct fir_part {
    int from, taps, room;
};

GF_DEVICE_FN struct fir_part part_of(const struct fir_params &p, int part)
{
    const int from = part * TAPS, taps = p.taps - from < TAPS ? p.taps - from : TAPS;
    return {from, taps, (taps + 7) / 8 * 8};
}

/* Begins to load the taps of a part. */
GF_DEVICE_FN void load_taps(const struct fir_params &p, const struct fir_part &part, float *tap)
{
    for (int d = static_cast<int>(threadIdx.x); d < part.room; d += SUM_THREADS) {
        if (d < part.taps) {
            gf_cp_async<4>(tap + d, p.tap + part.from + d);
        } else {
            tap[d] = 0.0F;
        }
    }
}

/* Begins to load the frames that the outputs from `first` on need for a part, from that of the first output
 * and the last tap on. */
GF_DEVICE_FN void load_window(const struct fir_params &p, const float *x, int64_t first,
                              const struct fir_part &part, float *window)
{
    enum { STRIDE = SUM_THREADS / 2 }; /* places from a thread's frame to its next one */
    const int64_t begin = first + p.centre - part.from - part.room + 1;
    const int own = static_cast<int>(threadIdx.x);
    if (begin < p.in.first || begin + SUM_TILE + part.room > p.in.first + p.in.count) {
        for (int j = own; j < SUM_TILE + part.room; j += SUM_THREADS) {
            window[at(j)] = gf_source_frame(p.in, x, begin + j);
        }
        return;
    }
    const float *from = x + (begin - p.in.first) + own;
    float *to = window + at(own);
    GF_UNROLL
    for (int i = 0; i < SUM_EACH; i++) {
        gf_cp_async<4>(to + i * STRIDE, from + i * SUM_THREADS);
    }
    for (int j = own; j < part.room; j += SUM_THREADS) {
        gf_cp_async<4>(window + at(j + SUM_TILE), from + (j - own) + SUM_TILE);
    }
}

/* Eight taps on 8 outputs; v[u] is the frame of output u - 7 and the first tap, in a ring that begins at
 * `turn`. `some`: only taps below `rest`. */
template <int TURN, bool SOME>
GF_DEVICE_FN void eight_taps(const float *tap, const float *v, int rest, float (*chain)[SUM_CHAINS])
{
    GF_UNROLL
    for (int d = 0; d < SUM_CHAINS; d++) {
        if (SOME && d >= rest) {
            continue;
        }
        GF_UNROLL
        for (int r = 0; r < SUM_EACH; r++) {
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

/* Eight frames, of which the first one, a multiple of 8, lies at `from`. */
GF_DEVICE_FN void load_eight(const float *from, float *to)
{
    load_four(from, to);
    load_four(from + HALF, to + 4);
}

/* One step: the frames that eight further taps need are loaded where those of the oldest were. */
template <int TURN, bool SOME>
GF_DEVICE_FN void step(const float *frames, const float *taps, int rest, float *v, float (*chain)[SUM_CHAINS])
{
    float tap[SUM_CHAINS];
    load_eight(frames, v + (RING - TURN) % RING);
    load_four(taps, tap);
    load_four(taps + 4, tap + 4);
    eight_taps<TURN, SOME>(tap, v, rest, chain);
}

/* Eight of `taps` taps, or those that there are. */
template <int TURN>
GF_DEVICE_FN void add_eight(const float *frames, const float *tap, int taps, float *v,
                            float (*chain)[SUM_CHAINS])
{
    if (taps > 0) {
        load_eight(frames, v + (RING - TURN) % RING);
    }
    if (taps >= SUM_CHAINS) {
        eight_taps<TURN, false>(tap, v, 0, chain);
    } else if (taps > 0) {
        eight_taps<TURN, true>(tap, v, taps, chain);
    }
}

/* A part of the taps on the thread's outputs. */
GF_DEVICE_FN void add_part(const float *window, const float *tap, int taps, float (*chain)[SUM_CHAINS])
{
    const float *frames = window + at(static_cast<int>(threadIdx.x) * SUM_EACH + (taps + 7) / 8 * 8);
    float v[RING];
    load_eight(frames, v + SUM_CHAINS);
#pragma unroll 1
    for (; taps >= 2 * SUM_CHAINS; taps -= 2 * SUM_CHAINS) {
        step<0, false>(frames - 4, tap, 0, v, chain);
        step<SUM_CHAINS, false>(frames - 8, tap + SUM_CHAINS, 0, v, chain);
        tap += 2 * SUM_CHAINS;
        frames -= 8;
    }
    if (taps > SUM_CHAINS) {
        step<0, false>(frames - 4, tap, 0, v, chain);
        step<SUM_CHAINS, true>(frames - 8, tap + SUM_CHAINS, taps - SUM_CHAINS, v, chain);
    } else if (taps > 0) {
        step<0, true>(frames - 4, tap, taps, v, chain);
    }
}

/* The same for all taps, of which there are few. */
GF_DEVICE_FN void add_few(const float *window, const struct fir_few &few, int taps,
                          float (*chain)[SUM_CHAINS])
{
    const float *frames = window + at(static_cast<int>(threadIdx.x) * SUM_EACH + (taps + 7) / 8 * 8);
    float v[RING];
    load_eight(frames, v + SUM_CHAINS);
    GF_UNROLL
    for (int i = 0; i < FEW / SUM_CHAINS; i += 2) {
        add_eight<0>(frames - 4 * i - 4, few.tap + SUM_CHAINS * i, taps - SUM_CHAINS * i, v, chain);
        add_eight<SUM_CHAINS>(frames - 4 * i - 8, few.tap + SUM_CHAINS * (i + 1), taps - SUM_CHAINS * (i + 1),
                              v, chain);
    }
}

/* Stores what the chains of the tile from output `first` on come to, and begins them again. */
GF_DEVICE_FN void end_tile(const struct fir_params &p, int64_t first, float (*chain)[SUM_CHAINS])
{
    alignas(16) float y[SUM_EACH];
    const int own = static_cast<int>(threadIdx.x) * SUM_EACH;
    GF_UNROLL
    for (int r = 0; r < SUM_EACH; r++) {
        y[r] = gf_canonical(gf_sum_fold(chain[r]));
        GF_UNROLL
        for (int d = 0; d < SUM_CHAINS; d++) {
            chain[r][d] = 0.0F;
        }
    }
    if (p.out.wide && first + SUM_TILE <= p.out.first + p.out.count) {
        float *to = p.out.data + blockIdx.y * p.out.pitch + (first - p.out.first) + own;
        uint4 bits[SUM_EACH / 4];
        memcpy(bits, y, sizeof bits);
        gf_store16(to, bits[0]);
        gf_store16(to + 4, bits[1]);
        return;
    }
    gf_sink_four(p.out, blockIdx.y, first + own, y);
    gf_sink_four(p.out, blockIdx.y, first + own + 4, y + 4);
}

/* A block makes some tiles one after another, a part of the taps at a time, and loads the next window, and
 * the next taps where there are several parts, while it multiplies. */
template <bool IS_FEW>
static __global__ void __launch_bounds__(SUM_THREADS, 4)
    gf_signal_fir_tile(const struct fir_params p, const struct fir_few few)
{
    GF_SHARED(float, tap, IS_FEW ? 1 : 2 * TAPS);
    GF_SHARED(float, window, 2 * WINDOW);
    const float *x = p.in.data + blockIdx.y * p.in.pitch;
    const int parts = (p.taps + TAPS - 1) / TAPS, begun = static_cast<int>(blockIdx.x) * p.turns;
    const int turns = p.tiles - begun < p.turns ? p.tiles - begun : p.turns;
    int64_t first = p.out.first + int64_t(begun) * SUM_TILE;
    float chain[SUM_EACH][SUM_CHAINS] = {};
    if (!IS_FEW) {
        load_taps(p, part_of(p, 0), tap);
    }
    load_window(p, x, first, part_of(p, 0), window);
    gf_cp_async_commit();
    for (int i = 0, part = 0; i < turns * parts; i++) {
        const int next = part + 1 < parts ? part + 1 : 0;
        const int64_t then = next ? first : first + SUM_TILE;
        if (i + 1 < turns * parts) {
            if (parts > 1) {
                load_taps(p, part_of(p, next), tap + (i + 1) % 2 * TAPS);
            }
            load_window(p, x, then, part_of(p, next), window + (i + 1) % 2 * WINDOW);
        }
        gf_cp_async_commit();
        gf_cp_async_wait<1>();
        __syncthreads();
        if (IS_FEW) {
            add_few(window + i % 2 * WINDOW, few, p.taps, chain);
        } else {
            add_part(window + i % 2 * WINDOW, tap + (parts > 1 ? i % 2 * TAPS : 0), part_of(p, part).taps,
                     chain);
        }
        if (next == 0) {
            end_tile(p, first, chain);
        }
        __syncthreads();
        part = next;
        first = then;
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
    /* Tiles one after another hide loads; few of them are for many blocks. */
    const int32_t tiles = static_cast<int32_t>(gf_blocks(out->count, SUM_TILE));
    const int32_t turns = tiles / 2048 < 1 ? 1 : tiles / 2048 < MOST_TURNS ? tiles / 2048 : MOST_TURNS;
    const struct fir_params p = {
        gf_source_of(in, frames, a->border == 1), gf_sink_of(out, channels), a->taps, a->centre, tiles, turns,
        static_cast<const float *>(state)};
    gf_launch launch = {};
    launch.grid = dim3(gf_blocks(tiles, turns), static_cast<unsigned>(channels));
    launch.block = dim3(SUM_THREADS);
    launch.stream = static_cast<cudaStream_t>(queue.stream);
    struct fir_few few = {};
    if (a->taps <= FEW) {
        memcpy(few.tap, a->tap, static_cast<size_t>(a->taps) * sizeof *a->tap);
        GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_fir_tile<true>, launch, p, few));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_fir_tile<false>, launch, p, few));
    }
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
