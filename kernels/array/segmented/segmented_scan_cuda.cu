/* The scan of segments on CUDA: bits of where segments begin, then the pass over elements and bits, which
 * knows nothing of keys or offsets. */
#include "array/common/dispatch_cuda.cuh"
#include "array/common/grid_cuda.cuh"
#include "array/keyed/runs_compare_cuda.cuh"
#include "array/scan/lookback_cuda.cuh"
#include "array/segmented/segmented_scan_cuda.h"
#include "base/device_scope_cuda.h"

enum {
    SCAN_THREADS = 256,
    ROWS = 16, /* of a warp, 32 keys each */
    SCAN_TILE = SCAN_THREADS * ROWS
};

/* ---- Bits ---------------------------------------------------------------------------------------------------- */

/* A warp's words, by a lane each. */
template <class T>
static __global__ void __launch_bounds__(SCAN_THREADS)
    gf_segmented_keys(const T *keys, int64_t n, uint32_t *words, int64_t count)
{
    const int64_t row = (int64_t(blockIdx.x) * (SCAN_THREADS / GF_WARP) + gf_warp()) * ROWS;
    T own[ROWS];
    uint32_t heads[ROWS], mine = 0;
    gf_runs_compare<ROWS>(keys, n, row * GF_WARP, own, heads);
    GF_UNROLL
    for (unsigned r = 0; r < ROWS; r++) {
        mine = gf_lane() == r ? heads[r] : mine;
    }
    gf_pdl_wait(); /* only so that whoever waits for this kernel has waited for the clearing */
    if (gf_lane() < ROWS && row + gf_lane() < count) {
        words[row + gf_lane()] = mine;
    }
}

/* A segment a lane. The bits of neighbours that fall into one word are joined first: a word is written once a
 * warp. Where empty segments lie at the end there is no element. */
static __global__ void __launch_bounds__(SCAN_THREADS)
    gf_segmented_offsets(const int64_t *offsets, int64_t segments, int64_t n, uint32_t *words)
{
    const int64_t i = gf_thread_index();
    const int64_t at = i < segments ? offsets[i] : n, word = at / 32;
    uint32_t bits = at < n ? 1u << (at % 32) : 0;
    GF_UNROLL
    for (unsigned distance = 1; distance < GF_WARP; distance *= 2) {
        const int64_t other = gf_shfl_up(word, distance);
        const uint32_t before = gf_shfl_up(bits, distance);
        bits |= gf_lane() >= distance && other == word ? before : 0;
    }
    const bool last = gf_shfl_down(word, 1) != word || gf_lane() == GF_WARP - 1;
    gf_pdl_wait();
    if (last && bits != 0) {
        gf_atomic_or(words + word, bits);
    }
}

/* ---- The call ------------------------------------------------------------------------------------------------ */

size_t gf_segmented_layout(const struct gf_segmented_scan_call *call, struct gf_segmented_heads *heads)
{
    const struct gf_array_call *array = &call->scan.array;
    size_t used = gf_scan_cuda_scratch(array);
    const size_t before = used;
    heads->count = (array->n + 31) / 32;
    heads->words = static_cast<uint32_t *>(
        gf_scratch_take(array->scratch, &used, static_cast<size_t>(heads->count) * sizeof(uint32_t)));
    heads->cleared = call->by_key ? 0 : used - before;
    return used;
}

gf_status gf_segmented_heads_cuda(const struct gf_segmented_scan_call *call,
                                  const struct gf_segmented_heads *heads, bool programmatic, gf_error *error)
{
    const struct gf_array_call *array = &call->scan.array;
    gf_launch launch = {};
    launch.block = dim3(SCAN_THREADS);
    launch.stream = static_cast<cudaStream_t>(array->queue.stream);
    launch.programmatic = programmatic;
    if (!call->by_key) {
        launch.grid = dim3(gf_blocks(call->segments, SCAN_THREADS));
        GF_CUDA_TRY(error, GF_LAUNCH(gf_segmented_offsets, launch, call->offsets, call->segments, array->n,
                                     heads->words));
        return GF_OK;
    }
    launch.grid = dim3(gf_blocks(array->n, SCAN_TILE));
    const auto keys = [&](auto tag) {
        using T = typename decltype(tag)::type;
        GF_CUDA_TRY(error, GF_LAUNCH((gf_segmented_keys<T>), launch, static_cast<const T *>(call->keys),
                                     array->n, heads->words, heads->count));
        return GF_OK;
    };
    if (call->key == GF_F32 || call->key == GF_F64) {
        return call->key == GF_F32 ? keys(gf_tag<float>()) : keys(gf_tag<double>());
    }
    switch (gf_depth_size(call->key)) {
    case 1:
        return keys(gf_tag<uint8_t>());
    case 2:
        return keys(gf_tag<uint16_t>());
    case 4:
        return keys(gf_tag<uint32_t>());
    default:
        return keys(gf_tag<uint64_t>());
    }
}

extern "C" size_t gf_segmented_scan_cuda_scratch(const struct gf_array_call *array)
{
    struct gf_segmented_heads heads;
    return array->n > 0 ? gf_segmented_layout(gf_segmented_scan_call_of(array), &heads) : 0;
}

extern "C" gf_status gf_segmented_scan_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_segmented_scan_call *call = gf_segmented_scan_call_of(array);
    GF_ON_DEVICE(array->queue.device, error)
    if (array->n == 0) {
        return GF_OK;
    }
    return call->scan.op == GF_SCAN_SUM ? gf_segmented_scan_sum_cuda(call, error)
                                        : gf_segmented_scan_least_cuda(call, error);
}
