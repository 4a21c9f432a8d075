/* Bilateral means of a row. Part of cpu_rows.c. */
#include "pixel/window/bilateral/bilateral.h"

/* Returns how much pixel i of tap `at` differs from the one in the middle, times reach. */
static inline float bilateral_difference(const struct gf_row_bilateral *b, const float *at, int64_t i)
{
    float sum = 0.0F;
    for (int32_t c = 0; c < b->channels; c++) {
        if (b->channel[c] != 0) {
            const float d = b->centre[c * b->plane + i] - at[c * b->plane + i];
            sum = gf_fma(b->channel[c], d < 0 ? -d : d, sum);
        }
    }
    return sum * b->reach;
}

/* Pixel i alone. */
static void bilateral_pixel(const struct gf_row_bilateral *b, int64_t i)
{
    float norm = 0.0F, sums[GF_BILATERAL_CHANNELS] = {-0.0F, -0.0F, -0.0F, -0.0F};
    for (int64_t k = 0; k < b->taps; k++) {
        const float t = bilateral_difference(b, b->at[k], i);
        const float weight = b->near[k] * gf_bilateral_alike(t);
        norm += weight;
        for (int32_t c = 0; c < b->channels && t < GF_BILATERAL_FAR; c++) {
            sums[c] = gf_fma(weight, b->at[k][c * b->plane + i], sums[c]);
        }
    }
    for (int32_t c = 0; c < b->channels; c++) {
        b->out[c * b->out_plane + i] = norm > 0 ? sums[c] / norm : b->centre[c * b->plane + i];
    }
}

#if GF_SIMD_FLOAT

/* vectors * GF_SIMD_FLOAT pixels from i on. Constant but for b and i, wherever it is called. */
static inline __attribute__((always_inline)) void
bilateral_vectors(const struct gf_row_bilateral *b, int64_t i, const int channels, const int vectors)
{
    enum { V = GF_SIMD_FLOAT, MOST = 4 };
    gf_vf norm[MOST], sums[GF_BILATERAL_CHANNELS][MOST];
    for (int u = 0; u < vectors; u++) {
        norm[u] = vf_set(0.0F);
        for (int c = 0; c < channels; c++) {
            sums[c][u] = vf_set(-0.0F);
        }
    }
    const gf_vf reach = vf_set(b->reach), shifter = vf_set(GF_BILATERAL_SHIFTER);
    for (int64_t k = 0; k < b->taps; k++) {
        const float *at = b->at[k] + i;
        const gf_vf near = vf_set(b->near[k]);
        for (int u = 0; u < vectors; u++) {
            gf_vf d = vf_set(0.0F), v[GF_BILATERAL_CHANNELS];
            for (int c = 0; c < channels; c++) {
                v[c] = vf_load(at + c * b->plane + u * V);
                const gf_vf apart = vf_abs(vf_sub(vf_load(b->centre + c * b->plane + i + u * V), v[c]));
                if (channels == 1) {
                    d = apart;
                } else if (b->channel[c] != 0) {
                    d = vf_fma(vf_set(b->channel[c]), apart, d);
                }
            }
            const gf_vf t = vf_mul(d, reach);
            const gf_vf shifted = vf_fnma(t, t, shifter);
            const gf_vf f = vf_fnma(t, t, vf_sub(shifter, shifted));
            gf_vf p = vf_fma(vf_set(GF_BILATERAL_P5), f, vf_set(GF_BILATERAL_P4));
            p = vf_fma(p, f, vf_set(GF_BILATERAL_P3));
            p = vf_fma(p, f, vf_set(GF_BILATERAL_P2));
            p = vf_fma(p, f, vf_set(GF_BILATERAL_P1));
            p = vf_fma(p, f, vf_set(1.0F));
            const gf_vm counts = vf_less(t, vf_set(GF_FAULT(bilateral_far) ? 11.8F : GF_BILATERAL_FAR));
            const gf_vf weight = vf_where(counts, vf_mul(near, vf_scale(p, shifted)));
            norm[u] = vf_add(norm[u], weight);
            for (int c = 0; c < channels; c++) {
                sums[c][u] =
                    vf_fma(weight, b->finite ? v[c] : vf_choose(counts, v[c], vf_set(-0.0F)), sums[c][u]);
            }
        }
    }
    for (int u = 0; u < vectors; u++) {
        const gf_vm some = vf_less(vf_set(0.0F), norm[u]);
        for (int c = 0; c < channels; c++) {
            const gf_vf centre = vf_load(b->centre + c * b->plane + i + u * V);
            vf_store(b->out + c * b->out_plane + i + u * V,
                     vf_choose(some, vf_div(sums[c][u], norm[u]), centre));
        }
    }
}

static inline __attribute__((always_inline)) void bilateral_row(const struct gf_row_bilateral *b,
                                                                const int channels, const int vectors)
{
    const int64_t wide = vectors * GF_SIMD_FLOAT;
    int64_t i = 0;
    for (; i + wide <= b->pixels; i += wide) {
        bilateral_vectors(b, i, channels, vectors);
    }
    for (; i < b->pixels && b->pixels >= GF_SIMD_FLOAT; i += GF_SIMD_FLOAT) {
        const int64_t last = b->pixels - GF_SIMD_FLOAT; /* some pixels again */
        bilateral_vectors(b, i < last ? i : last, channels, 1);
    }
    for (; i < b->pixels; i++) {
        bilateral_pixel(b, i);
    }
}

#endif

static void bilateral(const struct gf_row_bilateral *b)
{
#if GF_SIMD_FLOAT
    enum { VECTORS = GF_SIMD_FLOAT == 16 ? 4 : 2 };
    if (b->channels == 1 && b->channel[0] == 1) {
        bilateral_row(b, 1, VECTORS);
        return;
    }
    if (b->channels == 2) {
        bilateral_row(b, 2, 2);
        return;
    }
    if (b->channels == 3) {
        bilateral_row(b, 3, 2);
        return;
    }
    if (b->channels == 4) {
        bilateral_row(b, 4, 1);
        return;
    }
#endif
    for (int64_t i = 0; i < b->pixels; i++) {
        bilateral_pixel(b, i);
    }
}
