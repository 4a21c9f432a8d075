/* Search on CUDA. The grid reads tiles in the order of their index, and every block stops once its next tile
 * lies behind the lowest match known, so that the answer is the lowest and an early one ends the search
 * early. */
#include "array/common/dispatch_cuda.cuh"
#include "array/common/grid_cuda.cuh"
#include "array/search/search_call.h"
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"

enum { THREADS = 256, BLOCKS = 4, VECTORS = 4 }; /* 64 KB under way on a multiprocessor */

struct gf_search_params {
    const void *in;
    int64_t n, head, vectors; /* elements in front of the first aligned 16 bytes; whole 16 bytes after them */
    uint64_t least, span;
    uint64_t *found; /* lowest index so far, all ones for none; or the count so far */
};

/* The span test for one type: by bits for integers, by keys for floats. */
template <class T> struct gf_span {
    using key = typename gf_order<T>::key;
    key least, span;

    __device__ explicit gf_span(const gf_search_params &p)
        : least(static_cast<key>(p.least)), span(static_cast<key>(p.span))
    {
    }
    __device__ bool holds(T v) const { return static_cast<key>(gf_order<T>::to(v) - least) <= span; }
    __device__ unsigned count(uint4 bytes) const
    {
        T e[16 / sizeof(T)];
        unsigned n = 0;
        memcpy(e, &bytes, sizeof e);
        GF_UNROLL
        for (unsigned k = 0; k < 16 / sizeof(T); k++) {
            n += holds(e[k]);
        }
        return n;
    }
    __device__ int first(uint4 bytes) const /* of a vector that has one */
    {
        T e[16 / sizeof(T)];
        int at = 0;
        memcpy(e, &bytes, sizeof e);
        GF_UNROLL
        for (int k = 16 / static_cast<int>(sizeof(T)) - 1; k >= 0; k--) {
            at = holds(e[k]) ? k : at;
        }
        return at;
    }
};

/* The lowest index of a warp's lanes joins what is known; many lanes may have one. */
GF_DEVICE_FN void gf_offer(uint64_t *found, uint64_t index)
{
    const uint64_t lowest = gf_reduce_min(index);
    if (gf_lane() == 0 && lowest < gf_load_relaxed(found)) {
        gf_atomic_min(found, lowest);
    }
    if (GF_FAULT(cuda_search_any) && gf_lane() == 0 && lowest != ~uint64_t(0)) {
        gf_store_relaxed(found, lowest);
    }
}

/* The index of what lies around the vectors: at most 30 elements, one a lane of the first warp. */
template <class T> GF_DEVICE_FN int64_t gf_edge_index(const gf_search_params &p)
{
    const int64_t tail = p.head + p.vectors * (16 / static_cast<int64_t>(sizeof(T)));
    const int64_t lane = gf_lane(), i = lane < p.head ? lane : tail + lane - p.head;
    return i < p.n - GF_FAULT(cuda_search_tail) ? i : -1;
}

/* Stores what is known before the search; the search starts beside it (programmatic dependent launch). */
static __global__ void gf_search_begin(uint64_t *found, uint64_t known)
{
    gf_pdl_launch();
    *found = known;
}

template <class T> static __global__ void __launch_bounds__(THREADS) gf_search_first(const gf_search_params p)
{
    const gf_span<T> span(p);
    const T *in = static_cast<const T *>(p.in);
    const uint4 *vectors = reinterpret_cast<const uint4 *>(in + p.head);
    const int64_t per = 16 / static_cast<int64_t>(sizeof(T)), tile = int64_t(THREADS) * VECTORS;
    const uint64_t none = ~uint64_t(0);
    gf_pdl_wait();
    if (blockIdx.x == 0 && gf_warp() == 0) {
        const int64_t i = gf_edge_index<T>(p);
        gf_offer(p.found, i >= 0 && span.holds(in[i]) ? static_cast<uint64_t>(i) : none);
    }
    for (int64_t base = blockIdx.x * tile; base < p.vectors; base += gridDim.x * tile) {
        if (gf_all(gf_load_relaxed(p.found) <= static_cast<uint64_t>(p.head + base * per))) {
            break;
        }
        uint4 v[VECTORS];
        unsigned hits = 0;
        GF_UNROLL
        for (int k = 0; k < VECTORS; k++) {
            const int64_t i = base + k * THREADS + threadIdx.x;
            v[k] = i < p.vectors ? gf_load16(vectors + i, GF_STREAM) : uint4{0, 0, 0, 0};
        }
        GF_UNROLL
        for (int k = 0; k < VECTORS; k++) {
            const int64_t i = base + k * THREADS + threadIdx.x;
            hits += i < p.vectors ? span.count(v[k]) : 0u;
        }
        if (gf_any(hits > 0)) {
            uint64_t lowest = none;
            GF_UNROLL
            for (int k = VECTORS - 1; k >= 0; k--) {
                const int64_t i = base + k * THREADS + threadIdx.x;
                const bool here = i < p.vectors && span.count(v[k]) > 0;
                lowest = here ? static_cast<uint64_t>(p.head + i * per + span.first(v[k])) : lowest;
            }
            gf_offer(p.found, lowest);
        }
    }
}

