/* A file of a batch that is a signal. It is no picture of the queue's: a job of its own runs it, on the
 * thread that would open it, in a few pieces of time, so that it needs no share of the memory. */
#include "base/argument_value.h"
#include "base/message.h"
#include "batch/batch_file.h"
#include "job/job_signal.h"

#include <stdlib.h>

gf_status batch_file_look(struct batch_file *file)
{
    gf_error error = GF_ERROR_INIT;
    file->job.pipeline = file->batch->base.pipeline;
    const gf_status status =
        file->job.memory ? GF_OK : job_is_signal(&file->job, &file->is_signal); /* a tar has pictures */
    file->job.pipeline = NULL;
    if (status == GF_OK && !file->is_signal && file->out && !file->job.format) { /* which is of signals */
        return cli_told(gf_io_format_for(file->out, file->job.options.format, &file->job.format, &error),
                        &error);
    }
    return status;
}

/* Before its output appears. */
static gf_status finish(struct job *job)
{
    struct batch_file *file = job->owner;
    gf_error error = GF_ERROR_INIT;
    if (file->batch->report.fd >= 0 && !file->batch->report.csv) {
        CLI_TRY(cli_told(job_add_signal_head(&file->head, job, &error), &error));
    }
    job->info.file_bytes = gf_signal_reader_info(job->signal->reader)->file_bytes;
    return batch_file_finish(file);
}

gf_status batch_file_run_signal(struct batch_file *file, gf_error *error)
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
    return status == GF_OK ? cli_error(error, GF_ERROR_CANCELLED, "it is over") : status;
}

gf_batch_outcome batch_file_outcome(const struct batch_file *file, const gf_batch_outcome *of_queue)
{
    gf_batch_outcome outcome = *of_queue;
    if (file->is_done) {
        outcome.status = GF_OK;
        const gf_device device = file->job.options.device;
        outcome.device = device == GF_DEVICE_AUTO ? GF_DEVICE_CPU : device;
        outcome.run_ms = file->ms;
    }
    return outcome;
}

void batch_file_add_signal_line(const struct batch_file *file, struct buffer *line)
{
    buffer_printf(line, "{\"input\":%s,\"times_ms\":{\"total\":%.3f}%s}\n", file->head.data, file->ms,
                  file->json.length ? file->json.data : ",\"results\":[]");
}
