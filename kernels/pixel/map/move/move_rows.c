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

/* Squares change places as words of 1, 2, 4 or 8 bytes; pixels of three bytes are made words of four. */
ALWAYS int word_of(size_t size)
{
    return size == 3 ? 4 : (int)size;
}

/* 16 bytes of a row of the input, and of one further down. */
ALWAYS __m256i two_rows(const char *in, int64_t apart, size_t size)
{
    const __m256i words = _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1, 0, 1, 2, -1,
                                           3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
    const __m128i upper = _mm_loadu_si128((const __m128i *)(const void *)in);
    const __m128i lower = _mm_loadu_si128((const __m128i *)(const void *)(in + apart));
    const __m256i both = _mm256_inserti128_si256(_mm256_castsi128_si256(upper), lower, 1);
    return size == 3 ? _mm256_shuffle_epi8(both, words) : both;
}

ALWAYS __m256i low_words(__m256i a, __m256i b, int word)
{
    return word == 1   ? _mm256_unpacklo_epi8(a, b)
           : word == 2 ? _mm256_unpacklo_epi16(a, b)
           : word == 4 ? _mm256_unpacklo_epi32(a, b)
                       : _mm256_unpacklo_epi64(a, b);
}

ALWAYS __m256i high_words(__m256i a, __m256i b, int word)
{
    return word == 1   ? _mm256_unpackhi_epi8(a, b)
           : word == 2 ? _mm256_unpackhi_epi16(a, b)
           : word == 4 ? _mm256_unpackhi_epi32(a, b)
                       : _mm256_unpackhi_epi64(a, b);
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

/* n columns, as many as 16 bytes have words, of 2 n rows of the input. The number of a word, that of its row
 * in front of that of its column, goes round by one bit with each step; when all bits of the column have come
 * to the front, columns are rows. */
ALWAYS void swap_squares(char *out, int64_t out_pitch, const char *in, int64_t in_pitch, size_t size,
                         bool exactly)
{
    const int word = word_of(size), n = 16 / word;
    __m256i v[16], next[16];
#pragma GCC unroll 16
    for (int i = 0; i < n; i++) {
        v[i] = two_rows(in + i * in_pitch, n * in_pitch, size);
    }
#pragma GCC unroll 4
    for (int step = 1; step < n; step *= 2) {
#pragma GCC unroll 8
        for (int i = 0; i < n / 2; i++) {
            next[2 * i] = low_words(v[i], v[i + n / 2], word);
            next[2 * i + 1] = high_words(v[i], v[i + n / 2], word);
        }
#pragma GCC unroll 16
        for (int i = 0; i < n; i++) {
            v[i] = next[i];
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < n; i++) {
        char *to = out + (GF_FAULT(move_block) && i < 2 ? 1 - i : i) * out_pitch;
        if (size == 3) {
            store_24(to, v[i], exactly);
        } else {
            _mm256_storeu_si256((__m256i *)(void *)to, v[i]);
        }
    }
}

/* How many columns and rows of a tile go by vectors: their loads take 16 bytes. Along the rows of the input
 * first, which the processor asks for ahead. */
ALWAYS void swap_by_squares(const struct gf_move_tile *t, size_t size, int64_t *columns, int64_t *rows)
{
    const int64_t pixel = (int64_t)size, n = 16 / word_of(size);
    for (int64_t r = 0; r + 2 * n <= t->rows; r += 2 * n) {
        const bool exactly = r + 4 * n > t->rows;
        for (int64_t c = 0; c + n <= t->columns && pixel * c + 16 <= t->readable; c += n) {
            swap_squares(t->out + c * t->out_pitch + pixel * r, t->out_pitch,
                         t->in + pixel * c + r * t->in_pitch, t->in_pitch, size, exactly);
            *columns = c + n;
        }
        *rows = r + 2 * n;
    }
}

static void swap_vectors(const struct gf_move_tile *t, size_t size, int64_t *columns, int64_t *rows)
{
    switch (size) {
    case 1:
        swap_by_squares(t, 1, columns, rows);
        break;
    case 2:
        swap_by_squares(t, 2, columns, rows);
        break;
    case 3:
        swap_by_squares(t, 3, columns, rows);
        break;
    case 4:
        swap_by_squares(t, 4, columns, rows);
        break;
    case 8:
        swap_by_squares(t, 8, columns, rows);
        break;
    default:; /* one by one */
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
    swap_vectors(t, size, &columns, &rows);
#endif
    for (int64_t c = 0; c < t->columns; c++) {
        const int64_t r = c < columns ? rows : 0;
        line(t->out + c * t->out_pitch + r * (int64_t)size, t->in + c * (int64_t)size + r * t->in_pitch,
             t->rows - r, t->in_pitch, size);
    }
}

const struct gf_move_rows GF_LEVEL_NAME(gf_move_rows) = {line, mirror, swap, gf_cpu_stream};
