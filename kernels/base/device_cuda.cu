/* Memory, streams, copies and time marks of CUDA devices: gf_backend_cuda of device.h.
 *
 * Every call's own result is checked; nothing relies on CUDA's "last error". The device that
 * is current in the calling thread is the caller's: each entry puts it back. What releases does
 * so on a lost device too, where the host's side of a stream or an event is still there. */
#include "base/device.h"

#include "base/device_scope_cuda.h"
#include "base/listed_gpus.h"

#include <stdio.h>

/* The emulated device has a name of its own, so that nobody takes it for a GPU. */
#ifdef GF_EMU
static int32_t list_emulated(char names[][128], int32_t capacity)
{
    const int32_t n = gf_emu_devices() < capacity ? gf_emu_devices() : capacity;
    for (int32_t i = 0; i < n; i++) {
        strcpy(names[i], "emu");
    }
    return n;
}
#define GF_CUDA_NAME     "emu"
#define GF_CUDA_EMULATED true
#define GF_CUDA_LIST     list_emulated
#else
#define GF_CUDA_NAME     "cuda"
#define GF_CUDA_EMULATED false
#define GF_CUDA_LIST     gf_listed_gpus
#endif

static gf_status count(int32_t *devices, gf_error *error)
{
    int n = 0;
    cudaError_t code = cudaGetDeviceCount(&n);
    *devices = 0;
    if (code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver) {
        (void)cudaGetLastError();
        return GF_OK;
    }
    if (code != cudaSuccess) {
        return gf_cuda_fail(error, "cudaGetDeviceCount", code);
    }
    *devices = n;
    return GF_OK;
}

/* Releasing nothing is the least work that makes a context. */
static gf_status start(gf_device device, gf_error *error)
{
    int32_t devices = 0;
    GF_TRY(count(&devices, error));
    if (device >= devices) {
        return gf_fail(error, GF_ERROR_DEVICE, "there is no device " GF_CUDA_NAME ":%d: %d found", device,
                       devices);
    }
    GF_ON_DEVICE(device, error)
    GF_CUDA_TRY(error, cudaFree(nullptr));
    return GF_OK;
}

static gf_status info(int32_t ordinal, struct gf_device_info *info, gf_error *error)
{
    cudaDeviceProp properties;
    size_t memory_free = 0, memory = 0;
    GF_ON_DEVICE(ordinal, error)
    GF_CUDA_TRY(error, cudaGetDeviceProperties(&properties, ordinal));
    GF_CUDA_TRY(error, cudaMemGetInfo(&memory_free, &memory));
    *info = gf_device_info();
    memcpy(info->name, properties.name, sizeof info->name - 1); /* zeroed above: terminated */
    info->compute_major = properties.major;
    info->compute_minor = properties.minor;
    info->multiprocessors = properties.multiProcessorCount;
    info->memory = memory;
    info->memory_free = memory_free;
    info->l2 = static_cast<uint64_t>(properties.l2CacheSize);
    GF_CUDA_TRY(error, cudaDriverGetVersion(&info->driver));
    GF_CUDA_TRY(error, cudaRuntimeGetVersion(&info->runtime));
    return GF_OK;
}

static gf_status allocate(gf_device device, size_t bytes, void **memory, gf_error *error)
{
    char call[64];
    GF_ON_DEVICE(device, error)
    const cudaError_t code = cudaMalloc(memory, bytes);
    if (code != cudaSuccess) {
        snprintf(call, sizeof call, "cudaMalloc of %zu bytes", bytes);
        return gf_cuda_fail(error, call, code);
    }
    return GF_OK;
}

static void release(gf_device device, void *memory)
{
    if (memory) {
        gf_device_scope scope(device);
        gf_cuda_ignore(cudaFree(memory)); /* an error of earlier work: wait() has reported it */
    }
}

/* ---- Memory of the host that devices reach by themselves ---- */

static gf_status pinned_allocate(gf_device device, size_t bytes, void **memory, gf_error *error)
{
    char call[64];
    GF_ON_DEVICE(device, error)
    const cudaError_t code = cudaHostAlloc(memory, bytes, cudaHostAllocPortable);
    if (code != cudaSuccess) {
        snprintf(call, sizeof call, "cudaHostAlloc of %zu bytes", bytes);
        return gf_cuda_fail(error, call, code);
    }
    return GF_OK;
}

static void pinned_release(gf_device device, void *memory)
{
    if (memory) {
        gf_device_scope scope(device);
        gf_cuda_ignore(cudaFreeHost(memory));
    }
}

/* What is pinned already, or lies where nothing can be, is the caller's mistake, not the device's. */
static gf_status pin(gf_device device, void *memory, size_t bytes, gf_error *error)
{
    GF_ON_DEVICE(device, error)
    const cudaError_t code = cudaHostRegister(memory, bytes, cudaHostRegisterPortable);
    if (code == cudaErrorHostMemoryAlreadyRegistered || code == cudaErrorInvalidValue) {
        gf_cuda_ignore(code);
        return gf_fail(error, GF_ERROR_ARGUMENT, "%zu bytes at %p cannot be pinned: %s", bytes, memory,
                       code == cudaErrorInvalidValue ? "must be pageable memory of the host"
                                                     : "some of it is pinned already");
    }
    return code == cudaSuccess ? GF_OK : gf_cuda_fail(error, "cudaHostRegister", code);
}

