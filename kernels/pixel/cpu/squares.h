/* Sums of products by transforms of squares of samples, for match and wide_conv. They are exact: samples and
 * what the template has are bytes (digits), or integers that are small enough (lower_wide_conv.c), and turns
 * are off by at most 1.3 units of 2^-53 (gf_fft_unit_of). A transform of n x n numbers then is off by at most
 * log2(n^2) (1.3 + 4 sqrt(2)) units of its size (N. Higham, Accuracy and Stability of Numerical
 * Algorithms, 24.1), and two of them, their product and the way back, with what that leaves out, by 3
 * log2(n^2) 8 2^-53 |I| |T| sqrt(2) in each place, |I| <= 255 n and |T| <= 255 sqrt(w h) being the roots of
 * their squares' sums, sqrt(2) as two pictures share a square: less than 0.15 in three channels together,
 * with n = GF_SQUARE_SIDE and a template of half its sides. So the nearest integer is the sum. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    GF_SQUARE_LANES = 8,       /* rows, or columns, that are transformed at once */
    GF_SQUARE_SIDE = 4096,     /* the greatest side of a square */
    GF_SQUARE_LEAST_SIDE = 64, /* and the least */
    GF_SQUARE_DIGITS = 3,      /* that are multiplied at once, at most */
    GF_SQUARE_LINES = (GF_SQUARE_DIGITS + 1) * 2 * GF_SQUARE_LANES
};

/* Bytes of a picture, `step` bytes from column to column; what lies beyond its columns and rows is 0. */
struct gf_square_bytes {
    const uint8_t *first;
    int64_t pitch, step, columns, rows;
};

/* Complex numbers of a square: of 8 rows column by column, the 8 real parts, then the 8 imaginary ones. A
 * spectrum has the same of 8 columns row by row. turns: exp(-2 pi i k / side), k < side, re and im. */
struct gf_square_rows {
    /* Fills the square, real parts from a, imaginary ones from b, and transforms its rows. */
    void (*take)(const struct gf_square_bytes *a, const struct gf_square_bytes *b, int32_t side,
                 const double *turns, double *square);
    /* Transforms the rows of a square. */
    void (*turn_rows)(int32_t side, const double *turns, double *square);
    /* Transforms the columns of a square, for a spectrum that is divided by side^2. */
    void (*finish)(const double *square, int32_t side, const double *turns, double *spectrum);
    /* For each of so many digits: transforms columns of all channels' squares, multiplies them by the spectra
     * of that digit's channels, adds them up, and transforms back, to the digit's square. lines: memory for
     * GF_SQUARE_LINES * side doubles. */
    void (*multiply)(double *const *squares, int32_t channels, const double *const *spectra, int32_t digits,
                     int32_t side, const double *turns, double *lines);
    /* Transforms rows back, and adds 2^a_shift times the real parts of so many to a, likewise those of the
     * imaginary ones, not more, to b, n a row. */
    void (*give)(double *square, int32_t side, const double *turns, int64_t a_rows, int64_t b_rows, int64_t n,
                 int a_shift, uint64_t *a, int b_shift, uint64_t *b);
};

extern const struct gf_square_rows gf_square_rows_baseline;
extern const struct gf_square_rows gf_square_rows_avx2;   /* x86-64 builds only */
extern const struct gf_square_rows gf_square_rows_avx512; /* x86-64 builds only */
