/* laplacian: how far the neighbours lie above a pixel. */
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"

struct laplacian {
    double scale;
    int32_t neighbours, negative;
};

static void lower(gf_lowering *l, const void *params)
{
    static const double values[2][9] = {{0, 1, 0, 1, -4, 1, 0, 1, 0}, {1, 1, 1, 1, -8, 1, 1, 1, 1}};
    const struct laplacian *p = params;
    const gf_value_id v = gf_lower_input(l);
    const struct gf_conv_kernel kernel = {3, 3, values[p->neighbours], p->scale};
    const struct gf_conv_end end = {0, gf_negative_of(p->negative, gf_lower_shape(l, v).depth), false};
    gf_lower_output(l, gf_lowering_conv(l, v, &kernel, &end));
}

GF_PARAMS(
    {GF_ROW(CHOICE, laplacian, neighbours, "4"), .choices = "4|8",
     .help = "4: those beside, above and below; 8: those at the corners, too", .positional = 1},
    {GF_ROW(CHOICE, laplacian, negative, "auto"), .choices = GF_NEGATIVE_CHOICES,
     .help = "results below 0: absolute values, halved and moved to mid-gray, kept; auto: kept in f32, else "
             "absolute"},
    {GF_ROW_IN(NUMBER, laplacian, scale, "1", -1e9, 1e9),
     .help = "what the result is multiplied by; 1/4 keeps all of it between -white and white"});

GF_EXAMPLES({"gray,laplacian", "draws fine lines and specks white on black"},
            {"gray,blur:2,laplacian:8:scale=4:negative=offset",
             "edges as steps from dark to bright around mid-gray"});

const gf_stage_type gf_stage_laplacian = {
    GF_STAGE_OF(laplacian),
    .group = "window",
    .summary = "second derivative: lines and specks, and where edges turn",
    .use = "To find lines, specks and the middle of edges, or to measure sharpness: the variance of the "
           "result in f32.",
    .source =
        "The five and nine point formulas; neighbours=4 is SciPy's ndimage.laplace and OpenCV's Laplacian.",
    .formula =
        "scale times conv with [0 1 0; 1 -4 1; 0 1 0], or [1 1 1; 1 -8 1; 1 1 1]; as negative= says its\n"
        "absolute value, half of it plus white / 2, or itself (below 0 becomes 0 at u8 and u16). Not "
        "rounded\n"
        "before that; the result is, half to even. Alpha is never premultiplied here.",
    .flags = GF_STAGE_WINDOW,
    .lower = lower,
};
