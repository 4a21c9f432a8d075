/* A file of a batch that is a signal. It is no picture of the queue's: a job of its own runs it, on the
 * thread that would open it, in a few pieces of time, so that it needs no share of the memory. */
#include "base/argument_value.h"
#include "base/message.h"
#include "batch/batch_file.h"
#include "job/job_signal.h"

#include <stdlib.h>

bool batch_file_is_signal(struct batch_file *file)
{
    file->job.pipeline = file->batch->base.pipeline;
    const bool is_signal = job_is_signal(&file->job);
    file->job.pipeline = NULL;
    return is_signal;
}

/* Before its output appears. */
static gf_status finish(struct job *job)
{
    struct batch_file *file = job->owner;
    gf_error error = GF_ERROR_INIT;
    if (file->batch->report.fd >= 0 && !file->batch->report.csv) {
        CLI_TRY(cli_told(job_add_signal_head(&file->head, job, &error), &error));
    }
    file->bytes = (int64_t)gf_signal_reader_info(job->signal->reader)->file_bytes;
    return batch_file_finish(file);
}

gf_status batch_file_run_signal(struct batch_file *file)
{
    struct job *job = &file->job;
    const double began = now_ms();
    job->context = file->batch->base.context;
    job->finish = finish;
    job->owner = file;
    job->file = batch_file_number(file->batch);
    gf_status status = job_parse(job);
    status = status == GF_OK && file->out ? batch_output_folders(file->out) : status;
    status = status == GF_OK ? job_check_signal(job) : status;
    status = status == GF_OK ? job_run_signal(job) : status;
    gf_pipeline_destroy(&job->pipeline);
    file->ms = now_ms() - began;
    file->is_done = status == GF_OK;
    return status;
}
