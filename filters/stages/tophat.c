/* tophat: what open takes away. */
#include "stages/morphology_along.h"

GF_EXAMPLES({"tophat:20", "bright details on a background that changes slowly"},
            {"tophat:15:shape=disk,threshold:otsu", "finds bright spots where the light is uneven"});

GF_MORPHOLOGY_ALONG(false, true, -1)

GF_MORPHOLOGY_STAGE(tophat, false, true, -1, .signal = signal,
                    .summary = "what open takes away: bright details",
                    .formula = "v - open(v); u8 and u16 clamped at 0, f32 exact but for one rounding.",
                    .use = "To take an uneven background away from bright details, before a threshold.",
                    .source = "White top-hat: F. Meyer, Contrast feature extraction, 1979.");
