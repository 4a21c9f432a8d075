/* The definition of the sort: a bottom-up merge sort of positions, then one copy into the order found. */
#include "array/sort/sort_before.h"
#include "array/sort/sort_call.h"
#include "base/float_mode.h"

/* Tells whether *a must come before *b. A range of bits is cut out of integers, the sign turned over. */
static bool is_before(const struct gf_sort_call *call, const char *a, const char *b)
{
    const gf_depth type = call->array.options.type;
    const size_t size = gf_depth_size(type);
    uint64_t x = 0, y = 0;
    if (call->ignored == 0) {
        return gf_sort_before(type, call->descending, a, b);
    }
    memcpy(&x, a, size);
    memcpy(&y, b, size);
    const uint64_t sign = (GF_TYPES_SIGNED & GF_TYPE_BIT(type)) != 0 ? UINT64_C(1) << (8 * size - 1) : 0;
    x = (x ^ sign) & ~call->ignored;
    y = (y ^ sign) & ~call->ignored;
    return call->descending ? x > y : x < y;
}

/* Merges two sorted runs, order[from..middle) and order[middle..to), into `merged`: the second's head goes
 * first only when it must, so equal elements keep their order. */
static void merge_runs(const struct gf_sort_call *call, const int64_t *order, int64_t from, int64_t middle,
                       int64_t to, int64_t *merged)
{
    const char *keys = call->array.in;
    int64_t size = (int64_t)gf_depth_size(call->array.options.type);
    int64_t i = from, j = middle;
    for (int64_t k = from; k < to; k++) {
        bool second =
            i == middle || (j < to && is_before(call, keys + order[j] * size, keys + order[i] * size));
        merged[k] = second ? order[j++] : order[i++];
    }
}

static void gather(const void *from, const int64_t *order, int64_t n, size_t size, char *copy, void *to)
{
    for (int64_t i = 0; i < n; i++) {
        memcpy(copy + (size_t)i * size, (const char *)from + (size_t)order[i] * size, size);
    }
    memcpy(to, copy, (size_t)n * size);
}

size_t gf_sort_sequential_scratch(const struct gf_array_call *call)
{
    return (size_t)call->n * 3 * sizeof(int64_t); /* two orders, and an array of keys or values */
}

gf_status gf_sort_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_sort_call *call = gf_sort_call_of(array);
    int64_t n = array->n, *order = array->scratch, *merged = n > 0 ? order + n : NULL;
    char *copy = n > 0 ? (char *)(order + 2 * n) : NULL;
    gf_float_mode saved;
    (void)error;
    if (n == 0) {
        return GF_OK;
    }
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    for (int64_t i = 0; i < n; i++) {
        order[i] = i;
    }
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t from = 0; from < n; from += 2 * width) {
            int64_t middle = from + width < n ? from + width : n;
            int64_t to = middle + width < n ? middle + width : n;
            merge_runs(call, order, from, middle, to, merged);
        }
        int64_t *swap = order;
        order = merged;
        merged = swap;
    }
    gf_float_mode_restore(&saved);
    gather(array->in, order, n, gf_depth_size(array->options.type), copy, array->out);
    if (call->value_size > 0) {
        gather(call->values, order, n, (size_t)call->value_size, copy, call->values_out);
    }
    return GF_OK;
}
