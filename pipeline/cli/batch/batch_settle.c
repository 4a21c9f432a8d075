/* A pipeline of a file's own, where what its stages do each picture tells. */
#include "base/message.h"
#include "batch/batch_file.h"

/* Does to the pipeline what the picture makes of it, if that is another than the one of all. */
static gf_status vary(struct batch_file *file)
{
    struct job *job = &file->job;
    struct buffer text = {0};
    gf_error error = GF_ERROR_INIT;
    gf_status status = job_settle(job);
    bool is_other = file->batch->waits || job->shrink > 1;
    if (status != GF_OK || !is_other) {
        return status;
    }
    status = buffer_add_pipeline(&text, job->pipeline, GF_PRINT_TEXT, &error);
    if (status == GF_OK) {
        file->variant =
            text.failed ? NULL
                        : batch_variant_take(&file->batch->variants, text.data, job->format, &job->shrunk);
        status = file->variant ? GF_OK : cli_error(&error, GF_ERROR_MEMORY, "out of memory");
    }
    buffer_free(&text);
    if (status == GF_OK) {
        file->kind = file->variant->kind;
    }
    return cli_told(status, &error);
}

/* One at a time where a look, before the queue has let the file in, takes much of what the batch may have. */
static gf_status look(struct batch_file *file)
{
    struct batch *batch = file->batch;
    gf_batch_numbers numbers = {.struct_size = sizeof numbers};
    gf_batch_stats(batch->queue, &numbers);
    const gf_source source = job_source(&file->job);
    const gf_shape s = source.shape;
    const int64_t whole = source.whole ? gf_image_row_bytes(s.width, s.channels, s.depth) * s.height : 0;
    if (!batch->waits ||
        source.held + (uint64_t)whole <= numbers.memory_limit / 4 / (uint64_t)numbers.workers) {
        return vary(file);
    }
    pthread_mutex_lock(&batch->looking);
    gf_status status = vary(file);
    pthread_mutex_unlock(&batch->looking);
    return status;
}

gf_status batch_file_settle(struct batch_file *file)
{
    struct job *job = &file->job;
    gf_device device = job->options.device;
    if (file->batch->waits && !job_input_rereads(job)) {
        return cli_fail(GF_ERROR_INPUT,
                        "%s: is no file that can be read twice, as trim and deskew do: give area= or angle=",
                        job_in_name(job));
    }
    job->context = file->batch->base.context;
    job->options.device = device == GF_DEVICE_REFERENCE ? device : GF_DEVICE_CPU;
    gf_status status = job_parse(job);
    status = status == GF_OK ? job_read_lists(job) : status;
    status = status == GF_OK ? job_shrink_input(job) : status;
    status = status == GF_OK ? look(file) : status;
    gf_pipeline_destroy(&job->pipeline);
    job->options.device = device;
    return status;
}
