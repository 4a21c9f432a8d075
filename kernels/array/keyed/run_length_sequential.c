/* Runs as they are defined: short and literal, with nothing in common with the fast variants. */
#include "array/common/element_at.h"
#include "array/keyed/run_length_call.h"

#include <string.h>

gf_status gf_run_length_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_run_length_call *call = gf_run_length_call_of(array);
    const size_t size = gf_depth_size(array->options.type);
    int64_t runs = 0, length = 0;
    (void)error;
    for (int64_t i = 0; i < array->n; i++) {
        const bool begins = i == 0 || !gf_elements_are_equal(array->in, array->options.type, i - 1, i);
        length = begins ? 1 : length + 1;
        runs += begins;
        if (runs > call->capacity) {
            continue;
        }
        if (begins && array->out) {
            memcpy((char *)array->out + (size_t)(runs - 1) * size, (const char *)array->in + (size_t)i * size,
                   size);
        }
        if (begins && call->starts) {
            call->starts[runs - 1] = i;
        }
        if (call->counts) {
            call->counts[runs - 1] = length;
        }
    }
    *call->runs = (uint64_t)runs;
    return GF_OK;
}
