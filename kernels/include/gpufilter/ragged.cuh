/* gpufilter/ragged.cuh: a loop in a loop of any length with a body of your own, on CUDA:
 *
 *     struct body {
 *         long long *sums;
 *         __device__ void operator()(int32_t ix, int32_t iy) const { ... }
 *     };
 *     gf_ragged_options options = GF_RAGGED_OPTIONS_INIT;
 *     gf_ragged_for_scratch<body>(queue.device, &options, nx, &bytes, &error);
 *     ...
 *     gf_ragged_for(queue, &options, counts, nx, body{sums}, scratch, bytes, &error);
 *
 * calls the body once for each ix < nx and iy < counts[ix], in any order, many at once: in the way that
 * options.array.algo names, "auto", "simple", "frame", "combined" or "smart" (gpufilter/ragged.h). A body
 * that takes a third argument, int64_t k, gets the place of the item among all. Bodies are plain data, at
 * most about 3 KB, and must not wait for each other: no barriers and no operations of a warp.
 *
 * A body that adds up, or keeps something else of the items of an ix, need not touch memory for each of them:
 *
 *     struct body {
 *         using partial = long long;
 *         __device__ void operator()(int32_t ix, int32_t iy, partial &own) const { own += ...; }
 *         __device__ void finish(int32_t ix, const partial &own) const { ... }
 *     };
 *
 * `own` is partial() at first, stays with a thread for the items of one ix that it takes one after the other,
 * and is handed to finish() behind the last of them: once or more for each ix that has items, as many threads
 * take them.
 *
 * Compiled by nvcc as C++17, with nothing but this library's public headers; links libgpufilter. As all
 * primitives do, "auto" only queues work. */
#ifndef GPUFILTER_RAGGED_CUH
#define GPUFILTER_RAGGED_CUH

#include "gpufilter/ragged.h"

#include <stdio.h>
#include <type_traits>

#ifdef GF_EMU /* the emulator that the library's tests run kernels on */
#include "emu.h"
#else
#include <cuda_runtime.h>
#endif

#define GF_RAGGED_ALL     0xffffffffu
#define GF_RAGGED_THREADS 256
#define GF_RAGGED_LEAST   256 /* segments and items that are worth a warp */

/* Whether a body wants the place of its item. */
template <class Body> struct gf_ragged_wants_place {
    static const bool value = std::is_invocable<const Body &, int32_t, int32_t, int64_t>::value;
};

/* What a thread keeps between items of one ix; and whether a body has such a thing. */
struct gf_ragged_nothing {
};
template <class Body, class = void> struct gf_ragged_partial {
    using type = gf_ragged_nothing;
    static const bool is_kept = false;
};
template <class Body> struct gf_ragged_partial<Body, std::void_t<typename Body::partial>> {
    using type = typename Body::partial;
    static const bool is_kept = true;
};

template <class Body>
static __device__ __forceinline__ void gf_ragged_step(const Body &body, int32_t ix, int32_t iy, int64_t k,
                                                      typename gf_ragged_partial<Body>::type &own)
{
    (void)own;
    if constexpr (gf_ragged_partial<Body>::is_kept) {
        (void)k;
        body(ix, iy, own);
    } else if constexpr (gf_ragged_wants_place<Body>::value) {
        body(ix, iy, k);
    } else {
        (void)k;
        body(ix, iy);
    }
}

template <class Body>
static __device__ __forceinline__ void gf_ragged_finish(const Body &body, int32_t ix,
                                                        const typename gf_ragged_partial<Body>::type &own)
{
    (void)body, (void)ix, (void)own;
    if constexpr (gf_ragged_partial<Body>::is_kept) {
        body.finish(ix, own);
    }
}

/* One item by itself. */
template <class Body>
static __device__ __forceinline__ void gf_ragged_call_body(const Body &body, int32_t ix, int32_t iy,
                                                           int64_t k)
{
    typename gf_ragged_partial<Body>::type own = typename gf_ragged_partial<Body>::type();
    gf_ragged_step(body, ix, iy, k, own);
    gf_ragged_finish(body, ix, own);
}

/* ---- Shared out evenly ------------------------------------------------------------------------------------
 * Items and ends of segments make a line: each segment's items, then its end. Every warp takes an equal share
 * of it (D. Merrill, M. Garland, "Merge-Based Parallel Sparse Matrix-Vector Multiplication", 2016), and in it
 * a window of 32 segments at a time, one a lane. */

/* Finds in which segment the line's place `place` lies: how many ends lie before it. A warp looks at 32
 * places at once. */
