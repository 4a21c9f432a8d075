/* POINT builders that read a second picture. */
#include "lower/lowering_private.h"

static bool has_alpha(const gf_lowering *l, int32_t channels)
{
    return l->alpha != GF_ALPHA_NONE && (channels == 2 || channels == 4);
}

static int32_t colours(const gf_lowering *l, int32_t channels)
{
    return has_alpha(l, channels) ? channels - 1 : channels;
}

/* Tells whether `other` can be read beside v: its size, and its channels as far as `mask` names those of v.
 * *arg: how instructions read it. */
static bool check_other(gf_lowering *l, gf_value_id v, gf_value_id other, uint8_t mask, uint8_t *arg)
{
    if (!gf_lowering_value(l, v, false) || !gf_lowering_value(l, other, false)) {
        return false;
    }
    const struct gf_shape a = gf_lower_shape(l, v), b = gf_lower_shape(l, other);
    if (a.width != b.width || a.height != b.height) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "the second picture has %lld x %lld pixels, must have as many as the first, %lld x %lld: resize "
            "makes it so, and blend and mask put one of any size where at= says, as at=southeast or at=10+20",
            (long long)b.width, (long long)b.height, (long long)a.width, (long long)a.height);
        return false;
    }
    const bool same = a.channels == b.channels, one = colours(l, b.channels) == 1;
    const bool reaches = mask >> colours(l, b.channels) == 0; /* no channel that the other lacks */
    if (!same && !one && !(colours(l, a.channels) == colours(l, b.channels) && reaches)) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "the second picture has %d channel%s, must be gray or have the colours of the first, which "
            "has %d channel%s",
            b.channels, b.channels == 1 ? "" : "s", a.channels, a.channels == 1 ? "" : "s");
        return false;
    }
    *arg =
        (uint8_t)((!same && one ? GF_OPERAND_FIRST : 0) | (has_alpha(l, b.channels) ? GF_OPERAND_ALPHA : 0));
    return true;
}

/* A POINT op of v that reads `other` in that rectangle, keeping shape and depth; NULL on failure. */
static struct gf_op *reading(gf_lowering *l, gf_value_id v, gf_value_id other, gf_rect where, int32_t *out)
{
    const struct gf_shape shape = gf_lower_shape(l, v);
    struct gf_op *op = l->status == GF_OK ? gf_lowering_point(l, v, shape.depth, shape.channels, out) : NULL;
    if (op) {
        op->operand[GF_OPERAND_SECOND] = other - 1;
        op->roi = where;
    }
    return op;
}

/* The part of the stage's roi on which the other picture lies, all where w is 0; false: there is none. */
static bool acts_in(const gf_lowering *l, gf_rect placed, gf_rect *where)
{
    const gf_rect roi = l->node->common.roi.rect;
    *where = roi.w && placed.w ? gf_rect_common(roi, placed) : roi.w ? roi : placed;
    return where->w || !roi.w;
}

static struct gf_insn *push_reading(struct gf_op *op, enum gf_insn_code code, uint8_t mask, uint8_t arg,
                                    double k0, double k1)
{
    struct gf_insn *insn = gf_point_push(op, code, mask, (float)k0, (float)k1);
    insn->operand = GF_OPERAND_SECOND;
    insn->arg = arg;
    return insn;
}

gf_value_id gf_lowering_combined(gf_lowering *l, gf_value_id v, gf_value_id other, struct gf_insn how)
{
    int32_t out;
    struct gf_op *op = other ? reading(l, v, other, (gf_rect){0}, &out) : NULL;
    if (!op) {
        return 0;
    }
    push_reading(op, (enum gf_insn_code)how.code, 0xff, how.arg, how.k[0], how.k[1]);
    return gf_to_id(out);
}

/* `made` in that rectangle, v outside it, bit for bit. */
static gf_value_id kept_outside(gf_lowering *l, gf_value_id made, gf_value_id v, gf_rect where)
{
    int32_t out;
    struct gf_op *op = made ? reading(l, made, v, where, &out) : NULL;
    if (!op) {
        return 0;
    }
    push_reading(op, GF_INSN_KEEP, 0xff, 0, 0, 0);
    return gf_to_id(out);
}

