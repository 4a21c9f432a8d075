/* The few vector operations of the row functions, at the width the file is compiled for. Without x86 vectors
 * GF_SIMD_INT and GF_SIMD_FLOAT are 0 and only the plain loops exist.
 * Unpack and pack work within 128-bit lanes at every width: unpack, multiply, pack keeps the order. vi_turns
 * takes s16 lanes in turns: the first of a, the second of b, the third of a. vi_widen_u8, vi_narrow_u8 and
 * vi_gather32 keep the order of as many samples as there are f32 lanes, values of u8 among them.
 * vi_shifted(a, vi_between(a, b), n), n from 1 to 16, has the bytes of a from n on and the first n of b. */
#pragma once

#if defined(__AVX512BW__)
#include <immintrin.h>
#define GF_SIMD_INT   32 /* s16 lanes */
#define GF_SIMD_FLOAT 16 /* f32 lanes */
typedef __m512i gf_vi;
typedef __m512 gf_vf;
typedef __mmask16 gf_vm; /* of f32 lanes */
#define vi_load(p)        _mm512_loadu_si512((const void *)(p))
#define vi_store(p, v)    _mm512_storeu_si512((void *)(p), v)
#define vi_load_u8(p)     _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)(p)))
#define vi_store_u8(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), _mm512_cvtepi16_epi8(v))
#define vi_set32(x)       _mm512_set1_epi32(x)
#define vi_low(a, b)      _mm512_unpacklo_epi16(a, b)
#define vi_high(a, b)     _mm512_unpackhi_epi16(a, b)
#if defined(__AVX512VNNI__)
#define vi_dot(sum, a, b) _mm512_dpwssd_epi32(sum, a, b)
#else
#define vi_dot(sum, a, b) _mm512_add_epi32(sum, _mm512_madd_epi16(a, b))
#endif
#define vi_shift32(v, c) _mm512_sra_epi32(v, c)
#define vi_pack32(a, b)  _mm512_packs_epi32(a, b)
#define vi_left32(v, c)  _mm512_sll_epi32(v, c)
#define vi_turns(a, b)   _mm512_mask_blend_epi16(0xaaaaaaaa, a, b)
#define vf_load(p)       _mm512_loadu_ps(p)
#define vf_store(p, v)   _mm512_storeu_ps(p, v)
#define vf_set(x)        _mm512_set1_ps(x)
#define vf_mul(a, b)     _mm512_mul_ps(a, b)
#define vf_fma(a, b, c)  _mm512_fmadd_ps(a, b, c)
#define vf_fnma(a, b, c) _mm512_fnmadd_ps(a, b, c)
#define vf_add(a, b)     _mm512_add_ps(a, b)
#define vf_sub(a, b)     _mm512_sub_ps(a, b)
#define vf_div(a, b)     _mm512_div_ps(a, b)
#define vf_abs(v)        _mm512_abs_ps(v)
/* v * 2^n, n the low bits of `shifted`: its exponent bits grow by n */
#define vf_scale(v, shifted)                                                                                 \
    _mm512_castsi512_ps(                                                                                     \
        _mm512_add_epi32(_mm512_castps_si512(v), _mm512_slli_epi32(_mm512_castps_si512(shifted), 23)))
#define vf_less(a, b)         _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ)
#define vf_where(mask, v)     _mm512_maskz_mov_ps(mask, v) /* else 0 */
#define vf_choose(mask, a, b) _mm512_mask_blend_ps(mask, b, a)
/* b where a is NaN */
#define vf_or_if_nan(a, b)        _mm512_mask_mov_ps(a, _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q), b)
#define vi_and(a, b)              _mm512_and_si512(a, b)
#define vi_right32(v, n)          _mm512_srli_epi32(v, n)
#define vf_of_ints(v)             _mm512_cvtepi32_ps(v)
#define vi_of_floats(v)           _mm512_cvtps_epi32(v)
#define vi_widen_u8(p)            _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define vi_narrow_u8(p, v)        _mm_storeu_si128((__m128i *)(void *)(p), _mm512_cvtepi32_epi8(v))
#define vi_gather32(table, index) _mm512_i32gather_epi32(index, (const void *)(table), 4)
#define vi_min_u8(a, b)           _mm512_min_epu8(a, b)
#define vi_max_u8(a, b)           _mm512_max_epu8(a, b)
#define vi_min_u16(a, b)          _mm512_min_epu16(a, b)
#define vi_max_u16(a, b)          _mm512_max_epu16(a, b)
#define vi_between(a, b)          _mm512_alignr_epi64(b, a, 2)
#define vi_shifted(a, between, n) _mm512_alignr_epi8(between, a, n)

#elif defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#define GF_SIMD_INT    16
#define GF_SIMD_FLOAT  8
typedef __m256i gf_vi;
typedef __m256 gf_vf;
typedef __m256 gf_vm;
#define vi_load(p)     _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define vi_store(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define vi_load_u8(p)  _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define vi_store_u8(p, v)                                                                                    \
    _mm_storeu_si128((__m128i *)(void *)(p),                                                                 \
                     _mm256_castsi256_si128(_mm256_permute4x64_epi64(_mm256_packus_epi16(v, v), 0x08)))
