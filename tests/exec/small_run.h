/* small_run.h: one of everything, small, for tests of single calls: "invert,stats" has run over 8 x 8 pixels.
 */
#ifndef SMALL_RUN_H
#define SMALL_RUN_H

#include "gpufilter/gpufilter.h"

static uint8_t pixels[64], made[64];
static gf_context *context;
static gf_pipeline *pipeline;
static gf_plan *plan;
static gf_exec *exec;
static gf_image in, out;
static gf_error e;

static gf_status open_small(void)
{
    gf_status status;
    e = (gf_error)GF_ERROR_INIT;
    in = gf_image_view(pixels, 8, 8, 1, GF_U8, 0);
    out = gf_image_view(made, 8, 8, 1, GF_U8, 0);
    (void)((status = gf_context_create(NULL, &context, &e)) == GF_OK &&
           (status = gf_pipeline_parse("invert,stats", NULL, 0, &pipeline, &e)) == GF_OK &&
           (status = gf_plan_create(context, pipeline, &in.shape, NULL, &plan, &e)) == GF_OK &&
           (status = gf_exec_create(plan, &exec, &e)) == GF_OK &&
           (status = gf_exec_run(exec, &in, &out, &e)) == GF_OK);
    return status;
}

static void close_small(void)
{
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
}

#endif
