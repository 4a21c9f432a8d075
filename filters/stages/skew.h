/* skew, and deskew, which turns by what skew finds. */
#pragma once

#include "gpufilter/stage.h"

struct gf_skew {
    double max; /* degrees */
    gf_rect roi;
};

/* The rows that both have, of a struct whose gf_skew is at `at`. */
#define GF_SKEW_PARAMS(at)                                                                                   \
    {.name = "max",                                                                                          \
     .type = GF_PARAM_NUMBER,                                                                                \
     .offset = (at) + offsetof(struct gf_skew, max),                                                         \
     .text = "15",                                                                                           \
     .min = 0.1,                                                                                             \
     .max = 45,                                                                                              \
     .unit = "deg",                                                                                          \
     .help = "lines lean by no more than that, either way",                                                  \
     .positional = 1},                                                                                       \
    {                                                                                                        \
        .name = "roi", .type = GF_PARAM_RECT, .offset = (at) + offsetof(struct gf_skew, roi), .text = "",    \
        .help = "look for lines inside this rectangle only; default: the whole picture"                      \
    }
