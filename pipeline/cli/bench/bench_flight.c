#define _GNU_SOURCE /* clock_gettime */
#include "bench/bench_flight.h"

#include "base/message.h"
#include "batch/quantile.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SETS = 3, ROUNDS = 7, ROUND_US = 100000, MOST_RUNS = 1000 };

struct plane {
    gf_exec *exec;
    gf_picture *in[SETS], *out[SETS];
    int runs;
    pthread_t thread;
    gf_status status;
    gf_error error;
};

struct fleet {
    const struct bench_flight *flight;
    gf_pipeline *pipeline;
    gf_plan *plan;
    struct plane planes[BENCH_MOST_FLIGHTS];
};

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* ---- Making ------------------------------------------------------------------------------------------- */

static size_t bytes_of(const gf_picture *picture)
{
    return (size_t)(picture->image.pitch * picture->image.shape.height);
}

static gf_status make_pictures(const struct fleet *fleet, struct plane *plane, gf_error *error)
{
    const struct bench_flight *flight = fleet->flight;
    const gf_device device = flight->pinned ? flight->device->queue.device : GF_DEVICE_CPU;
    const gf_shape in = gf_plan_input(fleet->plan), out = gf_plan_output(fleet->plan);
    const gf_picture *first = fleet->planes[0].in[0];
    gf_status status = GF_OK;
    for (int i = 0; status == GF_OK && i < SETS; i++) {
        status = gf_picture_create_pinned(&in, device, &plane->in[i], error);
        status = status == GF_OK ? gf_picture_create_pinned(&out, device, &plane->out[i], error) : status;
        if (status == GF_OK && first) {
            memcpy(plane->in[i]->image.data, first->image.data, bytes_of(first));
        } else if (status == GF_OK) {
            first = plane->in[i];
            array_data_fill(first->image.data, GF_U8, (int64_t)bytes_of(first), ARRAY_RANDOM, 0, 1);
        }
    }
    return status;
}

static gf_status open_fleet(const struct bench_flight *flight, struct fleet *fleet, gf_error *error)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    *fleet = (struct fleet){.flight = flight};
    options.device = flight->device->queue.device;
    options.threads = flight->threads ? flight->threads : flight->how->threads;
    CLI_TRY(gf_pipeline_parse(flight->stages, NULL, 0, &fleet->pipeline, error));
    CLI_TRY(gf_plan_create(flight->context, fleet->pipeline, &flight->shape, &options, &fleet->plan, error));
    for (int i = 0; i < flight->flights; i++) {
        CLI_TRY(gf_exec_create(fleet->plan, &fleet->planes[i].exec, error));
        CLI_TRY(make_pictures(fleet, &fleet->planes[i], error));
    }
    return GF_OK;
}

static void close_fleet(struct fleet *fleet)
{
    for (int i = 0; i < BENCH_MOST_FLIGHTS; i++) {
        gf_exec_destroy(&fleet->planes[i].exec);
        for (int set = 0; set < SETS; set++) {
            gf_picture_destroy(&fleet->planes[i].in[set]);
            gf_picture_destroy(&fleet->planes[i].out[set]);
        }
    }
    gf_plan_destroy(&fleet->plan);
    gf_pipeline_destroy(&fleet->pipeline);
}

/* ---- Rounds ------------------------------------------------------------------------------------------- */

static void *fly(void *argument)
{
    struct plane *plane = argument;
    plane->status = GF_OK;
    for (int i = 0; plane->status == GF_OK && i < plane->runs; i++) {
        const int set = i % SETS;
        plane->status =
            gf_exec_run(plane->exec, &plane->in[set]->image, &plane->out[set]->image, &plane->error);
    }
    return NULL;
}

