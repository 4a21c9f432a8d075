#define _GNU_SOURCE /* dladdr */
#include "array/common/vendor.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MODULE "libgpufilter_vendor.so"

/* A shared object belongs to the process, so this does: written once, never changed or unloaded. */
static const struct gf_vendor_module *_Atomic module;

const struct gf_array_variant *gf_vendor_variants(const char *primitive)
{
    const struct gf_vendor_module *m = atomic_load_explicit(&module, memory_order_acquire);
    return m ? m->variants(primitive) : NULL;
}

/* The module in a folder that is named from where the object (library or program) lies that this code is part
 * of. */
static void path_in(const char *folder, char path[PATH_MAX])
{
    Dl_info info;
    char program[PATH_MAX] = "";
    const char *origin = dladdr(__extension__(void *) path_in, &info) != 0 ? info.dli_fname : NULL;
    if (!origin || !strchr(origin, '/')) { /* a program that the shell found */
        ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
        program[length > 0 ? length : 0] = '\0';
        origin = program;
    }
    const char *slash = strrchr(origin, '/');
    int length = slash ? (int)(slash - origin) + 1 : 0;
    if (snprintf(path, PATH_MAX, "%.*s%s" MODULE, length, origin, folder) >= PATH_MAX) {
        path[0] = '\0';
    }
}

static gf_status open_module(const char *path, gf_error *error)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "no vendor module: %s", dlerror());
    }
    const struct gf_vendor_module *found = dlsym(handle, "gf_vendor_module");
    if (!found || found->abi != GF_VENDOR_ABI) {
        dlclose(handle);
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "%s is not the vendor module of this version", path);
    }
    const struct gf_vendor_module *none = NULL;
    if (!atomic_compare_exchange_strong(&module, &none, found)) {
        dlclose(handle); /* another thread was first; an object opened twice is counted */
    }
    return GF_OK;
}

gf_status gf_vendor_load(const char *path, gf_error *error)
{
    char found[PATH_MAX];
    if (atomic_load_explicit(&module, memory_order_acquire)) {
        return GF_OK;
    }
    if (!path) {
        path = secure_getenv("GPUFILTER_VENDOR");
    }
    if (!path) {
        path_in("", found);
        if (access(found, F_OK) != 0) {
            path_in(GF_VENDOR_FOLDER, found); /* an installed program is not beside its library */
        }
        if (access(found, F_OK) != 0) {
            return gf_fail(error, GF_ERROR_UNSUPPORTED,
                           MODULE " is not beside the library (nvcc builds it, with GPUFILTER_VENDOR=ON)");
        }
        path = found;
    }
    return open_module(path, error);
}
