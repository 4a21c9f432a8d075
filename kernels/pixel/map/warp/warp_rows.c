/* One SIMD level of the rows of "warp": compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine
 * options. A pixel at a time; above the baseline with fma in hardware, and pixels of bytes by vectors, but
 * for lanczos: a lane of 128 bits is a row of samples, from which shuffles take pixel after pixel, so that
 * each sum has its terms in the order of the definition. Places and weights are those of many pixels at
 * once. */
#include "pixel/map/warp/warp.h"

#include "base/cpu_level.h"
#include "base/planted_fault.h"
#include "pixel/cpu/cpu_simd.h"

#include <math.h>
#include <string.h>

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

#define ALWAYS static inline __attribute__((always_inline))

ALWAYS float load(const void *in, gf_depth depth, int64_t i)
{
    return depth == GF_U8    ? (float)((const uint8_t *)in)[i]
           : depth == GF_U16 ? (float)((const uint16_t *)in)[i]
                             : ((const float *)in)[i];
}

ALWAYS void store(void *out, gf_depth depth, int64_t i, float v)
{
    if (depth == GF_U8) {
        ((uint8_t *)out)[i] = gf_quantise_u8(v);
    } else if (depth == GF_U16) {
        ((uint16_t *)out)[i] = gf_quantise_u16(v);
    } else {
        ((float *)out)[i] = gf_canonical(v);
    }
}

/* Sums of n x n samples that all lie in the picture, the first at `from`. */
ALWAYS void sum_inside(const char *from, int64_t pitch, gf_depth depth, int n, int channels,
                       const float *across, const float *down, float *sum)
{
    for (int j = 0; j < n; j++, from += pitch) {
        float line[GF_WARP_CHANNELS] = {0};
        for (int i = 0; i < n; i++) {
            for (int c = 0; c < channels; c++) {
                const float p = load(from, depth, i * channels + c);
                line[c] = i == 0 ? across[0] * p : gf_fma(across[i], p, line[c]);
            }
        }
        for (int c = 0; c < channels; c++) {
            sum[c] = j == 0 ? down[0] * line[c] : gf_fma(down[j], line[c], sum[c]);
        }
    }
}

/* The same where some of them do not. */
ALWAYS void sum_anywhere(const struct gf_warp_job *job, int64_t x, int64_t y, gf_depth depth, int n,
                         int channels, const float *across, const float *down, float *sum)
{
    const struct gf_plane *in = &job->run->in[0];
    const struct gf_value *picture = &job->run->in_values[0];
    for (int j = 0; j < n; j++) {
        const int64_t at = gf_border_index(y + j, picture->height, job->args.border);
        const char *row = (const char *)in->data + (at - in->rows.first) * in->pitch;
        float line[GF_WARP_CHANNELS] = {0};
        for (int i = 0; i < n; i++) {
            const int64_t column =
                gf_border_index(x + i - (GF_FAULT(warp_border) && i == 1), picture->width, job->args.border);
            for (int c = 0; c < channels; c++) {
                const float p =
                    at < 0 || column < 0 ? job->args.fill[c] : load(row, depth, column * channels + c);
                line[c] = i == 0 ? across[0] * p : gf_fma(across[i], p, line[c]);
            }
        }
        for (int c = 0; c < channels; c++) {
            const float w = down[GF_FAULT(warp_row) ? n - 1 - j : j];
            sum[c] = j == 0 ? w * line[c] : gf_fma(w, line[c], sum[c]);
        }
    }
}

/* What bytes outside become, if it is sure: sums of weights that make 1 are no exact 1, but a fill that is
 * nearly an integer becomes that one. */
ALWAYS bool fill_outside(const struct gf_warp_job *job, int channels, uint8_t *fill)
{
    bool sure = job->args.border == GF_BORDER_CONSTANT;
    for (int c = 0; c < channels; c++) {
        const float v = job->args.fill[c];
        sure = sure && v >= 0.0F && v <= 255.0F && fabsf(v - rintf(v)) < 0.25F;
        fill[c] = gf_quantise_u8(v);
    }
    return sure;
}

