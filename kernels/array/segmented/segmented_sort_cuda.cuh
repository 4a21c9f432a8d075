/* The segmented sort on CUDA: what its kernels agree on.
 *
 * The array is cut into tiles, wherever segments begin. A block sorts the parts of segments in its tile; the
 * parts of a segment that reaches over tiles are runs, which passes along merge paths then double, pairs of
 * 1, 2, 4, ... tiles at a time. A segment in one tile is done at once, and no pass moves it again; one that
 * reaches over tiles takes as many passes as there are between its first tile and its last. So the work is
 * even, whatever the segments are, and grows with their lengths alone.
 *
 * A segment lies in the output or in scratch memory in turn: where it begins is such that its last pass ends
 * in the output. */
#ifndef GF_ARRAY_SEGMENTED_SORT_CUDA_CUH
#define GF_ARRAY_SEGMENTED_SORT_CUDA_CUH

#include "array/common/grid_cuda.cuh"
#include "array/merge/merge_path_cuda.cuh"

/* The segment that holds the first element of a tile. */
struct gf_segment_edge {
    int64_t begin, end;
};

struct gf_segment_args {
    const void *keys, *values;    /* read by the first pass alone */
    void *out[2], *values_out[2]; /* the output, scratch memory */
    const int64_t *offsets;
    int64_t segments, n, tiles;
    uint32_t *heads;        /* a bit of each element: whether a segment begins there; whole words of tiles */
    gf_segment_edge *edges; /* of each tile, and behind the last {n, n} */
    int64_t *splits;        /* of each tile: where it begins in the first of the runs that are merged */
    uint32_t *passes;       /* how many the longest way takes */
    uint64_t flip;
};

constexpr int64_t GF_SEGMENT_TILE = GF_MERGE_TILE;
constexpr int GF_SEGMENT_WORDS = GF_MERGE_TILE / 32; /* of heads of a tile */

/* Returns how many passes move the segment behind the tiles' sort: its first and last tile differ in this bit
 * and none above, so that the last pass joins all of it. */
GF_DEVICE_FN int gf_segment_passes(const gf_segment_edge &e)
{
    const uint64_t differ =
        static_cast<uint64_t>((e.begin / GF_SEGMENT_TILE) ^ ((e.end - 1) / GF_SEGMENT_TILE));
    return e.begin < e.end && differ != 0 ? 64 - __clzll(static_cast<long long>(differ)) : 0;
}

/* Returns where it lies when `left` passes are still to come: 0 the output, 1 scratch memory. */
GF_DEVICE_FN int gf_segment_place(int left)
{
    return left & 1;
}

/* What pass number `pass` merges of a segment around a place of it, as elements of the array: two runs that
 * lie side by side, or with middle == end one that is only moved on. */
struct gf_segment_runs {
    int64_t begin, middle, end;
};

GF_DEVICE_FN gf_segment_runs gf_segment_runs_at(const gf_segment_edge &e, int64_t place, int pass)
{
    const int64_t width = GF_SEGMENT_TILE << pass, pair = place & -2 * width, middle = pair + width;
    const int64_t begin = pair > e.begin ? pair : e.begin,
                  end = pair + 2 * width < e.end ? pair + 2 * width : e.end;
    return {begin, begin < middle && middle < end ? middle : end, end};
}

/* Bodies of gf_segmented_sort_cuda, by value_size: the sort of the tiles, and a pass. */
gf_status gf_segment_tiles(const gf_segment_args &a, gf_depth type, int value_size, cudaStream_t stream,
                           gf_error *error);
gf_status gf_segment_pass(const gf_segment_args &a, gf_depth type, int value_size, int pass,
                          cudaStream_t stream, gf_error *error);

#endif
