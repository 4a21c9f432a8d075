/* phase: the angle of complex numbers. */
#include "gpufilter/stage.h"
#include "lower/frequency_stage.h"

static void lower(gf_lowering *l, const void *params)
{
    (void)params;
    gf_lower_output(l, gf_lowering_polar(l, gf_lower_input(l), GF_INSN_ANGLE));
}

GF_EXAMPLES({"gray,alpha:drop,fft:centre=on,phase", "where the waves of a picture begin"});

const gf_stage_type gf_stage_phase = {
    GF_STAGE_NAMED(phase),
    .group = "whole",
    .summary = "the angle of complex numbers: of two channels, re and im, one, f32, in turns",
    .use = "Behind fft: how far waves are moved.",
    .formula = "The angle of (re, im) in turns, 0 to 1, 0.25 being i, as sobel:axis=angle makes it; 0 where "
               "both are 0.\n"
               "u8 and u16 become f32 in fractions of white first.",
    .lower = lower,
};
