/* The colours of one pixel, as LAB, FROM_LAB, CUBE, LUMA and APART of instructions.def have them, for C11,
 * C++17 and CUDA. The judge has this arithmetic once more (reference_colour.c). Everything here is pure. */
#pragma once

#include "base/gf_math.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "gpufilter/types.h"

/* Converts between sRGB and light, both fractions of white and odd functions: NaN stays NaN. */
GF_HD float gf_srgb_to_light(float v)
{
    const uint32_t sign = gf_float_bits(v) & 0x80000000U;
    const float size = gf_bits_float(gf_float_bits(v) ^ sign);
    const float knee = GF_FAULT(cuda_srgb_knee) ? 0.0031308F : 0.04045F;
    const float light = size <= knee ? gf_div(size, 12.92F) : gf_pow(gf_div(size + 0.055F, 1.055F), 2.4F);
    return gf_bits_float(gf_float_bits(light) | sign);
}
GF_HD float gf_light_to_srgb(float v)
{
    const uint32_t sign = gf_float_bits(v) & 0x80000000U;
    const float size = gf_bits_float(gf_float_bits(v) ^ sign);
    const float coded =
        size <= 0.0031308F ? 12.92F * size : gf_fma(1.055F, gf_pow(size, 1.0F / 2.4F), -0.055F);
    return gf_bits_float(gf_float_bits(coded) | sign);
}

/* Light of sRGB's primaries to X, Y, Z in parts of D65's, and the way back (IEC 61966-2-1, each row divided
 * by its sum, so that gray has X = Y = Z). */
#define GF_XYZ_OF_LIGHT                                                                                      \
    {                                                                                                        \
        {0.433887333F, 0.376224011F, 0.189888641F}, {0.212639004F, 0.715168655F, 0.0721923187F},             \
        {                                                                                                    \
            0.0177500397F, 0.109447621F, 0.872802317F                                                        \
        }                                                                                                    \
    }
#define GF_LIGHT_OF_XYZ                                                                                      \
    {                                                                                                        \
        {3.08039904F, -1.5373832F, -0.543015897F}, {-0.921223342F, 1.8759675F, 0.0452558585F},               \
        {                                                                                                    \
            0.0528739393F, -0.203976959F, 1.15110302F                                                        \
        }                                                                                                    \
    }

/* CIE's cube root with a straight part near 0, and its inverse; negative numbers take the straight part. */
GF_HD float gf_lab_root(float t)
{
    return t > (GF_FAULT(cuda_lab_root) ? 0.008F : 0.00885645207F) ? gf_pow(t, 1.0F / 3.0F)
                                                                   : gf_fma(7.7870369F, t, 0.137931034F);
}
GF_HD float gf_lab_cube(float t)
{
    return t > (GF_FAULT(lab_cube) ? 0.2F : 0.206896558F) ? t * t * t : (t - 0.137931034F) * 0.12841855F;
}

/* Three channels of sRGB, in fractions of white, become L / 100, (a + 128) / 255, (b + 128) / 255. */
GF_HD void gf_lab_of(float *v)
{
    const float m[3][3] = GF_XYZ_OF_LIGHT;
    const float r = gf_srgb_to_light(v[0]), g = gf_srgb_to_light(v[1]), b = gf_srgb_to_light(v[2]);
    const float x = gf_lab_root(gf_fma(m[0][2], b, gf_fma(m[0][1], g, m[0][0] * r)));
    const float y = gf_lab_root(gf_fma(m[1][2], b, gf_fma(m[1][1], g, m[1][0] * r)));
    const float z = gf_lab_root(gf_fma(m[2][2], b, gf_fma(m[2][1], g, m[2][0] * r)));
    v[0] = gf_fma(1.16F, y, -0.16F);
    v[1] = gf_div(gf_fma(500.0F, x - y, 128.0F), 255.0F);
    v[2] = gf_div(gf_fma(200.0F, y - z, 128.0F), 255.0F);
}

/* The way back. */
GF_HD void gf_lab_from(float *v)
{
    const float m[3][3] = GF_LIGHT_OF_XYZ;
    const float root = gf_div(v[0] + 0.16F, 1.16F);
    const float x = gf_lab_cube(root + gf_div(gf_fma(255.0F, v[1], -128.0F), 500.0F));
    const float y = gf_lab_cube(root);
    const float z = gf_lab_cube(root - gf_div(gf_fma(255.0F, v[2], -128.0F), 200.0F));
    v[0] = gf_light_to_srgb(gf_fma(m[0][2], z, gf_fma(m[0][1], y, m[0][0] * x)));
    v[1] = gf_light_to_srgb(gf_fma(m[1][2], z, gf_fma(m[1][1], y, m[1][0] * x)));
    v[2] = gf_light_to_srgb(gf_fma(m[2][2], z, gf_fma(m[2][1], y, m[2][0] * x)));
}

