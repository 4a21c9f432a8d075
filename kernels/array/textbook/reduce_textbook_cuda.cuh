/* The published reductions, corrected: `basic` (a tree in shared memory), `two-per-thread` (the first
 * addition while loading, the last steps inside a warp) and `shuffle` (registers of a warp, then of the
 * warps' results). Each launch leaves one word a block. Operation and word are template parameters, so that a
 * sum of f32 is the few instructions that it is in the text. docs/primitives/reduce.md names what was wrong
 * with them. */
#ifndef GF_ARRAY_REDUCE_TEXTBOOK_CUDA_CUH
#define GF_ARRAY_REDUCE_TEXTBOOK_CUDA_CUH

#include "array/common/grid_cuda.cuh"
#include "array/reduce/reduce_kinds_cuda.cuh"
#include "base/planted_fault.h"

struct gf_textbook_params {
    const void *in; /* elements, or in later launches words */
    int64_t n;
    void *out; /* one word a block */
    uint64_t flip;
};

/* ---- Operations ------------------------------------------------------------------------------
 *   element, word  what the array holds, and what is joined
 *   later          the operation of later launches, for which words are elements
 *   none           changes nothing
 *   of             the word of an element */

template <class T> struct gf_textbook_sum {
    using element = T;
    using word = typename std::conditional<std::is_floating_point<T>::value, T, uint64_t>::type;
    using later = gf_textbook_sum<word>;
    static __device__ word none() { return 0; }
    static __device__ word of(T v, uint64_t) { return static_cast<word>(v); }
    static __device__ word join(word a, word b) { return a + b; }
};

/* The text has none: that of f32 leaves the range of f32 after a few elements, so it is made in f64. */
template <class T> struct gf_textbook_product {
    using element = T;
    using word = typename std::conditional<std::is_floating_point<T>::value, double, uint64_t>::type;
    using later = gf_textbook_product<word>;
    static __device__ word none() { return 1; }
    static __device__ word of(T v, uint64_t) { return static_cast<word>(v); }
    static __device__ word join(word a, word b) { return a * b; }
};

/* Bits, and whatever has at most 32 of them. */
template <class T> struct gf_textbook_bits {
    using element = T;
    using word = typename std::conditional<(sizeof(T) < 8), uint32_t, uint64_t>::type;
    static __device__ word none() { return 0; }
    static __device__ word of(T v, uint64_t) { return static_cast<word>(v); }
};

/* Ranks (reduce_part.h), for min and max. NaN has the greatest. */
template <class T> struct gf_textbook_least : gf_textbook_bits<T> {
    using word = typename gf_textbook_bits<T>::word;
    using later = gf_textbook_least<word>;
    static __device__ word none() { return static_cast<word>(~word(0)); }
    static __device__ word of(T v, uint64_t flip) { return gf_rank(v, flip); }
    static __device__ word join(word a, word b) { return b < a ? b : a; }
};

template <class T> struct gf_textbook_and : gf_textbook_bits<T> {
    using word = typename gf_textbook_bits<T>::word;
    using later = gf_textbook_and<word>;
    static __device__ word none() { return static_cast<word>(~word(0)); }
    static __device__ word join(word a, word b) { return a & b; }
};

template <class T> struct gf_textbook_or : gf_textbook_bits<T> {
    using word = typename gf_textbook_bits<T>::word;
    using later = gf_textbook_or<word>;
    static __device__ word join(word a, word b) { return a | b; }
};

template <class T> struct gf_textbook_xor : gf_textbook_bits<T> {
    using word = typename gf_textbook_bits<T>::word;
    using later = gf_textbook_xor<word>;
    static __device__ word join(word a, word b) { return a ^ b; }
};

template <class T> struct gf_textbook_any {
    using element = T;
    using word = uint32_t;
    using later = gf_textbook_any<word>;
    static __device__ word none() { return 0; }
    static __device__ word of(T v, uint64_t) { return v != T(0); }
    static __device__ word join(word a, word b) { return a | b; }
};

