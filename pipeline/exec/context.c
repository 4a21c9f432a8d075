#define _GNU_SOURCE /* opendir, strcasecmp */
#include "exec/context.h"

#include "base/device.h"

#include <dirent.h>
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
    if (!*context) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    }
    if (options) {
        (*context)->options = *options;
    }
    return GF_OK;
}

void gf_context_destroy(gf_context **context)
{
    if (context) {
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

/* The line "Model:" of the driver's description of one device. */
static void read_model(const char *folder, char name[128])
{
    char path[512], line[256];
    snprintf(path, sizeof path, "/proc/driver/nvidia/gpus/%s/information", folder);
    snprintf(name, 128, "NVIDIA GPU");
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        if (!strncmp(line, "Model:", 6)) {
            const char *model = line + 6 + strspn(line + 6, " \t");
            snprintf(name, 128, "%.*s", (int)strcspn(model, "\n"), model);
        }
    }
    if (file) {
        fclose(file);
    }
}

static int32_t count_device_files(char names[][128], int32_t capacity)
{
    int32_t n = 0;
    for (char path[32]; n < capacity; n++) {
        snprintf(path, sizeof path, "/dev/nvidia%d", n);
        FILE *file = fopen(path, "re");
        if (!file) {
            break;
        }
        fclose(file);
        snprintf(names[n], 128, "NVIDIA GPU");
    }
    return n;
}

int32_t gf_context_listed_gpus(char names[][128], int32_t capacity)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    if (visible && (!*visible || *visible == '-')) {
        return 0;
    }
    DIR *folder = opendir("/proc/driver/nvidia/gpus");
    int32_t n = 0;
    for (struct dirent *entry; folder && n < capacity && (entry = readdir(folder));) {
        if (entry->d_name[0] != '.') {
            read_model(entry->d_name, names[n++]);
        }
    }
    if (folder) {
        closedir(folder);
    }
    return n ? n : count_device_files(names, capacity);
}

enum { MAX_LISTED = 64 };

gf_status gf_device_describe(gf_context *context, int32_t index, int start,
                             gf_device_description *description, gf_error *error)
{
    (void)context;
    if (description->struct_size != sizeof *description) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_device_description.struct_size is %u, must be %zu",
                       description->struct_size, sizeof *description);
    }
    *description = (gf_device_description){.struct_size = sizeof *description, .device = index - 1};
    const struct gf_backend *backend = gf_backend_for(index - 1);
    char names[MAX_LISTED][128];
    int32_t count = index == 0 ? 1 : 0;
    if (index > 0 && backend) {
        if (start) {
            GF_TRY(backend->count(&count, error));
        } else {
            count = gf_context_listed_gpus(names, MAX_LISTED);
        }
    }
    if (index < 0 || index > count || !backend) {
        return gf_fail(error, GF_ERROR_DEVICE, "there is no CUDA device %d%s", index - 1,
                       backend ? "" : ": this build has no CUDA backend");
    }
    if (index > 0 && !start) {
        snprintf(description->name, sizeof description->name, "%s", names[index - 1]);
        return GF_OK;
    }
    struct gf_device_info info = {0};
    GF_TRY(backend->info(index - 1, &info, error));
    snprintf(description->name, sizeof description->name, "%s", info.name);
    description->compute_major = info.compute_major;
    description->compute_minor = info.compute_minor;
    description->units = info.multiprocessors;
    description->memory = info.memory;
    description->memory_free = info.memory_free;
    return GF_OK;
}
