/* One SIMD level of the rows of "warp": compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine
 * options. A pixel at a time; above the baseline with fma in hardware. */
#include "pixel/warp.h"

#include "base/cpu_level.h"
#include "base/planted_fault.h"

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
            const int64_t column = gf_border_index(x + i, picture->width, job->args.border);
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

ALWAYS void warp_row(const struct gf_warp_job *job, int64_t y, gf_depth depth, int filter, int channels)
{
    const struct gf_plane *in = &job->run->in[0], *out = &job->run->out[0];
    const int64_t width = job->run->in_values[0].width, height = job->run->in_values[0].height;
    const int n = gf_warp_taps(filter);
    char *to = (char *)out->data + (y - out->rows.first) * out->pitch;
    for (int64_t x = 0; x < job->run->out_values[0].width; x++) {
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
