/* Reduction on CUDA in the order that gpufilter/reduce.h fixes: a block of 128 threads takes a leaf, each
 * thread one of its accumulators and all 32 elements of it at once, so that a leaf is read once, in one round
 * trip, while the leaf before it is folded. A block does a run of leaves, a subtree; the block that ends last
 * joins the runs. */
#include "array/reduce/reduce_cuda.cuh"
#include "base/planted_fault.h"

enum {
    THREADS = GF_REDUCE_LANES,
    WARPS = THREADS / GF_WARP,
    STEPS = GF_REDUCE_LEAF / GF_REDUCE_LANES,
    PARTS_AT_ONCE = THREADS * GF_REDUCE_RUN,
    LONG_RUN = 16, /* leaves, behind which the first loads of a run do not show */
    LEVELS = 40    /* of the tree inside a run */
};

/* Sum and product: the part is the number. */
template <class T, bool PRODUCT> struct gf_number_kind {
    using type = T;
    using part = double;
    static const bool MOMENTS = false;
    static __device__ double start() { return PRODUCT ? 1.0 : 0.0; }
    static __device__ double take(double sum, double v) { return PRODUCT ? sum * v : sum + v; }
    static __device__ double fold(double a, double b) { return take(a, b); }
    static __device__ part join(gf_reduce_how, part a, part b) { return take(a, b); }
    static __device__ part leaf(double number, double, int64_t) { return number; }
    static __device__ void finish(part p, struct gf_reduce_part *all) { all->number = p; }
};

/* Number, mean and squared distances. */
template <class T> struct gf_moments_kind {
    using type = T;
    using part = struct gf_moments;
    static const bool MOMENTS = true;
    static __device__ double start() { return 0.0; }
    static __device__ double take(double sum, double v) { return sum + v; }
    static __device__ double fold(double a, double b) { return a + b; }
    static __device__ part join(gf_reduce_how, part a, part b) { return gf_moments_join(a, b); }
    static __device__ part leaf(double number, double distance, int64_t n)
    {
        part p;
        p.n = static_cast<double>(n);
        p.mean = number / p.n;
        p.m2 = distance;
        return p;
    }
    static __device__ void finish(part p, struct gf_reduce_part *all) { all->moments = p; }
};

/* The contract's fold over the block: accumulators j and j + 64, j + 32, then within the first warp. In
 * thread 0. room: 96 numbers that nobody else uses until all threads have met again. */
template <class K> GF_DEVICE_FN double gf_leaf_fold(double sum, double *room)
{
    if (threadIdx.x >= 64) {
        room[threadIdx.x - 64] = sum;
    }
    __syncthreads();
    if (threadIdx.x < 64) {
        sum = K::fold(sum, room[threadIdx.x]);
    }
    if (gf_warp() == 1) {
        room[32 + threadIdx.x] = sum;
    }
    __syncthreads();
    if (gf_warp() == 0) {
        sum = K::fold(sum, room[64 + threadIdx.x]);
        GF_UNROLL
        for (unsigned step = GF_WARP / 2; step > 0; step /= 2) {
            sum = K::fold(sum, gf_shfl_down(sum, GF_FAULT(cuda_reduce_order) ? GF_WARP / 2 / step : step));
        }
    }
    return sum;
}

/* Elements of a leaf; 0 behind the last. */
GF_DEVICE_FN int32_t gf_leaf_size(int64_t n, int64_t leaf)
{
    const int64_t rest = n - leaf * GF_REDUCE_LEAF;
    return rest < 0 ? 0 : rest < GF_REDUCE_LEAF ? static_cast<int32_t>(rest) : int32_t(GF_REDUCE_LEAF);
}

/* This thread's element s of the leaf p[0..n). */
template <class T> GF_DEVICE_FN T gf_leaf_element(const T *p, int32_t n, int32_t s)
{
    const int32_t at = s * THREADS + static_cast<int32_t>(threadIdx.x);
    return at < n ? p[at] : T(0);
}

/* The part of a leaf of n elements, in thread 0. An element of v that is done with makes room for
 * one of the next leaf, so that loads are on their way all the time. */
template <class K>
GF_DEVICE_FN typename K::part gf_leaf_part(typename K::type (&v)[STEPS], int32_t n,
                                           const typename K::type *next, int32_t next_n, double *room,
                                           double *mean)
{
    const int32_t own = n - static_cast<int32_t>(threadIdx.x);
    double sum = K::start(), distance = 0.0;
    GF_UNROLL
    for (int32_t s = 0; s < STEPS; s++) {
        sum = s * THREADS < own ? K::take(sum, static_cast<double>(v[s])) : sum;
        if constexpr (!K::MOMENTS) {
            v[s] = gf_leaf_element(next, next_n, s);
        }
    }
    sum = gf_leaf_fold<K>(sum, room);
    if constexpr (K::MOMENTS) {
        if (threadIdx.x == 0) {
            *mean = sum / static_cast<double>(n);
        }
        __syncthreads();
        GF_UNROLL
        for (int32_t s = 0; s < STEPS; s++) {
            const double step = static_cast<double>(v[s]) - *mean;
            distance = s * THREADS < own ? distance + step * step : distance;
            v[s] = gf_leaf_element(next, next_n, s);
        }
        distance = gf_leaf_fold<K>(distance, room);
    }
    return K::leaf(sum, distance, n);
}

/* Thread 0 calls it: part i of a row of subtrees of one size joins those that wait, as in reduce_forest.h. */
template <class K>
GF_DEVICE_FN void gf_tree_add(gf_reduce_how how, typename K::part *tree, int64_t i, typename K::part own)
{
    int level = 0;
    for (; (i >> level & 1) != 0; level++) {
        own = K::join(how, tree[level], own);
    }
    tree[level] = own;
}

