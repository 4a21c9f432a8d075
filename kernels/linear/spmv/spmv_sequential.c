/* The definition of the product of a sparse matrix and a vector. */
#include "base/float_mode.h"
#include "base/gf_num.h"
#include "linear/spmv/spmv_call.h"

#include <math.h>

/* Sum of the row's entries: `sum` of the chain that grows. */
#define PRODUCT(name, T, add, end)                                                                           \
    static void product_##name(const gf_csr *m, const T *values, const T *x, T *y)                           \
    {                                                                                                        \
        for (int64_t i = 0; i < m->rows; i++) {                                                              \
            const int64_t first = m->offsets[i];                                                             \
            T sum = 0;                                                                                       \
            struct gf_spmv_fold_##name fold = {{0}, {0}};                                                    \
            for (int64_t e = first; e < m->offsets[i + 1]; e++) {                                            \
                if (e > first && (e - first) % GF_SPMV_CHAIN == 0) {                                         \
                    gf_spmv_fold_add_##name(&fold, sum);                                                     \
                    sum = 0;                                                                                 \
                }                                                                                            \
                sum = add(values[e], x[m->indices[e]], sum);                                                 \
            }                                                                                                \
            gf_spmv_fold_add_##name(&fold, sum);                                                             \
            y[i] = end(gf_spmv_fold_end_##name(&fold));                                                      \
        }                                                                                                    \
    }

PRODUCT(f32, float, gf_fma, gf_canonical)
PRODUCT(f64, double, fma, gf_canonical_double)

gf_status gf_spmv_sequential(const struct gf_array_call *array, gf_error *error)
{
    const gf_csr *m = &gf_spmv_call_of(array)->matrix;
    gf_float_mode saved;
    (void)error;
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    if (array->options.type == GF_F32) {
        product_f32(m, m->values, array->in, array->out);
    } else {
        product_f64(m, m->values, array->in, array->out);
    }
    gf_float_mode_restore(&saved);
    return GF_OK;
}
