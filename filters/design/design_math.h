/* What the design of filters needs of mathematics, from +, -, *, / and sqrt alone: the same bits whatever the
 * C library. Results are off by a few units in the last place. All functions are pure. */
#pragma once

#include "param/sine_pi.h"

#define GF_PI   3.14159265358979323846
#define GF_LN10 2.30258509299404568402

struct gf_complex {
    double re, im;
};

static inline struct gf_complex gf_complex_times(struct gf_complex a, struct gf_complex b)
{
    return (struct gf_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline double gf_complex_square(struct gf_complex a) /* of the size */
{
    return a.re * a.re + a.im * a.im;
}

static inline struct gf_complex gf_complex_over(struct gf_complex a, struct gf_complex b)
{
    const double square = gf_complex_square(b);
    return (struct gf_complex){(a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square};
}

/* e^x and e^x - 1. Beyond 700 on either side x counts as 700. */
double gf_exp_double(double x);
double gf_expm1_double(double x);

/* The logarithms of x and of 1 + x, for normal positive numbers; of 0 minus infinity. */
double gf_log_double(double x);
double gf_log1p_double(double x);

/* cos(pi x), and tan(pi x) for 0 <= x < 1/2. */
double gf_cos_pi(double x);
double gf_tan_pi(double x);

/* The angle of (x, y) in [-pi, pi], 0 for (0, 0). */
double gf_angle(double y, double x);

/* The modified Bessel function of order 0, for |x| <= 700. */
double gf_bessel_i0(double x);

/* Carlson's symmetric elliptic integral of the first kind; at most one argument is 0, none is below.
 * K(m) = RF(0, 1 - m, 1). */
double gf_elliptic_rf(double x, double y, double z);

/* Jacobi's functions at u quarter periods, 0 <= u <= 1, of modulus k and complementary modulus kc (k^2 + kc^2
 * = 1): each to full relative accuracy, however near k or kc is to 0. */
void gf_elliptic_functions(double u, double k, double kc, double *sn, double *cn, double *dn);
