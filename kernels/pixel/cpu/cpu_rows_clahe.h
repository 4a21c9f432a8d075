/* Rows of clahe (clahe.h) between the middles of four tiles. `part` is how far each pixel is on its way from
 * those on the left to those on the right, y how far from above to below. */
#include "pixel/whole/clahe/clahe.h"

/* quads: by value the bytes of the four tables. */
static inline uint8_t clahe_of_quad(uint32_t quad, float x, float y)
{
    const float corner[4] = {(float)(quad & 255), (float)(quad >> 8 & 255), (float)(quad >> 16 & 255),
                             (float)(quad >> 24)};
    return gf_quantise_u8(gf_clahe_mix(corner, x, y));
}

#if GF_SIMD_FLOAT
#define CLAHE_BYTE(quad, shift) vf_of_ints(vi_and(vi_right32(quad, shift), vi_set32(255)))

/* gf_clahe_mix in vectors. */
static inline gf_vf clahe_mix(gf_vf a, gf_vf b, gf_vf c, gf_vf d, gf_vf x, gf_vf y)
{
    const gf_vf one = vf_set(1.0F), left = vf_sub(one, x);
    const gf_vf above = vf_mul(vf_add(vf_mul(a, left), vf_mul(b, x)), vf_sub(one, y));
    return vf_add(above, vf_mul(vf_add(vf_mul(c, left), vf_mul(d, x)), y));
}
#endif

static void clahe_u8(const uint8_t *in, uint8_t *out, int64_t n, const uint32_t *quads, const float *part,
                     float y)
{
    int64_t i = 0;
#if GF_SIMD_FLOAT
    for (; i + GF_SIMD_FLOAT <= n; i += GF_SIMD_FLOAT) {
        const gf_vi quad = vi_gather32(quads, vi_widen_u8(in + i));
        const gf_vf made = clahe_mix(CLAHE_BYTE(quad, 0), CLAHE_BYTE(quad, 8), CLAHE_BYTE(quad, 16),
                                     vf_of_ints(vi_right32(quad, 24)), vf_load(part + i), vf_set(y));
        vi_narrow_u8(out + i, vi_of_floats(made));
    }
#endif
    for (; i < n; i++) {
        out[i] = clahe_of_quad(quads[in[i]], part[i], y);
    }
}

static void clahe_u16(const uint16_t *in, uint16_t *out, int64_t n, const uint16_t *const tables[4],
                      const float *part, float y)
{
    for (int64_t i = 0; i < n; i++) {
        const float corner[4] = {tables[0][in[i]], tables[1][in[i]], tables[2][in[i]], tables[3][in[i]]};
        out[i] = gf_quantise_u16(gf_clahe_mix(corner, part[i], y));
    }
}

static void clahe_f32(const int32_t *in, float *out, int64_t n, const float *const tables[4],
                      const float *part, float y)
{
    for (int64_t i = 0; i < n; i++) {
        const float corner[4] = {tables[0][in[i]], tables[1][in[i]], tables[2][in[i]], tables[3][in[i]]};
        out[i] = gf_canonical(gf_clahe_mix(corner, part[i], y));
    }
}
