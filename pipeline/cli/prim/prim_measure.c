/* One variant of a primitive on one device: checked, then timed.
 *
 * A time is that between two marks of the device's queue, with a copy queued in front: so a run finds no data
 * of the run before in the cache, and the start of its first kernel is hidden as it is in a program that has
 * more to do. Runs and copies alternate, so that both see the same clock. */
#include "base/message.h"
#include "batch/quantile.h"
#include "prim/prim.h"

#include <stdlib.h>
#include <string.h>

/* What prim_measure holds while it works. */
struct measuring {
    struct prim_job *job;
    struct prim_device *device;
    const struct prim_how *how;
    struct prim_measurement *measured;
    struct prim_memory memory;
    const void *result[PRIM_BLOCKS]; /* outputs in host memory */
    bool exact;                      /* the variant promises the bits of "sequential" */
};

static bool on_host(const struct measuring *b)
{
    return b->device->queue.device == GF_DEVICE_CPU;
}

/* ---- Memory ------------------------------------------------------------------------------------ */

static size_t input_bytes(const struct prim_job *job, int i)
{
    return (size_t)job->in[i].n * gf_depth_size(job->in[i].type);
}

static size_t output_bytes(const struct prim_job *job, int i)
{
    return (size_t)job->out[i].n * gf_depth_size(job->out[i].type);
}

static gf_status allocate(const struct measuring *b, size_t bytes, void **memory, gf_error *error)
{
    return gf_memory_allocate(b->device->queue.device, bytes > 0 ? bytes : 1, memory, error);
}

/* Host memory is device memory on the CPU; elsewhere each block has its twin there. */
static gf_status prepare_memory(struct measuring *b, gf_error *error)
{
    struct prim_job *job = b->job;
    CLI_TRY(job->driver->scratch(job, b->device->queue.device, &b->memory.scratch_bytes, error));
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        CLI_TRY(prim_array_create(job->out[i].type, job->out[i].n, &b->measured->out[i], error));
        b->result[i] = b->measured->out[i].data;
        b->memory.in[i] = on_host(b) ? job->in[i].data : NULL;
        b->memory.out[i] = on_host(b) ? b->measured->out[i].data : NULL;
        if (!on_host(b)) {
            CLI_TRY(allocate(b, input_bytes(job, i), &b->memory.in[i], error));
            CLI_TRY(allocate(b, output_bytes(job, i), &b->memory.out[i], error));
        }
    }
    return b->memory.scratch_bytes > 0 ? allocate(b, b->memory.scratch_bytes, &b->memory.scratch, error)
                                       : GF_OK;
}

static void release_memory(struct measuring *b)
{
    for (int i = 0; !on_host(b) && i < PRIM_BLOCKS; i++) {
        gf_memory_release(b->device->queue.device, b->memory.in[i]);
        gf_memory_release(b->device->queue.device, b->memory.out[i]);
    }
    gf_memory_release(b->device->queue.device, b->memory.scratch);
}

static gf_status upload(struct measuring *b, gf_error *error)
{
    for (int i = 0; !on_host(b) && i < PRIM_BLOCKS; i++) {
        CLI_TRY(gf_memory_copy(b->device->queue, GF_COPY_UPLOAD, b->memory.in[i], b->job->in[i].data,
                               input_bytes(b->job, i), error));
    }
    return GF_OK;
}

static gf_status download(struct measuring *b, const size_t bytes[PRIM_BLOCKS], gf_error *error)
{
    for (int i = 0; !on_host(b) && i < PRIM_BLOCKS; i++) {
        CLI_TRY(gf_memory_copy(b->device->queue, GF_COPY_DOWNLOAD, b->measured->out[i].data, b->memory.out[i],
                               bytes[i], error));
    }
    return GF_OK;
}

/* ---- Checking ------------------------------------------------------------------------------------ */

