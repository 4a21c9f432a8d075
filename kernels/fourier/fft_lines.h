/* Strips of Fourier transforms on the CPU, once a SIMD level, as array/search/search_lines.h. All levels give
 * the same bits. */
#pragma once

#include "fourier/fft_plan.h"

/* Complex numbers in memory: number p of lane l lies at re[p * point + l * lane], and im likewise; strides
 * are in floats. Read, im NULL is 0; written, it is nowhere. */
struct gf_fft_view {
    float *re, *im;
    int64_t point, lane;
};

/* Some stages of as many transforms as a vector has lanes: `points` numbers each, of which the first stage
 * reads those in view `from`, and the last leaves those in view `to`. In memory that is not planar, lane 1,
 * they are finished: each is multiplied by `scale`, and every NaN is the canonical one. */
struct gf_fft_strip {
    struct gf_fft_view from, to;
    const struct gf_fft_stage *stage;
    int32_t stages; /* at least 1 */
    int32_t lanes;  /* that are there, 1 to gf_fft_lines.width; nothing is written for the others */
    int64_t points; /* the product of the radices */
    int64_t at;     /* stage[0].span > 1: the first lane's number among so many; the next ones follow */
    int64_t
        beyond;    /* floats behind from.re[0] and from.im[0] that may be read, in lanes that are not there */
    int64_t ahead; /* bytes from what is read to what will be read when this is done; 0: not known */
    int64_t ahead_to; /* the same of what is written */
    float scale;
    float *buffer; /* (points + width) * 2 * width floats */
};

struct gf_fft_lines {
    int32_t width; /* lanes */

    void (*strip)(const struct gf_fft_strip *strip);

    /* Numbers first to end - 1 of x w, in lane 0, 1, ... of the views; re and im change places before (swap
     * 1), or after (2). They are finished as those of a strip. */
    void (*multiply)(const struct gf_fft_view *from, const struct gf_fft_table *w, int64_t first, int64_t end,
                     int32_t swap, float scale, const struct gf_fft_view *to);

    /* Numbers first to end - 1, of 1 to h - 1, of a spectrum of 2 h real samples, from the transform z of its
     * pairs, planar; and of z, planar, from the spectrum in turns. */
    void (*split)(const float *re, const float *im, const struct gf_fft_table *v, int64_t h, int64_t first,
                  int64_t end, float *to);
    void (*merge)(const float *from, const struct gf_fft_table *v, int64_t h, int64_t first, int64_t end,
                  float *re, float *im);
};

extern const struct gf_fft_lines gf_fft_lines_baseline;
extern const struct gf_fft_lines gf_fft_lines_avx2;
extern const struct gf_fft_lines gf_fft_lines_avx512;
