/* Compaction as it is defined: short and literal, with nothing in common with the fast variants. */
#include "array/compact/compact_call.h"

#include "base/gf_num.h"

#include <string.h>

/* -1, 0, 1: less, equal, greater; 2 where one is NaN. */
static int compare(const void *a, const void *b, gf_depth type)
{
#define COMPARE(depth, T)                                                                                    \
    case depth: {                                                                                            \
        T x, y;                                                                                              \
        memcpy(&x, a, sizeof x);                                                                             \
        memcpy(&y, b, sizeof y);                                                                             \
        return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;                                                      \
    }
    switch (type) {
        COMPARE(GF_U8, uint8_t)
        COMPARE(GF_U16, uint16_t)
        COMPARE(GF_U32, uint32_t)
        COMPARE(GF_U64, uint64_t)
        COMPARE(GF_S16, int16_t)
        COMPARE(GF_S32, int32_t)
        COMPARE(GF_S64, int64_t)
        COMPARE(GF_F32, float)
        COMPARE(GF_F64, double)
    }
#undef COMPARE
    return 2;
}

bool gf_compact_is_kept(const struct gf_compact_call *call, int64_t i)
{
    const char *element = (const char *)call->array.in + (size_t)i * gf_depth_size(call->array.options.type);
    int order = call->flags ? 0 : compare(element, &call->value, call->array.options.type);
    switch (call->keep) {
    case GF_KEEP_NONZERO:
    case GF_KEEP_NE:
        return order != 0;
    case GF_KEEP_EQ:
        return order == 0;
    case GF_KEEP_LT:
        return order == -1;
    case GF_KEEP_LE:
        return order == -1 || order == 0;
    case GF_KEEP_GT:
        return order == 1;
    case GF_KEEP_GE:
        return order == 1 || order == 0;
    case GF_KEEP_FLAGS:
        return call->flags[i] != 0;
    }
    return false;
}

gf_status gf_compact_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_compact_call *call = gf_compact_call_of(array);
    size_t size = gf_depth_size(array->options.type);
    uint64_t kept = 0;
    (void)error;
    for (int64_t i = 0; i < array->n; i++) {
        const char *element = (const char *)array->in + (size_t)i * size;
        if (!gf_compact_is_kept(call, i)) {
            continue;
        }
        if (kept < (uint64_t)call->capacity) {
            if (!call->indices) {
                memcpy((char *)array->out + kept * size, element, size);
            } else if (call->out == GF_U32) {
                ((uint32_t *)array->out)[kept] = (uint32_t)i;
            } else {
                ((uint64_t *)array->out)[kept] = (uint64_t)i;
            }
        }
        kept++;
    }
    *call->count = kept;
    return GF_OK;
}
