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
    MOST_TURNS = 4
};
static_assert(TAPS <= 4 * SUM_THREADS, "a thread loads a quad of what is more than a tile");
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
GF_DEVICE_FN unsigned at(unsigned j)
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

/* Begins to load `room` frames and a tile more from frame `begin` of the input on, which lie `offset` frames
 * behind its first one. */
GF_DEVICE_FN void load_window(const struct fir_params &p, const float *x, int64_t offset, int room,
                              float *window)
{
    enum { STRIDE = SUM_THREADS / 2 }; /* places from a thread's frame to its next one */
    const int own = static_cast<int>(threadIdx.x);
    if (offset < 0 || offset > p.in.count - (SUM_TILE + room)) {
#pragma unroll 1
        for (int j = own; j < SUM_TILE + room; j += SUM_THREADS) {
            window[at(j)] = gf_source_frame(p.in, x, p.in.first + offset + j);
        }
        return;
    }
    if (reinterpret_cast<uintptr_t>(x + offset) % 16 == 0) {
        const float *from = x + offset + 4 * own;
        float *to = window + at(4 * own);
        GF_UNROLL
        for (int i = 0; i < SUM_EACH / 4; i++) {
            gf_cp_async<16>(to + i * 4 * STRIDE, from + i * 4 * SUM_THREADS);
        }
        if (4 * own < room) { /* TAPS at most, a quad a thread */
            gf_cp_async<16>(to + SUM_TILE / 2, from + SUM_TILE);
        }
        return;
    }
    const float *from = x + offset + own;
    float *to = window + at(own);
    GF_UNROLL
    for (int i = 0; i < SUM_EACH; i++) {
        gf_cp_async<4>(to + i * STRIDE, from + i * SUM_THREADS);
    }
    for (int j = 0; j < room; j += SUM_THREADS) {
        if (j + own < room) {
            gf_cp_async<4>(to + (SUM_TILE + j) / 2, from + SUM_TILE + j);
        }
    }
}

/* Eight taps on the outputs; v[u] is the frame of output u - 7 and the first tap, in a ring that begins at
 * `turn`. BEGINS: from 0. Only taps below `rest` are there. */
