/* Part of cpu_rows.c: sums of samples and of their squares, and levels of them. */
#include "pixel/window/sauvola/sauvola.h"

/* Both sums of w pixels around each, of one channel. */
#define GF_MOMENTS(name, sample, total)                                                                      \
    static void name(const sample *line, total *restrict sums, total *restrict squares, int64_t n,           \
                     int64_t step, int64_t w)                                                                \
    {                                                                                                        \
        for (int64_t c = 0; c < step; c++) {                                                                 \
            total sum = 0, square = 0;                                                                       \
            for (int64_t i = c; i < c + w * step; i += step) {                                               \
                sum += line[i];                                                                              \
                square += (total)line[i] * line[i];                                                          \
            }                                                                                                \
            for (int64_t i = c; i < n; i += step) {                                                          \
                sums[i] = sum;                                                                               \
                squares[i] = square;                                                                         \
                if (i + step < n) {                                                                          \
                    const total enter = line[i + w * step], leave = line[i];                                 \
                    sum += enter - leave;                                                                    \
                    square += enter * enter - leave * leave;                                                 \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
    }

GF_MOMENTS(moments_u8_32, uint8_t, uint32_t)
GF_MOMENTS(moments_u8_64, uint8_t, uint64_t)
GF_MOMENTS(moments_u16_64, uint16_t, uint64_t)

/* f32, tap by tap from left to right. */
static void moments_f32(const float *line, double *restrict sums, double *restrict squares, int64_t n,
                        int64_t step, int64_t w)
{
    for (int64_t i = 0; i < n; i++) {
        sums[i] = line[i];
        squares[i] = (double)line[i] * line[i];
    }
    for (int64_t tap = 1; tap < w; tap++) {
        const float *at = line + tap * step;
        for (int64_t i = 0; i < n; i++) {
            sums[i] += at[i];
            squares[i] += (double)at[i] * at[i];
        }
    }
}

static void moments_across(gf_depth depth, const void *line, void *row, size_t size, int64_t n, int64_t step,
                           int64_t w)
{
    void *squares = (char *)row + (size_t)n * size;
    if (depth == GF_F32) {
        moments_f32(line, row, squares, n, step, w);
    } else if (depth == GF_U16) {
        moments_u16_64(line, row, squares, n, step, w);
    } else if (size == sizeof(uint32_t)) {
        moments_u8_32(line, row, squares, n, step, w);
    } else {
        moments_u8_64(line, row, squares, n, step, w);
    }
}

static void f64_add(double *restrict sums, const double *restrict row, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        sums[i] += row[i];
    }
}

#define GF_SAUVOLA(name, total, sample, white)                                                               \
    static void name(const total *restrict sums, sample *restrict out, int64_t n, double area,               \
                     const struct gf_sauvola_args *args)                                                     \
    {                                                                                                        \
        const total *restrict squares = sums + n;                                                            \
        const double k = args->k, range = args->range;                                                       \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            const double level = gf_sauvola_level((double)sums[i], (double)squares[i], area, k, range);      \
            out[i] = (sample)gf_sauvola_floor(level, white);                                                 \
        }                                                                                                    \
    }

GF_SAUVOLA(sauvola_u8_32, uint32_t, uint8_t, 255)
GF_SAUVOLA(sauvola_u8_64, uint64_t, uint8_t, 255)
GF_SAUVOLA(sauvola_u16_64, uint64_t, uint16_t, 65535)

static void sauvola_f32(const double *restrict sums, float *restrict out, int64_t n, double area,
                        const struct gf_sauvola_args *args)
{
    const double *restrict squares = sums + n;
    for (int64_t i = 0; i < n; i++) {
        out[i] = gf_canonical((float)gf_sauvola_level(sums[i], squares[i], area, args->k, args->range));
    }
}

static void sauvola(gf_depth depth, const void *sums, size_t size, void *out, int64_t n,
                    const struct gf_sauvola_args *args)
{
    const double area = (double)gf_sauvola_area(args);
    if (depth == GF_F32) {
        sauvola_f32(sums, out, n, area, args);
    } else if (depth == GF_U16) {
        sauvola_u16_64(sums, out, n, area, args);
    } else if (size == sizeof(uint32_t)) {
        sauvola_u8_32(sums, out, n, area, args);
    } else {
        sauvola_u8_64(sums, out, n, area, args);
    }
}