/* Pixels [x, end) of a row, one by one; those that lie outside by all of their samples are `fill`, unless it
 * is NULL. */
ALWAYS void warp_span(const struct gf_warp_job *job, int64_t y, int64_t x, int64_t end, gf_depth depth,
                      int filter, int channels, const uint8_t *fill)
{
    const struct gf_plane *in = &job->run->in[0], *out = &job->run->out[0];
    const int64_t width = job->run->in_values[0].width, height = job->run->in_values[0].height;
    const int n = gf_warp_taps(filter);
    char *to = (char *)out->data + (y - out->rows.first) * out->pitch;
    for (; x < end; x++) {
        double u, v;
        float across[GF_WARP_TAPS], down[GF_WARP_TAPS], sum[GF_WARP_CHANNELS] = {0};
        if (!gf_warp_place(&job->args, (double)x, (double)y, &u, &v)) {
            for (int c = 0; c < channels; c++) {
                store(to, depth, x * channels + c, job->args.fill[c]);
            }
            continue;
        }
        const int64_t left = gf_warp_weights(filter, job->table, u, across);
        const int64_t top = gf_warp_weights(filter, job->table, v, down);
        if (left >= 0 && top >= 0 && left + n <= width && top + n <= height) {
            const char *row = (const char *)in->data + (top - in->rows.first) * in->pitch;
            const char *from = row + left * channels * (int64_t)gf_depth_size(depth);
            sum_inside(from, in->pitch, depth, n, channels, across, down, sum);
        } else if (fill && (left <= -n || top <= -n || left >= width || top >= height)) {
            memcpy(to + x * channels, fill, (size_t)channels);
            continue;
        } else {
            sum_anywhere(job, left, top, depth, n, channels, across, down, sum);
        }
        for (int c = 0; c < channels; c++) {
            store(to, depth, x * channels + c, sum[c]);
        }
    }
}

#if defined(__AVX2__) && defined(__FMA__)

#if defined(__AVX512BW__)
#define vi_mul32_add(a, b, c)     _mm512_add_epi32(_mm512_mullo_epi32(a, b), c)
#define vi_gather_bytes(from, at) _mm512_i32gather_epi32(at, (const void *)(from), 1)
#else
#define vi_mul32_add(a, b, c)     _mm256_add_epi32(_mm256_mullo_epi32(a, b), c)
#define vi_gather_bytes(from, at) _mm256_i32gather_epi32((const int *)(const void *)(from), at, 1)
#endif

#include "pixel/map/warp/warp_places.h"

/* Makes orders that turn the bytes of each tap's pixel into numbers of 32 bits, in both lanes. */
ALWAYS void make_orders(int n, int channels, __m256i *orders)
{
    for (int tap = 0; tap < n; tap++) {
        unsigned char order[32];
        for (int b = 0; b < 32; b++) {
            const int c = b % 16 / 4;
            order[b] = (unsigned char)(b % 4 == 0 && c < channels ? tap * channels + c : 0x80);
        }
        orders[tap] = _mm256_loadu_si256((const __m256i *)(const void *)order);
    }
}

/* Two rows of samples, 16 bytes each, weighted across by n taps. */
ALWAYS __m256 two_lines(const char *from, int64_t pitch, int n, const __m256i *orders, const struct places *p,
                        int i)
{
    const __m128i upper = _mm_loadu_si128((const __m128i *)(const void *)from);
    const __m128i lower = _mm_loadu_si128((const __m128i *)(const void *)(from + pitch));
    const __m256i rows = _mm256_inserti128_si256(_mm256_castsi128_si256(upper), lower, 1);
    __m256 line = _mm256_setzero_ps();
    for (int tap = 0; tap < n; tap++) {
        const __m256 sample = _mm256_cvtepi32_ps(_mm256_shuffle_epi8(rows, orders[tap]));
        const __m256 w = _mm256_set1_ps(p->across[tap][i]);
        line = tap == 0 ? _mm256_mul_ps(w, sample) : _mm256_fmadd_ps(w, sample, line);
    }
    return line;
}

