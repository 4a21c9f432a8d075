/* The definition: each segment is scanned by itself. */
#include "array/common/element_at.h"
#include "array/segmented/segmented_scan_call.h"

gf_status gf_segmented_scan_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_segmented_scan_call *call = gf_segmented_scan_call_of(array);
    (void)error;
    for (int64_t first = 0, end; call->by_key && first < array->n; first = end) {
        for (end = first + 1; end < array->n && gf_elements_are_equal(call->keys, call->key, first, end);) {
            end++;
        }
        gf_scan_sequential_part(&call->scan, first, end);
    }
    for (int64_t i = 0; i < call->segments; i++) {
        gf_scan_sequential_part(&call->scan, call->offsets[i], call->offsets[i + 1]);
    }
    return GF_OK;
}
