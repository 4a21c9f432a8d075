/* LAB and FROM_LAB (colour.h) of bytes to bytes without powers, the same bits. Private to kernels of bytes.
 *
 * To L*a*b*: the light of a byte has 256 values. The cube root is taken by Newton steps in f32, which are at
 * most one unit in the last place (for numbers above 1 two) away from the definition's; a number that lies
 * near the middle between two bytes is left to the definition. Back: the light is the definition's, step by
 * step, and the byte of a light is that of the last threshold not above it, as sRGB rises.
 * tests/exec/test_colour.c checks every colour. */
#pragma once

#include "pixel/ir/colour.h"
#include "pixel/ir/op.h"

/* Before rounding to bytes a number by gf_lab_root_near is at most 4e-5 away from the definition's. */
#define GF_LAB_NEAR 1.5e-4F

/* gf_lab_root for t above the straight part; t^(-1/3) begins as bits divided by 3, within 4 %. */
GF_HD float gf_lab_root_near(float t)
{
    const float third = 1.0F / 3.0F;
    float r = gf_bits_float(0x54a21d2aU - gf_float_bits(t) / 3U);
    r = r * gf_fma(-third * t, r * r * r, 4.0F * third);
    r = r * gf_fma(-third * t, r * r * r, 4.0F * third);
    const float square = r * r, y = t * square, y2 = y * y;
    const float left = gf_fma(-y2, y, t) - gf_fma(y, y, -y2) * y; /* t - y^3, with what y2 lacks */
    return gf_fma(left * third, square, y);
}

/* Does v lie so near the middle between two integers that the definition has to tell which is nearer? */
GF_HD int gf_lab_is_near(float v)
{
    const float apart = v - (float)(int32_t)v - 0.5F;
    return (apart < 0.0F ? -apart : apart) <= GF_LAB_NEAR;
}

/* gf_lab_root where a byte is to be found. */
GF_HD float gf_lab_root_of_light(float t)
{
    return t > 0.00885645207F ? gf_lab_root_near(t) : gf_fma(7.7870369F, t, 0.137931034F);
}

/* L*, a* and b* before they are rounded to bytes, from the roots of X, Y and Z; false: some are near the
 * middle. */
GF_HD int gf_lab_bytes_of(float x, float y, float z, float *l, float *a, float *b)
{
    *l = gf_fma(295.8F, y, -40.8F);
    *a = gf_fma(500.0F, x - y, 128.0F);
    *b = gf_fma(200.0F, y - z, 128.0F);
    return !(gf_lab_is_near(*l) | gf_lab_is_near(*a) | gf_lab_is_near(*b));
}

/* Three bytes by the definition. */
GF_HD void gf_lab_bytes_exactly(float *v)
{
    for (int c = 0; c < 3; c++) {
        v[c] = gf_div(v[c], 255.0F);
    }
    gf_lab_of(v);
    for (int c = 0; c < 3; c++) {
        v[c] = gf_fma(v[c], 255.0F, 0.0F);
    }
}

/* What byte i adds: as L* to the root of all three, as a* to that of X, as b* (to be taken off) to that of Z.
 */
GF_HD float gf_lab_byte_root(int c, int32_t i)
{
    const float v = gf_div((float)i, 255.0F);
    return c == 0   ? gf_div(v + 0.16F, 1.16F)
           : c == 1 ? gf_div(gf_fma(255.0F, v, -128.0F), 500.0F)
                    : gf_div(gf_fma(255.0F, v, -128.0F), 200.0F);
}

