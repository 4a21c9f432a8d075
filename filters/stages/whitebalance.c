/* whitebalance: the cast of the light taken away. */
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"

enum method { GRAY, WHITE };

struct whitebalance {
    int32_t method;
    double percentile;
};

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    const float *factors = m->blocks[0];
    double *gain = gf_result_f64(builder, "gain", __builtin_popcount(m->channels), 1);
    for (int32_t c = 0; gain && c < m->shape.channels; c++) {
        if (m->channels >> c & 1) {
            *gain++ = (double)factors[c];
        }
    }
}

static void lower(gf_lowering *l, const void *params)
{
    const struct whitebalance *p = params;
    const gf_value_id v = gf_lower_input(l);
    if (p->method == GRAY && p->percentile != 99) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "percentile belongs to method=white");
        return;
    }
    const gf_value_id factors = gf_lowering_balance(l, v, p->method == GRAY, p->percentile);
    if (factors) {
        gf_lower_output(l, gf_lowering_gain_block(l, v, factors));
        gf_lower_result(l, v, &factors, 1, finish);
    }
}

GF_PARAMS({GF_ROW(CHOICE, whitebalance, method, "white"), .choices = "gray|white",
           .help = "gray: the mean colour becomes gray; white: the brightest samples become white",
           .positional = 1},
          {GF_ROW_IN(NUMBER, whitebalance, percentile, "99", 0, 100), .unit = "%",
           .help = "white: the percentile of each colour that becomes white"});

GF_FIELDS({"gain", GF_F64, 1, "1", "by what the channel was multiplied"});

GF_EXAMPLES({"whitebalance:percentile=95",
             "paper, snow and clouds are white; the brightest twentieth is lamps and glare"},
            {"whitebalance:gray", "so that the mean colour is gray, as of a scene of many colours"},
            {"linear,whitebalance,srgb",
             "the same in light, where a cast is a factor; convert:u16 before keeps levels"});

const gf_stage_type gf_stage_whitebalance = {
    GF_STAGE_OF(whitebalance),
    .aliases = "wb",
    .group = "point",
    .summary = "takes a cast of colour away, by gray or by white",
    .use =
        "For photographs under lamps or in shade. white wants something bright without colour that is not\n"
        "overexposed, gray a scene of many colours: a picture of mostly one becomes its complement. Where "
        "the factors are known, gain multiplies by them.",
    .source = "G. Buchsbaum, A Spatial Processor Model for Object Colour Perception, 1980 (gray); E. Land, "
              "J. McCann, 1971 (white).",
    .formula = "v -> gain v, a gain for each colour. gray: the mean of the channels' means, divided by the "
               "channel's "
               "own.\n"
               "white: white divided by the channel's percentile, as of the stage percentiles. In f64, "
               "rounded to f32;\n"
               "1 where a channel is black. Measured and applied inside roi. The gains are a result.",
    .flags = GF_STAGE_POINT,
    .lower = lower,
    .fields = fields,
};
