/* The judge's POINT programs, instruction by instruction on the channels of one pixel. */
#include "base/gf_math.h"
#include "pixel/judge/reference_parts.h"

#include <math.h>
#include <string.h>

/* The pixel that a program runs on. */
struct pixel {
    const struct gf_judge *judge;
    const struct gf_op *op;
    int64_t x, y;
    int32_t channels;
    float v[GF_MAX_CHANNELS];
};

/* Element i of the row for channel c of the block that the instruction names by `block`. */
static float element(const struct pixel *p, int8_t block, int32_t c, int64_t i)
{
    int32_t value = p->op->blocks[block];
    const struct gf_value *shape = &p->judge->list->values[value];
    return gf_judge_sample(p->judge->data[value], shape->depth, c * shape->width + i);
}

static float from_range_table(const struct pixel *p, const struct gf_insn *insn, int32_t c)
{
    float lo = element(p, insn->block2, c, 0);
    float hi = element(p, insn->block2, c, 1);
    int32_t bins = (int32_t)p->judge->list->values[p->op->blocks[insn->block]].width;
    int32_t bin = gf_judge_bin(p->v[c], lo, hi, bins);

    if (bin == GF_BIN_NAN) {
        return p->v[c];
    }
    return element(p, insn->block, c, bin == GF_BIN_BELOW ? 0 : bin == GF_BIN_ABOVE ? bins - 1 : bin);
}

/* Sample c of this pixel in the picture that the instruction reads. */
static float operand_sample(const struct pixel *p, const struct gf_insn *insn, int32_t c)
{
    int32_t value = p->op->operand[insn->operand];
    const struct gf_value *shape = &p->judge->list->values[value];
    return gf_judge_sample(p->judge->data[value], shape->depth,
                           (p->y * shape->width + p->x) * shape->channels + c);
}

/* a before b; only a share of a is there. */
static float mixed(float share, float a, float b)
{
    return gf_fma(share, a, gf_fma(-share, b, b));
}

/* Returns what channel c reads of the operand, as a fraction of the operand's white, k1. */
static float operand_fraction(const struct pixel *p, const struct gf_insn *insn, int32_t c)
{
    return gf_div(operand_sample(p, insn, insn->arg & GF_OPERAND_FIRST ? 0 : c), insn->k[1]);
}

/* Returns how much of the operand counts at this pixel. */
static float operand_share(const struct pixel *p, const struct gf_insn *insn)
{
    int32_t last = p->judge->list->values[p->op->operand[insn->operand]].channels - 1;
    return insn->arg & GF_OPERAND_ALPHA ? insn->k[0] * gf_div(operand_sample(p, insn, last), insn->k[1])
                                        : insn->k[0];
}

/* The modes of docs/exactness.md, written once more: a mistake in combine.h is seen only where it is not
 * shared. */
static float blended(int mode, float v, float o)
{
    switch ((gf_blend)mode) {
    case GF_BLEND_ADD:
        return v + o;
    case GF_BLEND_SUBTRACT:
        return v - o;
    case GF_BLEND_MULTIPLY:
        return v * o;
    case GF_BLEND_SCREEN:
        return gf_fma(-v, o, v + o);
    case GF_BLEND_DIFFERENCE:
        return v < o ? o - v : v - o;
    case GF_BLEND_MIN:
        return o < v ? o : v;
    case GF_BLEND_MAX:
        return o > v ? o : v;
    case GF_BLEND_DIVIDE:
        return o == 0 ? 0 : gf_div(v, o);
    default:
        return o;
    }
}

/* A pixel with alpha under the operand. */
static void run_over(struct pixel *p, const struct gf_insn *insn)
{
    int32_t last = p->channels - 1;
    float share = operand_share(p, insn);
    float rest = p->v[last] * (1.0F - share);
    p->v[last] = share + rest;
    for (int32_t c = 0; c < last; c++) {
        float sum = gf_fma(operand_fraction(p, insn, c), share, p->v[c] * rest);
        p->v[c] = p->v[last] > 0.0F ? gf_div(sum, p->v[last]) : 0.0F;
    }
}

