/* The published histograms, corrected: `naive` (every element adds to a counter in global memory) and
 * `shared` (a block counts in shared memory first). One element a thread. docs/primitives/histogram.md names
 * what was wrong with them. */
#include "array/histogram/histogram_cuda.cuh"

enum { HISTOGRAM_BLOCK = 256 };

/* The combined place of this thread's element, or UINT32_MAX past the end. */
template <class T> GF_DEVICE_FN uint32_t gf_histogram_place(const struct gf_histogram_params &p)
{
    const int64_t i = gf_thread_index();
    if (i >= p.n) {
        return UINT32_MAX;
    }
    const T v = static_cast<const T *>(p.in)[i];
    const uint32_t slot = p.bins.kind == GF_BINS_EDGES   ? gf_slot_of<GF_BINS_EDGES>(v, p.bins)
                          : p.bins.kind == GF_BINS_SHIFT ? gf_slot_of<GF_BINS_SHIFT>(v, p.bins)
                                                         : gf_slot_of<GF_BINS_EVEN>(v, p.bins);
    return static_cast<uint32_t>(i % p.channels) * p.row + slot;
}

template <class T> static __global__ void gf_histogram_naive(const struct gf_histogram_params p)
{
    const uint32_t place = gf_histogram_place<T>(p);
    if (place != UINT32_MAX) {
        gf_atomic_add(&p.counts[place], uint64_t(1));
    }
}

template <class T> static __global__ void gf_histogram_block(const struct gf_histogram_params p)
{
    GF_SHARED_DYN(uint32_t, table);
    for (uint32_t i = threadIdx.x; i < p.total; i += blockDim.x) { /* also with fewer threads than bins */
        table[i] = 0;
    }
    __syncthreads();
    const uint32_t place = gf_histogram_place<T>(p);
    if (place != UINT32_MAX) {
        gf_atomic_add(&table[place], 1u);
    }
    __syncthreads();
    gf_histogram_flush(p, table, 0, p.total);
}

static gf_status run_textbook(const struct gf_array_call *call, bool shared, gf_error *error)
{
    struct gf_histogram_params p;
    gf_launch launch = {};
    GF_ON_DEVICE(call->queue.device, error)
    GF_TRY(gf_histogram_prepare(call, &p, error));
    p.columns = 1;
    launch.block = dim3(static_cast<unsigned>(call->options.block ? call->options.block : HISTOGRAM_BLOCK));
    launch.grid = dim3(gf_blocks(p.n, launch.block.x));
    launch.shared = shared ? p.total * sizeof(uint32_t) : 0;
    launch.stream = static_cast<cudaStream_t>(call->queue.stream);
    return gf_dispatch_type<GF_TYPES_ALL>(call->options.type, error, [&](auto tag) -> gf_status {
        using T = typename decltype(tag)::type;
        GF_CUDA_TRY(error, shared ? GF_LAUNCH((gf_histogram_block<T>), launch, p)
                                  : GF_LAUNCH((gf_histogram_naive<T>), launch, p));
        return GF_OK;
    });
}

extern "C" gf_status gf_histogram_naive_cuda(const struct gf_array_call *call, gf_error *error)
{
    return run_textbook(call, false, error);
}

extern "C" gf_status gf_histogram_shared_cuda(const struct gf_array_call *call, gf_error *error)
{
    return run_textbook(call, true, error);
}
