#include "exec/context.h"

#include "base/device.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *gf_version(void)
{
    return GF_VERSION;
}

int gf_has_cuda(void)
{
    return gf_backend_for(0) != NULL;
}

gf_status gf_context_create(const gf_context_options *options, gf_context **context, gf_error *error)
{
    if (options && options->struct_size != sizeof *options) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_context_options.struct_size is %u, must be %zu",
                       options->struct_size, sizeof *options);
    }
    if (options && !options->allocate != !options->release) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "allocate and release must be given together");
    }
    *context = calloc(1, sizeof **context);
    if (!*context || pthread_mutex_init(&(*context)->lock, NULL) != 0) {
        free(*context);
        *context = NULL;
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    }
    if (options) {
        (*context)->options = *options;
    }
    return GF_OK;
}

void gf_context_destroy(gf_context **context)
{
    if (context && *context) {
        gf_context_drop_starts(*context);
        pthread_mutex_destroy(&(*context)->lock);
        free(*context);
        *context = NULL;
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
    atomic_fetch_or(&context->lost, bit_of(device));
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

gf_status gf_device_describe(gf_context *context, int32_t index, int start,
                             gf_device_description *description, gf_error *error)
{
    if (description->struct_size != sizeof *description) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_device_description.struct_size is %u, must be %zu",
                       description->struct_size, sizeof *description);
    }
    if (index < 0) {
        return gf_fail(error, GF_ERROR_DEVICE, "there is no device with index %d: the first is 0, the CPU",
                       index);
    }
    *description = (gf_device_description){.struct_size = sizeof *description, .device = index - 1};
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
        return gf_fail(error, GF_ERROR_DEVICE, "there is no device %s:%d%s", gf_device_kind(0), index - 1,
                       backend ? "" : ": this build has no CUDA backend");
    }
    if (index > 0 && !start) {
        snprintf(description->name, sizeof description->name, "%s", names[index - 1]);
        return GF_OK;
    }
    struct gf_device_info info = {0};
    GF_TRY(gf_context_settle(context, index - 1, backend->info(index - 1, &info, error)));
    snprintf(description->name, sizeof description->name, "%s", info.name);
    description->compute_major = info.compute_major;
    description->compute_minor = info.compute_minor;
    description->units = info.multiprocessors;
    description->memory = info.memory;
    description->memory_free = info.memory_free;
    return GF_OK;
}
