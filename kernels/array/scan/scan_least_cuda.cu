/* Minima, and maxima as minima of the other order: the scan of one pass over unsigned keys. */
#include "array/scan/scan_kinds_cuda.cuh"
#include "array/scan/scan_pass_cuda.cuh"

extern "C" gf_status gf_scan_least_cuda(const struct gf_scan_call *call, gf_error *error)
{
    return gf_scan_dispatch_least(call, [&](auto tag) {
        return gf_scan_launch<typename decltype(tag)::type>(call, gf_scan_flip(call), error);
    });
}