/* Every exec runs so often; microseconds a picture. */
static gf_status run_round(struct fleet *fleet, int runs, double *us, gf_error *error)
{
    const int n = fleet->flight->flights;
    struct plane *planes = fleet->planes;
    const double began = now_us();
    int started = 0;
    gf_status status = GF_OK;
    for (; started < n; started++) {
        planes[started].runs = runs;
        planes[started].error = (gf_error)GF_ERROR_INIT;
        if (pthread_create(&planes[started].thread, NULL, fly, &planes[started]) != 0) {
            status = cli_error(error, GF_ERROR_MEMORY, "no thread for a picture");
            break;
        }
    }
    for (int i = 0; i < started; i++) {
        pthread_join(planes[i].thread, NULL);
        if (status == GF_OK && planes[i].status != GF_OK) {
            *error = planes[i].error;
            status = planes[i].status;
        }
    }
    *us = (now_us() - began) / ((double)runs * n);
    return status;
}

static gf_status check(struct fleet *fleet, gf_device judge, struct bench_row *row, gf_error *error)
{
    struct plane *plane = &fleet->planes[0];
    gf_mismatch mismatch = {.struct_size = sizeof mismatch};
    gf_status status = gf_exec_run(plane->exec, &plane->in[0]->image, &plane->out[0]->image, error);
    if (status == GF_OK) {
        status = gf_verify(plane->exec, &plane->in[0]->image, &plane->out[0]->image, judge, &mismatch, error);
        row->verdict = status == GF_OK               ? PRIM_RIGHT
                       : status == GF_ERROR_MISMATCH ? PRIM_WRONG
                                                     : PRIM_UNCHECKED;
    }
    return status == GF_ERROR_MISMATCH ? GF_OK : status;
}

/* The CPU's judge takes long, so it gets a small picture. */
static gf_status check_small(const struct bench_flight *flight, struct fleet *fleet, struct bench_row *row,
                             gf_error *error)
{
    enum { WIDTH = 256, HEIGHT = 144 };
    struct bench_flight small = *flight;
    small.flights = 1;
    small.shape.width = small.shape.width < WIDTH ? small.shape.width : WIDTH;
    small.shape.height = small.shape.height < HEIGHT ? small.shape.height : HEIGHT;
    gf_status status = open_fleet(&small, fleet, error);
    status = status == GF_OK ? check(fleet, GF_DEVICE_AUTO, row, error) : status;
    close_fleet(fleet);
    return status;
}

/* ---- What it is compared with ------------------------------------------------------------------------- */

/* Both copies at once, from pinned memory; nothing waits for anything. */
static gf_status copy_once(const struct fleet *fleet, const gf_queue queues[2], void *const there[2],
                           gf_picture *const here[2], double *us, gf_error *error)
{
    enum { COPIES = 8 };
    (void)fleet;
    const double began = now_us();
    gf_status status = GF_OK;
    for (int i = 0; status == GF_OK && i < COPIES; i++) {
        status = gf_memory_copy(queues[0], GF_COPY_UPLOAD, there[0], here[0]->image.data, bytes_of(here[0]),
                                error);
        status = status == GF_OK ? gf_memory_copy(queues[1], GF_COPY_DOWNLOAD, here[1]->image.data, there[1],
                                                  bytes_of(here[1]), error)
                                 : status;
    }
    for (int i = 0; i < 2; i++) {
        gf_status waited = gf_queue_wait(queues[i], error);
        status = status == GF_OK ? waited : status;
    }
    *us = (now_us() - began) / COPIES;
    return status;
}

static gf_status time_copies(const struct fleet *fleet, double *us, gf_error *error)
{
    const gf_device device = fleet->flight->device->queue.device;
    const gf_shape shapes[2] = {gf_plan_input(fleet->plan), gf_plan_output(fleet->plan)};
    gf_queue queues[2] = {{GF_DEVICE_CPU, NULL}, {GF_DEVICE_CPU, NULL}};
    gf_picture *here[2] = {NULL, NULL};
    void *there[2] = {NULL, NULL};
    gf_status status = GF_OK;
    for (int i = 0; status == GF_OK && i < 2; i++) {
        status = gf_queue_create(device, &queues[i], error);
        status = status == GF_OK ? gf_picture_create_pinned(&shapes[i], device, &here[i], error) : status;
        status = status == GF_OK ? gf_memory_allocate(device, bytes_of(here[i]), &there[i], error) : status;
    }
    for (int i = 0; status == GF_OK && i < 3; i++) { /* the last counts */
        status = copy_once(fleet, queues, there, here, us, error);
    }
    for (int i = 0; i < 2; i++) {
        gf_memory_release(device, there[i]);
        gf_picture_destroy(&here[i]);
        gf_queue_destroy(&queues[i]);
    }
    return status;
}

