/* A device that fails in the middle of a job. */
#include "job/job_signal.h"

#include "base/argument_value.h"
#include "base/message.h"

#include <stdio.h>

static bool is_failed_device(gf_device device, gf_status status)
{
    return device >= 0 && (status == GF_ERROR_DEVICE || status == GF_ERROR_MEMORY);
}

bool job_may_continue(const struct job *job, gf_status status)
{
    return job->options.device == GF_DEVICE_AUTO && is_failed_device(gf_plan_device(job->plan), status);
}

gf_status job_continue_on_cpu(struct job *job, gf_error *error)
{
    char device[24], reason[sizeof error->message + 64];
    device_word(gf_plan_device(job->plan), device);
    snprintf(reason, sizeof reason, "%s failed: %s", device, error->message);
    cli_note("warning: %s; continuing on the CPU", reason);
    gf_exec_destroy(&job->exec);
    gf_plan *plan = NULL;
    CLI_TRY(gf_plan_rebind(job->plan, GF_DEVICE_CPU, reason, &plan, error));
    gf_plan_destroy(&job->plan);
    job->plan = plan;
    job->gpu_failed = true;
    return GF_OK;
}

gf_status job_signal_told(const struct job_signal *s, gf_status status, const gf_error *error)
{
    if (s->failed && s->job->options.device == GF_DEVICE_AUTO &&
        is_failed_device(gf_signal_plan_device(s->plan), status)) {
        *s->failed = *error;
        return status;
    }
    return cli_told(status, error);
}
