/* What a plan is asked for, checked before anything is bound. */
#include "plan/plan_check.h"

#include "base/status.h"
#include "gpufilter/inputs.h"
#include "lang/pipeline.h"

static gf_status check_shape(const gf_shape *shape, gf_error *error)
{
    if (shape->width < 1 || shape->height < 1 || shape->width > INT32_MAX || shape->height > INT32_MAX) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "a picture is 1 to %d pixels wide and high, not %lld x %lld",
                       INT32_MAX, (long long)shape->width, (long long)shape->height);
    }
    if (shape->width > GF_MOST_PIXELS / shape->height) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "a picture has at most %lld pixels, not %lld x %lld",
                       (long long)GF_MOST_PIXELS, (long long)shape->width, (long long)shape->height);
    }
    if (shape->channels < 1 || shape->channels > 4) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "a picture has 1 to 4 channels, not %d", shape->channels);
    }
    if (!(gf_depth_white(shape->depth) > 0)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "a picture is u8, u16 or f32, not %s",
                       gf_depth_name(shape->depth));
    }
    return GF_OK;
}

gf_status gf_plan_check_options(const gf_plan_options *options, gf_error *error)
{
    if (options->device < GF_DEVICE_AUTO) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "device %d: must be auto (-3), reference (-2), cpu (-1) or the number of a GPU",
                       options->device);
    }
    if (options->alpha < GF_ALPHA_STRAIGHT || options->alpha > GF_ALPHA_NONE) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "alpha %d: must be straight, premul or none",
                       (int)options->alpha);
    }
    if (options->threads < 0 || options->threads > GF_MOST_THREADS) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "threads %d: must be 0, for one per processor, to %d",
                       options->threads, GF_MOST_THREADS);
    }
    if (options->band_rows < 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "band_rows %d: must not be negative", options->band_rows);
    }
    if (options->stream_rows < GF_STREAM_CHOSEN) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "stream_rows %lld: must be -1 or more",
                       (long long)options->stream_rows);
    }
    if (options->runs < 0 || !(options->busy_ms >= 0)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "runs and busy_ms must not be negative");
    }
    return GF_OK;
}

/* Checks input i, after "in". */
static gf_status check_other(const gf_pipeline *pipeline, int32_t i, const gf_shape *shape, gf_error *error)
{
    gf_error why = GF_ERROR_INIT;
    if (check_shape(shape, &why) == GF_OK) {
        return GF_OK;
    }
    return gf_fail(error, why.code, "input %d '%.200s': %s", i, gf_pipeline_input_name(pipeline, i),
                   why.message);
}

gf_status gf_plan_take_shapes(const gf_pipeline *pipeline, const gf_shape *input, gf_plan_options *options,
                              struct gf_plan_shapes *shapes, gf_error *error)
{
    int32_t n = gf_pipeline_input_count(pipeline);
    if (n > GF_MAX_INPUTS) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "a pipeline reads at most %d pictures beside IN, not %d",
                       GF_MAX_INPUTS - 1, n - 1);
    }
    if (options->n_other_inputs != n - 1 || (n > 1 && !options->other_inputs)) {
        int64_t given = options->other_inputs ? options->n_other_inputs : 0;
        const char *missing = given < n - 1 ? gf_pipeline_input_name(pipeline, (int32_t)given + 1) : NULL;
        return gf_fail(
            error, GF_ERROR_ARGUMENT,
            "the pipeline reads %d picture%s beside 'in', and gf_plan_options.other_inputs has the "
            "shapes of %lld%s%.200s",
            n - 1, n == 2 ? "" : "s", (long long)given, missing ? "; the next is " : "",
            missing ? missing : "");
    }
    GF_TRY(check_shape(input, error));
    shapes->n = n;
    shapes->of[0] = *input;
    for (int32_t i = 1; i < n; i++) {
        shapes->of[i] = options->other_inputs[i - 1];
        GF_TRY(check_other(pipeline, i, &shapes->of[i], error));
    }
    options->other_inputs = NULL; /* was borrowed */
    return GF_OK;
}