/* A cube of n x n x n colours, red's place changing fastest: three numbers each; behind them by which number,
 * and what is added, a channel becomes its place, 0 to n - 1. */
GF_HD float gf_cube_place(const float *cube, int64_t numbers, int c, float v, float last)
{
    const float at = gf_fma(v, cube[numbers + c], cube[numbers + 3 + c]);
    const float end = GF_FAULT(cube_end) ? last - 1.0F : last;
    return at > 0.0F ? (at < end ? at : end) : 0.0F; /* NaN: the first */
}

/* Element i of three, which stay in registers. */
GF_HD float gf_float_of(int i, float a, float b, float c)
{
    return i == 0 ? a : i == 1 ? b : c;
}
GF_HD int32_t gf_place_of(int i, int32_t a, int32_t b, int32_t c)
{
    return i == 0 ? a : i == 1 ? b : c;
}

/* Three channels by the tetrahedron of the cube's cell that they lie in: its corners are met one after the
 * other, along the channel that is farthest into the cell first, or among equal ones along the first. A side
 * has at most 256 colours. */
GF_HD void gf_cube_sample(const float *cube, int32_t n, float *v)
{
    const int32_t green = 3 * n, blue = green * n, numbers = blue * n;
    float part[3];
    int32_t whole[3];
    for (int c = 0; c < 3; c++) {
        const float at = gf_cube_place(cube, numbers, c, v[c], (float)(n - 1));
        whole[c] = (int32_t)at < n - 2 ? (int32_t)at : n - 2;
        part[c] = at - (float)whole[c];
    }
    const int first = part[0] >= part[1] ? (part[0] >= part[2] ? 0 : 2) : (part[1] >= part[2] ? 1 : 2);
    const int least = part[2] <= part[1] ? (part[2] <= part[0] ? 2 : 0) : (part[1] <= part[0] ? 1 : 0);
    const int last = GF_FAULT(cube_order) ? 3 - first - least : least;
    const float *a = cube + 3 * whole[0] + green * whole[1] + blue * whole[2];
    const float *b = a + gf_place_of(first, 3, green, blue), *d = a + 3 + green + blue;
    const float *c = d - gf_place_of(last, 3, green, blue);
    const float along = gf_float_of(first, part[0], part[1], part[2]);
    const float then = gf_float_of(3 - first - last, part[0], part[1], part[2]);
    const float end = gf_float_of(last, part[0], part[1], part[2]);
    for (int k = 0; k < 3; k++) {
        v[k] = gf_fma(end, d[k] - c[k], gf_fma(then, c[k] - b[k], gf_fma(along, b[k] - a[k], a[k])));
    }
}

/* The luma of a pixel of u8, u16 or f32, as GRAY_INT and GRAY_F32 have it, rounded to that depth. */
GF_HD float gf_luma_of(const float *v, int depth)
{
    if (depth == GF_U8) {
        return (float)gf_gray_u((uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]);
    }
    const float gray = gf_gray_f32(v[0], v[1], v[2]);
    return depth == GF_U16 && !GF_FAULT(luma_rounding) ? (float)gf_quantise_u16(gray) : gray;
}

/* Adds to three channels by how much the luma is to change; where that is no number they stay. */
GF_HD void gf_change_luma(float *v, float luma, int depth)
{
    const float change = luma - gf_luma_of(v, depth);
    for (int c = 0; c < 3; c++) {
        v[c] = change == change ? v[c] + change : v[c];
    }
}

/* Tells whether a pixel's colour differs from the block's (rows of `width`, whose first number counts): some
 * channel of the mask is farther from it than `most`, or is no number. Where pixels end with alpha, two whose
 * alpha is 0 are alike. */
GF_HD int gf_colours_differ(const float *v, int32_t channels, uint8_t mask, const float *colour,
                            int64_t width, float most, int has_alpha)
{
    const int32_t last = channels - 1;
    int differ = 0;
    for (int32_t c = 0; c < channels; c++) {
        const float d = v[c] - colour[c * width];
        const float far = d < 0.0F ? -d : d;
        differ |= (mask >> c & 1) && (!(far <= most) || (GF_FAULT(apart_edge) && far == most));
    }
    return differ && !(has_alpha && v[last] == 0.0F && colour[last * width] == 0.0F);
}
