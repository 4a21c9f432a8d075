/* A product of a sparse matrix and a vector to compute: what gf_spmv checked and hands to a variant. */
#pragma once

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
GF_ARRAY_CALL_OF(gf_spmv_call)

gf_array_run_fn gf_spmv_sequential, gf_spmv_cpu, gf_spmv_cuda_check, gf_spmv_cuda, gf_spmv_scalar_cuda,
    gf_spmv_vector_cuda;
gf_array_scratch_fn gf_spmv_cpu_scratch, gf_spmv_cuda_scratch;

/* gf_csr_check, as a variant a device. */
gf_array_run_fn gf_csr_check_cpu, gf_csr_check_cuda;

#ifdef __cplusplus
}
#endif
