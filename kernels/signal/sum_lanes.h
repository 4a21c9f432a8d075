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
    vector v[4]; /* not in memory, where lanes might be */
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
#if defined(__AVX512F__)
        v[j] = _mm512_castps128_ps512(_mm_loadu_ps(lane[j] + i));
        v[j] = _mm512_insertf32x4(v[j], _mm_loadu_ps(lane[4 + j] + i), 1);
        v[j] = _mm512_insertf32x4(v[j], _mm_loadu_ps(lane[8 + j] + i), 2);
        v[j] = _mm512_insertf32x4(v[j], _mm_loadu_ps(lane[12 + j] + i), 3);
#else
        v[j] = _mm256_loadu2_m128(lane[4 + j] + i, lane[j] + i);
#endif
    }
    turn(v);
    memcpy(row, v, sizeof v);
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

/* The sums of AT_ONCE outputs that have taps in common go on by `count` of them; kept: where they are between
 * pieces. */
static void add_shared(const float *tap, int count, const float *rows, half kept[2], bool begins, bool ends,
                       vector *out)
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
        add_common(tap + h, count - h, rows + (count - 1 - h) * LANES, sum);
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

/* A chain of each of OWN outputs with taps of their own, in up to PLANES times as many lanes, whose rows lie
 * apart: a tap in a register serves all of them, and a row all outputs. */
enum { OWN = 6, PLANES = 2, PLANE = 416 /* rows */ };
typedef vector chains[OWN][PLANES];

/* Row -k of the planes times tap k - apart[i] of each output. all: there is such a tap. Where there is none
 * -0 is added, which changes no sum. */
INLINE void add_row(bool all, int planes, const float *const tap[OWN], const int apart[OWN], int64_t k,
                    int count, const vector *rows, chains sum)
{
    static const float one = 1;
    const vector nothing = V(set1_ps)(-0.0F);
    vector x[PLANES];
    for (int p = 0; p < planes && all; p++) {
        x[p] = rows[p * PLANE - k];
        __asm__("" : "+v"(x[p])); /* in a register, not read again and again */
    }
#pragma GCC unroll 8
    for (int i = 0; i < OWN; i++) {
        const bool has_it = all || (k >= apart[i] && k < count + apart[i]);
        const vector factor = V(set1_ps)(*(has_it ? tap[i] + (k - apart[i]) : &one));
#pragma GCC unroll 2
        for (int p = 0; p < planes; p++) {
            sum[i][p] =
                V(fmadd_ps)(factor, all ? x[p] : *(has_it ? rows + (p * PLANE - k) : &nothing), sum[i][p]);
        }
    }
}

/* Every eighth of the rows from `rows` backward, which is that of tap 0 of the last output; apart: how many
 * rows further forward that of tap 0 of each output lies. */
INLINE void add_chain(int planes, const float *const tap[OWN], const int apart[OWN], int chain, int count,
                      const vector *rows, bool begins, chains kept)
{
    const int64_t before = (apart[0] + CHAINS - 1) / CHAINS * CHAINS, whole = count / CHAINS * CHAINS;
    const int64_t end = (count + apart[0] + CHAINS - 1) / CHAINS * CHAINS;
    int64_t k = 0;
    chains sum;
#pragma GCC unroll 8
    for (int i = 0; i < OWN; i++) {
#pragma GCC unroll 2
        for (int p = 0; p < planes; p++) {
            sum[i][p] = V(setzero_ps)();
            if (!begins) {
                sum[i][p] = kept[i][p];
            }
        }
    }
    for (; k < before; k += CHAINS) {
        add_row(false, planes, tap, apart, k + chain, count, rows, sum);
    }
    for (; k < whole; k += CHAINS) {
        add_row(true, planes, tap, apart, k + chain, count, rows, sum);
    }
    for (; k < end; k += CHAINS) {
        add_row(false, planes, tap, apart, k + chain, count, rows, sum);
    }
    memcpy(kept, sum, sizeof sum);
}

/* All chains of OWN outputs, and where they end, their sums. */
INLINE void add_own(int planes, const float *const tap[OWN], const int place[OWN], int count,
                    const vector *rows, chains kept[CHAINS], bool begins, bool ends, vector *out,
                    int out_plane)
{
    int apart[OWN];
    for (int i = 0; i < OWN; i++) {
        apart[i] = place[OWN - 1] - place[i];
    }
    for (int c = 0; c < CHAINS; c++) {
        add_chain(planes, tap, apart, c, count, rows + place[OWN - 1] + count - 1, begins, kept[c]);
    }
    for (int i = 0; i < OWN && ends; i++) {
        for (int p = 0; p < planes; p++) {
            vector v[CHAINS];
            for (int c = 0; c < CHAINS; c++) {
                v[c] = kept[c][i][p];
            }
            out[p * out_plane + i] =
                canonical(((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])));
        }
    }
}

#endif
