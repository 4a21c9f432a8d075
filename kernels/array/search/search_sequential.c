/* Search as it is defined, with nothing in common with the fast variants; and by sorting first. */
#include "array/search/search_call.h"
#include "array/textbook/sort_loop.h"
#include "base/gf_order.h"

#include <string.h>

/* Tells whether an element is what is looked for. */
static bool matches(const struct gf_search_call *call, const void *element)
{
#define MATCH(depth, T)                                                                                      \
    case depth: {                                                                                            \
        T v, from, to;                                                                                       \
        memcpy(&v, element, sizeof v);                                                                       \
        memcpy(&from, &call->value, sizeof from);                                                            \
        memcpy(&to, &call->to, sizeof to);                                                                   \
        if (call->is_range) {                                                                                \
            return from <= v && v <= to;                                                                     \
        }                                                                                                    \
        return v == from || (v != v && from != from);                                                        \
    }
    switch (call->array.options.type) {
        MATCH(GF_U8, uint8_t)
        MATCH(GF_U16, uint16_t)
        MATCH(GF_U32, uint32_t)
        MATCH(GF_U64, uint64_t)
        MATCH(GF_S16, int16_t)
        MATCH(GF_S32, int32_t)
        MATCH(GF_S64, int64_t)
        MATCH(GF_F32, float)
        MATCH(GF_F64, double)
    }
#undef MATCH
    return false;
}

gf_status gf_search_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_search_call *call = gf_search_call_of(array);
    size_t size = gf_depth_size(array->options.type);
    int64_t matched = 0;
    (void)error;
    for (int64_t i = 0; i < array->n; i++) {
        if (!matches(call, (const char *)array->in + (size_t)i * size)) {
            continue;
        }
        if (call->mode == GF_SEARCH_FIRST) {
            *call->found = i;
            return GF_OK;
        }
        if (call->mode == GF_SEARCH_ALL && matched < call->capacity) {
            if (array->n <= INT64_C(1) << 32) {
                ((uint32_t *)call->indices)[matched] = (uint32_t)i;
            } else {
                ((uint64_t *)call->indices)[matched] = (uint64_t)i;
            }
        }
        matched++;
    }
    *call->found = call->mode == GF_SEARCH_FIRST ? -1 : matched;
    return GF_OK;
}

/* ---- Sorting first --------------------------------------------------------------------------- */

static uint64_t key_at(const void *in, gf_depth type, int64_t i)
{
    switch (type) {
    case GF_U8:
        return ((const uint8_t *)in)[i];
    case GF_U16:
    case GF_S16:
        return ((const uint16_t *)in)[i];
    case GF_U32:
    case GF_S32:
        return ((const uint32_t *)in)[i];
    case GF_U64:
    case GF_S64:
        return ((const uint64_t *)in)[i];
    case GF_F32:
        return gf_key_f32(((const float *)in)[i]);
    case GF_F64:
        return gf_key_f64(((const double *)in)[i]);
    }
    return 0;
}

/* A sorted array: of pairs, or of key and index in one number where both fit. */
struct ordered {
    bool is_packed;
    const uint64_t *packed;
    const struct gf_sort_pair *pairs;
    int64_t n;
};

/* Returns how many keys are up to `last`. */
static int64_t count_up_to(const struct ordered *o, uint64_t last)
{
    int64_t first = 0;
    for (int64_t n = o->n; n > 0;) {
        const int64_t half = n / 2, middle = first + half;
        const bool right = (o->is_packed ? o->packed[middle] >> 32 : o->pairs[middle].key) <= last;
        first += right ? half + 1 : 0;
        n = right ? n - half - 1 : half;
    }
    return first;
}

size_t gf_search_sort_scratch(const struct gf_array_call *call)
{
    return (size_t)call->n * sizeof(struct gf_sort_pair);
}

/* Keys count from the start of the span on, so that the span is the front of the order. */
static void put_in_order(const struct gf_search_call *call, uint64_t mask, struct ordered *o)
{
    const struct gf_array_call *a = &call->array;
    struct gf_sort_pair *pairs = a->scratch;
    uint64_t *packed = a->scratch;
    *o = (struct ordered){mask <= UINT32_MAX && a->n <= INT64_C(1) << 32, packed, pairs, a->n};
    for (int64_t i = 0; i < a->n; i++) {
        const uint64_t key = (key_at(a->in, a->options.type, i) - call->test.least) & mask;
        if (o->is_packed) {
            packed[i] = key << 32 | (uint64_t)i;
        } else {
            pairs[i] = (struct gf_sort_pair){key, i};
        }
    }
    if (o->is_packed) {
        gf_sort_loop_u64(packed, a->n);
    } else {
        gf_sort_loop_pairs(pairs, a->n);
    }
}

gf_status gf_search_sort(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_search_call *call = gf_search_call_of(array);
    const size_t size = gf_depth_size(array->options.type);
    const uint64_t mask = size == 8 ? UINT64_MAX : (UINT64_C(1) << (8 * size)) - 1;
    struct ordered o;
    int64_t lowest = -1;
    (void)error;
    put_in_order(call, mask, &o);
    const int64_t end = call->test.outside ? 0 : count_up_to(&o, call->test.span & mask);
    for (int64_t i = 0; i < end; i++) {
        const int64_t index = o.is_packed ? (int64_t)(uint32_t)o.packed[i] : o.pairs[i].index;
        lowest = lowest < 0 || index < lowest ? index : lowest;
    }
    *call->found = call->mode == GF_SEARCH_COUNT ? end : lowest;
    return GF_OK;
}