gf_value_id gf_lowering_blend(gf_lowering *l, gf_value_id v, gf_value_id other, gf_blend mode, double amount,
                              gf_rect placed)
{
    const struct gf_value *in = gf_lowering_value(l, v, false);
    if (!in) {
        return 0;
    }
    const bool over = mode == GF_BLEND_OVER && has_alpha(l, in->channels);
    const uint8_t all = (uint8_t)((1u << in->channels) - 1);
    const uint8_t mask = over ? all : gf_lowering_mask(l, in->channels);
    gf_rect where;
    uint8_t arg;
    int32_t out;
    if ((int32_t)mode < GF_BLEND_OVER || mode > GF_BLEND_DIVIDE) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "a blend in mode %d, must be one of gf_blend, 0 to %d", (int)mode,
                      (int)GF_BLEND_DIVIDE);
        return 0;
    }
    if (over && (l->node->common.roi.rect.w || l->node->common.channels)) {
        gf_lower_fail(l, GF_ERROR_UNSUPPORTED,
                      "mode=over changes the alpha of the picture, too: roi= and channels= "
                      "need a picture without alpha, or another mode");
        return 0;
    }
    if (!check_other(l, v, other, over ? all >> 1 : mask, &arg) || !acts_in(l, placed, &where)) {
        return l->status == GF_OK ? v : 0;
    }
    struct gf_op *op = reading(l, v, other, over ? (gf_rect){0} : where, &out);
    if (!op) {
        return 0;
    }
    const float white = (float)gf_lower_white(l, v);
    if (white != 1) {
        gf_point_push(op, GF_INSN_DIVIDE, mask, white, 0);
    }
    push_reading(op, over ? GF_INSN_OVER : GF_INSN_BLEND, mask, (uint8_t)(arg | mode), amount,
                 gf_lower_white(l, other));
    if (white != 1) {
        gf_point_push(op, GF_INSN_AFFINE, mask, white, 0);
    }
    const gf_value_id made = gf_point_rounded(op, out);
    return over && where.w ? kept_outside(l, made, v, where) : made;
}

gf_value_id gf_lower_blend(gf_lowering *l, gf_value_id v, gf_value_id other, gf_blend mode, double amount)
{
    return gf_lowering_blend(l, v, other, mode, amount, (gf_rect){0});
}

gf_value_id gf_lowering_mask_by(gf_lowering *l, gf_value_id v, gf_value_id other, double value,
                                gf_rect placed)
{
    const struct gf_value *in = gf_lowering_value(l, v, false);
    uint8_t mask = in ? gf_lowering_mask(l, in->channels) : 0, arg;
    gf_rect where;
    int32_t out;
    if (!in || !check_other(l, v, other, mask, &arg) || !acts_in(l, placed, &where)) {
        return l->status == GF_OK ? v : 0;
    }
    struct gf_op *op = reading(l, v, other, where, &out);
    if (!op) {
        return 0;
    }
    push_reading(op, GF_INSN_MASK, mask, arg & GF_OPERAND_FIRST, value, gf_lower_white(l, other));
    return gf_point_rounded(op, out);
}

gf_value_id gf_lower_mask(gf_lowering *l, gf_value_id v, gf_value_id other, double value)
{
    return gf_lowering_mask_by(l, v, other, value, (gf_rect){0});
}

gf_value_id gf_lowering_beside(gf_lowering *l, gf_value_id v, gf_value_id other, gf_rect first,
                               gf_rect second)
{
    const gf_shape a = gf_lower_shape(l, v), b = gf_lower_shape(l, other);
    const bool copies = a.channels == b.channels && a.depth == b.depth;
    return copies ? kept_outside(l, v, other, first)
                  : gf_lowering_blend(l, v, other, GF_BLEND_OVER, 1, second);
}
