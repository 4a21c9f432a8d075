/* saturation: colours stronger or weaker. */
#include "gpufilter/stage.h"

struct saturation {
    double factor;
};

static void lower(gf_lowering *l, const void *params)
{
    static const double luma[3] = {0.299, 0.587, 0.114};
    const struct saturation *p = params;
    const gf_value_id v = gf_lower_input(l);
    double m[9];
    if (gf_lower_shape(l, v).channels < 3) {
        return; /* gray has no colour */
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            m[3 * r + c] = (1 - p->factor) * luma[c] + (r == c ? p->factor : 0);
        }
    }
    gf_lower_output(l, gf_lower_matrix(l, v, m, 3, 3));
}

GF_PARAMS({GF_ROW_IN(NUMBER, saturation, factor, "1", 0, 100),
           .help = "0 leaves gray, 1 changes nothing, above 1 colours are stronger", .positional = 1});

GF_EXAMPLES({"saturation:1.6", "stronger colours"}, {"saturation:0.3", "a faded picture"});

const gf_stage_type gf_stage_saturation = {
    GF_STAGE_OF(saturation),
    .group = "point",
    .summary = "colours stronger or weaker",
    .use = "To make dull pictures vivid, or to tone loud ones down; brightness stays.",
    .formula =
        "v -> y + factor (v - y), y = 0.299 r + 0.587 g + 0.114 b, as one matrix (stage matrix). Gray\n"
        "pictures, and alpha, stay as they are.",
    .lower = lower,
};
