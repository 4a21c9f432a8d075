/* The tree over the leaves, grown from left to right: complete subtrees of 2^k leaves wait, at most one of
 * each size, until a neighbour of the same size stands beside them. It joins (0, 1), (2, 3), ... of every
 * level, and lets a last one without a partner go up as it is, in memory for one part a level. */
#pragma once

#include "array/reduce/reduce_part.h"

struct gf_reduce_forest {
    struct gf_reduce_part tree[64]; /* [k]: of 2^k leaves, when bit k of `leaves` is set */
    uint64_t leaves;
};

/* `part`: the next leaf, or the next 2^level leaves when the forest holds a multiple of that. */
static inline void gf_reduce_forest_add(struct gf_reduce_forest *forest, gf_reduce_op op,
                                        struct gf_reduce_part part, int level)
{
    uint64_t before = forest->leaves;
    forest->leaves += (uint64_t)1 << level;
    for (; (before >> level & 1) != 0; level++) {
        part = gf_reduce_join(op, forest->tree[level], part);
    }
    forest->tree[level] = part;
}

static inline struct gf_reduce_part gf_reduce_forest_join(const struct gf_reduce_forest *forest,
                                                          gf_reduce_op op)
{
    struct gf_reduce_part all = gf_reduce_empty(op);
    for (int level = 0; level < 64; level++) {
        if ((forest->leaves >> level & 1) != 0) {
            all = gf_reduce_join(op, forest->tree[level], all);
        }
    }
    return all;
}