/* One run into outputs that hold rubbish, so that nothing but the run can make them right. */
static gf_status run_checked(struct measuring *b, gf_error *error)
{
    size_t bytes[PRIM_BLOCKS];
    int64_t launches, additions;
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        bytes[i] = output_bytes(b->job, i);
        memset(b->measured->out[i].data, 0xa5, bytes[i]);
        if (!on_host(b)) {
            CLI_TRY(gf_memory_copy(b->device->queue, GF_COPY_UPLOAD, b->memory.out[i],
                                   b->measured->out[i].data, bytes[i], error));
        }
    }
    CLI_TRY(gf_work_counted(b->device->queue.device, &launches, &additions, error));
    CLI_TRY(b->job->driver->run(b->job, b->device->queue, &b->memory, error));
    CLI_TRY(gf_queue_wait(b->device->queue, error));
    CLI_TRY(gf_work_counted(b->device->queue.device, &b->measured->launches, &b->measured->additions, error));
    b->measured->launches -= launches;
    b->measured->additions -= additions; /* 0 where they are not counted */
    CLI_TRY(download(b, bytes, error));
    CLI_TRY(gf_queue_wait(b->device->queue, error));
    CLI_TRY(b->job->driver->refusal ? b->job->driver->refusal(b->job, b->result, error) : GF_OK);
    if (b->how->check) {
        CLI_TRY(prim_job_expect(b->job, error));
        prim_check(b->job, b->exact, b->measured);
    }
    return GF_OK;
}

static gf_status verify(struct measuring *b, int32_t times, gf_error *error)
{
    for (int32_t i = 0; b->measured->verdict != PRIM_WRONG && i < times; i++) {
        CLI_TRY(run_checked(b, error));
    }
    return GF_OK;
}

/* ---- Timing -------------------------------------------------------------------------------------- */

static gf_status run_once(struct measuring *b, gf_error *error)
{
    if (!b->how->host) {
        return b->job->driver->run(b->job, b->device->queue, &b->memory, error);
    }
    size_t bytes[PRIM_BLOCKS];
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        bytes[i] = prim_job_bytes(b->job, b->result, i);
    }
    CLI_TRY(upload(b, error));
    CLI_TRY(b->job->driver->run(b->job, b->device->queue, &b->memory, error));
    return download(b, bytes, error);
}

/* Copy and run, `repeat` times, with marks[2 * i] before copy i and marks[2 * i + 1] before run i. */
static gf_status queue_runs(struct measuring *b, int32_t repeat, gf_mark **marks, gf_error *error)
{
    for (int32_t i = 0; i < repeat; i++) {
        CLI_TRY(gf_mark_record(b->device->queue, marks[2 * i], error));
        CLI_TRY(prim_copy_run(b->device, error));
        CLI_TRY(gf_mark_record(b->device->queue, marks[2 * i + 1], error));
        CLI_TRY(run_once(b, error));
    }
    CLI_TRY(gf_mark_record(b->device->queue, marks[2 * repeat], error));
    return gf_queue_wait(b->device->queue, error);
}

/* Microseconds of copies and runs, into arrays of `repeat`. */
static gf_status time_runs(struct measuring *b, int32_t repeat, double *copies, double *runs, gf_error *error)
{
    const gf_device device = b->device->queue.device;
    gf_mark **marks = calloc((size_t)repeat * 2 + 1, sizeof *marks);
    gf_status status = marks ? GF_OK : cli_error(error, GF_ERROR_MEMORY, "out of memory");
    for (int32_t i = 0; status == GF_OK && i <= 2 * repeat; i++) {
        status = gf_mark_create(device, &marks[i], error);
    }
    status = status == GF_OK ? queue_runs(b, repeat, marks, error) : status;
    for (int32_t i = 0; status == GF_OK && i < 2 * repeat; i++) {
        double *to = i % 2 == 0 ? &copies[i / 2] : &runs[i / 2];
        status = gf_mark_elapsed(device, marks[i], marks[i + 1], to, error);
        *to *= 1000;
    }
    for (int32_t i = 0; marks && i <= 2 * repeat; i++) {
        gf_mark_destroy(device, &marks[i]);
    }
    free(marks);
    return status;
}

