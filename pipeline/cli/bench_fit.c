#include "bench_fit.h"

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

int bench_upper_half(int n)
{
    enum { LEAST = 3 };
    int from = n / 2;
    return n - from >= LEAST ? from : n > LEAST ? n - LEAST : 0;
}
