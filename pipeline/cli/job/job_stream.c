/* A job by bands: while some rows are decoded, others are filtered and encoded. */
#include "job/job.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "base/output_file.h"
#include "job/limit_option.h"
#include "job/signals.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- whether ---- */

bool job_may_begin_again(const struct job *job)
{
    struct stat status;
    const char *out = job->options.out;
    const bool replaces =
        !out || (!is_standard_output(out) && (stat(out, &status) != 0 || S_ISREG(status.st_mode)));
    return replaces && job_input_rereads(job);
}

void job_choose_stream(struct job *job)
{
    char device[24];
    gf_band_info bands = {.struct_size = sizeof bands};
    const bool chose_gpu = gf_plan_device(job->plan) >= 0 && job->options.device == GF_DEVICE_AUTO;
    gf_plan_bands(job->plan, &bands);
    job->streams = false;
    if (job->options.verify) {
        snprintf(job->held, sizeof job->held, "--verify compares whole pictures");
    } else if (job->in) {
        snprintf(job->held, sizeof job->held, "IN comes once, and a stage has looked at it before");
    } else if (job_names_in(job)) {
        snprintf(job->held, sizeof job->held, "a stage reads IN by its name, too");
    } else if (gf_plan_device(job->plan) >= 0 && bands.count == 1) {
        device_word(gf_plan_device(job->plan), device);
        snprintf(job->held, sizeof job->held, "%s gets the whole picture at once; --memory SIZE makes bands",
                 device);
    } else if (chose_gpu && !job->options.memory && !job_may_begin_again(job)) {
        device_word(gf_plan_device(job->plan), device);
        snprintf(job->held, sizeof job->held, "the CPU could not begin again, should %s fail", device);
    } else {
        job->held[0] = '\0';
        job->streams = true;
    }
}

/* ---- a run ---- */

static gf_status run_once(struct job *job, gf_error *error)
{
    double began = now_ms();
    gf_status status = gf_exec_create(job->plan, &job->exec, error);
    job->times.start += now_ms() - began;
    CLI_TRY(status);
    CLI_TRY(job_set_others(job, error));
    CLI_TRY(job_open_output(job)); /* which says it */
    job_watch(job);
    gf_source source = job_source(job);
    gf_sink sink = {0};
    if (job->writer) {
        sink = job_sink(job);
    }
    return gf_exec_stream(job->exec, &source, job->writer ? &sink : NULL, error);
}

/* Memory that is missing before the first row is asked for is that of a limit, or of the host. */
static bool has_device_failed(const struct job *job, gf_status status)
{
    return job_may_continue(job, status) && !job->file_failed &&
           (status == GF_ERROR_DEVICE || job->has_read || !job->exec);
}

/* Tells whether all may begin once more: nothing was read, or what was read can be had again and nothing has
 * left through a pipe. */
static bool can_start_again(const struct job *job)
{
    return !job->exec || ((!job->writer || signals_has_temporary()) && job_input_rereads(job));
}

/* Starts again with the first row, for a device that failed. */
static gf_status start_again(struct job *job, gf_error *error)
{
    bool has_read = job->exec != NULL;
    gf_writer_abort(&job->writer);
    CLI_TRY(job_continue_on_cpu(job, error));
    *error = (gf_error)GF_ERROR_INIT;
    CLI_TRY(has_read ? job_open_input(job) : GF_OK);
    return run_once(job, error);
}

static gf_status run_stream(struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    gf_status status = run_once(job, &error);
    if (has_device_failed(job, status) && *error.message && can_start_again(job)) {
        status = start_again(job, &error);
    }
    return status == GF_OK || !*error.message ? status : limit_told(status, &error); /* or it is said */
}

/* ---- EXIF behind the samples ---- */

/* Tells whether the output lacks EXIF that came too late for it: only a PNG has room behind its samples. */
bool job_lacks_exif(struct job *job)
{
    const gf_metadata *metadata = gf_reader_metadata(job->reader);
    return job->writer && job->format->metadata && !job->options.strip &&
           metadata->fields & GF_META_EXIF_LAST &&
           gf_writer_set_exif(job->writer, metadata->exif, metadata->exif_size, NULL) != GF_OK;
}

void job_note_late_exif(const struct job *job)
{
    cli_note("note: %s: the EXIF of %s came behind the samples, too late for %s, and is left out",
             job_out_name(job), job_in_name(job), job->format->name);
}

/* Once more, now that the metadata is known. */
static gf_status stream_again(struct job *job)
{
    gf_writer_abort(&job->writer);
    gf_exec_destroy(&job->exec);
    job->known = job->reader;
    job->reader = NULL;
    CLI_TRY(job_open_input(job));
    CLI_TRY(run_stream(job));
    return job_finish_input(job);
}

gf_status job_stream(struct job *job)
{
    gf_status status = run_stream(job);
    status = status == GF_OK ? job_finish_input(job) : status;
    if (status != GF_OK || !job_lacks_exif(job)) {
        return status;
    }
    if (signals_has_temporary() && job_input_rereads(job)) {
        return stream_again(job);
    }
    job_note_late_exif(job);
    return GF_OK;
}
