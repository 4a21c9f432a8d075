/* Vectors of signed integers for the CPU's sort, and what it does with them, on AVX2 and AVX-512. Names end
 * in bits and lanes: gf_min_32x8. */
#pragma once

#include <immintrin.h>
#include <stdint.h>

/* ---- Lanes that change places -------------------------------------------------------------------------
 * from(lane, mask, lanes): which lane of two vectors, one behind the other, comes to `lane`. */

#define GF_LANES_2(from, m) from(0, m, 2), from(1, m, 2)
#define GF_LANES_4(from, m) from(0, m, 4), from(1, m, 4), from(2, m, 4), from(3, m, 4)
#define GF_LANES_8(from, m)                                                                                  \
    from(0, m, 8), from(1, m, 8), from(2, m, 8), from(3, m, 8), from(4, m, 8), from(5, m, 8), from(6, m, 8), \
        from(7, m, 8)
#define GF_LANES_16(from, m)                                                                                 \
    from(0, m, 16), from(1, m, 16), from(2, m, 16), from(3, m, 16), from(4, m, 16), from(5, m, 16),          \
        from(6, m, 16), from(7, m, 16), from(8, m, 16), from(9, m, 16), from(10, m, 16), from(11, m, 16),    \
        from(12, m, 16), from(13, m, 16), from(14, m, 16), from(15, m, 16)

/* Lane l comes to l ^ m. */
#define GF_LANE_OTHER(l, m, n) ((l) ^ (m))
/* Lanes without m of the first vector, those with it of the second. */
#define GF_LANE_PICK(l, m, n) ((l) & (m) ? (n) + (l) : (l))
/* The bit m of lanes changes places with the number of the vector. */
#define GF_LANE_FIRST(l, m, n)  ((l) & (m) ? (n) + ((l) ^ (m)) : (l))
#define GF_LANE_SECOND(l, m, n) ((l) & (m) ? (n) + (l) : ((l) ^ (m)))

/* ---- Types ---------------------------------------------------------------------------------------------- */

#define GF_VECTOR(bits, lanes, bytes, R, lesser, greater)                                                    \
    typedef int##bits##_t gf_##bits##x##lanes __attribute__((vector_size(bytes)));                           \
    static inline gf_##bits##x##lanes gf_min_##bits##x##lanes(gf_##bits##x##lanes a, gf_##bits##x##lanes b)  \
    {                                                                                                        \
        return (gf_##bits##x##lanes)lesser((R)a, (R)b);                                                      \
    }                                                                                                        \
    static inline gf_##bits##x##lanes gf_max_##bits##x##lanes(gf_##bits##x##lanes a, gf_##bits##x##lanes b)  \
    {                                                                                                        \
        return (gf_##bits##x##lanes)greater((R)a, (R)b);                                                     \
    }

#ifndef __AVX512F__
static inline __m128i gf_lesser_64x2(__m128i a, __m128i b)
{
    return _mm_blendv_epi8(a, b, _mm_cmpgt_epi64(a, b));
}
static inline __m128i gf_greater_64x2(__m128i a, __m128i b)
{
    return _mm_blendv_epi8(b, a, _mm_cmpgt_epi64(a, b));
}
static inline __m256i gf_lesser_64x4(__m256i a, __m256i b)
{
    return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b));
}
static inline __m256i gf_greater_64x4(__m256i a, __m256i b)
{
    return _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi64(a, b));
}
GF_VECTOR(64, 2, 16, __m128i, gf_lesser_64x2, gf_greater_64x2)
GF_VECTOR(64, 4, 32, __m256i, gf_lesser_64x4, gf_greater_64x4)
#else
GF_VECTOR(64, 2, 16, __m128i, _mm_min_epi64, _mm_max_epi64)
GF_VECTOR(64, 4, 32, __m256i, _mm256_min_epi64, _mm256_max_epi64)
GF_VECTOR(64, 8, 64, __m512i, _mm512_min_epi64, _mm512_max_epi64)
GF_VECTOR(32, 16, 64, __m512i, _mm512_min_epi32, _mm512_max_epi32)
#endif
GF_VECTOR(32, 4, 16, __m128i, _mm_min_epi32, _mm_max_epi32)
GF_VECTOR(32, 8, 32, __m256i, _mm256_min_epi32, _mm256_max_epi32)

