/* gf_backend_for, and the CPU as a device: plain memory, and work that is done when the call returns. */
#define _GNU_SOURCE /* clock_gettime, sysconf */
#include "base/device.h"

#include "base/processors.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MEMORY_ALIGNMENT = 256 };

static gf_status cpu_count(int32_t *count, gf_error *error)
{
    (void)error;
    *count = 1;
    return GF_OK;
}

/* sysconf, or 0 where the system does not know. */
static uint64_t system_value(int name)
{
    long value = sysconf(name);
    return value > 0 ? (uint64_t)value : 0;
}

static gf_status cpu_info(int32_t ordinal, struct gf_device_info *info, gf_error *error)
{
    (void)ordinal;
    (void)error;
    uint64_t page = system_value(_SC_PAGESIZE);

    memset(info, 0, sizeof *info);
    strcpy(info->name, "CPU");
    info->multiprocessors = gf_processors();
    info->memory = system_value(_SC_PHYS_PAGES) * page;
    info->memory_free = system_value(_SC_AVPHYS_PAGES) * page;
#ifdef _SC_LEVEL2_CACHE_SIZE
    info->l2 = system_value(_SC_LEVEL2_CACHE_SIZE);
#endif
    return GF_OK;
}

static gf_status cpu_allocate(gf_device device, size_t bytes, void **memory, gf_error *error)
{
    (void)device;
    size_t padded = bytes + (MEMORY_ALIGNMENT - 1);

    *memory = NULL;
    if (padded >= bytes) {
        *memory = aligned_alloc(MEMORY_ALIGNMENT, padded / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT);
    }
    return *memory ? GF_OK : gf_fail(error, GF_ERROR_MEMORY, "no memory for %zu bytes", bytes);
}

static void cpu_release(gf_device device, void *memory)
{
    (void)device;
    free(memory);
}

static gf_status cpu_pin(gf_device device, void *memory, size_t bytes, gf_error *error)
{
    (void)device;
    (void)memory;
    (void)bytes;
    (void)error;
    return GF_OK;
}

static gf_status cpu_unpin(gf_device device, void *memory, gf_error *error)
{
    (void)device;
    (void)memory;
    (void)error;
    return GF_OK;
}

static gf_status cpu_is_pinned(gf_device device, const void *memory, size_t bytes, bool *is, gf_error *error)
{
    (void)device;
    (void)memory;
    (void)bytes;
    (void)error;
    *is = false;
    return GF_OK;
}

static gf_status cpu_stream_create(gf_device device, void **stream, gf_error *error)
{
    (void)device;
    (void)error;
    *stream = NULL;
    return GF_OK;
}

static void cpu_stream_destroy(gf_device device, void *stream)
{
    (void)device;
    (void)stream;
}

static gf_status cpu_copy(gf_queue queue, enum gf_copy_kind kind, void *to, int64_t to_pitch,
                          const void *from, int64_t from_pitch, size_t row_bytes, int64_t rows,
                          gf_error *error)
{
    (void)queue;
    (void)kind;
    (void)error;
    if (to_pitch == from_pitch && (size_t)to_pitch == row_bytes && rows > 0) {
        memcpy(to, from, row_bytes * (size_t)rows);
        return GF_OK;
    }
    for (int64_t y = 0; y < rows; y++) {
        memcpy((char *)to + y * to_pitch, (const char *)from + y * from_pitch, row_bytes);
    }
    return GF_OK;
}

static gf_status cpu_wait(gf_queue queue, gf_error *error)
{
    (void)queue;
    (void)error;
    return GF_OK;
}

static gf_status cpu_mark_create(gf_device device, bool sleeps, void **mark, gf_error *error)
{
    (void)sleeps;
    (void)device;
    *mark = calloc(1, sizeof(struct timespec));
    return *mark ? GF_OK : gf_fail(error, GF_ERROR_MEMORY, "no memory for a time mark");
}

static void cpu_mark_destroy(gf_device device, void *mark)
{
    (void)device;
    free(mark);
}

static gf_status cpu_mark_record(gf_queue queue, void *mark, gf_error *error)
{
    (void)queue;
    if (clock_gettime(CLOCK_MONOTONIC, mark) != 0) {
        return gf_fail(error, GF_ERROR_DEVICE, "the system has no monotonic clock");
    }
    return GF_OK;
}

static gf_status cpu_mark_wait(gf_device device, void *mark, gf_error *error)
{
    (void)device;
    (void)mark;
    (void)error;
    return GF_OK;
}

static gf_status cpu_mark_elapsed(void *from, void *to, double *milliseconds, gf_error *error)
{
    const struct timespec *a = from;
    const struct timespec *b = to;
    (void)error;
    *milliseconds = (double)(b->tv_sec - a->tv_sec) * 1e3 + (double)(b->tv_nsec - a->tv_nsec) * 1e-6;
    return GF_OK;
}

const struct gf_backend gf_backend_cpu = {
    .name = "cpu",
    .count = cpu_count,
    .info = cpu_info,
    .allocate = cpu_allocate,
    .release = cpu_release,
    .pinned_allocate = cpu_allocate,
    .pinned_release = cpu_release,
    .pin = cpu_pin,
    .unpin = cpu_unpin,
    .is_pinned = cpu_is_pinned,
    .stream_create = cpu_stream_create,
    .stream_destroy = cpu_stream_destroy,
    .copy = cpu_copy,
    .wait = cpu_wait,
    .mark_create = cpu_mark_create,
    .mark_destroy = cpu_mark_destroy,
    .mark_record = cpu_mark_record,
    .mark_wait = cpu_mark_wait,
    .mark_elapsed = cpu_mark_elapsed,
};

const struct gf_backend *gf_backend_for(gf_device device)
{
    return device == GF_DEVICE_CPU ? &gf_backend_cpu : device >= 0 ? gf_cuda_backend() : NULL;
}

const char *gf_device_kind(gf_device device)
{
    const struct gf_backend *backend = gf_backend_for(device);
    if (backend) {
        return backend->name;
    }
    return device >= 0 ? "cuda" : device == GF_DEVICE_REFERENCE ? "reference" : "auto";
}
