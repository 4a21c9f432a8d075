/* What the variants of spmv on CUDA share. */
#ifndef GF_LINEAR_SPMV_CUDA_CUH
#define GF_LINEAR_SPMV_CUDA_CUH

#include "linear/matmul/matmul_cuda.cuh"
#include "linear/spmv/spmv_call.h"

#define GF_SPMV_TYPES (GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_F64))

struct gf_spmv_args {
    int64_t rows, columns, entries;
    const int64_t *offsets;
    const uint32_t *indices;
    const void *values, *x;
    void *y;
};

static inline gf_spmv_args gf_spmv_args_of(const struct gf_array_call *array)
{
    const gf_csr &m = gf_spmv_call_of(array)->matrix;
    gf_spmv_args g = {};
    g.rows = m.rows;
    g.columns = m.columns;
    g.entries = m.entries;
    g.offsets = m.offsets;
    g.indices = m.indices;
    g.values = m.values;
    g.x = array->in;
    g.y = array->out;
    return g;
}

#endif
