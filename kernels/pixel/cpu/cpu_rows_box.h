/* Part of cpu_rows.c: box sums. */
#include "pixel/cpu/cpu_simd_sum.h"

/* ---- running sums along a line ----
 * sum[i] = sum[i - channels] + (sample that enters - sample that leaves), exact modulo the type of the sum.
 */

#define GF_BY_CHANNELS(name, sample, total)                                                                  \
    static void name(const sample *line, total *sums, int64_t pixels, int32_t channels, int64_t w,           \
                     const void *ahead)                                                                      \
    {                                                                                                        \
        if (channels == 1) {                                                                                 \
            name##_1(line, sums, pixels, w, ahead);                                                          \
        } else if (channels == 2) {                                                                          \
            name##_2(line, sums, pixels, w, ahead);                                                          \
        } else if (channels == 3) {                                                                          \
            name##_3(line, sums, pixels, w, ahead);                                                          \
        } else {                                                                                             \
            name##_4(line, sums, pixels, w, ahead);                                                          \
        }                                                                                                    \
    }

/* The sums stay in registers, for which the number of channels must be a constant. */
#define GF_BOX_PLAIN_N(name, sample, total, channels)                                                        \
    static void name##_##channels(const sample *restrict line, total *restrict sums, int64_t pixels,         \
                                  int64_t w, const void *ahead)                                              \
    {                                                                                                        \
        (void)ahead;                                                                                         \
        total sum[channels] = {0};                                                                           \
        for (int64_t i = 0; i < w * channels; i += channels) {                                               \
            for (int c = 0; c < channels; c++) {                                                             \
                sum[c] = (total)(sum[c] + line[i + c]);                                                      \
            }                                                                                                \
        }                                                                                                    \
        const sample *enter = line + w * channels;                                                           \
        for (int64_t i = 0; i < (pixels - 1) * channels; i += channels) {                                    \
            for (int c = 0; c < channels; c++) {                                                             \
                sums[i + c] = sum[c];                                                                        \
                sum[c] = (total)(sum[c] + enter[i + c] - line[i + c]);                                       \
            }                                                                                                \
        }                                                                                                    \
        memcpy(sums + (pixels - 1) * channels, sum, sizeof sum);                                             \
    }

#define GF_BOX_PLAIN(name, sample, total)                                                                    \
    GF_BOX_PLAIN_N(name, sample, total, 1)                                                                   \
    GF_BOX_PLAIN_N(name, sample, total, 2)                                                                   \
    GF_BOX_PLAIN_N(name, sample, total, 3)                                                                   \
    GF_BOX_PLAIN_N(name, sample, total, 4)                                                                   \
    GF_BY_CHANNELS(name, sample, total)

GF_BOX_PLAIN(box_u8_64, uint8_t, uint64_t)
GF_BOX_PLAIN(box_u16_64, uint16_t, uint64_t)

#if GF_SIMD_SUM
/* A vector of sums at a time: its differences are added up over 1, 2, 4... pixels, and the last pixel of the
 * vector before to all of them (W. Hillis and G. Steele, "Data Parallel Algorithms", 1986). */
#define GF_BOX_VECTORS_N(name, sample, total, step)                                                          \
    static void name##_##step(const sample *line, total *sums, int64_t pixels, int64_t w, const void *ahead) \
    {                                                                                                        \
        enum { FROM = sizeof(sample), SIZE = sizeof(total), LANES = GF_SIMD_SUM / SIZE };                    \
        struct gf_lane_move up[5], last = vs_last(step, SIZE);                                               \
        for (int k = 0; step << k < LANES; k++) {                                                            \
            up[k] = vs_up(step << k, SIZE);                                                                  \
        }                                                                                                    \
        total head[LANES] = {0};                                                                             \
        for (int c = 0; c < step; c++) {                                                                     \
            total first = 0;                                                                                 \
            for (int64_t k = c; k < w * step; k += step) {                                                   \
                first = (total)(first + line[k]);                                                            \
            }                                                                                                \
            head[LANES - step + c] = first;                                                                  \
        }                                                                                                    \
        memcpy(sums, head + LANES - step, step * sizeof *sums);                                              \
        gf_vs sum = vs_load(head);                                                                           \
        const sample *enter = line + (w - 1) * step;                                                         \
        int64_t i = step;                                                                                    \
        for (; i + LANES <= pixels * step; i += LANES) {                                                     \
            prefetch(ahead, (size_t)i * sizeof *line);                                                       \
            gf_vs v = vs_sub(vs_widen(enter + i, FROM, SIZE), vs_widen(line + i - step, FROM, SIZE), SIZE);  \
            for (int k = 0; step << k < LANES; k++) {                                                        \
                v = vs_add(v, vs_move(v, up[k], SIZE), SIZE);                                                \
            }                                                                                                \
            sum = vs_add(v, vs_move(sum, last, SIZE), SIZE);                                                 \
            vs_store(sums + i, sum);                                                                         \
        }                                                                                                    \
        for (; i < pixels * step; i++) {                                                                     \
            sums[i] = (total)(sums[i - step] + enter[i] - line[i - step]);                                   \
        }                                                                                                    \
    }

