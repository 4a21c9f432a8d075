/* Reduction on CUDA where the order of elements does not show: a persistent grid reads 16 bytes a thread at a
 * time, four loads in flight; the block that ends last joins what all found. */
#include "array/reduce/reduce_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"

/* Three blocks of 512 threads with 64 bytes each under way: 96 KB a multiprocessor. */
enum { THREADS = 512, WARPS = THREADS / GF_WARP, BLOCKS = 3, VECTORS_AT_ONCE = 4 };

template <class K>
static __global__ void __launch_bounds__(THREADS, BLOCKS) gf_reduce_free(const struct gf_reduce_params p)
{
    using T = typename K::type;
    using part = typename K::part;
    GF_SHARED(part, room, WARPS);
    GF_SHARED(uint32_t, slot, 1);
    const int64_t per = 16 / static_cast<int64_t>(sizeof(T));
    const T *in = static_cast<const T *>(p.in);
    const uint4 *vectors = reinterpret_cast<const uint4 *>(in + p.head);
    const int64_t stride = int64_t(gridDim.x) * THREADS;
    const int64_t first = int64_t(blockIdx.x) * THREADS + threadIdx.x;
    part *parts = static_cast<part *>(p.parts);
    K mine(p.how);
    int64_t i = first;
    for (; i + (VECTORS_AT_ONCE - 1) * stride < p.vectors; i += VECTORS_AT_ONCE * stride) {
        uint4 v[VECTORS_AT_ONCE];
        GF_UNROLL
        for (int k = 0; k < VECTORS_AT_ONCE; k++) {
            v[k] = gf_load16(vectors + i + k * stride, GF_STREAM);
        }
        GF_UNROLL
        for (int k = 0; k < VECTORS_AT_ONCE; k++) {
            mine.vector(v[k], p.head + (i + k * stride) * per);
        }
    }
    for (; i < p.vectors; i += stride) {
        mine.vector(gf_load16(vectors + i, GF_STREAM), p.head + i * per);
    }
    const int64_t tail =
        p.head + p.vectors * per; /* fewer than 16 elements stand before the vectors, and after */
    if (first < p.head) {
        mine.element(in[first], first);
    }
    if (tail + first < p.n - GF_FAULT(cuda_reduce_tail)) {
        mine.element(in[tail + first], tail + first);
    }
    part own = gf_warp_join<K>(p.how, mine.get(), GF_WARP);
    if (gf_lane() == 0) {
        room[gf_warp()] = own;
    }
    __syncthreads();
    if (gf_warp() == 0) {
        own = gf_warp_join<K>(p.how, room[gf_lane() % WARPS], WARPS);
    }
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = own;
    }
    if (gf_reduce_is_last(p, slot)) {
        own = gf_block_tree<K>(p.how, parts, gridDim.x, room);
        if (threadIdx.x == 0) {
            gf_reduce_finish<K>(p.how, p.n, own, p.in, p.out);
        }
    }
}

template <class K> static gf_status run_kind(const struct gf_array_call *call, gf_error *error)
{
    int processors = 0;
    GF_TRY(gf_multiprocessors(&processors, error));
    struct gf_reduce_params p = gf_reduce_prepare(call, sizeof(typename K::type));
    const int64_t useful = gf_blocks(p.vectors, int64_t(THREADS) * VECTORS_AT_ONCE);
    const int64_t grid = processors * BLOCKS < useful ? processors * BLOCKS : useful;
    gf_launch launch = gf_launch_on(call->queue.stream, static_cast<unsigned>(grid < 1 ? 1 : grid), THREADS);
    GF_TRY(gf_reduce_clear(p, &launch, error));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_reduce_free<K>), launch, p));
    return GF_OK;
}

extern "C" gf_status gf_reduce_cuda(const struct gf_array_call *call, gf_error *error)
{
    const gf_reduce_op op = gf_reduce_call_of(call)->op;
    const gf_depth type = call->options.type;
    GF_ON_DEVICE(call->queue.device, error)
    if (gf_reduce_is_ordered(op, type)) {
        return gf_reduce_leaves_cuda(call, error);
    }
    const gf_depth summed = type == GF_S64 ? GF_U64 : type;
    constexpr uint32_t SUMMED = GF_TYPES_INTEGER & ~GF_TYPE_BIT(GF_S64);
    switch (op) {
    case GF_REDUCE_SUM:
        return gf_dispatch_type<SUMMED>(summed, error, [&](auto tag) {
            return run_kind<gf_sum_kind<typename decltype(tag)::type>>(call, error);
        });
    case GF_REDUCE_PRODUCT:
    case GF_REDUCE_AND:
    case GF_REDUCE_OR:
    case GF_REDUCE_XOR:
        return gf_dispatch_type<SUMMED>(summed, error, [&](auto tag) {
            return run_kind<gf_bits_kind<typename decltype(tag)::type>>(call, error);
        });
    case GF_REDUCE_ANY:
    case GF_REDUCE_ALL:
        return gf_dispatch_key(type, error, [&](auto tag) {
            return run_kind<gf_truth_kind<typename decltype(tag)::type>>(call, error);
        });
    case GF_REDUCE_MEAN:
    case GF_REDUCE_VAR:
        return gf_dispatch_type<GF_TYPES_INTEGER>(type, error, [&](auto tag) {
            return run_kind<gf_exact_kind<typename decltype(tag)::type>>(call, error);
        });
    default:
        return gf_dispatch_key(type, error, [&](auto tag) {
            return run_kind<gf_rank_kind<typename decltype(tag)::type>>(call, error);
        });
    }
}
