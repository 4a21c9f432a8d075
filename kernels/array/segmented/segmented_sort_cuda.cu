/* The segmented sort on CUDA: where segments begin, then the sort of the tiles and the passes
 * (segmented_sort_cuda.cuh). How many passes there are depends on the segments, which only the device knows:
 * those that are not needed return at once. The host knows, too, when there is a single segment: it is sorted
 * as an array. */
#include "array/segmented/segmented_sort_cuda.cuh"
#include "array/sort/sort_cuda.h"

#include "base/device_scope_cuda.h"

/* A bit for each element where a segment begins that has any. Lanes of a warp have neighbouring segments,
 * whose bits often lie in one word: the first of those lanes sets them all. */
__global__ void __launch_bounds__(256) gf_segment_mark(gf_segment_args a)
{
    const int64_t i = gf_thread_index();
    const bool there = i < a.segments;
    const int64_t begin = there ? a.offsets[i] : 0;
    const uint32_t word = there ? static_cast<uint32_t>(begin / 32) : UINT32_MAX;
    uint32_t bits = there && a.offsets[i + 1] > begin ? 1u << begin % 32 : 0;
    for (unsigned step = 1; step < GF_WARP; step *= 2) {
        const uint32_t other = gf_shfl_down(word, step), more = gf_shfl_down(bits, step);
        bits |= gf_lane() + step < GF_WARP && other == word ? more : 0;
    }
    const uint32_t before = gf_shfl_up(word, 1);
    if (bits != 0 && (gf_lane() == 0 || before != word)) {
        gf_atomic_or(a.heads + word, bits);
    }
}

/* The segment of each tile's first element: the last that begins at or before it. */
__global__ void __launch_bounds__(128) gf_segment_find(gf_segment_args a)
{
    const int64_t tile = gf_thread_index(), place = tile * GF_SEGMENT_TILE;
    if (tile > a.tiles) {
        return;
    }
    gf_segment_edge e = {a.n, a.n};
    if (place < a.n) {
        int64_t low = 0, high = a.segments; /* offsets[low] <= place < offsets[high] */
        while (high - low > 1) {
            const int64_t middle = low + (high - low) / 2;
            if (a.offsets[middle] <= place) {
                low = middle;
            } else {
                high = middle;
            }
        }
        e = {a.offsets[low], a.offsets[high]};
    }
    a.edges[tile] = e;
    const uint32_t passes = static_cast<uint32_t>(gf_segment_passes(e));
    if (passes > 0) {
        gf_atomic_max(a.passes, passes);
    }
}

/* ---- Host ---------------------------------------------------------------------------------------------- */

/* Lays out scratch memory, or with memory NULL only measures it. *cleared: bytes at its front that are zero
 * before the first kernel. */
static size_t lay_out(const struct gf_segmented_sort_call *call, void *memory, gf_segment_args *a,
                      size_t *cleared)
{
    const struct gf_array_call &array = call->sort.array;
    const size_t n = static_cast<size_t>(array.n), size = gf_depth_size(array.options.type);
    size_t used = 0;
    const auto take = [&](size_t bytes) { return gf_scratch_take(memory, &used, bytes); };
    a->keys = array.in;
    a->values = call->sort.values;
    a->offsets = call->offsets;
    a->segments = call->segments;
    a->n = array.n;
    a->tiles = (array.n + GF_SEGMENT_TILE - 1) / GF_SEGMENT_TILE;
    a->flip = gf_sort_flip(array.options.type, call->sort.descending);
    const size_t tiles = static_cast<size_t>(a->tiles);
    a->passes = static_cast<uint32_t *>(take(sizeof *a->passes));
    a->heads = static_cast<uint32_t *>(take(tiles * GF_SEGMENT_WORDS * sizeof *a->heads));
    *cleared = used;
    a->edges = static_cast<gf_segment_edge *>(take((tiles + 1) * sizeof *a->edges));
    if (a->tiles > 1) {
        a->splits = static_cast<int64_t *>(take(tiles * sizeof *a->splits));
        a->out[1] = take(n * size);
        a->values_out[1] = take(n * static_cast<size_t>(call->sort.value_size));
    }
    a->out[0] = array.out;
    a->values_out[0] = call->sort.values_out;
    return used;
}

static struct gf_sort_call sort_of(const struct gf_segmented_sort_call *call)
{
    struct gf_sort_call sort = call->sort;
    sort.array.options.tile = 0; /* a parameter of the sort alone */
    return sort;
}

size_t gf_segmented_sort_cuda_scratch(const struct gf_array_call *array)
{
    const struct gf_segmented_sort_call *call = gf_segmented_sort_call_of(array);
    const struct gf_sort_call sort = sort_of(call);
    gf_segment_args a = {};
    size_t cleared = 0;
    return array->n == 0         ? 0
           : call->segments == 1 ? gf_sort_cuda_scratch(&sort.array)
                                 : lay_out(call, nullptr, &a, &cleared);
}

gf_status gf_segmented_sort_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_segmented_sort_call *call = gf_segmented_sort_call_of(array);
    const gf_depth type = array->options.type;
    const cudaStream_t stream = static_cast<cudaStream_t>(array->queue.stream);
    const int value_size = call->sort.value_size;
    gf_segment_args a = {};
    size_t cleared = 0;
    const struct gf_sort_call sort = sort_of(call);
    if (array->n == 0 || call->segments == 1) {
        return gf_sort_cuda(&sort.array, error);
    }
    lay_out(call, array->scratch, &a, &cleared);
    GF_ON_DEVICE(array->queue.device, error)
    GF_CUDA_TRY(error, cudaMemsetAsync(array->scratch, 0, cleared, stream));
    gf_launch c = gf_launch_on(stream, gf_blocks(a.segments, 256), 256);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_segment_mark, c, a));
    c.grid = dim3(gf_blocks(a.tiles + 1, 128));
    c.block = dim3(128);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_segment_find, c, a));
    GF_TRY(gf_segment_tiles(a, type, value_size, stream, error));
    for (int pass = 0; (a.tiles - 1) >> pass > 0; pass++) {
        GF_TRY(gf_segment_pass(a, type, value_size, pass, stream, error));
    }
    return GF_OK;
}
