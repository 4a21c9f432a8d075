/* What a thread keeps while it reads an array, one struct a kind of operation:
 *
 *   part             what threads and blocks hand on, plain data
 *   static join      of two neighbouring parts, a in front of b
 *   vector, element  take 16 aligned bytes (the i-th such), or one element at its index, of type T
 *   get              the part at the end
 *   static finish    into the struct that gf_reduce_write reads
 *
 * The order of elements does not show in these; those where it does are in reduce_leaf_cuda.cu. */
#ifndef GF_ARRAY_REDUCE_KINDS_CUDA_CUH
#define GF_ARRAY_REDUCE_KINDS_CUDA_CUH

#include "array/common/dispatch_cuda.cuh"
#include "array/reduce/reduce_part.h"
#include "base/planted_fault.h"

/* The operation as it stands in the kernel's parameters. */
struct gf_reduce_how {
    gf_reduce_op op;
    gf_depth type;
    int32_t greatest; /* max, argmax */
    uint64_t flip;    /* the bits in which a rank differs from its element, or its key: see gf_rank */
};

static inline gf_reduce_how gf_reduce_how_make(gf_reduce_op op, gf_depth type)
{
    const bool greatest = op == GF_REDUCE_MAX || op == GF_REDUCE_ARGMAX,
               is_signed = gf_unsigned_of(type) != type;
    const uint64_t sign = is_signed ? uint64_t(1) << (8 * gf_depth_size(type) - 1) : 0;
    return {op, type, greatest, greatest ? ~sign : sign};
}

/* The 16 bytes as elements, in registers: index by constants. */
template <class T> struct gf_elements {
    static const int N = 16 / static_cast<int>(sizeof(T));
    T v[N];
};
template <class T> GF_DEVICE_FN gf_elements<T> gf_split(uint4 bytes)
{
    gf_elements<T> e;
    memcpy(&e, &bytes, sizeof e);
    return e;
}

/* Sum modulo 2^64. Up to 16 elements of 8 or 16 bits fit 32 bits. */
template <class T> struct gf_sum_kind {
    using type = T;
    using part = uint64_t;
    using narrow = typename std::conditional<std::is_signed<T>::value, int32_t, uint32_t>::type;
    using word = typename std::conditional<(sizeof(T) < 4), narrow, uint64_t>::type;
    uint64_t sum = 0;

    __device__ explicit gf_sum_kind(gf_reduce_how) {}
    __device__ void vector(uint4 bytes, int64_t)
    {
        if constexpr (sizeof(T) == 1) {
            const uint32_t ones = 0x01010101u;
            sum +=
                gf_dp4a_u(ones, bytes.x,
                          gf_dp4a_u(ones, bytes.y, gf_dp4a_u(ones, bytes.z, gf_dp4a_u(ones, bytes.w, 0u))));
        } else {
            const gf_elements<T> e = gf_split<T>(bytes);
            word local = 0;
            GF_UNROLL
            for (int k = 0; k < e.N; k++) {
                local += static_cast<word>(e.v[k]);
            }
            sum += static_cast<uint64_t>(local);
        }
    }
    __device__ void element(T v, int64_t) { sum += static_cast<uint64_t>(v); }
    __device__ part get() const { return sum; }
    static __device__ part join(gf_reduce_how, part a, part b) { return a + b; }
    static __device__ void finish(part p, struct gf_reduce_part *all) { all->bits = p; }
};

