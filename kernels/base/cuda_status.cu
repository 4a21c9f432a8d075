#include "base/cuda_status.h"

/* The kernel's name inside "GF_LAUNCH(name, ...": up to the comma outside brackets. */
static int kernel_name_length(const char *text)
{
    int depth = 0, n = 0;
    for (; text[n] != '\0' && !(depth == 0 && (text[n] == ',' || text[n] == ')')); n++) {
        depth += text[n] == '(' || text[n] == '<';
        depth -= text[n] == ')' || text[n] == '>';
    }
    return n;
}

static gf_status status_of(cudaError_t code)
{
    switch (code) {
    case cudaErrorMemoryAllocation:
        return GF_ERROR_MEMORY;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorInvalidResourceHandle:
    case cudaErrorCooperativeLaunchTooLarge:
        return GF_ERROR_INTERNAL;
    default:
        return GF_ERROR_DEVICE;
    }
}

gf_status gf_cuda_fail(gf_error *error, const char *call, cudaError_t code)
{
    static const char launch[] = "GF_LAUNCH(";
    const char *name = call, *what = "";
    int length = static_cast<int>(strcspn(call, "("));
    if (strncmp(call, launch, sizeof launch - 1) == 0) {
        what = "kernel ";
        name = call + sizeof launch - 1;
        length = kernel_name_length(name);
    }
    (void)cudaGetLastError();
    return gf_fail(error, status_of(code), "%s%.*s: %s", what, length, name, cudaGetErrorString(code));
}
