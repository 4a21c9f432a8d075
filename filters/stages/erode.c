/* erode: the least sample of a window. */
#include "stages/morphology_along.h"

GF_EXAMPLES({"erode:2", "replaces each sample by the least of the 5 x 5 samples around it"},
            {"erode:width=9:height=1", "widens dark areas by four pixels to the left and right"},
            {"erode:4:shape=disk", "widens dark areas by four pixels in every direction"});

GF_MORPHOLOGY_ALONG(false, false, 0)

GF_MORPHOLOGY_STAGE(
    erode, false, false, 0, .signal = signal, .summary = "least sample of a window: dark areas grow",
    .formula =
        "The least of the samples of the window. Of an even width it lies from x - width / 2 + 1 to\n"
        "x + width / 2, and so down the rows. -0 is less than +0, and NaN is greater than all numbers. With\n"
        "the border replicate a sample outside the picture never decides in a shape. A signal (height 1) is\n"
        "looked at along x only, but for a footprint; a file of signals along time, with border=replicate.",
    .use = "To make bright areas thinner, remove bright specks, or part bright areas that touch.",
    .source =
        "Erosion by a flat structuring element, as in J. Serra, Image Analysis and Mathematical\n"
        "Morphology, 1982; computed by the blocks of M. van Herk, 1992, and J. Gil and M. Werman, 1993.");
