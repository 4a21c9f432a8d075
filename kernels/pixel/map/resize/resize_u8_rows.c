/* One SIMD level of "resize" of u8: compile with -DGF_ROWS_LEVEL=baseline, avx2, avx512 or vnni and its
 * machine options. Four samples of the input lie in a word, and so do bytes of their weights: with
 * instructions for that a lane adds four products at once. Across, lanes are rows: what lies along them is
 * transposed first, word by word. Without vectors there is nothing here, and the loops of resize_rows.c run.
 */
#include "pixel/map/resize/resize.h"

#include "base/cpu_level.h"
#include "pixel/cpu/cpu_simd.h"

#include <string.h>

#if GF_SIMD_INT >= 16

#define ALWAYS static inline __attribute__((always_inline))

enum {
    LANES = GF_SIMD_INT / 2,           /* words of a vector */
    PARTS = GF_RESIZE_U8_ROWS / LANES, /* vectors that hold a word of each row */
    WORDS = 512,                       /* of each row that are transposed at a time */
    COLUMNS = 64 * 4,                  /* samples of the output, too */
    HALF = 1 << (GF_RESIZE_SHIFT - 1)
};

/* ---- four products ---- */

#if GF_SIMD_INT == 32 && defined(__AVX512VNNI__)

struct weights {
    gf_vi digit[GF_RESIZE_DIGITS];
};
struct sums {
    gf_vi digit[GF_RESIZE_DIGITS];
};

ALWAYS struct weights weights_of(const int32_t *digits)
{
    return (struct weights){{vi_set32(digits[0]), vi_set32(digits[1]), vi_set32(digits[2])}};
}

ALWAYS void add_products(struct sums *sums, gf_vi samples, struct weights w)
{
    for (int d = 0; d < GF_RESIZE_DIGITS; d++) {
        sums->digit[d] = _mm512_dpbusd_epi32(sums->digit[d], samples, w.digit[d]);
    }
}

/* The sum, rounded, not yet clamped. */
ALWAYS gf_vi whole_of(struct sums s)
{
    const gf_vi high = _mm512_add_epi32(_mm512_slli_epi32(s.digit[2], 8), s.digit[1]);
    const gf_vi sum = _mm512_add_epi32(_mm512_slli_epi32(high, 8), s.digit[0]);
    return _mm512_srai_epi32(_mm512_add_epi32(sum, vi_set32(HALF)), GF_RESIZE_SHIFT);
}

#else

#if GF_SIMD_INT == 32
#define vi_add32(a, b)  _mm512_add_epi32(a, b)
#define vi_slli32(v, n) _mm512_slli_epi32(v, n)
#define vi_srai32(v, n) _mm512_srai_epi32(v, n)
#define vi_srli16(v, n) _mm512_srli_epi16(v, n)
#else
#define vi_add32(a, b)  _mm256_add_epi32(a, b)
#define vi_slli32(v, n) _mm256_slli_epi32(v, n)
#define vi_srai32(v, n) _mm256_srai_epi32(v, n)
#define vi_srli16(v, n) _mm256_srli_epi16(v, n)
#endif

/* Weights in two parts of 16 bits: of samples 0 and 2, and of 1 and 3. The high part has two digits. */
struct weights {
    gf_vi low[2], high[2];
};
struct sums {
    gf_vi low, high;
};

ALWAYS int32_t pair(int32_t a, int32_t b)
{
    return (int32_t)(((uint32_t)a & 0xffffU) | (uint32_t)b << 16);
}

ALWAYS struct weights weights_of(const int32_t *digits)
{
    const int8_t *d0 = (const int8_t *)digits, *d1 = d0 + 4, *d2 = d0 + 8;
    int32_t high[4];
    for (int i = 0; i < 4; i++) {
        high[i] = d2[i] * 256 + d1[i];
    }
    return (struct weights){{vi_set32(pair(d0[0], d0[2])), vi_set32(pair(d0[1], d0[3]))},
                            {vi_set32(pair(high[0], high[2])), vi_set32(pair(high[1], high[3]))}};
}

ALWAYS void add_products(struct sums *sums, gf_vi samples, struct weights w)
{
    const gf_vi even = vi_and(samples, vi_set32(0x00ff00ff)), odd = vi_srli16(samples, 8);
    sums->low = vi_dot(vi_dot(sums->low, even, w.low[0]), odd, w.low[1]);
    sums->high = vi_dot(vi_dot(sums->high, even, w.high[0]), odd, w.high[1]);
}

ALWAYS gf_vi whole_of(struct sums s)
{
    const gf_vi sum = vi_add32(vi_slli32(s.high, 8), s.low);
    return vi_srai32(vi_add32(sum, vi_set32(HALF)), GF_RESIZE_SHIFT);
}
#endif

/* ---- across ---- */

/* 16 bytes of a row from word `at` on; those behind the row's end are 0; samples of a channel side by side.
 */
