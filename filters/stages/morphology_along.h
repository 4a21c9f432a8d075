/* What erode, dilate, open and close do to a signal: the same along time. */
#ifndef GF_MORPHOLOGY_ALONG_H
#define GF_MORPHOLOGY_ALONG_H

#include "lower/morphology_stage.h"
#include "signal/signal_lowering.h"

/* On a line every shape is 2 radius + 1 frames. */
static inline void gf_morphology_along(gf_signal_lowering *l, const struct gf_morphology_params *p,
                                       bool greatest, bool then_back)
{
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
    gf_signal_lower_rank(l, size, greatest ? size - 1 : 0);
    if (then_back) {
        gf_signal_lower_rank(l, size, greatest ? 0 : size - 1);
    }
}

#define GF_MORPHOLOGY_ALONG(greatest, then_back)                                                             \
    static void signal(gf_signal_lowering *l, const void *params)                                            \
    {                                                                                                        \
        gf_morphology_along(l, params, greatest, then_back);                                                 \
    }

#endif