/* ---- Timing ------------------------------------------------------------------------------------------- */

static double traffic(const struct fleet *fleet)
{
    const gf_shape shapes[2] = {gf_plan_input(fleet->plan), gf_plan_output(fleet->plan)};
    double bytes = 0;
    for (int i = 0; i < 2; i++) {
        bytes += (double)gf_image_row_bytes(shapes[i].width, shapes[i].channels, shapes[i].depth) *
                 (double)shapes[i].height;
    }
    return bytes;
}

/* Tells, where nothing overlaps, at what rates the last picture went up and down. */
static void tell_copies(const struct fleet *fleet, struct bench_row *row)
{
    gf_run_stats stats = {.struct_size = sizeof stats};
    const struct plane *plane = &fleet->planes[0];
    if (fleet->flight->flights == 1 && gf_exec_run_stats(plane->exec, &stats) == GF_OK &&
        stats.upload_ms > 0 && stats.download_ms > 0 && fleet->flight->device->queue.device >= 0) {
        snprintf(row->result, sizeof row->result, "up %.1f GB/s down %.1f GB/s",
                 (double)bytes_of(plane->in[0]) * 1e-6 / stats.upload_ms,
                 (double)bytes_of(plane->out[0]) * 1e-6 / stats.download_ms);
    }
}

static gf_status measure(struct fleet *fleet, struct bench_row *row, gf_error *error)
{
    double us[ROUNDS], warm = 0, copies = 0;
    CLI_TRY(fleet->flight->device->queue.device >= 0 ? time_copies(fleet, &copies, error) : GF_OK);
    CLI_TRY(run_round(fleet, SETS, &warm, error)); /* touches every page */
    CLI_TRY(run_round(fleet, SETS, &warm, error));
    const double wanted = ROUND_US / (warm * fleet->flight->flights + 1);
    const int runs = wanted < SETS ? SETS : wanted > MOST_RUNS ? MOST_RUNS : (int)wanted;
    for (int i = 0; i < ROUNDS; i++) {
        CLI_TRY(run_round(fleet, runs, &us[i], error));
    }
    row->timed = true;
    row->q1_us = quantile(us, ROUNDS, 0.25);
    row->time_us = quantile(us, ROUNDS, 0.5);
    row->q3_us = quantile(us, ROUNDS, 0.75);
    row->gbps = traffic(fleet) * 1e-3 / row->time_us;
    row->fraction = copies / row->time_us;
    tell_copies(fleet, row);
    return GF_OK;
}

gf_status bench_flight_measure(const struct bench_flight *flight, struct bench_row *row, gf_error *error)
{
    struct fleet *fleet = calloc(1, sizeof *fleet);
    if (!fleet) {
        return cli_error(error, GF_ERROR_MEMORY, "out of memory");
    }
    const bool gpu = flight->device->queue.device >= 0;
    gf_status status = gpu ? GF_OK : check_small(flight, fleet, row, error);
    status = status == GF_OK ? open_fleet(flight, fleet, error) : status;
    status = status == GF_OK && gpu ? check(fleet, GF_DEVICE_CPU, row, error) : status;
    if (status == GF_OK && !flight->device->emulated && row->verdict != PRIM_WRONG) {
        status = measure(fleet, row, error);
    }
    close_fleet(fleet);
    free(fleet);
    return status;
}
