/* The definition of the merge. */
#include "array/sort/sort_before.h"
#include "array/sort/sort_call.h"
#include "base/float_mode.h"

gf_status gf_merge_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_merge_call *call = gf_merge_call_of(array);
    gf_depth type = array->options.type;
    size_t size = gf_depth_size(type), value = (size_t)call->value_size;
    const char *a = call->a, *b = call->b;
    char *out = array->out;
    int64_t i = 0, j = 0;
    gf_float_mode saved;
    (void)error;
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    for (int64_t k = 0; k < array->n; k++) {
        bool second = i == call->a_count ||
                      (j < call->b_count &&
                       gf_sort_before(type, call->descending, b + (size_t)j * size, a + (size_t)i * size));
        const char *next = second ? b + (size_t)j++ * size : a + (size_t)i++ * size;
        memcpy(out + (size_t)k * size, next, size);
        if (value > 0) {
            const char *values = second ? call->b_values : call->a_values;
            memcpy((char *)call->values_out + (size_t)k * value,
                   values + (size_t)((second ? j : i) - 1) * value, value);
        }
    }
    gf_float_mode_restore(&saved);
    return GF_OK;
}