ALWAYS __m128i words_of(const uint8_t *row, int64_t at, int64_t size, int channels)
{
    const __m128i order = channels == 2 ? _mm_setr_epi8(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15)
                          : channels == 3
                              ? _mm_setr_epi8(0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11, -1, -1, -1, -1)
                              : _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m128i bytes;
    if (4 * at + 16 <= size) {
        bytes = _mm_loadu_si128((const __m128i *)(const void *)(row + 4 * at));
    } else {
        uint8_t last[16] = {0};
        if (4 * at < size) {
            memcpy(last, row + 4 * at, (size_t)(size - 4 * at));
        }
        bytes = _mm_loadu_si128((const __m128i *)(const void *)last);
    }
    return channels == 1 ? bytes : _mm_shuffle_epi8(bytes, order);
}

/* Words [at, end) of each row, and up to three more: word i of row r to to[i - at][r]. A word has four
 * samples of a channel; with several, words of a pixel's channels follow each other. */
ALWAYS void transpose_words(uint32_t (*to)[GF_RESIZE_U8_ROWS], const void *const *in, int64_t at, int64_t end,
                            int64_t size, int channels)
{
    const int step = channels == 3 ? 3 : 4;
    for (int64_t i = at; i < end; i += step) {
        for (int r = 0; r < GF_RESIZE_U8_ROWS; r += 4) {
            __m128i row[4];
            for (int k = 0; k < 4; k++) {
                row[k] = words_of((const uint8_t *)in[r + k], i, size, channels);
            }
            const __m128i low0 = _mm_unpacklo_epi32(row[0], row[1]),
                          low1 = _mm_unpacklo_epi32(row[2], row[3]);
            const __m128i high0 = _mm_unpackhi_epi32(row[0], row[1]),
                          high1 = _mm_unpackhi_epi32(row[2], row[3]);
            const __m128i words[4] = {_mm_unpacklo_epi64(low0, low1), _mm_unpackhi_epi64(low0, low1),
                                      _mm_unpacklo_epi64(high0, high1), _mm_unpackhi_epi64(high0, high1)};
            for (int k = 0; k < step; k++) {
                _mm_storeu_si128((__m128i *)(void *)&to[i - at + k][r], words[k]);
            }
        }
    }
}

/* A sample of 16 rows, clamped. */
ALWAYS void store_samples(uint8_t *to, const gf_vi *whole)
{
#if GF_SIMD_INT == 32
    const __m512i positive = _mm512_max_epi32(whole[0], _mm512_setzero_si512());
    _mm_storeu_si128((__m128i *)(void *)to, _mm512_cvtusepi32_epi8(positive));
#else
    const __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(whole[0], whole[1]), 0xd8);
    _mm_storeu_si128((__m128i *)(void *)to,
                     _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)));
#endif
}

/* 16 x 16 bytes: each step makes of rows i and i + 8 two neighbours. */
static void transpose_bytes(uint8_t to[16][16], uint8_t (*from)[GF_RESIZE_U8_ROWS])
{
    __m128i v[2][16];
    for (int i = 0; i < 16; i++) {
        v[0][i] = _mm_loadu_si128((const __m128i *)(const void *)from[i]);
    }
    for (int step = 0; step < 4; step++) {
        const __m128i *a = v[step % 2];
        __m128i *b = v[(step + 1) % 2];
        for (int i = 0; i < 8; i++) {
            b[2 * i] = _mm_unpacklo_epi8(a[i], a[i + 8]);
            b[2 * i + 1] = _mm_unpackhi_epi8(a[i], a[i + 8]);
        }
    }
    for (int i = 0; i < 16; i++) {
        _mm_storeu_si128((__m128i *)(void *)to[i], v[0][i]);
    }
}

/* `n` samples of each row from `at` on; `samples` has room for 15 more. */
static void store_rows(void *const *out, int64_t at, int64_t n, uint8_t (*samples)[GF_RESIZE_U8_ROWS])
{
    for (int64_t i = 0; i < n; i += 16) {
        uint8_t block[16][16];
        transpose_bytes(block, samples + i);
        for (int r = 0; r < GF_RESIZE_U8_ROWS; r++) {
            uint8_t *to = (uint8_t *)out[r] + at + i;
            if (n - i >= 16) {
                memcpy(to, block[r], 16);
            } else {
                memcpy(to, block[r], (size_t)(n - i));
            }
        }
    }
}

ALWAYS void sample_across(const struct gf_resize_axis *axis, int64_t x,
                          const uint32_t (*words)[GF_RESIZE_U8_ROWS], uint8_t (*to)[GF_RESIZE_U8_ROWS],
                          int channels)
{
    const int32_t *digits = axis->digits + x * axis->quads * GF_RESIZE_DIGITS;
    const int32_t quads = (axis->first[x] % 4 + axis->count[x] + 3) / 4;
    gf_vi whole[4][PARTS];
    for (int part = 0; part < PARTS; part++) {
        struct sums sums[4];
        memset(sums, 0, sizeof sums);
        for (int32_t q = 0; q < quads; q++) {
            const struct weights w = weights_of(digits + q * GF_RESIZE_DIGITS);
            for (int c = 0; c < channels; c++) {
                add_products(&sums[c], vi_load(words[q * channels + c] + part * LANES), w);
            }
        }
        for (int c = 0; c < channels; c++) {
            whole[c][part] = whole_of(sums[c]);
        }
    }
    for (int c = 0; c < channels; c++) {
        store_samples(to[c], whole[c]);
    }
}

