/* A job that holds its pictures as a whole: for --verify, which compares them, and for a GPU, which is
 * fastest so.
 *
 * A device that the program chose may fail at any point; then the CPU finishes, with the same bits and one
 * warning. A device that the user ordered is an order. */
#include "job/job.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "job/limit_option.h"
#include "job/progress.h"

gf_status job_read_input(struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    gf_source source = job_source(job);
    gf_status status = gf_picture_create(&source.shape, &job->in, &error);
    if (status == GF_OK) {
        const gf_image *image = &job->in->image;
        status = source.rows(source.user, image->data, image->pitch, image->shape.height, &error);
    }
    return status == GF_OK ? job_finish_input(job) : limit_told(status, &error);
}

static gf_status try_plan(struct job *job, gf_error *error)
{
    double began = now_ms();
    gf_status status = gf_exec_create(job->plan, &job->exec, error);
    job->times.start += now_ms() - began;
    CLI_TRY(status);
    job_watch(job);
    CLI_TRY(job_set_others(job, error));
    return gf_exec_run(job->exec, &job->in->image, job->made ? &job->made->image : NULL, error);
}

static gf_status run_plan(struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    gf_shape shape = gf_plan_output(job->plan);
    gf_status status = GF_OK;
    bool makes = gf_pipeline_stage_count(job->pipeline) > 0 && !gf_plan_measures_only(job->plan);
    if (makes && job->options.out) {
        status = gf_picture_create(&shape, &job->made, &error);
    }
    if (status == GF_OK) {
        status = try_plan(job, &error);
        if (job_may_continue(job, status)) {
            status = job_continue_on_cpu(job, &error);
            status = status == GF_OK ? try_plan(job, &error) : status;
        }
    }
    return cli_told(status, &error);
}

/* ---- --verify ---- */

static gf_status try_judge(const struct job *job, const gf_image *in, const gf_image *out, gf_error *error)
{
    gf_mismatch mismatch = {.struct_size = sizeof mismatch};
    return gf_verify(job->exec, in, out, job->judge, &mismatch, error);
}

gf_status job_verify(struct job *job, const gf_image *in, const gf_image *out)
{
    gf_error error = GF_ERROR_INIT;
    char judge[24];
    job->judge = job->gpu_failed ? GF_DEVICE_REFERENCE : gf_verify_judge(job->plan);
    device_word(job->judge, judge);
    gf_status status = try_judge(job, in, out, &error);
    if (job->judge >= 0 && (status == GF_ERROR_DEVICE || status == GF_ERROR_MEMORY)) {
        cli_note("warning: %s failed: %s; verifying with the reference", judge, error.message);
        job->judge = GF_DEVICE_REFERENCE;
        device_word(job->judge, judge);
        status = try_judge(job, in, out, &error);
    }
    job->verified = status == GF_OK;
    return cli_told(status, &error);
}

static gf_status verify(struct job *job)
{
    char device[24], judge[24];
    if (!job->options.verify || gf_pipeline_stage_count(job->pipeline) == 0) {
        return GF_OK;
    }
    progress_set("verifying", 0, 0);
    CLI_TRY(job_verify(job, &job->in->image, job->made ? &job->made->image : NULL));
    device_word(gf_plan_device(job->plan), device);
    device_word(job->judge, judge);
    cli_note("verified: %s and %s give the same, bit for bit", device, judge);
    return GF_OK;
}

/* ---- the whole ---- */

static gf_status write_output(struct job *job)
{
    gf_status status = job_open_output(job);
    if (status != GF_OK || !job->writer) {
        return status;
    }
    gf_error error = GF_ERROR_INIT;
    job->in_bands = false; /* any more */
    gf_sink sink = job_sink(job);
    const gf_image *image = job->made ? &job->made->image : &job->in->image;
    status = sink.rows(sink.user, image->data, image->pitch, image->shape.height, &error);
    return cli_told(status, &error);
}

gf_status job_filter(struct job *job)
{
    CLI_TRY(job->in ? GF_OK : job_read_input(job)); /* a stage has looked at it before */
    CLI_TRY(run_plan(job));
    CLI_TRY(verify(job));
    return write_output(job);
}