/* Returns what `count` parts, at least one, have come to. */
template <class K>
GF_DEVICE_FN typename K::part gf_tree_join(gf_reduce_how how, const typename K::part *tree, int64_t count)
{
    int level = 0;
    while ((count >> level & 1) == 0) {
        level++;
    }
    typename K::part all = tree[level++];
    for (; count >> level != 0; level++) {
        all = (count >> level & 1) != 0 ? K::join(how, tree[level], all) : all;
    }
    return all;
}

/* The tree over the parts of all runs, by one block: in thread 0. */
template <class K>
GF_DEVICE_FN typename K::part gf_runs_tree(gf_reduce_how how, const typename K::part *parts, int64_t runs,
                                           typename K::part *tree, typename K::part *room)
{
    int64_t chunks = 0;
    for (int64_t first = 0; first < runs; first += PARTS_AT_ONCE, chunks++) {
        const int64_t left = runs - first;
        const typename K::part own =
            gf_block_tree<K>(how, parts + first, left < PARTS_AT_ONCE ? left : int64_t(PARTS_AT_ONCE), room);
        if (threadIdx.x == 0) {
            gf_tree_add<K>(how, tree, chunks, own);
        }
        __syncthreads();
    }
    return threadIdx.x == 0 ? gf_tree_join<K>(how, tree, chunks) : typename K::part{};
}

template <class K>
static __global__ void __launch_bounds__(THREADS) gf_reduce_leaves(const struct gf_reduce_params p)
{
    using T = typename K::type;
    using part = typename K::part;
    GF_SHARED(part, tree, LEVELS); /* of thread 0: the subtrees that wait */
    GF_SHARED(part, room, WARPS);
    GF_SHARED(double, lanes,
              2 * 96); /* two in turn: a leaf's threads may be in the next one while thread 0 reads */
    GF_SHARED(double, mean, 1);
    GF_SHARED(uint32_t, slot, 1);
    const T *in = static_cast<const T *>(p.in);
    part *parts = static_cast<part *>(p.parts);
    const int64_t leaves = (p.n + GF_REDUCE_LEAF - 1) / GF_REDUCE_LEAF;
    const int64_t runs = (leaves + p.leaves_of_run - 1) / p.leaves_of_run;
    for (int64_t run = blockIdx.x; run < runs; run += gridDim.x) {
        const int64_t first = run * p.leaves_of_run;
        const int64_t count = leaves - first < p.leaves_of_run ? leaves - first : p.leaves_of_run;
        T v[STEPS];
        GF_UNROLL
        for (int32_t s = 0; s < STEPS; s++) {
            v[s] = gf_leaf_element(in + first * GF_REDUCE_LEAF, gf_leaf_size(p.n, first), s);
        }
        for (int64_t i = 0; i < count; i++) {
            const int64_t leaf = first + i,
                          next = i + 1 < count ? leaf + 1 : leaves; /* past the end: empty */
            const part own = gf_leaf_part<K>(v, gf_leaf_size(p.n, leaf), in + next * GF_REDUCE_LEAF,
                                             gf_leaf_size(p.n, next), lanes + (i % 2) * 96, mean);
            if (threadIdx.x == 0) {
                gf_tree_add<K>(p.how, tree, i, own);
            }
        }
        if (threadIdx.x == 0) {
            parts[run] = gf_tree_join<K>(p.how, tree, count);
        }
    }
    if (gf_reduce_is_last(p, slot)) {
        part all = {};
        if (runs > 0) {
            all = gf_runs_tree<K>(p.how, parts, runs, tree, room);
        }
        if (threadIdx.x == 0) {
            gf_reduce_finish<K>(p.how, p.n, all, p.in, p.out);
        }
    }
}

template <class K> static gf_status run_kind(const struct gf_array_call *call, gf_error *error)
{
    const int64_t leaves = (call->n + GF_REDUCE_LEAF - 1) / GF_REDUCE_LEAF;
    struct gf_reduce_params p = gf_reduce_prepare(call, sizeof(typename K::type));
    p.leaves_of_run = 1;
    while (p.leaves_of_run * PARTS_AT_ONCE < leaves &&
           (K::MOMENTS || p.leaves_of_run < LONG_RUN || p.leaves_of_run * GF_REDUCE_PARTS < leaves)) {
        p.leaves_of_run *= 2; /* sums: long runs, and several for each resident block, which evens out */
    }
    const unsigned runs = gf_blocks(leaves, p.leaves_of_run);
    gf_launch launch = gf_launch_on(call->queue.stream, runs < 1 ? 1u : runs, THREADS);
    GF_TRY(gf_reduce_clear(p, &launch, error));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_reduce_leaves<K>), launch, p));
    return GF_OK;
}

gf_status gf_reduce_leaves_cuda(const struct gf_array_call *call, gf_error *error)
{
    const gf_reduce_op op = gf_reduce_call_of(call)->op;
    if (op == GF_REDUCE_VAR) {
        const uint32_t types = GF_TYPES_FLOAT | GF_TYPE_BIT(GF_U64) | GF_TYPE_BIT(GF_S64);
        return gf_dispatch_type<types>(call->options.type, error, [&](auto tag) {
            return run_kind<gf_moments_kind<typename decltype(tag)::type>>(call, error);
        });
    }
    return gf_dispatch_type<GF_TYPES_FLOAT>(call->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return op == GF_REDUCE_PRODUCT ? run_kind<gf_number_kind<T, true>>(call, error)
                                       : run_kind<gf_number_kind<T, false>>(call, error);
    });
}

extern "C" size_t gf_reduce_cuda_scratch(const struct gf_array_call *)
{
    return GF_ARRAY_ALIGNMENT + size_t(GF_REDUCE_PARTS) * sizeof(struct gf_exact_sums);
}
