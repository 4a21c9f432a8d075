/* Counting sort on CUDA: what its parts agree on. Private to the sort. */
#pragma once

#include "array/sort/sort_cuda.h"

enum { GF_COUNT_GROUP = 512 }; /* ranks that share an entry of `groups` */

/* Where the run of each rank begins in the output: starts[rank] + groups[rank / GF_COUNT_GROUP]. */
struct gf_count_runs {
    const uint64_t *starts, *groups;
    uint32_t ranks;
};

/* Counts keys of 16 bits. bins: 65536, zero before; partial: processors x 32768; starts: 65536; groups: 128;
 * done: zero. */
struct gf_count16 {
    const void *keys;
    int64_t n;
    uint64_t flip;
    uint64_t *bins, *starts, *groups;
    uint32_t *partial, *done;
    int blocks; /* at most the processors */
};
gf_status gf_count16_cuda(const struct gf_count16 *c, cudaStream_t stream, gf_error *error);

enum { GF_COUNT16_RANKS = 65536, GF_COUNT16_WORDS = GF_COUNT16_RANKS / 2 };
