/* One SIMD level: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and the machine options of that
 * level. The levels differ in what a fused multiply-add costs. */
#include "linear/spmv/spmv_lines.h"

#include "base/cpu_level.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"

#include <math.h>

enum { TOGETHER = 4 /* rows, whose chains do not wait for each other */ };

/* A chain of 256 at a time, and their sums folded; several rows that have but one chain together. */
#define ROWS(name, T, add, end)                                                                              \
    static T chain_##name(const gf_csr *m, const T *x, int64_t e, int64_t stop, T sum)                       \
    {                                                                                                        \
        const T *values = m->values;                                                                         \
        for (; e < stop; e++) {                                                                              \
            sum = add(values[e], x[m->indices[e]], sum);                                                     \
        }                                                                                                    \
        return sum;                                                                                          \
    }                                                                                                        \
    /* Chains one behind the other, four at a time, which do not wait for each other: their sums in order.   \
     */                                                                                                      \
    static T group_##name(const gf_csr *m, const T *x, int64_t e, int64_t stop)                              \
    {                                                                                                        \
        struct gf_spmv_fold_##name fold = {{0}, {0}};                                                        \
        const T *values = m->values;                                                                         \
        const uint32_t *indices = m->indices;                                                                \
        for (; stop - e >= TOGETHER * GF_SPMV_CHAIN; e += TOGETHER * GF_SPMV_CHAIN) {                        \
            T sum[TOGETHER] = {0};                                                                           \
            for (int64_t t = e; t < e + GF_SPMV_CHAIN; t++) {                                                \
                for (int r = 0; r < TOGETHER; r++) {                                                         \
                    const int64_t at = t + r * GF_SPMV_CHAIN;                                                \
                    sum[r] = add(values[at], x[indices[at]], sum[r]);                                        \
                }                                                                                            \
            }                                                                                                \
            for (int r = 0; r < TOGETHER; r++) {                                                             \
                gf_spmv_fold_add_##name(&fold, sum[r]);                                                      \
            }                                                                                                \
        }                                                                                                    \
        for (; e < stop - GF_FAULT(spmv_chain); e += GF_SPMV_CHAIN) {                                        \
            const int64_t end_of_chain = stop - e < GF_SPMV_CHAIN ? stop : e + GF_SPMV_CHAIN;                \
            gf_spmv_fold_add_##name(&fold, chain_##name(m, x, e, end_of_chain, 0));                          \
        }                                                                                                    \
        return gf_spmv_fold_end_##name(&fold);                                                               \
    }                                                                                                        \
    static void together_##name(const gf_csr *m, const T *x, const int64_t *offsets, int64_t some, T *y)     \
    {                                                                                                        \
        const T *values = m->values;                                                                         \
        const uint32_t *indices = m->indices;                                                                \
        T sum[TOGETHER] = {0};                                                                               \
        for (int64_t t = 0; t < some; t++) {                                                                 \
            for (int r = 0; r < TOGETHER; r++) {                                                             \
                const int64_t e = offsets[r] + t;                                                            \
                sum[r] = add(values[e], x[indices[e]], sum[r]);                                              \
            }                                                                                                \
        }                                                                                                    \
        for (int r = 0; r < TOGETHER; r++) {                                                                 \
            y[r] = end(chain_##name(m, x, offsets[r] + some, offsets[r + 1], sum[r]));                       \
        }                                                                                                    \
    }                                                                                                        \
    static void rows_##name(const struct gf_spmv_call *call, int64_t row, int64_t last, int64_t longest)     \
    {                                                                                                        \
        const gf_csr *m = &call->matrix;                                                                     \
        const T *x = call->array.in;                                                                         \
        T *y = call->array.out;                                                                              \
        while (row < last) {                                                                                 \
            const int64_t *offsets = m->offsets + row;                                                       \
            const int64_t some = last - row < TOGETHER ? -1 : least_of(offsets);                             \
            if (some >= 0) {                                                                                 \
                together_##name(m, x, offsets, some, y + row);                                               \
                row += TOGETHER;                                                                             \
            } else if (offsets[1] - offsets[0] > longest) {                                                  \
                row++;                                                                                       \
            } else {                                                                                         \
                y[row++] = end(group_##name(m, x, offsets[0], offsets[1]));                                  \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static double part_##name(const struct gf_spmv_call *call, int64_t e, int64_t stop)                      \
    {                                                                                                        \
        return group_##name(&call->matrix, call->array.in, e, stop);                                         \
    }

/* The entries that each of the next rows has at least; -1 where one has more than a chain. */
static int64_t least_of(const int64_t *offsets)
{
    int64_t least = GF_SPMV_CHAIN;
    for (int r = 0; r < TOGETHER; r++) {
        const int64_t count = offsets[r + 1] - offsets[r];
        least = count > GF_SPMV_CHAIN || least < 0 ? -1 : count < least ? count : least;
    }
    return least;
}

ROWS(f32, float, gf_fma, gf_canonical)
ROWS(f64, double, fma, gf_canonical_double)

const struct gf_spmv_lines GF_LEVEL_NAME(gf_spmv_lines) = {rows_f32, rows_f64, part_f32, part_f64};
