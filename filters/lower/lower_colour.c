/* POINT builders of tones and colours: gains, levels, curves, formulas. */
#include "lower/lowering_private.h"
#include "param/formula_parse.h"

#include "base/planted_fault.h"

#include <math.h>
#include <string.h>

/* Samples in fractions of white, and back; nothing for f32, whose white is 1. */
static void push_fractions(gf_lowering *l, gf_value_id v, struct gf_op *op, uint8_t mask)
{
    const double white = gf_lower_white(l, v);
    if (white != 1) {
        gf_point_push(op, GF_INSN_DIVIDE, mask, (float)white, 0);
    }
}
static void push_samples(gf_lowering *l, gf_value_id v, struct gf_op *op, uint8_t mask)
{
    const double white = gf_lower_white(l, v);
    if (white != 1) {
        gf_point_push(op, GF_INSN_AFFINE, mask, (float)white, 0);
    }
}

static int32_t colours_of(int32_t channels)
{
    return channels - (channels == 2 || channels == 4);
}

/* Tells whether n rows of something go with a picture: one, or as many as it has colours. */
static bool rows_fit(gf_lowering *l, int32_t channels, int32_t n, const char *what)
{
    if (n == 1 || n == colours_of(channels)) {
        return true;
    }
    gf_lower_fail(l, GF_ERROR_ARGUMENT,
                  "%d %s for a picture of %d channel%s: must be 1 for all, or %d, one for each colour", n,
                  what, channels, channels == 1 ? "" : "s", colours_of(channels));
    return false;
}

gf_value_id gf_lower_gain(gf_lowering *l, gf_value_id v, const double *gain, int32_t n)
{
    uint8_t mask;
    int32_t out;
    const struct gf_value *in = gf_lowering_samples(l, v);
    if (!in || !gain || !rows_fit(l, in->channels, n, "gains")) {
        return 0;
    }
    struct gf_op *op = gf_lowering_in_place(l, v, &mask, &out);
    for (int32_t c = 0; op && c < n; c++) {
        const uint8_t of = n == 1 ? mask : (uint8_t)(mask & 1u << c);
        if (of) {
            gf_point_push(op, GF_INSN_AFFINE, of, (float)gain[c], 0);
        }
    }
    return op ? gf_point_rounded(op, out) : 0;
}

gf_value_id gf_lower_posterize(gf_lowering *l, gf_value_id v, int32_t levels)
{
    uint8_t mask;
    int32_t out;
    if (levels < 2 || levels > 65536) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "%d levels, must be 2 to 65536", levels);
        return 0;
    }
    struct gf_op *op = gf_lowering_in_place(l, v, &mask, &out);
    if (!op) {
        return 0;
    }
    const float steps = (float)(levels - 1 + GF_FAULT(posterize_last));
    push_fractions(l, v, op, mask);
    gf_point_push(op, GF_INSN_AFFINE, mask, steps, 0);
    gf_point_push(op, GF_INSN_QUANTISE, mask, 0, 0)->depth = GF_U16;
    gf_point_push(op, GF_INSN_DIVIDE, mask, steps, 0);
    push_samples(l, v, op, mask);
    return gf_point_rounded(op, out);
}

gf_value_id gf_lower_transfer(gf_lowering *l, gf_value_id v, int encode)
{
    uint8_t mask;
    int32_t out;
    struct gf_op *op = gf_lowering_in_place(l, v, &mask, &out);
    if (!op) {
        return 0;
    }
    push_fractions(l, v, op, mask);
    gf_point_push(op, encode ? GF_INSN_SRGB : GF_INSN_LINEAR, mask, 0, 0);
    push_samples(l, v, op, mask);
    return gf_point_rounded(op, out);
}

gf_value_id gf_lower_curve(gf_lowering *l, gf_value_id v, const double *values, int32_t rows, int32_t n)
{
    uint8_t mask;
    int32_t out, block;
    const struct gf_value *in = gf_lowering_samples(l, v);
    if (!in || !rows_fit(l, in->channels, rows, "rows of a curve")) {
        return 0;
    }
    if (!values || n < 2) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "a curve of %d number%s, must have 2 or more", n,
                      n == 1 ? "" : "s");
        return 0;
    }
    const int32_t channels = in->channels;
    float *content = gf_lowering_constant(l, GF_F32, channels, n, &block);
    struct gf_op *op = content ? gf_lowering_in_place(l, v, &mask, &out) : NULL;
    if (!op) {
        return 0;
    }
    const double white = gf_lower_white(l, v);
    for (int32_t c = 0; c < channels; c++) {
        const double *row = values + (rows == 1 || c >= rows ? 0 : (ptrdiff_t)c * n);
        for (int32_t i = 0; i < n; i++) {
            content[c * n + i] = (float)(row[i] * white);
        }
    }
    op->blocks[0] = block;
    gf_point_push(op, GF_INSN_CURVE, mask, (float)((n - 1) / white), 0)->block = 0;
    return gf_point_rounded(op, out);
}

