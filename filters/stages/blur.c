/* blur: Gaussian. */
#include "pixel/ir/gaussian.h"
#include "signal/signal_lowering.h"

struct blur {
    double sigma;
    int64_t radius;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct blur *p = params;
    gf_lower_output(l, gf_lower_gaussian(l, gf_lower_input(l), p->sigma, p->radius));
}

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct blur *p = params;
    const int64_t radius = p->radius == GF_AUTO ? gf_gaussian_radius(p->sigma) : p->radius;
    float *tap = gf_signal_lower_fir(l, 2 * radius + 1, radius, gf_signal_lower_border(l));
    if (tap) {
        gf_gaussian_weights(p->sigma, radius, tap);
    }
}

GF_PARAMS({GF_ROW_IN(NUMBER, blur, sigma, "1", 0.05, 10000), .unit = "px", .help = "standard deviation",
           .positional = 1},
          {GF_ROW_IN(INT, blur, radius, "auto", 0, 1000000), .unit = "px", .auto_word = "auto",
           .help = "taps on each side; auto: floor(4 sigma + 0.5), or from sigma 8 on no end"});

GF_EXAMPLES({"blur:2", "softens the picture, and removes fine noise"},
            {"blur:12:roi=110x140+170+50", "makes one rectangle, a face or a number plate, unreadable"},
            {"blur:12:roi=ellipse@110x140+170+50:feather=20", "the same in an ellipse with a soft edge"});

const gf_stage_type gf_stage_blur = {
    GF_STAGE_OF(blur),
    .aliases = "gaussian|gblur",
    .group = "window",
    .summary = "Gaussian blur",
    .use =
        "Against noise before edges and thresholds, and to look at larger structures only. The same in all\n"
        "directions, unlike box.",
    .source =
        "From sigma 8 on: P. J. Burt, Fast Filter Transforms for Image Processing, CGIP 16, 1981 (sampling\n"
        "down and up by Gaussians).",
    .formula =
        "Correlation with w[i] = exp(-i^2 / (2 sigma^2)), |i| <= radius, normalised, along x then y.\n"
        "u8: 32-bit fixed point, within 1 of the real value; u16, f32: one ascending fma chain.\n"
        "From sigma 8 on, without radius=: sampled down, blurred, sampled up, in f32 (docs/exactness.md).\n"
        "A signal (height 1) is blurred along x only. Files of signals are, by a sum of products in f32, "
        "along\n"
        "time, whatever sigma, with border=replicate or zeros.",
    .flags = GF_STAGE_WINDOW,
    .lower = lower,
    .signal = signal,
};
