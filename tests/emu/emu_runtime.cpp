/* The runtime shim: errors, the device, streams and events. */
#include "emu.h"

#include "emu_control.h"

#include <mutex>
#include <stdio.h>
#include <stdlib.h>
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
static long calls, failing_call, handles; /* handles: streams and events alive */
static cudaError_t failing_error;
static bool failing_on;
static bool lost; /* every call fails, with lost_error unless that is cudaSuccess */
static cudaError_t lost_error;
static thread_local cudaError_t last_error = cudaSuccess;
static thread_local int inside; /* the shim */

emu_inside::emu_inside()
{
    inside++;
}
emu_inside::~emu_inside()
{
    inside--;
}
bool gf_emu_allocating(void)
{
    return inside > 0;
}

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

/* Errors after which a CUDA context is of no use any more. */
static bool is_sticky(cudaError_t error)
{
    return error == cudaErrorECCUncorrectable || error == cudaErrorIllegalAddress ||
           error == cudaErrorLaunchTimeout || error == cudaErrorAssert ||
           (error >= cudaErrorHardwareStackError && error <= cudaErrorLaunchFailure);
}

cudaError_t gf_emu_enter(cudaError_t if_failed)
{
    std::lock_guard<std::mutex> hold(lock);
    calls++;
    if (!lost && calls != failing_call) {
        return cudaSuccess;
    }
    const cudaError_t wanted = lost ? lost_error : failing_error;
    const cudaError_t error = wanted != cudaSuccess ? wanted : if_failed;
    if (!lost && (failing_on || is_sticky(error))) {
        lost = true;
        lost_error = wanted;
    }
    return gf_emu_leave(error);
}

cudaError_t gf_emu_released()
{
    std::lock_guard<std::mutex> hold(lock);
    return !lost ? cudaSuccess : gf_emu_leave(lost_error != cudaSuccess ? lost_error : cudaErrorUnknown);
}

void gf_emu_set_sticky(cudaError_t error)
{
    std::lock_guard<std::mutex> hold(lock);
    lost = error != cudaSuccess;
    lost_error = error;
    last_error = cudaSuccess;
}

cudaError_t cudaPeekAtLastError()
{
    std::lock_guard<std::mutex> hold(lock);
    return lost && lost_error != cudaSuccess ? lost_error : last_error;
}

cudaError_t cudaGetLastError()
{
    const cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

void gf_emu_fail_call(long n, int error, bool from_then_on)
{
    std::lock_guard<std::mutex> hold(lock);
    calls = 0;
    failing_call = n;
    failing_error = static_cast<cudaError_t>(error);
    failing_on = from_then_on;
}

static const bool fail_from_environment = [] {
    const char *text = getenv("GF_EMU_FAIL");
    long n = 0;
    int error = 0;
    char on[3] = "";
    if (text != nullptr && sscanf(text, "%ld:%d:%2s", &n, &error, on) >= 1) {
        gf_emu_fail_call(n, error, strcmp(on, "on") == 0);
    }
    return n > 0;
}();

long gf_emu_calls(void)
{
    std::lock_guard<std::mutex> hold(lock);
    return calls;
}

/* Counts a stream or event that is made or destroyed. */
static void count_handle(long change)
{
    std::lock_guard<std::mutex> hold(lock);
    handles += change;
}

uint64_t gf_emu_handles()
{
    std::lock_guard<std::mutex> hold(lock);
    return static_cast<uint64_t>(handles);
}

/* ---- Device --------------------------------------------------------------------------------------- */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 0;
    EMU_ENTER(cudaErrorUnknown);
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
    count_handle(1);
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    const emu_inside in;
    count_handle(stream != nullptr ? -1 : 0);
    delete stream;
    return gf_emu_released();
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
    count_handle(1);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    const emu_inside in;
    count_handle(event != nullptr ? -1 : 0);
    delete event;
    return gf_emu_released();
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