/* Unpins also where the device cannot be made current: memory is to be nobody's when it is freed. */
static gf_status unpin(gf_device device, void *memory, gf_error *error)
{
    gf_device_scope scope(device);
    const cudaError_t code = cudaHostUnregister(memory);
    if (code == cudaErrorHostMemoryNotRegistered || code == cudaErrorInvalidValue) {
        gf_cuda_ignore(code);
        return gf_fail(error, GF_ERROR_ARGUMENT, "memory at %p was not pinned by gf_memory_pin", memory);
    }
    return code == cudaSuccess ? GF_OK : gf_cuda_fail(error, "cudaHostUnregister", code);
}

/* Memory of one kind lies in one piece, so its two ends tell. */
static gf_status is_pinned(gf_device device, const void *memory, size_t bytes, bool *is, gf_error *error)
{
    const char *ends[2] = {static_cast<const char *>(memory), static_cast<const char *>(memory) + bytes - 1};
    GF_ON_DEVICE(device, error)
    *is = true;
    for (int i = 0; i < 2 && *is; i++) {
        cudaPointerAttributes attributes;
        GF_CUDA_TRY(error, cudaPointerGetAttributes(&attributes, ends[i]));
        *is = attributes.type == cudaMemoryTypeHost;
    }
    return GF_OK;
}

/* ---- Order of work ---- */

static gf_status stream_create(gf_device device, void **stream, gf_error *error)
{
    cudaStream_t made = nullptr;
    GF_ON_DEVICE(device, error)
    GF_CUDA_TRY(error, cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
    *stream = made;
    return GF_OK;
}

static void stream_destroy(gf_device device, void *stream)
{
    if (stream) {
        gf_device_scope scope(device);
        gf_cuda_ignore(cudaStreamDestroy(static_cast<cudaStream_t>(stream)));
    }
}

static gf_status copy(gf_queue queue, enum gf_copy_kind kind, void *to, int64_t to_pitch, const void *from,
                      int64_t from_pitch, size_t row_bytes, int64_t rows, gf_error *error)
{
    const cudaMemcpyKind direction = kind == GF_COPY_UPLOAD     ? cudaMemcpyHostToDevice
                                     : kind == GF_COPY_DOWNLOAD ? cudaMemcpyDeviceToHost
                                                                : cudaMemcpyDeviceToDevice;
    cudaStream_t stream = static_cast<cudaStream_t>(queue.stream);
    const int64_t packed = static_cast<int64_t>(row_bytes);
    GF_ON_DEVICE(queue.device, error)
    if (row_bytes == 0 || rows <= 0) {
        return GF_OK;
    }
    /* Rows without gaps are one copy: faster, and free of CUDA's limit on pitches. */
    if (rows == 1 || (to_pitch == packed && from_pitch == packed)) {
        GF_CUDA_TRY(error,
                    cudaMemcpyAsync(to, from, row_bytes * static_cast<size_t>(rows), direction, stream));
        return GF_OK;
    }
    GF_CUDA_TRY(error,
                cudaMemcpy2DAsync(to, static_cast<size_t>(to_pitch), from, static_cast<size_t>(from_pitch),
                                  row_bytes, static_cast<size_t>(rows), direction, stream));
    return GF_OK;
}

static gf_status wait(gf_queue queue, gf_error *error)
{
    GF_ON_DEVICE(queue.device, error)
    GF_CUDA_TRY(error, cudaStreamSynchronize(static_cast<cudaStream_t>(queue.stream)));
    return GF_OK;
}

static gf_status mark_create(gf_device device, bool sleeps, void **mark, gf_error *error)
{
    cudaEvent_t made = nullptr;
    GF_ON_DEVICE(device, error)
    GF_CUDA_TRY(error, cudaEventCreateWithFlags(&made, sleeps ? cudaEventBlockingSync : cudaEventDefault));
    *mark = made;
    return GF_OK;
}

static void mark_destroy(gf_device device, void *mark)
{
    if (mark) {
        gf_device_scope scope(device);
        gf_cuda_ignore(cudaEventDestroy(static_cast<cudaEvent_t>(mark)));
    }
}

static gf_status mark_record(gf_queue queue, void *mark, gf_error *error)
{
    GF_ON_DEVICE(queue.device, error)
    GF_CUDA_TRY(error,
                cudaEventRecord(static_cast<cudaEvent_t>(mark), static_cast<cudaStream_t>(queue.stream)));
    return GF_OK;
}

static gf_status mark_wait(gf_device device, void *mark, gf_error *error)
{
    GF_ON_DEVICE(device, error)
    GF_CUDA_TRY(error, cudaEventSynchronize(static_cast<cudaEvent_t>(mark)));
    return GF_OK;
}

static gf_status mark_elapsed(void *from, void *to, double *milliseconds, gf_error *error)
{
    float elapsed = 0.0F;
    GF_CUDA_TRY(error,
                cudaEventElapsedTime(&elapsed, static_cast<cudaEvent_t>(from), static_cast<cudaEvent_t>(to)));
    *milliseconds = static_cast<double>(elapsed);
    return GF_OK;
}

#ifdef GF_EMU
extern "C" uint64_t gf_emu_joins;
#endif

static void work(int64_t *launches, int64_t *additions)
{
    *launches = gf_launches_made;
#ifdef GF_EMU
    *additions = static_cast<int64_t>(gf_emu_joins);
#else
    *additions = -1;
#endif
}

extern "C" const struct gf_backend gf_backend_cuda = {
    GF_CUDA_NAME, GF_CUDA_EMULATED, GF_CUDA_LIST,    count,          start, info,
    allocate,     release,          pinned_allocate, pinned_release, pin,   unpin,
    is_pinned,    stream_create,    stream_destroy,  copy,           wait,  mark_create,
    mark_destroy, mark_record,      mark_wait,       mark_elapsed,   work,
};
