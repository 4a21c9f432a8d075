/* One SIMD level: compile with -DGF_ROWS_LEVEL=baseline, avx2, avx512 or vnni and the machine options of that
 * level. Digits are signed bytes. VNNI multiplies unsigned by signed ones: there the digits of B are 128 too
 * high, and a panel of A ends with what the sums are too high by. */
#include "linear/matmul/matmul_slices_lines.h"

#include "base/cpu_level.h"

#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* ---- A first look ---------------------------------------------------------------------------- */

void GF_LEVEL_NAME(gf_slices_look)(const struct gf_slices_panel *p, struct gf_slices_side *sides)
{
    uint32_t most[GF_SLICES_LANES] = {0}, count[GF_SLICES_LANES] = {0}, exponents[GF_SLICES_LANES] = {0};
    if (p->along == 1) {
        for (int64_t l = 0; l < p->k; l++) {
            for (int32_t r = 0; r < p->count; r++) {
                const uint32_t size = gf_float_bits(p->from[l * p->deep + r]) & 0x7fffffffU;
                most[r] = most[r] > size ? most[r] : size;
                count[r] += size != 0;
                exponents[r] += size >> 23;
            }
        }
    } else {
        for (int32_t r = 0; r < p->count; r++) {
            uint32_t m = 0, n = 0, e = 0;
            for (int64_t l = 0; l < p->k; l++) {
                const uint32_t size = gf_float_bits(p->from[r * p->along + l * p->deep]) & 0x7fffffffU;
                m = m > size ? m : size;
                n += size != 0;
                e += size >> 23;
            }
            most[r] = m;
            count[r] = n;
            exponents[r] = e;
        }
    }
    for (int32_t r = 0; r < p->count; r++) {
        sides[r] = (struct gf_slices_side){most[r], count[r], exponents[r]};
    }
}

/* ---- Panels ---------------------------------------------------------------------------------- */

#if defined(__AVX512VNNI__)
enum { TOGETHER = 4, TOO_HIGH = 128 };
#else
enum { TOGETHER = 2, TOO_HIGH = 0 };
#endif

enum { AT_ONCE = 64 }; /* steps */

/* Digits of up to AT_ONCE steps from l on, step after step. */
static void cut(const struct gf_slices_panel *p, int64_t l, int64_t steps, int32_t slices, uint32_t *words)
{
    float first[GF_SLICES_LANES], second[GF_SLICES_LANES];
    memset(words, 0, AT_ONCE * GF_SLICES_LANES * sizeof *words);
    for (int32_t r = 0; r < p->count; r++) {
        first[r] = gf_slices_first(p->scales[r]);
        second[r] = gf_slices_second(p->scales[r]);
    }
    if (p->along == 1) {
        for (int64_t s = 0; s < steps; s++) {
            const float *from = p->from + (l + s) * p->deep;
            for (int32_t r = 0; r < p->count; r++) {
                words[s * p->lanes + r] = gf_slices_digits(from[r], first[r], second[r], slices);
            }
        }
    } else {
        for (int32_t r = 0; r < p->count; r++) {
            const float *from = p->from + r * p->along + l * p->deep;
            for (int64_t s = 0; s < steps; s++) {
                words[s * p->lanes + r] = gf_slices_digits(from[s * p->deep], first[r], second[r], slices);
            }
        }
    }
}

/* A word of digits that follow each other in the sum, of words `lanes` apart. */
static inline uint32_t join(const uint32_t *words, int32_t lanes, int32_t shift)
{
#if defined(__AVX512VNNI__)
    return (words[0] >> shift & 0xffU) | (words[lanes] >> shift & 0xffU) << 8 |
           (words[2 * lanes] >> shift & 0xffU) << 16 | (words[3 * lanes] >> shift & 0xffU) << 24;
#else
    const uint32_t low = (uint32_t)(int32_t)(int8_t)(uint8_t)(words[0] >> shift);
    const uint32_t high = (uint32_t)(int32_t)(int8_t)(uint8_t)(words[lanes] >> shift);
    return (low & 0xffffU) | high << 16;
#endif
}

static inline void pack(const struct gf_slices_panel *p, int32_t slices, int32_t lanes, uint32_t flip,
                        uint32_t *to)
{
    uint32_t words[AT_ONCE * GF_SLICES_LANES];
    for (int64_t l = 0; l < p->k; l += AT_ONCE) {
        const int64_t steps = p->k - l < AT_ONCE ? p->k - l : AT_ONCE;
        cut(p, l, steps, slices, words);
        for (int64_t s = 0; s < steps; s += TOGETHER) {
            for (int32_t i = 0; i < slices; i++, to += lanes) {
                const int32_t shift = 8 * (slices - 1 - i);
                for (int32_t r = 0; r < lanes; r++) {
                    to[r] = join(words + s * lanes + r, lanes, shift) ^ flip;
                }
            }
        }
    }
}

