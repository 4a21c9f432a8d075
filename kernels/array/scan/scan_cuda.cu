/* The scan on CUDA: which kernel, and how much scratch. */
#include "array/scan/lookback_cuda.cuh"
#include "base/device_scope_cuda.h"

size_t gf_scan_cuda_scratch(const struct gf_array_call *array)
{
    const struct gf_scan_call *call = gf_scan_call_of(array);
    const int64_t size = static_cast<int64_t>(gf_depth_size(call->out));
    const int64_t tile = GF_SCAN_TILE_BYTES / size, tiles = (array->n + tile - 1) / tile;
    struct gf_lookback_state state;
    return tiles > 1
               ? gf_lookback_layout(nullptr, tiles, size == 8 ? 2 : 1, gf_scan_is_float_sum(call), &state)
               : 0;
}

gf_status gf_scan_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_scan_call *call = gf_scan_call_of(array);
    GF_ON_DEVICE(array->queue.device, error)
    return call->op == GF_SCAN_SUM ? gf_scan_sum_cuda(call, error) : gf_scan_least_cuda(call, error);
}
