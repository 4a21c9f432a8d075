/* Turns cudaError_t into gf_status. For .cu files; include after gf_cuda.h. */
#pragma once

#include "base/gf_cuda.h"
#include "base/status.h"

/* Fills *error (may be NULL) with "NAME: what CUDA says (CUDA error N)" and returns
 *   GF_ERROR_MEMORY   for exhausted device or pinned memory,
 *   GF_ERROR_INTERNAL for arguments CUDA refuses: the caller here is at fault,
 *   GF_STATUS_LOST    for the errors that stick to the device for as long as the process lives,
 *   GF_ERROR_DEVICE   for the rest: no device or driver, or a call refused.
 * call is the source text of the failed call; NAME is "kernel" and the kernel of this thread's launch that
 * failed with that code, or else the call's function, after "kernel" where it is one of ours, gf_..., that
 * launches. Clears CUDA's last error, unless it sticks: then CUDA is not called again. Thread-safe. */
gf_status gf_cuda_fail(gf_error *error, const char *call, cudaError_t code);

/* Drops the result of a call whose failure changes nothing; CUDA's last error does not stay either. */
static inline void gf_cuda_ignore(cudaError_t code)
{
    if (code != cudaSuccess) {
        (void)cudaGetLastError();
    }
}

/* Returns from the enclosing function, which returns gf_status, when a CUDA call failed. */
#define GF_CUDA_TRY(error, ...)                                                                              \
    do {                                                                                                     \
        cudaError_t gf_cuda_try_code = (__VA_ARGS__);                                                        \
        if (gf_cuda_try_code != cudaSuccess) {                                                               \
            return gf_cuda_fail((error), #__VA_ARGS__, gf_cuda_try_code);                                    \
        }                                                                                                    \
    } while (0)
