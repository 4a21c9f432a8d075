/* Part of cpu_rows.c: box sums and gradients. */

/* Running sums along a line: each channel adds the sample that enters and subtracts the one that leaves.
 * The sums stay in registers, for which the number of channels must be a constant. */
#define GF_BOX_ACROSS_N(name, sample, total, channels)                                                       \
    static void name##_##channels(const sample *restrict line, total *restrict sums, int64_t pixels,         \
                                  int64_t w)                                                                 \
    {                                                                                                        \
        total sum[channels] = {0};                                                                           \
        for (int64_t i = 0; i < w * channels; i += channels) {                                               \
            for (int c = 0; c < channels; c++) {                                                             \
                sum[c] += line[i + c];                                                                       \
            }                                                                                                \
        }                                                                                                    \
        const sample *enter = line + w * channels;                                                           \
        for (int64_t i = 0; i < (pixels - 1) * channels; i += channels) {                                    \
            for (int c = 0; c < channels; c++) {                                                             \
                sums[i + c] = sum[c];                                                                        \
                sum[c] += (total)enter[i + c] - (total)line[i + c];                                          \
            }                                                                                                \
        }                                                                                                    \
        memcpy(sums + (pixels - 1) * channels, sum, sizeof sum);                                             \
    }

#define GF_BOX_ACROSS(name, sample, total)                                                                   \
    GF_BOX_ACROSS_N(name, sample, total, 1)                                                                  \
    GF_BOX_ACROSS_N(name, sample, total, 2)                                                                  \
    GF_BOX_ACROSS_N(name, sample, total, 3)                                                                  \
    GF_BOX_ACROSS_N(name, sample, total, 4)                                                                  \
    static void name(const sample *line, total *sums, int64_t pixels, int32_t channels, int64_t w)           \
    {                                                                                                        \
        if (channels == 1) {                                                                                 \
            name##_1(line, sums, pixels, w);                                                                 \
        } else if (channels == 2) {                                                                          \
            name##_2(line, sums, pixels, w);                                                                 \
        } else if (channels == 3) {                                                                          \
            name##_3(line, sums, pixels, w);                                                                 \
        } else {                                                                                             \
            name##_4(line, sums, pixels, w);                                                                 \
        }                                                                                                    \
    }

GF_BOX_ACROSS(box_u8_32, uint8_t, uint32_t)
GF_BOX_ACROSS(box_u8_64, uint8_t, uint64_t)
GF_BOX_ACROSS(box_u16_32, uint16_t, uint32_t)
GF_BOX_ACROSS(box_u16_64, uint16_t, uint64_t)

static void box_across(gf_depth depth, const void *line, void *sums, bool wide, int64_t pixels,
                       int32_t channels, int64_t w)
{
    if (depth == GF_U8 && !wide) {
        box_u8_32(line, sums, pixels, channels, w);
    } else if (depth == GF_U8) {
        box_u8_64(line, sums, pixels, channels, w);
    } else if (!wide) {
        box_u16_32(line, sums, pixels, channels, w);
    } else {
        box_u16_64(line, sums, pixels, channels, w);
    }
}

static void sums_add(void *sums, const void *row, bool wide, int64_t n)
{
    if (wide) {
        uint64_t *restrict to = sums;
        const uint64_t *restrict from = row;
        for (int64_t i = 0; i < n; i++) {
            to[i] += from[i];
        }
    } else {
        uint32_t *restrict to = sums;
        const uint32_t *restrict from = row;
        for (int64_t i = 0; i < n; i++) {
            to[i] += from[i];
        }
    }
}

static void sums_subtract(void *sums, const void *row, bool wide, int64_t n)
{
    if (wide) {
        uint64_t *restrict to = sums;
        const uint64_t *restrict from = row;
        for (int64_t i = 0; i < n; i++) {
            to[i] -= from[i];
        }
    } else {
        uint32_t *restrict to = sums;
        const uint32_t *restrict from = row;
        for (int64_t i = 0; i < n; i++) {
            to[i] -= from[i];
        }
    }
}

static void mean32(const uint32_t *sums, void *out, gf_depth depth, int64_t n, struct gf_divider32 divider)
{
    if (depth == GF_U8) {
        uint8_t *restrict to = out;
        for (int64_t i = 0; i < n; i++) {
            to[i] = (uint8_t)gf_divide_round_half_up32(sums[i], divider);
        }
    } else {
        uint16_t *restrict to = out;
        for (int64_t i = 0; i < n; i++) {
            to[i] = (uint16_t)gf_divide_round_half_up32(sums[i], divider);
        }
    }
}

static void mean64(const uint64_t *sums, void *out, gf_depth depth, int64_t n, struct gf_divider divider)
{
    for (int64_t i = 0; i < n; i++) {
        uint64_t mean = gf_divide_round_half_up(sums[i], divider);
        if (depth == GF_U8) {
            ((uint8_t *)out)[i] = (uint8_t)mean;
        } else {
            ((uint16_t *)out)[i] = (uint16_t)mean;
        }
    }
}

static void f32_add(const float *a, const float *b, float *out, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        out[i] = a[i] + b[i];
    }
}

/* prefix and suffix of the blocks of one channel; with a constant step the sums stay in registers. */
static inline __attribute__((always_inline)) void sum_blocks(const float *restrict line,
                                                             float *restrict prefix, float *restrict suffix,
                                                             int64_t first, int64_t end, int64_t step)
{
    for (int64_t c = 0; c < step; c++) {
        float sum = line[first + c];
        prefix[first + c] = sum;
        for (int64_t i = first + c + step; i < end; i += step) {
            sum = sum + line[i];
            prefix[i] = sum;
        }
        sum = line[end - step + c];
        suffix[end - step + c] = sum;
        for (int64_t i = end - 2 * step + c; i >= first; i -= step) {
            sum = line[i] + sum;
            suffix[i] = sum;
        }
    }
}

/* Window sums as the end of one block and the beginning of the next (M. van Herk, "A fast algorithm for
 * local minimum and maximum filters", 1992; here with sums). Blocks of w pixels start at multiples of w. */
static void box_across_f32(const float *line, float *sums, float *work, int64_t x, int64_t pixels,
                           int32_t channels, int64_t w)
{
    int64_t step = channels;
    int64_t length = pixels + w - 1;
    float *prefix = work;
    float *suffix = work + length * step;
    int64_t phase = gf_modulo(x, w); /* of the line's first pixel in its block */

    for (int64_t at = -phase; at < length; at += w) {
        int64_t first = (at > 0 ? at : 0) * step;
        int64_t end = (at + w < length ? at + w : length) * step;
        if (step == 1) {
            sum_blocks(line, prefix, suffix, first, end, 1);
        } else {
            sum_blocks(line, prefix, suffix, first, end, step);
        }
    }
    f32_add(suffix, prefix + (w - 1) * step, sums, pixels * step);
    for (int64_t p = (w - phase) % w; p < pixels; p += w) { /* windows that are a block */
        memcpy(sums + p * step, prefix + (p + w - 1) * step, (size_t)step * sizeof *sums);
    }
}

static void f32_divide(float *v, int64_t n, float k)
{
    for (int64_t i = 0; i < n; i++) {
        v[i] = gf_canonical(gf_div(v[i], k));
    }
}

/* ---- gradients ---- */

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
