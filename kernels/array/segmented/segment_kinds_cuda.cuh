/* What the reduction of a segment needs to know of an operation, one struct a kind:
 *
 *   type, part       of an element, of what is known of several
 *   none()           of no elements
 *   take(v, i)       of one element, which is number i of its segment
 *   join(a, b)       a in front of b
 *   write(p, n, out, i)  the result of a segment of n elements as number i of `out`
 *
 * The order of joins is that of gf_reduce (gpufilter/reduce.h), for all kinds; it shows in floats only. */
#ifndef GF_ARRAY_SEGMENT_KINDS_CUDA_CUH
#define GF_ARRAY_SEGMENT_KINDS_CUDA_CUH

#include "array/reduce/reduce_fold_cuda.cuh"

/* Sums modulo 2^64. */
template <class T> struct gf_segment_sum {
    using type = T;
    using part = uint64_t;
    using result = uint64_t;
    __device__ explicit gf_segment_sum(gf_reduce_how) {}
    __device__ part none() const { return 0; }
    __device__ part take(T v, int64_t) const { return static_cast<uint64_t>(v); }
    __device__ part join(part a, part b) const { return a + b; }
    __device__ result get(part p, int64_t) const { return p; }
};

/* Product modulo 2^64. */
template <class T> struct gf_segment_product : gf_segment_sum<T> {
    __device__ explicit gf_segment_product(gf_reduce_how how) : gf_segment_sum<T>(how) {}
    __device__ uint64_t none() const { return 1; }
    __device__ uint64_t join(uint64_t a, uint64_t b) const { return a * b; }
};

/* And; or is the and of the complements. */
template <class T> struct gf_segment_bits {
    using type = T;
    using part = typename std::conditional<sizeof(T) == 8, uint64_t, uint32_t>::type;
    using result = T;
    part flip;
    __device__ explicit gf_segment_bits(gf_reduce_how how) : flip(how.op == GF_REDUCE_OR ? ~part(0) : 0) {}
    __device__ part none() const { return ~part(0); }
    __device__ part take(T v, int64_t) const { return static_cast<part>(v) ^ flip; }
    __device__ part join(part a, part b) const { return a & b; }
    __device__ result get(part p, int64_t) const { return static_cast<T>(p ^ flip); }
};

/* Sums and products of floats, in f64. An accumulator of gf_reduce starts with +0, to which the first element
 * is added: all that shows of it is that no sum is -0. */
template <class T, bool PRODUCT> struct gf_segment_number {
    using type = T;
    using part = double;
    using result = double;
    __device__ explicit gf_segment_number(gf_reduce_how) {}
    __device__ part none() const { return PRODUCT ? 1.0 : 0.0; }
    __device__ part take(T v, int64_t) const { return static_cast<double>(v); }
    __device__ part join(part a, part b) const { return PRODUCT ? a * b : a + b; }
    __device__ result get(part p, int64_t) const { return gf_canonical_double(PRODUCT ? p : p + 0.0); }
};

/* Least or greatest: the least rank. */
template <class T> struct gf_segment_extreme {
    using type = T;
    using key = typename gf_order<T>::key;
    using part = typename std::conditional<sizeof(T) == 8, uint64_t, uint32_t>::type;
    using result = T;
    gf_reduce_how how;
    __device__ explicit gf_segment_extreme(gf_reduce_how h) : how(h) {}
    __device__ part none() const { return ~part(0); }
    __device__ part take(T v, int64_t) const { return gf_rank(v, how.flip); }
    __device__ part join(part a, part b) const { return b < a ? b : a; }
    __device__ result get(part p, int64_t n) const
    {
        struct gf_reduce_part all = gf_reduce_empty(GF_REDUCE_MIN);
        T v;
        all.n = static_cast<uint64_t>(n);
        all.rank = p;
        gf_reduce_write_extreme(how.type, how.greatest, &all, &v);
        return v;
    }
};

/* The place of the least rank. */
template <class T> struct gf_segment_place {
    using type = T;
    using part = gf_place;
    using result = int64_t;
    gf_reduce_how how;
    __device__ explicit gf_segment_place(gf_reduce_how h) : how(h) {}
    __device__ part none() const { return {~uint64_t(0), -1}; }
    __device__ part take(T v, int64_t i) const
    {
        const bool counts = !std::is_floating_point<T>::value || v == v;
        return counts ? part{gf_rank(v, how.flip), i} : none();
    }
    __device__ part join(part a, part b) const
    {
        const bool second =
            b.index >= 0 && (a.index < 0 || b.rank < a.rank || (b.rank == a.rank && b.index < a.index));
        return second ? b : a;
    }
    __device__ result get(part p, int64_t) const { return p.index; }
};

/* Calls f with the tag of the kind for the operation and type. */
template <class F>
static gf_status gf_segment_dispatch(gf_reduce_op op, gf_depth type, gf_error *error, F &&f)
{
    const bool is_float = type == GF_F32 || type == GF_F64;
    if ((op == GF_REDUCE_SUM || op == GF_REDUCE_PRODUCT) && is_float) {
        return gf_dispatch_type<GF_TYPES_FLOAT>(type, error, [&](auto tag) {
            using T = typename decltype(tag)::type;
            return op == GF_REDUCE_SUM ? f(gf_tag<gf_segment_number<T, false>>())
                                       : f(gf_tag<gf_segment_number<T, true>>());
        });
    }
    if (op == GF_REDUCE_SUM ||
        op == GF_REDUCE_PRODUCT) { /* which look at the sign of what is narrower than they */
        return gf_dispatch_type<GF_TYPES_INTEGER & ~GF_TYPE_BIT(GF_S64)>(
            type == GF_S64 ? GF_U64 : type, error, [&](auto tag) {
                using T = typename decltype(tag)::type;
                return op == GF_REDUCE_SUM ? f(gf_tag<gf_segment_sum<T>>())
                                           : f(gf_tag<gf_segment_product<T>>());
            });
    }
    if (op == GF_REDUCE_AND || op == GF_REDUCE_OR) {
        return gf_dispatch_type<GF_TYPES_UNSIGNED>(gf_unsigned_of(type), error, [&](auto tag) {
            return f(gf_tag<gf_segment_bits<typename decltype(tag)::type>>());
        });
    }
    return gf_dispatch_key(type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return op == GF_REDUCE_MIN || op == GF_REDUCE_MAX ? f(gf_tag<gf_segment_extreme<T>>())
                                                          : f(gf_tag<gf_segment_place<T>>());
    });
}

#endif
