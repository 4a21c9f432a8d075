/* The definition of the product of matrices. */
#include "base/float_mode.h"
#include "base/gf_num.h"
#include "linear/matmul/matmul_slices_cpu.h"

#include <math.h>

/* c[i][j] is one chain, in the order of l. */
#define PRODUCT(name, T, R, start, step, end)                                                                \
    static void product_##name(const struct gf_matmul_call *call)                                            \
    {                                                                                                        \
        const T *a = call->a.data, *b = call->b.data;                                                        \
        R *c = call->array.out;                                                                              \
        for (int64_t i = 0; i < call->m; i++) {                                                              \
            for (int64_t j = 0; j < call->n; j++) {                                                          \
                R sum = start;                                                                               \
                for (int64_t l = 0; l < call->k; l++) {                                                      \
                    T x = a[i * call->a.row + l * call->a.column];                                           \
                    T y = b[l * call->b.row + j * call->b.column];                                           \
                    sum = step;                                                                              \
                }                                                                                            \
                c[i * call->ldc + j] = end(sum);                                                             \
            }                                                                                                \
        }                                                                                                    \
    }

PRODUCT(f32, float, float, 0.0F, gf_fma(x, y, sum), gf_canonical)
PRODUCT(f64, double, double, 0.0, fma(x, y, sum), gf_canonical_double)
PRODUCT(u8, uint8_t, uint32_t, 0,
        sum + (uint32_t)(gf_matmul_byte(x, call->signed_a) * gf_matmul_byte(y, call->signed_b)), )

size_t gf_matmul_sequential_scratch(const struct gf_array_call *array)
{
    const struct gf_matmul_call *call = gf_matmul_call_of(array);
    return call->slices > 0 ? gf_matmul_slices_sequential_scratch(call) : 0;
}

gf_status gf_matmul_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_matmul_call *call = gf_matmul_call_of(array);
    gf_float_mode saved;
    (void)error;
    if (call->slices > 0) {
        gf_matmul_slices_sequential(call);
        return GF_OK;
    }
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    for (int64_t i = 0; i < call->batch && array->n > 0; i++) {
        const struct gf_matmul_call one = gf_matmul_product(call, i);
        switch (array->options.type) {
        case GF_F32:
            product_f32(&one);
            break;
        case GF_F64:
            product_f64(&one);
            break;
        default:
            product_u8(&one);
            break;
        }
    }
    gf_float_mode_restore(&saved);
    return GF_OK;
}

gf_depth gf_matmul_result(gf_depth type)
{
    return type == GF_U8 ? GF_S32 : type;
}
