/* The segmented sort on CUDA, second part: a pass that merges pairs of runs of segments that reach over
 * tiles. Each block takes tiles in turn. A tile has at most two such segments, that of its first element and
 * that of its last: the others are done. */
#include "array/segmented/segmented_sort_cuda.cuh"

#include "base/device_scope_cuda.h"

constexpr unsigned THREADS = GF_MERGE_THREADS;

/* Finds where each tile begins in the first of its segment's runs. */
template <class T> __global__ void __launch_bounds__(128) gf_segment_split(gf_segment_args a, int pass)
{
    using K = typename gf_sort_key<T>::bits;
    const int64_t tile = gf_thread_index(), place = tile * GF_SEGMENT_TILE;
    gf_pdl_wait();
    if (static_cast<int>(*a.passes) <= pass || tile >= a.tiles) {
        return;
    }
    const gf_segment_edge e = a.edges[tile];
    const int left = gf_segment_passes(e) - pass;
    if (left <= 0) {
        return;
    }
    const gf_segment_runs r = gf_segment_runs_at(e, place, pass);
    const K *const from = static_cast<const K *>(gf_segment_place(left) ? a.out[1] : a.out[0]);
    a.splits[tile] = gf_merge_split(
        r.middle - r.begin, r.end - r.middle, place - r.begin,
        [&](int64_t i) { return gf_sort_key<T>::order(from[r.begin + i]); },
        [&](int64_t i) { return gf_sort_key<T>::order(from[r.middle + i]); });
}

/* The part of segment e in a tile: elements [first, end). */
template <class T, int VALUE>
GF_DEVICE_FN void move_part(const gf_segment_args &a, const gf_segment_edge &e, int pass, int64_t tile,
                            int64_t first, int64_t end, typename gf_sort_key<T>::bits *codes,
                            uint16_t *places)
{
    using K = typename gf_sort_key<T>::bits;
    using V = typename gf_sort_value<VALUE>::type;
    const int left = gf_segment_passes(e) - pass;
    if (left <= 0) {
        return; /* the whole block */
    }
    const gf_segment_runs r = gf_segment_runs_at(e, first, pass);
    const bool scratch = gf_segment_place(left) != 0;
    const K *const from = static_cast<const K *>(scratch ? a.out[1] : a.out[0]);
    const V *const values = static_cast<const V *>(scratch ? a.values_out[1] : a.values_out[0]);
    const int64_t begin = r.begin + (first == r.begin ? 0 : a.splits[tile]);
    const int64_t stop = end == r.end ? r.middle : r.begin + a.splits[tile + 1];
    const int64_t other = r.middle + (first - begin);
    const gf_merge_part<T, VALUE> part = {from + begin,
                                          from + other,
                                          values + (VALUE ? begin : 0),
                                          values + (VALUE ? other : 0),
                                          static_cast<K *>(scratch ? a.out[0] : a.out[1]) + first,
                                          static_cast<V *>(scratch ? a.values_out[0] : a.values_out[1]) +
                                              (VALUE ? first : 0),
                                          static_cast<uint32_t>(stop - begin),
                                          static_cast<uint32_t>(end - first),
                                          static_cast<K>(a.flip),
                                          true,
                                          left > 1};
    gf_merge_block<T, VALUE>(part, codes, places);
    __syncthreads();
}

template <class T, int VALUE>
__global__ void __launch_bounds__(THREADS) gf_segment_merge(gf_segment_args a, int pass)
{
    using K = typename gf_sort_key<T>::bits;
    GF_SHARED(K, codes, GF_MERGE_TILE);
    GF_SHARED(uint16_t, places, GF_MERGE_TILE);
    gf_pdl_wait();
    if (static_cast<int>(*a.passes) <= pass) {
        return;
    }
    for (int64_t tile = blockIdx.x; tile < a.tiles; tile += gridDim.x) {
        const int64_t first = tile * GF_SEGMENT_TILE, rest = a.n - first;
        const int64_t end = first + (rest < GF_SEGMENT_TILE ? rest : GF_SEGMENT_TILE);
        const gf_segment_edge head = a.edges[tile], tail = a.edges[tile + 1];
        move_part<T, VALUE>(a, head, pass, tile, first, head.end < end ? head.end : end, codes, places);
        if (tail.begin > first && tail.begin < end && tail.begin != head.begin) {
            move_part<T, VALUE>(a, tail, pass, tile, tail.begin, end, codes, places);
        }
    }
}

/* ---- Host ---------------------------------------------------------------------------------------------- */

template <class T, int VALUE>
static gf_status pass_typed(const gf_segment_args &a, int pass, cudaStream_t stream, gf_error *error)
{
    int processors = 0;
    GF_TRY(gf_multiprocessors(&processors, error));
    gf_launch c = gf_launch_on(stream, gf_blocks(a.tiles, 128), 128);
    c.programmatic = true;
    GF_CUDA_TRY(error, GF_LAUNCH((gf_segment_split<T>), c, a, pass));
    const int64_t most = int64_t(processors) * 5;
    c.grid = dim3(static_cast<unsigned>(a.tiles < most ? a.tiles : most));
    c.block = dim3(THREADS);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_segment_merge<T, VALUE>), c, a, pass));
    return GF_OK;
}

gf_status gf_segment_pass(const gf_segment_args &a, gf_depth type, int value_size, int pass,
                          cudaStream_t stream, gf_error *error)
{
    return gf_dispatch_key(type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return value_size == 8   ? pass_typed<T, 8>(a, pass, stream, error)
               : value_size == 4 ? pass_typed<T, 4>(a, pass, stream, error)
                                 : pass_typed<T, 0>(a, pass, stream, error);
    });
}
