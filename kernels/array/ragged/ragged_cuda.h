/* A ragged loop on CUDA: what its parts agree on. */
#pragma once

#include "array/ragged/ragged_call.h"
#include "base/cuda_status.h"

enum : int64_t { GF_RAGGED_SMALL = 1 << 14 }; /* counts that one block adds up */

enum gf_ragged_way { GF_RAGGED_AUTO, GF_RAGGED_SIMPLE, GF_RAGGED_FRAME, GF_RAGGED_COMBINED, GF_RAGGED_SMART };

/* Scratch memory of a call. */
struct gf_ragged_memory {
    uint64_t *offsets; /* nx + 1, the second at a multiple of 16 bytes */
    void *sums;        /* of the scan's tiles */
    int32_t *most;     /* the greatest count */
    void *helper;      /* of the reduction or the sort */
    size_t helper_bytes;
    int32_t *heights, *order, *edges;
    int64_t *tiles, *found;
    uint64_t *slots;  /* numbers of leaves, or ranks of segments */
    uint64_t *listed; /* how many are in `list` */
    int32_t *list;    /* ix of several leaves */
};

/* Queues the scan of the counts; if they are few, writes *total and zeros to `zeroed`, where not NULL. */
gf_status gf_ragged_place_cuda(const struct gf_ragged_call *call, const struct gf_ragged_memory *m,
                               uint64_t *zeroed, gf_error *error);

/* Bytes of m->sums for nx counts. */
size_t gf_ragged_place_bytes(int64_t nx);

/* Queues sorting, and what lays out the frames. */
gf_status gf_ragged_sort_cuda(const struct gf_ragged_call *call, const struct gf_ragged_memory *m,
                              bool combined, gf_error *error);

/* Bytes of m->helper that it needs. */
size_t gf_ragged_sort_bytes(int64_t nx);

/* The body of the call as one that gf_ragged_run takes; for sums and extremes with an atomic operation an
 * item. */
gf_status gf_ragged_items_cuda(const struct gf_ragged_call *call, const gf_ragged_loop *loop,
                               const struct gf_ragged_memory *m, gf_error *error);

/* Bodies that make a number of each segment, in a loop that is shared out evenly. */
gf_status gf_ragged_fold_cuda(const struct gf_ragged_call *call, const gf_ragged_loop *loop,
                              const struct gf_ragged_memory *m, gf_error *error);
