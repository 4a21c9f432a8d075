#define _GNU_SOURCE /* secure_getenv */
#include "base/module_path.h"
#include "module/cuda_module.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODULE "libgpufilter_cuda.so"

/* A shared object belongs to the process, so these do: written once, never changed or unloaded. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct gf_cuda_module *module;
static char missing[PATH_MAX + 512]; /* why there is none */

#define MISSING(...) (void)snprintf(missing, sizeof missing, "no CUDA backend: " __VA_ARGS__)

static void open_module(const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        MISSING("%s", dlerror());
        return;
    }
    const struct gf_cuda_module *found = dlsym(handle, "gf_cuda_module");
    if (found && !strncmp(found->id, GF_MODULE_ID, sizeof found->id)) {
        module = found;
        return;
    }
    if (found) {
        MISSING("%s is of gpufilter %.*s, and the library of %s: install both from one build of the sources",
                path, (int)sizeof found->id, found->id, GF_MODULE_ID);
    } else {
        MISSING("%s is not the CUDA module of gpufilter: it has no symbol gf_cuda_module", path);
    }
    dlclose(handle);
}

static void find_module(void)
{
    char path[PATH_MAX], places[PATH_MAX];
    const char *given = secure_getenv("GPUFILTER_CUDA_MODULE");
    if (given && given[0] != '/') {
        MISSING("GPUFILTER_CUDA_MODULE is '%.200s': must be the whole path of a " MODULE, given);
    } else if (given || gf_module_find(MODULE, path, places)) {
        open_module(given ? given : path);
    } else {
        MISSING("there is no " MODULE " in %.3000s; nvcc builds it (docs/install.md)", places);
    }
}

static const struct gf_cuda_module *opened(void)
{
    pthread_once(&once, find_module);
    return module;
}

const struct gf_backend *gf_cuda_backend(void)
{
    return opened() ? module->backend : NULL;
}

const char *gf_cuda_missing(void)
{
    return opened() ? "" : missing;
}

/* Nobody who finds no backend goes on to what follows; so these are answers, not events. */
static gf_status no_module(gf_error *error)
{
    return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s", missing);
}

gf_status gf_transform_planes_cuda(gf_queue queue, const struct gf_planar *p, bool split, gf_error *error)
{
    return opened() ? module->transform_planes(queue, p, split, error) : no_module(error);
}

gf_status gf_frequency_part_cuda(const struct gf_frequency_plane *plane, enum gf_frequency_part part,
                                 gf_error *error)
{
    return opened() ? module->frequency_part(plane, part, error) : no_module(error);
}

gf_status gf_fourier_conv_part_cuda(const struct gf_fourier_conv_batch *batch, enum gf_fourier_conv_part part,
                                    gf_error *error)
{
    return opened() ? module->fourier_conv_part(batch, part, error) : no_module(error);
}

#define GF_CUDA_PATHS(kernel)                                                                                \
    const struct gf_path *gf_cuda_paths_##kernel(void)                                                       \
    {                                                                                                        \
        return opened() ? module->paths_##kernel : NULL;                                                     \
    }
#define GF_CUDA_MEASURE(kernel)                                                                              \
    const struct gf_cuda_measure *gf_cuda_measure_##kernel(void)                                             \
    {                                                                                                        \
        return opened() ? module->measure_##kernel : NULL;                                                   \
    }
#define GF_CUDA_APPLY(function)                                                                              \
    gf_status function(const struct gf_apply_run *run, gf_error *error)                                      \
    {                                                                                                        \
        return opened() ? module->function(run, error) : no_module(error);                                   \
    }
#define GF_CUDA_ROOM(function)                                                                               \
    size_t function(const struct gf_apply_run *run)                                                          \
    {                                                                                                        \
        return opened() ? module->function(run) : 0;                                                         \
    }
#define GF_CUDA_RUN(function)                                                                                \
    gf_status function(const struct gf_array_call *call, gf_error *error)                                    \
    {                                                                                                        \
        return opened() ? module->function(call, error) : no_module(error);                                  \
    }
#define GF_CUDA_SCRATCH(function)                                                                            \
    size_t function(const struct gf_array_call *call)                                                        \
    {                                                                                                        \
        return opened() ? module->function(call) : 0;                                                        \
    }
#define GF_CUDA_SIGNAL(kernel)                                                                               \
    gf_status gf_signal_##kernel##_cuda(gf_queue queue, const void *args, void *state, void *scratch,        \
                                        const struct gf_track *in, int64_t frames,                           \
                                        const struct gf_track *out, int32_t channels, gf_error *error)       \
    {                                                                                                        \
        return opened()                                                                                      \
                   ? module->signal_##kernel(queue, args, state, scratch, in, frames, out, channels, error)  \
                   : no_module(error);                                                                       \
    }                                                                                                        \
    size_t gf_signal_##kernel##_cuda_scratch(const void *args, int64_t most, int32_t channels)               \
    {                                                                                                        \
        return opened() ? module->signal_##kernel##_scratch(args, most, channels) : 0;                       \
    }
#include "module/cuda_functions.def"
