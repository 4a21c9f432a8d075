/* Unique keys with values on CUDA. The pass of run_length writes the keys, and leaves a bit for each key, 1
 * where a run begins, and what lies before each tile. The second pass reads the bits, an eighth of a byte a
 * key, and fetches the values that they stand for: where runs are long, few of them. */
#include "array/common/grid_cuda.cuh"
#include "array/keyed/unique_by_key_call.h"
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"

enum { UNIQUE_THREADS = GF_RUNS_TILE / GF_WARP, UNIQUE_WARPS = UNIQUE_THREADS / GF_WARP };

struct gf_unique_params {
    const void *values;
    void *out;
    int64_t capacity;
    const uint32_t *heads;
    const struct gf_runs_before *before;
};

/* A block has a tile: each thread a word of 32 bits; then each warp goes through its 32 words, a lane a bit.
 */
template <class V>
static __global__ void __launch_bounds__(UNIQUE_THREADS) gf_unique_values(const gf_unique_params p)
{
    GF_SHARED(uint32_t, totals, UNIQUE_WARPS);
    gf_pdl_wait();
    const uint32_t word = p.heads[gf_thread_index()];
    const uint32_t own = static_cast<uint32_t>(__popc(word));
    uint32_t sum = own;
    GF_UNROLL
    for (unsigned step = 1; step < GF_WARP; step *= 2) {
        const uint32_t up = gf_shfl_up(sum, step);
        sum += gf_lane() >= step ? up : 0u;
    }
    if (gf_lane() == GF_WARP - 1) {
        totals[gf_warp()] = sum;
    }
    __syncthreads();
    uint32_t rank = sum - own; /* runs of the tile before this word */
    for (unsigned w = 0; w < gf_warp(); w++) {
        rank += totals[w];
    }
    const int64_t run =
        static_cast<int64_t>(p.before[blockIdx.x].runs) + (GF_FAULT(cuda_unique_word) ? 0 : rank);
    const int64_t first = int64_t(blockIdx.x) * GF_RUNS_TILE + int64_t(gf_warp()) * GF_WARP * GF_WARP;
    for (unsigned w = 0; w < GF_WARP; w++) {
        const uint32_t bits = gf_shfl(word, w);
        const int64_t at = static_cast<int64_t>(gf_shfl(static_cast<uint64_t>(run), w)) +
                           __popc(bits & ((1u << gf_lane()) - 1u));
        if ((bits >> gf_lane() & 1u) != 0 && at < p.capacity) {
            static_cast<V *>(p.out)[at] = static_cast<const V *>(p.values)[first + w * GF_WARP + gf_lane()];
        }
    }
}

/* run_length's scratch, then bits and what lies before each tile. */
static size_t layout(const struct gf_unique_by_key_call *call, struct gf_run_length_call *runs)
{
    const struct gf_array_call *a = &call->array;
    const size_t tiles = static_cast<size_t>((a->n + GF_RUNS_TILE - 1) / GF_RUNS_TILE);
    size_t used = 0;
    *runs = {};
    runs->array = *a;
    runs->capacity = call->capacity;
    runs->runs = call->runs;
    (void)gf_scratch_take(nullptr, &used, gf_run_length_cuda_scratch(&runs->array));
    runs->heads = static_cast<uint32_t *>(
        gf_scratch_take(a->scratch, &used, tiles * UNIQUE_THREADS * sizeof(uint32_t)));
    runs->before = static_cast<struct gf_runs_before *>(
        gf_scratch_take(a->scratch, &used, tiles * sizeof *runs->before));
    return used;
}

extern "C" size_t gf_unique_by_key_cuda_scratch(const struct gf_array_call *call)
{
    struct gf_run_length_call runs;
    return call->n > 0 ? layout(gf_unique_by_key_call_of(call), &runs) : 0;
}

extern "C" gf_status gf_unique_by_key_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_unique_by_key_call *call = gf_unique_by_key_call_of(array);
    struct gf_run_length_call runs;
    GF_ON_DEVICE(array->queue.device, error)
    (void)layout(call, &runs);
    GF_TRY(gf_run_length_cuda(&runs.array, error));
    if (array->n == 0) {
        return GF_OK;
    }
    const gf_unique_params p = {call->values, call->values_out, call->capacity, runs.heads, runs.before};
    gf_launch launch = gf_launch_on(array->queue.stream, gf_blocks(array->n, GF_RUNS_TILE), UNIQUE_THREADS);
    launch.programmatic = true;
    switch (call->value_size) {
    case 1:
        GF_CUDA_TRY(error, GF_LAUNCH((gf_unique_values<uint8_t>), launch, p));
        break;
    case 2:
        GF_CUDA_TRY(error, GF_LAUNCH((gf_unique_values<uint16_t>), launch, p));
        break;
    case 4:
        GF_CUDA_TRY(error, GF_LAUNCH((gf_unique_values<uint32_t>), launch, p));
        break;
    default:
        GF_CUDA_TRY(error, GF_LAUNCH((gf_unique_values<uint64_t>), launch, p));
    }
    return GF_OK;
}
