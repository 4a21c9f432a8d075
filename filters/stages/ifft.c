/* ifft: back from frequencies. */
#include "gpufilter/stage.h"
#include "lower/frequency_stage.h"

struct ifft {
    int32_t centre, real;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct ifft *p = params;
    const gf_value_id made = gf_lowering_fourier(l, gf_lower_input(l), 1, p->centre);
    gf_lower_output(l, p->real ? gf_lower_drop_alpha(l, made) : made);
}

GF_PARAMS({GF_ROW(BOOL, ifft, centre, "off"),
           .help = "frequency 0 is in the middle, as fft:centre=on has put it"},
          {GF_ROW(BOOL, ifft, real, "off"), .help = "only the real parts: one channel"});

GF_EXAMPLES({"gray,alpha:drop,fft,ifft:real=on", "there and back, in f32"});

const gf_stage_type gf_stage_ifft = {
    GF_STAGE_OF(ifft),
    .group = "whole",
    .summary = "back from the Fourier transform: two channels, re and im, or the real parts",
    .use = "Behind fft, once its numbers are weighted.",
    .source = "J. W. Cooley, J. W. Tukey, An algorithm for the machine calculation of complex Fourier "
              "series, 1965.",
    .formula =
        "v(x, y) = sum over k, l of X(k, l) exp(2 pi i (k x / width + l y / height)) / (width height): "
        "numpy.fft.ifft2.\n"
        "Of two channels, re and im, or of one, im being 0.",
    .lower = lower,
};