/* The four bytes of a pixel, as gf_quantise_u8 makes them. */
ALWAYS uint32_t bytes_of(__m128 sum)
{
    const __m128i lowest = _mm_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m128 least = _mm_max_ps(sum, _mm_setzero_ps()); /* 0 for NaN */
    const __m128 v = _mm_add_ps(_mm_min_ps(least, _mm_set1_ps(255.0F)), _mm_set1_ps(12582912.0F));
    return (uint32_t)_mm_cvtsi128_si32(_mm_shuffle_epi8(_mm_castps_si128(v), lowest));
}

ALWAYS uint32_t pixel_of(const char *from, int64_t pitch, int n, const __m256i *orders,
                         const struct places *p, int i)
{
    __m128 sum = _mm_setzero_ps();
    for (int j = 0; j < n; j += 2) {
        const __m256 line = two_lines(from + j * pitch - GF_FAULT(warp_word), pitch, n, orders, p, i);
        const __m128 first = _mm_set1_ps(p->down[j][i]), second = _mm_set1_ps(p->down[j + 1][i]);
        const __m128 upper = _mm256_castps256_ps128(line), lower = _mm256_extractf128_ps(line, 1);
        sum = j == 0 ? _mm_mul_ps(first, upper) : _mm_fmadd_ps(first, upper, sum);
        sum = _mm_fmadd_ps(second, lower, sum);
    }
    return bytes_of(sum);
}

/* TOGETHER pixels of one channel, linear: a lane each, by gathers of four bytes. */
ALWAYS void gray_linear(const char *data, int64_t pitch, const struct places *p, char *to)
{
    for (int i = 0; i < TOGETHER; i += GF_SIMD_FLOAT) {
        const gf_vi at = vi_mul32_add(vi_load(p->top + i), vi_set32((int32_t)pitch), vi_load(p->left + i));
        const gf_vi upper = vi_gather_bytes(data - GF_FAULT(warp_word), at), byte = vi_set32(255);
        const gf_vi lower = vi_gather_bytes(data + pitch, at);
        const gf_vf first = vf_load(p->across[0] + i), second = vf_load(p->across[1] + i);
        gf_vf line = vf_mul(first, vf_of_ints(vi_and(upper, byte)));
        line = vf_fma(second, vf_of_ints(vi_and(vi_right32(upper, 8), byte)), line);
        const gf_vf above = vf_mul(vf_load(p->down[0] + i), line);
        line = vf_mul(first, vf_of_ints(vi_and(lower, byte)));
        line = vf_fma(second, vf_of_ints(vi_and(vi_right32(lower, 8), byte)), line);
        vi_narrow_u8(to + i, vi_of_floats(vf_fma(vf_load(p->down[1] + i), line, above)));
    }
}

/* TOGETHER pixels inside the picture, each of which stores four bytes. */
ALWAYS void warp_together(const char *data, int64_t pitch, int filter, int channels, const __m256i *orders,
                          const struct places *p, char *to)
{
    for (int i = 0; i < TOGETHER; i++) {
        const char *from = data + p->top[i] * pitch + p->left[i] * (int64_t)channels;
        uint32_t pixel;
        if (filter == GF_WARP_NEAREST) {
            memcpy(&pixel, from, 4);
        } else {
            pixel = pixel_of(from, pitch, gf_warp_taps(filter), orders, p, i);
        }
        memcpy(to + i * channels, &pixel, 4);
    }
}

