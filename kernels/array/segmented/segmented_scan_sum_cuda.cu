/* Sums of segments: the pass for every pair of types. */
#include "array/segmented/segmented_scan_pass_cuda.cuh"

gf_status gf_segmented_scan_sum_cuda(const struct gf_segmented_scan_call *call, gf_error *error)
{
    return gf_scan_dispatch_sum(&call->scan, error, [&](auto tag) {
        return gf_segmented_launch<typename decltype(tag)::type>(call, 0, error);
    });
}