template <class T> static __global__ void __launch_bounds__(THREADS) gf_search_count(const gf_search_params p)
{
    const gf_span<T> span(p);
    const T *in = static_cast<const T *>(p.in);
    const uint4 *vectors = reinterpret_cast<const uint4 *>(in + p.head);
    const int64_t tile = int64_t(THREADS) * VECTORS;
    uint64_t count = 0;
    if (blockIdx.x == 0 && gf_warp() == 0) {
        const int64_t i = gf_edge_index<T>(p);
        count += i >= 0 && span.holds(in[i]);
    }
    for (int64_t base = blockIdx.x * tile + threadIdx.x; base < p.vectors; base += gridDim.x * tile) {
        uint4 v[VECTORS];
        GF_UNROLL
        for (int k = 0; k < VECTORS; k++) {
            v[k] = base + k * THREADS < p.vectors ? gf_load16(vectors + base + k * THREADS, GF_STREAM)
                                                  : uint4{0, 0, 0, 0};
        }
        GF_UNROLL
        for (int k = 0; k < VECTORS; k++) {
            count += base + k * THREADS < p.vectors ? span.count(v[k]) : 0u;
        }
    }
    count = gf_reduce_add(count);
    gf_pdl_wait();
    if (gf_lane() == 0 && count > 0) {
        gf_atomic_add(p.found, count);
    }
}

template <class T> static gf_status search(const struct gf_search_call *call, gf_error *error)
{
    const struct gf_array_call *a = &call->array;
    const int64_t size = sizeof(T);
    int processors = 0;
    gf_search_params p = {};
    p.in = a->in;
    p.n = a->n;
    p.head = gf_head_of(a->in, a->n, size);
    p.vectors = (a->n - p.head) * size / 16;
    p.least = call->test.least;
    p.span = call->test.span;
    p.found = reinterpret_cast<uint64_t *>(call->found);
    GF_TRY(gf_multiprocessors(&processors, error));
    const int64_t tiles = gf_blocks(p.vectors, int64_t(THREADS) * VECTORS),
                  grid = int64_t(processors) * BLOCKS;
    gf_launch launch = gf_launch_on(a->queue.stream,
                                    static_cast<unsigned>(tiles < 1      ? 1
                                                          : tiles < grid ? tiles
                                                                         : grid),
                                    THREADS);
    launch.programmatic = true;
    if (call->mode == GF_SEARCH_COUNT) {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_search_count<T>, launch, p));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_search_first<T>, launch, p));
    }
    return GF_OK;
}

size_t gf_search_cuda_scratch(const struct gf_array_call *array)
{
    const struct gf_search_call *call = gf_search_call_of(array);
    const struct gf_compact_call all = gf_search_as_compact(call);
    return call->mode == GF_SEARCH_ALL ? gf_compact_cuda_scratch(&all.array) : 0;
}

gf_status gf_search_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_search_call *call = gf_search_call_of(array);
    if (call->mode == GF_SEARCH_ALL) {
        const struct gf_compact_call all = gf_search_as_compact(call);
        return gf_compact_cuda(&all.array, error);
    }
    GF_ON_DEVICE(array->queue.device, error)
    gf_launch begin = {};
    begin.stream = static_cast<cudaStream_t>(array->queue.stream);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_search_begin, begin, reinterpret_cast<uint64_t *>(call->found),
                                 call->mode == GF_SEARCH_FIRST ? ~uint64_t(0) : uint64_t(0)));
    if (array->n == 0 || call->test.outside) {
        return GF_OK;
    }
    /* Signed integers have the bits of unsigned ones; only floats need keys. */
    switch (array->options.type) {
    case GF_U8:
        return search<uint8_t>(call, error);
    case GF_U16:
    case GF_S16:
        return search<uint16_t>(call, error);
    case GF_U32:
    case GF_S32:
        return search<uint32_t>(call, error);
    case GF_U64:
    case GF_S64:
        return search<uint64_t>(call, error);
    case GF_F32:
        return search<float>(call, error);
    default:
        return search<double>(call, error);
    }
}
