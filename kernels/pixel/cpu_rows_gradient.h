/* Part of cpu_rows.c: gradients. */

static void u8_gradient_across(const uint8_t *line, int16_t *restrict difference, int16_t *restrict smooth,
                               int64_t n, int64_t step)
{
    const uint8_t *right = line + 2 * step;
    const uint8_t *middle = line + step;
    for (int64_t i = 0; i < n; i++) {
        difference[i] = (int16_t)(right[i] - line[i]);
        smooth[i] = (int16_t)(line[i] + 2 * middle[i] + right[i]);
    }
}

static void u8_gradient_down(const int16_t *const difference[3], const int16_t *const smooth[3], int16_t *out,
                             int64_t pixels, int32_t channels)
{
    const int16_t *d0 = difference[0], *d1 = difference[1], *d2 = difference[2];
    const int16_t *s0 = smooth[0], *s2 = smooth[2];
    if (channels == 1) {
        for (int64_t i = 0; i < pixels; i++) {
            out[2 * i] = (int16_t)(d0[i] + 2 * d1[i] + d2[i]);
            out[2 * i + 1] = (int16_t)(s2[i] - s0[i]);
        }
        return;
    }
    for (int64_t p = 0; p < pixels; p++) {
        for (int64_t c = 0; c < channels; c++) {
            int64_t i = p * channels + c;
            out[2 * p * channels + c] = (int16_t)(d0[i] + 2 * d1[i] + d2[i]);
            out[(2 * p + 1) * channels + c] = (int16_t)(s2[i] - s0[i]);
        }
    }
}

static void f32_gradient_across(const float *line, float *restrict difference, float *restrict smooth,
                                int64_t n, int64_t step)
{
    const float *right = line + 2 * step;
    const float *middle = line + step;
    for (int64_t i = 0; i < n; i++) {
        difference[i] = right[i] - line[i];
        smooth[i] = gf_fma(0.25F, right[i], gf_fma(0.5F, middle[i], 0.25F * line[i]));
    }
}

static void f32_gradient_down(const float *const difference[3], const float *const smooth[3], float *out,
                              int64_t pixels, int32_t channels)
{
    const float *d0 = difference[0], *d1 = difference[1], *d2 = difference[2];
    const float *s0 = smooth[0], *s2 = smooth[2];
    for (int64_t p = 0; p < pixels; p++) {
        for (int64_t c = 0; c < channels; c++) {
            int64_t i = p * channels + c;
            float x = gf_fma(0.25F, d2[i], gf_fma(0.5F, d1[i], 0.25F * d0[i]));
            out[2 * p * channels + c] = gf_canonical(x);
            out[(2 * p + 1) * channels + c] = gf_canonical(s2[i] - s0[i]);
        }
    }
}
