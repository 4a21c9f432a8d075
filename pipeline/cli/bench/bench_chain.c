#include "bench/bench_chain.h"

#include "base/message.h"
#include "batch/quantile.h"

#include <stdlib.h>

enum { SETS = 4, CHECKED_WIDTH = 256, CHECKED_HEIGHT = 144 };

/* A chain bound to a shape, and what it works on. */
struct running {
    const struct bench_chain *chain;
    gf_pipeline *pipeline;
    gf_plan *plan;
    gf_exec *exec;
    gf_image in[SETS], out[SETS]; /* data NULL: not there */
    gf_reduce_options sum;        /* over the device's memory for copies */
    void *scratch, *total;
    size_t scratch_bytes;
};

static gf_status open_chain(const struct bench_chain *chain, const gf_shape *shape, struct running *r,
                            gf_error *error)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    *r = (struct running){.chain = chain, .sum = GF_REDUCE_OPTIONS_INIT};
    options.device = chain->device->queue.device;
    options.no_fuse = chain->no_fuse;
    options.threads = chain->how->threads;
    gf_status status = gf_pipeline_parse(chain->stages, NULL, 0, &r->pipeline, error);
    status = status == GF_OK ? gf_plan_create(chain->context, r->pipeline, shape, &options, &r->plan, error)
                             : status;
    status = status == GF_OK ? gf_exec_create(r->plan, &r->exec, error) : status;
    gf_exec_set_times(r->exec, 1);
    return status;
}

static void close_chain(struct running *r)
{
    const gf_device device = r->chain->device->queue.device;
    gf_exec_destroy(&r->exec);
    gf_plan_destroy(&r->plan);
    gf_pipeline_destroy(&r->pipeline);
    for (int i = 0; i < SETS; i++) {
        gf_memory_release(device, r->in[i].data);
        gf_memory_release(device, r->out[i].data);
    }
    gf_memory_release(device, r->scratch);
    gf_memory_release(device, r->total);
}

/* ---- Checking ---------------------------------------------------------------------------------------- */

static gf_status check(const struct running *r, const gf_shape *shape, struct bench_row *row, gf_error *error)
{
    gf_picture *in = NULL, *out = NULL;
    gf_mismatch mismatch = {.struct_size = sizeof mismatch};
    gf_shape made = gf_plan_output(r->plan);
    gf_status status = gf_picture_create(shape, &in, error);
    if (status == GF_OK && !gf_plan_measures_only(r->plan)) {
        status = gf_picture_create(&made, &out, error);
    }
    if (status == GF_OK) {
        int64_t samples = in->image.pitch / (int64_t)gf_depth_size(shape->depth) * shape->height;
        array_data_fill(in->image.data, shape->depth, samples, ARRAY_RANDOM, 0, 1);
        status = gf_exec_run(r->exec, &in->image, out ? &out->image : NULL, error);
    }
    if (status == GF_OK) {
        status = gf_verify(r->exec, &in->image, out ? &out->image : NULL, GF_DEVICE_AUTO, &mismatch, error);
        row->verdict = status == GF_OK               ? PRIM_RIGHT
                       : status == GF_ERROR_MISMATCH ? PRIM_WRONG
                                                     : PRIM_UNCHECKED;
    }
    gf_picture_destroy(&in);
    gf_picture_destroy(&out);
    return status == GF_ERROR_MISMATCH ? GF_OK : status;
}

static gf_status check_small(const struct bench_chain *chain, struct bench_row *row, gf_error *error)
{
    struct running small;
    gf_shape shape = chain->shape;
    shape.width = shape.width < CHECKED_WIDTH ? shape.width : CHECKED_WIDTH;
    shape.height = shape.height < CHECKED_HEIGHT ? shape.height : CHECKED_HEIGHT;
    gf_status status = open_chain(chain, &shape, &small, error);
    status = status == GF_OK ? check(&small, &shape, row, error) : status;
    close_chain(&small);
    return status;
}

