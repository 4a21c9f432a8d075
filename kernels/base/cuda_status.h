/* From cudaError_t to gf_status. For .cu files; include after gf_cuda.h. */
#ifndef GF_BASE_CUDA_STATUS_H
#define GF_BASE_CUDA_STATUS_H

#include "base/gf_cuda.h"
#include "base/status.h"

/* Fills *error (may be NULL) with "NAME: cudaGetErrorString" and returns
 *   GF_ERROR_MEMORY   for exhausted device or pinned memory,
 *   GF_ERROR_INTERNAL for arguments CUDA refuses: the caller here is at fault,
 *   GF_ERROR_DEVICE   for the rest: no device or driver, and the errors that stick to a context.
 * call is the source text of the failed call; NAME is its function, or the kernel of a
 * GF_LAUNCH. Clears CUDA's last error where CUDA lets it. Thread-safe. */
gf_status gf_cuda_fail(gf_error *error, const char *call, cudaError_t code);

/* Returns from the enclosing function, which returns gf_status, when a CUDA call failed. */
#define GF_CUDA_TRY(error, ...)                                                                              \
    do {                                                                                                     \
        cudaError_t gf_cuda_try_code = (__VA_ARGS__);                                                        \
        if (gf_cuda_try_code != cudaSuccess) {                                                               \
            return gf_cuda_fail((error), #__VA_ARGS__, gf_cuda_try_code);                                    \
        }                                                                                                    \
    } while (0)

#endif
