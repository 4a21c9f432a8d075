/* Sums of products of two signals for many delays at once, nearly: by Fourier transforms in f32, with a bound
 * of how far they are off. So those that cannot be the greatest need not be summed one by one. */
#pragma once

#include "base/status.h"

#include <stdint.h>

enum {
    GF_CORRELATION_FEW = 512,     /* delays: below that sums one by one take less time */
    GF_CORRELATION_MOST = 1 << 18 /* delays at a time */
};

/* Two signals, which are borrowed, and memory for their transforms. */
struct gf_correlation;

/* Frames are finite numbers, n and m at least 1; squares: the sums of x^2 and of y^2. */
gf_status gf_correlation_create(const float *x, int64_t n, double x_squares, const float *y, int64_t m,
                                double y_squares, int64_t delays, struct gf_correlation **out,
                                gf_error *error);
void gf_correlation_destroy(struct gf_correlation *c); /* NULL is fine */

/* How many delays gf_correlation_near makes, at most `delays`, and how far from the sum of x(i) y(i - d) in
 * f64, i ascending, any is at most. */
int64_t gf_correlation_count(const struct gf_correlation *c);
double gf_correlation_bound(const struct gf_correlation *c);

/* Fills sums for the delays first, first + 1, ... */
gf_status gf_correlation_near(struct gf_correlation *c, int64_t first, double *sums, gf_error *error);
