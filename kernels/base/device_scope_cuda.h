/* Makes a CUDA device current for the length of a C++ scope, and puts the caller's back. */
#pragma once

#include "base/cuda_status.h"

struct gf_device_scope {
    int before;
    cudaError_t status;
    explicit gf_device_scope(gf_device device) : before(-1), status(cudaGetDevice(&before))
    {
        if (status == cudaSuccess && before != device) {
            status = cudaSetDevice(device);
        } else {
            before = -1;
        }
    }
    ~gf_device_scope()
    {
        if (before >= 0) {
            (void)cudaSetDevice(
                before); /* was current a moment ago: cannot fail in a way that helps anyone */
        }
    }
    gf_device_scope(const gf_device_scope &) = delete;
    gf_device_scope &operator=(const gf_device_scope &) = delete;
};

#define GF_ON_DEVICE(device, error)                                                                          \
    gf_device_scope scope(device);                                                                           \
    if (scope.status != cudaSuccess) {                                                                       \
        return gf_cuda_fail((error), "cudaSetDevice", scope.status);                                         \
    }
