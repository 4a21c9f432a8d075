/* How a grid lies over an array. */
#ifndef GF_ARRAY_GRID_CUDA_CUH
#define GF_ARRAY_GRID_CUDA_CUH

#include "base/cuda_status.h"
#include "base/gf_cuda.h"
#include "base/gf_num.h"

/* Multiprocessors of the current device. */
static inline gf_status gf_multiprocessors(int *count, gf_error *error)
{
    int device = 0;
    GF_CUDA_TRY(error, cudaGetDevice(&device));
    GF_CUDA_TRY(error, cudaDeviceGetAttribute(count, cudaDevAttrMultiProcessorCount, device));
    return GF_OK;
}

/* How many of an array's n elements of `size` bytes lie in front of its first vector, which begins at a
 * multiple of 16 bytes. */
GF_HD int64_t gf_head_of(const void *array, int64_t n, int64_t size)
{
    const int64_t aside = static_cast<int64_t>(-reinterpret_cast<uintptr_t>(array) % 16) / size;
    return aside < n ? aside : n;
}

/* i / n, which is quick where 32 bits suffice. */
GF_DEVICE_FN int64_t gf_divide_quick(int64_t i, int64_t n)
{
    return i <= UINT32_MAX && n <= UINT32_MAX ? static_cast<uint32_t>(i) / static_cast<uint32_t>(n) : i / n;
}

/* This thread's number among all of a grid that is a line. */
GF_DEVICE_FN int64_t gf_thread_index()
{
    return int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
}

#endif
