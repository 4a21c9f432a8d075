/* The work of a job: the plan runs, and --verify computes it again.
 *
 * A device that the program chose may fail at any point; then the CPU finishes, with the same bits and one
 * warning. A device that the user ordered is an order. */
#include "job.h"

#include "argument_value.h"
#include "message.h"

#include <stdio.h>

static bool is_failed_device(gf_device device, gf_status status)
{
    return device >= 0 && (status == GF_ERROR_DEVICE || status == GF_ERROR_MEMORY);
}

static gf_status try_plan(struct job *job, gf_error *error)
{
    double began = now_ms();
    gf_status status = gf_exec_create(job->plan, &job->exec, error);
    job->times.start += now_ms() - began;
    return status == GF_OK
               ? gf_exec_run(job->exec, &job->in->image, job->made ? &job->made->image : NULL, error)
               : status;
}

/* The same on the CPU, over the same pictures. */
static gf_status continue_on_cpu(struct job *job, gf_error *error)
{
    char device[24], reason[sizeof error->message + 64];
    device_word(gf_plan_device(job->plan), device);
    snprintf(reason, sizeof reason, "%s failed: %s", device, error->message);
    cli_note("warning: %s; continuing on the CPU", reason);
    gf_exec_destroy(&job->exec);
    gf_plan *plan = NULL;
    gf_status status = gf_plan_rebind(job->plan, GF_DEVICE_CPU, reason, &plan, error);
    if (status != GF_OK) {
        return status;
    }
    gf_plan_destroy(&job->plan);
    job->plan = plan;
    job->gpu_failed = true;
    return try_plan(job, error);
}

gf_status job_filter(struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    bool has_stages = gf_pipeline_stage_count(job->pipeline) > 0;
    gf_shape shape = gf_plan_output(job->plan);
    gf_status status = GF_OK;
    if (has_stages && job->options.out && !gf_plan_measures_only(job->plan)) {
        status = gf_picture_create(&shape, &job->made, &error);
    }
    if (has_stages && status == GF_OK) {
        status = try_plan(job, &error);
        if (job->options.device == GF_DEVICE_AUTO && is_failed_device(gf_plan_device(job->plan), status)) {
            status = continue_on_cpu(job, &error);
        }
    }
    if (status != GF_OK) {
        return cli_fail_error(status, &error);
    }
    if (job->options.out) {
        job->result = job->made ? &job->made->image : &job->in->image;
    }
    return GF_OK;
}

static gf_status try_judge(const struct job *job, gf_error *error)
{
    gf_mismatch mismatch = {.struct_size = sizeof mismatch};
    return gf_verify(job->exec, &job->in->image, job->made ? &job->made->image : NULL, job->judge, &mismatch,
                     error);
}

gf_status job_verify(struct job *job)
{
    if (!job->options.verify || !job->exec) {
        return GF_OK;
    }
    gf_error error = GF_ERROR_INIT;
    char device[24], judge[24];
    job->judge = job->gpu_failed ? GF_DEVICE_REFERENCE : gf_verify_judge(job->plan);
    device_word(job->judge, judge);
    gf_status status = try_judge(job, &error);
    if (is_failed_device(job->judge, status)) {
        cli_note("warning: %s failed: %s; verifying with the reference", judge, error.message);
        job->judge = GF_DEVICE_REFERENCE;
        device_word(job->judge, judge);
        status = try_judge(job, &error);
    }
    if (status != GF_OK) {
        return cli_fail_error(status, &error);
    }
    device_word(gf_plan_device(job->plan), device);
    cli_note("verified: %s and %s give the same, bit for bit", device, judge);
    return GF_OK;
}
