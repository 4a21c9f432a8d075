/* What stages of morphology do to a signal: the same along time. */
#pragma once

#include "lower/morphology_stage.h"
#include "signal/signal_lowering.h"

/* On a line every shape is 2 radius + 1 frames. */
static inline void gf_morphology_along(gf_signal_lowering *l, const struct gf_morphology_params *p,
                                       struct gf_morphology_way way)
{
    const bool greatest = way.greatest;
    const int64_t size = p->width ? p->width : 2 * p->radius + 1;
    if (!gf_signal_lower_border(l)) {
        gf_signal_lower_fail(l, "border", "of a signal it has border=replicate");
    }
    if (p->height || p->footprint.rows > 0) {
        gf_signal_lower_fail(
            l, p->height ? "height" : "footprint",
            "%s= is for pictures: a signal has radius= or width=", p->height ? "height" : "footprint");
    }
    if (size % 2 == 0) {
        gf_signal_lower_fail(l, "width", "width is %d, must be odd of a signal", (int)size);
    }
    if (way.sign) {
        gf_signal_lower_beside(l);
    }
    gf_signal_lower_rank(l, size, greatest ? size - 1 : 0);
    if (way.then_back) {
        gf_signal_lower_rank(l, size, greatest ? 0 : size - 1);
    }
    if (way.sign) {
        gf_signal_lower_difference(l, way.sign);
    }
}

#define GF_MORPHOLOGY_ALONG(greatest, then_back, sign)                                                       \
    static void signal(gf_signal_lowering *l, const void *params)                                            \
    {                                                                                                        \
        gf_morphology_along(l, params, (struct gf_morphology_way){greatest, then_back, sign});               \
    }
