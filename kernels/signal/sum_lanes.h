/* Sums of taps in the lanes of vectors of one SIMD level, for signal_rows.c. Rows have what the lanes read:
 * one frame each. Without vectors there is only CHAINS. */
#pragma once

#include "base/gf_num.h"
#include "signal/signal_sum.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { CHAINS = GF_SUM_CHAINS };

#if defined(__AVX512F__)
#include "signal/turn_rows.h"
enum { LANES = 16, AT_ONCE = 6 /* outputs, of which half of the chains are in registers */ };
typedef __m512 vector;
#define V(name) _mm512_##name
#elif defined(__AVX2__) && defined(__FMA__)
#include "signal/turn_rows.h"
enum { LANES = 8, AT_ONCE = 3 };
typedef __m256 vector;
#define V(name) _mm256_##name
#endif
#define INLINE static inline __attribute__((always_inline))

#if defined(V)

GF_DEFINE_TURN(vector, V)

/* Four frames of each lane, from lane[l] + i on, become four rows. */
static inline void turn_in(const float *const lane[LANES], int i, vector row[4])
{
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
#if defined(__AVX512F__)
        row[j] = _mm512_castps128_ps512(_mm_loadu_ps(lane[j] + i));
        row[j] = _mm512_insertf32x4(row[j], _mm_loadu_ps(lane[4 + j] + i), 1);
        row[j] = _mm512_insertf32x4(row[j], _mm_loadu_ps(lane[8 + j] + i), 2);
        row[j] = _mm512_insertf32x4(row[j], _mm_loadu_ps(lane[12 + j] + i), 3);
#else
        row[j] = _mm256_loadu2_m128(lane[4 + j] + i, lane[j] + i);
#endif
    }
    turn(row);
}

/* The other way round. */
static inline void turn_out(const vector row[4], float *y, int64_t stride, int lanes)
{
    vector v[4] = {row[0], row[1], row[2], row[3]};
    turn(v);
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
#if defined(__AVX512F__)
        const __m128 part[LANES / 4] = {_mm512_castps512_ps128(v[j]), _mm512_extractf32x4_ps(v[j], 1),
                                        _mm512_extractf32x4_ps(v[j], 2), _mm512_extractf32x4_ps(v[j], 3)};
#else
        const __m128 part[LANES / 4] = {_mm256_castps256_ps128(v[j]), _mm256_extractf128_ps(v[j], 1)};
#endif
#pragma GCC unroll 4
        for (int q = 0; q < LANES / 4; q++) {
            if (4 * q + j < lanes) {
                _mm_storeu_ps(y + (4 * q + j) * stride, part[q]);
            }
        }
    }
}

/* sum + a b, or sum: without a jump. */
static inline vector add_where(bool it_is, vector a, vector b, vector sum)
{
#if defined(__AVX512F__)
    return _mm512_mask3_fmadd_ps(a, b, sum, it_is ? 0xffff : 0);
#else
    const __m256 mask = _mm256_castsi256_ps(_mm256_set1_epi32(it_is ? -1 : 0));
    return _mm256_blendv_ps(sum, _mm256_fmadd_ps(a, b, sum), mask);
#endif
}

static vector canonical(vector x)
{
#if defined(__AVX512F__)
    return _mm512_mask_mov_ps(x, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q),
                              _mm512_set1_ps(gf_bits_float(GF_CANONICAL_NAN)));
#else
    return _mm256_blendv_ps(x, _mm256_set1_ps(gf_bits_float(GF_CANONICAL_NAN)),
                            _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
#endif
}

/* Half of the chains: every second one, which are folded first. It does not matter with which of a half they
 * begin. */
typedef vector half[AT_ONCE][CHAINS / 2];

