/* The judge's arithmetic of colours, written out from docs/exactness.md. */
#include "base/gf_math.h"
#include "pixel/judge/reference_parts.h"

/* The two halves of IEC 61966-2-1, mirrored below 0. */
float gf_judge_light(float v)
{
    const float size = fabsf(v);
    return size > 0.04045F ? copysignf(gf_pow(gf_div(size + 0.055F, 1.055F), 2.4F), v) : gf_div(v, 12.92F);
}

float gf_judge_srgb(float v)
{
    const float size = fabsf(v);
    return size > 0.0031308F ? copysignf(gf_fma(1.055F, gf_pow(size, 1.0F / 2.4F), -0.055F), v) : 12.92F * v;
}

/* ---- L*a*b* ---- */

static void product(const float m[9], const float *v, float out[3])
{
    for (int r = 0; r < 3; r++) {
        out[r] = m[3 * r] * v[0];
        out[r] = gf_fma(m[3 * r + 1], v[1], out[r]);
        out[r] = gf_fma(m[3 * r + 2], v[2], out[r]);
    }
}

void gf_judge_lab(float *v)
{
    static const float xyz_of_light[9] = {0.433887333F,  0.376224011F, 0.189888641F,
                                          0.212639004F,  0.715168655F, 0.0721923187F,
                                          0.0177500397F, 0.109447621F, 0.872802317F};
    const float light[3] = {gf_judge_light(v[0]), gf_judge_light(v[1]), gf_judge_light(v[2])};
    float f[3];
    product(xyz_of_light, light, f);
    for (int i = 0; i < 3; i++) {
        f[i] = f[i] > 0.00885645207F ? gf_pow(f[i], 1.0F / 3.0F) : gf_fma(7.7870369F, f[i], 0.137931034F);
    }
    v[0] = gf_fma(1.16F, f[1], -0.16F);
    v[1] = gf_div(gf_fma(500.0F, f[0] - f[1], 128.0F), 255.0F);
    v[2] = gf_div(gf_fma(200.0F, f[1] - f[2], 128.0F), 255.0F);
}

void gf_judge_from_lab(float *v)
{
    static const float light_of_xyz[9] = {3.08039904F,   -1.5373832F,   -0.543015897F,
                                          -0.921223342F, 1.8759675F,    0.0452558585F,
                                          0.0528739393F, -0.203976959F, 1.15110302F};
    const float y = gf_div(v[0] + 0.16F, 1.16F);
    float f[3] = {y + gf_div(gf_fma(255.0F, v[1], -128.0F), 500.0F), y,
                  y - gf_div(gf_fma(255.0F, v[2], -128.0F), 200.0F)};
    for (int i = 0; i < 3; i++) {
        f[i] = f[i] > 0.206896558F ? f[i] * f[i] * f[i] : (f[i] - 0.137931034F) * 0.12841855F;
    }
    product(light_of_xyz, f, v);
    for (int i = 0; i < 3; i++) {
        v[i] = gf_judge_srgb(v[i]);
    }
}

/* ---- a cube ---- */

/* The colour at three whole places. */
static const float *colour_at(const float *cube, int32_t n, const int32_t at[3])
{
    return cube + (((size_t)at[2] * (size_t)n + (size_t)at[1]) * (size_t)n + (size_t)at[0]) * 3;
}

void gf_judge_cube(const float *cube, int32_t n, float *v)
{
    const float *factor = cube + (size_t)n * (size_t)n * (size_t)n * 3, *added = factor + 3;
    int32_t corner[3], order[3] = {0, 1, 2};
    float part[3];
    for (int c = 0; c < 3; c++) {
        float place = gf_fma(v[c], factor[c], added[c]);
        place = isnan(place) || place < 0.0F ? 0.0F : fminf(place, (float)(n - 1));
        corner[c] = (int32_t)floorf(place);
        corner[c] = corner[c] > n - 2 ? n - 2 : corner[c];
        part[c] = place - (float)corner[c];
    }
    for (int i = 0; i < 3; i++) { /* greatest part first; equal ones in the channels' order */
        for (int k = 2; k > i; k--) {
            if (part[order[k]] > part[order[k - 1]]) {
                const int32_t held = order[k];
                order[k] = order[k - 1];
                order[k - 1] = held;
            }
        }
    }
    const float *from = colour_at(cube, n, corner);
    float sum[3] = {from[0], from[1], from[2]};
    for (int i = 0; i < 3; i++) {
        corner[order[i]]++;
        const float *to = colour_at(cube, n, corner);
        for (int c = 0; c < 3; c++) {
            sum[c] = gf_fma(part[order[i]], to[c] - from[c], sum[c]);
        }
        from = to;
    }
    for (int c = 0; c < 3; c++) {
        v[c] = sum[c];
    }
}

/* ---- luma, and colours that differ ---- */

void gf_judge_luma(float *v, float luma, gf_depth depth)
{
    const float own = depth == GF_U8 ? (float)gf_gray_u((uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2])
                                     : gf_judge_quantise(depth, gf_gray_f32(v[0], v[1], v[2]));
    for (int c = 0; c < 3 && !isnan(luma - own); c++) {
        v[c] += luma - own;
    }
}

bool gf_judge_apart(const float *v, int32_t channels, const float *colour, int64_t width,
                    const struct gf_insn *insn)
{
    if (insn->arg && v[channels - 1] == 0.0F && colour[(channels - 1) * width] == 0.0F) {
        return false;
    }
    for (int32_t c = 0; c < channels; c++) {
        const float far = fabsf(v[c] - colour[c * width]);
        if (insn->mask >> c & 1 && (isnan(far) || far > insn->k[0])) {
            return true;
        }
    }
    return false;
}
