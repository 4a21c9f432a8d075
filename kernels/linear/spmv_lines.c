/* One SIMD level: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and the machine options of that
 * level. The levels differ in what a fused multiply-add costs. */
#include "linear/spmv_lines.h"

#include "base/cpu_level.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"

#include <math.h>

enum { TOGETHER = 4 /* rows, whose chains do not wait for each other */ };

/* A chain of 256 at a time, and their sums in order; of rows that have but one chain several together. */
#define ROWS(name, T, add, end)                                                                              \
    static T chain_##name(const gf_csr *m, const T *x, int64_t e, int64_t stop, T sum)                       \
    {                                                                                                        \
        const T *values = m->values;                                                                         \
        for (; e < stop; e++) {                                                                              \
            sum = add(values[e], x[m->indices[e]], sum);                                                     \
        }                                                                                                    \
        return sum;                                                                                          \
    }                                                                                                        \
    static T row_##name(const gf_csr *m, const T *x, int64_t e, int64_t stop)                                \
    {                                                                                                        \
        T all = chain_##name(m, x, e, stop - e < GF_SPMV_CHAIN ? stop : e + GF_SPMV_CHAIN, 0);               \
        while ((e += GF_SPMV_CHAIN) < stop - GF_FAULT(spmv_chain)) {                                         \
            all += chain_##name(m, x, e, stop - e < GF_SPMV_CHAIN ? stop : e + GF_SPMV_CHAIN, 0);            \
        }                                                                                                    \
        return all;                                                                                          \
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
    static void rows_##name(const struct gf_spmv_call *call, int64_t row, int64_t last)                      \
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
            } else {                                                                                         \
                y[row++] = end(row_##name(m, x, offsets[0], offsets[1]));                                    \
            }                                                                                                \
        }                                                                                                    \
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

const struct gf_spmv_lines GF_LEVEL_NAME(gf_spmv_lines) = {rows_f32, rows_f64};
