/* What a batch of the program has made for it by its queue: plans, as a job would make them, and execs. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "base/message.h"
#include "batch/batch_run.h"
#include "gpufilter/inputs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A job for no file in particular, to plan with. */
static void begin_job(struct batch *batch, int32_t kind, struct job *job)
{
    const gf_alpha alpha = batch_kind_split(&kind);
    const struct batch_variant *variant = batch_variant_find(&batch->variants, kind);
    *job = (struct job){.options = batch->base.options, .context = batch->base.context};
    job->info = (gf_file_info)GF_FILE_INFO_INIT;
    job->info.alpha = alpha;
    job->format = variant ? variant->format : kind >= 0 ? gf_io_format((size_t)kind) : NULL;
    if (variant) {
        job->options.stages.text.data = variant->text;
        job->shrunk = variant->shrunk;
        job->is_rewritten = true;
    }
    job->options.verify = false; /* that bands are not for pictures to be checked the queue sees to */
    job->options.in = "";
    job->options.out = batch->options.output;
    job->n_others = batch->base.n_others;
    memcpy(job->other_shapes, batch->base.other_shapes, sizeof job->other_shapes);
}

gf_status batch_make_plan(void *user, int32_t kind, const gf_shape *shape, const gf_plan_options *options,
                          gf_plan **plan, gf_error *error)
{
    struct batch *batch = user;
    struct job job;
    begin_job(batch, kind, &job);
    job.info.shape = *shape;
    job.options.device = options->device;
    job.options.threads = options->threads;
    job.options.memory = options->memory_limit;
    job.options.runs = options->runs;
    job.whole = options->stream_rows == 0;
    cli_catch(error);
    gf_status status = job_parse(&job);
    status = status == GF_OK ? job_read_lists(&job) : status;
    status = status == GF_OK ? job_plan(&job) : status;
    if (status == GF_OK && !batch->options.output && gf_plan_result_count(job.plan) == 0) {
        status = cli_fail(GF_ERROR_ARGUMENT,
                          "no -o is given, and no stage measures anything: end the list with hist or stats");
    }
    cli_catch(NULL);
    if (status == GF_OK) {
        *plan = job.plan;
        job.plan = NULL;
    }
    gf_plan_destroy(&job.plan);
    gf_pipeline_destroy(&job.pipeline);
    return status;
}

gf_status batch_prepare_exec(void *user, gf_exec *exec, gf_error *error)
{
    const struct batch *batch = user;
    struct job job = batch->base;
    job.exec = exec;
    return job_set_others(&job, error);
}

/* ---- devices ---- */

enum { MOST_DEVICES = 64 };

static int32_t count_gpus(gf_context *context, gf_error *error, gf_status *status)
{
    gf_device_description description = {.struct_size = sizeof description};
    int32_t n = 0;
    while (n < MOST_DEVICES &&
           (*status = gf_device_describe(context, n + 1, 1, &description, error)) == GF_OK) {
        n++;
    }
    return n;
}

/* Where a scheduler starts a process per GPU and lets all of them see every GPU, each takes the one of its
 * number. It does so before CUDA is asked for anything. */
static void take_local(const struct batch *batch)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    gf_device_description description = {.struct_size = sizeof description};
    int64_t rank = batch_local_rank();
    int32_t n = 0;
    while (gf_device_describe(batch->base.context, n + 1, 0, &description, NULL) == GF_OK) {
        n++;
    }
    if (rank >= 0 && n > 1 && !visible) {
        char number[24];
        snprintf(number, sizeof number, "%d", (int)(rank % n));
        setenv("CUDA_VISIBLE_DEVICES", number, 0);
        cli_detail("of the %d GPUs of this machine number %s is used: this is its process %" PRId64, (int)n,
                   number, rank);
    }
}

static gf_status named_devices(const struct batch *batch, gf_device *devices, int32_t *n, gf_error *error)
{
    gf_status status = GF_OK;
    *n = 1;
    devices[0] = batch->options.job.device;
    if (batch->options.every_gpu) {
        int32_t count = count_gpus(batch->base.context, error, &status);
        if (count == 0) {
            return status;
        }
        for (*n = 0; *n < count; ++*n) {
            devices[*n] = *n;
        }
    }
    return GF_OK;
}

gf_status batch_make_queue(struct batch *batch)
{
    gf_error error = GF_ERROR_INIT;
    gf_device devices[MOST_DEVICES];
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    const struct job_options *job = &batch->options.job;
    gf_status status = GF_OK;
    take_local(batch);
    options.workers = job->threads;
    options.memory_limit = job->memory;
    options.expected = batch->files > 0 ? batch->files : 0;
    options.plan = batch_make_plan;
    options.prepare = batch_prepare_exec;
    options.user = batch;
    if (job->has_stages && job->device != GF_DEVICE_AUTO) {
        status = named_devices(batch, devices, &options.n_devices, &error);
        options.devices = devices;
    }
    status = status == GF_OK ? gf_batch_create(batch->base.context, NULL, &options, &batch->queue, &error)
                             : status;
    return cli_told(status, &error);
}

/* ---- the hash ---- */

static void add_file(struct buffer *text, const char *name)
{
    struct file_identity is = identity_of(name[0] == '@' ? name + 1 : name);
    buffer_printf(text, "%s %" PRId64 " %" PRId64 ".%" PRId64 "\n", name, is.size, is.seconds,
                  is.nanoseconds);
}

gf_status batch_plan_hash(struct batch *batch, uint64_t *hash)
{
    const struct job_options *job = &batch->options.job;
    const gf_pipeline *pipeline = batch->base.pipeline;
    struct buffer text = {0};
    gf_error error = GF_ERROR_INIT;
    char encoders[256];
    gf_io_encoders(encoders, sizeof encoders);
    buffer_printf(&text, "%s\n%s\n%d %d %d %d %d %d %d %d %d %d %d %s\n", gf_version(), encoders, job->depth,
                  job->compute_f32, job->has_alpha ? (int)job->alpha : -1, (int)job->png_level,
                  (int)job->jpeg_quality, job->fast_load, job->page, job->progressive, job->strip,
                  job->has_quality, job->palette, job->format ? job->format : "");
    if (job->raw || job->columns || job->matrix || job->rate > 0 || job->sample) { /* of signals */
        buffer_printf(&text, "%s %s %d %.17g %d\n", job->raw ? job->raw : "",
                      job->columns ? job->columns : "", (int)job->matrix, job->rate, (int)job->sample);
    }
    for (int i = 0; i < job->n_tables; i++) {
        buffer_printf(&text, "%s=%s\n", job->tables[i].name, job->tables[i].path);
    }
    gf_status status = gf_pipeline_stage_count(pipeline) > 0
                           ? buffer_add_pipeline(&text, pipeline, GF_PRINT_TEXT, &error)
                           : GF_OK;
    for (int32_t i = 1; i < gf_pipeline_input_count(pipeline); i++) {
        add_file(&text, gf_pipeline_input_name(pipeline, i));
    }
    for (int32_t i = 0; i < gf_pipeline_file_count(pipeline); i++) {
        add_file(&text, gf_pipeline_file_name(pipeline, i));
    }
    for (int i = 0; i < job->n_named; i++) {
        buffer_printf(&text, "%s=", job->named[i].name);
        add_file(&text, job->named[i].path);
    }
    if (status == GF_OK && text.failed) {
        status = cli_error(&error, GF_ERROR_MEMORY, "out of memory");
    }
    *hash = status == GF_OK ? name_hash(NAME_HASH_START, text.data, text.length) : 0;
    buffer_free(&text);
    return cli_told(status, &error);
}
