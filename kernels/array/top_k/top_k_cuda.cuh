/* The k greatest or least on CUDA: what its kernels agree on, and the spans of ranks that they pick out.
 *
 * Ranks (sort_order.h) ascend in the order asked for: the k of the lowest ranks are wanted. */
#ifndef GF_ARRAY_TOP_K_CUDA_CUH
#define GF_ARRAY_TOP_K_CUDA_CUH

#include "array/compact/compact_pass_cuda.cuh"
#include "array/sort/sort_key_cuda.cuh"
#include "array/top_k/top_k_call.h"

/* What the kernels tell each other, zeroed before the first. */
struct gf_top_k_state {
    uint64_t limit;  /* the rank that the sample suggests: the k-th is likely at or below it */
    uint64_t found;  /* how many are at or below it */
    uint64_t kth;    /* where the sample misled: the digits of the k-th rank that are known */
    uint64_t passed; /* by digits: how many ranks are lower than those digits */
    uint64_t below;  /* what compactions count, and nobody reads */
    uint32_t done;   /* blocks that have counted their digits */
    uint32_t unused;
    uint64_t bins[256];
};

struct gf_top_k_args {
    const void *in;
    gf_top_k_state *state;
    uint32_t *samples;
    void *list, *ties;      /* places: of what is taken; of the elements that equal the k-th, where it was
                             * found by digits */
    void *keys, *places;    /* of the list, filled up, for the sort */
    int64_t n, k, room;     /* room: of the list, at least k */
    int64_t sampled, order; /* samples, and which of them in order gives the limit */
    uint64_t flip;
    int32_t is_float, bits; /* of the type: bits of a rank */
};

/* Tells whether the sample did its work: else the k-th is found by digits. */
GF_DEVICE_FN bool gf_top_k_sampled(const gf_top_k_args &a)
{
    const uint64_t found = a.state->found;
    return found >= static_cast<uint64_t>(a.k) && found <= static_cast<uint64_t>(a.room);
}

/* The ranks from `first` to `last` as a test of the compaction's (compact_call.h), which compares bits of
 * integers and ordered keys of floats; both may wrap. */
GF_DEVICE_FN gf_keep_test gf_top_k_span(const gf_top_k_args &a, uint64_t first, uint64_t last)
{
    const uint64_t all = UINT64_MAX >> (64 - a.bits), top = (all >> 1) + 1;
    if (!a.is_float) {
        const bool down = (a.flip & (top >> 1)) != 0; /* all bits are turned over, or the sign's alone */
        const uint64_t sign = (a.flip & top) != 0 ? (down ? 0 : top) : (down ? top : 0);
        return {((down ? ~last & all : first) + sign) & all, last - first, false};
    }
    const bool down = (a.flip & all) != 0;
    if (!down) {
        return {first, last - first, false};
    }
    if (first == all) {
        return {all, 0, false}; /* NaN alone */
    }
    first = first > 0 ? first : 1; /* the rank 0, whose key is that of NaN, is no number's */
    return last == all ? gf_keep_test{all, (~first & all) + 1, false} /* NaN, and the key behind it is 0 */
                       : gf_keep_test{~last & all, last - first, false};
}

/* ---- The compactions --------------------------------------------------------------------------------- */

enum gf_top_k_part {
    GF_TOP_K_LIMIT, /* ranks up to the limit */
    GF_TOP_K_BELOW, /* by digits: ranks lower than the k-th */
    GF_TOP_K_TIES   /* ranks that equal it */
};

template <int PART> struct gf_top_k_params : gf_compact_params {
    gf_top_k_args top;

    __device__ gf_keep_test condition() const
    {
        const uint64_t kth = top.state->kth;
        return PART == GF_TOP_K_LIMIT   ? gf_top_k_span(top, 0, top.state->limit)
               : PART == GF_TOP_K_BELOW ? gf_top_k_span(top, 0, kth - 1)
                                        : gf_top_k_span(top, kth, kth);
    }
    __device__ bool is_wanted() const
    {
        return PART == GF_TOP_K_LIMIT ||
               (!gf_top_k_sampled(top) && (PART == GF_TOP_K_TIES || top.state->kth > 0));
    }
};

/* Few of them are expected. */
template <class T, class I, int PART> struct gf_put_place : gf_put_index<T, I> {
    using params = gf_top_k_params<PART>;
    static const uint32_t FEW = 2;
    __device__ gf_put_place(const params &p, uint64_t place, int64_t of_row, const T *own_row)
        : gf_put_index<T, I>(p, place, of_row, own_row)
    {
    }
};

#endif
