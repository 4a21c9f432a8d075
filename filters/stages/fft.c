/* fft: the frequencies of a picture. */
#include "gpufilter/stage.h"
#include "lower/frequency_stage.h"

struct fft {
    int32_t centre;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct fft *p = params;
    gf_lower_output(l, gf_lowering_fourier(l, gf_lower_input(l), 0, p->centre));
}

GF_PARAMS({GF_ROW(BOOL, fft, centre, "off"),
           .help = "frequency 0 in the middle, at (width / 2, height / 2), not at (0, 0)"});

GF_EXAMPLES({"gray,alpha:drop,fft:centre=on,magnitude,expr:\"log(v + 1) / 10\"",
             "the spectrum to look at: waves are pairs of spots"},
            {"gray,alpha:drop,fft,expr:\"if(v*v+a*a<25,0,v);if(c0*c0+v*v<25,0,v)\",ifft:real=on",
             "there and back, without waves whose magnitude is less than 5"});

const gf_stage_type gf_stage_fft = {
    GF_STAGE_OF(fft),
    .group = "whole",
    .summary = "the Fourier transform of a picture: two channels, re and im, f32",
    .use = "To look at frequencies, or to weigh them; ifft goes back. im is where alpha was: to weigh it, "
           "too,\n"
           "mask needs channels=all, and expr a formula a channel. A filter that is a disk or a ring is "
           "frequency, one that\n"
           "takes waves away notch.",
    .source = "J. W. Cooley, J. W. Tukey, An algorithm for the machine calculation of complex Fourier "
              "series, 1965.",
    .formula =
        "X(k, l) = sum over x, y of v(x, y) exp(-2 pi i (k x / width + l y / height)), v as f32 in "
        "fractions of white:\n"
        "numpy.fft.fft2, centre=on fftshift of it. Of one channel, or of two of f32, which are re and im and "
        "not alpha.\n"
        "Any size, and not extended. Only .npy keeps two channels with signs.",
    .lower = lower,
};
