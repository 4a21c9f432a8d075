/* What a pipeline is told before it is bound: by pixels, the area of a trim; by the file, the size of a
 * resize. */
#include "exec/exec.h"

#include "gpufilter/inputs.h"
#include "lang/pipeline.h"
#include "stages/resize_stage.h"
#include "stages/trim.h"

#include <string.h>

extern const gf_stage_type gf_stage_trim, gf_stage_bounds, gf_stage_convert, gf_stage_resize;

int32_t gf_pipeline_unsettled(const gf_pipeline *pipeline)
{
    for (int32_t i = 0; pipeline && i < pipeline->n; i++) {
        const struct gf_stage_node *node = &pipeline->nodes[i];
        if (node->type == &gf_stage_trim && ((const struct gf_trim *)node->params)->area.w == 0) {
            return i;
        }
    }
    return -1;
}

/* The stages before `stage`, and bounds with what that one looks for. */
static gf_status make_measure(const gf_pipeline *pipeline, int32_t stage, gf_pipeline **measure,
                              gf_error *error)
{
    const struct gf_trim *trim = pipeline->nodes[stage].params;
    GF_TRY(gf_pipeline_copy(pipeline, measure, error));
    while ((*measure)->n > stage) {
        gf_pipeline_drop(*measure);
    }
    GF_TRY(gf_pipeline_add(*measure, &gf_stage_bounds, error));
    memcpy((*measure)->nodes[stage].params, &trim->bounds, sizeof trim->bounds);
    if (gf_pipeline_input_count(*measure) > 1) {
        return gf_fail(
            error, GF_ERROR_UNSUPPORTED,
            "stage %d 'trim': what stays is looked for before other pictures are read, and a stage "
            "before it reads '%s': give area=, or trim in a run of its own",
            stage + 1, gf_pipeline_input_name(*measure, 1));
    }
    return GF_OK;
}

static int64_t number(const gf_result *result, int32_t field)
{
    return (int64_t)((const uint64_t *)result->fields[field].values)[0];
}

static gf_status measure_box(const gf_plan *plan, const gf_source *source, struct gf_trim *trim,
                             gf_error *error)
{
    gf_exec *exec = NULL;
    gf_status status = gf_exec_create(plan, &exec, error);
    status = status == GF_OK ? gf_exec_stream(exec, source, NULL, error) : status;
    if (status == GF_OK) {
        const gf_result *box = gf_exec_result(exec, gf_exec_result_count(exec) - 1);
        const gf_rect found = {
            .x = number(box, 0), .y = number(box, 1), .w = number(box, 2), .h = number(box, 3)};
        trim->area = gf_trim_area(trim, box->shape, found);
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
    status = status == GF_OK ? measure_box(plan, source, pipeline->nodes[stage].params, error) : status;
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
    gf_status status = gf_pipeline_copy(pipeline, &first, error);
    while (status == GF_OK && first->n > n) {
        gf_pipeline_drop(first);
    }
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
    const int32_t i = pipeline->n > 0 && pipeline->nodes[0].type == &gf_stage_convert;
    if (pipeline->n <= i || pipeline->nodes[i].type != &gf_stage_resize ||
        !gf_resize_keeps_all(pipeline->nodes[i].params)) {
        return GF_OK;
    }
    GF_TRY(first_output(context, pipeline, i + 1, in, size, error));
    gf_resize_fix(pipeline->nodes[i].params, in, size);
    return GF_OK;
}
