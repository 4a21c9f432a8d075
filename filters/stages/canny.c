/* canny: thin edges that are connected with strong ones. */
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"

struct canny {
    double low, high, sigma;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct canny *p = params;
    gf_value_id v = gf_lower_input(l);
    const gf_alpha alpha = l->alpha;
    l->alpha = alpha == GF_ALPHA_PREMUL ? GF_ALPHA_STRAIGHT : alpha; /* edges are none of alpha */
    v = p->sigma > 0 ? gf_lower_gaussian(l, v, p->sigma, GF_AUTO) : v;
    gf_lower_output(l, gf_lower_canny(l, v, p->low * gf_lower_white(l, v), p->high * gf_lower_white(l, v)));
    l->alpha = alpha;
}

GF_PARAMS({GF_ROW_IN(INTENSITY, canny, low, "0.1", 0, 6),
           .help = "steepness above which there may be an edge; a step of black to white has 4",
           .positional = 1},
          {GF_ROW_IN(INTENSITY, canny, high, "0.2", 0, 6),
           .help = "steepness above which an edge is strong; at least low"},
          {GF_ROW_IN(NUMBER, canny, sigma, "1.4", 0, 10000), .unit = "px",
           .help = "standard deviation of the blur before it; 0: none"});

GF_EXAMPLES({"canny", "draws the outlines of a photograph, one pixel thin"},
            {"canny:100u8:high=200u8:sigma=0",
             "the same bytes as cv2.Canny(image, 100, 200, L2gradient=True)"},
            {"canny:5%:high=30%:sigma=3,dilate", "coarse outlines, followed far, three pixels wide"});

const gf_stage_type gf_stage_canny = {
    GF_STAGE_OF(canny),
    .group = "window",
    .summary = "outlines: thin edges that hang together with strong ones, white on black",
    .use =
        "Where lines are wanted, not a measure of steepness as of sobel: before tracing shapes, measuring\n"
        "them, or looking for straight lines. Raise low and high together against noise, low alone against "
        "loose ends.",
    .formula =
        "After the stage blur, where sigma is not 0: gx, [-1 0 1] along x and [1 2 1] along y, and gy, the\n"
        "transpose; not divided, so that a step of black to white has 4 white. An edge is a pixel whose\n"
        "gx^2 + gy^2 is above low^2, and above that of the two pixels beside it along the gradient, of the\n"
        "four directions the nearest one. What hangs together, also at corners, with one above high^2 is\n"
        "white, across the whole picture; all else is 0. Of colour the channel with the steepest gradient\n"
        "counts; the result is gray, without alpha. The border rule is that of blur and gradient; outside\n"
        "the picture nothing is steep. roi= is not taken: crop does that.",
    .source =
        "J. Canny, A Computational Approach to Edge Detection, 1986; with sigma=0 the bytes of OpenCV's\n"
        "Canny with L2gradient, for u8 and border replicate.",
    .flags = GF_STAGE_WINDOW | GF_STAGE_NO_ROI,
    .lower = lower,
};
