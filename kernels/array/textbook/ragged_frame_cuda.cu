/* The sorted counts of the published ragged loops, and the frames around them, laid out on the device; the
 * published program asks for the height of each and waits for the answer. */
#include "array/ragged/ragged_cuda.h"

#include "array/common/grid_cuda.cuh"
#include "array/sort/sort_call.h"
#include "base/planted_fault.h"

constexpr int GF_RAGGED_FRAMERS = 1024;
constexpr int GF_RAGGED_HEIGHTS = 4096; /* that lie in shared memory */

static struct gf_sort_call gf_ragged_sort_call(int64_t nx)
{
    struct gf_sort_call sort = {};
    sort.array.options.type = GF_S32;
    sort.array.n = nx;
    sort.value_size = sizeof(int32_t);
    return sort;
}

size_t gf_ragged_sort_bytes(int64_t nx)
{
    const struct gf_sort_call sort = gf_ragged_sort_call(nx);
    return gf_sort_cuda_scratch(&sort.array);
}

static __global__ void __launch_bounds__(256) gf_ragged_number(int32_t *numbers, int64_t nx)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    for (int64_t i = gf_thread_index(); i < nx; i += step) {
        numbers[i] = static_cast<int32_t>(i);
    }
}

struct gf_ragged_frame_args {
    const int32_t *heights;
    int32_t *edges;
    int64_t *tiles, *found;
    int64_t nx, from, area; /* from: the first of the sorted that is in a frame */
    int32_t block_x, block_y;
    bool combined;
};

/* A frame further left. */
struct gf_ragged_frame_at {
    int64_t edge, frames, tiles;
};

/* The frames whose right edges lie in the window, whose first height is that of `first`; whether that was the
 * last one. */
GF_DEVICE_FN bool gf_ragged_lay_frames(const gf_ragged_frame_args &a, const int32_t *window, int64_t first,
                                       int64_t low, gf_ragged_frame_at *at)
{
    while (at->edge > first) {
        const int64_t high = window[at->edge - 1 - first] - low; /* of empty rows there is nothing to do */
        if (high <= 0) {
            return true;
        }
        const int64_t width = (a.area - 1) / high + 1, left = at->edge - a.from;
        const int64_t across = width < left ? width : left;
        const uint32_t x = (static_cast<uint32_t>(across) + a.block_x - 1) / a.block_x;
        const uint32_t y = (static_cast<uint32_t>(high) + a.block_y - 1) / a.block_y;
        at->edge -= across;
        at->tiles += int64_t(x) * y;
        at->frames++;
        a.edges[at->frames] = static_cast<int32_t>(at->edge);
        a.tiles[at->frames] = at->tiles;
    }
    return at->edge <= a.from;
}

/* Frames from right to left, by one thread of one block; the others load the heights that come next. */
static __global__ void __launch_bounds__(GF_RAGGED_FRAMERS) gf_ragged_frame(const gf_ragged_frame_args a)
{
    GF_SHARED(int32_t, window, GF_RAGGED_HEIGHTS);
    GF_SHARED(int64_t, edge, 1);
    const int64_t height = a.combined ? a.heights[a.from] : 0, low = height > 0 ? height : 0;
    gf_ragged_frame_at at = {a.nx, 0, 0};
    for (int64_t end = a.nx; end > a.from;) {
        const int64_t first = end - a.from < GF_RAGGED_HEIGHTS ? a.from : end - GF_RAGGED_HEIGHTS;
        for (int64_t i = first + threadIdx.x; i < end; i += GF_RAGGED_FRAMERS) {
            window[i - first] = a.heights[i];
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            *edge = gf_ragged_lay_frames(a, window, first, low, &at) ? a.from : at.edge;
        }
        __syncthreads();
        end = *edge;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        a.edges[0] = static_cast<int32_t>(a.nx);
        a.tiles[0] = 0;
        a.found[0] = at.frames - (GF_FAULT(cuda_ragged_frame) && at.frames > 1);
        a.found[1] = low;
    }
}

/* Sorts by count. `edges` has the numbers that travel with the counts until the frames are laid out. */
static gf_status gf_ragged_sort(const struct gf_ragged_call *call, const struct gf_ragged_memory *m,
                                gf_error *error)
{
    struct gf_sort_call sort = gf_ragged_sort_call(call->array.n);
    gf_launch c = gf_launch_on(call->array.queue.stream, gf_blocks(call->array.n, 256 * 8), 256);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_ragged_number, c, m->edges, call->array.n));
    sort.array.queue = call->array.queue;
    sort.array.in = call->array.in;
    sort.array.out = m->heights;
    sort.values = m->edges;
    sort.values_out = m->order;
    sort.array.scratch = m->helper;
    sort.array.scratch_bytes = m->helper_bytes;
    return gf_sort_cuda(&sort.array, error);
}

gf_status gf_ragged_sort_cuda(const struct gf_ragged_call *call, const struct gf_ragged_memory *m,
                              bool combined, gf_error *error)
{
    const int64_t nx = call->array.n,
                  part = static_cast<int64_t>(call->options.alpha * static_cast<double>(nx));
    gf_ragged_frame_args a = {};
    GF_TRY(gf_ragged_sort(call, m, error));
    a.heights = m->heights;
    a.edges = m->edges;
    a.tiles = m->tiles;
    a.found = m->found;
    a.nx = nx;
    a.from = !combined ? 0 : part < nx ? part : nx - 1; /* alpha * nx can be nx */
    a.area = call->options.frame_area;
    a.block_x = call->options.block_x;
    a.block_y = call->options.block_y;
    a.combined = combined;
    gf_launch c = gf_launch_on(call->array.queue.stream, 1, GF_RAGGED_FRAMERS);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_ragged_frame, c, a));
    return GF_OK;
}
