/* Settles what only pixels tell of a pipeline (trim): it looks at IN once for each such stage, before all is
 * planned. */
#include "job/job.h"

#include "base/message.h"
#include "job/limit_option.h"

#include <string.h>

/* IN in memory as a source, and the row that is next. */
struct held {
    const gf_image *image;
    int64_t y;
};

static gf_status give_rows(void *user, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct held *held = user;
    const gf_shape s = held->image->shape;
    const size_t row = (size_t)s.width * (size_t)s.channels * gf_depth_size(s.depth);
    (void)error;
    for (int64_t y = 0; y < count; y++) {
        memcpy((char *)data + y * pitch, (const char *)held->image->data + (held->y + y) * held->image->pitch,
               row);
    }
    held->y += count;
    return GF_OK;
}

static gf_status again(void *user, gf_error *error)
{
    (void)error;
    ((struct held *)user)->y = 0;
    return GF_OK;
}

static gf_status settle(struct job *job, const gf_source *source)
{
    gf_error error = GF_ERROR_INIT;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = job->options.device;
    options.alpha = job_alpha(job);
    options.no_fuse = job->options.no_fuse;
    options.threads = job->options.threads;
    options.memory_limit = job->options.memory;
    options.stream_rows = GF_STREAM_CHOSEN;
    gf_status status = gf_pipeline_settle(job->context, job->pipeline, source, &options, &error);
    if (status == GF_ERROR_DEVICE && job->options.device == GF_DEVICE_AUTO) { /* the plan will say why */
        options.device = GF_DEVICE_CPU;
        status = source->again ? source->again(source->user, &error) : status;
        status = status == GF_OK ? gf_pipeline_settle(job->context, job->pipeline, source, &options, &error)
                                 : status;
    }
    if (status == GF_OK) {
        return GF_OK;
    }
    return error.stage >= 0 ? stages_text_fail(&job->options.stages, status, &error)
                            : limit_told(status, &error);
}

gf_status job_settle(struct job *job)
{
    gf_status status = GF_OK;
    while (status == GF_OK && gf_pipeline_unsettled(job->pipeline) >= 0) {
        if (!job->in && !job_input_rereads(job)) {
            status = job_read_input(job);
            continue;
        }
        struct held held = {job->in ? &job->in->image : NULL, 0};
        gf_source source = job_source(job);
        if (job->in) {
            source = (gf_source){.struct_size = sizeof source,
                                 .shape = held.image->shape,
                                 .rows = give_rows,
                                 .again = again,
                                 .user = &held};
        }
        status = settle(job, &source);
        if (status == GF_OK && !job->in) {
            status = job_open_input(job); /* from its first row again */
            job->has_read = false;
        }
    }
    return status;
}