/* ---- Partition -------------------------------------------------------------------------------------------
 * gf_part_...(v, above, low, high): the lanes of v that `above` does not name begin at low, the others end at
 * high. Writes whole vectors: lanes without meaning lie behind the former and in front of the latter. */

#ifdef __AVX512F__

static inline unsigned gf_above_32(gf_32x16 v, gf_32x16 pivot)
{
    return _mm512_cmpgt_epi32_mask((__m512i)v, (__m512i)pivot);
}
static inline unsigned gf_above_64(gf_64x8 v, gf_64x8 pivot)
{
    return _mm512_cmpgt_epi64_mask((__m512i)v, (__m512i)pivot);
}

/* Stores in two halves: nearly all stores of 64 bytes would cross a line of the cache, which takes longer. */
static inline void gf_store_halves(void *to, __m512i v)
{
    _mm256_storeu_si256((__m256i *)to, _mm512_castsi512_si256(v));
    _mm256_storeu_si256((__m256i *)to + 1, _mm512_extracti64x4_epi64(v, 1));
}

/* Compressed in registers: some processors take hundreds of cycles for a compressed store. */
static inline void gf_part_32(gf_32x16 v, unsigned above, int32_t *low, int32_t *high)
{
    const __m512i down = _mm512_set_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i back = _mm512_maskz_compress_epi32((__mmask16)above, (__m512i)v);
    gf_store_halves(low, _mm512_maskz_compress_epi32((__mmask16)~above, (__m512i)v));
    gf_store_halves(high - 16, _mm512_permutexvar_epi32(down, back));
}
static inline void gf_part_64(gf_64x8 v, unsigned above, int64_t *low, int64_t *high)
{
    const __m512i down = _mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const __m512i back = _mm512_maskz_compress_epi64((__mmask8)above, (__m512i)v);
    gf_store_halves(low, _mm512_maskz_compress_epi64((__mmask8)~above, (__m512i)v));
    gf_store_halves(high - 8, _mm512_permutexvar_epi64(down, back));
}

#else

static inline unsigned gf_above_32(gf_32x8 v, gf_32x8 pivot)
{
    return (unsigned)_mm256_movemask_ps((__m256)(v > pivot));
}
static inline unsigned gf_above_64(gf_64x4 v, gf_64x4 pivot)
{
    return (unsigned)_mm256_movemask_pd((__m256d)(v > pivot));
}

/* Returns where the eight words of a vector go: those outside `above`, whose bytes are ones, go first. */
static inline __m256i gf_part_places(uint64_t above)
{
    const uint64_t all = 0x0706050403020100U;
    const unsigned back = (unsigned)_mm_popcnt_u64(above); /* bits of the places behind */
    const uint64_t behind = _pext_u64(all, above) << (32 - back / 2) << (32 - back / 2);
    return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)(_pext_u64(all, ~above) | behind)));
}
static inline void gf_part_32(gf_32x8 v, unsigned above, int32_t *low, int32_t *high)
{
    const __m256i places = gf_part_places(_pdep_u64(above, 0x0101010101010101U) * 255);
    const __m256i parted = _mm256_permutevar8x32_epi32((__m256i)v, places);
    _mm256_storeu_si256((__m256i *)(void *)low, parted);
    _mm256_storeu_si256((__m256i *)(void *)(high - 8), parted);
}
static inline void gf_part_64(gf_64x4 v, unsigned above, int64_t *low, int64_t *high)
{
    const __m256i places = gf_part_places(_pdep_u64(above, 0x0001000100010001U) * 65535);
    const __m256i parted = _mm256_permutevar8x32_epi32((__m256i)v, places);
    _mm256_storeu_si256((__m256i *)(void *)low, parted);
    _mm256_storeu_si256((__m256i *)(void *)(high - 4), parted);
}

#endif