/* v between the block's two levels, as a part of white. */
static float stretched(float v, float lo, float hi, float white)
{
    if (!(lo < hi) || isnan(v)) {
        return v;
    }
    if (isinf(hi - lo)) { /* halves are exact, and their difference is finite */
        return stretched(v / 2, lo / 2, hi / 2, white);
    }
    const float part = (v - lo) * white / (hi - lo);
    return part > white ? white : part > 0.0F ? part : 0.0F;
}

/* Interpolates on the line between the two entries around v scale. */
static float on_curve(const struct pixel *p, const struct gf_insn *insn, int32_t c)
{
    const float at = p->v[c] * insn->k[0];
    const int64_t last = p->judge->list->values[p->op->blocks[insn->block]].width - 1;
    if (isnan(at)) {
        return p->v[c];
    }
    if (at <= 0.0F || at >= (float)last) {
        return element(p, insn->block, c, at <= 0.0F ? 0 : last);
    }
    const int64_t i = (int64_t)floorf(at);
    const float from = element(p, insn->block, c, i);
    return fmaf(at - (float)i, element(p, insn->block, c, i + 1) - from, from);
}

/* Formula c of the instruction's block, for channel `own` of the pixel v. */
static float by_formula(const struct pixel *p, const struct gf_insn *insn, int32_t c, const float *v,
                        int32_t own)
{
    const int32_t value = p->op->blocks[insn->block];
    const int64_t width = p->judge->list->values[value].width;
    return gf_judge_formula((const float *)p->judge->data[value] + c * width, width, v, own);
}

/* v, by its weight in the roi, and the rest of o. */
static float in_region(const struct pixel *p, const struct gf_insn *insn, float v, float o)
{
    const float weight = gf_judge_weight(p->op->roi, insn->arg, insn->k[0], p->x, p->y);
    return weight == 1.0F ? v : weight == 0.0F ? o : mixed(weight, v, o);
}

static float run_on_channel(const struct pixel *p, const struct gf_insn *insn, int32_t c)
{
    float v = p->v[c];
    float o = 0.0F;

    switch (insn->code) {
    case GF_INSN_AFFINE:
        return gf_fma(v, insn->k[0], insn->k[1]);
    case GF_INSN_DIVIDE:
        return gf_div(v, insn->k[0]);
    case GF_INSN_POWER:
        return copysignf(gf_pow(fabsf(v), insn->k[0]), v);
    case GF_INSN_LINEAR:
        return gf_judge_light(v);
    case GF_INSN_SRGB:
        return gf_judge_srgb(v);
    case GF_INSN_FORMULA_SAMPLE:
        return by_formula(p, insn, c, &v, 0);
    case GF_INSN_CURVE:
        return on_curve(p, insn, c);
    case GF_INSN_ABSOLUTE:
        return fabsf(v);
    case GF_INSN_GREATER:
        return v > insn->k[0] ? insn->k[1] : 0.0F;
    case GF_INSN_GREATER_BLOCK:
        return v > element(p, insn->block, c, 0) ? insn->k[1] : 0.0F;
    case GF_INSN_GAIN:
        return v * element(p, insn->block, c, 0);
    case GF_INSN_TABLE:
        return element(p, insn->block, c, (int64_t)v);
    case GF_INSN_TABLE_RANGE:
        return from_range_table(p, insn, c);
    case GF_INSN_STRETCH:
        return stretched(v, element(p, insn->block, c, 0), element(p, insn->block, c, 1), insn->k[1]);
    case GF_INSN_QUANTISE:
        return gf_judge_quantise((gf_depth)insn->depth, v);
    case GF_INSN_SHARPEN:
        o = operand_sample(p, insn, c);
        return fabsf(o - v) < insn->k[1] ? o : gf_fma(insn->k[0], o - v, o);
    case GF_INSN_EXCEEDS:
        o = operand_sample(p, insn, c);
        return o > v - insn->k[0] ? insn->k[1] : 0.0F;
    case GF_INSN_QUOTIENT:
        return gf_div(operand_sample(p, insn, c), v < insn->k[0] ? insn->k[0] : v);
    case GF_INSN_SUM:
        return gf_fma(insn->k[0], operand_sample(p, insn, c), insn->k[1] * v);
    case GF_INSN_BLEND:
        o = blended(insn->arg & (GF_OPERAND_FIRST - 1), v, operand_fraction(p, insn, c));
        return mixed(operand_share(p, insn), o, v);
    case GF_INSN_MASK:
        return mixed(operand_fraction(p, insn, c), v, insn->k[0]);
    case GF_INSN_REGION:
        return in_region(p, insn, v, operand_sample(p, insn, c));
    default:
        return v;
    }
}

