/* Unique keys and their values as they are defined. */
#include "array/common/element_at.h"
#include "array/keyed/unique_by_key_call.h"

#include <string.h>

gf_status gf_unique_by_key_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_unique_by_key_call *call = gf_unique_by_key_call_of(array);
    const size_t size = gf_depth_size(array->options.type), value = (size_t)call->value_size;
    int64_t runs = 0;
    (void)error;
    for (int64_t i = 0; i < array->n; i++) {
        if (i > 0 && gf_elements_are_equal(array->in, array->options.type, i - 1, i)) {
            continue;
        }
        if (runs < call->capacity && array->out) {
            memcpy((char *)array->out + (size_t)runs * size, (const char *)array->in + (size_t)i * size,
                   size);
        }
        if (runs < call->capacity) {
            memcpy((char *)call->values_out + (size_t)runs * value,
                   (const char *)call->values + (size_t)i * value, value);
        }
        runs++;
    }
    *call->runs = (uint64_t)runs;
    return GF_OK;
}
