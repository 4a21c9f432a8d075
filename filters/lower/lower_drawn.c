/* What is drawn is a picture in f32 with alpha, of the part that it covers, which is laid over the stage's
 * picture as blend lays one: so whatever runs a blend runs it, and there is one rounding, at the end. */
#include "lower/drawn.h"

#include "base/text.h"
#include "lower/lowering_private.h"

bool gf_lowering_ink(gf_lowering *l, gf_value_id v, const gf_list *colour, const char *name,
                     struct gf_ink *ink)
{
    const int32_t n = colour->columns;
    const double *c = colour->values;
    if (n > 1 && gf_lower_shape(l, v).channels < 3 && (c[0] != c[1] || c[1] != c[2])) {
        const int32_t row = gf_lowering_row(l, name);
        const char *preset = gf_stage_param(l->node->type, row)->text;
        const bool given = l->node->places[row].length > 0 || !*preset;
        gf_lowering_fail_at(
            l, row, "%s%s%s is no gray, and the picture is gray: give a gray%s, or put rgb before it", name,
            given ? "" : ", by default ", given ? "" : preset, given ? "" : ", as colour=1");
        return false;
    }
    *ink = (struct gf_ink){{c[0], c[n > 1 ? 1 : 0], c[n > 1 ? 2 : 0]}, n == 4 ? c[3] : 1};
    return true;
}

/* The part of v as a picture in f32 with alpha: what is drawn has its size and channels. */
static gf_value_id canvas_of(gf_lowering *l, gf_value_id v, gf_rect part)
{
    const gf_shape shape = gf_lower_shape(l, v);
    if (l->alpha == GF_ALPHA_NONE && (shape.channels == 2 || shape.channels == 4)) {
        gf_lower_fail(
            l, GF_ERROR_UNSUPPORTED,
            "it draws on gray and colours, and the picture's %d channels are none, as alpha none says",
            shape.channels);
        return 0;
    }
    const gf_value_id wide = gf_lower_convert(l, gf_lower_crop(l, v, part), GF_F32);
    return gf_lower_add_alpha(l, wide, 1);
}

/* `drawn`, made of canvas_of, over v in the part. */
static gf_value_id laid(gf_lowering *l, gf_value_id v, gf_value_id drawn, gf_rect part)
{
    static const double nothing[4];
    const gf_shape shape = gf_lower_shape(l, v);
    const bool fills = part.w == shape.width && part.h == shape.height;
    const gf_rect whole = {.x = part.x, .y = part.y, .w = shape.width, .h = shape.height};
    const gf_value_id placed = fills || !drawn ? drawn : gf_lowering_canvas(l, drawn, whole, nothing);
    return placed ? gf_lowering_blend(l, v, placed, GF_BLEND_OVER, 1, fills ? (gf_rect){0} : part) : 0;
}

static bool inside(gf_lowering *l, gf_value_id v, gf_rect where, gf_rect *part)
{
    const gf_shape shape = gf_lower_shape(l, v);
    *part = gf_rect_common((gf_rect){.w = shape.width, .h = shape.height}, where);
    return part->w > 0;
}

static void add_number(struct gf_text *text, double value)
{
    gf_text_string(text, "(");
    gf_text_number(text, value);
    gf_text_string(text, ")");
}

gf_value_id gf_lowering_drawn(gf_lowering *l, gf_value_id v, const struct gf_ink *ink, gf_rect where,
                              const char *coverage)
{
    gf_rect part;
    if (!gf_lowering_samples(l, v) || !inside(l, v, where, &part)) {
        return l->status == GF_OK ? v : 0;
    }
    const gf_value_id canvas = canvas_of(l, v, part);
    const int32_t colours = gf_lower_shape(l, canvas).channels - 1;
    char formula[2048];
    struct gf_text text = gf_text_begin(formula, sizeof formula);
    for (int32_t c = 0; c < colours; c++) {
        add_number(&text, ink->c[c]);
        gf_text_string(&text, ";");
    }
    add_number(&text, ink->alpha);
    gf_text_string(&text, "*");
    for (const char *from = coverage; *from; from++) { /* places in the part */
        if (*from == 'X' || *from == 'Y') {
            gf_text_append(&text, "(%c+%lld)", *from == 'X' ? 'x' : 'y',
                           (long long)(*from == 'X' ? part.x : part.y));
        } else {
            gf_text_bytes(&text, from, 1);
        }
    }
    return laid(l, v, gf_lower_formula(l, canvas, formula), part);
}

/* Each pixel's number in the picture of the host, exact in f32, which a curve through its samples then reads.
 */
static gf_value_id numbered(gf_lowering *l, gf_value_id canvas, gf_rect where, gf_rect part)
{
    char formula[512];
    struct gf_text text = gf_text_begin(formula, sizeof formula);
    for (int32_t c = 0; c < gf_lower_shape(l, canvas).channels; c++) {
        gf_text_append(&text, "%s(y+%lld)*%lld+(x+%lld)", c ? ";" : "", (long long)(part.y - where.y),
                       (long long)where.w, (long long)(part.x - where.x));
    }
    return gf_lower_formula(l, canvas, formula);
}

gf_value_id gf_lowering_stamped(gf_lowering *l, gf_value_id v, const float *pixels, gf_rect where)
{
    gf_rect part;
    int32_t out, block;
    if (!gf_lowering_samples(l, v) || !inside(l, v, where, &part)) {
        return l->status == GF_OK ? v : 0;
    }
    const gf_value_id number = numbered(l, canvas_of(l, v, part), where, part);
    const int32_t channels = number ? gf_lower_shape(l, number).channels : 0;
    const int64_t n = where.w * where.h;
    float *content = number ? gf_lowering_constant(l, GF_F32, channels, n, &block) : NULL;
    struct gf_op *op = content ? gf_lowering_point_all(l, number, GF_F32, channels, &out) : NULL;
    if (!op) {
        return 0;
    }
    for (int64_t i = 0; i < n; i++) {
        for (int32_t c = 0; c < channels; c++) {
            content[c * n + i] = pixels[4 * i + (c == channels - 1 ? 3 : c)];
        }
    }
    op->blocks[0] = block;
    gf_point_push(op, GF_INSN_CURVE, (uint8_t)((1U << channels) - 1), 1, 0)->block = 0;
    return laid(l, v, gf_to_id(out), part);
}
