/* Row functions of the CPU executor: the inner loops, once per SIMD level.
 *
 * cpu_rows.c is compiled several times, each time with another GF_ROWS_LEVEL and -march, and makes one
 * constant table each. All levels give the same bits. Functions are pure apart from what they write, and
 * safe in any thread. `n` counts samples (pixels times channels) unless it says pixels; outputs must not
 * overlap inputs unless a function says "in place". */
#pragma once

#include "base/gf_divider.h"
#include "gpufilter/types.h"
#include "pixel/ir/lab_bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gf_gradient_args; /* gradient.h */
struct gf_insn;          /* op.h */
struct gf_pixel_reads;   /* program.h */
struct gf_sauvola_args;  /* sauvola.h */

/* Extremes of one channel in a row, by the order of gf_float_key (f32) or of integers. */
struct gf_row_extremes {
    uint32_t least, greatest;
};

/* Bilateral means (bilateral.h) of a row of pixels, from and to planes: channel c of pixel i lies at
 * [c * plane + i]. */
struct gf_row_bilateral {
    int64_t pixels, taps, plane, out_plane;
    int32_t channels;
    bool finite;            /* all samples are */
    const float *channel;   /* of gf_bilateral_args */
    float reach;            /* of it */
    const float *centre;    /* the row's own pixels */
    const float *const *at; /* by tap: its pixels */
    const float *near;      /* by tap: gf_bilateral_near */
    float *out;
};

/* The lesser of samples of one width. `flip`: all bits set to look for the greatest. */
struct gf_cpu_least {
    /* to[i] = the least of from[0][i] ^ flip to from[3][i] ^ flip, ^ back; those may overlap, `to` none of
     * them. */
    void (*of_four)(const void *const *from, void *to, int64_t n, uint32_t flip, uint32_t back);
    /* Rows i < m <= h of out, `pitch` samples apart: the least of rows[i][x] ^ flip to rows[i + h - 1][x] ^
     * flip. */
    void (*down)(const void *const *rows, int64_t h, void *out, int64_t pitch, int64_t m, int64_t n,
                 uint32_t flip);
    void (*lower)(void *a, const void *b, int64_t n); /* a[i] = the lesser of a[i] and b[i] */
    /* gathered[i] as well, with entering[i]; to[i] = the lesser of that and begun[i], ^ flip. No two overlap.
     */
    void (*gather)(void *gathered, const void *entering, const void *begun, void *to, int64_t n,
                   uint32_t flip, const void *ahead);
    /* to[i] = the least of rows[0][i] to rows[count - 1][i], ^ flip. */
    void (*of_all)(const void *const *rows, int64_t count, void *to, int64_t n, uint32_t flip);
};

struct gf_cpu_rows {
    const char *level; /* "baseline", "avx2", "avx512" */

    /* Separable windows. line[0] belongs to the leftmost tap of output 0, taps lie `step` samples apart;
     * rows[k] is the middle row of tap k. u8 as docs/exactness.md: Q7 middle, shift is kh or kv; weights
     * not negative. f32: one ascending fma chain. Windows that end in f32 give canonical NaN. `ahead` are n
     * samples that the caller is about to load: asked for meanwhile, so that memory and arithmetic overlap.
     */
    void (*u8_across)(const uint8_t *line, int16_t *mid, int64_t n, int64_t step, const int16_t *weights,
                      int64_t taps, int shift, const void *ahead);
    void (*u8_down)(const int16_t *const *rows, uint8_t *out, int64_t n, const int16_t *weights, int64_t taps,
                    int shift);
    void (*f32_across)(const float *line, float *mid, int64_t n, int64_t step, const float *weights,
                       int64_t taps, const void *ahead);
    void (*f32_down)(const float *const *rows, float *out, int64_t n, const float *weights, int64_t taps);

