/* POINT builders that change the channels of a picture. */
#include "lower/lowering_private.h"

#include <stdio.h>

static bool has_alpha(int32_t channels)
{
    return channels == 2 || channels == 4;
}

/* A POINT op from v, of the whole picture, to as many channels of the same depth; NULL on failure. */
static struct gf_op *point_to(gf_lowering *l, gf_value_id v, int32_t channels, int32_t *out)
{
    return gf_lowering_point_all(l, v, gf_lower_shape(l, v).depth, channels, out);
}

gf_value_id gf_lower_rgb(gf_lowering *l, gf_value_id v)
{
    const struct gf_value *in = gf_lowering_value(l, v, false);
    if (!in || in->channels > 2) {
        return in ? v : 0;
    }
    int32_t out;
    struct gf_op *op = point_to(l, v, in->channels + 2, &out);
    return op && gf_point_push(op, GF_INSN_SPREAD, 0, 0, 0) ? gf_to_id(out) : 0;
}

gf_value_id gf_lower_add_alpha(gf_lowering *l, gf_value_id v, double value)
{
    const struct gf_value *in = gf_lowering_value(l, v, false);
    if (!in || has_alpha(in->channels)) {
        return in ? v : 0;
    }
    int32_t out;
    struct gf_op *op = point_to(l, v, in->channels + 1, &out);
    return op && gf_point_push(op, GF_INSN_ADD_ALPHA, 0, (float)value, 0) ? gf_point_rounded(op, out) : 0;
}

gf_value_id gf_lower_drop_alpha(gf_lowering *l, gf_value_id v)
{
    const struct gf_value *in = gf_lowering_value(l, v, false);
    if (!in || !has_alpha(in->channels)) {
        return in ? v : 0;
    }
    int32_t out;
    struct gf_op *op = point_to(l, v, in->channels - 1, &out);
    return op && gf_point_push(op, GF_INSN_DROP_ALPHA, 0, 0, 0) ? gf_to_id(out) : 0;
}

gf_value_id gf_lower_flatten(gf_lowering *l, gf_value_id v, const double *colour, int32_t n)
{
    const struct gf_value *in = gf_lowering_value(l, v, false);
    if (!in || !has_alpha(in->channels)) {
        return in ? v : 0;
    }
    const int32_t colours = in->channels - 1;
    if (!colour || (n != 1 && n != colours)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "a background of %d number%s does not fit a picture of %d channels: must have 1 or %d",
                      n, n == 1 ? "" : "s", in->channels, colours);
        return 0;
    }
    int32_t out;
    struct gf_op *op = point_to(l, v, colours, &out);
    if (!op) {
        return 0;
    }
    const float white = (float)gf_lower_white(l, v);
    for (int32_t i = 0; i < n; i++) {
        const uint8_t mask = n == 1 ? (uint8_t)((1u << colours) - 1) : (uint8_t)(1u << i);
        gf_point_push(op, GF_INSN_FLATTEN, mask, (float)colour[i], white);
    }
    gf_point_push(op, GF_INSN_DROP_ALPHA, 0, 0, 0);
    return gf_point_rounded(op, out);
}

/* ---- matrix ---- */

/* What a matrix multiplies: `of` channels, and a column more for what is added; those behind stay. */
struct product {
    int32_t of, behind, added;
};

static bool find_product(int32_t channels, int32_t rows, int32_t columns, struct product *p)
{
    const int32_t colour = has_alpha(channels) ? channels - 1 : channels;
    *p = (struct product){.of = channels, .added = columns - channels};
    if (rows >= 1 && rows <= 4 && p->added >= 0 && p->added <= 1 &&
        (rows == channels || colour == channels)) {
        return true;
    }
    *p = (struct product){.of = colour, .behind = channels - colour, .added = columns - colour};
    return (rows == 1 || rows == 3) && p->added >= 0 && p->added <= 1;
}

/* The coefficients as MATRIX reads them: a row a channel, the last column being what is added. */
static void fill_matrix(const struct product *p, const double *m, int32_t rows, int32_t columns, double white,
                        float *block)
{
    const int32_t all = p->of + p->behind;
    for (int32_t r = 0; r < rows; r++) {
        for (int32_t c = 0; c < p->of; c++) {
            block[r * (all + 1) + c] = (float)m[r * columns + c];
        }
        block[r * (all + 1) + all] = p->added ? (float)(m[r * columns + p->of] * white) : 0.0F;
    }
    for (int32_t c = 0; c < p->behind; c++) {
        block[(rows + c) * (all + 1) + p->of + c] = 1;
    }
}

gf_value_id gf_lower_matrix(gf_lowering *l, gf_value_id v, const double *m, int32_t rows, int32_t columns)
{
    const struct gf_value *in = gf_lowering_value(l, v, false);
    struct product p;
    if (!in) {
        return 0;
    }
    if (!m) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "a matrix without numbers: NULL");
        return 0;
    }
    const int32_t channels = in->channels;
    if (!find_product(channels, rows, columns, &p)) {
        const int32_t colour = has_alpha(channels) ? channels - 1 : channels;
        char all[64] = "";
        if (colour != channels) {
            snprintf(all, sizeof all, ", or %d rows of %d or %d with alpha among them", channels, channels,
                     channels + 1);
        }
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "a matrix of %d row%s of %d number%s does not fit a picture of %d channel%s: must have 1 or 3 "
            "rows of %d or %d%s",
            rows, rows == 1 ? "" : "s", columns, columns == 1 ? "" : "s", channels, channels == 1 ? "" : "s",
            colour, colour + 1, all);
        return 0;
    }
    int32_t block, out;
    float *content = gf_lowering_constant(l, GF_F32, rows + p.behind, channels + 1, &block);
    struct gf_op *op = content ? point_to(l, v, rows + p.behind, &out) : NULL;
    if (!op) {
        return 0;
    }
    fill_matrix(&p, m, rows, columns, gf_lower_white(l, v), content);
    op->blocks[0] = block;
    struct gf_insn *insn = gf_point_push(op, GF_INSN_MATRIX, 0, 0, 0);
    insn->block = 0;
    insn->arg = (uint8_t)(rows + p.behind);
    return gf_point_rounded(op, out);
}
