#include "bench/bench_fit.h"

#include <math.h>

enum bench_order bench_compare(struct bench_span a, struct bench_span b)
{
    return a.high < b.low ? BENCH_LESS : a.low > b.high ? BENCH_MORE : BENCH_NEITHER;
}

struct bench_span bench_quotient(struct bench_span a, struct bench_span b)
{
    return (struct bench_span){a.low / b.high, a.middle / b.middle, a.high / b.low};
}

enum bench_verdict bench_within(struct bench_span value, double least, double most)
{
    if (value.high < least || value.low > most) {
        return BENCH_FAILS;
    }
    return value.low >= least && value.high <= most ? BENCH_HOLDS : BENCH_CLOSE;
}

enum bench_verdict bench_share(int sure, int open, int n, double share)
{
    const double wanted = share * n;
    return n == 0                  ? BENCH_NOT_JUDGED
           : sure >= wanted        ? BENCH_HOLDS
           : sure + open >= wanted ? BENCH_CLOSE
                                   : BENCH_FAILS;
}

bool bench_fit(const double *x, const double *y, int n, struct bench_power *fit)
{
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0, worst = 0;
    for (int i = 0; i < n; i++) {
        if (!(x[i] > 0) || !(y[i] > 0)) {
            return false;
        }
        mean_x += log(x[i]) / n;
        mean_y += log(y[i]) / n;
    }
    for (int i = 0; i < n; i++) {
        xx += (log(x[i]) - mean_x) * (log(x[i]) - mean_x);
        xy += (log(x[i]) - mean_x) * (log(y[i]) - mean_y);
    }
    if (!(xx > 0)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(log(y[i]) - mean_y - xy / xx * (log(x[i]) - mean_x)));
    }
    *fit = (struct bench_power){xy / xx, exp(worst)};
    return true;
}

/* The inverse of a symmetric matrix, by Gauss and Jordan; false where there is none. */
static bool invert(double m[3][6])
{
    for (int k = 0; k < 3; k++) {
        int best = k;
        for (int i = k + 1; i < 3; i++) {
            best = fabs(m[i][k]) > fabs(m[best][k]) ? i : best;
        }
        if (!(fabs(m[best][k]) > 1e-12)) {
            return false;
        }
        for (int j = 0; j < 6; j++) {
            const double swapped = m[k][j];
            m[k][j] = m[best][j];
            m[best][j] = swapped;
        }
        for (int j = 5; j >= 0; j--) {
            m[k][j] /= m[k][k];
        }
        for (int i = 0; i < 3; i++) {
            const double factor = m[i][k];
            for (int j = 0; i != k && j < 6; j++) {
                m[i][j] -= factor * m[k][j];
            }
        }
    }
    return true;
}

/* Solves by the normal equations of columns scaled to length 1: the terms differ by ten powers of 10. */
bool bench_least_squares(const double *a, const double *y, int n, double c[3], double error[3])
{
    double m[3][6] = {{0}}, b[3] = {0}, length[3] = {0}, left = 0;
    for (int i = 0; i < 3 * n; i++) {
        length[i % 3] += a[i] * a[i];
    }
    for (int k = 0; k < 3; k++) {
        length[k] = sqrt(length[k]);
        m[k][3 + k] = 1;
        if (n <= 3 || !(length[k] > 0)) {
            return false;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 9; k++) {
            m[k / 3][k % 3] += a[3 * i + k / 3] / length[k / 3] * (a[3 * i + k % 3] / length[k % 3]);
        }
        for (int k = 0; k < 3; k++) {
            b[k] += a[3 * i + k] / length[k] * y[i];
        }
    }
    if (!invert(m)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        c[k] = (m[k][3] * b[0] + m[k][4] * b[1] + m[k][5] * b[2]) / length[k];
    }
    for (int i = 0; i < n; i++) {
        const double off = a[3 * i] * c[0] + a[3 * i + 1] * c[1] + a[3 * i + 2] * c[2] - y[i];
        left += off * off / (n - 3);
    }
    for (int k = 0; k < 3; k++) {
        error[k] = sqrt(fmax(left * m[k][3 + k], 0)) / length[k];
    }
    return true;
}

int bench_upper_half(int n)
{
    const int from = n / 2;
    return n - from >= BENCH_FIT_LEAST ? from : n > BENCH_FIT_LEAST ? n - BENCH_FIT_LEAST : 0;
}
