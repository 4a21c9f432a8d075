/* text_run.h: a --stages text run once on a picture by the default device, with all that it takes. */
#ifndef TEXT_RUN_H
#define TEXT_RUN_H

#include "check.h"
#include "gpufilter/gpufilter.h"

#include <string.h>

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

/* Each text is an error whose message has what stands behind it. */
static inline void text_run_refused(const char *const (*runs)[2], size_t n, const gf_image *in, gf_image *out)
{
    for (size_t i = 0; i < n; i++) {
        gf_error error = GF_ERROR_INIT;
        CHECK(text_run_once(runs[i][0], in, out, &error) != GF_OK);
        CHECK_MSG(strstr(error.message, runs[i][1]) != NULL, "%s: %s", runs[i][0], error.message);
    }
}

#endif
