/* Arithmetic of recursive filters that every backend shares, the same bits in each: numbers as sums of two
 * f64, of which the second is at most half a unit in the last place of the first. Products and sums are right
 * to about 2^-104 of the sum of their terms' sizes. Pure. */
#pragma once

#include "base/gf_num.h"

#include <math.h>

struct gf_dd {
    double hi, lo;
};

/* a * b + c rounded once; where the processor has no such instruction, by the C library. */
GF_HD double gf_fma_double(double a, double b, double c)
{
#if defined(__CUDA_ARCH__)
    return __fma_rn(a, b, c);
#elif defined(__FMA__) || defined(__aarch64__)
    return __builtin_fma(a, b, c);
#else
    return fma(a, b, c);
#endif
}

/* sum += m v, where sum->lo gathers what sum->hi has lost; gf_dd_done after the last one. */
GF_HD void gf_dd_add_product(struct gf_dd *sum, struct gf_dd m, struct gf_dd v)
{
    double p = m.hi * v.hi;
    double lost = gf_fma_double(m.hi, v.hi, -p);
    lost = gf_fma_double(m.hi, v.lo, lost);
    lost = gf_fma_double(m.lo, v.hi, lost);
    double s = sum->hi + p;
    double part = s - sum->hi;
    double error = (sum->hi - (s - part)) + (p - part);
    sum->hi = s;
    sum->lo = sum->lo + (error + lost);
}

GF_HD struct gf_dd gf_dd_done(struct gf_dd sum)
{
    struct gf_dd r;
    r.hi = sum.hi + sum.lo;
    r.lo = sum.lo - (r.hi - sum.hi);
    return r;
}

/* One row of A^(128 2^k) left + right: right[row] first, then the columns in ascending order up to those of
 * the row's own section, as states depend on no later section. `power` is the row, `left` all states. */
GF_HD struct gf_dd gf_dd_row(const struct gf_dd *power, const struct gf_dd *left, struct gf_dd right, int row)
{
    struct gf_dd sum = right;
    for (int column = 0; column <= (row | 1); column++) {
        gf_dd_add_product(&sum, power[column], left[column]);
    }
    return gf_dd_done(sum);
}