/* ---- formulas ---- */

enum { MOST_FORMULAS = 4 };

/* Splits at ';' and reads each. How many; 0 after a failure. */
static int32_t read_formulas(gf_lowering *l, const struct gf_value *in, const char *text,
                             struct gf_formula formulas[MOST_FORMULAS])
{
    const struct gf_formula_of of = {in->channels, colours_of(in->channels), in->width, in->height};
    int32_t n = 0;
    for (const char *from = text;; from++) {
        const size_t length = strcspn(from, ";");
        char why[160];
        size_t at;
        if (n == MOST_FORMULAS || n == in->channels) {
            gf_lower_fail(l, GF_ERROR_ARGUMENT, "more formulas than the picture has channels, %d",
                          in->channels);
            return 0;
        }
        if (!gf_formula_parse(from, length, &of, &formulas[n++], &at, why)) {
            gf_lower_fail(l, GF_ERROR_ARGUMENT, "formula '%s', at byte %zu: %s", text,
                          (size_t)(from - text) + at + 1, why);
            return 0;
        }
        from += length;
        if (!*from) {
            return n;
        }
    }
}

gf_value_id gf_lower_formula(gf_lowering *l, gf_value_id v, const char *text)
{
    struct gf_formula formulas[MOST_FORMULAS];
    const struct gf_value *in = gf_lowering_samples(l, v);
    uint8_t mask;
    int32_t out, block, longest = 0;
    bool mixes = false, placed = false;
    const int32_t n = in && text ? read_formulas(l, in, text, formulas) : 0;
    if (n == 0) {
        return 0;
    }
    const int32_t channels = in->channels;
    const gf_rect whole = {.w = in->width, .h = in->height};
    if (n != channels && !rows_fit(l, channels, n, "formulas")) {
        return 0;
    }
    for (int32_t i = 0; i < n; i++) {
        longest = formulas[i].n > longest ? formulas[i].n : longest;
        mixes = mixes || formulas[i].mixes;
        placed = placed || formulas[i].placed;
    }
    mixes =
        mixes || (n == channels && n > 1 && colours_of(channels) != channels); /* alpha has one of its own */
    if (mixes && (l->node->common.roi.rect.w || l->node->common.channels)) {
        gf_lower_fail(
            l, GF_ERROR_UNSUPPORTED,
            "formulas that mix channels, or change alpha, take all of the picture: roi= and channels= "
            "need formulas of v alone");
        return 0;
    }
    const int32_t width = 2 * longest + 2;
    float *content = gf_lowering_constant(l, GF_F32, channels, width, &block);
    struct gf_op *op = content ? gf_lowering_in_place(l, v, &mask, &out) : NULL;
    if (!op) {
        return 0;
    }
    const int32_t written = n > 1 ? n : l->alpha == GF_ALPHA_NONE ? channels : colours_of(channels);
    const uint8_t all = (uint8_t)((1u << channels) - 1), acts = mixes ? all : mask;
    for (int32_t c = 0; c < written; c++) {
        if (!(acts >> c & 1)) {
            continue; /* where there is no formula the channel stays */
        }
        const struct gf_formula *f = &formulas[n == 1 ? 0 : c];
        memcpy(content + (ptrdiff_t)c * width, f->steps, (size_t)f->n * 2 * sizeof *content);
    }
    op->blocks[0] = block;
    op->roi = placed ? (gf_rect){0} : op->roi;
    push_fractions(l, v, op, acts);
    struct gf_insn *insn = gf_point_push(op,
                                         placed  ? GF_INSN_FORMULA_PLACE
                                         : mixes ? GF_INSN_FORMULA
                                                 : GF_INSN_FORMULA_SAMPLE,
                                         acts, 0, 0);
    insn->block = 0;
    push_samples(l, v, op, acts);
    const gf_value_id made = gf_point_rounded(op, out);
    if (placed) { /* places are those in a rectangle, which bands move */
        op->roi = whole;
        insn->roi = 0;
    }
    return placed && l->node->common.roi.rect.w ? gf_lowering_kept(l, v, made) : made;
}