#define vi_set32(x)       _mm256_set1_epi32(x)
#define vi_low(a, b)      _mm256_unpacklo_epi16(a, b)
#define vi_high(a, b)     _mm256_unpackhi_epi16(a, b)
#define vi_dot(sum, a, b) _mm256_add_epi32(sum, _mm256_madd_epi16(a, b))
#define vi_shift32(v, c)  _mm256_sra_epi32(v, c)
#define vi_pack32(a, b)   _mm256_packs_epi32(a, b)
#define vi_left32(v, c)   _mm256_sll_epi32(v, c)
#define vi_turns(a, b)    _mm256_blend_epi16(a, b, 0xaa)
#define vf_load(p)        _mm256_loadu_ps(p)
#define vf_store(p, v)    _mm256_storeu_ps(p, v)
#define vf_set(x)         _mm256_set1_ps(x)
#define vf_mul(a, b)      _mm256_mul_ps(a, b)
#define vf_fma(a, b, c)   _mm256_fmadd_ps(a, b, c)
#define vf_fnma(a, b, c)  _mm256_fnmadd_ps(a, b, c)
#define vf_add(a, b)      _mm256_add_ps(a, b)
#define vf_sub(a, b)      _mm256_sub_ps(a, b)
#define vf_div(a, b)      _mm256_div_ps(a, b)
#define vf_abs(v)         _mm256_andnot_ps(_mm256_set1_ps(-0.0F), v)
#define vf_scale(v, shifted)                                                                                 \
    _mm256_castsi256_ps(                                                                                     \
        _mm256_add_epi32(_mm256_castps_si256(v), _mm256_slli_epi32(_mm256_castps_si256(shifted), 23)))
#define vf_less(a, b)         _mm256_cmp_ps(a, b, _CMP_LT_OQ)
#define vf_where(mask, v)     _mm256_and_ps(mask, v)
#define vf_choose(mask, a, b) _mm256_blendv_ps(b, a, mask)
#define vf_or_if_nan(a, b)    _mm256_blendv_ps(a, b, _mm256_cmp_ps(a, a, _CMP_UNORD_Q))
#define vi_and(a, b)          _mm256_and_si256(a, b)
#define vi_right32(v, n)      _mm256_srli_epi32(v, n)
#define vf_of_ints(v)         _mm256_cvtepi32_ps(v)
#define vi_of_floats(v)       _mm256_cvtps_epi32(v)
#define vi_widen_u8(p)        _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(p)))
#define vi_narrow_u8(p, v)                                                                                   \
    _mm_storel_epi64(                                                                                        \
        (__m128i *)(void *)(p),                                                                              \
        _mm_packus_epi16(_mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1)),         \
                         _mm_setzero_si128()))
#define vi_gather32(table, index) _mm256_i32gather_epi32((const int *)(table), index, 4)
#define vi_min_u8(a, b)           _mm256_min_epu8(a, b)
#define vi_max_u8(a, b)           _mm256_max_epu8(a, b)
#define vi_min_u16(a, b)          _mm256_min_epu16(a, b)
#define vi_max_u16(a, b)          _mm256_max_epu16(a, b)
#define vi_between(a, b)          _mm256_permute2x128_si256(a, b, 0x21)
#define vi_shifted(a, between, n) _mm256_alignr_epi8(between, a, n)

#elif defined(__SSE2__)
#include <emmintrin.h>
#define GF_SIMD_INT    8
#define GF_SIMD_FLOAT  0 /* no fma instruction: the loops over gf_fma vectorise as they are */
typedef __m128i gf_vi;
#define vi_load(p)     _mm_loadu_si128((const __m128i *)(const void *)(p))
#define vi_store(p, v) _mm_storeu_si128((__m128i *)(void *)(p), v)
#define vi_load_u8(p)                                                                                        \
    _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)(p)), _mm_setzero_si128())
#define vi_store_u8(p, v) _mm_storel_epi64((__m128i *)(void *)(p), _mm_packus_epi16(v, v))
#define vi_set32(x)       _mm_set1_epi32(x)
#define vi_low(a, b)      _mm_unpacklo_epi16(a, b)
#define vi_high(a, b)     _mm_unpackhi_epi16(a, b)
#define vi_dot(sum, a, b) _mm_add_epi32(sum, _mm_madd_epi16(a, b))
#define vi_shift32(v, c)  _mm_sra_epi32(v, c)
#define vi_pack32(a, b)   _mm_packs_epi32(a, b)
#define vi_left32(v, c)   _mm_sll_epi32(v, c)
#define vi_turns(a, b)                                                                                       \
    _mm_or_si128(_mm_srli_epi32(_mm_slli_epi32(a, 16), 16), _mm_slli_epi32(_mm_srli_epi32(b, 16), 16))
#define vi_min_u8(a, b)           _mm_min_epu8(a, b)
#define vi_max_u8(a, b)           _mm_max_epu8(a, b)
#define vi_min_u16(a, b)          _mm_sub_epi16(a, _mm_subs_epu16(a, b))
#define vi_max_u16(a, b)          _mm_add_epi16(b, _mm_subs_epu16(a, b))
#define vi_between(a, b)          (b)
#define vi_shifted(a, between, n) _mm_or_si128(_mm_srli_si128(a, n), _mm_slli_si128(between, 16 - (n)))

#else
#define GF_SIMD_INT   0
#define GF_SIMD_FLOAT 0
#endif
