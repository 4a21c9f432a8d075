/* libgpufilter_vendor: what gf_vendor_load finds. Its one visible symbol is gf_vendor_module. */
#include "array/common/vendor.h"

#include <string.h>

#define GF_VENDOR(name) extern const struct gf_array_variant gf_vendor_##name[];
#include "vendor/vendors.def"
#undef GF_VENDOR

static const struct gf_array_variant *variants_of(const char *primitive)
{
    static const struct {
        const char *primitive;
        const struct gf_array_variant *variants;
    } tables[] = {
#define GF_VENDOR(name) {#name, gf_vendor_##name},
#include "vendor/vendors.def"
#undef GF_VENDOR
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (!strcmp(tables[i].primitive, primitive)) {
            return tables[i].variants;
        }
    }
    return NULL;
}

extern const struct gf_vendor_module gf_vendor_module;
__attribute__((visibility("default")))
const struct gf_vendor_module gf_vendor_module = {GF_VENDOR_ABI, variants_of};
