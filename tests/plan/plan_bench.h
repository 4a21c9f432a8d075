/* plan_bench.h: one chain, bound and run on the CPU, in a context that counts its host memory. For one test
 * program, one thread. */
#ifndef PLAN_BENCH_H
#define PLAN_BENCH_H

#include "check.h"
#include "counted_memory.h"
#include "gpufilter/gpufilter.h"
#include "parity.h"
#include "plan_cases.h"

#include <stdlib.h>
#include <string.h>

/* ---- one bound chain ---- */

struct bench {
    gf_context *context;
    gf_pipeline *pipeline;
    gf_plan *plan;
    gf_exec *exec;
    struct parity_picture in, out;
    gf_error error;
};

static gf_status open_types(struct bench *b, const char *text, gf_shape shape, const gf_plan_options *options,
                            const gf_stage_type *const *types, int32_t n_types)
{
    const gf_context_options hooks = {sizeof hooks, NULL, counted_allocate, counted_release, NULL};
    *b = (struct bench){.error = GF_ERROR_INIT};
    memset(&memory, 0, sizeof memory);
    gf_status status = gf_context_create(&hooks, &b->context, &b->error);
    if (status == GF_OK) {
        status = gf_pipeline_parse(text, types, n_types, &b->pipeline, &b->error);
    }
    if (status == GF_OK) {
        status = gf_plan_create(b->context, b->pipeline, &shape, options, &b->plan, &b->error);
    }
    return status;
}

static gf_status open_bench(struct bench *b, const char *text, gf_shape shape, int32_t no_fuse)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    options.no_fuse = no_fuse;
    options.threads = 2;
    return open_types(b, text, shape, &options, NULL, 0);
}

static inline gf_status run_bench(struct bench *b)
{
    struct plan_random random;
    gf_shape in = gf_plan_input(b->plan), out = gf_plan_output(b->plan);
    plan_random_seed(&random, 1, 1);
    if (!parity_picture_make(&b->in, &in, 0) || !parity_picture_make(&b->out, &out, 0)) {
        return GF_ERROR_MEMORY;
    }
    plan_random_picture(&random, PLAN_SMOOTH, false, &b->in.image);
    gf_status status = gf_exec_create(b->plan, &b->exec, &b->error);
    return status == GF_OK ? gf_exec_run(b->exec, &b->in.image, &b->out.image, &b->error) : status;
}

static void close_bench(struct bench *b)
{
    gf_exec_destroy(&b->exec);
    gf_plan_destroy(&b->plan);
    gf_pipeline_destroy(&b->pipeline);
    gf_context_destroy(&b->context);
    parity_picture_free(&b->in);
    parity_picture_free(&b->out);
    check_that(memory.now == 0, __FILE__, __LINE__, "%zu bytes were not released", memory.now);
}

#endif
