#include "context/context.h"

#include "base/device.h"
#include "base/sized.h"
#include "context/pieces.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *gf_version(void)
{
    return GF_VERSION;
}

int32_t gf_version_number(void)
{
    return GF_VERSION_NUMBER;
}

int gf_has_cuda(void)
{
    return gf_backend_for(0) != NULL;
}

gf_status gf_context_create(const gf_context_options *options, gf_context **context, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_context_options, log);
    gf_context_options taken = GF_CONTEXT_OPTIONS_INIT;
    if (!context) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "context is NULL");
    }
    *context = NULL;
    GF_TRY(options ? gf_struct_in(&sized, options, &taken, error) : GF_OK);
    if (!taken.allocate != !taken.release) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "allocate and release must be given together");
    }
    gf_context *made = calloc(1, sizeof *made);
    if (!made || pthread_mutex_init(&made->lock, NULL) != 0) {
        free(made);
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    }
    made->options = taken;
    *context = made;
    return GF_OK;
}

void gf_context_destroy(gf_context **context)
{
    gf_context *held = context ? *context : NULL;
    if (!held) {
        return;
    }
    *context = NULL;
    if (gf_refs_drop(&held->refs)) {
        gf_context_drop_starts(held);
        gf_pieces_free(held);
        pthread_mutex_destroy(&held->lock);
        free(held);
    }
}

void *gf_context_allocate(const gf_context *context, size_t bytes)
{
    if (context->options.allocate) {
        return context->options.allocate(context->options.user, bytes);
    }
    enum { ALIGN = 256 };
    return bytes > SIZE_MAX - ALIGN ? NULL : aligned_alloc(ALIGN, (bytes + ALIGN - 1) / ALIGN * ALIGN);
}

void gf_context_release(const gf_context *context, void *memory)
{
    if (!memory) {
        return;
    }
    if (context->options.release) {
        context->options.release(context->options.user, memory);
    } else {
        free(memory);
    }
}

void gf_context_log(const gf_context *context, gf_log_level level, const char *format, ...)
{
    if (!context->options.log) {
        return;
    }
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    context->options.log(context->options.user, level, line);
}

/* ---- devices ---- */

enum { MAX_LISTED = 64 };

static unsigned long long bit_of(gf_device device)
{
    return device >= 0 && device < 64 ? 1ULL << device : 0;
}

bool gf_context_is_lost(const gf_context *context, gf_device device)
{
    return (atomic_load(&context->lost) & bit_of(device)) != 0;
}

bool gf_context_is_started(const gf_context *context, gf_device device)
{
    return (atomic_load(&context->started) & bit_of(device)) != 0;
}

void gf_context_set_started(gf_context *context, gf_device device, bool started)
{
    if (started) {
        atomic_fetch_or(&context->started, bit_of(device));
    } else {
        atomic_fetch_and(&context->started, ~bit_of(device));
    }
}

gf_status gf_context_settle(gf_context *context, gf_device device, gf_status status)
{
    if (status != GF_STATUS_LOST) {
        return status;
    }
    const unsigned long long before = atomic_fetch_or(&context->lost, bit_of(device));
    if (!(before & bit_of(device))) {
        gf_context_log(context, GF_LOG_WARNING,
                       "device %s:%d is lost: it cannot be used again in this process",
                       gf_device_kind(device), device);
    }
    return GF_ERROR_DEVICE;
}

gf_status gf_context_check_device(const gf_context *context, gf_device device, gf_error *error)
{
    if (!gf_context_is_lost(context, device)) {
        return GF_OK;
    }
    return gf_fail(error, GF_ERROR_DEVICE,
                   "device %s:%d is lost: an earlier error ended its use in this process",
                   gf_device_kind(device), device);
}

bool gf_context_lists_gpu(const gf_context *context)
{
    const struct gf_backend *backend = gf_backend_for(0);
    char names[1][128];
    return backend && !gf_context_is_lost(context, 0) && backend->list(names, 1) > 0;
}

/* `made` is filled in. */
static gf_status describe(gf_context *context, int32_t index, int start, gf_device_description *made,
                          gf_error *error)
{
    const struct gf_backend *backend = gf_backend_for(index - 1);
    char names[MAX_LISTED][128];
    int32_t count = index == 0 ? 1 : 0;
    if (index > 0 && backend) {
        if (start) {
            GF_TRY(gf_context_check_device(context, index - 1, error));
            GF_TRY(gf_context_settle(context, index - 1, backend->count(&count, error)));
        } else {
            count = backend->list(names, MAX_LISTED);
        }
    }
    if (index > count || !backend) {
        return gf_fail(error, GF_ERROR_DEVICE, "there is no device %s:%d%s%s", gf_device_kind(0), index - 1,
                       backend ? "" : ": ", backend ? "" : gf_cuda_missing());
    }
    made->device = index - 1;
    if (index > 0 && !start) {
        snprintf(made->name, sizeof made->name, "%s", names[index - 1]);
        return GF_OK;
    }
    struct gf_device_info info = {0};
    GF_TRY(gf_context_settle(context, index - 1, backend->info(index - 1, &info, error)));
    snprintf(made->name, sizeof made->name, "%s", info.name);
    made->compute_major = info.compute_major;
    made->compute_minor = info.compute_minor;
    made->units = info.multiprocessors;
    made->memory = info.memory;
    made->memory_free = info.memory_free;
    return GF_OK;
}

gf_status gf_device_describe(gf_context *context, int32_t index, int start,
                             gf_device_description *description, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_device_description, name);
    gf_device_description made = {.struct_size = sizeof made};
    if (!context) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "context is NULL");
    }
    GF_TRY(gf_struct_check(&sized, description, error));
    if (index < 0) {
        return gf_fail(error, GF_ERROR_DEVICE, "there is no device with index %d: the first is 0, the CPU",
                       index);
    }
    GF_TRY(describe(context, index, start, &made, error));
    return gf_struct_out(&sized, description, &made, error);
}
