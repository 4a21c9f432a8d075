/* Sums of floats with vectors of 64 bytes: a part of scan_rows_float.h, for float and double. The additions
 * are those of the plain loops there, in the same order; only NaN may have other bits, which nobody sees. */
#ifndef GF_ARRAY_SCAN_ROWS_WIDE_H
#define GF_ARRAY_SCAN_ROWS_WIDE_H

#include <immintrin.h>

#define LOAD_float_float(x)   _mm512_loadu_ps(x)
#define LOAD_float_double(x)  _mm512_cvtps_pd(_mm256_loadu_ps(x))
#define LOAD_double_double(x) _mm512_loadu_pd(x)

/* ---- 16 lanes of four floats ----------------------------------------------------------------- */

typedef __m512 wide_float;
#define WIDE_STORE_float(to, v) _mm512_storeu_ps(to, v)
#define WIDE_SET_float(x)       _mm512_set1_ps(x)

/* Sums of the lanes of four vectors, by a transposition. */
static inline __m512 wide_sums_float(const __m512 v[4])
{
    const __m512i order = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
    __m512d low[2], high[2];
    for (int i = 0; i < 2; i++) {
        low[i] = _mm512_castps_pd(_mm512_unpacklo_ps(v[2 * i], v[2 * i + 1]));
        high[i] = _mm512_castps_pd(_mm512_unpackhi_ps(v[2 * i], v[2 * i + 1]));
    }
    __m512 sum = _mm512_castpd_ps(_mm512_unpacklo_pd(low[0], low[1]));
    sum += _mm512_castpd_ps(_mm512_unpackhi_pd(low[0], low[1]));
    sum += _mm512_castpd_ps(_mm512_unpacklo_pd(high[0], high[1]));
    sum += _mm512_castpd_ps(_mm512_unpackhi_pd(high[0], high[1]));
    return _mm512_permutexvar_ps(order, sum);
}

/* Moved up by d; what comes in is from the end of `below`. */
#define UP_float(v, below, d)                                                                                \
    _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(v), _mm512_castps_si512(below), 16 - (d)))

static inline void wide_kogge_stone_float(__m512 v[2])
{
#define STEP(d)                                                                                              \
    v[1] += UP_float(v[1], v[0], d);                                                                         \
    v[0] = _mm512_mask_add_ps(v[0], (__mmask16)(0xffffU << (d)), v[0], UP_float(v[0], v[0], d))
    STEP(1);
    STEP(2);
    STEP(4);
    STEP(8);
#undef STEP
    v[1] += v[0];
}

/* Results of the four lanes of x from lane `first` of `base` on. */
static inline __m512 wide_results_float(__m512 x, __m512 base, int first, bool inclusive)
{
    const __m512i lane = _mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
    __m512 b = _mm512_permutexvar_ps(_mm512_add_epi32(lane, _mm512_set1_epi32(first)), base);
    x = _mm512_mask_add_ps(x, 0x2222, x, _mm512_permute_ps(x, 0x00));
    x = _mm512_mask_add_ps(x, 0x4444, x, _mm512_permute_ps(x, 0x55));
    x = _mm512_mask_add_ps(x, 0x8888, x, _mm512_permute_ps(x, 0xaa));
    x = inclusive ? _mm512_add_ps(b, x) : _mm512_mask_add_ps(b, 0xeeee, b, _mm512_permute_ps(x, 0x90));
    return _mm512_mask_mov_ps(x, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q),
                              _mm512_castsi512_ps(_mm512_set1_epi32(0x7fc00000)));
}

/* ---- 8 lanes of two doubles ------------------------------------------------------------------ */

typedef __m512d wide_double;
#define WIDE_STORE_double(to, v) _mm512_storeu_pd(to, v)
#define WIDE_SET_double(x)       _mm512_set1_pd(x)

static inline __m512d wide_sums_double(const __m512d v[2])
{
    const __m512i order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
    return _mm512_permutexvar_pd(order, _mm512_unpacklo_pd(v[0], v[1]) + _mm512_unpackhi_pd(v[0], v[1]));
}

#define UP_double(v, below, d)                                                                               \
    _mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(v), _mm512_castpd_si512(below), 8 - (d)))

static inline void wide_kogge_stone_double(__m512d v[4])
{
#define STEP(d)                                                                                              \
    v[3] += UP_double(v[3], v[2], d);                                                                        \
    v[2] += UP_double(v[2], v[1], d);                                                                        \
    v[1] += UP_double(v[1], v[0], d);                                                                        \
    v[0] = _mm512_mask_add_pd(v[0], (__mmask8)(0xffU << (d)), v[0], UP_double(v[0], v[0], d))
    STEP(1);
    STEP(2);
    STEP(4);
#undef STEP
    v[3] += v[2];
    v[2] += v[1];
    v[1] += v[0];
    v[3] += v[1];
    v[2] += v[0];
}

static inline __m512d wide_results_double(__m512d x, __m512d base, int first, bool inclusive)
{
    const __m512i lane = _mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0);
    __m512d b = _mm512_permutexvar_pd(_mm512_add_epi64(lane, _mm512_set1_epi64(first)), base);
    x = _mm512_mask_add_pd(x, 0xaa, x, _mm512_movedup_pd(x));
    x = inclusive ? _mm512_add_pd(b, x) : _mm512_mask_add_pd(b, 0xaa, b, _mm512_movedup_pd(x));
    return _mm512_mask_mov_pd(x, _mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q),
                              _mm512_castsi512_pd(_mm512_set1_epi64(0x7ff8000000000000)));
}

#endif
