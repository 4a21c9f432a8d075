/* A leaf of the reduction on the CPU, for those who reduce more than one array. Pure. */
#pragma once

#include "array/reduce/reduce_call.h"
#include "array/reduce/reduce_part.h"

/* Returns what is known of n elements from `first` on, at most GF_REDUCE_LEAF. For argmin and argmax the
 * place is the leaf's first element. */
struct gf_reduce_part gf_reduce_cpu_leaf(const struct gf_reduce_call *call, int64_t first, int64_t n);

/* The place of the least rank within its leaf, once the leaf is known to matter. */
void gf_reduce_cpu_place(const struct gf_reduce_call *call, struct gf_reduce_part *part);
