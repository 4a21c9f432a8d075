/* The formulas of the solvers, for C11, C++17 and CUDA: otsu, equalize, and the bins of f32 counts.
 *
 * Pure functions of one bin. Products and sums are written apart and must not be contracted. */
#ifndef GF_PIXEL_SOLVE_H
#define GF_PIXEL_SOLVE_H

#include "base/gf_num.h"

/* The scale of gf_bin for a range that was measured and may be unusable: 0 where lo < hi does not hold or
 * where hi - lo leaves the interval that gf_bin_scale asks for. Then every finite value is in bin 0. */
GF_HD float gf_range_scale(float lo, float hi, int32_t bins)
{
    float width = hi - lo;
    return width >= 9.8607613152626476e-32F && width <= FLT_MAX ? gf_bin_scale(lo, hi, bins) : 0.0F;
}

/* The middle of a bin of equal bins over [lo, hi], in sample units. */
GF_HD float gf_bin_middle(float lo, float hi, int32_t bin, int32_t bins)
{
    double width = (double)hi - (double)lo;
    double offset = ((double)bin + 0.5) * width;
    offset = offset / (double)bins;
    return (float)((double)lo + offset);
}

/* Variance between the classes "bins up to t" and "bins above t", times N^2 (N. Otsu, "A Threshold
 * Selection Method from Gray-Level Histograms", 1979). n0 and s0: sums over bins 0 to t of count and of
 * bin * count; n and s: the same over all bins. 0 when a class is empty. Below 2^63 all sums are exact. */
GF_HD double gf_otsu_score(uint64_t n0, uint64_t s0, uint64_t n, uint64_t s)
{
    if (n0 == 0 || n0 == n) {
        return 0.0;
    }
    uint64_t n1 = n - n0;
    uint64_t s1 = s - s0;
    double mean0 = (double)s0 / (double)n0;
    double mean1 = (double)s1 / (double)n1;
    double d = mean0 - mean1;
    double square = d * d;
    double pairs = (double)n0 * (double)n1;
    return pairs * square;
}

/* An entry of the equalizing table of an integer picture: cdf is the number of samples in bins up to this
 * one, first the count of the first bin that has any, n > first all samples. Half up. */
GF_HD uint64_t gf_equalize_u(uint64_t cdf, uint64_t first, uint64_t n, uint64_t white)
{
    uint64_t above = cdf > first ? cdf - first : 0;
    uint64_t span = n - first;
    return (above * white + span / 2) / span;
}

/* The same for f32: the quotient in f64, rounded to f32 once. */
GF_HD float gf_equalize_f(uint64_t cdf, uint64_t first, uint64_t n, float white)
{
    uint64_t above = cdf > first ? cdf - first : 0;
    double scaled = (double)above * (double)white;
    return (float)(scaled / (double)(n - first));
}

#endif