static void run_matrix(struct pixel *p, const struct gf_insn *insn)
{
    float before[GF_MAX_CHANNELS];
    for (int32_t c = 0; c < p->channels; c++) {
        before[c] = p->v[c];
    }
    for (int32_t r = 0; r < insn->arg; r++) {
        p->v[r] = element(p, insn->block, r, p->channels);
        for (int32_t c = 0; c < p->channels; c++) {
            p->v[r] = gf_fma(element(p, insn->block, r, c), before[c], p->v[r]);
        }
    }
    p->channels = insn->arg;
}

static void run_formulas(struct pixel *p, const struct gf_insn *insn)
{
    float before[GF_MAX_CHANNELS];
    memcpy(before, p->v, sizeof before);
    for (int32_t c = 0; c < p->channels; c++) {
        p->v[c] = by_formula(p, insn, c, before, c);
    }
}

/* The judge has whole pictures, so that a pixel's place is where it stands. */
static void run_placed_formulas(struct pixel *p, const struct gf_insn *insn)
{
    float before[GF_MAX_CHANNELS + 2];
    memcpy(before, p->v, sizeof p->v);
    before[p->channels] = (float)p->x;
    before[p->channels + 1] = (float)p->y;
    for (int32_t c = 0; c < p->channels; c++) {
        p->v[c] = by_formula(p, insn, c, before, c);
    }
}

/* Instructions on colours (reference_colour.c); false: another one. */
static bool run_colour(struct pixel *p, const struct gf_insn *insn)
{
    const struct gf_value *block =
        insn->block == GF_NONE ? NULL : &p->judge->list->values[p->op->blocks[insn->block]];
    const float *data = block ? p->judge->data[p->op->blocks[insn->block]] : NULL;
    switch (insn->code) {
    case GF_INSN_LAB:
        gf_judge_lab(p->v);
        return true;
    case GF_INSN_FROM_LAB:
        gf_judge_from_lab(p->v);
        return true;
    case GF_INSN_CUBE:
        gf_judge_cube(data, insn->arg + 1, p->v);
        return true;
    case GF_INSN_LUMA:
        gf_judge_luma(p->v, operand_sample(p, insn, 0), (gf_depth)insn->depth);
        return true;
    case GF_INSN_APART:
        p->v[0] = gf_judge_apart(p->v, p->channels, data, block->width, insn) ? insn->k[1] : 0.0F;
        p->channels = 1;
        return true;
    default:
        return false;
    }
}

/* Instructions on whole pixels that mix channels or change how many there are; false: another one. */
static bool run_channels(struct pixel *p, const struct gf_insn *insn)
{
    int32_t last = p->channels - 1;
    switch (insn->code) {
    case GF_INSN_SPREAD:
        p->v[3] = p->v[1];
        p->v[2] = p->v[0];
        p->v[1] = p->v[0];
        p->channels += 2;
        return true;
    case GF_INSN_ADD_ALPHA:
        p->v[p->channels++] = insn->k[0];
        return true;
    case GF_INSN_DROP_ALPHA:
        p->channels--;
        return true;
    case GF_INSN_FLATTEN:
        for (int32_t c = 0; c < last; c++) {
            if (insn->mask >> c & 1) {
                p->v[c] = mixed(gf_div(p->v[last], insn->k[1]), p->v[c], insn->k[0]);
            }
        }
        return true;
    case GF_INSN_FORMULA:
        run_formulas(p, insn);
        return true;
    case GF_INSN_FORMULA_PLACE:
        run_placed_formulas(p, insn);
        return true;
    case GF_INSN_MATRIX:
        run_matrix(p, insn);
        return true;
    case GF_INSN_COMPLEX:
        gf_judge_complex(p->v, operand_sample(p, insn, 0), operand_sample(p, insn, 1), insn);
        return true;
    default:
        return false;
    }
}

