/* The part of the CUDA runtime that host code calls, over malloc. Part of emu.h.
 *
 * Devices called "emu", one or what emu_control.h says: 4 SMs, with one resident block each and otherwise the
 * limits of sm_90. Work is done when it is queued, but for copies between a device and pinned memory: those
 * are made as late as their stream permits, so that a missing wait shows. Each allocation stands alone,
 * filled with a pattern, between guards; copies check that the device's side lies in one of the current
 * device to its last byte, and the host's outside of them; a stream and an event must be the current
 * device's. One call, or launch, at a time: thread-safe. Left out, as nothing uses them: graphs, managed and
 * peer memory. */
#ifndef GF_TESTS_EMU_RUNTIME_H
#define GF_TESTS_EMU_RUNTIME_H

#include <stddef.h>

/* clang-format off */
#define GF_EMU_ERRORS(error)                                                                                 \
    error(cudaSuccess, 0, "no error")                                                                        \
    error(cudaErrorInvalidValue, 1, "invalid argument")                                                      \
    error(cudaErrorMemoryAllocation, 2, "out of memory")                                                     \
    error(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                                \
    error(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                          \
    error(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                       \
    error(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                          \
    error(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")   \
    error(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                     \
    error(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                      \
    error(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                             \
    error(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped") \
    error(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region") \
    error(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                    \
    error(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                          \
    error(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                         \
    error(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                  \
    error(cudaErrorUnknown, 999, "unknown error")
#define GF_EMU_ERROR(name, number, text) name = number,
enum cudaError_t : int { GF_EMU_ERRORS(GF_EMU_ERROR) };
#undef GF_EMU_ERROR

static const size_t GF_EMU_SHARED_DEFAULT = 48 * 1024, GF_EMU_SHARED_LIMIT = 227 * 1024;
static const size_t GF_EMU_MEMORY = static_cast<size_t>(4) << 30;
static const int GF_EMU_VERSION = 13000;
int gf_emu_sms();

struct gf_emu_handle {
    int device;
    double milliseconds;   /* of an event: when it was recorded, */
    gf_emu_handle *stream; /* where, */
    unsigned long copies;  /* and behind which copies */
};
typedef gf_emu_handle *cudaStream_t, *cudaEvent_t;
enum { cudaStreamDefault, cudaStreamNonBlocking };
enum { cudaEventDefault, cudaEventBlockingSync };
enum { cudaHostAllocPortable = 1, cudaHostRegisterPortable = 1 };
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice };
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3 };
enum cudaDeviceAttr {
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
struct cudaDeviceProp {
    char name[256];
    int major, minor, multiProcessorCount, l2CacheSize;
};

/* One counted call, which returns `result` unless it is to fail; one that tells something; and so on. */
cudaError_t gf_emu_call(cudaError_t result = cudaSuccess);
template <class T> cudaError_t gf_emu_tell(T *to, const T &value)
{
    const cudaError_t result = gf_emu_call();
    *to = result == cudaSuccess ? value : T();
    return result;
}
enum gf_emu_kind { GF_EMU_DEVICE, GF_EMU_HOST, GF_EMU_HANDLE, GF_EMU_REGISTERED };
cudaError_t gf_emu_make(gf_emu_kind kind, size_t bytes, void *made); /* a pointer in *made */
cudaError_t gf_emu_release(gf_emu_kind kind, void *made);
cudaError_t gf_emu_register(void *memory, size_t bytes);
cudaError_t gf_emu_attributes(cudaPointerAttributes *attributes, const void *p);
struct gf_emu_rows {
    void *to;
    size_t to_pitch;
    const void *from;
    size_t from_pitch, width, height;
    cudaMemcpyKind kind;
};
cudaError_t gf_emu_copy(const gf_emu_rows &rows, cudaStream_t stream, bool waits = false);
cudaError_t gf_emu_set(void *p, int value, size_t bytes, cudaStream_t stream);
/* Makes the copies that a stream still owes: all, or those in front of an event; those of every stream. */
cudaError_t gf_emu_wait(cudaStream_t stream);
cudaError_t gf_emu_wait_event(cudaEvent_t event);
cudaError_t gf_emu_wait_all();
cudaError_t gf_emu_record(cudaEvent_t event, cudaStream_t stream);
int gf_emu_devices();
int gf_emu_device(); /* the calling thread's */
cudaError_t gf_emu_set_device(int device);
size_t gf_emu_room();         /* bytes of device memory left */

const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();
#define GF_EMU_IS(name, parameters, ...) inline cudaError_t name parameters { return __VA_ARGS__; }
GF_EMU_IS(cudaGetDeviceCount, (int *n), gf_emu_tell(n, gf_emu_devices()))
GF_EMU_IS(cudaGetDevice, (int *device), gf_emu_tell(device, gf_emu_device()))
GF_EMU_IS(cudaSetDevice, (int device), gf_emu_set_device(device))
GF_EMU_IS(cudaGetDeviceProperties, (cudaDeviceProp *p, int), gf_emu_tell(p, {"emu", 9, 0, gf_emu_sms(), 1 << 20}))
GF_EMU_IS(cudaDeviceGetAttribute, (int *value, cudaDeviceAttr which, int),
          gf_emu_tell(value, which == cudaDevAttrMultiProcessorCount
                                 ? gf_emu_sms()
                             : which == cudaDevAttrComputeCapabilityMajor ? 9
                             : which == cudaDevAttrComputeCapabilityMinor
                                 ? 0
                                 : int(GF_EMU_SHARED_LIMIT) +
                                       (which == cudaDevAttrMaxSharedMemoryPerMultiprocessor ? 1024 : 0)))
GF_EMU_IS(cudaDriverGetVersion, (int *version), gf_emu_tell(version, GF_EMU_VERSION))
GF_EMU_IS(cudaRuntimeGetVersion, (int *version), gf_emu_tell(version, GF_EMU_VERSION))
GF_EMU_IS(cudaMemGetInfo, (size_t *room, size_t *all), (*all = GF_EMU_MEMORY, gf_emu_tell(room, gf_emu_room())))
GF_EMU_IS(cudaDeviceSynchronize, (), gf_emu_wait_all())
template <class F> /* a block may fill an SM */
GF_EMU_IS(cudaOccupancyMaxActiveBlocksPerMultiprocessor, (int *blocks, F, int threads, size_t shared),
          gf_emu_tell(blocks, int(threads <= 1024 && shared <= GF_EMU_SHARED_LIMIT)))
template <class T> GF_EMU_IS(cudaMalloc, (T **p, size_t n), gf_emu_make(GF_EMU_DEVICE, n, p))
template <class T> GF_EMU_IS(cudaHostAlloc, (T **p, size_t n, unsigned), gf_emu_make(GF_EMU_HOST, n, p))
GF_EMU_IS(cudaHostRegister, (void *p, size_t n, unsigned), gf_emu_register(p, n))
GF_EMU_IS(cudaHostUnregister, (void *p), gf_emu_release(GF_EMU_REGISTERED, p))
GF_EMU_IS(cudaPointerGetAttributes, (cudaPointerAttributes *a, const void *p), gf_emu_attributes(a, p))
GF_EMU_IS(cudaFree, (void *p), gf_emu_release(GF_EMU_DEVICE, p))
GF_EMU_IS(cudaFreeHost, (void *p), gf_emu_release(GF_EMU_HOST, p))
GF_EMU_IS(cudaMemcpy2DAsync, (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t s = nullptr),
          gf_emu_copy({to, to_pitch, from, from_pitch, width, height, kind}, s))
GF_EMU_IS(cudaMemcpyAsync, (void *to, const void *from, size_t n, cudaMemcpyKind kind, cudaStream_t s = nullptr),
          gf_emu_copy({to, n, from, n, n, 1, kind}, s))
GF_EMU_IS(cudaMemcpy, (void *to, const void *from, size_t n, cudaMemcpyKind kind),
          gf_emu_copy({to, n, from, n, n, 1, kind}, nullptr, true))
GF_EMU_IS(cudaMemsetAsync, (void *p, int value, size_t n, cudaStream_t s = nullptr), gf_emu_set(p, value, n, s))
GF_EMU_IS(cudaStreamCreateWithFlags, (cudaStream_t *s, unsigned), gf_emu_make(GF_EMU_HANDLE, sizeof **s, s))
GF_EMU_IS(cudaStreamDestroy, (cudaStream_t s), gf_emu_release(GF_EMU_HANDLE, s))
GF_EMU_IS(cudaStreamSynchronize, (cudaStream_t s), gf_emu_wait(s))
GF_EMU_IS(cudaStreamWaitEvent, (cudaStream_t, cudaEvent_t e, unsigned = 0), gf_emu_wait_event(e))
GF_EMU_IS(cudaEventCreateWithFlags, (cudaEvent_t *e, unsigned), gf_emu_make(GF_EMU_HANDLE, sizeof **e, e))
GF_EMU_IS(cudaEventDestroy, (cudaEvent_t e), gf_emu_release(GF_EMU_HANDLE, e))
GF_EMU_IS(cudaEventRecord, (cudaEvent_t e, cudaStream_t s = nullptr), gf_emu_record(e, s))
GF_EMU_IS(cudaEventSynchronize, (cudaEvent_t e), gf_emu_wait_event(e))
GF_EMU_IS(cudaEventElapsedTime, (float *to, cudaEvent_t from, cudaEvent_t end),
          gf_emu_tell(to, static_cast<float>(end->milliseconds - from->milliseconds)))
#undef GF_EMU_IS
/* clang-format on */

#endif