static __device__ __forceinline__ int64_t gf_ragged_find(const gf_ragged_loop &loop, int64_t place,
                                                         unsigned lane)
{
    int64_t low = 0, high = loop.nx;
    while (low < high) {
        const int64_t step = (high - low + 31) / 32, at = low + static_cast<int64_t>(lane) * step;
        const bool is_before = at < high && loop.offsets[at + 1] + at < place;
        const int64_t passed = __popc(__ballot_sync(GF_RAGGED_ALL, is_before));
        const int64_t last = low + passed * step;
        low = passed > 0 ? last - step + 1 : low;
        high = last < high ? last : high;
    }
    return low;
}

/* The lane of the r-th bit that is set. */
static __device__ __forceinline__ unsigned gf_ragged_nth(unsigned bits, unsigned r)
{
    unsigned at = 0;
    for (unsigned step = 16; step > 0; step /= 2) {
        const unsigned below = static_cast<unsigned>(__popc(bits >> at & ((1u << step) - 1)));
        const bool is_above = r >= below;
        r -= is_above ? below : 0;
        at += is_above ? step : 0;
    }
    return at;
}

static __device__ __forceinline__ unsigned gf_ragged_or(unsigned bits)
{
#if defined(GF_EMU) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800)
    return __reduce_or_sync(GF_RAGGED_ALL, bits);
#else
    for (unsigned step = 16; step > 0; step /= 2) {
        bits |= __shfl_xor_sync(GF_RAGGED_ALL, bits, step);
    }
    return bits;
#endif
}

/* A window: segments that have items in the warp's share, without a gap, one a lane. */
struct gf_ragged_window {
    int32_t ix;
    int64_t base, from, to; /* first item of the segment; those in the share */
};

/* Items k to `until` - 1 of a window. Where 32 or more of one segment follow each other the segment is known
 * without a look; elsewhere each lane counts how many segments begin up to its own item. */
template <class Body>
static __device__ __forceinline__ void gf_ragged_walk(const Body &body, const gf_ragged_window &w,
                                                      unsigned count, int64_t k, int64_t until, unsigned lane)
{
    unsigned at = 0; /* the segment that has item k */
    while (k < until) {
        const int64_t edge = __shfl_sync(GF_RAGGED_ALL, w.to, at);
        if (edge - k >= 32) {
            const int32_t ix = __shfl_sync(GF_RAGGED_ALL, w.ix, at);
            const int64_t base = __shfl_sync(GF_RAGGED_ALL, w.base, at);
            const int64_t steps = (edge - k) / 32;
            int32_t iy = static_cast<int32_t>(k - base) + static_cast<int32_t>(lane);
            typename gf_ragged_partial<Body>::type own = typename gf_ragged_partial<Body>::type();
#ifndef GF_EMU
#pragma unroll 4
#endif
            for (int64_t step = 0; step < steps; step++) {
                gf_ragged_step(body, ix, iy, k + step * 32 + lane, own);
                iy += 32;
            }
            gf_ragged_finish(body, ix, own);
            k += steps * 32;
            at += k == edge;
            continue;
        }
        const int64_t ahead = w.from - k;
        const bool begins = lane > at && lane < count && ahead < 32;
        const unsigned heads = gf_ragged_or(begins ? 1u << static_cast<unsigned>(ahead) : 0);
        const unsigned own = at + static_cast<unsigned>(__popc(heads & ((2u << lane) - 1)));
        const int32_t ix = __shfl_sync(GF_RAGGED_ALL, w.ix, own);
        const int64_t base = __shfl_sync(GF_RAGGED_ALL, w.base, own), item = k + lane;
        if (item < until) {
            gf_ragged_call_body(body, ix, static_cast<int32_t>(item - base), item);
        }
        k += 32;
        at += static_cast<unsigned>(__popc(heads));
        at += __shfl_sync(GF_RAGGED_ALL, w.to, at) == k;
    }
}