/* ---- Pictures in the device's memory ----------------------------------------------------------------- */

static gf_status make_image(const struct running *r, const gf_shape *shape, gf_image *image, gf_error *error)
{
    const gf_device device = r->chain->device->queue.device;
    const int64_t row = shape->width * shape->channels * (int64_t)gf_depth_size(shape->depth);
    *image = (gf_image){sizeof *image, *shape, (row + 255) / 256 * 256, NULL, device};
    return gf_memory_allocate(device, (size_t)(image->pitch * shape->height), &image->data, error);
}

/* The same noise in all of them. */
static gf_status fill_images(struct running *r, gf_error *error)
{
    const struct prim_recipe noise = {.kind = ARRAY_RANDOM};
    const gf_queue queue = r->chain->device->queue;
    const size_t bytes = (size_t)(r->in[0].pitch * r->in[0].shape.height);
    const gf_depth depth = r->in[0].shape.depth;
    struct prim_array samples = {0};
    gf_status status = prim_array_make(&noise, depth, (int64_t)(bytes / gf_depth_size(depth)), 1, &samples);
    if (status != GF_OK) {
        return cli_error(error, status, "no memory for a picture");
    }
    for (int i = 0; status == GF_OK && i < SETS; i++) {
        status = gf_memory_copy(queue, GF_COPY_UPLOAD, r->in[i].data, samples.data, bytes, error);
    }
    status = status == GF_OK ? gf_queue_wait(queue, error) : status;
    prim_array_free(&samples);
    return status;
}

static gf_status make_images(struct running *r, gf_error *error)
{
    const gf_shape in = gf_plan_input(r->plan), out = gf_plan_output(r->plan);
    for (int i = 0; i < SETS; i++) {
        CLI_TRY(make_image(r, &in, &r->in[i], error));
        if (!gf_plan_measures_only(r->plan)) {
            CLI_TRY(make_image(r, &out, &r->out[i], error));
        }
    }
    return fill_images(r, error);
}

/* ---- What it is compared with ------------------------------------------------------------------------ */

/* Prepares, for chains that only read, the sum of the memory that copies are made of. */
static gf_status prepare_sum(struct running *r, gf_error *error)
{
    const struct prim_device *device = r->chain->device;
    r->sum.array = (gf_array_options){"auto", GF_U32, r->chain->how->threads, 0, 0, 0};
    CLI_TRY(gf_reduce_scratch(device->queue.device, &r->sum, (int64_t)(device->copy_bytes / 4),
                              &r->scratch_bytes, error));
    if (r->scratch_bytes > 0) {
        CLI_TRY(gf_memory_allocate(device->queue.device, r->scratch_bytes, &r->scratch, error));
    }
    return gf_memory_allocate(device->queue.device, 16, &r->total, error);
}

static gf_status run_beside(struct running *r, gf_error *error)
{
    struct prim_device *device = r->chain->device;
    if (!gf_plan_measures_only(r->plan)) {
        return prim_copy_run(device, error);
    }
    return gf_reduce(device->queue, &r->sum, device->copy[0], (int64_t)(device->copy_bytes / 4), r->total,
                     r->scratch, r->scratch_bytes, error);
}

/* Bytes that no way of computing it can do without reading or writing. */
static double traffic(const struct running *r)
{
    const gf_shape shapes[2] = {gf_plan_input(r->plan), gf_plan_output(r->plan)};
    double bytes = 0;
    for (int i = 0; i < (gf_plan_measures_only(r->plan) ? 1 : 2); i++) {
        bytes += (double)shapes[i].width * (double)shapes[i].height * shapes[i].channels *
                 (double)gf_depth_size(shapes[i].depth);
    }
    return bytes;
}

/* ---- Timing ------------------------------------------------------------------------------------------ */

