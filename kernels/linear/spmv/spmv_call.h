/* A product of a sparse matrix and a vector to compute: what gf_spmv checked and hands to a variant. */
#ifndef GF_LINEAR_SPMV_CALL_H
#define GF_LINEAR_SPMV_CALL_H

#include "array/common/variant.h"
#include "gpufilter/spmv.h"
#include "linear/spmv/spmv_fold.h"

#ifdef __cplusplus
extern "C" {
#endif

/* array.n is the number of rows, array.in x, array.out y. */
struct gf_spmv_call {
    struct gf_array_call array;
    gf_csr matrix;
};

/* array.n is the number of rows, array.out `bad`. */
static inline const struct gf_spmv_call *gf_spmv_call_of(const struct gf_array_call *call)
{
    return (const struct gf_spmv_call *)(const void *)call; /* its first member */
}

gf_status gf_spmv_sequential(const struct gf_array_call *call, gf_error *error);
size_t gf_spmv_cpu_scratch(const struct gf_array_call *call);
gf_status gf_spmv_cpu(const struct gf_array_call *call, gf_error *error);
gf_status gf_spmv_cuda_check(const struct gf_array_call *call, gf_error *error);
size_t gf_spmv_cuda_scratch(const struct gf_array_call *call);
gf_status gf_spmv_cuda(const struct gf_array_call *call, gf_error *error);
gf_status gf_spmv_scalar_cuda(const struct gf_array_call *call, gf_error *error);
gf_status gf_spmv_vector_cuda(const struct gf_array_call *call, gf_error *error);

/* gf_csr_check, as a variant a device. */
gf_status gf_csr_check_cpu(const struct gf_array_call *call, gf_error *error);
gf_status gf_csr_check_cuda(const struct gf_array_call *call, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
