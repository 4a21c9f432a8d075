/* rotate, and deskew, which turns as rotate does. */
#pragma once

#include "gpufilter/stage.h"

struct rotate {
    double angle;
    int32_t expand, filter, border;
    double value, alpha;
    gf_list colour;
};

/* lower() of rotate, of a struct rotate. */
void gf_rotate_lower(gf_lowering *l, const void *params);