/* Up to four taps that outputs have in common, times rows, of which a further output reads the next one. */
INLINE void add_taps_of_all(int count, const float *tap, const float *row, half sum)
{
#pragma GCC unroll 4
    for (int c = 0; c < CHAINS / 2; c++) {
        if (2 * c < count) {
            const vector factor = V(set1_ps)(tap[2 * c]);
#pragma GCC unroll 8
            for (int i = 0; i < AT_ONCE; i++) {
                sum[i][c] = V(fmadd_ps)(factor, V(load_ps)(row + (i - 2 * c) * LANES), sum[i][c]);
            }
        }
    }
}

INLINE void add_common(const float *tap, int count, const float *row, half sum)
{
    for (; count > CHAINS - 2; count -= CHAINS, tap += CHAINS, row -= CHAINS * LANES) {
        add_taps_of_all(CHAINS, tap, row, sum);
    }
    add_taps_of_all(count, tap, row, sum);
}

/* Four of the rows, from `row` backward, times the taps that each output has for them: tap[i][-row]. all:
 * each output has taps for all of them. */
INLINE void add_rows(bool all, const float *const tap[AT_ONCE], const int place[AT_ONCE], int count,
                     const float *rows, int row, half sum)
{
#pragma GCC unroll 4
    for (int c = 0; c < CHAINS / 2; c++) {
        const int r = row - 2 * c;
        vector x = V(load_ps)(rows + r * LANES);
        __asm__("" : "+v"(x)); /* in a register, not read again and again */
        if (all || (LANES > 8 && r >= place[AT_ONCE - 1] && r < place[0] + count)) {
#pragma GCC unroll 8
            for (int i = 0; i < AT_ONCE; i++) {
                sum[i][c] = V(fmadd_ps)(V(set1_ps)(tap[i][-r]), x, sum[i][c]);
            }
        } else if (LANES == 8 || r >= place[0]) {
#pragma GCC unroll 8
            for (int i = 0; i < AT_ONCE; i++) {
                const bool has_it = r >= place[i] && r < place[i] + count;
                const vector factor = V(set1_ps)(tap[i][has_it ? -r : -place[i]]);
                sum[i][c] = add_where(has_it, factor, x, sum[i][c]);
            }
        }
    }
}

/* Outputs with taps of their own, which read `count` rows from place[i] on, in ascending order. */
INLINE void add_own(const float *const tap[AT_ONCE], const int place[AT_ONCE], int k, int count,
                    const float *rows, half sum)
{
    const float *of_row_0[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++) {
        of_row_0[i] = tap[i] + place[i] + count - 1;
    }
    for (int row = place[AT_ONCE - 1] + count - 1 - k; row >= place[0]; row -= CHAINS) {
        if (row < place[0] + count && row - CHAINS + 2 >= place[AT_ONCE - 1]) {
            add_rows(true, of_row_0, place, count, rows, row, sum);
        } else {
            add_rows(false, of_row_0, place, count, rows, row, sum);
        }
    }
}

/* The sums of AT_ONCE outputs go on by `count` taps; kept: where they are between pieces. */
static void add(bool common, const float *const tap[AT_ONCE], const int place[AT_ONCE], int count,
                const float *rows, half kept[2], bool begins, bool ends, vector *out)
{
    for (int h = 0; h < 2; h++) {
        half sum;
#pragma GCC unroll 8
        for (int i = 0; i < AT_ONCE; i++) {
#pragma GCC unroll 4
            for (int c = 0; c < CHAINS / 2; c++) {
                sum[i][c] = V(setzero_ps)();
                if (!begins) {
                    sum[i][c] = kept[h][i][c];
                }
            }
        }
        if (common) {
            add_common(tap[0] + h, count - h, rows + (place[0] + count - 1 - h) * LANES, sum);
        } else {
            add_own(tap, place, h, count, rows, sum);
        }
        if (!ends) {
            memcpy(kept[h], sum, sizeof sum);
            continue;
        }
#pragma GCC unroll 8
        for (int i = 0; i < AT_ONCE; i++) {
            const vector all = (sum[i][0] + sum[i][2]) + (sum[i][1] + sum[i][3]);
            out[i] = h ? canonical(out[i] + all) : all;
        }
    }
}

#endif