/* Copy or sum, then the chain on a set of pictures. Microseconds of both. */
static gf_status run_once(struct running *r, int set, gf_mark *const marks[2], double *beside, double *us,
                          gf_error *error)
{
    const gf_queue queue = r->chain->device->queue;
    gf_run_stats stats = {.struct_size = sizeof stats};
    gf_image *out = r->out[set].data ? &r->out[set] : NULL;
    CLI_TRY(gf_mark_record(queue, marks[0], error));
    CLI_TRY(run_beside(r, error));
    CLI_TRY(gf_mark_record(queue, marks[1], error));
    CLI_TRY(gf_exec_enqueue(r->exec, &r->in[set], out, queue.stream, error));
    CLI_TRY(gf_exec_finish(r->exec, error));
    CLI_TRY(gf_queue_wait(queue, error));
    CLI_TRY(gf_mark_elapsed(queue.device, marks[0], marks[1], beside, error));
    CLI_TRY(gf_exec_run_stats(r->exec, &stats));
    *beside *= 1000;
    *us = stats.kernels_ms * 1000;
    return GF_OK;
}

/* Into arrays of PRIM_REPEAT_MOST or of how->repeat; the number of timed runs in *repeat. */
static gf_status time_runs(struct running *r, double *beside, double *us, int32_t *repeat, gf_error *error)
{
    const gf_device device = r->chain->device->queue.device;
    gf_mark *marks[2] = {NULL, NULL};
    double warm[2] = {0, 0};
    gf_status status = gf_mark_create(device, &marks[0], error);
    status = status == GF_OK ? gf_mark_create(device, &marks[1], error) : status;
    for (int i = 0; status == GF_OK && i < PRIM_WARM; i++) {
        status = run_once(r, i % SETS, marks, &warm[0], &warm[1], error);
    }
    *repeat = prim_choose_repeat(r->chain->how, warm[0] + warm[1]);
    for (int i = 0; status == GF_OK && i < *repeat; i++) {
        status = run_once(r, i % SETS, marks, &beside[i], &us[i], error);
    }
    gf_mark_destroy(device, &marks[0]);
    gf_mark_destroy(device, &marks[1]);
    return status;
}

static gf_status measure(struct running *r, struct bench_row *row, gf_error *error)
{
    const struct prim_how *how = r->chain->how;
    const double bytes = traffic(r);
    const size_t most = (size_t)(how->repeat > PRIM_REPEAT_MOST ? how->repeat : PRIM_REPEAT_MOST);
    double *beside = calloc(most, sizeof *beside), *us = calloc(most, sizeof *us);
    int32_t repeat = 0;
    r->chain->device->threads = how->threads;
    gf_status status =
        beside && us ? make_images(r, error) : cli_error(error, GF_ERROR_MEMORY, "out of memory");
    status = status == GF_OK ? prim_copy_prepare(r->chain->device, bytes, how->memory, error) : status;
    row->reads_only = gf_plan_measures_only(r->plan);
    status = status == GF_OK && row->reads_only ? prepare_sum(r, error) : status;
    status = status == GF_OK ? time_runs(r, beside, us, &repeat, error) : status;
    if (status == GF_OK) {
        const double moved = (row->reads_only ? 1 : 2) * (double)r->chain->device->copy_bytes;
        row->timed = true;
        row->q1_us = quantile(us, repeat, 0.25);
        row->time_us = quantile(us, repeat, 0.5);
        row->q3_us = quantile(us, repeat, 0.75);
        row->gbps = row->time_us > 0 ? bytes * 1e-3 / row->time_us : 0;
        row->fraction = row->gbps / (moved * 1e-3 / quantile(beside, repeat, 0.5));
    }
    free(beside);
    free(us);
    return status;
}

gf_status bench_chain_measure(const struct bench_chain *chain, struct bench_row *row, gf_error *error)
{
    struct running r;
    gf_status status = check_small(chain, row, error);
    if (status != GF_OK || chain->device->emulated || row->verdict == PRIM_WRONG) {
        return status;
    }
    status = open_chain(chain, &chain->shape, &r, error);
    status = status == GF_OK ? measure(&r, row, error) : status;
    close_chain(&r);
    return status;
}
