/* What a plan is asked for, checked before anything is bound. */
#pragma once

#include "gpufilter/pipeline.h"
#include "lower/lowering.h"

/* The pictures that a pipeline reads, by their shapes. */
struct gf_plan_shapes {
    gf_shape of[GF_MAX_INPUTS];
    int32_t n;
};

gf_status gf_plan_check_options(const gf_plan_options *options, gf_error *error);

/* The shapes of all inputs of the pipeline, which must have been given, and can be pictures; what the options
 * borrow for that is gone afterwards. */
gf_status gf_plan_take_shapes(const gf_pipeline *pipeline, const gf_shape *input, gf_plan_options *options,
                              struct gf_plan_shapes *shapes, gf_error *error);
