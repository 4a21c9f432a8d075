#define _GNU_SOURCE /* secure_getenv */
#include "array/common/vendor.h"

#include "base/module_path.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>

#define MODULE "libgpufilter_vendor.so"

/* A shared object belongs to the process, so this does: written once, never changed or unloaded. */
static const struct gf_vendor_module *_Atomic module;

const struct gf_array_variant *gf_vendor_variants(const char *primitive)
{
    const struct gf_vendor_module *m = atomic_load_explicit(&module, memory_order_acquire);
    return m ? m->variants(primitive) : NULL;
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
    char found[PATH_MAX], places[PATH_MAX];
    if (atomic_load_explicit(&module, memory_order_acquire)) {
        return GF_OK;
    }
    if (!path) {
        path = secure_getenv("GPUFILTER_VENDOR");
    }
    if (!path) {
        if (!gf_module_find(MODULE, found, places)) {
            return gf_fail(error, GF_ERROR_UNSUPPORTED,
                           MODULE " is not beside the library (nvcc builds it, with GPUFILTER_VENDOR=ON)");
        }
        path = found;
    }
    return open_module(path, error);
}
