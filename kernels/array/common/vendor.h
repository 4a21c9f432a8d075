/* The module with the vendors' variants: a shared object with one function, opened at run time, so that
 * neither library nor program links CUB, Thrust or their like. */
#pragma once

#include "array/common/variant.h"

/* Raised whenever a struct the module shares with the library changes. */
#define GF_VENDOR_ABI 4

/* What the module's only symbol, gf_vendor_module, points to. */
struct gf_vendor_module {
    uint32_t abi;                                                      /* GF_VENDOR_ABI */
    const struct gf_array_variant *(*variants)(const char *primitive); /* ended by a zero row; NULL: none */
};

/* The module's table for a primitive, or NULL: no module loaded, or nothing in it. */
const struct gf_array_variant *gf_vendor_variants(const char *primitive);