    /* Boxes of u8 and u16. across: sums over w pixels, modulo 2^(8 size), of a line of (pixels + w - 1) *
     * channels samples; size 2 (u8 only), 4 or 8 bytes. down: sums += enter - leave (+= enter where leave is
     * NULL), sums of sum_size bytes, rows of row_size: (2, 2), (4, 2), (4, 4) or (8, 8). */
    void (*box_across)(gf_depth depth, const void *line, void *row, size_t size, int64_t pixels,
                       int32_t channels, int64_t w, const void *ahead);
    void (*box_down)(void *sums, size_t sum_size, const void *enter, const void *leave, size_t row_size,
                     int64_t n);
    /* sums += times * row, as wide and as exact as box_down. */
    void (*box_turn)(void *sums, size_t sum_size, const void *row, size_t row_size, uint64_t times,
                     int64_t n);
    void (*mean16)(const uint16_t *sums, uint8_t *out, int64_t n, struct gf_divider16 divider);
    void (*mean32)(const uint32_t *sums, void *out, gf_depth depth, int64_t n, struct gf_divider32 divider);
    void (*mean64)(const uint64_t *sums, void *out, gf_depth depth, int64_t n, struct gf_divider divider);
    /* f32: blocks of w pixels anchored at multiples of w; line[0] is pixel `x`. work: two lines. */
    void (*box_across_f32)(const float *line, float *sums, float *work, int64_t x, int64_t pixels,
                           int32_t channels, int64_t w);
    void (*f32_add)(const float *a, const float *b, float *out, int64_t n);  /* out may be a or b */
    void (*f32_turn)(float *sums, const float *row, float times, int64_t n); /* sums += times * row */
    void (*f32_divide)(float *v, int64_t n, float k);                        /* in place; canonical */

    /* Levels by mean and spread. A row is n sums, then n sums of squares; of u8 in 4 or 8 bytes, of u16 in 8,
     * of f32 as f64. across: over w pixels, `step` samples apart, of a line of n + (w - 1) step samples. */
    void (*moments_across)(gf_depth depth, const void *line, void *row, size_t size, int64_t n, int64_t step,
                           int64_t w);
    void (*f64_add)(double *sums, const double *row, int64_t n); /* sums += row */
    void (*sauvola)(gf_depth depth, const void *sums, size_t size, void *out, int64_t n,
                    const struct gf_sauvola_args *args);

    /* Gradients. line[0] is the pixel left of output 0, step the channels. Out: n samples each of the
     * difference and of the smoothed row. Down: rows of y - 1, y, y + 1; out is per pixel all x, all y. */
    void (*u8_gradient_across)(const struct gf_gradient_args *args, const uint8_t *line, int16_t *difference,
                               int16_t *smooth, int64_t n, int64_t step);
    void (*u8_gradient_down)(const struct gf_gradient_args *args, const int16_t *const difference[3],
                             const int16_t *const smooth[3], int16_t *out, int64_t pixels, int32_t channels);
    void (*f32_gradient_across)(const struct gf_gradient_args *args, const float *line, float *difference,
                                float *smooth, int64_t n, int64_t step);
    void (*f32_gradient_down)(const struct gf_gradient_args *args, const float *const difference[3],
                              const float *const smooth[3], float *out, int64_t pixels, int32_t channels);

    void (*bilateral)(const struct gf_row_bilateral *row);

    /* Least and greatest samples: of u8, u16 and keys (gf_float_key); the last two make keys of f32 and back,
     * ^ flip. */
    struct gf_cpu_least least[3];
    void (*f32_keys)(const float *line, uint32_t *keys, int64_t n, uint32_t flip);
    void (*keys_f32)(const uint32_t *keys, float *out, int64_t n, uint32_t flip);

    /* Edges (edges.h). slopes: to[] are gx, gy and their square, of n pixels, as f32 (f64 where lines are
     * f32), of the strongest of the channels in mask; lines are those of y - 1, y, y + 1 and begin a pixel
     * further left; work is as much as to. ridges: what of n pixels stands out, of gx and gy of row y, and
     * squares of rows y - 1, y, y + 1, which have a pixel more on each side; bounds as in gf_edges_args, for
     * u8 values of f32. */
    void (*u8_slopes)(const uint8_t *const lines[3], void *const to[3], void *const work[3], int64_t n,
                      int32_t channels, uint32_t mask);
    void (*f32_slopes)(const float *const lines[3], void *const to[3], void *const work[3], int64_t n,
                       int32_t channels, uint32_t mask);
    void (*u8_ridges)(const void *const slope[2], const void *const square[3], uint8_t *out, int64_t n,
                      double low, double high);
    void (*f32_ridges)(const void *const slope[2], const void *const square[3], uint8_t *out, int64_t n,
                       double low, double high);
    /* Bits of 64 pixels each, the lowest the leftmost, 0 behind the last: bit 0 and bit 7 of bytes; and the
     * former as samples, white or 0. */
    void (*edges_to_bits)(const uint8_t *edges, uint64_t *any, uint64_t *strong, int64_t n);
    void (*bits_to_white)(const uint64_t *bits, void *out, gf_depth depth, int64_t n);