/* The least light, as bits of f32, whose sRGB rounds to a byte of at least i. */
#define GF_LAB_LIGHT_OF_BYTE                                                                                 \
    {                                                                                                        \
        0x00000000U, 0x391f22b5U, 0x39eeb40eU, 0x3a46eb62U, 0x3a8b3e5dU, 0x3ab3070cU, 0x3adacfb7U,           \
            0x3b014c33U, 0x3b153089U, 0x3b2914e1U, 0x3b3cf936U, 0x3b50f2d1U, 0x3b65fb9aU, 0x3b7c3404U,       \
            0x3b89d060U, 0x3b962333U, 0x3ba314bcU, 0x3bb0a733U, 0x3bbedcb6U, 0x3bcdb76eU, 0x3bdd3968U,       \
            0x3bed64b2U, 0x3bfe3b44U, 0x3c07df92U, 0x3c10f91bU, 0x3c1a6b32U, 0x3c2436c7U, 0x3c2e5cc9U,       \
            0x3c38de19U, 0x3c43bba5U, 0x3c4ef649U, 0x3c5a8ee5U, 0x3c668654U, 0x3c72dd73U, 0x3c7f950eU,       \
            0x3c865703U, 0x3c8d1490U, 0x3c940398U, 0x3c9b247cU, 0x3ca277a8U, 0x3ca9fd77U, 0x3cb1b654U,       \
            0x3cb9a299U, 0x3cc1c2acU, 0x3cca16e3U, 0x3cd29fa7U, 0x3cdb5d4aU, 0x3ce45034U, 0x3ced78b4U,       \
            0x3cf6d72fU, 0x3d0035fcU, 0x3d051bb6U, 0x3d0a1cecU, 0x3d0f39d1U, 0x3d14728aU, 0x3d19c745U,       \
            0x3d1f382bU, 0x3d24c56aU, 0x3d2a6f21U, 0x3d303586U, 0x3d3618b6U, 0x3d3c18e6U, 0x3d423630U,       \
            0x3d4870cbU, 0x3d4ec8d3U, 0x3d553e77U, 0x3d5bd1d3U, 0x3d62831cU, 0x3d69526aU, 0x3d703ff2U,       \
            0x3d774bcaU, 0x3d7e7627U, 0x3d82df90U, 0x3d869374U, 0x3d8a56ccU, 0x3d8e29afU, 0x3d920c28U,       \
            0x3d95fe52U, 0x3d9a0036U, 0x3d9e11eeU, 0x3da23384U, 0x3da66512U, 0x3daaa6a0U, 0x3daef849U,       \
            0x3db35a15U, 0x3db7cc1dU, 0x3dbc4e6aU, 0x3dc0e116U, 0x3dc5842aU, 0x3dca37bdU, 0x3dcefbd7U,       \
            0x3dd3d092U, 0x3dd8b5f6U, 0x3dddac1cU, 0x3de2b30aU, 0x3de7cadcU, 0x3decf395U, 0x3df22d52U,       \
            0x3df77817U, 0x3dfcd3feU, 0x3e012087U, 0x3e03dfafU, 0x3e06a77cU, 0x3e0977f8U, 0x3e0c5127U,       \
            0x3e0f3316U, 0x3e121dc6U, 0x3e151145U, 0x3e180d95U, 0x3e1b12c4U, 0x3e1e20d1U, 0x3e2137ccU,       \
            0x3e2457b5U, 0x3e27809aU, 0x3e2ab27cU, 0x3e2ded69U, 0x3e313162U, 0x3e347e73U, 0x3e37d49dU,       \
            0x3e3b33eeU, 0x3e3e9c68U, 0x3e420e18U, 0x3e4588faU, 0x3e490d25U, 0x3e4c9a8fU, 0x3e50314fU,       \
            0x3e53d15cU, 0x3e577acdU, 0x3e5b2d99U, 0x3e5ee9d6U, 0x3e62af7cU, 0x3e667ea1U, 0x3e6a573cU,       \
            0x3e6e3963U, 0x3e72250eU, 0x3e761a53U, 0x3e7a192dU, 0x3e7e21aaU, 0x3e8119e2U, 0x3e8327caU,       \
            0x3e853a87U, 0x3e875224U, 0x3e896e9eU, 0x3e8b8ffeU, 0x3e8db641U, 0x3e8fe172U, 0x3e92118bU,       \
            0x3e944698U, 0x3e968094U, 0x3e98bf8bU, 0x3e9b0377U, 0x3e9d4c63U, 0x3e9f9a4bU, 0x3ea1ed3aU,       \
            0x3ea4452aU, 0x3ea6a228U, 0x3ea9042dU, 0x3eab6b46U, 0x3eadd76bU, 0x3eb048acU, 0x3eb2beffU,       \
            0x3eb53a72U, 0x3eb7baffU, 0x3eba40b2U, 0x3ebccb86U, 0x3ebf5b84U, 0x3ec1f0a7U, 0x3ec48afdU,       \
            0x3ec72a7dU, 0x3ec9cf35U, 0x3ecc791eU, 0x3ecf2845U, 0x3ed1dca2U, 0x3ed49644U, 0x3ed75521U,       \
            0x3eda1948U, 0x3edce2b1U, 0x3edfb16aU, 0x3ee2856aU, 0x3ee55ebfU, 0x3ee83d62U, 0x3eeb215fU,       \
            0x3eee0aafU, 0x3ef0f961U, 0x3ef3ed69U, 0x3ef6e6d9U, 0x3ef9e5a6U, 0x3efce9e0U, 0x3efff37cU,       \
            0x3f018145U, 0x3f030b82U, 0x3f049878U, 0x3f062827U, 0x3f07ba94U, 0x3f094fbaU, 0x3f0ae7a1U,       \
            0x3f0c8244U, 0x3f0e1facU, 0x3f0fbfd2U, 0x3f1162bfU, 0x3f13086eU, 0x3f14b0e6U, 0x3f165c22U,       \
            0x3f180a2aU, 0x3f19baf9U, 0x3f1b6e97U, 0x3f1d24feU, 0x3f1ede37U, 0x3f209a3bU, 0x3f225914U,       \
            0x3f241abbU, 0x3f25df39U, 0x3f27a688U, 0x3f2970b0U, 0x3f2b3dacU, 0x3f2d0d84U, 0x3f2ee031U,       \
            0x3f30b5beU, 0x3f328e25U, 0x3f34696bU, 0x3f36478cU, 0x3f382891U, 0x3f3a0c73U, 0x3f3bf33cU,       \
            0x3f3ddce5U, 0x3f3fc977U, 0x3f41b8ebU, 0x3f43ab4aU, 0x3f45a08fU, 0x3f4798c1U, 0x3f4993daU,       \
            0x3f4b91e4U, 0x3f4d92d8U, 0x3f4f96bfU, 0x3f519d91U, 0x3f53a75aU, 0x3f55b410U, 0x3f57c3bfU,       \
            0x3f59d65eU, 0x3f5bebf8U, 0x3f5e0485U, 0x3f60200fU, 0x3f623e8eU, 0x3f64600dU, 0x3f668484U,       \
            0x3f68abfcU, 0x3f6ad671U, 0x3f6d03e8U, 0x3f6f345bU, 0x3f7167d5U, 0x3f739e4dU, 0x3f75d7cfU,       \
            0x3f781452U, 0x3f7a53e0U, 0x3f7c9671U, 0x3f7edc13U                                               \
    }

