/* The definition: each segment is reduced by itself. */
#include "array/segmented/segmented_reduce_call.h"

gf_status gf_segmented_reduce_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_segmented_reduce_call *call = gf_segmented_reduce_call_of(array);
    const size_t size = gf_depth_size(array->options.type),
                 result = gf_depth_size(gf_reduce_result(call->op, array->options.type));
    for (int64_t i = 0; i < call->segments; i++) {
        struct gf_reduce_call segment = {.array = *array, .op = call->op};
        segment.array.in = (const char *)array->in + (size_t)call->offsets[i] * size;
        segment.array.n = call->offsets[i + 1] - call->offsets[i];
        segment.array.out = (char *)array->out + (size_t)i * result;
        GF_TRY(gf_reduce_sequential(&segment.array, error));
    }
    return GF_OK;
}
