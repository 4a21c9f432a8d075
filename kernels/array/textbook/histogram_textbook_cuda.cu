/* The published histograms, one element a thread, bytes into 256 counters of 32 bits, corrected: `naive`
 * (every element adds to a counter in global memory) and `shared` (a block counts in shared memory, and adds
 * all of its counters to those in global memory, whatever they are). And what makes them better:
 * `naive-wide`, whose counters of 64 bits lie in twice as many lines, and `shared-skip`, which adds no zeros.
 * docs/primitives/histogram.md names what was wrong with the published ones. */
#include "array/common/grid_cuda.cuh"
#include "array/histogram/histogram_call.h"
#include "base/device_scope_cuda.h"

enum { GF_TEXT_BINS = 256 };

template <class C> GF_DEVICE_FN void gf_count_byte(const uint8_t *in, C *counts, uint32_t n)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        gf_atomic_add(&counts[in[i]], C(1));
    }
}

static __global__ void gf_histogram_naive(const uint8_t *in, uint32_t *counts, uint32_t n)
{
    gf_count_byte(in, counts, n);
}

static __global__ void gf_histogram_wide(const uint8_t *in, uint64_t *counts, uint32_t n)
{
    gf_count_byte(in, counts, n);
}

/* By a block in its table, which is then added to all others'. Also with fewer threads than there are bins.
 */
template <bool SKIP>
GF_DEVICE_FN void gf_count_block(const uint8_t *in, uint32_t *counts, uint32_t n, uint32_t *table)
{
    for (uint32_t bin = threadIdx.x; bin < GF_TEXT_BINS; bin += blockDim.x) {
        table[bin] = 0;
    }
    __syncthreads();
    gf_count_byte(in, table, n);
    __syncthreads();
    for (uint32_t bin = threadIdx.x; bin < GF_TEXT_BINS; bin += blockDim.x) {
        if (!SKIP || table[bin] != 0) {
            gf_atomic_add(&counts[bin], table[bin]);
        }
    }
}

static __global__ void gf_histogram_block(const uint8_t *in, uint32_t *counts, uint32_t n)
{
    GF_SHARED(uint32_t, table, GF_TEXT_BINS);
    gf_count_block<false>(in, counts, n, table);
}

static __global__ void gf_histogram_skip(const uint8_t *in, uint32_t *counts, uint32_t n)
{
    GF_SHARED(uint32_t, table, GF_TEXT_BINS);
    gf_count_block<true>(in, counts, n, table);
}

/* To counters of 64 bits; nothing lies below the bytes, above them, and none is no number. */
static __global__ void gf_histogram_widen(const uint32_t *counts, uint64_t *out)
{
    for (uint32_t i = threadIdx.x; i < GF_TEXT_BINS + GF_HISTOGRAM_EXTRA; i += blockDim.x) {
        out[i] = i < GF_TEXT_BINS ? counts[i] : 0;
    }
}

static gf_launch count_launch(const struct gf_array_call *call)
{
    const unsigned block = call->options.block > 0 ? static_cast<unsigned>(call->options.block) : 256;
    return gf_launch_on(call->queue.stream, gf_blocks(call->n, block), block);
}

/* Zeroes 32-bit counters in scratch, has them counted by queue(bytes, counters, n), and widens them. */
template <class F> static gf_status run_narrow(const struct gf_array_call *call, F &&queue, gf_error *error)
{
    uint32_t *const counts = static_cast<uint32_t *>(call->scratch);
    const gf_launch widen = gf_launch_on(call->queue.stream, 1, GF_TEXT_BINS);
    GF_ON_DEVICE(call->queue.device, error)
    GF_CUDA_TRY(error, cudaMemsetAsync(counts, 0, GF_TEXT_BINS * sizeof *counts, widen.stream));
    GF_CUDA_TRY(error, queue(static_cast<const uint8_t *>(call->in), counts, static_cast<uint32_t>(call->n)));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_histogram_widen, widen, counts, static_cast<uint64_t *>(call->out)));
    return GF_OK;
}

extern "C" gf_status gf_histogram_naive_cuda(const struct gf_array_call *call, gf_error *error)
{
    return run_narrow(
        call,
        [&](const uint8_t *in, uint32_t *counts, uint32_t n) {
            return GF_LAUNCH(gf_histogram_naive, count_launch(call), in, counts, n);
        },
        error);
}

extern "C" gf_status gf_histogram_wide_cuda(const struct gf_array_call *call, gf_error *error)
{
    const gf_launch launch = count_launch(call);
    uint64_t *const counts = static_cast<uint64_t *>(call->out);
    GF_ON_DEVICE(call->queue.device, error)
    GF_CUDA_TRY(error, cudaMemsetAsync(counts, 0, (GF_TEXT_BINS + GF_HISTOGRAM_EXTRA) * sizeof *counts,
                                       launch.stream));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_histogram_wide, launch, static_cast<const uint8_t *>(call->in), counts,
                                 static_cast<uint32_t>(call->n)));
    return GF_OK;
}

extern "C" gf_status gf_histogram_shared_cuda(const struct gf_array_call *call, gf_error *error)
{
    return run_narrow(
        call,
        [&](const uint8_t *in, uint32_t *counts, uint32_t n) {
            return GF_LAUNCH(gf_histogram_block, count_launch(call), in, counts, n);
        },
        error);
}

extern "C" gf_status gf_histogram_skip_cuda(const struct gf_array_call *call, gf_error *error)
{
    return run_narrow(
        call,
        [&](const uint8_t *in, uint32_t *counts, uint32_t n) {
            return GF_LAUNCH(gf_histogram_skip, count_launch(call), in, counts, n);
        },
        error);
}
