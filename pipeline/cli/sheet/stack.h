/* gpufilter stack: pictures of one size, pixel by pixel, as one. */
#pragma once

#include "gpufilter/gpufilter.h"
#include "gpufilter/io.h"

enum stack_rule { STACK_MEAN, STACK_MEDIAN, STACK_MAX, STACK_MIN };

struct stack {
    const char **paths; /* of `count` files, then OUT */
    int count;
    const char *out;
    enum stack_rule rule;
    gf_io_limits limits;
};

/* Makes the picture and writes it; says its own errors. */
gf_status stack_make(const struct stack *stack);
