/* dilate: the greatest sample of a window. */
#include "stages/morphology_along.h"

GF_EXAMPLES({"dilate:2", "replaces each sample by the greatest of the 5 x 5 samples around it"},
            {"dilate:width=9:height=1", "widens bright areas by four pixels to the left and right"},
            {"dilate:footprint=[0 1 0; 1 1 1; 0 1 0]", "looks at the four neighbours only"});

GF_MORPHOLOGY_ALONG(true, false, 0)

GF_MORPHOLOGY_STAGE(
    dilate, true, false, 0, .signal = signal, .summary = "greatest sample of a window: bright areas grow",
    .formula =
        "The greatest of the samples of the window of erode turned by half a turn: of an even width it lies\n"
        "from x - width / 2 to x + width / 2 - 1, and so down the rows. -0 is less than +0, and NaN is\n"
        "greater than all numbers. With the border replicate a sample outside the picture never decides in "
        "a\n"
        "shape. A signal (height 1) is looked at along x only, but for a footprint.",
    .use = "To make bright areas thicker, remove dark specks, or join bright areas that nearly touch.",
    .source = "Dilation by a flat structuring element, as in J. Serra, Image Analysis and Mathematical\n"
              "Morphology, 1982. SciPy turns the footprint, too; OpenCV does not.");