template <class T> struct gf_textbook_all {
    using element = T;
    using word = uint32_t;
    using later = gf_textbook_all<word>;
    static __device__ word none() { return 1; }
    static __device__ word of(T v, uint64_t) { return v != T(0); }
    static __device__ word join(word a, word b) { return a & b; }
};

/* ---- Kernels --------------------------------------------------------------------------------- */

/* Element i, or what changes nothing past the end. */
template <class OP> GF_DEVICE_FN typename OP::word gf_textbook_at(const gf_textbook_params &p, int64_t i)
{
    return i < p.n ? OP::of(static_cast<const typename OP::element *>(p.in)[i], p.flip) : OP::none();
}

/* Halves words[0..blockDim.x) until `stop` or fewer are left, and returns how many. If their number is odd,
 * the one in the middle stays; a power of two, as in the text, has none. */
template <class OP> GF_DEVICE_FN unsigned gf_textbook_tree(typename OP::word *words, unsigned stop)
{
    unsigned live = blockDim.x;
    while (live > stop) {
        const unsigned half = (live + 1) / 2;
        if (threadIdx.x < live / 2) {
            words[threadIdx.x] = OP::join(words[threadIdx.x], words[threadIdx.x + half]);
        }
        live = half;
        __syncthreads();
    }
    return live;
}

template <class OP> GF_DEVICE_FN typename OP::word gf_textbook_warp(typename OP::word word)
{
    GF_UNROLL
    for (unsigned step = GF_WARP / 2; step > unsigned(GF_FAULT(cuda_reduce_warp)); step /= 2) {
        word = OP::join(word, gf_shfl_down(word, step));
    }
    return word;
}

template <class OP> static __global__ void gf_reduce_basic(const gf_textbook_params p)
{
    GF_SHARED_DYN(typename OP::word, words);
    words[threadIdx.x] = gf_textbook_at<OP>(p, gf_thread_index());
    __syncthreads();
    gf_textbook_tree<OP>(words, 1);
    if (threadIdx.x == 0) {
        static_cast<typename OP::word *>(p.out)[blockIdx.x] = words[0];
    }
}

template <class OP> static __global__ void gf_reduce_two(const gf_textbook_params p)
{
    GF_SHARED_DYN(typename OP::word, words);
    const int64_t i = int64_t(blockIdx.x) * blockDim.x * 2 + threadIdx.x;
    words[threadIdx.x] = OP::join(gf_textbook_at<OP>(p, i), gf_textbook_at<OP>(p, i + blockDim.x));
    __syncthreads();
    const unsigned live = gf_textbook_tree<OP>(words, 2 * GF_WARP);
    if (threadIdx.x < GF_WARP) { /* the last words, a barrier of the warp between reading and writing */
        typename OP::word word = words[threadIdx.x];
        GF_UNROLL
        for (unsigned step = GF_WARP; step > 0; step /= 2) {
            const typename OP::word other =
                threadIdx.x + step < live ? words[threadIdx.x + step] : OP::none();
            gf_syncwarp();
            word = OP::join(word, other);
            words[threadIdx.x] = word;
            gf_syncwarp();
        }
        if (threadIdx.x == 0) {
            static_cast<typename OP::word *>(p.out)[blockIdx.x] = word;
        }
    }
}

template <class OP> static __global__ void gf_reduce_shuffle(const gf_textbook_params p)
{
    GF_SHARED(typename OP::word, words, GF_WARP);
    const unsigned lane = threadIdx.x % GF_WARP, warp = threadIdx.x / GF_WARP;
    typename OP::word word = gf_textbook_warp<OP>(gf_textbook_at<OP>(p, gf_thread_index()));
    if (lane == 0) {
        words[warp] = word;
    }
    __syncthreads();
    if (warp == 0) {
        word = gf_textbook_warp<OP>(lane < blockDim.x / GF_WARP ? words[lane] : OP::none());
        if (lane == 0) {
            static_cast<typename OP::word *>(p.out)[blockIdx.x] = word;
        }
    }
}

#endif
