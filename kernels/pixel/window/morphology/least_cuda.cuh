/* The least of packed samples on CUDA: four u8, two u16, or the key of an f32 a word. Keys and flips as in
 * cpu_least.h.
 *
 * The least of two u16 is that of their upper bytes there, whatever the lower ones are. So a word of u8 is
 * kept twice, as it is and a byte further up: two minima of pairs of u16 for four samples, and nothing is
 * masked. */
#ifndef GF_PIXEL_LEAST_CUDA_CUH
#define GF_PIXEL_LEAST_CUDA_CUH

#include "base/gf_cuda.h"
#include "base/gf_num.h"

template <class T> struct gf_least_word;

template <> struct gf_least_word<uint8_t> {
    uint32_t odd, even;
    __device__ __forceinline__ void start(uint32_t word)
    {
        odd = word;
        even = word << 8;
    }
    __device__ __forceinline__ void take(uint32_t word)
    {
        odd = gf_min2(odd, word);
        even = gf_min2(even, word << 8);
    }
    __device__ __forceinline__ void take(const gf_least_word &other)
    {
        odd = gf_min2(odd, other.odd);
        even = gf_min2(even, other.even);
    }
    __device__ __forceinline__ uint32_t word() const { return gf_byte_perm(even, odd, 0x7351U); }
};

template <> struct gf_least_word<uint16_t> {
    uint32_t pair;
    __device__ __forceinline__ void start(uint32_t word) { pair = word; }
    __device__ __forceinline__ void take(uint32_t word) { pair = gf_min2(pair, word); }
    __device__ __forceinline__ void take(const gf_least_word &other) { take(other.pair); }
    __device__ __forceinline__ uint32_t word() const { return pair; }
};

template <> struct gf_least_word<uint32_t> {
    uint32_t key;
    __device__ __forceinline__ void start(uint32_t word) { key = word; }
    __device__ __forceinline__ void take(uint32_t word) { key = word < key ? word : key; }
    __device__ __forceinline__ void take(const gf_least_word &other) { take(other.key); }
    __device__ __forceinline__ uint32_t word() const { return key; }
};

/* A sample of u8, u16 or f32 (given as its bits) to its key, and back. */
template <class T> GF_HD uint32_t gf_least_key(uint32_t bits, uint32_t flip)
{
    return (sizeof(T) == 4 ? gf_float_key(gf_bits_float(bits)) : bits) ^ flip;
}
template <class T> GF_HD uint32_t gf_least_bits(uint32_t key, uint32_t flip)
{
    return sizeof(T) == 4 ? gf_float_bits(gf_key_float(key ^ flip)) : key ^ flip;
}

#endif
