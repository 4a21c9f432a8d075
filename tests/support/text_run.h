/* text_run.h: a --stages text run once on a picture by the default device, with all that it takes. */
#ifndef TEXT_RUN_H
#define TEXT_RUN_H

#include "gpufilter/gpufilter.h"

struct text_run {
    gf_context *context;
    gf_pipeline *pipeline;
    gf_plan *plan;
    gf_exec *exec; /* has the results until it is closed */
};

/* Runs the text on `in`; *out has room for its samples, or is NULL: results only. To be closed whatever is
 * returned. */
static inline gf_status text_run_open(struct text_run *run, const char *text, const gf_image *in,
                                      gf_image *out, gf_error *error)
{
    *run = (struct text_run){NULL, NULL, NULL, NULL};
    gf_status status = gf_context_create(NULL, &run->context, error);
    status = status ? status : gf_pipeline_parse(text, NULL, 0, &run->pipeline, error);
    status =
        status ? status : gf_plan_create(run->context, run->pipeline, &in->shape, NULL, &run->plan, error);
    status = status ? status : gf_exec_create(run->plan, &run->exec, error);
    return status ? status : gf_exec_run(run->exec, in, out, error);
}

static inline void text_run_close(struct text_run *run)
{
    gf_exec_destroy(&run->exec);
    gf_plan_destroy(&run->plan);
    gf_pipeline_destroy(&run->pipeline);
    gf_context_destroy(&run->context);
}

static inline gf_status text_run_once(const char *text, const gf_image *in, gf_image *out, gf_error *error)
{
    struct text_run run;
    gf_status status = text_run_open(&run, text, in, out, error);
    text_run_close(&run);
    return status;
}

#endif
