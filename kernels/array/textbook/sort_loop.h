/* What the variants that sort on one thread by comparing share. */
#pragma once

#include <stdint.h>

/* A number to sort by, and where it stood. */
struct gf_sort_pair {
    uint64_t key;
    int64_t index;
};

/* Sorts by key, equal ones by index. */
void gf_sort_loop_pairs(struct gf_sort_pair *pairs, int64_t n);
void gf_sort_loop_u64(uint64_t *keys, int64_t n);
