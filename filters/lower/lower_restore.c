/* Pictures restored from a blur that is known: by Wiener's filter, and by Richardson and Lucy's rounds. */
#include "lower/restore_stage.h"
#include "pixel/ir/combine.h"
#include "pixel/window/conv/conv.h"

#include <stdlib.h>

enum { PAIR = 2 }; /* channels that are transformed together, one as real and one as imaginary parts */

/* The kernel, turned by half a turn or not, as a constant block of weights whose sum is 1; GF_NONE and a
 * failure where it has even sides, or no sum above 0. */
static int32_t psf_block(gf_lowering *l, const gf_list *psf, bool turned)
{
    const int32_t n = psf->rows * psf->columns;
    double sum = 0;
    for (int32_t i = 0; i < n; i++) {
        sum += psf->values[i];
    }
    if (n == 0) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "psf= is not given, must be what blurred the picture, as [1 2 1; 2 4 2; 1 2 1], or @FILE");
    } else if (psf->rows % 2 == 0 || psf->columns % 2 == 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "psf= has %d rows of %d, must have an odd number of both: a middle", psf->rows,
                      psf->columns);
    } else if (!(sum > 0)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "psf= has the sum %g, must have one above 0", sum);
    }
    int32_t block;
    float *w = gf_lowering_constant(l, GF_F32, 1, n > 0 ? n : 1, &block);
    for (int32_t i = 0; w && i < n; i++) {
        w[i] = (float)(psf->values[turned ? n - 1 - i : i] / sum);
    }
    return l->status == GF_OK ? block : GF_NONE;
}

/* v in f32 with so many channels: channel r is channel r + from of v, or 0 where there is none, plus `added`.
 */
static gf_value_id picked(gf_lowering *l, gf_value_id v, int32_t rows, int32_t from, float added)
{
    const int32_t channels = gf_lower_shape(l, v).channels;
    int32_t block, out;
    float *m = gf_lowering_constant(l, GF_F32, rows, channels + 1, &block);
    struct gf_op *op = m ? gf_lowering_point_all(l, v, GF_F32, rows, &out) : NULL;
    if (!op) {
        return 0;
    }
    for (int32_t r = 0; r < rows; r++) {
        if (r + from >= 0 && r + from < channels) {
            m[r * (channels + 1) + r + from] = 1;
        }
        m[r * (channels + 1) + channels] = added;
    }
    op->blocks[0] = block;
    struct gf_insn *insn = gf_point_push(op, GF_INSN_MATRIX, 0, 0, 0);
    insn->block = 0;
    insn->arg = (uint8_t)rows;
    return gf_to_id(out);
}

/* The frequencies, over the size of `wide`, of the kernel that is a point of light seen through a block of
 * weights, which are turned: its middle is pixel (0, 0). */
static gf_value_id response(gf_lowering *l, gf_value_id wide, int32_t weights, int32_t rows, int32_t columns)
{
    const gf_shape shape = gf_lower_shape(l, wide);
    const struct gf_conv_args args = gf_conv_make(rows, columns);
    const gf_padding around = {.left = args.left,
                               .right = args.right,
                               .top = args.up,
                               .bottom = args.down,
                               .border = GF_BORDER_CONSTANT};
    const gf_padding behind = {
        .right = shape.width - columns, .bottom = shape.height - rows, .border = GF_BORDER_CONSTANT};
    if (behind.right < 0 || behind.bottom < 0) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "a kernel of %d x %d numbers is larger than the picture, extended to %lld x %lld pixels", columns,
            rows, (long long)shape.width, (long long)shape.height);
        return 0;
    }
    const gf_value_id corner = gf_lower_crop(l, wide, (gf_rect){.w = 1, .h = 1});
    const gf_value_id light = gf_lower_pad(l, picked(l, corner, 1, shape.channels, 1), &around);
    gf_value_id seen = gf_lowering_bare_window(l, light, light, &gf_kernel_conv, &args, sizeof args, weights);
    if (!seen) {
        return 0;
    }
    l->out->list.ops[l->out->list.n_ops - 1].u.window.border = GF_BORDER_CONSTANT;
    seen = gf_lowering_rolled(l, gf_lower_pad(l, seen, &behind), args.left, args.up);
    return gf_lowering_fourier(l, seen, 0, 0);
}

