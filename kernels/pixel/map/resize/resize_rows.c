/* One SIMD level of the rows of "resize": compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its
 * machine options. The loops are written once, for each pair of depths that is there. */
#include "pixel/map/resize/resize.h"

#include "base/cpu_level.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"

#include <string.h>

#ifdef __FMA__
#include <immintrin.h>
#endif

#define ALWAYS static inline __attribute__((always_inline))

enum {
    SAMPLES = 64, /* of a row that go down at a time: their sums stay in the nearest cache */
    HALF = 1 << (GF_RESIZE_SHIFT - 1)
};

/* A sample as f32, or stored. */
ALWAYS float load(const void *in, gf_depth depth, int64_t i)
{
    return depth == GF_U16 ? (float)((const uint16_t *)in)[i] : ((const float *)in)[i];
}

ALWAYS void store(void *out, gf_depth depth, int64_t i, float v)
{
    if (depth == GF_U16) {
        ((uint16_t *)out)[i] = gf_quantise_u16(v);
    } else {
        ((float *)out)[i] = gf_canonical(v);
    }
}

/* ---- across ---- */

ALWAYS void across_f32(const struct gf_resize_axis *axis, const void *const *in, gf_depth depth,
                       void *const *out, gf_depth out_depth, int64_t n, int32_t channels)
{
    for (int64_t x = 0; x < n; x++) {
        const float *w = (const float *)axis->weights + x * axis->taps;
        const int64_t from = (int64_t)axis->first[x] * channels;
        float sum[GF_RESIZE_ROWS][4];
        for (int r = 0; r < GF_RESIZE_ROWS; r++) {
            for (int c = 0; c < channels; c++) {
                sum[r][c] = w[0] * load(in[r], depth, from + c);
            }
        }
        for (int32_t i = 1; i < axis->count[x] - GF_FAULT(resize_weight); i++) {
            for (int r = 0; r < GF_RESIZE_ROWS; r++) {
                for (int c = 0; c < channels; c++) {
                    const float v = load(in[r], depth, from + (int64_t)i * channels + c);
                    sum[r][c] = gf_fma(w[i], v, sum[r][c]);
                }
            }
        }
        for (int r = 0; r < GF_RESIZE_ROWS; r++) {
            for (int c = 0; c < channels; c++) {
                store(out[r], out_depth, x * channels + c, sum[r][c]);
            }
        }
    }
}

#ifdef __FMA__
/* Pixels of four samples of f32: a vector each. */
static void across_f32x4(const struct gf_resize_axis *axis, const void *const *in, void *const *out,
                         gf_depth out_depth, int64_t n)
{
    for (int64_t x = 0; x < n; x++) {
        const float *w = (const float *)axis->weights + x * axis->taps;
        const int64_t from = (int64_t)axis->first[x] * 4;
        __m128 sum[GF_RESIZE_ROWS];
        for (int r = 0; r < GF_RESIZE_ROWS; r++) {
            sum[r] = _mm_mul_ps(_mm_set1_ps(w[0]), _mm_loadu_ps((const float *)in[r] + from));
        }
        for (int32_t i = 1; i < axis->count[x] - GF_FAULT(resize_weight); i++) {
            for (int r = 0; r < GF_RESIZE_ROWS; r++) {
                const __m128 v = _mm_loadu_ps((const float *)in[r] + from + (int64_t)i * 4);
                sum[r] = _mm_fmadd_ps(_mm_set1_ps(w[i]), v, sum[r]);
            }
        }
        for (int r = 0; r < GF_RESIZE_ROWS; r++) {
            float v[4];
            _mm_storeu_ps(v, sum[r]);
            for (int c = 0; c < 4; c++) {
                store(out[r], out_depth, x * 4 + c, v[c]);
            }
        }
    }
}
#endif

