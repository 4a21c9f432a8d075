/* gpufilter/device.h on the backends. */
#include "gpufilter/device.h"

#include "base/device.h"
#include "base/status.h"

static gf_status backend_of(gf_device device, const struct gf_backend **backend, gf_error *error)
{
    *backend = gf_backend_for(device);
    if (*backend) {
        return GF_OK;
    }
    return device >= 0 ? gf_fail(error, GF_ERROR_UNSUPPORTED, "device %d: %s", device, gf_cuda_missing())
                       : gf_fail(error, GF_ERROR_ARGUMENT,
                                 "device %d has no memory of its own: use the CPU or a CUDA device", device);
}

static gf_status need(const void *pointer, const char *name, gf_error *error)
{
    return pointer ? GF_OK : gf_fail(error, GF_ERROR_ARGUMENT, "%s is NULL", name);
}

gf_status gf_work_counted(gf_device device, int64_t *launches, int64_t *additions, gf_error *error)
{
    const struct gf_backend *backend;
    GF_TRY(need(launches, "launches", error));
    GF_TRY(need(additions, "additions", error));
    GF_TRY(backend_of(device, &backend, error));
    *launches = 0;
    *additions = -1;
    if (backend->work) {
        backend->work(launches, additions);
    }
    return GF_OK;
}

gf_status gf_memory_allocate(gf_device device, size_t bytes, void **memory, gf_error *error)
{
    const struct gf_backend *backend;
    GF_TRY(need(memory, "memory", error));
    *memory = NULL;
    GF_TRY(backend_of(device, &backend, error));
    if (bytes == 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "0 bytes of memory asked for");
    }
    return backend->allocate(device, bytes, memory, error);
}

void gf_memory_release(gf_device device, void *memory)
{
    const struct gf_backend *backend = gf_backend_for(device);
    if (backend) {
        backend->release(device, memory);
    }
}

gf_status gf_pinned_allocate(gf_device device, size_t bytes, void **memory, gf_error *error)
{
    const struct gf_backend *backend;
    GF_TRY(need(memory, "memory", error));
    *memory = NULL;
    GF_TRY(backend_of(device, &backend, error));
    if (bytes == 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "0 bytes of pinned memory asked for");
    }
    return backend->pinned_allocate(device, bytes, memory, error);
}

void gf_pinned_release(gf_device device, void *memory)
{
    const struct gf_backend *backend = gf_backend_for(device);
    if (backend) {
        backend->pinned_release(device, memory);
    }
}

gf_status gf_memory_pin(gf_device device, void *memory, size_t bytes, gf_error *error)
{
    const struct gf_backend *backend;
    GF_TRY(need(memory, "memory", error));
    GF_TRY(backend_of(device, &backend, error));
    if (bytes == 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "0 bytes of memory to be pinned");
    }
    return backend->pin(device, memory, bytes, error);
}

gf_status gf_memory_unpin(gf_device device, void *memory, gf_error *error)
{
    const struct gf_backend *backend;
    GF_TRY(need(memory, "memory", error));
    GF_TRY(backend_of(device, &backend, error));
    return backend->unpin(device, memory, error);
}

gf_status gf_memory_copy(gf_queue queue, gf_copy_kind kind, void *to, const void *from, size_t bytes,
                         gf_error *error)
{
    const struct gf_backend *backend;
    GF_TRY(backend_of(queue.device, &backend, error));
    if (bytes == 0) {
        return GF_OK;
    }
    GF_TRY(need(to, "to", error));
    GF_TRY(need(from, "from", error));
    return backend->copy(queue, kind, to, 0, from, 0, bytes, 1, error);
}

gf_status gf_queue_create(gf_device device, gf_queue *queue, gf_error *error)
{
    const struct gf_backend *backend;
    void *stream = NULL;
    GF_TRY(need(queue, "queue", error));
    GF_TRY(backend_of(device, &backend, error));
    GF_TRY(backend->stream_create(device, &stream, error));
    *queue = (gf_queue){device, stream};
    return GF_OK;
}

void gf_queue_destroy(gf_queue *queue)
{
    const struct gf_backend *backend = queue ? gf_backend_for(queue->device) : NULL;
    if (backend && queue->stream) {
        backend->stream_destroy(queue->device, queue->stream);
    }
    if (queue) {
        *queue = (gf_queue){GF_DEVICE_CPU, NULL};
    }
}

gf_status gf_queue_wait(gf_queue queue, gf_error *error)
{
    const struct gf_backend *backend;
    GF_TRY(backend_of(queue.device, &backend, error));
    return backend->wait(queue, error);
}

gf_status gf_mark_create(gf_device device, gf_mark **mark, gf_error *error)
{
    const struct gf_backend *backend;
    void *made = NULL;
    GF_TRY(need(mark, "mark", error));
    *mark = NULL;
    GF_TRY(backend_of(device, &backend, error));
    GF_TRY(backend->mark_create(device, false, &made, error));
    *mark = made;
    return GF_OK;
}

void gf_mark_destroy(gf_device device, gf_mark **mark)
{
    const struct gf_backend *backend = gf_backend_for(device);
    if (mark && *mark && backend) {
        backend->mark_destroy(device, *mark);
        *mark = NULL;
    }
}

gf_status gf_mark_record(gf_queue queue, gf_mark *mark, gf_error *error)
{
    const struct gf_backend *backend;
    GF_TRY(need(mark, "mark", error));
    GF_TRY(backend_of(queue.device, &backend, error));
    return backend->mark_record(queue, mark, error);
}

gf_status gf_mark_elapsed(gf_device device, gf_mark *from, gf_mark *to, double *milliseconds, gf_error *error)
{
    const struct gf_backend *backend;
    GF_TRY(need(from, "from", error));
    GF_TRY(need(to, "to", error));
    GF_TRY(need(milliseconds, "milliseconds", error));
    GF_TRY(backend_of(device, &backend, error));
    return backend->mark_elapsed(from, to, milliseconds, error);
}
