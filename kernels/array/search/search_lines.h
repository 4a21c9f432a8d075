/* Inner loops of search on the CPU, once a SIMD level, as reduce_lines.h. */
#pragma once

#include <stdint.h>

enum { GF_SEARCH_LINE = 4096 }; /* most elements of a call */

struct gf_search_lines {
    /* Returns how many of n elements lie in the span of a gf_keep_test that is not outside. */
    int64_t (*count)(const void *in, int64_t n, uint64_t least, uint64_t span);
    /* The first of them, or n. */
    int64_t (*first)(const void *in, int64_t n, uint64_t least, uint64_t span);
};

/* Indexed by depth. */
extern const struct gf_search_lines gf_search_lines_baseline[9];
extern const struct gf_search_lines gf_search_lines_avx2[9];
extern const struct gf_search_lines gf_search_lines_avx512[9];
