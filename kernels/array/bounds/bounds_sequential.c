/* Bounds as they are defined, by the comparison that the definition of the sort has. */
#include "array/bounds/bounds_call.h"
#include "array/sort/sort_before.h"
#include "base/float_mode.h"

/* How many elements come before the key or, with `equal`, do not come after it. */
static int64_t place_of(const struct gf_bounds_call *call, const char *key, bool equal)
{
    const gf_depth type = call->array.options.type;
    const size_t size = gf_depth_size(type);
    int64_t from = 0, to = call->elements;
    while (from < to) {
        const int64_t middle = from + (to - from) / 2;
        const char *element = (const char *)call->sorted + (size_t)middle * size;
        const bool counts = equal ? !gf_sort_before(type, call->descending, key, element)
                                  : gf_sort_before(type, call->descending, element, key);
        from = counts ? middle + 1 : from;
        to = counts ? to : middle;
    }
    return from;
}

gf_status gf_bounds_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_bounds_call *call = gf_bounds_call_of(array);
    const size_t size = gf_depth_size(array->options.type);
    int64_t *places = array->out;
    gf_float_mode saved;
    (void)error;
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    for (int64_t i = 0; i < array->n; i++) {
        const char *key = (const char *)array->in + (size_t)i * size;
        places[i] = place_of(call, key, call->side != GF_BOUNDS_LOWER);
        places[i] -= call->side == GF_BOUNDS_COUNT ? place_of(call, key, false) : 0;
    }
    gf_float_mode_restore(&saved);
    return GF_OK;
}
