/* The compaction on CUDA: which kernel, and how much scratch. */
#include "array/compact/compact_call.h"
#include "array/scan/lookback_cuda.cuh"
#include "base/device_scope_cuda.h"

size_t gf_compact_cuda_scratch(const struct gf_array_call *array)
{
    const struct gf_compact_call *call = gf_compact_call_of(array);
    const size_t tested = call->keep == GF_KEEP_FLAGS ? 1 : gf_depth_size(array->options.type);
    const int64_t tile = GF_SCAN_TILE_BYTES / static_cast<int64_t>(tested),
                  tiles = (array->n + tile - 1) / tile;
    struct gf_lookback_state state;
    return tiles > 1 ? gf_lookback_layout(nullptr, tiles, gf_slot_count::WORDS, false, &state) : 0;
}

gf_status gf_compact_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_compact_call *call = gf_compact_call_of(array);
    GF_ON_DEVICE(array->queue.device, error)
    if (array->n == 0) {
        GF_CUDA_TRY(error, cudaMemsetAsync(call->count, 0, sizeof *call->count,
                                           static_cast<cudaStream_t>(array->queue.stream)));
        return GF_OK;
    }
    if (call->indices) {
        return gf_compact_indices_cuda(call, error);
    }
    return call->keep == GF_KEEP_FLAGS ? gf_compact_flagged_cuda(call, error)
                                       : gf_compact_values_cuda(call, error);
}
