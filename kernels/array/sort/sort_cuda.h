/* The CUDA radix sort behind "auto": what its parts agree on. Private to the sort. */
#pragma once

#include "array/common/grid_cuda.cuh"
#include "array/sort/sort_call.h"

/* Words of the schedule that the histogram makes for the passes, on the device. */
enum { GF_RADIX_BLOCKS_DONE, GF_RADIX_RUN, GF_RADIX_DIFFERING, GF_RADIX_TICKETS };

/* Elements that a launch of a pass takes at most, so that their count fits a state word with two flags. */
enum : int64_t { GF_RADIX_PORTION = int64_t(1) << 29 };

/* One sort's memory and sizes. */
struct gf_radix {
    void *keys[3], *values[3]; /* by GF_SORT_IN (only read), GF_SORT_OUT, GF_SORT_SCRATCH */
    int64_t n;
    uint64_t flip, ignored;
    int32_t key_bytes, value_size, in_place, apart;
    int32_t passes, tile;      /* passes of 8 bits; elements of a tile */
    int64_t portion, portions; /* elements of one, a multiple of the tile; how many */
    bool wide;                 /* large tiles, or small ones for few elements */
    uint32_t *schedule;        /* GF_RADIX_..., then a ticket counter for each pass and portion */
    uint64_t *bins;            /* passes x 256: counts of all digits */
    uint32_t *states;          /* passes x tiles x 256 */
    uint64_t *bases;           /* portions x passes x 256: where a digit's next element goes */
    size_t cleared;            /* bytes from `schedule` on that are zero before the histogram */
};

static inline int64_t gf_radix_tiles(const struct gf_radix *r)
{
    return (r->n + r->tile - 1) / r->tile;
}

/* Shape of a pass: threads of a block, and elements a thread takes. */
enum { GF_RADIX_THREADS = 512 };
constexpr int gf_radix_items(int key_bytes, int value_size, bool wide)
{
    return !wide ? 4 : key_bytes == 8 || value_size == 8 ? 8 : value_size == 4 ? 20 : 22;
}

/* Counts the digits of all passes in one read, and makes the schedule and the bases of the first portion. */
gf_status gf_radix_histogram(const struct gf_radix *r, gf_depth type, cudaStream_t stream, gf_error *error);

/* One pass over all portions, by value_size. */
gf_status gf_radix_pass_keys(const struct gf_radix *r, gf_depth type, int pass, cudaStream_t stream,
                             gf_error *error);
gf_status gf_radix_pass_values4(const struct gf_radix *r, gf_depth type, int pass, cudaStream_t stream,
                                gf_error *error);
gf_status gf_radix_pass_values8(const struct gf_radix *r, gf_depth type, int pass, cudaStream_t stream,
                                gf_error *error);

/* Keys of 8 bits without values, or of 16 from GF_COUNT16_FROM on, are counted. */
enum { GF_COUNT16_FROM = 1 << 20 };
bool gf_sort_counts_cuda(const struct gf_sort_call *call);
size_t gf_sort_count_cuda_scratch(const struct gf_sort_call *call);
gf_status gf_sort_count_cuda(const struct gf_sort_call *call, gf_error *error);

/* All of a small array in one block. */
bool gf_sort_fits_block(const struct gf_sort_call *call);
gf_status gf_sort_block_cuda(const struct gf_sort_call *call, gf_error *error);