    /* n pixels of a channel between the middles of four tiles (clahe.h). quads: by value the bytes of their
     * tables, a the lowest; tables: a, b, c, d; in of f32: bins, and what gf_cpu_rows.f32_bins has behind
     * them. part: that of each pixel; y: that of all. */
    void (*clahe_u8)(const uint8_t *in, uint8_t *out, int64_t n, const uint32_t *quads, const float *part,
                     float y);
    void (*clahe_u16)(const uint16_t *in, uint16_t *out, int64_t n, const uint16_t *const tables[4],
                      const float *part, float y);
    void (*clahe_f32)(const int32_t *in, float *out, int64_t n, const float *const tables[4],
                      const float *part, float y);

    /* Formats. To integers with gf_quantise (exact for values that are such integers); to f32 canonical. */
    void (*to_f32)(const void *in, gf_depth depth, float *out, int64_t n);
    void (*from_f32)(const float *in, void *out, gf_depth depth, int64_t n);

    /* memcpy past the caches; what other threads or stores of these bytes must see of it follows a fence. */
    void (*stream)(void *out, const void *in, size_t bytes);
    void (*fence)(void);

    /* A row of pixels, `apart` samples from one to the next, split by place in groups of `step`: place p of
     * group q at planes[p * plane + q]; and back, n pixels from pixel `first` on. */
    void (*split)(const float *line, float *planes, int64_t plane, int64_t groups, int64_t step,
                  int64_t apart);
    void (*join)(const float *planes, int64_t plane, float *out, int64_t first, int64_t n, int64_t step,
                 int64_t apart);

    /* Instructions, in place. */
    void (*divide)(float *v, int64_t n, float by);
    void (*affine)(float *v, int64_t n, const float (*k)[2], int64_t count); /* one after the other */
    void (*power)(float *v, int64_t n, float exponent);
    void (*transfer)(float *v, int64_t n, bool encode); /* SRGB, or LINEAR */
    void (*greater)(float *v, int64_t n, float limit, float white);
    void (*quantise)(float *v, int64_t n, gf_depth depth);

    /* One that reads an operand: o[i] is what v[i] reads, alpha[i] how much of it is there (NULL: all). */
    void (*combine)(const struct gf_insn *insn, float *v, const float *o, const float *alpha, int64_t n);

    /* REGION. The weights of pixels [x, x + n) of row y, all in the roi; v mixed with o by the weight of each
     * sample. */
    void (*region)(const struct gf_insn *insn, struct gf_rect roi, int64_t x, int64_t y, float *weights,
                   int64_t n);
    void (*fade)(float *v, const float *o, const float *weights, int64_t n);

    /* Pixel instructions: in has `channels` a pixel. */
    void (*gray_f32)(const float *in, float *out, int64_t pixels, int32_t channels);
    void (*gray_int)(const float *in, float *out, int64_t pixels, int32_t channels);
    /* PREMULTIPLY, or UNPREMULTIPLY, of 2 or 4 channels. */
    void (*alpha)(const struct gf_insn *insn, const float *in, float *out, int64_t pixels, int32_t channels);
    void (*magnitude)(const float *in, float *out, int64_t pixels, int32_t channels, float scale);
    void (*slope)(const float *in, float *out, int64_t pixels, int32_t channels, bool along_y);
    void (*angle)(const float *in, float *out, int64_t pixels, int32_t channels, float turn);
    void (*matrix)(const float *in, float *out, int64_t pixels, int32_t channels, int32_t rows,
                   const float (*m)[5]); /* m[r][channels] is what row r begins with */
    /* LAB, FROM_LAB; bytes: not of fractions but of bytes, to numbers that are rounded behind it
     * (lab_bytes.h), else NULL. */
    void (*lab)(const float *in, float *out, int64_t pixels, int32_t channels, bool back,
                const struct gf_lab_tables *bytes);
    void (*luma)(const float *in, float *out, int64_t pixels, int32_t channels, const float *o, int32_t apart,
                 gf_depth depth); /* LUMA; o: the operand, of `apart` channels */
    void (*formula)(const float *steps, int64_t width, const float *in, float *out, int64_t pixels,
                    int32_t channels, int32_t own); /* a row of a FORMULA's block */
    void (*pixels)(const struct gf_insn *insn, const float *in, float *out, int64_t pixels, int32_t channels,
                   const struct gf_pixel_reads *reads); /* any of them; the operand is a row */