ALWAYS void across_u8(const struct gf_resize_axis *axis, const void *const *in, void *const *out, int64_t n,
                      int32_t channels)
{
    for (int64_t x = 0; x < n; x++) {
        const int32_t *w = (const int32_t *)axis->weights + x * axis->taps;
        const int64_t from = (int64_t)axis->first[x] * channels;
        for (int r = 0; r < GF_RESIZE_ROWS; r++) {
            const uint8_t *p = (const uint8_t *)in[r] + from;
            int32_t sum[4] = {0};
            for (int32_t i = 0; i < axis->count[x]; i++) {
                for (int c = 0; c < channels; c++) {
                    sum[c] += w[i] * p[(int64_t)i * channels + c];
                }
            }
            for (int c = 0; c < channels; c++) {
                ((uint8_t *)out[r])[x * channels + c] = gf_clamp_u8((sum[c] + HALF) >> GF_RESIZE_SHIFT);
            }
        }
    }
}

ALWAYS void across_channels(const struct gf_resize_axis *axis, const void *const *in, gf_depth depth,
                            void *const *out, gf_depth out_depth, int64_t n, int32_t channels)
{
    if (depth == GF_U8) {
        across_u8(axis, in, out, n, channels);
    } else if (depth == GF_F32 && out_depth == GF_F32) {
        across_f32(axis, in, GF_F32, out, GF_F32, n, channels);
    } else if (depth == GF_F32) {
        across_f32(axis, in, GF_F32, out, GF_U16, n, channels);
    } else if (out_depth == GF_F32) {
        across_f32(axis, in, GF_U16, out, GF_F32, n, channels);
    } else {
        across_f32(axis, in, GF_U16, out, GF_U16, n, channels);
    }
}

static void across(const struct gf_resize_axis *axis, const void *const *in, gf_depth depth, void *const *out,
                   gf_depth out_depth, int64_t n, int32_t channels)
{
    switch (channels) {
    case 1:
        across_channels(axis, in, depth, out, out_depth, n, 1);
        break;
    case 2:
        across_channels(axis, in, depth, out, out_depth, n, 2);
        break;
    case 3:
        across_channels(axis, in, depth, out, out_depth, n, 3);
        break;
    default:
#ifdef __FMA__
        if (depth == GF_F32) {
            across_f32x4(axis, in, out, out_depth, n);
            break;
        }
#endif
        across_channels(axis, in, depth, out, out_depth, n, 4);
    }
}

/* ---- times alpha ---- */

ALWAYS void weigh_pixels(const void *in, gf_depth depth, int32_t channels, float *out, int64_t n)
{
    for (int64_t x = 0; x < n; x++) {
        float v[4] = {0};
        for (int c = 0; c < channels; c++) {
            v[c] = load(in, depth, x * channels + c);
        }
        for (int c = 0; c < channels; c++) {
            out[x * channels + c] = c + 1 < channels ? v[c] * v[channels - 1] : v[c];
        }
    }
}

/* Eight pixels of four bytes: red and blue, then green and alpha, which counts times 255, as 16
 * bits each. */
ALWAYS void weigh_eight(const uint8_t *in, uint8_t *out)
{
    typedef uint32_t words __attribute__((vector_size(32)));
    typedef uint16_t halves __attribute__((vector_size(32)));
    words v;
    memcpy(&v, in, sizeof v);
    const halves alpha = (halves)(v >> 24 | v >> 24 << 16);
    halves even = (halves)(v & 0xff00ff) * alpha + 128;
    halves odd = (halves)((v >> 8 & 0xff) | 0xff0000) * alpha + 128;
    even = (even + (even >> 8)) >> 8;
    odd = (odd + (odd >> 8)) >> 8;
    v = (words)even | (words)odd << 8;
    memcpy(out, &v, sizeof v);
}

static void weigh_words(const uint8_t *in, uint8_t *out, int64_t n)
{
    uint8_t last[32] = {0};
    int64_t x = 0;
    for (; x + 8 <= n; x += 8) {
        weigh_eight(in + 4 * x, out + 4 * x);
    }
    memcpy(last, in + 4 * x, (size_t)(4 * (n - x)));
    weigh_eight(last, last);
    memcpy(out + 4 * x, last, (size_t)(4 * (n - x)));
}

