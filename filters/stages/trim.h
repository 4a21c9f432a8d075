/* bounds, and trim, which cuts to what bounds finds. */
#pragma once

#include "gpufilter/stage.h"

struct gf_bounds {
    double tolerance;
    gf_list colour;
};

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
        .text = "", .max = 1, .choices = "1x1|1x3", .unit = "colour",                                        \
        .help = "the border's; default: that of the upper left pixel"                                        \
    }