int32_t prim_choose_repeat(const struct prim_how *how, double each_us)
{
    double hold = each_us > 0 ? how->seconds * 1e6 / each_us : PRIM_REPEAT_MOST;
    if (how->repeat > 0) {
        return how->repeat;
    }
    return hold > PRIM_REPEAT_MOST    ? PRIM_REPEAT_MOST
           : hold < PRIM_REPEAT_LEAST ? PRIM_REPEAT_LEAST
                                      : (int32_t)hold;
}

static gf_status measure_time(struct measuring *b, gf_error *error)
{
    struct prim_measurement *m = b->measured;
    const double traffic = prim_job_traffic(b->job, b->result);
    double warm[2][PRIM_WARM];
    const int32_t n_warm = b->how->brief ? 1 : PRIM_WARM;
    b->device->threads = b->how->threads;
    CLI_TRY(prim_copy_prepare(b->device, traffic, b->how->memory, error));
    CLI_TRY(time_runs(b, n_warm, warm[0], warm[1], error));
    m->repeat = prim_choose_repeat(b->how, warm[0][n_warm - 1] + warm[1][n_warm - 1]);
    m->times_us = calloc((size_t)m->repeat, sizeof *m->times_us);
    double *sorted = calloc((size_t)m->repeat, sizeof *sorted);
    gf_status status = sorted && m->times_us ? time_runs(b, m->repeat, sorted, m->times_us, error)
                                             : cli_error(error, GF_ERROR_MEMORY, "out of memory");
    if (status == GF_OK) {
        m->copy_gbps = 2e-3 * (double)b->device->copy_bytes / quantile(sorted, m->repeat, 0.5);
        memcpy(sorted, m->times_us, (size_t)m->repeat * sizeof *sorted);
        m->time_us = quantile(sorted, m->repeat, 0.5);
        m->q1_us = quantile(sorted, m->repeat, 0.25);
        m->q3_us = quantile(sorted, m->repeat, 0.75);
        m->gbps = m->time_us > 0 ? traffic * 1e-3 / m->time_us : 0;
        m->copy_fraction = m->gbps / m->copy_gbps;
        m->timed = true;
    }
    free(sorted);
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------------- */

/* Tells whether the variant promises the bits of "sequential"; the library refuses unknown names later. */
static bool is_exact(const struct prim_job *job, const struct prim_how *how, gf_device device)
{
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant(job->driver->name, i)) != NULL; i++) {
        if (!strcmp(v->name, how->algo) && (v->cuda != 0) == (device >= 0)) {
            return v->loose == 0;
        }
    }
    return true;
}

gf_status prim_measure(struct prim_job *job, struct prim_device *device, const struct prim_how *how,
                       struct prim_measurement *measured, gf_error *error)
{
    struct measuring b = {.job = job, .device = device, .how = how, .measured = measured};
    *measured = (struct prim_measurement){.verdict = PRIM_UNCHECKED};
    b.exact = is_exact(job, how, device->queue.device);
    *job->array = (gf_array_options){how->algo, job->type, how->threads, how->block, how->tile, how->k};
    gf_status status = prepare_memory(&b, error);
    status = status == GF_OK ? upload(&b, error) : status;
    status = status == GF_OK ? run_checked(&b, error) : status;
    if (status == GF_OK && measured->verdict != PRIM_WRONG && how->timed && !device->emulated) {
        status = measure_time(&b, error);
    }
    if (status == GF_OK && how->verify) {
        status = verify(&b,
                        measured->timed   ? measured->repeat
                        : how->repeat > 0 ? how->repeat
                                          : PRIM_REPEAT_LEAST,
                        error);
    }
    release_memory(&b);
    return status;
}

void prim_measurement_free(struct prim_measurement *measured)
{
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        prim_array_free(&measured->out[i]);
    }
    free(measured->times_us);
    *measured = (struct prim_measurement){.verdict = PRIM_UNCHECKED};
}