static void weigh_bytes(const uint8_t *in, uint8_t *out, int64_t n)
{
    for (int64_t x = 0; x < n; x++) {
        out[2 * x] = (uint8_t)gf_times_alpha_u8(in[2 * x], in[2 * x + 1]);
        out[2 * x + 1] = in[2 * x + 1];
    }
}

static void weigh(const void *in, gf_depth depth, int32_t channels, void *out, int64_t n)
{
    const bool four = channels == 4;
    if (depth == GF_U8 && four) {
        weigh_words(in, out, n);
    } else if (depth == GF_U8) {
        weigh_bytes(in, out, n);
    } else if (depth == GF_U16 && four) {
        weigh_pixels(in, GF_U16, 4, out, n);
    } else if (depth == GF_U16) {
        weigh_pixels(in, GF_U16, 2, out, n);
    } else if (four) {
        weigh_pixels(in, GF_F32, 4, out, n);
    } else {
        weigh_pixels(in, GF_F32, 2, out, n);
    }
}

/* ---- down ---- */

ALWAYS void down_f32(const float *w, int32_t count, const char *in, int64_t pitch, gf_depth depth, void *out,
                     gf_depth out_depth, int64_t n)
{
    for (int64_t at = 0; at < n; at += SAMPLES) {
        const int64_t m = n - at < SAMPLES ? n - at : SAMPLES;
        float sum[SAMPLES];
        for (int64_t j = 0; j < m; j++) {
            sum[j] = w[0] * load(in, depth, at + j);
        }
        for (int32_t i = 1; i < count; i++) {
            const char *row = in + i * pitch;
            for (int64_t j = 0; j < m; j++) {
                sum[j] = gf_fma(w[i], load(row, depth, at + j), sum[j]);
            }
        }
        for (int64_t j = 0; j < m; j++) {
            store(out, out_depth, at + j, sum[j]);
        }
    }
}

static void down_u8(const int32_t *w, int32_t count, const uint8_t *in, int64_t pitch, uint8_t *out,
                    int64_t n)
{
    for (int64_t at = 0; at < n; at += SAMPLES) {
        const int64_t m = n - at < SAMPLES ? n - at : SAMPLES;
        int32_t sum[SAMPLES] = {0};
        for (int32_t i = 0; i < count; i++) {
            const uint8_t *row = in + i * pitch + at;
            for (int64_t j = 0; j < m; j++) {
                sum[j] += w[i] * row[j];
            }
        }
        for (int64_t j = 0; j < m; j++) {
            out[at + j] = gf_clamp_u8((sum[j] + HALF) >> GF_RESIZE_SHIFT);
        }
    }
}

static void down(const struct gf_resize_axis *axis, int64_t y, const void *in, int64_t pitch, gf_depth depth,
                 void *out, gf_depth out_depth, int64_t n)
{
    const int32_t count = axis->count[y];
    const float *w = (const float *)axis->weights + y * axis->taps;
    if (depth == GF_U8) {
        down_u8((const int32_t *)axis->weights + y * axis->taps, count, in, pitch, out, n);
    } else if (depth == GF_F32 && out_depth == GF_F32) {
        down_f32(w, count, in, pitch, GF_F32, out, GF_F32, n);
    } else if (depth == GF_F32) {
        down_f32(w, count, in, pitch, GF_F32, out, GF_U16, n);
    } else if (out_depth == GF_F32) {
        down_f32(w, count, in, pitch, GF_U16, out, GF_F32, n);
    } else {
        down_f32(w, count, in, pitch, GF_U16, out, GF_U16, n);
    }
}

const struct gf_resize_rows GF_LEVEL_NAME(gf_resize_rows) = {across, weigh, down};
