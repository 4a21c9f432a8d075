/* The definition of the segmented sort: the definition of the sort, segment by segment. */
#include "array/sort/sort_call.h"

size_t gf_segmented_sort_sequential_scratch(const struct gf_array_call *call)
{
    return gf_sort_sequential_scratch(call);
}

gf_status gf_segmented_sort_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_segmented_sort_call *call = gf_segmented_sort_call_of(array);
    const size_t size = gf_depth_size(array->options.type), value = (size_t)call->sort.value_size;
    for (int64_t i = 0; i < call->segments; i++) {
        const size_t at = (size_t)call->offsets[i];
        struct gf_sort_call segment = call->sort;
        segment.array.n = call->offsets[i + 1] - call->offsets[i];
        if (segment.array.n == 0) {
            continue;
        }
        segment.array.in = (const char *)array->in + at * size;
        segment.array.out = (char *)array->out + at * size;
        if (value > 0) {
            segment.values = (const char *)call->sort.values + at * value;
            segment.values_out = (char *)call->sort.values_out + at * value;
        }
        GF_TRY(gf_sort_sequential(&segment.array, error));
    }
    return GF_OK;
}
