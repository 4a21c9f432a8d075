/* Structs of the caller, whose first field says how large they are: the caller may have been compiled with an
 * older or a newer header. What a struct_size means is promised in gpufilter/types.h, and kept here alone.
 *
 * To add a field: at the end, where no padding of the published struct is, so that its size grows; and with
 * zero bytes for what the library did before. */
#pragma once

#include "base/status.h"

/* A struct of the public headers. */
struct gf_sized {
    const char *name;
    uint32_t size;  /* in this library */
    uint32_t least; /* through the last field that cannot be left out */
    uint32_t alignment;
};

/* `last`: the last field that every caller has. */
#define GF_SIZED(type, last)                                                                                 \
    {                                                                                                        \
#type, sizeof(type),                                                                                 \
            (offsetof(type, last) + sizeof(((type *)0)->last) + _Alignof(type) - 1) / _Alignof(type) *       \
                _Alignof(type),                                                                              \
            _Alignof(type)                                                                                   \
    }

/* GF_ERROR_ARGUMENT, with a text that names the struct: NULL, a size that no version of it has, or fields of
 * a newer version that are not zero. */
gf_status gf_struct_check(const struct gf_sized *kind, const void *given, gf_error *error);

/* Checks, and copies the fields that were given over *copy, which holds the defaults. */
gf_status gf_struct_in(const struct gf_sized *kind, const void *given, void *copy, gf_error *error);

/* Declares `taken`, the defaults `init` with the fields that were given over them; returns what is wrong with
 * those. */
#define GF_STRUCT_TAKE(type, last, taken, init, given, error)                                                \
    static const struct gf_sized taken##_sized = GF_SIZED(type, last);                                       \
    type taken = init;                                                                                       \
    GF_TRY(gf_struct_in(&taken##_sized, given, &taken, error))

/* Checks, and copies *made to *out as far as that reaches, but for the size, which is the caller's. */
gf_status gf_struct_out(const struct gf_sized *kind, void *out, const void *made, gf_error *error);