/* Behind a panel of A: TOO_HIGH times the sums of its digits, those of slices 0 to t for each t. */
static void add_sums(int64_t k, int32_t slices, int32_t lanes, const uint32_t *panel, uint32_t *to)
{
    if (TOO_HIGH > 0) {
        memset(to, 0, (size_t)(slices * lanes) * sizeof *to);
        for (int64_t w = 0; w < (k + TOGETHER - 1) / TOGETHER; w++) {
            for (int32_t i = 0; i < slices; i++, panel += lanes) {
                for (int32_t r = 0; r < lanes; r++) {
                    for (int32_t e = 0; e < 32; e += 8) {
                        to[i * lanes + r] += (uint32_t)(TOO_HIGH * (int8_t)(uint8_t)(panel[r] >> e));
                    }
                }
            }
        }
        for (int32_t at = lanes; at < slices * lanes; at++) {
            to[at] += to[at - lanes];
        }
    }
}

/* ---- Tiles ------------------------------------------------------------------------------------- */

#if defined(__AVX512VNNI__)
#define ADD(sum, a, b) _mm512_dpbusd_epi32(sum, b, a)
#elif defined(__AVX512F__)
#define ADD(sum, a, b) _mm512_add_epi32(sum, _mm512_madd_epi16(a, b))
#elif defined(__AVX2__)
#define ADD(sum, a, b) _mm256_add_epi32(sum, _mm256_madd_epi16(a, b))
#endif

#if defined(__AVX512F__)
enum { LANES = 16, VECTORS = 2, ROWS3 = 4, ROWS4 = 3 };
typedef __m512i vector;
#define LOAD(p) _mm512_loadu_si512((const void *)(p))
#define SET(x)  _mm512_set1_epi32((int)(x))
#define SUB(x)  _mm512_sub_epi32(_mm512_setzero_si512(), x)

/* Adds the 16 elements of V. */
static inline void add_sum(const vector *sum, int32_t slices, int64_t stride, int64_t *to)
{
    __m512i low = _mm512_setzero_si512(), high = low;
    for (int32_t t = 0; t < slices; t++) {
        const vector s = sum[t * stride];
        low = _mm512_add_epi64(_mm512_slli_epi64(low, 8), _mm512_cvtepi32_epi64(_mm512_castsi512_si256(s)));
        high = _mm512_add_epi64(_mm512_slli_epi64(high, 8),
                                _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(s, 1)));
    }
    _mm512_storeu_si512(to, _mm512_add_epi64(LOAD(to), low));
    _mm512_storeu_si512(to + 8, _mm512_add_epi64(LOAD(to + 8), high));
}

#elif defined(__AVX2__)
enum { LANES = 8, VECTORS = 1, ROWS3 = 4, ROWS4 = 3 };
typedef __m256i vector;
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define SET(x)  _mm256_set1_epi32((int)(x))
#define SUB(x)  _mm256_sub_epi32(_mm256_setzero_si256(), x)

static inline void add_sum(const vector *sum, int32_t slices, int64_t stride, int64_t *to)
{
    __m256i low = _mm256_setzero_si256(), high = low;
    for (int32_t t = 0; t < slices; t++) {
        const vector s = sum[t * stride];
        low = _mm256_add_epi64(_mm256_slli_epi64(low, 8), _mm256_cvtepi32_epi64(_mm256_castsi256_si128(s)));
        high = _mm256_add_epi64(_mm256_slli_epi64(high, 8),
                                _mm256_cvtepi32_epi64(_mm256_extracti128_si256(s, 1)));
    }
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_add_epi64(LOAD(to), low));
    _mm256_storeu_si256((__m256i *)(void *)(to + 4), _mm256_add_epi64(LOAD(to + 4), high));
}

#else
/* Vectors of gcc and clang, which they make of what the processor has. */
enum { LANES = 8, VECTORS = 1, ROWS3 = 2, ROWS4 = 2 };
typedef struct {
    int32_t v[8];
} vector;