/* Product modulo 2^64, and, or, xor. */
template <class T> struct gf_bits_kind {
    using type = T;
    using part = uint64_t;
    gf_reduce_how how;
    uint64_t bits;

    __device__ explicit gf_bits_kind(gf_reduce_how h) : how(h), bits(gf_reduce_empty(h.op).bits) {}
    __device__ void vector(uint4 bytes, int64_t)
    {
        const gf_elements<T> e = gf_split<T>(bytes);
        GF_UNROLL
        for (int k = 0; k < e.N; k++) {
            bits = join(how, bits, static_cast<uint64_t>(e.v[k]));
        }
    }
    __device__ void element(T v, int64_t) { bits = join(how, bits, static_cast<uint64_t>(v)); }
    __device__ part get() const { return bits; }
    static __device__ part join(gf_reduce_how h, part a, part b)
    {
        return h.op == GF_REDUCE_PRODUCT ? a * b
               : h.op == GF_REDUCE_AND   ? a & b
               : h.op == GF_REDUCE_OR    ? a | b
                                         : a ^ b;
    }
    static __device__ void finish(part p, struct gf_reduce_part *all) { all->bits = p; }
};

/* Any and all: whether an element is not 0, and whether one is, as C compares. */
template <class T> struct gf_truth_kind {
    using type = T;
    using part = uint64_t;
    static const bool PACKED = sizeof(T) < 4; /* several elements a word, looked at together */
    static const bool FLOAT = std::is_floating_point<T>::value;
    gf_reduce_how how;
    uint32_t some = 0, none = 0; /* not 0: an element is not 0; an element is */

    __device__ explicit gf_truth_kind(gf_reduce_how h) : how(h) {}
    __device__ void vector(uint4 bytes, int64_t)
    {
        if constexpr (PACKED) { /* below the lowest lane that is 0 nothing is borrowed, and no bit is wrong */
            const uint32_t ones = sizeof(T) == 1 ? 0x01010101u : 0x00010001u,
                           tops = ones << (8 * sizeof(T) - 1);
            const uint32_t w[4] = {bytes.x, bytes.y, bytes.z, bytes.w};
            GF_UNROLL
            for (int k = 0; k < 4; k++) {
                some |= w[k];
                none |= (w[k] - ones) & ~w[k] & tops;
            }
        } else {
            const gf_elements<T> e = gf_split<T>(bytes);
            GF_UNROLL
            for (int k = 0; k < e.N; k++) {
                element(e.v[k], 0);
            }
        }
    }
    __device__ void element(T v, int64_t)
    {
        const bool zero = v == T(0) || (FLOAT && GF_FAULT(cuda_reduce_truth) && v != v);
        some |= !zero;
        none |= zero;
    }
    __device__ part get() const { return how.op == GF_REDUCE_ANY ? some != 0 : none == 0; }
    static __device__ part join(gf_reduce_how h, part a, part b)
    {
        return h.op == GF_REDUCE_ANY ? a | b : a & b;
    }
    static __device__ void finish(part p, struct gf_reduce_part *all) { all->bits = p; }
};

/* Ranks of reduce_part.h by type. For integers they are the bits with some flipped, and T may be the unsigned
 * type in place of a signed one; of floats all are flipped or none. */
template <class T> GF_DEVICE_FN typename gf_order<T>::key gf_rank(T v, uint64_t flip)
{
    using key = typename gf_order<T>::key;
    if constexpr (std::is_floating_point<T>::value) {
        const key rank = gf_order<T>::to(v), nan = static_cast<key>(~key(0));
        return flip != 0 && rank != nan ? static_cast<key>(~rank) : rank;
    } else {
        return static_cast<key>(static_cast<uint64_t>(v) ^ flip);
    }
}

struct gf_place {
    uint64_t rank;
    int64_t index; /* -1: no element that counts */
};

