/* Rows and columns of a Fourier transform one by one, whatever transforms a line of numbers: what the
 * definition and the variants of textbooks share. */
#pragma once

#include "fourier/fft_call.h"

struct gf_fft_number {
    float re, im;
};

/* Transforms n numbers, and may leave anything in their place. `work`: room for n numbers, or two of those of
 * line->sum. */
typedef void gf_fft_transform_fn(const struct gf_fft_line *line, int64_t n, struct gf_fft_number *in,
                                 struct gf_fft_number *out, struct gf_fft_number *work);

/* Runs a call by it. `pairs`: rows of an even number of real samples as half as many pairs, as the definition
 * says; else as complex numbers, and the line's factors are then not those of n. */
void gf_fft_plain(const struct gf_fft_call *call, gf_fft_transform_fn *transform, int pairs);

/* Products by the definition. */
struct gf_fft_number gf_fft_product(struct gf_fft_number a, struct gf_fft_number w);
