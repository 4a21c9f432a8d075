/* Parameters that a pipeline is told before it is bound: by pixels (settle), or by the file (fix_size). */
#include "exec/exec.h"

#include "gpufilter/inputs.h"
#include "lang/pipeline.h"
#include "param/params.h"

#include <string.h>

int32_t gf_pipeline_unsettled(const gf_pipeline *pipeline)
{
    for (int32_t i = 0; pipeline && i < pipeline->n; i++) {
        const gf_stage_settle *settle = gf_stage_settle_of(pipeline->nodes[i].type);
        if (settle && settle->waits(pipeline->nodes[i].params)) {
            return i;
        }
    }
    return -1;
}

/* The first n stages. */
static gf_status first_stages(const gf_pipeline *pipeline, int32_t n, gf_pipeline **first, gf_error *error)
{
    GF_TRY(gf_pipeline_copy(pipeline, first, error));
    while ((*first)->n > n) {
        gf_pipeline_drop(*first);
    }
    return GF_OK;
}

/* The stages before `stage`, and the one that measures for it. */
static gf_status make_measure(const gf_pipeline *pipeline, int32_t stage, gf_pipeline **measure,
                              gf_error *error)
{
    const struct gf_stage_node *node = &pipeline->nodes[stage];
    const gf_stage_settle *settle = gf_stage_settle_of(node->type);
    GF_TRY(first_stages(pipeline, stage, measure, error));
    GF_TRY(gf_pipeline_append(*measure, settle->measure, NULL, error));
    if (settle->measure->params_size > 0) {
        memcpy((*measure)->nodes[stage].params, (const char *)node->params + settle->offset,
               settle->measure->params_size);
    }
    if (gf_pipeline_input_count(*measure) > 1) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "stage %d '%s': %s= is looked for before other pictures are read, and a stage before "
                       "it reads '%s': give %s=, or %s in a run of its own",
                       stage + 1, node->type->name, settle->parameter, gf_pipeline_input_name(*measure, 1),
                       settle->parameter, node->type->name);
    }
    return GF_OK;
}

static gf_status run_measure(const gf_plan *plan, const gf_source *source, const gf_pipeline *pipeline,
                             int32_t stage, gf_error *error)
{
    const struct gf_stage_node *node = &pipeline->nodes[stage];
    gf_exec *exec = NULL;
    gf_status status = gf_exec_create(plan, &exec, error);
    status = status == GF_OK ? gf_exec_stream(exec, source, NULL, error) : status;
    const gf_result *found = status == GF_OK ? gf_exec_result(exec, gf_exec_result_count(exec) - 1) : NULL;
    if (found && found->index == stage) {
        gf_stage_settle_of(node->type)->store(node->params, found);
    } else if (status == GF_OK) {
        status =
            gf_fail(error, GF_ERROR_ARGUMENT, "stage %d '%s': the stage that measures for it has no result",
                    stage + 1, node->type->name);
    }
    gf_exec_destroy(&exec);
    return status;
}

gf_status gf_pipeline_settle(gf_context *context, gf_pipeline *pipeline, const gf_source *source,
                             const gf_plan_options *options, gf_error *error)
{
    gf_plan_options own = GF_PLAN_OPTIONS_INIT;
    gf_pipeline *measure = NULL;
    gf_plan *plan = NULL;
    const int32_t stage = gf_pipeline_unsettled(pipeline);
    if (!context || !pipeline || !source) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "context, pipeline and source must not be NULL");
    }
    if (stage < 0) {
        return GF_OK;
    }
    own = options ? *options : own;
    own.other_inputs = NULL;
    own.n_other_inputs = 0;
    gf_status status = make_measure(pipeline, stage, &measure, error);
    status = status == GF_OK ? gf_plan_create(context, measure, &source->shape, &own, &plan, error) : status;
    status = status == GF_OK ? run_measure(plan, source, pipeline, stage, error) : status;
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&measure);
    return status;
}

/* ---- files that can be read smaller ---- */

/* The shape that the first n stages make of a picture. */
static gf_status first_output(gf_context *context, const gf_pipeline *pipeline, int32_t n, const gf_shape *in,
                              gf_shape *out, gf_error *error)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    gf_pipeline *first = NULL;
    gf_plan *plan = NULL;
    options.device = GF_DEVICE_CPU;
    gf_status status = first_stages(pipeline, n, &first, error);
    status = status == GF_OK ? gf_plan_create(context, first, in, &options, &plan, error) : status;
    if (status == GF_OK) {
        *out = gf_plan_output(plan);
    }
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&first);
    return status;
}

gf_status gf_pipeline_fix_size(gf_context *context, gf_pipeline *pipeline, const gf_shape *in, gf_shape *size,
                               gf_error *error)
{
    if (!context || !pipeline || !in || !size) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "context, pipeline, in and size must not be NULL");
    }
    *size = *in;
    const int32_t i = pipeline->n > 0 && pipeline->nodes[0].type->flags & GF_STAGE_DEPTH;
    const struct gf_stage_node *node = i < pipeline->n ? &pipeline->nodes[i] : NULL;
    const bool reads_in = /* as it is, beside what is made of it */
        gf_pipeline_refuse_input(pipeline, 0, GF_ERROR_INPUT, "", NULL) == GF_ERROR_INPUT ||
        (i > 0 && pipeline->nodes[0].common.save[0]);
    if (!node || reads_in || !gf_stage_fix_size(node->type, node->params, NULL, NULL)) {
        return GF_OK;
    }
    GF_TRY(first_output(context, pipeline, i + 1, in, size, error));
    gf_stage_fix_size(node->type, node->params, in, size);
    return GF_OK;
}
