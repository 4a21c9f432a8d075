/* Apart, like fail.c, so that gpufilter_io can have a hidden copy of its own. */
#include "base/sized.h"

#include "base/status.h"

#include <string.h>

enum { MOST = 4096 }; /* of a struct of any version to come: more was never set by anyone */

static uint32_t size_of(const void *given)
{
    uint32_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

gf_status gf_struct_check(const struct gf_sized *kind, const void *given, gf_error *error)
{
    if (!given) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: the pointer is NULL", kind->name);
    }
    uint32_t size = size_of(given);
    if (size < kind->least || size > MOST || size % kind->alignment) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s.struct_size is %u, must be sizeof(%s), here %u",
                       kind->name, size, kind->name, kind->size);
    }
    for (uint32_t i = kind->size; i < size; i++) {
        if (((const unsigned char *)given)[i]) {
            return gf_fail(
                error, GF_ERROR_ARGUMENT,
                "%s.struct_size is %u, of which this library knows %u bytes, and byte %u is not 0: "
                "it is older than the header",
                kind->name, size, kind->size, i);
        }
    }
    return GF_OK;
}

static uint32_t common(const struct gf_sized *kind, uint32_t size)
{
    return size < kind->size ? size : kind->size;
}

gf_status gf_struct_in(const struct gf_sized *kind, const void *given, void *copy, gf_error *error)
{
    GF_TRY(gf_struct_check(kind, given, error));
    memcpy(copy, given, common(kind, size_of(given)));
    memcpy(copy, &kind->size, sizeof kind->size);
    return GF_OK;
}

gf_status gf_struct_out(const struct gf_sized *kind, void *out, const void *made, gf_error *error)
{
    GF_TRY(gf_struct_check(kind, out, error));
    uint32_t head = sizeof kind->size;
    memcpy((char *)out + head, (const char *)made + head, common(kind, size_of(out)) - head);
    return GF_OK;
}
