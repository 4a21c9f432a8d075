/* Means of neighbours that are near and alike: the arithmetic that all executors share. */
#pragma once

#include "base/gf_math.h"
#include "pixel/ir/kernel_table.h"

enum { GF_BILATERAL_CHANNELS = 4 };

/* The window of gf_kernel_bilateral: pixels dx, dy away with dx^2 + dy^2 <= radius^2 and |dy| <= radius_y.
 * A tap's weight is gf_bilateral_near * gf_bilateral_alike, rounded; taps follow each other in raster order.
 */
struct gf_bilateral_args {
    double fall;                          /* log2(e) / (2 sigma^2) */
    float reach;                          /* sqrt(log2(e) / 2) / sigma of values */
    float channel[GF_BILATERAL_CHANNELS]; /* what its difference counts; 0: it is not looked at */
    int32_t radius, radius_y;             /* radius_y: radius, or 0 */
};
GF_WINDOW_ARGS_OF(gf_bilateral_args)

/* How near a pixel is whose squared distance is that: 1 at 0. */
GF_HD float gf_bilateral_near(double fall, int32_t squared)
{
    return (float)gf_exp2_core(-fall * (double)squared);
}

/* From here on t differs too much: 2^(-t t) is below 2^-125. */
#define GF_BILATERAL_FAR     11.2F
#define GF_BILATERAL_SHIFTER 12582912.0F /* 1.5 * 2^23: the sum's low bits are the rounded integer */
#define GF_BILATERAL_P5      0.0013264727F
#define GF_BILATERAL_P4      0.009671513F
#define GF_BILATERAL_P3      0.055507336F
#define GF_BILATERAL_P2      0.24022242F
#define GF_BILATERAL_P1      0.693147F

/* 2^(-t t), t being the difference times `reach`: 1 at 0, and 0 from GF_BILATERAL_FAR on and for NaN, where
 * the pixel does not count. 2^n from exponent bits, n = round(-t t), times a minimax fit of degree 5 to 2^f,
 * |f| <= 1/2, with relative error 1e-7. */
GF_HD float gf_bilateral_alike(float t)
{
    const float shifted = gf_fma(-t, t, GF_BILATERAL_SHIFTER);
    const float f = gf_fma(-t, t, -(shifted - GF_BILATERAL_SHIFTER));
    float p = gf_fma(GF_BILATERAL_P5, f, GF_BILATERAL_P4);
    p = gf_fma(p, f, GF_BILATERAL_P3);
    p = gf_fma(p, f, GF_BILATERAL_P2);
    p = gf_fma(p, f, GF_BILATERAL_P1);
    p = gf_fma(p, f, 1.0F);
    const float scaled = gf_bits_float(gf_float_bits(p) + (gf_float_bits(shifted) << 23));
    return t < GF_BILATERAL_FAR ? scaled : 0.0F;
}

/* The pixels on each side of dx = 0 in the window's row dy. */
GF_HD int32_t gf_bilateral_chord(int32_t radius, int32_t dy)
{
    int32_t dx = radius;
    while (dx * dx + dy * dy > radius * radius) {
        dx--;
    }
    return dx;
}
