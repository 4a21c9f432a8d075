/* Minima and maxima of segments, as minima of keys. */
#include "array/segmented/segmented_scan_pass_cuda.cuh"

gf_status gf_segmented_scan_least_cuda(const struct gf_segmented_scan_call *call, gf_error *error)
{
    return gf_scan_dispatch_least(&call->scan, [&](auto tag) {
        return gf_segmented_launch<typename decltype(tag)::type>(call, gf_scan_flip(&call->scan), error);
    });
}
