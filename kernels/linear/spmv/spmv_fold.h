/* How the chains of a row of a sparse matrix become its sum, part of the results: 256 at a time are added in
 * order, the first as it is; then 256 of those sums at a time, until there is one. */
#pragma once

#include <stdint.h>

enum {
    GF_SPMV_CHAIN = 256,                            /* entries of a row whose products are one chain */
    GF_SPMV_FOLDED = 256,                           /* sums that are added in order */
    GF_SPMV_GROUP = GF_SPMV_CHAIN * GF_SPMV_FOLDED, /* entries of the chains that are added first */
    GF_SPMV_LEVELS = 6                              /* of 2^48 entries */
};

/* Takes sums one by one. Zeroed: none yet. */
#define GF_SPMV_FOLD(name, T)                                                                                \
    struct gf_spmv_fold_##name {                                                                             \
        T sum[GF_SPMV_LEVELS];                                                                               \
        int32_t count[GF_SPMV_LEVELS];                                                                       \
    };                                                                                                       \
    static inline void gf_spmv_fold_add_##name(struct gf_spmv_fold_##name *f, T sum)                         \
    {                                                                                                        \
        for (int32_t level = 0; level < GF_SPMV_LEVELS; level++) {                                           \
            f->sum[level] = f->count[level] ? f->sum[level] + sum : sum;                                     \
            if (++f->count[level] < GF_SPMV_FOLDED) {                                                        \
                return;                                                                                      \
            }                                                                                                \
            sum = f->sum[level];                                                                             \
            f->count[level] = 0;                                                                             \
        }                                                                                                    \
    }                                                                                                        \
    /* The sum of all; 0 where there was none. */                                                            \
    static inline T gf_spmv_fold_end_##name(const struct gf_spmv_fold_##name *f)                             \
    {                                                                                                        \
        T sum = 0;                                                                                           \
        int32_t any = 0;                                                                                     \
        for (int32_t level = 0; level < GF_SPMV_LEVELS; level++) {                                           \
            if (f->count[level]) {                                                                           \
                sum = any ? f->sum[level] + sum : f->sum[level];                                             \
                any = 1;                                                                                     \
            }                                                                                                \
        }                                                                                                    \
        return sum;                                                                                          \
    }

GF_SPMV_FOLD(f32, float)
GF_SPMV_FOLD(f64, double)
