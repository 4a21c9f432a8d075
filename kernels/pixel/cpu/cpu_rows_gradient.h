/* Part of cpu_rows.c: gradients, and what is made of them. */
#include "pixel/window/gradient/gradient.h"

static void u8_gradient_across(const struct gf_gradient_args *args, const uint8_t *line,
                               int16_t *restrict difference, int16_t *restrict smooth, int64_t n,
                               int64_t step)
{
    const uint8_t *right = line + 2 * step;
    const uint8_t *middle = line + step;
    const int16_t a = (int16_t)args->side, b = (int16_t)args->middle;
    for (int64_t i = 0; i < n; i++) {
        difference[i] = (int16_t)(right[i] - line[i]);
        smooth[i] = (int16_t)(a * (line[i] + right[i]) + b * middle[i]);
    }
}

static void u8_gradient_down(const struct gf_gradient_args *args, const int16_t *const difference[3],
                             const int16_t *const smooth[3], int16_t *out, int64_t pixels, int32_t channels)
{
    const int16_t *d0 = difference[0], *d1 = difference[1], *d2 = difference[2];
    const int16_t *s0 = smooth[0], *s2 = smooth[2];
    const int16_t a = (int16_t)args->side, b = (int16_t)args->middle;
    if (channels == 1) {
        for (int64_t i = 0; i < pixels; i++) {
            out[2 * i] = (int16_t)(a * (d0[i] + d2[i]) + b * d1[i]);
            out[2 * i + 1] = (int16_t)(s2[i] - s0[i]);
        }
        return;
    }
    for (int64_t p = 0; p < pixels; p++) {
        for (int64_t c = 0; c < channels; c++) {
            int64_t i = p * channels + c;
            out[2 * p * channels + c] = (int16_t)(a * (d0[i] + d2[i]) + b * d1[i]);
            out[(2 * p + 1) * channels + c] = (int16_t)(s2[i] - s0[i]);
        }
    }
}

static void f32_gradient_across(const struct gf_gradient_args *args, const float *line,
                                float *restrict difference, float *restrict smooth, int64_t n, int64_t step)
{
    const float *right = line + 2 * step;
    const float *middle = line + step;
    const float a = args->float_side, b = args->float_middle;
    for (int64_t i = 0; i < n; i++) {
        difference[i] = right[i] - line[i];
        smooth[i] = gf_fma(a, right[i], gf_fma(b, middle[i], a * line[i]));
    }
}

static void f32_gradient_down(const struct gf_gradient_args *args, const float *const difference[3],
                              const float *const smooth[3], float *out, int64_t pixels, int32_t channels)
{
    const float *d0 = difference[0], *d1 = difference[1], *d2 = difference[2];
    const float *s0 = smooth[0], *s2 = smooth[2];
    const float a = args->float_side, b = args->float_middle;
    for (int64_t p = 0; p < pixels; p++) {
        for (int64_t c = 0; c < channels; c++) {
            int64_t i = p * channels + c;
            float x = gf_fma(a, d2[i], gf_fma(b, d1[i], a * d0[i]));
            out[2 * p * channels + c] = gf_canonical(x);
            out[(2 * p + 1) * channels + c] = gf_canonical(s2[i] - s0[i]);
        }
    }
}

static void slope(const float *in, float *out, int64_t pixels, int32_t channels, bool along_y)
{
    const int32_t half = channels / 2;
    const float *from = in + (along_y ? half : 0);
    for (int32_t c = 0; c < half; c++) {
        for (int64_t p = 0; p < pixels; p++) {
            out[p * half + c] = from[p * channels + c];
        }
    }
}

static void angle(const float *in, float *out, int64_t pixels, int32_t channels, float turn)
{
    const int32_t half = channels / 2;
    for (int32_t c = 0; c < half; c++) {
        for (int64_t p = 0; p < pixels; p++) {
            out[p * half + c] = gf_turns(in[p * channels + half + c], in[p * channels + c]) * turn;
        }
    }
}
