/* What numbers of a spectrum are multiplied by: products of terms, each of two numbers, one of a column and
 * one of a row; and what is made of results. Pure, for C11, C++17 and CUDA. */
#pragma once

#include "base/gf_num.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gf_frequency_shape { GF_FREQUENCY_IDEAL, GF_FREQUENCY_GAUSS, GF_FREQUENCY_BUTTERWORTH };

struct gf_fft_weights {
    const float *terms; /* of each term a number for each column, `half` of them, then one for each row */
    int64_t half, rows;
    int32_t shape; /* of all terms: enum gf_frequency_shape */
    int32_t order; /* of BUTTERWORTH */
    int32_t count; /* of terms */
    int32_t below; /* so many first ones weight by g, the others by 1 - g */
};

/* g of a term from its numbers for k and l: the parts of a Gaussian, or of the square of the distance from
 * zero frequency in units of the one where the filter ends. */
GF_HD float gf_frequency_term(int32_t shape, int32_t order, float x, float y)
{
    if (shape == GF_FREQUENCY_GAUSS) {
        return x * y;
    }
    const float square = x + y;
    if (shape == GF_FREQUENCY_IDEAL) {
        return square <= 1.0F ? 1.0F : 0.0F;
    }
    float power = square;
    for (int32_t i = 1; i < order; i++) {
        power *= square;
    }
    return gf_div(1.0F, 1.0F + power);
}

/* What is made of results that have a sign. */
struct gf_fft_shown {
    float gain, added; /* fma(v, gain, added); gain 0: v */
    int32_t absolute;  /* 1: without its sign */
};

GF_HD float gf_fft_show(const struct gf_fft_shown shown, float v)
{
    v = shown.gain != 0.0F ? gf_fma(v, shown.gain, shown.added) : v;
    return gf_bits_float(gf_float_bits(v) & (shown.absolute ? 0x7fffffffU : 0xffffffffU));
}

#ifdef __cplusplus
}
#endif
