/* What measured times say: which of two is less, how a series grows, whether enough of them agree. No rows
 * and no devices: tests give it numbers. */
#pragma once

#include <stdbool.h>

enum bench_verdict { BENCH_HOLDS, BENCH_FAILS, BENCH_CLOSE, BENCH_NOT_JUDGED };

/* A median between its quartiles. */
struct bench_span {
    double low, middle, high;
};

enum bench_order { BENCH_LESS, BENCH_NEITHER, BENCH_MORE };

/* The first against the second; neither, where what lies between their quartiles overlaps. */
enum bench_order bench_compare(struct bench_span a, struct bench_span b);

/* Returns what quotients of values of the two may be, by their quartiles. */
struct bench_span bench_quotient(struct bench_span a, struct bench_span b);

/* Tells whether a value lies from `least` to `most`: close, where only a part of its span does. */
enum bench_verdict bench_within(struct bench_span value, double least, double most);

/* Tells whether at least `share` of n comparisons went so, when `sure` of them did and `open` of them are too
 * close to tell. n = 0: not judged. */
enum bench_verdict bench_share(int sure, int open, int n, double share);

/* y = c x^power by least squares of the logarithms; every point lies within a factor of `residual` of it. */
struct bench_power {
    double power, residual;
};

/* False where that is no line: fewer than two values of x, or values that are not above 0. */
bool bench_fit(const double *x, const double *y, int n, struct bench_power *fit);

/* The three c for which the sum of (a c - y)^2 over n rows of a, of three numbers each, is least, and their
 * standard errors. False: there are no more than three rows, or they leave c open. */
bool bench_least_squares(const double *a, const double *y, int n, double c[3], double error[3]);

/* Returns where the upper half of n values begins: at least four of them where there are so many, as a line
 * through fewer says nothing of how far off it is. */
enum { BENCH_FIT_LEAST = 4 };
int bench_upper_half(int n);
