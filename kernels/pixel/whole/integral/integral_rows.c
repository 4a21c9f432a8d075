/* One SIMD level of the rows of integral: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its
 * machine options. */
#include "pixel/whole/integral/integral.h"

#include "base/cpu_level.h"
#include "base/cpu_stream.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { CELL = GF_CELL_W, GROUPS = GF_INTEGRAL_GROUPS, GROUP = GF_INTEGRAL_GROUP };

/* ---- integers: any order ---- */

/* Sums of v[0] to v[i], of at most CELL samples. */
static uint64_t scan_u8(const uint8_t *v, int64_t n, uint32_t *sums)
{
    int64_t i = 0;
    uint32_t sum = 0;
#if defined(__SSE2__)
    __m128i carry = _mm_setzero_si128(), zero = carry;
    for (; i + 8 <= n; i += 8) { /* u16 holds 128 samples */
        __m128i s = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)(v + i)), zero);
        s = _mm_add_epi16(s, _mm_slli_si128(s, 2));
        s = _mm_add_epi16(s, _mm_slli_si128(s, 4));
        s = _mm_add_epi16(_mm_add_epi16(s, _mm_slli_si128(s, 8)), carry);
        carry = _mm_shuffle_epi32(_mm_shufflehi_epi16(s, 0xff), 0xff);
        _mm_storeu_si128((__m128i *)(void *)(sums + i), _mm_unpacklo_epi16(s, zero));
        _mm_storeu_si128((__m128i *)(void *)(sums + i + 4), _mm_unpackhi_epi16(s, zero));
    }
    sum = (uint32_t)_mm_cvtsi128_si32(carry) & 0xffff;
#endif
    for (; i < n; i++) {
        sums[i] = sum += v[i];
    }
    return sum;
}

static uint64_t scan_u16(const uint16_t *v, int64_t n, uint32_t *sums)
{
    uint32_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sums[i] = sum += v[i];
    }
    return sum;
}

static uint64_t total(const void *v, gf_depth depth, int64_t n)
{
    uint64_t sum = 0;
    for (int64_t x = 0; x < n; x += CELL) { /* 32 bits hold a cell's row */
        const int64_t end = n - x < CELL ? n : x + CELL;
        uint32_t part = 0;
        for (int64_t i = x; i < end && depth == GF_U8; i++) {
            part += ((const uint8_t *)v)[i];
        }
        for (int64_t i = x; i < end && depth != GF_U8; i++) {
            part += ((const uint16_t *)v)[i];
        }
        sum += part;
    }
    return sum;
}

static uint64_t whole(const void *v, gf_depth depth, int64_t n, uint64_t *above, uint64_t left, void *out)
{
    const uint64_t begun = left;
    for (int64_t x = 0; x < n && out; x += CELL) {
        const int64_t m = n - x < CELL ? n - x : CELL;
        uint32_t sums[CELL];
        const uint64_t sum = depth == GF_U8 ? scan_u8((const uint8_t *)v + x, m, sums)
                                            : scan_u16((const uint16_t *)v + x, m, sums);
        for (int64_t i = 0; i < m; i++) {
            above[x + i] += left + sums[i];
        }
        gf_cpu_stream((uint64_t *)out + x, above + x, (size_t)m * sizeof *above);
        left += sum;
    }
    return out ? left - begun : total(v, depth, n);
}

/* ---- f32: one order ---- */

/* p of a cell's row; v has CELL samples, 0 where there are none. */
static void scan_f32(const float *v, double p[CELL])
{
    double sums[GROUP][GROUPS], scan[GROUPS], moved[GROUPS] = {0};
    for (int i = 0; i < GROUPS; i++) {
        sums[0][i] = v[GROUP * i];
        for (int k = 1; k < GROUP; k++) {
            sums[k][i] = sums[k - 1][i] + (double)v[GROUP * i + k];
        }
        scan[i] = sums[GROUP - 1][i];
    }
    for (int step = 1; step < GROUPS; step *= 2) {
        for (int i = 0; i < GROUPS; i++) {
            moved[i] = i < step ? 0 : scan[i - step];
        }
        for (int i = step; i < GROUPS; i++) {
            scan[i] = moved[i] + scan[i];
        }
    }
    for (int i = 0; i < GROUPS; i++) {
        for (int k = 0; k < GROUP; k++) {
            p[GROUP * i + k] = (i ? scan[i - 1] : 0) + sums[k][i];
        }
    }
}

static double real(const float *v, int64_t n, bool first, bool last, double *c, double *a, double g,
                   double *out)
{
    for (int64_t x = 0; x < n; x += CELL) {
        const int64_t m = n - x < CELL ? n - x : CELL;
        float samples[CELL] = {0};
        double p[CELL];
        const float *from = v + x;
        if (m < CELL) {
            memcpy(samples, from, (size_t)m * sizeof *v);
            from = samples;
        }
        scan_f32(from, p);
        for (int64_t i = 0; i < m; i++) {
            const double sum = first ? p[i] : c[x + i] + p[i];
            c[x + i] = sum;
        }
        for (int64_t i = 0; i < m && out; i++) {
            const double sum = a[x + i] + (g + c[x + i]);
            a[x + i] = last ? sum : a[x + i];
            out[x + i] = sum == sum ? sum : gf_bits_double(UINT64_C(0x7ff8000000000000));
        }
        g = g + c[x + m - 1 - (GF_FAULT(integral_cell) && m > 1)];
    }
    return g;
}

const struct gf_integral_rows GF_LEVEL_NAME(gf_integral_rows) = {whole, real};
