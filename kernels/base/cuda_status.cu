#include "base/cuda_status.h"

/* Errors after which "the process must be terminated and relaunched" (CUDA Runtime API, cudaError_t). By
 * number, because the emulator has names for a few only: uncorrectable ECC and NVLink, contained; illegal
 * address, launch timeout, assert; hardware stack, illegal instruction, misaligned address, address space,
 * program counter, launch failure; tensor memory leak, MPS client terminated, external device. */
static bool is_sticky(cudaError_t code)
{
    static const int numbers[] = {214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911};
    for (int number : numbers) {
        if (code == number) {
            return true;
        }
    }
    return false;
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
    case cudaErrorInvalidResourceHandle:
    case cudaErrorCooperativeLaunchTooLarge:
        return GF_ERROR_INTERNAL;
    default:
        return GF_ERROR_DEVICE;
    }
}

gf_status gf_cuda_fail(gf_error *error, const char *call, cudaError_t code)
{
    const bool launched = gf_launch_failed.kernel && gf_launch_failed.code == code;
    const char *name = launched ? gf_launch_failed.kernel : call;
    name += *name == '(';
    const char *what = launched || strncmp(name, "gf_", 3) == 0 ? "kernel " : "";
    const int length = static_cast<int>(strcspn(name, "(<,)"));
    const bool lost = is_sticky(code);
    gf_launch_failed = {nullptr, cudaSuccess};
    if (!lost) {
        (void)cudaGetLastError();
    }
    const gf_status status = gf_fail(error, status_of(code), "%s%.*s: %s (CUDA error %d)", what, length, name,
                                     cudaGetErrorString(code), static_cast<int>(code));
    return lost ? GF_STATUS_LOST : status;
}