    /* u8 without the way over f32. blend: a gf_blend of gf_blend_of_bytes, from v[i] and o[i], past the
     * caches as stream. step: v > limit ? high : low; out may be in. */
    void (*u8_blend)(int32_t mode, const uint8_t *v, const uint8_t *o, uint8_t *out, int64_t n, bool past);
    /* RGB to RGB as matrix and rounding make it. NULL: not at this level. */
    void (*u8_mix)(const uint8_t *in, uint8_t *out, int64_t pixels, const float (*m)[5]);
    void (*u8_gray)(const uint8_t *in, uint8_t *out, int64_t pixels, int32_t channels);
    void (*u8_table)(const uint8_t *in, uint8_t *out, int64_t pixels, int32_t channels,
                     const uint8_t (*tables)[256]);
    void (*u8_step)(const uint8_t *in, uint8_t *out, int64_t n, uint8_t limit, uint8_t low, uint8_t high);

    /* Measures of channel c of a row. Integer sums go to sum and square (added). */
    struct gf_row_extremes (*u8_stats)(const uint8_t *row, int64_t pixels, int32_t channels, uint64_t *sum,
                                       uint64_t *square);
    struct gf_row_extremes (*u16_stats)(const uint16_t *row, int64_t pixels, int32_t channels, uint64_t *sum,
                                        uint64_t *square);
    /* Least and greatest key of samples that are not NaN; how many are NaN. {0xffffffff, 0} if none. */
    struct gf_row_extremes (*f32_extremes)(const float *row, int64_t pixels, int32_t channels, int64_t *nan);
    struct gf_row_extremes (*f32_finite)(const float *row, int64_t pixels, int32_t channels);
    void (*f32_columns)(const float *row, double *sums, double *squares, int64_t n); /* += v, v * v; no NaN */
    void (*f32_bins)(const float *row, int32_t *bins, int64_t pixels, int32_t channels, float lo, float scale,
                     int32_t count); /* bins of one channel, packed: gf_bin, or count + 0, 1, 2 */
    int64_t (*u8_count)(const uint8_t *row, int64_t n, uint8_t value); /* samples equal to value */

    /* Sums. columns: sums += row, for up to 257 rows of u8 and 65537 of u16; in f32 NaN adds nothing, and it
     * is told whether there is one. int_sums: sums[c] += the samples of channel c, of u8 or, wide, of u16.
     * f32_fold: of a cell's row the columns [first, first + pixels), folded in pairs to a sum a channel. */
    void (*u8_columns)(const uint8_t *row, uint16_t *sums, int64_t n);
    void (*u16_columns)(const uint16_t *row, uint32_t *sums, int64_t n);
    bool (*f32_sums)(const float *row, double *sums, int64_t n);
    void (*int_sums)(const void *row, bool wide, int64_t pixels, int32_t channels, uint64_t *sums);
    bool (*f32_fold)(const float *row, int64_t first, int64_t pixels, int32_t channels, double *sums);
};

extern const struct gf_cpu_rows gf_cpu_rows_baseline, gf_cpu_rows_avx2, gf_cpu_rows_avx512;
extern const struct gf_cpu_rows gf_cpu_rows_vnni; /* x86-64 builds only */

/* Levels that this build has and this processor runs: 0 is the baseline, each next one faster; NULL past
 * the last. */
const struct gf_cpu_rows *gf_cpu_rows_level(int level);

/* The last of them. */
const struct gf_cpu_rows *gf_cpu_rows_best(void);
