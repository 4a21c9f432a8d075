/* The picture of a job: what is made ready before pixels are read, and the run. */
#include "job/job_onward.h"

#include "base/message.h"

static gf_status fail_without_results(const char *in)
{
    return cli_fail(GF_ERROR_ARGUMENT,
                    "no OUT is given, and no stage measures anything\n"
                    "  to write the picture:  gpufilter %s OUT --stages LIST\n"
                    "  to measure it:         end LIST with hist or stats",
                    in);
}

/* The device starts while the picture is read. Its first use finds out what it fails with. */
static void start_device(const struct job *job)
{
    gf_device device = gf_plan_device(job->plan);
    if (device >= 0) {
        gf_context_start(job->context, device, NULL);
    }
}

/* So that a mistake shows before pixels are read. */
gf_status job_prepare(struct job *job)
{
    CLI_TRY(job_open_input(job));
    CLI_TRY(job_shrink_input(job));
    CLI_TRY(job_read_lists(job));
    CLI_TRY(job_open_others(job));
    double began = now_ms();
    gf_status status = job_settle(job);
    status = status == GF_OK ? job_plan(job) : status;
    job->times.start += now_ms() - began;
    if (status == GF_OK && !job->options.out && !job_only_prints(job) &&
        gf_plan_result_count(job->plan) == 0) {
        return fail_without_results(job->options.in);
    }
    return status;
}

gf_status job_run_picture(struct job *job)
{
    start_device(job);
    CLI_TRY(job_read_others(job));
    return job->streams ? job_stream(job) : job_filter(job);
}
