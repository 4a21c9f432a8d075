/* One SIMD level of the rows of "warp": compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine
 * options. A pixel at a time; above the baseline with fma in hardware, and pixels of bytes by vectors, but
 * for lanczos: a lane of 128 bits is a row of samples, from which shuffles take pixel after pixel, so that
 * each sum has its terms in the order of the definition. Places and weights are those of many pixels at
 * once. */
#include "pixel/map/warp/warp.h"

#include "base/cpu_level.h"
#include "base/planted_fault.h"

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

/* Pixels [x, end) of a row, one by one. */
ALWAYS void warp_span(const struct gf_warp_job *job, int64_t y, int64_t x, int64_t end, gf_depth depth,
                      int filter, int channels)
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
        } else {
            sum_anywhere(job, left, top, depth, n, channels, across, down, sum);
        }
        for (int c = 0; c < channels; c++) {
            store(to, depth, x * channels + c, sum[c]);
        }
    }
}

#if defined(__AVX2__) && defined(__FMA__)

enum { TOGETHER = 32 };

/* The places of TOGETHER pixels of a row: where their samples begin, and the weights, tap by tap. */
struct places {
    int32_t left[TOGETHER], top[TOGETHER];
    float across[4][TOGETHER], down[4][TOGETHER];
    bool all; /* lie where vectors may read */
};

/* The same along one axis, for places t. */
ALWAYS void find_axis(const double *t, int filter, int32_t *first, float (*w)[TOGETHER])
{
    float f[TOGETHER];
#pragma GCC unroll 1 /* or no loop is left to be vectorised */
    for (int i = 0; i < TOGETHER; i++) {
        const double whole = floor(filter == GF_WARP_NEAREST ? t[i] + 0.5 : t[i]);
        f[i] = (float)(t[i] - whole);
        first[i] = (int32_t)whole - gf_warp_lead(filter);
    }
#pragma GCC unroll 1
    for (int i = 0; i < TOGETHER && filter != GF_WARP_NEAREST; i++) {
        float own[4] = {0};
        gf_warp_weights_of(filter, NULL, f[i], own);
        w[0][i] = own[0];
        w[1][i] = own[1];
        if (filter == GF_WARP_CUBIC) {
            w[2][i] = own[2];
            w[3][i] = own[3];
        }
    }
}

/* Pixels [x, x + TOGETHER) of row y. `right` and `bottom`: the last places where vectors may begin. */
ALWAYS void find_places(const struct gf_warp_job *job, int filter, int64_t x, int64_t y, int64_t right,
                        int64_t bottom, struct places *p)
{
    const double *m = job->args.m, most = 1073741824.0;
    const double ru = m[1] * (double)y + m[2], rv = m[4] * (double)y + m[5], rw = m[7] * (double)y + m[8];
    const bool leans = m[6] != 0 || m[7] != 0 || m[8] != 1;
    double u[TOGETHER], v[TOGETHER];
    int fine = 1;
#pragma GCC unroll 1
    for (int i = 0; i < TOGETHER; i++) { /* gf_warp_place */
        const double column = (double)(x + i);
        u[i] = m[0] * column + ru;
        v[i] = m[3] * column + rv;
    }
#pragma GCC unroll 1
    for (int i = 0; leans && i < TOGETHER; i++) {
        const double w = m[6] * (double)(x + i) + rw;
        u[i] = u[i] / w;
        v[i] = v[i] / w;
    }
#pragma GCC unroll 1
    for (int i = 0; i < TOGETHER; i++) {
        fine &= (u[i] > -most) & (u[i] < most) & (v[i] > -most) & (v[i] < most);
    }
    p->all = false;
    if (!fine) {
        return;
    }
    find_axis(u, filter, p->left, p->across);
    find_axis(v, filter, p->top, p->down);
#pragma GCC unroll 1
    for (int i = 0; i < TOGETHER; i++) {
        fine &= (p->left[i] >= 0) & (p->left[i] <= right) & (p->top[i] >= 0) & (p->top[i] <= bottom);
    }
    p->all = fine;
}

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

/* A row of bytes, TOGETHER pixels at a time where all of their samples may be read by vectors. */
ALWAYS void warp_bytes(const struct gf_warp_job *job, int64_t y, int filter, int channels)
{
    const struct gf_plane *in = &job->run->in[0], *out = &job->run->out[0];
    const struct gf_value *picture = &job->run->in_values[0];
    const int n = gf_warp_taps(filter);
    const int64_t width = job->run->out_values[0].width;
    const int64_t right = (picture->width * channels - 16) / channels, bottom = picture->height - n;
    const char *data = (const char *)in->data - in->rows.first * in->pitch;
    char *to = (char *)out->data + (y - out->rows.first) * out->pitch;
    __m256i orders[4];
    struct places p;
    int64_t x = 0;
    make_orders(n, channels, orders);
    /* Each pixel stores four bytes: those behind it come with the next one, or pixel by pixel. */
    for (; x + TOGETHER < width && picture->width * channels >= 16; x += TOGETHER) {
        find_places(job, filter, x, y, right, bottom, &p);
        if (!p.all) {
            warp_span(job, y, x, x + TOGETHER, GF_U8, filter, channels);
            continue;
        }
        for (int i = 0; i < TOGETHER; i++) {
            const char *from = data + p.top[i] * in->pitch + p.left[i] * (int64_t)channels;
            uint32_t pixel;
            if (filter == GF_WARP_NEAREST) {
                memcpy(&pixel, from, 4);
            } else {
                pixel = pixel_of(from, in->pitch, n, orders, &p, i);
            }
            memcpy(to + (x + i) * channels, &pixel, 4);
        }
    }
    warp_span(job, y, x, width, GF_U8, filter, channels);
}

#endif

ALWAYS void warp_row(const struct gf_warp_job *job, int64_t y, gf_depth depth, int filter, int channels)
{
#if defined(__AVX2__) && defined(__FMA__)
    if (depth == GF_U8 && filter != GF_WARP_LANCZOS) {
        warp_bytes(job, y, filter, channels);
        return;
    }
#endif
    warp_span(job, y, 0, job->run->out_values[0].width, depth, filter, channels);
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