/* Makes as many outputs at a time as so many words of the input give; false where one takes more. */
ALWAYS bool across_channels(const struct gf_resize_axis *axis, const void *const *in, void *const *out,
                            int64_t n_in, int64_t n, int channels)
{
    uint32_t words[WORDS + 4][GF_RESIZE_U8_ROWS];
    uint8_t samples[COLUMNS + 15][GF_RESIZE_U8_ROWS];
    if ((int64_t)axis->quads * channels > WORDS) {
        return false;
    }
    for (int64_t x = 0, end = 0; x < n; x = end) {
        const int64_t from = axis->first[x] / 4;
        int64_t to = from;
        for (; end < n && (end - x + 1) * channels <= COLUMNS; end++) {
            const int64_t last = (axis->first[end] + axis->count[end] + 3) / 4;
            if ((last - from) * channels > WORDS) {
                break;
            }
            to = last;
        }
        transpose_words(words, in, from * channels, to * channels, n_in * channels, channels);
        for (int64_t i = x; i < end; i++) {
            sample_across(
                axis, i, (const uint32_t(*)[GF_RESIZE_U8_ROWS])words + (axis->first[i] / 4 - from) * channels,
                samples + (i - x) * channels, channels);
        }
        store_rows(out, x * channels, (end - x) * channels, samples);
    }
    return true;
}

static bool across(const struct gf_resize_axis *axis, const void *const *in, void *const *out, int64_t n_in,
                   int64_t n, int32_t channels)
{
    switch (channels) {
    case 1:
        return across_channels(axis, in, out, n_in, n, 1);
    case 2:
        return across_channels(axis, in, out, n_in, n, 2);
    case 3:
        return across_channels(axis, in, out, n_in, n, 3);
    default:
        return across_channels(axis, in, out, n_in, n, 4);
    }
}

/* ---- down ---- */

#if GF_SIMD_INT == 32
#define vi_low8(a, b)     _mm512_unpacklo_epi8(a, b)
#define vi_high8(a, b)    _mm512_unpackhi_epi8(a, b)
#define vi_packus16(a, b) _mm512_packus_epi16(a, b)
#else
#define vi_low8(a, b)     _mm256_unpacklo_epi8(a, b)
#define vi_high8(a, b)    _mm256_unpackhi_epi8(a, b)
#define vi_packus16(a, b) _mm256_packus_epi16(a, b)
#endif

/* Takes as many samples as a vector has bytes. Unpacking and packing within 128 bits keeps their order. */
ALWAYS void samples_down(const int32_t *digits, int32_t count, const uint8_t *in, int64_t pitch, uint8_t *out)
{
    struct sums sums[4];
    memset(sums, 0, sizeof sums);
    for (int32_t i = 0; i < count; i += 4, digits += GF_RESIZE_DIGITS) {
        gf_vi row[4]; /* the last of them again where there are no more: their weights are 0 */
        for (int k = 0; k < 4; k++) {
            row[k] = vi_load(in + (i + k < count ? i + k : count - 1) * pitch);
        }
        const gf_vi low0 = vi_low8(row[0], row[1]), low1 = vi_low8(row[2], row[3]);
        const gf_vi high0 = vi_high8(row[0], row[1]), high1 = vi_high8(row[2], row[3]);
        const struct weights w = weights_of(digits);
        add_products(&sums[0], vi_low(low0, low1), w);
        add_products(&sums[1], vi_high(low0, low1), w);
        add_products(&sums[2], vi_low(high0, high1), w);
        add_products(&sums[3], vi_high(high0, high1), w);
    }
    vi_store(out, vi_packus16(vi_pack32(whole_of(sums[0]), whole_of(sums[1])),
                              vi_pack32(whole_of(sums[2]), whole_of(sums[3]))));
}

static bool down(const struct gf_resize_axis *axis, int64_t y, const void *in, int64_t pitch, void *out,
                 int64_t n)
{
    const int32_t *digits = axis->digits + y * axis->quads * GF_RESIZE_DIGITS;
    const int64_t step = (int64_t)sizeof(gf_vi);
    if (n < step) {
        return false;
    }
    for (int64_t at = 0; at < n; at += step) { /* the last of them reach back */
        const int64_t i = at + step <= n ? at : n - step;
        samples_down(digits, axis->count[y], (const uint8_t *)in + i, pitch, (uint8_t *)out + i);
    }
    return true;
}

const struct gf_resize_u8_rows GF_LEVEL_NAME(gf_resize_u8_rows) = {across, down};
#else
const struct gf_resize_u8_rows GF_LEVEL_NAME(gf_resize_u8_rows) = {NULL, NULL};
#endif
