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

/* struct gf_spmv_fold_f32 and _f64 for one thread that has few chains in most rows: what is above the first
 * level seldom matters, and lies in local memory. */
template <class T> struct gf_spmv_fold {
    T sum[GF_SPMV_LEVELS];
    int32_t count[GF_SPMV_LEVELS];

    __device__ __forceinline__ gf_spmv_fold()
    {
        for (int32_t level = 0; level < GF_SPMV_LEVELS; level++) {
            count[level] = 0;
        }
    }
    __device__ __forceinline__ void add(T value)
    {
        for (int32_t level = 0; level < GF_SPMV_LEVELS; level++) {
            sum[level] = count[level] > 0 ? sum[level] + value : value;
            if (++count[level] < GF_SPMV_FOLDED) {
                return;
            }
            value = sum[level];
            count[level] = 0;
        }
    }
    __device__ __forceinline__ T end() const
    {
        T all = 0;
        bool any = false;
        for (int32_t level = 0; level < GF_SPMV_LEVELS; level++) {
            if (count[level] > 0) {
                all = any ? sum[level] + all : sum[level];
                any = true;
            }
        }
        return all;
    }
};

#endif
