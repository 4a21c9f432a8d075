/* Search as it is defined, with nothing in common with the fast variants; and by sorting first. */
#include "array/search_call.h"
#include "base/gf_order.h"

#include <string.h>

/* Whether an element is what is looked for. */
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

/* An element's place in the order of its span, and where it stood. */
struct pair {
    uint64_t key;
    int64_t index;
};

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

static bool is_before(const struct pair *a, const struct pair *b)
{
    return a->key != b->key ? a->key < b->key : a->index < b->index;
}

static void sift(struct pair *heap, int64_t root, int64_t n)
{
    struct pair moved = heap[root];
    for (int64_t child; (child = 2 * root + 1) < n; root = child) {
        child += child + 1 < n && is_before(&heap[child], &heap[child + 1]);
        if (!is_before(&moved, &heap[child])) {
            break;
        }
        heap[root] = heap[child];
    }
    heap[root] = moved;
}

/* J. W. J. Williams' heapsort (1964): in place, and never quadratic. */
static void sort_pairs(struct pair *pairs, int64_t n)
{
    for (int64_t i = n / 2 - 1; i >= 0; i--) {
        sift(pairs, i, n);
    }
    for (int64_t i = n - 1; i > 0; i--) {
        struct pair last = pairs[i];
        pairs[i] = pairs[0];
        pairs[0] = last;
        sift(pairs, 0, i);
    }
}

/* The first pair whose key is not below `key`. */
static int64_t lower_bound(const struct pair *pairs, int64_t n, uint64_t key)
{
    int64_t first = 0;
    while (n > 0) {
        int64_t half = n / 2;
        bool right = pairs[first + half].key < key;
        first += right ? half + 1 : 0;
        n = right ? n - half - 1 : half;
    }
    return first;
}

size_t gf_search_sort_scratch(const struct gf_array_call *call)
{
    return (size_t)call->n * sizeof(struct pair);
}

gf_status gf_search_sort(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_search_call *call = gf_search_call_of(array);
    struct pair *pairs = array->scratch;
    int64_t n = array->n, lowest = -1;
    size_t size = gf_depth_size(array->options.type);
    uint64_t mask = size == 8 ? UINT64_MAX : (UINT64_C(1) << (8 * size)) - 1;
    (void)error;
    for (int64_t i = 0; i < n;
         i++) { /* from the start of the span on, so that the span is the front of the order */
        pairs[i] = (struct pair){(key_at(array->in, array->options.type, i) - call->test.least) & mask, i};
    }
    sort_pairs(pairs, n);
    int64_t end = call->test.outside                 ? 0
                  : (call->test.span & mask) == mask ? n
                                                     : lower_bound(pairs, n, call->test.span + 1);
    for (int64_t i = 0; i < end; i++) {
        lowest = lowest < 0 || pairs[i].index < lowest ? pairs[i].index : lowest;
    }
    *call->found = call->mode == GF_SEARCH_COUNT ? end : lowest;
    return GF_OK;
}
