/* close: dilate, then erode. */
#include "stages/morphology_along.h"

GF_EXAMPLES({"close:2", "fills dark holes of less than 5 x 5 pixels"},
            {"threshold:otsu,close:shape=disk:radius=5", "joins the letters of a line"});

GF_MORPHOLOGY_ALONG(true, true, 0)

GF_MORPHOLOGY_STAGE(
    close, true, true, 0, .signal = signal,
    .summary = "dilate, then erode: dark specks go, large areas keep their size",
    .formula = "erode(dilate(v)), the dilation of the whole picture, whatever roi= and channels= say of the "
               "result.\n"
               "The border counts twice: it extends v, and then the dilation.",
    .use = "To fill dark holes and gaps and leave the outlines of what is larger.",
    .source = "Closing by a structuring element: G. Matheron, Random Sets and Integral Geometry, 1975.");
