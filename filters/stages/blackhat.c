/* blackhat: what close adds. */
#include "stages/morphology_along.h"

GF_EXAMPLES({"blackhat:20", "dark details on a background that changes slowly"},
            {"blackhat:12:shape=disk,invert", "dark writing on a page with shadows"});

GF_MORPHOLOGY_ALONG(true, true, 1)

GF_MORPHOLOGY_STAGE(blackhat, true, true, 1, .signal = signal, .summary = "what close adds: dark details",
                    .formula = "close(v) - v; u8 and u16 clamped at 0, f32 exact but for one rounding.",
                    .use = "To take an uneven background away from dark details, before a threshold.",
                    .source = "Black top-hat: F. Meyer, Contrast feature extraction, 1979.");