#define GF_BOX_VECTORS(name, sample, total)                                                                  \
    GF_BOX_VECTORS_N(name, sample, total, 1)                                                                 \
    GF_BOX_VECTORS_N(name, sample, total, 2)                                                                 \
    GF_BOX_VECTORS_N(name, sample, total, 3)                                                                 \
    GF_BOX_VECTORS_N(name, sample, total, 4)                                                                 \
    GF_BY_CHANNELS(name, sample, total)

GF_BOX_VECTORS(box_u8_16, uint8_t, uint16_t)
GF_BOX_VECTORS(box_u8_32, uint8_t, uint32_t)
GF_BOX_VECTORS(box_u16_32, uint16_t, uint32_t)
#else
GF_BOX_PLAIN(box_u8_16, uint8_t, uint16_t)
GF_BOX_PLAIN(box_u8_32, uint8_t, uint32_t)
GF_BOX_PLAIN(box_u16_32, uint16_t, uint32_t)
#endif

static void box_across(gf_depth depth, const void *line, void *row, size_t size, int64_t pixels,
                       int32_t channels, int64_t w, const void *ahead)
{
    if (size == 2) {
        box_u8_16(line, row, pixels, channels, w, ahead);
    } else if (depth == GF_U8 && size == 4) {
        box_u8_32(line, row, pixels, channels, w, ahead);
    } else if (depth == GF_U8) {
        box_u8_64(line, row, pixels, channels, w, ahead);
    } else if (size == 4) {
        box_u16_32(line, row, pixels, channels, w, ahead);
    } else {
        box_u16_64(line, row, pixels, channels, w, ahead);
    }
}

#define GF_BOX_DOWN(name, total, part)                                                                       \
    static void name(total *restrict sums, const part *restrict enter, const part *restrict leave,           \
                     int64_t n)                                                                              \
    {                                                                                                        \
        if (leave) {                                                                                         \
            for (int64_t i = 0; i < n; i++) {                                                                \
                sums[i] = (total)(sums[i] + enter[i] - leave[i]);                                            \
            }                                                                                                \
        } else {                                                                                             \
            for (int64_t i = 0; i < n; i++) {                                                                \
                sums[i] = (total)(sums[i] + enter[i]);                                                       \
            }                                                                                                \
        }                                                                                                    \
    }

GF_BOX_DOWN(box_down_16, uint16_t, uint16_t)
GF_BOX_DOWN(box_down_16_32, uint32_t, uint16_t)
GF_BOX_DOWN(box_down_32, uint32_t, uint32_t)
GF_BOX_DOWN(box_down_64, uint64_t, uint64_t)

static void box_down(void *sums, size_t sum_size, const void *enter, const void *leave, size_t row_size,
                     int64_t n)
{
    if (sum_size == 2) {
        box_down_16(sums, enter, leave, n);
    } else if (row_size == 2) {
        box_down_16_32(sums, enter, leave, n);
    } else if (sum_size == 4) {
        box_down_32(sums, enter, leave, n);
    } else {
        box_down_64(sums, enter, leave, n);
    }
}

#define GF_BOX_TURN(name, total, wide, part)                                                                 \
    static void name(total *restrict sums, const part *restrict row, wide times, int64_t n)                  \
    {                                                                                                        \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            sums[i] = (total)(sums[i] + times * row[i]);                                                     \
        }                                                                                                    \
    }

GF_BOX_TURN(box_turn_16, uint16_t, uint32_t, uint16_t)
GF_BOX_TURN(box_turn_16_32, uint32_t, uint32_t, uint16_t)
GF_BOX_TURN(box_turn_32, uint32_t, uint32_t, uint32_t)
GF_BOX_TURN(box_turn_64, uint64_t, uint64_t, uint64_t)

static void box_turn(void *sums, size_t sum_size, const void *row, size_t row_size, uint64_t times, int64_t n)
{
    if (sum_size == 2) {
        box_turn_16(sums, row, (uint32_t)times, n);
    } else if (row_size == 2) {
        box_turn_16_32(sums, row, (uint32_t)times, n);
    } else if (sum_size == 4) {
        box_turn_32(sums, row, (uint32_t)times, n);
    } else {
        box_turn_64(sums, row, times, n);
    }
}

static void mean16(const uint16_t *restrict sums, uint8_t *restrict out, int64_t n,
                   struct gf_divider16 divider)
{
    for (int64_t i = 0; i < n; i++) {
        out[i] = (uint8_t)gf_divide_round_half_up16(sums[i], divider);
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

static void f32_turn(float *restrict sums, const float *restrict row, float times, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        sums[i] = sums[i] + times * row[i];
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
