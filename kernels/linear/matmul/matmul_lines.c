/* One SIMD level: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and the machine options of that
 * level. */
#include "linear/matmul/matmul_lines.h"

#include "base/cpu_level.h"
#include "base/gf_num.h"
#include "gpufilter/types.h"

#include <math.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* ---- Panels ---------------------------------------------------------------------------------- */

#define PACK(name, T)                                                                                        \
    static void pack_##name(const struct gf_matmul_panel *p, void *panel)                                    \
    {                                                                                                        \
        const T *from = p->from;                                                                             \
        T *to = panel;                                                                                       \
        if (p->along == 1) {                                                                                 \
            for (int64_t l = 0; l < p->k; l++) {                                                             \
                for (int32_t r = 0; r < p->count; r++) {                                                     \
                    to[l * p->lanes + r] = from[l * p->deep + r];                                            \
                }                                                                                            \
            }                                                                                                \
        } else {                                                                                             \
            for (int32_t r = 0; r < p->count; r++) {                                                         \
                for (int64_t l = 0; l < p->k; l++) {                                                         \
                    to[l * p->lanes + r] = from[r * p->along + l * p->deep];                                 \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
        for (int64_t l = 0; p->count < p->lanes && l < p->k; l++) {                                          \
            for (int32_t r = p->count; r < p->lanes; r++) {                                                  \
                to[l * p->lanes + r] = 0;                                                                    \
            }                                                                                                \
        }                                                                                                    \
    }

PACK(f32, float)
PACK(f64, double)

static uint32_t half(const struct gf_matmul_panel *p, int32_t r, int64_t l)
{
    if (r >= p->count || l >= p->k) {
        return 0;
    }
    const uint8_t byte = ((const uint8_t *)p->from)[r * p->along + l * p->deep];
    return p->is_signed ? (uint16_t)(int8_t)byte : byte;
}

static void pack_u8(const struct gf_matmul_panel *p, void *panel)
{
    uint32_t *to = panel;
    for (int64_t l = 0; l < p->k; l += 2) {
        for (int32_t r = 0; r < p->lanes; r++) {
            *to++ = half(p, r, l) | half(p, r, l + 1) << 16;
        }
    }
}

/* ---- Tiles ------------------------------------------------------------------------------------- */

/* R rows of 2 vectors V of LANES elements T. */
#define TILE(name, T, V, LANES, R, load, store, set, zero, add)                                              \
    static void tile_##name(int64_t steps, const void *panel_a, const void *panel_b, void *tile,             \
                            int64_t ldc, int32_t first)                                                      \
    {                                                                                                        \
        const T *a = panel_a, *b = panel_b;                                                                  \
        T *c = tile;                                                                                         \
        V left[R], right[R];                                                                                 \
        for (int r = 0; r < (R); r++) {                                                                      \
            left[r] = first ? zero() : load(c + r * ldc);                                                    \
            right[r] = first ? zero() : load(c + r * ldc + (LANES));                                         \
        }                                                                                                    \
        for (; steps > 0; steps--, a += (R), b += 2 * (LANES)) {                                             \
            const V y = load(b), z = load(b + (LANES));                                                      \
            for (int r = 0; r < (R); r++) {                                                                  \
                const V x = set(a[r]);                                                                       \
                left[r] = add(x, y, left[r]);                                                                \
                right[r] = add(x, z, right[r]);                                                              \
            }                                                                                                \
        }                                                                                                    \
        for (int r = 0; r < (R); r++) {                                                                      \
            store(c + r * ldc, left[r]);                                                                     \
            store(c + r * ldc + (LANES), right[r]);                                                          \
        }                                                                                                    \
    }

#if defined(__AVX512F__)
enum { ROWS = 14, BYTES = 128 };
#define LOAD_INT(p)      _mm512_loadu_si512((const void *)(p))
#define STORE_INT(p, v)  _mm512_storeu_si512((void *)(p), v)
#define ADD_INT(x, y, s) _mm512_add_epi32(s, _mm512_madd_epi16(x, y))
TILE(f32, float, __m512, 16, ROWS, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_set1_ps, _mm512_setzero_ps,
     _mm512_fmadd_ps)
TILE(f64, double, __m512d, 8, ROWS, _mm512_loadu_pd, _mm512_storeu_pd, _mm512_set1_pd, _mm512_setzero_pd,
     _mm512_fmadd_pd)
TILE(u8, int32_t, __m512i, 16, ROWS, LOAD_INT, STORE_INT, _mm512_set1_epi32, _mm512_setzero_si512, ADD_INT)

#elif defined(__AVX2__)
enum { ROWS = 6, BYTES = 64 };
#define LOAD_INT(p)      _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STORE_INT(p, v)  _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define ADD_INT(x, y, s) _mm256_add_epi32(s, _mm256_madd_epi16(x, y))
TILE(f32, float, __m256, 8, ROWS, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_set1_ps, _mm256_setzero_ps,
     _mm256_fmadd_ps)
TILE(f64, double, __m256d, 4, ROWS, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_set1_pd, _mm256_setzero_pd,
     _mm256_fmadd_pd)
TILE(u8, int32_t, __m256i, 8, ROWS, LOAD_INT, STORE_INT, _mm256_set1_epi32, _mm256_setzero_si256, ADD_INT)

#else
enum { ROWS = 4, BYTES = 64 };

/* The sum in unsigned, which wraps. */
static uint32_t add_halves(uint32_t x, uint32_t y, uint32_t sum)
{
    const int32_t low = (int16_t)(uint16_t)x * (int16_t)(uint16_t)y;
    const int32_t high = (int16_t)(uint16_t)(x >> 16) * (int16_t)(uint16_t)(y >> 16);
    return sum + (uint32_t)low + (uint32_t)high;
}

/* The same by plain loops, which compilers turn into what the processor has. */
#define PLAIN_TILE(name, T, add)                                                                             \
    static void tile_##name(int64_t steps, const void *panel_a, const void *panel_b, void *tile,             \
                            int64_t ldc, int32_t first)                                                      \
    {                                                                                                        \
        enum { COLUMNS = BYTES / sizeof(T) };                                                                \
        const T *a = panel_a, *b = panel_b;                                                                  \
        T *c = tile, sum[ROWS][COLUMNS];                                                                     \
        for (int r = 0; r < ROWS; r++) {                                                                     \
            for (int j = 0; j < COLUMNS; j++) {                                                              \
                sum[r][j] = first ? 0 : c[r * ldc + j];                                                      \
            }                                                                                                \
        }                                                                                                    \
        for (; steps > 0; steps--, a += ROWS, b += COLUMNS) {                                                \
            for (int r = 0; r < ROWS; r++) {                                                                 \
                for (int j = 0; j < COLUMNS; j++) {                                                          \
                    sum[r][j] = add(a[r], b[j], sum[r][j]);                                                  \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
        for (int r = 0; r < ROWS; r++) {                                                                     \
            for (int j = 0; j < COLUMNS; j++) {                                                              \
                c[r * ldc + j] = sum[r][j];                                                                  \
            }                                                                                                \
        }                                                                                                    \
    }
PLAIN_TILE(f32, float, gf_fma)
PLAIN_TILE(f64, double, fma)
PLAIN_TILE(u8, uint32_t, add_halves)
#endif

/* ---- The last step ------------------------------------------------------------------------------- */

static void finish_f32(void *c, int64_t n)
{
    float *v = c;
    for (int64_t i = 0; i < n; i++) {
        v[i] = gf_canonical(v[i]);
    }
}

static void finish_f64(void *c, int64_t n)
{
    double *v = c;
    for (int64_t i = 0; i < n; i++) {
        v[i] = gf_canonical_double(v[i]);
    }
}

static void finish_u8(void *c, int64_t n)
{
    (void)c;
    (void)n;
}

#define ROW(name, size)                                                                                      \
    {                                                                                                        \
        .rows = ROWS, .columns = BYTES / (size), .pack = pack_##name, .tile = tile_##name,                   \
        .finish = finish_##name                                                                              \
    }
const struct gf_matmul_lines GF_LEVEL_NAME(gf_matmul_lines)[9] = {
    [GF_F32] = ROW(f32, 4),
    [GF_F64] = ROW(f64, 8),
    [GF_U8] = ROW(u8, 4),
};
