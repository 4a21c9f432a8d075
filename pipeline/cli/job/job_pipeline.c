/* Turns the words of the user into a plan: --compute and --depth become stages, and so does what the output's
 * format cannot hold. */
#include "job/job.h"

#include "base/message.h"
#include "job/limit_option.h"

#include <stdio.h>

gf_alpha job_alpha(const struct job *job)
{
    return job->options.has_alpha ? job->options.alpha : job->info.alpha;
}

gf_status job_parse(struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    gf_status status = job->options.has_stages
                           ? gf_pipeline_parse(job->options.stages.text.data, NULL, 0, &job->pipeline, &error)
                           : gf_pipeline_create(&job->pipeline, &error);
    return status == GF_OK ? GF_OK : stages_text_fail(&job->options.stages, status, &error);
}

static gf_status append_convert(struct job *job, gf_depth depth)
{
    gf_error error = GF_ERROR_INIT;
    return cli_told(gf_pipeline_append(job->pipeline, gf_stage_find("convert"), gf_depth_name(depth), &error),
                    &error);
}

/* Puts convert:f32 before the first stage: the pipeline's text is read again behind it. */
static gf_status prepend_f32(struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    struct buffer text = {0};
    buffer_add(&text, "convert:f32,\n");
    gf_status status = buffer_add_pipeline(&text, job->pipeline, GF_PRINT_TEXT, &error);
    if (status == GF_OK && text.failed) {
        snprintf(error.message, sizeof error.message, "out of memory");
        status = GF_ERROR_MEMORY;
    }
    gf_pipeline *longer = NULL;
    if (status == GF_OK) {
        status = gf_pipeline_parse(text.data, NULL, 0, &longer, &error);
    }
    buffer_free(&text);
    CLI_TRY(cli_told(status, &error));
    gf_pipeline_destroy(&job->pipeline);
    job->pipeline = longer;
    job->is_rewritten = true;
    return job->options.in ? job_read_lists(job) : GF_OK;
}

gf_status job_complete(struct job *job, gf_depth input)
{
    bool compute = job->options.compute_f32 && input != GF_F32 && gf_pipeline_stage_count(job->pipeline) > 0;
    gf_status status = compute ? prepend_f32(job) : GF_OK;
    if (status == GF_OK && job->options.depth != JOB_NO_DEPTH) {
        return append_convert(job, (gf_depth)job->options.depth);
    }
    return status == GF_OK && compute ? append_convert(job, input) : status;
}

/* Binds to a device and, depending on it, in bands. */
static gf_status bind(struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = gf_pipeline_stage_count(job->pipeline) ? job->options.device : GF_DEVICE_CPU;
    options.alpha = job_alpha(job);
    options.no_fuse = job->options.no_fuse;
    options.threads = job->options.threads;
    options.memory_limit = job->options.memory;
    options.busy_ms = gf_io_read_time(&job->info);
    options.stream_rows = job->options.verify || job->whole ? 0 : GF_STREAM_CHOSEN;
    options.runs = job->options.runs;
    options.other_inputs = job->other_shapes;
    options.n_other_inputs = job->n_others;
    gf_plan_destroy(&job->plan);
    gf_status status = GF_OK;
    if (job->shrunk.width > 0) { /* which no text says */
        status = gf_pipeline_fix_size(job->context, job->pipeline, &job->shrunk, &(gf_shape){0}, &error);
    }
    status = status == GF_OK
                 ? gf_plan_create(job->context, job->pipeline, &job->info.shape, &options, &job->plan, &error)
                 : status;
    if (status != GF_OK) {
        return job->is_rewritten || status == GF_ERROR_MEMORY
                   ? limit_told(status, &error)
                   : stages_text_fail(&job->options.stages, status, &error);
    }
    job_choose_stream(job);
    return GF_OK;
}

/* Checks whether OUT can be written at all, before pixels are read. */
static gf_status check_output_shape(const struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    gf_shape shape = gf_plan_output(job->plan);
    shape.depth = gf_io_nearest_depth(job->format, shape.depth);
    return cli_told(gf_io_format_holds(job->format, &shape, job->options.out, &error), &error);
}

/* --compute changes how it is computed and not what the user's stages mean: they must suit the depth of IN,
 * too. What does not shows in the user's own text then. */
static gf_status check_as_given(struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    gf_plan *plan = NULL;
    options.device = GF_DEVICE_CPU;
    options.alpha = job_alpha(job);
    options.other_inputs = job->other_shapes;
    options.n_other_inputs = job->n_others;
    gf_status status = gf_plan_create(job->context, job->pipeline, &job->info.shape, &options, &plan, &error);
    gf_plan_destroy(&plan);
    return status == GF_OK ? GF_OK : stages_text_fail(&job->options.stages, status, &error);
}

gf_status job_plan(struct job *job)
{
    bool compute = job->options.compute_f32 && gf_pipeline_stage_count(job->pipeline) > 0;
    gf_status status = compute ? check_as_given(job) : GF_OK;
    status = status == GF_OK ? job_complete(job, job->info.shape.depth) : status;
    status = status == GF_OK ? bind(job) : status;
    if (status != GF_OK || !job->format) {
        return status;
    }
    CLI_TRY(check_output_shape(job));
    gf_depth depth = gf_plan_output(job->plan).depth;
    gf_depth holds = gf_io_nearest_depth(job->format, depth);
    if (holds == depth) {
        return GF_OK;
    }
    if (!(gf_depth_white(depth) > 0)) { /* numbers that no scale makes a picture of */
        return cli_fail(GF_ERROR_UNSUPPORTED,
                        "%s: %s does not hold %s, the numbers that the last stage makes\n"
                        "  .npy does: OUT.npy, or --format npy%s",
                        job_out_name(job), job->format->name, gf_depth_name(depth),
                        depth == GF_U32 ? "; label:output=mask, keep and colours are pictures" : "");
    }
    cli_note("note: %s: %s does not hold %s, so convert:%s is added", job_out_name(job), job->format->name,
             gf_depth_name(depth), gf_depth_name(holds));
    status = append_convert(job, holds);
    return status == GF_OK ? bind(job) : status;
}
