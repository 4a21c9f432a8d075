/* The formulas of the solvers, for C11, C++17 and CUDA: otsu, equalize, and the bins of f32 counts.
 *
 * Pure functions of one bin. Products and sums are written apart and must not be contracted. */
#pragma once

#include "base/gf_num.h"

/* The scale of gf_range_bin for a range that was measured: 0 where lo < hi does not hold, and then every
 * finite value is in bin 0. Below 0 where hi - lo is not in the interval that gf_bin_scale asks for: it is
 * that of samples times gf_range_factor, which has an exact product with them, or with the greatest ones. */
#define GF_RANGE_UP 1.2676506002282294e30F /* 2^100 */
GF_HD float gf_range_scale(float lo, float hi, int32_t bins)
{
    const float width = hi - lo;
    if (width >= 9.8607613152626476e-32F && width <= FLT_MAX) {
        return gf_bin_scale(lo, hi, bins);
    }
    const float factor = width > 1.0F ? 0.5F : GF_RANGE_UP;
    return width > 0.0F ? -gf_bin_scale(lo * factor, hi * factor, bins) : 0.0F;
}

/* Tiny ranges have scales of at least 8, those beyond what f32 holds far smaller ones. */
GF_HD float gf_range_factor(float scale)
{
    return scale >= 0.0F ? 1.0F : scale > -1.0F ? 0.5F : GF_RANGE_UP;
}

/* gf_bin with such a scale. */
GF_HD int32_t gf_range_bin(float v, float lo, float scale, int32_t bins)
{
    const float factor = gf_range_factor(scale);
    return gf_bin(v * factor, lo * factor, scale < 0.0F ? -scale : scale, bins);
}

/* The count of a bin of a row of counts: what lies below or above all bins is in the last one at that end. */
GF_HD uint64_t gf_count_at(const uint64_t *counts, int32_t bin, int32_t bins)
{
    return counts[bin] + (bin == 0 ? counts[bins] : 0) + (bin == bins - 1 ? counts[bins + 1] : 0);
}

/* The middle of a bin of equal bins over [lo, hi], in sample units. */
GF_HD float gf_bin_middle(float lo, float hi, int32_t bin, int32_t bins)
{
    double width = (double)hi - (double)lo;
    double offset = ((double)bin + 0.5) * width;
    offset = offset / (double)bins;
    return (float)((double)lo + offset);
}

__extension__ typedef unsigned __int128 gf_wide;

/* A candidate for Otsu's level (N. Otsu, "A Threshold Selection Method from Gray-Level Histograms", 1979):
 * the variance between the classes "bins up to it" and "bins above it" is d^2 / pairs but for a constant
 * factor. The sums are exact, and all below has room for them: at most 384 bits. */
struct gf_otsu {
    gf_wide d, pairs; /* n0 s - s0 n, which is not below 0; n0 (n - n0) */
    double score;     /* about d^2 / pairs; 0 where a class is empty or the classes have one mean */
};

/* n0 and s0: sums over bins up to the level of count and of bin * count; n and s: the same of all bins. */
GF_HD struct gf_otsu gf_otsu_make(uint64_t n0, uint64_t s0, uint64_t n, uint64_t s)
{
    struct gf_otsu o = {(gf_wide)n0 * s - (gf_wide)s0 * n, (gf_wide)n0 * (n - n0), 0.0};
    o.score = o.d ? (double)o.d * (double)o.d / (double)o.pairs : 0.0;
    return o;
}

/* product = a b, in words of 32 bits, the lowest first; b has four. */
GF_HD void gf_words_product(const uint32_t *a, int n, gf_wide b, uint32_t *product)
{
    for (int i = 0; i < n + 4; i++) {
        product[i] = 0;
    }
    for (int i = 0; i < n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < 4; j++) {
            carry += (uint64_t)a[i] * (uint32_t)(b >> (32 * j)) + product[i + j];
            product[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        product[i + 4] = (uint32_t)carry;
    }
}

/* d^2 pairs. */
GF_HD void gf_otsu_weighed(gf_wide d, gf_wide pairs, uint32_t weighed[12])
{
    uint32_t words[4], square[8];
    for (int i = 0; i < 4; i++) {
        words[i] = (uint32_t)(d >> (32 * i));
    }
    gf_words_product(words, 4, d, square);
    gf_words_product(square, 8, pairs, weighed);
}

/* Is a's variance greater than b's (1), less (-1), or the same (0)? The scores, each within a few units of
 * the last place, decide where they can. */
GF_HD int gf_otsu_compare(const struct gf_otsu *a, const struct gf_otsu *b)
{
    uint32_t of_a[12], of_b[12];
    int order = (a->score > b->score) - (a->score < b->score);
    const double apart = a->score - b->score, near = 1e-12 * a->score;
    if ((a->d == 0 && b->d == 0) || apart > near || -apart > near) {
        return order;
    }
    gf_otsu_weighed(a->d, b->pairs, of_a);
    gf_otsu_weighed(b->d, a->pairs, of_b);
    order = 0;
    for (int i = 0; i < 12; i++) {
        order = of_a[i] != of_b[i] ? (of_a[i] > of_b[i] ? 1 : -1) : order;
    }
    return order;
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