/* A light has its place by its first bits, from 2^-13 on; no place has two thresholds. */
enum { GF_LIGHT_DROPPED = 16, GF_LIGHT_FIRST = 0x3900, GF_LIGHT_PLACES = 0x3f80 - GF_LIGHT_FIRST + 1 };

GF_HD float gf_light_least(int32_t place)
{
    return gf_bits_float((uint32_t)(place + GF_LIGHT_FIRST) << GF_LIGHT_DROPPED);
}

GF_HD int32_t gf_light_place(float light)
{
    const float low = gf_light_least(0);
    const float inside = light > low ? (light < 1.0F ? light : 1.0F) : low;
    return (int32_t)(gf_float_bits(inside) >> GF_LIGHT_DROPPED) - GF_LIGHT_FIRST;
}

/* The byte of a light; first: that of the least light of its place; thresholds: as above, behind them
 * infinity. */
GF_HD uint32_t gf_light_byte(float light, uint32_t first, const float *thresholds)
{
    return first + (light >= thresholds[first + 1]);
}

/* What the kernels look up. */
struct gf_lab_tables {
    float of_byte[3][256]; /* back: gf_lab_byte_root; to L*a*b*: the first alone, light */
    float thresholds[257];
    uint8_t first[GF_LIGHT_PLACES];
};

/* The byte of a place's least light. */
GF_HD uint8_t gf_light_first(const float *thresholds, int32_t place)
{
    const float least = gf_light_least(place);
    uint32_t byte = 0;
    for (uint32_t step = 128; step > 0; step /= 2) {
        byte += least >= thresholds[byte + step] ? step : 0U;
    }
    return (uint8_t)byte;
}

/* Is the program LAB or FROM_LAB of bytes in fractions of 255, and rounding, and nothing else? */
static inline int gf_is_lab_of_bytes(const struct gf_program *p)
{
    const struct gf_insn *insn = p->insn;
    int whole = p->n == 3 || (p->n == 4 && insn[3].code == GF_INSN_QUANTISE && insn[3].depth == GF_U8 &&
                              (insn[3].mask & 7) == 7);
    for (int32_t i = 0; whole && i < p->n; i++) {
        whole = insn[i].roi == GF_NONE;
    }
    return whole && p->depth_in == GF_U8 && p->depth_out == GF_U8 && insn[0].code == GF_INSN_DIVIDE &&
           insn[0].mask == 7 && insn[0].k[0] == 255.0F &&
           (insn[1].code == GF_INSN_LAB || insn[1].code == GF_INSN_FROM_LAB) &&
           insn[2].code == GF_INSN_AFFINE && insn[2].mask == 7 && insn[2].k[0] == 255.0F &&
           insn[2].k[1] == 0.0F;
}
