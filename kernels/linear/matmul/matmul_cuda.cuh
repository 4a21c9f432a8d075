/* What the CUDA variants of matmul share: the call as kernels see it, and arithmetic by the type of elements.
 */
#ifndef GF_LINEAR_MATMUL_CUDA_CUH
#define GF_LINEAR_MATMUL_CUDA_CUH

#include "array/common/dispatch_cuda.cuh"
#include "array/common/grid_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "linear/matmul/matmul_call.h"

#define GF_MATMUL_TYPES (GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_F64) | GF_TYPE_BIT(GF_U8))

struct gf_matmul_args {
    const void *a, *b;
    void *c;
    int64_t m, k, n;
    int64_t a_row, a_column, b_row, b_column, ldc; /* elements, as in gf_matrix */
    int32_t signed_a, signed_b;
    int64_t batch, step_a, step_b, step_c; /* products, and from a matrix to the next */
};

static inline gf_matmul_args gf_matmul_args_of(const struct gf_matmul_call *call)
{
    gf_matmul_args g = {};
    g.a = call->a.data;
    g.b = call->b.data;
    g.c = call->array.out;
    g.m = call->m;
    g.k = call->k;
    g.n = call->n;
    g.a_row = call->a.row;
    g.a_column = call->a.column;
    g.b_row = call->b.row;
    g.b_column = call->b.column;
    g.ldc = call->ldc;
    g.signed_a = call->signed_a;
    g.signed_b = call->signed_b;
    g.batch = call->batch;
    g.step_a = call->step_a;
    g.step_b = call->step_b;
    g.step_c = call->step_c;
    return g;
}

/* Elements T: what they are in shared memory and registers, and what their sums are. */
template <class T> struct gf_matmul_element {
    using wide = T;
    using sum = T;
    GF_DEVICE_FN wide widen(T v, int32_t) { return v; }
};
template <> struct gf_matmul_element<uint8_t> {
    using wide = int32_t;
    using sum = uint32_t; /* which wraps */
    GF_DEVICE_FN wide widen(uint8_t v, int32_t is_signed) { return is_signed ? static_cast<int8_t>(v) : v; }
};

GF_DEVICE_FN float gf_matmul_add(float x, float y, float sum)
{
    return gf_fma(x, y, sum);
}
GF_DEVICE_FN double gf_matmul_add(double x, double y, double sum)
{
#ifdef __CUDA_ARCH__
    return __fma_rn(x, y, sum);
#else
    return __builtin_fma(x, y, sum);
#endif
}
GF_DEVICE_FN uint32_t gf_matmul_add(int32_t x, int32_t y, uint32_t sum)
{
    return sum + static_cast<uint32_t>(x * y);
}

GF_DEVICE_FN float gf_matmul_finish(float sum)
{
    return gf_canonical(sum);
}
GF_DEVICE_FN double gf_matmul_finish(double sum)
{
    return gf_canonical_double(sum);
}
GF_DEVICE_FN uint32_t gf_matmul_finish(uint32_t sum)
{
    return sum;
}

#endif
