/* One SIMD level: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and the machine options of that
 * level. */
#include "linear/stencil/stencil_lines.h"

#include "base/cpu_level.h"
#include "base/gf_border.h"
#include "base/gf_num.h"

#include <math.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

enum { TOGETHER = 4 /* vectors, whose chains do not wait for each other */ };

/* ---- Chunks: TOGETHER vectors of sums, all of whose neighbours are there ---------------------------------- */

/* from[t]: the element that tap t reads for the row's element 0, NULL where it reads the value. */
#define CHUNK(name, T, V, LANES, load, store, set, multiply, add)                                            \
    static void chunk_##name(const struct gf_stencil_call *c, const T *const *from, int64_t x, T *out)       \
    {                                                                                                        \
        const V value = set((T)c->value);                                                                    \
        V sum[TOGETHER];                                                                                     \
        for (int i = 0; i < TOGETHER; i++) {                                                                 \
            const V v = from[0] ? load(from[0] + c->taps[0].x + x + i * (LANES)) : value;                    \
            sum[i] = multiply(set(c->taps[0].name), v);                                                      \
        }                                                                                                    \
        for (int32_t t = 1; t < c->count; t++) {                                                             \
            const V weight = set(c->taps[t].name);                                                           \
            const T *at = from[t] ? from[t] + c->taps[t].x + x : NULL;                                       \
            for (int i = 0; i < TOGETHER; i++) {                                                             \
                sum[i] = add(weight, at ? load(at + i * (LANES)) : value, sum[i]);                           \
            }                                                                                                \
        }                                                                                                    \
        for (int i = 0; i < TOGETHER; i++) {                                                                 \
            store(out + x + i * (LANES), sum[i]);                                                            \
        }                                                                                                    \
    }

#if defined(__AVX512F__)
enum { BYTES = 64 };
CHUNK(f32, float, __m512, 16, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_set1_ps, _mm512_mul_ps,
      _mm512_fmadd_ps)
CHUNK(f64, double, __m512d, 8, _mm512_loadu_pd, _mm512_storeu_pd, _mm512_set1_pd, _mm512_mul_pd,
      _mm512_fmadd_pd)

#elif defined(__AVX2__)
enum { BYTES = 32 };
CHUNK(f32, float, __m256, 8, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_set1_ps, _mm256_mul_ps,
      _mm256_fmadd_ps)
CHUNK(f64, double, __m256d, 4, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_set1_pd, _mm256_mul_pd,
      _mm256_fmadd_pd)

#else
enum { BYTES = 16 };

/* The same by plain loops, which compilers turn into what the processor has. */
#define PLAIN_CHUNK(name, T, add)                                                                            \
    static void chunk_##name(const struct gf_stencil_call *c, const T *const *from, int64_t x, T *out)       \
    {                                                                                                        \
        enum { LANES = TOGETHER * BYTES / sizeof(T) };                                                       \
        T sum[LANES];                                                                                        \
        for (int i = 0; i < LANES; i++) {                                                                    \
            sum[i] = c->taps[0].name * (from[0] ? from[0][c->taps[0].x + x + i] : (T)c->value);              \
        }                                                                                                    \
        for (int32_t t = 1; t < c->count; t++) {                                                             \
            const T weight = c->taps[t].name;                                                                \
            for (int i = 0; i < LANES; i++) {                                                                \
                const T v = from[t] ? from[t][c->taps[t].x + x + i] : (T)c->value;                           \
                sum[i] = add(weight, v, sum[i]);                                                             \
            }                                                                                                \
        }                                                                                                    \
        for (int i = 0; i < LANES; i++) {                                                                    \
            out[x + i] = sum[i];                                                                             \
        }                                                                                                    \
    }
PLAIN_CHUNK(f32, float, gf_fma)
PLAIN_CHUNK(f64, double, fma)
#endif

/* ---- Rows -------------------------------------------------------------------------------------------------- */

/* Elements near the ends one by one, those between by chunks, the last of which overlaps the one before. */
#define ROW(name, T, add, end)                                                                               \
    static T element_##name(const struct gf_stencil_call *c, const T *const *from, int64_t x)                \
    {                                                                                                        \
        T sum = 0;                                                                                           \
        for (int32_t t = 0; t < c->count; t++) {                                                             \
            const int64_t u = gf_border_index(x + c->taps[t].x, c->columns, c->border);                      \
            const T v = from[t] && u >= 0 ? from[t][u] : (T)c->value;                                        \
            sum = t == 0 ? c->taps[t].name * v : add(c->taps[t].name, v, sum);                               \
        }                                                                                                    \
        return sum;                                                                                          \
    }                                                                                                        \
    static void row_##name(const struct gf_stencil_call *c, const void *const *lines, void *to)              \
    {                                                                                                        \
        const int64_t chunk = TOGETHER * BYTES / sizeof(T), stop = c->columns - c->right;                    \
        const T *from[GF_STENCIL_TAPS];                                                                      \
        T *out = to;                                                                                         \
        int64_t x = 0;                                                                                       \
        for (int32_t t = 0; t < c->count; t++) {                                                             \
            from[t] = lines[c->taps[t].y + c->up];                                                           \
        }                                                                                                    \
        if (stop - c->left >= chunk) {                                                                       \
            for (; x < c->left; x++) {                                                                       \
                out[x] = element_##name(c, from, x);                                                         \
            }                                                                                                \
            for (; x < stop; x += chunk) {                                                                   \
                chunk_##name(c, from, x < stop - chunk ? x : stop - chunk, out);                             \
            }                                                                                                \
            x = stop;                                                                                        \
        }                                                                                                    \
        for (; x < c->columns; x++) {                                                                        \
            out[x] = element_##name(c, from, x);                                                             \
        }                                                                                                    \
        for (x = 0; x < c->columns; x++) {                                                                   \
            out[x] = end(out[x]);                                                                            \
        }                                                                                                    \
    }

ROW(f32, float, gf_fma, gf_canonical)
ROW(f64, double, fma, gf_canonical_double)

const struct gf_stencil_lines GF_LEVEL_NAME(gf_stencil_lines) = {row_f32, row_f64};
