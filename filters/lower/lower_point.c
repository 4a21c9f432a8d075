/* POINT builders: arithmetic on the channels of one pixel. */
#include "lower/lowering_private.h"

gf_value_id gf_point_rounded(struct gf_op *op, int32_t out)
{
    gf_depth depth = op->u.point->depth_out;
    if (depth == GF_U8 || depth == GF_U16) {
        gf_point_push(op, GF_INSN_QUANTISE, (uint8_t)((1u << op->u.point->channels_out) - 1), 0, 0);
    }
    return gf_to_id(out);
}

struct gf_op *gf_lowering_in_place(gf_lowering *l, gf_value_id v, uint8_t *mask, int32_t *out)
{
    const struct gf_value *in = gf_lowering_samples(l, v);
    if (!in) {
        return NULL;
    }
    *mask = gf_lowering_mask(l, in->channels);
    return l->status == GF_OK ? gf_lowering_point(l, v, in->depth, in->channels, out) : NULL;
}

gf_value_id gf_lower_affine(gf_lowering *l, gf_value_id v, double gain, double offset)
{
    uint8_t mask;
    int32_t out;
    struct gf_op *op = gf_lowering_in_place(l, v, &mask, &out);
    if (!op) {
        return 0;
    }
    gf_point_push(op, GF_INSN_AFFINE, mask, (float)gain, (float)offset);
    return gf_point_rounded(op, out);
}

gf_value_id gf_lower_power(gf_lowering *l, gf_value_id v, double exponent)
{
    uint8_t mask;
    int32_t out;
    struct gf_op *op = gf_lowering_in_place(l, v, &mask, &out);
    if (!op) {
        return 0;
    }
    float white = (float)gf_lower_white(l, v);
    if (white != 1) {
        gf_point_push(op, GF_INSN_DIVIDE, mask, white, 0);
    }
    gf_point_push(op, GF_INSN_POWER, mask, (float)exponent, 0);
    if (white != 1) {
        gf_point_push(op, GF_INSN_AFFINE, mask, white, 0);
    }
    return gf_point_rounded(op, out);
}

gf_value_id gf_lower_threshold(gf_lowering *l, gf_value_id v, double level)
{
    uint8_t mask;
    int32_t out;
    struct gf_op *op = gf_lowering_in_place(l, v, &mask, &out);
    if (!op) {
        return 0;
    }
    gf_point_push(op, GF_INSN_GREATER, mask, (float)level, (float)gf_lower_white(l, v));
    return gf_to_id(out);
}

/* An instruction up to white, by the levels of a block; NULL on failure. */
static struct gf_op *by_levels(gf_lowering *l, gf_value_id v, enum gf_insn_code code, gf_value_id levels,
                               int32_t *out)
{
    uint8_t mask;
    struct gf_op *op = gf_lowering_value(l, levels, true) ? gf_lowering_in_place(l, v, &mask, out) : NULL;
    if (op) {
        op->blocks[0] = levels - 1;
        gf_point_push(op, code, mask, 0, (float)gf_lower_white(l, v))->block = 0;
    }
    return op;
}

gf_value_id gf_lower_threshold_block(gf_lowering *l, gf_value_id v, gf_value_id levels)
{
    int32_t out;
    return by_levels(l, v, GF_INSN_GREATER_BLOCK, levels, &out) ? gf_to_id(out) : 0;
}

gf_value_id gf_lowering_stretch(gf_lowering *l, gf_value_id v, gf_value_id levels)
{
    int32_t out;
    struct gf_op *op = by_levels(l, v, GF_INSN_STRETCH, levels, &out);
    return op ? gf_point_rounded(op, out) : 0;
}

gf_value_id gf_lower_table(gf_lowering *l, gf_value_id v, gf_value_id table, gf_value_id range)
{
    uint8_t mask;
    int32_t out;
    if (!gf_lowering_value(l, table, true) || (range && !gf_lowering_value(l, range, true))) {
        return 0;
    }
    struct gf_op *op = gf_lowering_in_place(l, v, &mask, &out);
    if (!op) {
        return 0;
    }
    op->blocks[0] = table - 1;
    op->blocks[1] = range ? range - 1 : GF_NONE;
    struct gf_insn *insn = gf_point_push(op, range ? GF_INSN_TABLE_RANGE : GF_INSN_TABLE, mask, 0, 0);
    insn->block = 0;
    insn->block2 = range ? 1 : GF_NONE;
    return gf_to_id(out);
}

gf_value_id gf_lower_convert(gf_lowering *l, gf_value_id v, gf_depth depth)
{
    const struct gf_value *in = gf_lowering_samples(l, v);
    if (!in || in->depth == depth) {
        return in ? v : 0;
    }
    gf_depth from = in->depth;
    double gain = gf_depth_white(depth) / gf_depth_white(from);
    if (!(gain > 0)) {
        gf_lower_fail(l, GF_ERROR_UNSUPPORTED, "cannot convert %s to %s", gf_depth_name(from),
                      gf_depth_name(depth));
        return 0;
    }
    uint8_t all = (uint8_t)((1u << in->channels) - 1);
    int32_t out;
    struct gf_op *op = gf_lowering_point_all(l, v, depth, in->channels, &out);
    if (!op) {
        return 0;
    }
    if (gain < 1) { /* a division is exact where a rounded reciprocal is not */
        gf_point_push(op, GF_INSN_DIVIDE, all, (float)(gf_depth_white(from) / gf_depth_white(depth)), 0);
    } else {
        gf_point_push(op, GF_INSN_AFFINE, all, (float)gain, 0);
    }
    return gf_point_rounded(op, out);
}

gf_value_id gf_lower_gray(gf_lowering *l, gf_value_id v)
{
    const struct gf_value *in = gf_lowering_samples(l, v);
    if (!in || in->channels < 3) {
        return in ? v : 0;
    }
    gf_depth depth = in->depth;
    int32_t out;
    struct gf_op *op = gf_lowering_point_all(l, v, depth, in->channels - 2, &out);
    if (!op) {
        return 0;
    }
    /* 15-bit weights are exact enough for u8 only: on u16 they err by more than a level */
    gf_point_push(op, depth == GF_U8 ? GF_INSN_GRAY_INT : GF_INSN_GRAY_F32, 0, 0, 0);
    return gf_point_rounded(op, out);
}
