/* open: erode, then dilate. */
#include "stages/morphology_along.h"

GF_EXAMPLES({"open:2", "removes bright specks of less than 5 x 5 pixels"},
            {"open:6:shape=disk", "keeps bright areas that a disk of 13 pixels fits into"});

GF_MORPHOLOGY_ALONG(false, true, 0)

GF_MORPHOLOGY_STAGE(
    open, false, true, 0, .signal = signal,
    .summary = "erode, then dilate: bright specks go, large areas keep their size",
    .formula =
        "dilate(erode(v)), the erosion of the whole picture, whatever roi= and channels= say of the result.\n"
        "The border counts twice: it extends v, and then the erosion.",
    .use = "To remove bright specks and thin bright lines and leave the outlines of what is larger.",
    .source = "Opening by a structuring element: G. Matheron, Random Sets and Integral Geometry, 1975.");
