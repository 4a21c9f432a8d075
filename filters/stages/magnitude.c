/* magnitude: how large complex numbers are. */
#include "gpufilter/stage.h"
#include "lower/frequency_stage.h"

static void lower(gf_lowering *l, const void *params)
{
    (void)params;
    gf_lower_output(l, gf_lowering_polar(l, gf_lower_input(l), GF_INSN_MAGNITUDE));
}

GF_EXAMPLES({"gray,alpha:drop,fft:centre=on,magnitude,expr:\"log(v + 1) / 10\"", "the spectrum to look at"});

const gf_stage_type gf_stage_magnitude = {
    GF_STAGE_NAMED(magnitude),
    .group = "whole",
    .summary = "how large complex numbers are: of two channels, re and im, one, f32",
    .use = "Behind fft, to look at a spectrum.",
    .formula = "sqrt(re^2 + im^2), in f32. u8 and u16 become f32 in fractions of white first.",
    .lower = lower,
};
