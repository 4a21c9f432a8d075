/* The runtime shim: errors, the device, streams and events. */
#include "emu.h"

#include "emu_control.h"

#include <mutex>
#include <time.h>

struct gf_emu_stream {
    unsigned flags;
};
struct gf_emu_event {
    unsigned flags;
    bool recorded;
    timespec time;
};

static std::mutex lock;
static cudaError_t sticky = cudaSuccess;
static long calls, failing_call;
static thread_local cudaError_t last_error = cudaSuccess;

/* ---- Errors ------------------------------------------------------------------------------------ */

static const struct {
    cudaError_t error;
    const char *name, *text;
} ERRORS[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
};

const char *cudaGetErrorString(cudaError_t error)
{
    for (const auto &e : ERRORS) {
        if (e.error == error) {
            return e.text;
        }
    }
    return "unknown error";
}

const char *cudaGetErrorName(cudaError_t error)
{
    for (const auto &e : ERRORS) {
        if (e.error == error) {
            return e.name;
        }
    }
    return "cudaErrorUnknown";
}

cudaError_t gf_emu_leave(cudaError_t result)
{
    if (result != cudaSuccess && result != cudaErrorNotReady) {
        last_error = result;
    }
    return result;
}

cudaError_t gf_emu_enter(cudaError_t if_failed)
{
    std::lock_guard<std::mutex> hold(lock);
    calls++;
    if (sticky != cudaSuccess) {
        return gf_emu_leave(sticky);
    }
    return calls == failing_call ? gf_emu_leave(if_failed) : cudaSuccess;
}

void gf_emu_set_sticky(cudaError_t error)
{
    std::lock_guard<std::mutex> hold(lock);
    sticky = error;
    last_error = cudaSuccess;
}

cudaError_t cudaPeekAtLastError()
{
    std::lock_guard<std::mutex> hold(lock);
    return sticky != cudaSuccess ? sticky : last_error;
}

cudaError_t cudaGetLastError()
{
    const cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

void gf_emu_fail_call(long n)
{
    std::lock_guard<std::mutex> hold(lock);
    calls = 0;
    failing_call = n;
}

long gf_emu_calls()
{
    std::lock_guard<std::mutex> hold(lock);
    return calls;
}

/* ---- Device --------------------------------------------------------------------------------------- */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 0;
    EMU_ENTER(cudaErrorNoDevice);
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    EMU_ENTER(cudaErrorUnknown);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    EMU_ENTER(cudaErrorUnknown);
    return gf_emu_leave(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device)
{
    EMU_ENTER(cudaErrorUnknown);
    if (device != 0) {
        return gf_emu_leave(cudaErrorInvalidDevice);
    }
    *properties = {"emu",
                   GF_EMU_MEMORY,
                   GF_EMU_SHARED_DEFAULT,
                   GF_EMU_SHARED_LIMIT,
                   GF_EMU_SHARED_LIMIT + 1024,
                   32,
                   1024,
                   2048,
                   GF_EMU_SMS,
                   1 << 20,
                   {1024, 1024, 64},
                   {INT32_MAX, 65535, 65535},
                   9,
                   0,
                   1};
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device)
{
    static const struct {
        cudaDeviceAttr attribute;
        int value;
    } values[] = {
        {cudaDevAttrMaxThreadsPerBlock, 1024},
        {cudaDevAttrMaxSharedMemoryPerBlock, static_cast<int>(GF_EMU_SHARED_DEFAULT)},
        {cudaDevAttrWarpSize, 32},
        {cudaDevAttrClockRate, 1000000},
        {cudaDevAttrMultiProcessorCount, GF_EMU_SMS},
        {cudaDevAttrL2CacheSize, 1 << 20},
        {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
        {cudaDevAttrComputeCapabilityMajor, 9},
        {cudaDevAttrComputeCapabilityMinor, 0},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, static_cast<int>(GF_EMU_SHARED_LIMIT) + 1024},
        {cudaDevAttrCooperativeLaunch, 1},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<int>(GF_EMU_SHARED_LIMIT)},
        {cudaDevAttrMemoryPoolsSupported, 1},
    };
    EMU_ENTER(cudaErrorUnknown);
    for (const auto &v : values) {
        if (v.attribute == attribute && device == 0) {
            *value = v.value;
            return cudaSuccess;
        }
    }
    return gf_emu_leave(device == 0 ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceSynchronize()
{
    EMU_ENTER(cudaErrorUnknown);
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    EMU_ENTER(cudaErrorUnknown);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    EMU_ENTER(cudaErrorUnknown);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

/* A block may fill an SM: one resident block an SM, whatever its size. */
cudaError_t gf_emu_occupancy(int *blocks, int threads, size_t shared)
{
    EMU_ENTER(cudaErrorUnknown);
    *blocks = threads >= 1 && threads <= 1024 && shared <= GF_EMU_SHARED_LIMIT;
    return cudaSuccess;
}

cudaError_t gf_emu_set_attribute(cudaFuncAttribute attribute, int value)
{
    EMU_ENTER(cudaErrorUnknown);
    const bool fits = value >= 0 && static_cast<size_t>(value) <= GF_EMU_SHARED_LIMIT;
    return gf_emu_leave(attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || fits
                            ? cudaSuccess
                            : cudaErrorInvalidValue);
}

/* ---- Streams and events
 * ------------------------------------------------------------------------------------ */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    EMU_ENTER(cudaErrorUnknown);
    *stream = new gf_emu_stream{flags};
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    return cudaDeviceSynchronize();
}
cudaError_t cudaStreamQuery(cudaStream_t)
{
    return cudaDeviceSynchronize();
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned)
{
    return cudaDeviceSynchronize();
}

cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void *user)
{
    EMU_ENTER(cudaErrorUnknown);
    function(user);
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    EMU_ENTER(cudaErrorUnknown);
    *event = new gf_emu_event{flags, false, {}};
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t)
{
    EMU_ENTER(cudaErrorUnknown);
    event->recorded = true;
    clock_gettime(CLOCK_MONOTONIC, &event->time);
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    return cudaDeviceSynchronize();
}
cudaError_t cudaEventQuery(cudaEvent_t)
{
    return cudaDeviceSynchronize();
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    EMU_ENTER(cudaErrorUnknown);
    if (!from->recorded || !to->recorded || ((from->flags | to->flags) & cudaEventDisableTiming) != 0) {
        return gf_emu_leave(cudaErrorInvalidResourceHandle);
    }
    const double seconds = static_cast<double>(to->time.tv_sec - from->time.tv_sec);
    const double rest = static_cast<double>(to->time.tv_nsec - from->time.tv_nsec);
    *milliseconds = static_cast<float>(seconds * 1e3 + rest * 1e-6);
    return cudaSuccess;
}