template <class Body>
static __global__ void __launch_bounds__(GF_RAGGED_THREADS)
    gf_ragged_even(const gf_ragged_loop loop, const Body body)
{
    const unsigned lane = threadIdx.x % 32;
    const int64_t warps = int64_t(gridDim.x) * (GF_RAGGED_THREADS / 32);
    const int64_t warp = int64_t(blockIdx.x) * (GF_RAGGED_THREADS / 32) + threadIdx.x / 32;
    const int64_t line = loop.nx + loop.offsets[loop.nx], even = (line + warps - 1) / warps;
    const int64_t share = even < GF_RAGGED_LEAST ? GF_RAGGED_LEAST : even, begin = share * warp;
    if (begin >= line) {
        return; /* the whole warp */
    }
    const int64_t end = line - begin < share ? line : begin + share;
    for (int64_t first = gf_ragged_find(loop, begin, lane); first < loop.nx; first += 32) {
        const int64_t ix = first + lane;
        const int64_t base = loop.offsets[ix < loop.nx ? ix : loop.nx];
        const int64_t stop = loop.offsets[ix < loop.nx ? ix + 1 : loop.nx];
        if (__shfl_sync(GF_RAGGED_ALL, base, 0) + first >= end) {
            break;
        }
        const int64_t from = base > begin - ix ? base : begin - ix, to = stop < end - ix ? stop : end - ix;
        const unsigned has = __ballot_sync(GF_RAGGED_ALL, from < to);
        const unsigned count = static_cast<unsigned>(__popc(has)), source = gf_ragged_nth(has, lane) % 32;
        if (count == 0) {
            continue;
        }
        gf_ragged_window w;
        w.ix = static_cast<int32_t>(first + source);
        w.base = __shfl_sync(GF_RAGGED_ALL, base, source);
        w.from = __shfl_sync(GF_RAGGED_ALL, from, source);
        w.to = __shfl_sync(GF_RAGGED_ALL, to, source);
        const int64_t until = __shfl_sync(GF_RAGGED_ALL, w.to, count - 1);
        gf_ragged_walk(body, w, count, __shfl_sync(GF_RAGGED_ALL, w.from, 0), until, lane);
    }
}

/* ---- As published ------------------------------------------------------------------------------------------ */

/* A thread for each ix and iy < ny; beyond the blocks that a grid has along y, one takes several. */
template <class Body> static __global__ void gf_ragged_grid(const gf_ragged_loop loop, const Body body)
{
    const int64_t ix = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const int64_t step = int64_t(gridDim.y) * blockDim.y;
    const int64_t count = ix < loop.nx ? loop.counts[ix] : 0;
    for (int64_t iy = int64_t(blockIdx.y) * blockDim.y + threadIdx.y; iy < loop.ny; iy += step) {
        if (iy < count) {
            const int64_t base = gf_ragged_wants_place<Body>::value ? loop.offsets[ix] : 0;
            gf_ragged_call_body(body, static_cast<int32_t>(ix), static_cast<int32_t>(iy), base + iy);
        }
    }
}

/* The same below `low`, by as many blocks as there are. */
template <class Body> static __global__ void gf_ragged_below(const gf_ragged_loop loop, const Body body)
{
    const int64_t low = loop.found[1], across = (loop.nx + blockDim.x - 1) / blockDim.x;
    const int64_t tiles = across * ((low + blockDim.y - 1) / blockDim.y);
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int64_t ix = tile % across * blockDim.x + threadIdx.x;
        const int64_t iy = tile / across * blockDim.y + threadIdx.y;
        if (ix < loop.nx && iy < low && iy < loop.counts[ix]) {
            const int64_t base = gf_ragged_wants_place<Body>::value ? loop.offsets[ix] : 0;
            gf_ragged_call_body(body, static_cast<int32_t>(ix), static_cast<int32_t>(iy), base + iy);
        }
    }
}

