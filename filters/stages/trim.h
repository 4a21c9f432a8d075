/* trim and bounds: what is not border. trim is cut by area=, which bounds finds; a pipeline with a trim that
 * has none waits for pixels (gf_pipeline_settle). */
#ifndef GF_FILTERS_TRIM_H
#define GF_FILTERS_TRIM_H

#include "gpufilter/stage.h"

struct gf_bounds {
    double tolerance;
    gf_list colour;
};

struct gf_trim {
    struct gf_bounds bounds;
    int64_t margin;
    gf_rect area; /* w = 0: not found yet */
};

/* What of a picture of that size stays around a box of bounds; of an empty box all. */
gf_rect gf_trim_area(const struct gf_trim *trim, gf_shape shape, gf_rect box);

/* The rows that both have, of a struct whose gf_bounds are at `at`. */
#define GF_BOUNDS_PARAMS(at)                                                                                 \
    {.name = "tolerance",                                                                                    \
     .type = GF_PARAM_INTENSITY,                                                                             \
     .offset = (at) + offsetof(struct gf_bounds, tolerance),                                                 \
     .text = "0",                                                                                            \
     .min = 0,                                                                                               \
     .max = 1,                                                                                               \
     .help = "how far a channel of the border may lie from the border's colour",                             \
     .positional = 1},                                                                                       \
    {                                                                                                        \
        .name = "colour", .type = GF_PARAM_LIST, .offset = (at) + offsetof(struct gf_bounds, colour),        \
        .text = "", .max = 1, .choices = "1x1|1x3",                                                          \
        .help = "the border's, in fractions of white; default: that of the upper left pixel"                 \
    }

#endif
