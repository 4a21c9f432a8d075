/* How much speaks for each shift between two pictures: phase correlation. */
#include "lower/frequency_stage.h"

#include "pixel/ir/combine.h"

enum { NEAR = 4 }; /* pixels on either side that the votes are gathered from: sigma is 1 */

/* The picture's luma in fractions of white, its frequencies. */
static gf_value_id spectrum_of(gf_lowering *l, gf_value_id v)
{
    const gf_value_id gray = gf_lower_drop_alpha(l, gf_lower_gray(l, gf_lower_convert(l, v, GF_F32)));
    return gf_lowering_fourier(l, gray, 0, 0);
}

/* The weights -radius to radius as a constant block; one of 1 along an axis of one pixel. */
static int32_t weights(gf_lowering *l, int64_t side, const float *middle, int32_t radius, int32_t *used)
{
    int32_t block;
    *used = side > 1 ? radius : 0;
    float *w = gf_lowering_constant(l, GF_F32, 1, 2 * *used + 1, &block);
    for (int32_t i = -*used; w && i <= *used; i++) {
        w[i + *used] = side > 1 ? middle[i < 0 ? -i : i] : 1.0F;
    }
    return block;
}

/* v weighed by them across and down, round the edges. */
static gf_value_id gathered(gf_lowering *l, gf_value_id v, const float *middle, int32_t radius)
{
    const gf_shape shape = gf_lower_shape(l, v);
    struct gf_separable_args args = {.shift_x = 0};
    const int32_t wx = weights(l, shape.width, middle, radius, &args.radius_x);
    const int32_t wy = weights(l, shape.height, middle, radius, &args.radius_y);
    const gf_value_id made = gf_lowering_separable(l, v, v, args, wx, wy);
    if (made) {
        l->out->list.ops[l->out->list.n_ops - 1].u.window.border = GF_BORDER_WRAP;
    }
    return made;
}

gf_value_id gf_lowering_shift_votes(gf_lowering *l, gf_value_id v, gf_value_id other, bool tapers)
{
    static const float hann[] = {0.5F, -0.25F}; /* the spectrum of (1 - cos(2 pi x / width)) / 2 */
    float near[NEAR + 1];
    const double log2_e = 1.4426950408889634;
    for (int i = 0; i <= NEAR; i++) {
        near[i] = (float)gf_exp2_core(-0.5 * log2_e * i * i);
    }
    v = spectrum_of(l, v);
    other = spectrum_of(l, other);
    v = tapers ? gathered(l, v, hann, 1) : v;
    other = tapers ? gathered(l, other, hann, 1) : other;
    const struct gf_insn cross = {.code = GF_INSN_COMPLEX, .arg = GF_COMPLEX_CROSS};
    const gf_value_id back = gf_lowering_fourier(l, gf_lowering_combined(l, other, v, cross), 1, 0);
    return gathered(l, gf_lower_drop_alpha(l, back), near, NEAR);
}