template <int TURN, bool BEGINS, bool SOME>
GF_DEVICE_FN void eight_taps(const float *tap, const float *v, int rest, float (*chain)[SUM_CHAINS])
{
    GF_UNROLL
    for (int d = 0; d < SUM_CHAINS; d++) {
        const bool is_there = !SOME || d < rest;
        if (!BEGINS && !is_there) {
            continue;
        }
        GF_UNROLL
        for (int r = 0; r < SUM_EACH; r++) {
            const float sum = BEGINS ? 0.0F : chain[r][d];
            chain[r][d] = is_there ? gf_fma(tap[d], v[(r - d + 7 + RING - TURN) % RING], sum) : sum;
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
    eight_taps<TURN, false, SOME>(tap, v, rest, chain);
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

/* Taps 8 I and on of N times eight, of which the last ones are `rest`; frames: of the thread's first output
 * and tap 0, and on. */
template <int I, int N>
GF_DEVICE_FN void add_few(const float *frames, const struct fir_few &few, int rest, float *v,
                          float (*chain)[SUM_CHAINS])
{
    enum { TURN = I * SUM_CHAINS % RING };
    load_eight(frames - 4 * (I + 1), v + (RING - TURN) % RING);
    if constexpr (I + 1 < N) {
        eight_taps<TURN, I == 0, false>(few.tap + I * SUM_CHAINS, v, 0, chain);
        add_few<I + 1, N>(frames, few, rest, v, chain);
    } else {
        eight_taps<TURN, I == 0, true>(few.tap + I * SUM_CHAINS, v, rest, chain);
    }
}

/* Stores what the chains of the tile from the call's output `done` on come to, a warp's 256 neighbours by way
 * of `turned`, so that lanes that are neighbours store what are neighbours. */
GF_DEVICE_FN void end_tile(const struct fir_params &p, int64_t done, const float (*chain)[SUM_CHAINS],
                           float *turned)
{
    enum { WARP = GF_WARP * SUM_EACH };
    const unsigned lane = threadIdx.x % GF_WARP, warp = threadIdx.x / GF_WARP;
    turned += warp * WARP;
    GF_UNROLL
    for (unsigned c = 0; c < 2; c++) {
        float y[4];
        uint4 bits;
        GF_UNROLL
        for (int r = 0; r < 4; r++) {
            y[r] = gf_canonical(gf_sum_fold(chain[4 * c + r]));
        }
        memcpy(&bits, y, sizeof bits);
        gf_store16(turned + (lane * 2 + ((lane / 4 % 2) ^ c)) * 4, bits);
    }
    gf_syncwarp();
    turned += (lane ^ (lane / 8 % 2)) * 4;
    done += warp * WARP + 4 * lane;
    const bool whole = p.out.wide && done - 4 * lane <= p.out.count - WARP;
    GF_UNROLL
    for (int c = 0; c < 2; c++, done += WARP / 2, turned += WARP / 2) {
        if (whole) {
            gf_store16(p.out.data + blockIdx.y * p.out.pitch + done, gf_load16(turned));
        } else {
            gf_sink_four(p.out, blockIdx.y, p.out.first + done, turned);
        }
    }
    gf_syncwarp(); /* all have read what the next tile's is written over */
}

/* A block makes some tiles one after another, and loads the next window while it multiplies. N: eights of
 * taps, so that nothing is asked between them. */
template <int N>
static __global__ void __launch_bounds__(SUM_THREADS, 5)
    gf_signal_fir_few(const struct fir_params p, const struct fir_few few)
{
    GF_SHARED(float, window, 2 * WINDOW);
    GF_SHARED(float, turned, SUM_TILE);
    const float *x = p.in.data + blockIdx.y * p.in.pitch;
    int64_t done = int64_t(blockIdx.x) * p.turns * SUM_TILE;
    int64_t offset = p.out.first + done + p.centre - (FEW - 1) - p.in.first;
    const int rest = p.taps - (N - 1) * SUM_CHAINS;
    float chain[SUM_EACH][SUM_CHAINS];
    load_window(p, x, offset, FEW, window);
    gf_cp_async_commit();
#pragma unroll 1
    for (int i = 1; i <= p.turns && done < p.out.count; i++, done += SUM_TILE) {
        offset += SUM_TILE;
        if (i < p.turns) {
            load_window(p, x, offset, FEW, window + i % 2 * WINDOW);
        }
        gf_cp_async_commit();
        gf_cp_async_wait<1>();
        __syncthreads();
        const float *frames = window + (i + 1) % 2 * WINDOW + at(threadIdx.x * SUM_EACH + FEW);
        float v[RING];
        load_eight(frames, v + SUM_CHAINS);
        add_few<0, N>(frames, few, rest, v, chain);
        end_tile(p, done, chain, turned);
        __syncthreads();
    }
}

/* The same for more taps, a part of them at a time, and loads the next taps, too, where there are several
 * parts. */
static __global__ void __launch_bounds__(SUM_THREADS, 5) gf_signal_fir_tile(const struct fir_params p)
{
    GF_SHARED(float, tap, 2 * TAPS);
    GF_SHARED(float, window, 2 * WINDOW);
    GF_SHARED(float, turned, SUM_TILE);
    const float *x = p.in.data + blockIdx.y * p.in.pitch;
    const int parts = (p.taps + TAPS - 1) / TAPS, begun = static_cast<int>(blockIdx.x) * p.turns;
    const int turns = p.tiles - begun < p.turns ? p.tiles - begun : p.turns;
    int64_t done = int64_t(begun) * SUM_TILE;
    float chain[SUM_EACH][SUM_CHAINS];
    const auto load = [&](int64_t of, int part, int i) {
        const struct fir_part some = part_of(p, part);
        const int64_t begin = p.out.first + of + p.centre - some.from - some.room + 1;
        load_window(p, x, begin - p.in.first, some.room, window + i % 2 * WINDOW);
        if (parts > 1 || i == 0) {
            load_taps(p, some, tap + i % 2 * TAPS);
        }
    };
    load(done, 0, 0);
    gf_cp_async_commit();
#pragma unroll 1
    for (int i = 0, part = 0; i < turns * parts; i++) {
        const int next = part + 1 < parts ? part + 1 : 0;
        const int64_t then = next ? done : done + SUM_TILE;
        if (i + 1 < turns * parts) {
            load(then, next, i + 1);
        }
        gf_cp_async_commit();
        gf_cp_async_wait<1>();
        __syncthreads();
        GF_UNROLL
        for (int r = 0; r < SUM_EACH && part == 0; r++) {
            GF_UNROLL
            for (int d = 0; d < SUM_CHAINS; d++) {
                chain[r][d] = 0.0F;
            }
        }
        add_part(window + i % 2 * WINDOW, tap + (parts > 1 ? i % 2 * TAPS : 0), part_of(p, part).taps, chain);
        if (next == 0) {
            end_tile(p, done, chain, turned);
        }
        __syncthreads();
        part = next;
        done = then;
    }
}

/* The kernel of as many eights as there are. */
template <int N>
static gf_status launch_few(const struct fir_params &p, const float *tap, gf_launch launch, gf_error *error)
{
    if constexpr (N < FEW / SUM_CHAINS) {
        if (p.taps > N * SUM_CHAINS) {
            return launch_few<N + 1>(p, tap, launch, error);
        }
    }
    struct fir_few few = {};
    memcpy(few.tap, tap, static_cast<size_t>(p.taps) * sizeof *tap);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_signal_fir_few<N>), launch, p, few));
    return GF_OK;
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
    if (a->taps <= FEW) {
        return launch_few<1>(p, a->tap, launch, error);
    }
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
