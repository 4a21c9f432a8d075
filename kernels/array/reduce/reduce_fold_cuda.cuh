/* Joins the parts of threads to that of a block, and those of all blocks to the result. */
#ifndef GF_ARRAY_REDUCE_FOLD_CUDA_CUH
#define GF_ARRAY_REDUCE_FOLD_CUDA_CUH

#include "array/reduce/reduce_kinds_cuda.cuh"
#include "array/reduce/reduce_result.h"

enum {
    GF_REDUCE_RUN = 8,     /* parts that one thread joins */
    GF_REDUCE_PARTS = 4096 /* most there are: blocks, or runs of leaves */
};

/* The part of lane + step; own part past the end. */
template <class P> GF_DEVICE_FN P gf_part_down(P part, unsigned step)
{
    uint64_t words[sizeof(P) / 8];
    memcpy(words, &part, sizeof part);
    GF_UNROLL
    for (unsigned i = 0; i < sizeof(P) / 8; i++) {
        words[i] = gf_shfl_down(words[i], step);
    }
    memcpy(&part, words, sizeof part);
    return part;
}

/* (0, 1), (2, 3), ... over the lanes below `lanes`, the last without a partner going up as it is. Lane 0 has
 * the result. */
template <class K>
GF_DEVICE_FN typename K::part gf_warp_join(gf_reduce_how how, typename K::part own, unsigned lanes)
{
    GF_UNROLL
    for (unsigned step = 1; step < GF_WARP; step *= 2) {
        const typename K::part other = gf_part_down(own, step);
        if (gf_lane() % (2 * step) == 0 && gf_lane() + step < lanes) {
            own = K::join(how, own, other);
        }
    }
    return own;
}

/* The tree over parts[0..n), n at most GF_REDUCE_RUN a thread: the result in thread 0. All threads of a block
 * of whole warps call it; room: one part a warp. */
template <class K>
GF_DEVICE_FN typename K::part gf_block_tree(gf_reduce_how how, const typename K::part *parts, int64_t n,
                                            typename K::part *room)
{
    using part = typename K::part;
    const int64_t first = int64_t(threadIdx.x) * GF_REDUCE_RUN;
    const int64_t left = (n + GF_REDUCE_RUN - 1) / GF_REDUCE_RUN - int64_t(gf_warp()) * GF_WARP;
    part run[GF_REDUCE_RUN];
    GF_UNROLL
    for (int i = 0; i < GF_REDUCE_RUN; i++) {
        run[i] = parts[first + i < n ? first + i : 0];
    }
    GF_UNROLL
    for (int step = 1; step < GF_REDUCE_RUN; step *= 2) {
        GF_UNROLL
        for (int i = 0; i < GF_REDUCE_RUN; i += 2 * step) {
            run[i] = first + i + step < n ? K::join(how, run[i], run[i + step]) : run[i];
        }
    }
    part own = gf_warp_join<K>(how, run[0],
                               left < 0         ? 0u
                               : left < GF_WARP ? static_cast<unsigned>(left)
                                                : 32u);
    if (gf_lane() == 0) {
        room[gf_warp()] = own;
    }
    __syncthreads();
    if (gf_warp() == 0) {
        const int64_t each = int64_t(GF_REDUCE_RUN) * GF_WARP;
        const unsigned warps = static_cast<unsigned>((n + each - 1) / each);
        own = gf_warp_join<K>(how, room[gf_lane() < warps ? gf_lane() : 0], warps);
    }
    return own;
}

template <class K>
GF_DEVICE_FN void gf_reduce_finish(gf_reduce_how how, int64_t n, typename K::part part, const void *in,
                                   void *out)
{
    struct gf_reduce_part all = gf_reduce_empty(how.op);
    all.n = static_cast<uint64_t>(n);
    if (n > 0) {
        K::finish(part, &all);
    }
    if constexpr (std::is_same<typename K::part, gf_place>::value) {
        using T = typename K::type; /* the place is that of a vector still */
        const T *p = static_cast<const T *>(in);
        while (all.index >= 0 && gf_rank(p[all.index], how.flip) != all.rank) {
            all.index++;
        }
    }
    gf_reduce_write(how.op, how.type, &all, out);
}

#endif
