/* pad: more pixels around the picture, or frames around a signal. */
#include "signal/signal_lowering.h"
#include "stages/outside_rows.h"

struct pad {
    int64_t size, left, right, top, bottom;
    int32_t border;
    double value, alpha, before, after;
    gf_list colour;
};

static int64_t side(int64_t own, int64_t size)
{
    return own == GF_AUTO ? size : own;
}

static void lower(gf_lowering *l, const void *params)
{
    const struct pad *p = params;
    const gf_value_id v = gf_lower_input(l);
    const int64_t upright = gf_lower_shape(l, v).height == 1 ? 0 : p->size; /* a signal has one dimension */
    struct gf_outside outside = {(gf_border)p->border, p->value, p->alpha, {{0}, 0}};
    if (!gf_lowering_outside(l, v, &p->colour, &outside)) {
        return;
    }
    const gf_padding padding = {.left = side(p->left, p->size),
                                .right = side(p->right, p->size),
                                .top = side(p->top, upright),
                                .bottom = side(p->bottom, upright),
                                .border = outside.border,
                                .value = outside.value,
                                .alpha = outside.alpha,
                                .colour = outside.colour};
    if (p->before > 0 || p->after > 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "before= and after= are for signals, and this is a picture");
        return;
    }
    gf_lower_output(l, gf_lower_pad(l, v, &padding));
}

/* Where a time is given the size is not asked for. */
static void signal(gf_signal_lowering *l, const void *params)
{
    const struct pad *p = params;
    const int64_t size = p->before > 0 || p->after > 0 ? 0 : p->size;
    const struct gf_signal_shift shift = {
        .stop = INT64_MAX,
        .before = side(p->left, size) + gf_signal_lower_frames(l, "before", p->before),
        .after = side(p->right, size) + gf_signal_lower_frames(l, "after", p->after),
        .border = p->border == GF_BORDER_REPLICATE,
        .value = (float)p->value};
    if (p->top > 0 || p->bottom > 0) {
        gf_signal_lower_fail(l, p->top > 0 ? "top" : "bottom", "a signal has no top and no bottom");
    }
    if (p->colour.columns) {
        gf_signal_lower_fail(l, "colour", "a signal has no colour: value= says what the new frames are");
    }
    if (p->border != GF_BORDER_REPLICATE && p->border != GF_BORDER_CONSTANT) {
        gf_signal_lower_fail(l, "border", "a signal has border=replicate or border=constant");
    }
    gf_signal_lower_node(l, &gf_signal_shift, &shift, sizeof shift, NULL);
}

#define SIDE(word)                                                                                           \
    {                                                                                                        \
        GF_ROW_IN(INT, pad, word, "auto", 0, 1000000), .unit = "px", .auto_word = "auto",                    \
                                                       .help = "pixels on that side; auto: size"             \
    }

GF_PARAMS({GF_ROW_IN(INT, pad, size, "1", 0, 1000000), .unit = "px", .help = "pixels more on each side",
           .positional = 1},
          SIDE(left), SIDE(right), SIDE(top), SIDE(bottom),
          GF_OUTSIDE_ROWS(pad, "replicate", "what the new pixels are", "their"),
          {GF_ROW_IN(NUMBER, pad, before, "0", 0, 1e9), .unit = "s",
           .help = "of a signal: so long in front of it; then size does not count"},
          {GF_ROW_IN(NUMBER, pad, after, "0", 0, 1e9), .unit = "s", .help = "the same, behind it"});

GF_EXAMPLES({"pad:16:border=reflect101", "adds 16 pixels on each side, the picture mirrored at its edges"},
            {"pad:0:top=40:border=constant:value=1", "adds 40 white rows above"},
            {"pad:12:colour=#f80", "a frame of a colour; so is colour=orange, or rgb(255,136,0)"},
            {"pad:8:border=constant:alpha=0",
             "adds an edge that is transparent, where the picture has alpha"});

const gf_stage_type gf_stage_pad = {
    GF_STAGE_OF(pad),
    .group = "geometry",
    .summary = "more pixels on each side, or frames of a signal, by a border rule",
    .use = "To give a picture a size that a later program wants, or to see what windows read outside.",
    .formula =
        "out(x, y) = in(x - left, y - top), where a place outside the picture is read as windows read it\n"
        "with that border. constant: value or colour, an integer rounded half up. A signal (height 1) is "
        "padded along\n"
        "x only, unless top or bottom says otherwise. No bit of a sample of the picture changes.\n"
        "A file of a signal gets frames in front (left, before) and behind (right, after): silence by\n"
        "pad:before=250ms:after=1s:border=constant.",
    .lower = lower,
    .signal = signal,
};
