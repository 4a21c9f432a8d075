/* One SIMD level of rows of "move": compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine
 * options. */
#include "base/cpu_level.h"
#include "base/cpu_stream.h"
#include "base/planted_fault.h"
#include "pixel/ir/move.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define ALWAYS static inline __attribute__((always_inline))

/* n pixels of `size` bytes, each `stride` bytes behind the one before. */
ALWAYS void gather(char *out, const char *in, int64_t n, int64_t stride, size_t size)
{
    for (int64_t i = 0; i < n; i++) {
        memcpy(out + i * (int64_t)size, in + i * stride, size);
    }
}

static void line(char *out, const char *in, int64_t n, int64_t stride, size_t size)
{
    switch (size) { /* a known size is a load and a store */
    case 1:
        gather(out, in, n, stride, 1);
        break;
    case 2:
        gather(out, in, n, stride, 2);
        break;
    case 3:
        gather(out, in, n, stride, 3);
        break;
    case 4:
        gather(out, in, n, stride, 4);
        break;
    case 6:
        gather(out, in, n, stride, 6);
        break;
    case 8:
        gather(out, in, n, stride, 8);
        break;
    case 12:
        gather(out, in, n, stride, 12);
        break;
    case 16:
        gather(out, in, n, stride, 16);
        break;
    default:
        gather(out, in, n, stride, size);
    }
}

#if defined(__AVX2__)

/* One shuffle turns round as many pixels as 16 bytes hold. Vectors are stored whole: what lies behind their
 * pixels comes with the next one. The first pixel goes by itself, since in front of it nothing may be read;
 * the last ones, since nothing may be written behind them. */
static void mirror(char *out, const char *in, int64_t n, size_t size)
{
    const int64_t pixel = (int64_t)size, together = 16 / pixel;
    unsigned char order[16];
    int64_t i = n < 1 ? n : 1;
    line(out, in, i, 0, size);
    for (int64_t b = 0; b < 16; b++) {
        const int64_t from = (together - 1 - b / pixel) * pixel + b % pixel;
        order[b] = (unsigned char)(b < together * pixel ? from ^ GF_FAULT(move_mirror) : 0x80);
    }
    const __m128i turned = _mm_loadu_si128((const __m128i *)(const void *)order);
    for (; (n - i) * pixel >= 16; i += together) {
        const void *from = in - (i + together - 1) * pixel;
        const __m128i v = _mm_loadu_si128((const __m128i *)from);
        _mm_storeu_si128((__m128i *)(void *)(out + i * pixel), _mm_shuffle_epi8(v, turned));
    }
    line(out + i * pixel, in - i * pixel, n - i, -pixel, size);
}

/* Two rows of the input, the second four below the first, as four words of three bytes each. */
ALWAYS __m256i two_rows(const char *in, int64_t pitch)
{
    const __m256i words = _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1, 0, 1, 2, -1,
                                           3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
    const __m128i upper = _mm_loadu_si128((const __m128i *)(const void *)in);
    const __m128i lower = _mm_loadu_si128((const __m128i *)(const void *)(in + 4 * pitch));
    return _mm256_shuffle_epi8(_mm256_inserti128_si256(_mm256_castsi128_si256(upper), lower, 1), words);
}

/* Eight words of three bytes to 24 bytes, and 8 behind them that come with the next ones. */
ALWAYS void store_24(char *out, __m256i words, bool exactly)
{
    const __m256i bytes = _mm256_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1, 0, 1, 2, 4,
                                           5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    const __m256i v = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(words, bytes),
                                                  _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
    if (!exactly) {
        _mm256_storeu_si256((__m256i *)(void *)out, v);
        return;
    }
    _mm_storeu_si128((__m128i *)(void *)out, _mm256_castsi256_si128(v));
    _mm_storel_epi64((__m128i *)(void *)(out + 16), _mm256_extracti128_si256(v, 1));
}

/* Pixels of three bytes: eight rows by four columns of the input. */
ALWAYS void swap_3(char *out, int64_t out_pitch, const char *in, int64_t in_pitch, bool exactly)
{
    const __m256i a = two_rows(in, in_pitch), b = two_rows(in + in_pitch, in_pitch);
    const __m256i c = two_rows(in + 2 * in_pitch, in_pitch), d = two_rows(in + 3 * in_pitch, in_pitch);
    const __m256i ab = _mm256_unpacklo_epi32(a, b), cd = _mm256_unpacklo_epi32(c, d);
    const __m256i ab_high = _mm256_unpackhi_epi32(a, b), cd_high = _mm256_unpackhi_epi32(c, d);
    store_24(out, _mm256_unpacklo_epi64(ab, cd), exactly);
    store_24(out + out_pitch, _mm256_unpackhi_epi64(ab, cd), exactly);
    store_24(out + (2 + GF_FAULT(move_block)) * out_pitch, _mm256_unpacklo_epi64(ab_high, cd_high), exactly);
    store_24(out + (3 - GF_FAULT(move_block)) * out_pitch, _mm256_unpackhi_epi64(ab_high, cd_high), exactly);
}

/* How many columns and rows of a tile of three bytes a pixel go by vectors: their loads take 16 bytes. */
ALWAYS void swap_3_all(const struct gf_move_tile *t, int64_t *columns, int64_t *rows)
{
    *columns = *rows = 0;
    for (int64_t c = 0; c + 4 <= t->columns && 3 * c + 16 <= t->readable; c += 4) {
        for (int64_t r = 0; r + 8 <= t->rows; r += 8) {
            swap_3(t->out + c * t->out_pitch + 3 * r, t->out_pitch, t->in + 3 * c + r * t->in_pitch,
                   t->in_pitch, r + 16 > t->rows);
            *rows = r + 8;
        }
        *columns = c + 4;
    }
}

#else

static void mirror(char *out, const char *in, int64_t n, size_t size)
{
    line(out, in, n, -(int64_t)size, size);
}

#endif

static void swap(const struct gf_move_tile *t, size_t size)
{
    int64_t columns = 0, rows = 0;
#if defined(__AVX2__)
    if (size == 3) {
        swap_3_all(t, &columns, &rows);
    }
#endif
    for (int64_t c = 0; c < t->columns; c++) {
        const int64_t r = c < columns ? rows : 0;
        line(t->out + c * t->out_pitch + r * (int64_t)size, t->in + c * (int64_t)size + r * t->in_pitch,
             t->rows - r, t->in_pitch, size);
    }
}

const struct gf_move_rows GF_LEVEL_NAME(gf_move_rows) = {line, mirror, swap, gf_cpu_stream};