/* Least rank and where. Within a vector only the rank is looked at; its element is found again at the end. */
template <class T> struct gf_rank_kind {
    using type = T;
    using part = gf_place;
    using key = typename gf_order<T>::key;
    gf_reduce_how how;
    key least = static_cast<key>(~key(0));
    int64_t index = -1; /* of the vector's first element, or of the element */

    __device__ explicit gf_rank_kind(gf_reduce_how h) : how(h) {}
    __device__ void offer(key rank, int64_t i)
    {
        const bool is_nan = std::is_floating_point<T>::value && rank == static_cast<key>(~key(0));
        if (!is_nan && (index < 0 || rank < least || (rank == least && i < index))) {
            least = rank;
            index = i;
        }
    }
    __device__ void vector(uint4 bytes, int64_t first)
    {
        const gf_elements<T> e = gf_split<T>(bytes);
        key best = gf_rank(e.v[0], how.flip);
        GF_UNROLL
        for (int k = 1; k < e.N; k++) {
            const key rank = gf_rank(e.v[k], how.flip);
            best = rank < best ? rank : best;
        }
        offer(best, first);
    }
    __device__ void element(T v, int64_t i) { offer(gf_rank(v, how.flip), i); }
    __device__ part get() const
    {
        return {std::is_floating_point<T>::value && index < 0 ? ~uint64_t(0) : least, index};
    }
    static __device__ part join(gf_reduce_how, part a, part b)
    {
        const bool second =
            b.index >= 0 && (a.index < 0 || b.rank < a.rank || (b.rank == a.rank && b.index < a.index));
        return second ? b : a;
    }
    static __device__ void finish(part p, struct gf_reduce_part *all)
    {
        all->rank = p.rank;
        all->index = p.index;
    }
};

struct gf_exact_sums {
    uint64_t sum_low, sum_high, squares_low, squares_high;
};

/* Sums of x, and of x^2 for elements of up to 32 bits, in 128 bits. */
template <class T> struct gf_exact_kind {
    using type = T;
    using part = gf_exact_sums;
    using wide = typename std::conditional<std::is_signed<T>::value, int64_t, uint64_t>::type;
    static const bool FITS = sizeof(T) < 8; /* a thread's own sum: fewer than 2^31 elements */
    wide sum64 = 0;
    gf_int128 sum = 0;
    gf_uint128 squares = 0;

    __device__ explicit gf_exact_kind(gf_reduce_how) {}
    __device__ void vector(uint4 bytes, int64_t)
    {
        if constexpr (sizeof(T) == 1) {
            const uint32_t ones = 0x01010101u, w[4] = {bytes.x, bytes.y, bytes.z, bytes.w};
            uint32_t s = 0, q = 0;
            GF_UNROLL
            for (int k = 0; k < 4; k++) {
                s = gf_dp4a_u(ones, w[k], s);
                q = gf_dp4a_u(w[k], w[k], q);
            }
            sum64 += s;
            squares += q;
        } else {
            const gf_elements<T> e = gf_split<T>(bytes);
            GF_UNROLL
            for (int k = 0; k < e.N; k++) {
                element(e.v[k], 0);
            }
        }
    }
    __device__ void element(T v, int64_t)
    {
        if constexpr (FITS) {
            const int64_t x = static_cast<int64_t>(v);
            sum64 += static_cast<wide>(v);
            squares += static_cast<uint64_t>(x) * static_cast<uint64_t>(x);
        } else {
            sum += v;
        }
    }
    __device__ part get() const
    {
        const gf_int128 s = FITS ? static_cast<gf_int128>(sum64) : sum;
        return {static_cast<uint64_t>(s), static_cast<uint64_t>(static_cast<gf_uint128>(s) >> 64),
                static_cast<uint64_t>(squares), static_cast<uint64_t>(squares >> 64)};
    }
    static __device__ part join(gf_reduce_how, part a, part b)
    {
        a.sum_low += b.sum_low;
        a.sum_high += b.sum_high + (a.sum_low < b.sum_low);
        a.squares_low += b.squares_low;
        a.squares_high += b.squares_high + (a.squares_low < b.squares_low);
        return a;
    }
    static __device__ void finish(part p, struct gf_reduce_part *all)
    {
        all->sum = static_cast<gf_int128>(static_cast<gf_uint128>(p.sum_high) << 64 | p.sum_low);
        all->squares = static_cast<gf_uint128>(p.squares_high) << 64 | p.squares_low;
    }
};

#endif