/* The frame that has the tile, of `frames`: the last that does not begin behind it. */
static __device__ __forceinline__ int64_t gf_ragged_frame_of(const gf_ragged_loop &loop, int64_t frames,
                                                             int64_t tile)
{
    int64_t low = 0, high = frames;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (loop.tiles[middle] <= tile) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* All frames: each block takes as many tiles of its own size as any other, one after the other. */
template <class Body> static __global__ void gf_ragged_frames(const gf_ragged_loop loop, const Body body)
{
    const int64_t frames = loop.found[0], low = loop.found[1], tiles = loop.tiles[frames];
    const int64_t share = (tiles + gridDim.x - 1) / gridDim.x, first = share * blockIdx.x;
    const int64_t end = tiles - first < share ? tiles : first + share;
    if (first >= end) {
        return; /* the whole block */
    }
    int64_t frame = gf_ragged_frame_of(loop, frames, first), tile = first;
    while (tile < end) {
        const int64_t left = loop.edges[frame + 1], right = loop.edges[frame], next = loop.tiles[frame + 1];
        const int64_t across = (right - left + blockDim.x - 1) / blockDim.x, rank = tile - loop.tiles[frame];
        int64_t x = rank % across, y = rank / across;
        for (; tile < end && tile < next; tile++) {
            const int64_t at = left + x * blockDim.x + threadIdx.x, iy = low + y * blockDim.y + threadIdx.y;
            if (at < right && iy < loop.heights[at]) {
                const int32_t ix = loop.order[at];
                const int64_t base = gf_ragged_wants_place<Body>::value ? loop.offsets[ix] : 0;
                gf_ragged_call_body(body, ix, static_cast<int32_t>(iy), base + iy);
            }
            x = x + 1 < across ? x + 1 : 0;
            y += x == 0;
        }
        frame++;
    }
}

/* ---- Launches ---------------------------------------------------------------------------------------------- */

#ifdef GF_EMU
#define GF_RAGGED_LAUNCH(kernel, grid, block, stream, loop, body)                                            \
    gf_emu_run({#kernel, grid, block, 0, false, stream}, [&] { kernel(loop, body); })
#else
template <class Body>
static inline cudaError_t gf_ragged_launch(void (*kernel)(const gf_ragged_loop, const Body), dim3 grid,
                                           dim3 block, cudaStream_t stream, const gf_ragged_loop &loop,
                                           const Body &body)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.stream = stream;
    return cudaLaunchKernelEx(&config, kernel, loop, body);
}
#define GF_RAGGED_LAUNCH(kernel, grid, block, stream, loop, body)                                            \
    gf_ragged_launch<Body>(kernel<Body>, grid, block, stream, loop, body)
#endif

/* Queues the body of a loop that gf_ragged_begin made ready, on the current device. */
template <class Body>
static inline cudaError_t gf_ragged_run(const gf_ragged_loop &loop, const Body &body, cudaStream_t stream)
{
    static_assert(std::is_trivially_copyable<Body>::value, "a body is plain data");
    const dim3 block(static_cast<unsigned>(loop.block_x), static_cast<unsigned>(loop.block_y));
    const dim3 blocks(static_cast<unsigned>(loop.blocks));
    if (loop.nx == 0 || (loop.shape == GF_RAGGED_GRID && loop.ny == 0)) {
        return cudaSuccess;
    }
    if (loop.shape == GF_RAGGED_EVEN) {
        return GF_RAGGED_LAUNCH(gf_ragged_even, blocks, dim3(GF_RAGGED_THREADS), stream, loop, body);
    }
    if (loop.shape == GF_RAGGED_GRID) {
        const int64_t across = (loop.nx + loop.block_x - 1) / loop.block_x;
        const int64_t down = (loop.ny + loop.block_y - 1) / loop.block_y;
        const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(down < 65535 ? down : 65535));
        return GF_RAGGED_LAUNCH(gf_ragged_grid, grid, block, stream, loop, body);
    }
    cudaError_t status = cudaSuccess;
    if (loop.below) {
        status = GF_RAGGED_LAUNCH(gf_ragged_below, blocks, block, stream, loop, body);
    }
    return status == cudaSuccess ? GF_RAGGED_LAUNCH(gf_ragged_frames, blocks, block, stream, loop, body)
                                 : status;
}

/* Bytes of scratch that gf_ragged_for needs. Queues no work. */
template <class Body>
static inline gf_status gf_ragged_for_scratch(gf_device device, const gf_ragged_options *options, int64_t nx,
                                              size_t *bytes, gf_error *error)
{
    return gf_ragged_begin_scratch(device, options, nx, gf_ragged_wants_place<Body>::value, bytes, error);
}

/* Runs the loop. */
template <class Body>
static inline gf_status gf_ragged_for(gf_queue queue, const gf_ragged_options *options, const int32_t *counts,
                                      int64_t nx, const Body &body, void *scratch, size_t scratch_bytes,
                                      gf_error *error)
{
    gf_ragged_loop loop = GF_RAGGED_LOOP_INIT;
    int before = 0;
    const gf_status begun = gf_ragged_begin(queue, options, counts, nx, gf_ragged_wants_place<Body>::value,
                                            &loop, scratch, scratch_bytes, error);
    if (begun != GF_OK) {
        return begun;
    }
    cudaError_t status = cudaGetDevice(&before);
    status = status == cudaSuccess ? cudaSetDevice(queue.device) : status;
    status =
        status == cudaSuccess ? gf_ragged_run(loop, body, static_cast<cudaStream_t>(queue.stream)) : status;
    (void)cudaSetDevice(before);
    if (status != cudaSuccess && error) {
        error->code = GF_ERROR_DEVICE;
        snprintf(error->message, sizeof error->message, "ragged: CUDA: %s", cudaGetErrorString(status));
    }
    return status == cudaSuccess ? GF_OK : GF_ERROR_DEVICE;
}

#endif
