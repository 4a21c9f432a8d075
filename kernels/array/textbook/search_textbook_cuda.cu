/* The published searches, corrected: every thread looks at `unroll` elements and offers the lowest index of
 * its matches; none stops early. docs/primitives/search.md names what was wrong with them. */
#include "array/common/dispatch_cuda.cuh"
#include "array/common/grid_cuda.cuh"
#include "array/search/search_call.h"
#include "base/device_scope_cuda.h"

struct gf_textbook_search {
    const void *in;
    int64_t n, threads; /* threads of the grid that have work: n / unroll, rounded up */
    uint64_t least, span;
    int32_t unroll;
    uint64_t *found;
};

/* int, or unsigned: the difference is the same. */
GF_DEVICE_FN void gf_look(const gf_textbook_search &p, int64_t i)
{
    if (i < p.n) {
        const uint32_t v = static_cast<const uint32_t *>(p.in)[i];
        if (v - static_cast<uint32_t>(p.least) <= static_cast<uint32_t>(p.span)) {
            gf_atomic_min(p.found, static_cast<uint64_t>(i));
        }
    }
}

/* Neighbours: threads of a warp read far apart. */
static __global__ void gf_search_strided(const gf_textbook_search p)
{
    const int64_t thread = gf_thread_index();
    for (int k = 0; k < p.unroll; k++) {
        gf_look(p, thread * p.unroll + k);
    }
}

/* Threads of a warp read neighbours. */
static __global__ void gf_search_coalesced(const gf_textbook_search p)
{
    const int64_t thread = gf_thread_index();
    if (thread < p.threads) {
        for (int k = 0; k < p.unroll; k++) {
            gf_look(p, k * p.threads + thread);
        }
    }
}

template <int K> static __global__ void gf_search_unrolled(const gf_textbook_search p)
{
    const int64_t thread = gf_thread_index();
    if (thread < p.threads) {
        GF_UNROLL
        for (int k = 0; k < K; k++) {
            gf_look(p, k * p.threads + thread);
        }
    }
}

static __global__ void gf_search_full(const gf_textbook_search p)
{
    gf_look(p, gf_thread_index());
}

enum gf_textbook { STRIDED, COALESCED, UNROLLED, FULL };
enum { DEFAULT_BLOCK = 256, DEFAULT_UNROLL = 12, UNROLL_MOST = 64 };

/* The kernel with K = unroll, found by counting down. */
template <int K> static cudaError_t launch_unrolled(const gf_launch &launch, const gf_textbook_search &p)
{
    if constexpr (K > 1) {
        if (p.unroll < K) {
            return launch_unrolled<K - 1>(launch, p);
        }
    }
    return GF_LAUNCH(gf_search_unrolled<K>, launch, p);
}

static cudaError_t launch_one(gf_textbook variant, const gf_launch &launch, const gf_textbook_search &p)
{
    switch (variant) {
    case STRIDED:
        return GF_LAUNCH(gf_search_strided, launch, p);
    case COALESCED:
        return GF_LAUNCH(gf_search_coalesced, launch, p);
    case UNROLLED:
        return launch_unrolled<UNROLL_MOST>(launch, p);
    default:
        return GF_LAUNCH(gf_search_full, launch, p);
    }
}

static gf_status run_textbook(const struct gf_array_call *array, gf_textbook variant, gf_error *error)
{
    const struct gf_search_call *call = gf_search_call_of(array);
    const int32_t block = array->options.block ? array->options.block : int32_t(DEFAULT_BLOCK);
    gf_textbook_search p = {};
    gf_launch launch = {};
    GF_ON_DEVICE(array->queue.device, error)
    launch.stream = static_cast<cudaStream_t>(array->queue.stream);
    GF_CUDA_TRY(error, cudaMemsetAsync(call->found, 0xff, sizeof *call->found, launch.stream));
    if (array->n == 0 || call->test.outside) {
        return GF_OK;
    }
    p.in = array->in;
    p.n = array->n;
    p.unroll = variant == FULL ? 1 : array->options.unroll ? array->options.unroll : int32_t(DEFAULT_UNROLL);
    p.threads = (p.n + p.unroll - 1) / p.unroll;
    p.least = call->test.least;
    p.span = call->test.span;
    p.found = reinterpret_cast<uint64_t *>(call->found);
    launch.grid = dim3(gf_blocks(p.threads, block));
    launch.block = dim3(static_cast<unsigned>(block));
    GF_CUDA_TRY(error, launch_one(variant, launch, p));
    return GF_OK;
}

gf_status gf_search_strided_cuda(const struct gf_array_call *call, gf_error *error)
{
    return run_textbook(call, STRIDED, error);
}
gf_status gf_search_coalesced_cuda(const struct gf_array_call *call, gf_error *error)
{
    return run_textbook(call, COALESCED, error);
}
gf_status gf_search_unrolled_cuda(const struct gf_array_call *call, gf_error *error)
{
    return run_textbook(call, UNROLLED, error);
}
gf_status gf_search_full_cuda(const struct gf_array_call *call, gf_error *error)
{
    return run_textbook(call, FULL, error);
}