/* A row of bytes, TOGETHER pixels at a time where all of their samples may be read by vectors. */
ALWAYS void warp_bytes(const struct gf_warp_job *job, int64_t y, int64_t x, int64_t end, int filter,
                       int channels)
{
    const struct gf_plane *in = &job->run->in[0], *out = &job->run->out[0];
    const struct gf_value *picture = &job->run->in_values[0];
    const int n = gf_warp_taps(filter);
    const bool gathers =
        filter == GF_WARP_LINEAR && channels == 1 && in->pitch * picture->height <= INT32_MAX;
    const int64_t read = gathers ? 4 : 16, row_bytes = picture->width * channels;
    const int64_t right = (row_bytes - read) / channels, bottom = picture->height - n;
    const char *data = (const char *)in->data - in->rows.first * in->pitch;
    char *to = (char *)out->data + (y - out->rows.first) * out->pitch;
    uint8_t outside[TOGETHER * GF_WARP_CHANNELS];
    const uint8_t *fill = fill_outside(job, channels, outside) ? outside : NULL;
    __m256i orders[4];
    struct places p;
    make_orders(n, channels, orders);
    for (int i = channels; i < TOGETHER * channels; i++) {
        outside[i] = outside[i - channels];
    }
    /* Each pixel stores four bytes: those behind it come with the next one, or pixel by pixel. */
    for (; x + TOGETHER < end && row_bytes >= read; x += TOGETHER) {
        find_places(job, filter, x, y, right, bottom, &p);
        if (p.all && gathers) {
            gray_linear(data, in->pitch, &p, to + x);
        } else if (p.all) {
            warp_together(data, in->pitch, filter, channels, orders, &p, to + x * channels);
        } else if (p.none && fill) {
            memcpy(to + x * channels, fill, (size_t)(TOGETHER * channels));
        } else {
            warp_span(job, y, x, x + TOGETHER, GF_U8, filter, channels, fill);
        }
    }
    warp_span(job, y, x, end, GF_U8, filter, channels, fill);
}

#endif

ALWAYS void warp_row(const struct gf_warp_job *job, int64_t y, gf_depth depth, int filter, int channels)
{
#if defined(__AVX2__) && defined(__FMA__)
    if (depth == GF_U8 && filter != GF_WARP_LANCZOS) {
        warp_bytes(job, y, 0, job->run->out_values[0].width, filter, channels);
        return;
    }
#endif
    warp_span(job, y, 0, job->run->out_values[0].width, depth, filter, channels, NULL);
}

ALWAYS void warp_filter(const struct gf_warp_job *job, int64_t y, gf_depth depth, int channels)
{
    switch (job->args.filter) {
    case GF_WARP_NEAREST:
        warp_row(job, y, depth, GF_WARP_NEAREST, channels);
        break;
    case GF_WARP_LINEAR:
        warp_row(job, y, depth, GF_WARP_LINEAR, channels);
        break;
    case GF_WARP_CUBIC:
        warp_row(job, y, depth, GF_WARP_CUBIC, channels);
        break;
    default:
        warp_row(job, y, depth, GF_WARP_LANCZOS, channels);
    }
}

ALWAYS void warp_channels(const struct gf_warp_job *job, int64_t y, gf_depth depth)
{
    switch (job->run->in_values[0].channels) {
    case 1:
        warp_filter(job, y, depth, 1);
        break;
    case 2:
        warp_filter(job, y, depth, 2);
        break;
    case 3:
        warp_filter(job, y, depth, 3);
        break;
    default:
        warp_filter(job, y, depth, 4);
    }
}

static void row(const struct gf_warp_job *job, int64_t y)
{
    switch (job->run->in_values[0].depth) {
    case GF_U8:
        warp_channels(job, y, GF_U8);
        break;
    case GF_U16:
        warp_channels(job, y, GF_U16);
        break;
    default:
        warp_channels(job, y, GF_F32);
    }
}

const struct gf_warp_rows GF_LEVEL_NAME(gf_warp_rows) = {row};
