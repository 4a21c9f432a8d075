/* Sines and cosines of parts of a turn, without the C library: the same on every device. */
#pragma once

#include "base/gf_num.h"

/* The first terms of the series of sin and cos: enough for double where |x| <= pi / 4. */
GF_HD double gf_fft_sine(double x)
{
    const double over[] = {1. / (17 * 16), 1. / (15 * 14), 1. / (13 * 12), 1. / (11 * 10),
                           1. / (9 * 8),   1. / (7 * 6),   1. / (5 * 4),   1. / (3 * 2)};
    double sum = 0;
    for (int i = 0; i < 8; i++) {
        sum = (1 + sum) * (-x * x * over[i]);
    }
    return x + x * sum;
}

GF_HD double gf_fft_cosine(double x)
{
    const double over[] = {1. / (18 * 17), 1. / (16 * 15), 1. / (14 * 13), 1. / (12 * 11),
                           1. / (10 * 9),  1. / (8 * 7),   1. / (6 * 5),   1. / (4 * 3)};
    double sum = 0;
    for (int i = 0; i < 8; i++) {
        sum = (1 + sum) * (-x * x * over[i]);
    }
    return 1 + (1 + sum) * (-x * x / 2);
}

/* cos and sin of 2 pi k / n, 0 <= k < n. */
GF_HD void gf_fft_unit_of(int64_t k, int64_t n, double *c, double *s)
{
    const int64_t turn = 8 * k / n;                                            /* the eighth */
    const int64_t rest = turn % 2 ? (turn + 1) * n - 8 * k : 8 * k - turn * n; /* in (8 n)ths of a turn */
    const double x = 0.78539816339744831 * ((double)rest / (double)n);
    const double near = gf_fft_cosine(x), far = gf_fft_sine(x);
    const int64_t swap = (turn + 1) / 2 % 2; /* the eighths beside the second axis */
    const double a = swap ? far : near, b = swap ? near : far;
    *c = turn >= 2 && turn < 6 ? 0 - a : a;
    *s = turn >= 4 ? 0 - b : b;
}