/* What the picture's frequencies are multiplied by. */
static gf_value_id inverse(gf_lowering *l, gf_value_id wide, const gf_list *psf, double balance)
{
    const gf_shape shape = gf_lower_shape(l, wide);
    const int32_t rows = shape.height > 1 ? 3 : 1, columns = shape.width > 1 ? 3 : 1;
    const int32_t blurs = psf_block(l, psf, true);
    int32_t block;
    float *w = gf_lowering_constant(l, GF_F32, 1, (int64_t)rows * columns, &block);
    if (blurs == GF_NONE || !w) {
        return 0;
    }
    for (int32_t i = 0; i < rows * columns; i++) {
        const int32_t far = abs(i % columns - columns / 2) + abs(i / columns - rows / 2);
        w[i] = far == 0 ? (float)(rows + columns - 2) : far == 1 ? -1.0F : 0.0F;
    }
    const struct gf_insn restore = {
        .code = GF_INSN_COMPLEX, .arg = GF_COMPLEX_RESTORE, .k = {(float)balance}};
    const gf_value_id blurred = response(l, wide, blurs, psf->rows, psf->columns);
    return gf_lowering_combined(l, blurred, response(l, wide, block, rows, columns), restore);
}

gf_value_id gf_lowering_wiener(gf_lowering *l, gf_value_id v, const gf_list *psf, double balance,
                               int32_t border)
{
    if (!gf_lowering_samples(l, v)) {
        return 0;
    }
    const gf_shape shape = gf_lower_shape(l, v);
    const int32_t side = psf->rows > psf->columns ? psf->rows : psf->columns, n = shape.channels;
    gf_rect inner;
    const gf_value_id wide =
        gf_lower_convert(l, gf_lowering_extended(l, v, 1.0 / (side > 0 ? side : 1), border, &inner), GF_F32);
    const struct gf_insn product = {.code = GF_INSN_COMPLEX, .arg = GF_COMPLEX_PRODUCT};
    const struct gf_insn sum = {.code = GF_INSN_SUM, .k = {1, 1}};
    const gf_value_id by = inverse(l, wide, psf, balance);
    gf_value_id made = 0;
    for (int32_t c = 0; c < n && l->status == GF_OK; c += PAIR) {
        const gf_value_id there = gf_lowering_fourier(l, picked(l, wide, PAIR, c, 0), 0, 0);
        const gf_value_id back = gf_lowering_fourier(l, gf_lowering_combined(l, there, by, product), 1, 0);
        const gf_value_id pair = picked(l, back, n, -c, 0);
        made = made ? gf_lowering_combined(l, pair, made, sum) : pair;
    }
    const struct gf_window_end end = {.second = v, .depth = shape.depth};
    return made ? gf_lowering_window_end(l, gf_lower_convert(l, gf_lower_crop(l, made, inner), shape.depth),
                                         &end)
                : 0;
}

gf_value_id gf_lowering_deconvolved(gf_lowering *l, gf_value_id v, const gf_list *psf, int64_t rounds)
{
    const bool samples = gf_lowering_samples(l, v) != NULL;
    const gf_shape shape = gf_lower_shape(l, v);
    const int32_t there = psf_block(l, psf, true), back = psf_block(l, psf, false);
    if (!samples || there == GF_NONE || back == GF_NONE) {
        return 0;
    }
    const struct gf_conv_args args = gf_conv_make(psf->rows, psf->columns);
    const struct gf_insn quotient = {.code = GF_INSN_QUOTIENT, .k = {1e-12F}};
    const struct gf_insn product = {.code = GF_INSN_BLEND, .arg = GF_BLEND_MULTIPLY, .k = {1, 1}};
    const gf_value_id seen = gf_lower_convert(l, v, GF_F32);
    gf_value_id scene = picked(l, seen, shape.channels, shape.channels, 0.5F);
    for (int64_t i = 0; i < rounds; i++) {
        gf_value_id made =
            gf_lowering_bare_window(l, scene, scene, &gf_kernel_conv, &args, sizeof args, there);
        made = gf_lowering_combined(l, made, seen, quotient);
        made = gf_lowering_bare_window(l, made, made, &gf_kernel_conv, &args, sizeof args, back);
        scene = gf_lowering_combined(l, made, scene, product);
    }
    const struct gf_window_end end = {.second = v, .depth = shape.depth};
    return gf_lowering_window_end(l, gf_lower_convert(l, scene, shape.depth), &end);
}
