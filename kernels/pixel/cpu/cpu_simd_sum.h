/* Vectors of integer sums for the running sums of a box: lanes of 16 or 32 bits, `size` bytes, that move over
 * the whole vector. GF_SIMD_SUM is the bytes of a vector; 0 where nothing moves lanes by a variable. */
#pragma once

#include "pixel/cpu/cpu_simd.h"

#include <stdint.h>

#define GF_INLINE static inline __attribute__((always_inline))

#if defined(__AVX512BW__)
#define GF_SIMD_SUM 64
typedef __m512i gf_vs;
struct gf_lane_move {
    gf_vs index;
    uint32_t kept;
};

/* Lane i takes lane i - lanes, or 0 where there is none. */
GF_INLINE struct gf_lane_move vs_up(int lanes, int size)
{
    __m512i lane16 = _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14,
                                      13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m512i lane32 = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    gf_vs index = size == 2 ? _mm512_sub_epi16(lane16, _mm512_set1_epi16((int16_t)lanes))
                            : _mm512_sub_epi32(lane32, _mm512_set1_epi32(lanes));
    return (struct gf_lane_move){index, 0xffffffffU << lanes};
}

/* Lane i takes the lane of the last `step` that is as far into them as i is into its own. */
GF_INLINE struct gf_lane_move vs_last(int step, int size)
{
    uint16_t lane16[32];
    uint32_t lane32[16];
    for (int i = 0; i < 32; i++) {
        lane16[i] = (uint16_t)(32 - step + i % step);
    }
    for (int i = 0; i < 16; i++) {
        lane32[i] = (uint32_t)(16 - step + i % step);
    }
    return (struct gf_lane_move){_mm512_loadu_si512(size == 2 ? (void *)lane16 : (void *)lane32),
                                 0xffffffffU};
}

GF_INLINE gf_vs vs_move(gf_vs v, struct gf_lane_move move, int size)
{
    return size == 2 ? _mm512_maskz_permutexvar_epi16(move.kept, move.index, v)
                     : _mm512_maskz_permutexvar_epi32((__mmask16)move.kept, move.index, v);
}

/* Samples of `from` bytes as lanes of `size`. */
GF_INLINE gf_vs vs_widen(const void *p, int from, int size)
{
    if (size == 2) {
        return _mm512_cvtepu8_epi16(_mm256_loadu_si256(p));
    }
    return from == 1 ? _mm512_cvtepu8_epi32(_mm_loadu_si128(p))
                     : _mm512_cvtepu16_epi32(_mm256_loadu_si256(p));
}

#define vs_load(p)     _mm512_loadu_si512(p)
#define vs_store(p, v) _mm512_storeu_si512(p, v)
#define vs_add16(a, b) _mm512_add_epi16(a, b)
#define vs_add32(a, b) _mm512_add_epi32(a, b)
#define vs_sub16(a, b) _mm512_sub_epi16(a, b)
#define vs_sub32(a, b) _mm512_sub_epi32(a, b)

#elif defined(__AVX2__) /* 128 bits: bytes of wider vectors do not move from one half to the other */
#define GF_SIMD_SUM 16
typedef __m128i gf_vs;
struct gf_lane_move {
    gf_vs index;
};

GF_INLINE struct gf_lane_move vs_up(int lanes, int size)
{
    __m128i byte = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return (struct gf_lane_move){_mm_sub_epi8(byte, _mm_set1_epi8((int8_t)(lanes * size)))};
}

GF_INLINE struct gf_lane_move vs_last(int step, int size)
{
    uint8_t byte[16];
    for (int i = 0; i < 16; i++) {
        byte[i] = (uint8_t)(16 - step * size + i % (step * size));
    }
    return (struct gf_lane_move){_mm_loadu_si128((const void *)byte)};
}

GF_INLINE gf_vs vs_move(gf_vs v, struct gf_lane_move move, int size)
{
    (void)size;
    return _mm_shuffle_epi8(v, move.index);
}

GF_INLINE gf_vs vs_widen(const void *p, int from, int size)
{
    if (size == 2) {
        return _mm_cvtepu8_epi16(_mm_loadl_epi64(p));
    }
    return from == 1 ? _mm_cvtepu8_epi32(_mm_loadu_si32(p)) : _mm_cvtepu16_epi32(_mm_loadl_epi64(p));
}

#define vs_load(p)     _mm_loadu_si128((const void *)(p))
#define vs_store(p, v) _mm_storeu_si128((void *)(p), v)
#define vs_add16(a, b) _mm_add_epi16(a, b)
#define vs_add32(a, b) _mm_add_epi32(a, b)
#define vs_sub16(a, b) _mm_sub_epi16(a, b)
#define vs_sub32(a, b) _mm_sub_epi32(a, b)

#else
#define GF_SIMD_SUM 0
#endif

#if GF_SIMD_SUM
GF_INLINE gf_vs vs_add(gf_vs a, gf_vs b, int size)
{
    return size == 2 ? vs_add16(a, b) : vs_add32(a, b);
}

GF_INLINE gf_vs vs_sub(gf_vs a, gf_vs b, int size)
{
    return size == 2 ? vs_sub16(a, b) : vs_sub32(a, b);
}
#endif