static inline vector LOAD(const uint32_t *p)
{
    vector x;
    memcpy(&x, p, sizeof x);
    return x;
}
static inline vector SET(uint32_t word)
{
    vector x;
    for (int e = 0; e < 8; e++) {
        x.v[e] = (int32_t)word;
    }
    return x;
}
static inline vector SUB(vector x)
{
    for (int e = 0; e < 8; e++) {
        x.v[e] = -x.v[e];
    }
    return x;
}
static inline vector ADD(vector sum, vector a, vector b)
{
    for (int e = 0; e < 8; e++) {
        sum.v[e] += (int16_t)(uint16_t)a.v[e] * (int16_t)(uint16_t)b.v[e] + (a.v[e] >> 16) * (b.v[e] >> 16);
    }
    return sum;
}
static inline void add_sum(const vector *sum, int32_t slices, int64_t stride, int64_t *to)
{
    for (int e = 0; e < 8; e++) {
        int64_t v = 0;
        for (int32_t t = 0; t < slices; t++) {
            v = v * 256 + sum[t * stride].v[e];
        }
        to[e] += v;
    }
}
#endif

enum { COLUMNS = LANES * VECTORS };

/* Loops of constant bounds, which must be unrolled for the sums to stay in registers. */
#define EACH(i, from, to) _Pragma("GCC unroll 8") for (int i = from; i < (to); i++)

#define TILE(S, R)                                                                                           \
    static void tile_##S(int64_t words, const uint32_t *a, const uint32_t *b, int64_t *sums, int64_t ld)     \
    {                                                                                                        \
        vector sum[S][R][VECTORS];                                                                           \
        EACH(t, 0, S) EACH(r, 0, R) EACH(v, 0, VECTORS)                                                      \
        {                                                                                                    \
            sum[t][r][v] = TOO_HIGH > 0 ? SUB(SET(a[(words * (S) + t) * (R) + r])) : SET(0);                 \
        }                                                                                                    \
        for (int64_t w = 0; w < words; w++, a += (S) * (R), b += (S)*COLUMNS) {                              \
            vector right[S][VECTORS];                                                                        \
            EACH(j, 0, S) EACH(v, 0, VECTORS)                                                                \
            {                                                                                                \
                right[j][v] = LOAD(b + j * COLUMNS + v * LANES);                                             \
            }                                                                                                \
            EACH(r, 0, R) EACH(i, 0, S)                                                                      \
            {                                                                                                \
                const vector left = SET(a[i * (R) + r]);                                                     \
                EACH(j, 0, (S)-i) EACH(v, 0, VECTORS)                                                        \
                {                                                                                            \
                    sum[i + j][r][v] = ADD(sum[i + j][r][v], left, right[j][v]);                             \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
        EACH(r, 0, R) EACH(v, 0, VECTORS)                                                                    \
        {                                                                                                    \
            add_sum(&sum[0][r][v], S, (R)*VECTORS, sums + r * ld + v * LANES);                               \
        }                                                                                                    \
    }                                                                                                        \
    static void pack_a_##S(const struct gf_slices_panel *p, uint32_t *to)                                    \
    {                                                                                                        \
        pack(p, S, R, 0, to);                                                                                \
        add_sums(p->k, S, R, to, to + (p->k + TOGETHER - 1) / TOGETHER * (S) * (R));                         \
    }                                                                                                        \
    static void pack_b_##S(const struct gf_slices_panel *p, uint32_t *to)                                    \
    {                                                                                                        \
        pack(p, S, COLUMNS, TOO_HIGH > 0 ? 0x80808080U : 0, to);                                             \
    }                                                                                                        \
    static void finish_##S(const int64_t *sums, int64_t n, int32_t row, const int32_t *columns, float *c)    \
    {                                                                                                        \
        for (int64_t j = 0; j < n; j++) {                                                                    \
            const int32_t plain = columns[j] == GF_SLICES_PLAIN;                                             \
            const float made = gf_slices_finish(sums[j], row, plain ? row : columns[j], S);                  \
            c[j] = plain ? c[j] : made;                                                                      \
        }                                                                                                    \
    }

TILE(3, ROWS3)
TILE(4, ROWS4)

#define LINES(S, R)                                                                                          \
    {                                                                                                        \
        .rows = R, .columns = COLUMNS, .together = TOGETHER, .after = TOO_HIGH > 0 ? (S) * (R) : 0,          \
        .pack_a = pack_a_##S, .pack_b = pack_b_##S, .tile = tile_##S, .finish = finish_##S                   \
    }
const struct gf_slices_lines GF_LEVEL_NAME(gf_slices_lines)[2] = {LINES(3, ROWS3), LINES(4, ROWS4)};