/* SLOPE and ANGLE: one number of each channel's two slopes. */
static void run_direction(struct pixel *p, const struct gf_insn *insn)
{
    p->channels /= 2;
    for (int32_t c = 0; c < p->channels; c++) {
        const float x = p->v[c], y = p->v[p->channels + c];
        p->v[c] = insn->code == GF_INSN_ANGLE ? gf_turns(y, x) * insn->k[0] : insn->arg ? y : x;
    }
}

static void run_insn(struct pixel *p, const struct gf_insn *insn)
{
    bool inside = insn->roi == GF_NONE || gf_judge_inside(p->op->roi, p->x, p->y);
    int32_t last = p->channels - 1;

    if (run_channels(p, insn) || run_colour(p, insn)) {
        return;
    }
    switch (insn->code) {
    case GF_INSN_GRAY_INT:
    case GF_INSN_GRAY_F32:
        p->v[0] = insn->code == GF_INSN_GRAY_F32
                      ? gf_gray_f32(p->v[0], p->v[1], p->v[2])
                      : (float)gf_gray_u((uint32_t)p->v[0], (uint32_t)p->v[1], (uint32_t)p->v[2]);
        p->v[1] = p->v[3];
        p->channels -= 2;
        return;
    case GF_INSN_MAGNITUDE:
        p->channels /= 2;
        for (int32_t c = 0; c < p->channels; c++) {
            float x = p->v[c];
            float y = p->v[p->channels + c];
            p->v[c] = gf_sqrt(gf_fma(x, x, y * y) * insn->k[0]);
        }
        return;
    case GF_INSN_SLOPE:
    case GF_INSN_ANGLE:
        run_direction(p, insn);
        return;
    case GF_INSN_PREMULTIPLY:
        for (int32_t c = 0; c < last; c++) {
            p->v[c] = insn->arg ? (float)lrint(p->v[c] * p->v[last] / 255.0) : p->v[c] * p->v[last];
        }
        return;
    case GF_INSN_OVER:
        run_over(p, insn);
        return;
    case GF_INSN_UNPREMULTIPLY:
        for (int32_t c = 0; c < last && insn->arg; c++) {
            const double whole = p->v[last] > 0.0F ? floor(255.0 * p->v[c] / p->v[last]) : p->v[c];
            p->v[c] = whole < 255 ? (float)whole : 255.0F;
        }
        for (int32_t c = 0; c < last && !insn->arg; c++) {
            p->v[c] = p->v[last] > 0.0F ? gf_div(p->v[c], p->v[last]) : 0.0F;
        }
        return;
    default:
        break;
    }
    for (int32_t c = 0; c < p->channels; c++) {
        bool named = inside && (insn->mask >> c & 1);
        if (insn->code == GF_INSN_KEEP && !named) {
            p->v[c] = operand_sample(p, insn, c);
        } else if (named) {
            p->v[c] = run_on_channel(p, insn, c);
        }
    }
}

gf_status gf_judge_point(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_program *program = op->u.point;
    const struct gf_value in = judge->list->values[op->in];
    const struct gf_value out = judge->list->values[op->out];
    struct pixel p = {judge, op, 0, 0, 0, {0.0F}};

    for (p.y = 0; p.y < in.height; p.y++) {
        for (p.x = 0; p.x < in.width; p.x++) {
            int64_t at = p.y * in.width + p.x;
            p.channels = in.channels;
            for (int32_t c = 0; c < in.channels; c++) {
                p.v[c] = gf_judge_sample(judge->data[op->in], in.depth, at * in.channels + c);
            }
            for (int32_t i = 0; i < program->n; i++) {
                run_insn(&p, &program->insn[i]);
            }
            for (int32_t c = 0; c < out.channels; c++) {
                if (!gf_judge_store(judge->data[op->out], out.depth, at * out.channels + c, p.v[c])) {
                    return gf_fail(error, GF_ERROR_INTERNAL, "a program ends with %g in channel %d of %s",
                                   (double)p.v[c], c, gf_depth_name(out.depth));
                }
            }
        }
    }
    return GF_OK;
}
