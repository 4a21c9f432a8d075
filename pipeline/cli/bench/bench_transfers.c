/* Runs the series of bench_table_transfers.c: each at each size, on the GPU or the CPU. */
#include "base/message.h"
#include "bench/bench_flight.h"
#include "bench/bench_sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Channels, memory, execs and threads of a series. */
static void read_series(const struct bench_series *series, struct bench_flight *flight)
{
    char depth[8] = "", memory[16] = "";
    int threads = 0;
    sscanf(series->words, "%d %7s %15s %d %d", &flight->shape.channels, depth, memory, &flight->flights,
           &threads);
    flight->shape.depth = GF_U8;
    flight->stages = series->primitive;
    flight->pinned = !strcmp(memory, "pinned");
    flight->threads = threads;
}

/* One series at one size: a row, or a note why there is none. */
static gf_status run_point(struct bench_result *result, int p, int line, const struct bench_flight *flight,
                           const char *size)
{
    struct bench_row row = {.panel = p, .series = line};
    gf_error error = GF_ERROR_INIT;
    char *note = result->lines[line].note;
    if (bench_flight_measure(flight, &row, &error) != GF_OK) {
        if (!*note) {
            snprintf(note, sizeof result->lines[line].note, "%.*s", (int)sizeof result->lines[line].note - 1,
                     error.message);
        }
        return GF_OK;
    }
    snprintf(row.algo, sizeof row.algo, "%s-%d", flight->pinned ? "pinned" : "pageable", flight->flights);
    snprintf(row.parameters, sizeof row.parameters, "stages=%s size=%s threads=%d", flight->stages, size,
             flight->threads ? flight->threads : flight->how->threads);
    return bench_keep_picture(result, row, flight->shape, size, flight->device);
}

static gf_status run_series(struct bench_result *result, int p, const struct bench_series *s,
                            struct bench_flight *flight, const struct bench_sizes *sizes)
{
    int line = 0;
    CLI_TRY(bench_add_line(result, p, s->label, s->place == BENCH_CPU, &line));
    for (int i = 0; i < sizes->count; i++) {
        bench_tell(result, s->label, sizes->words[i]);
        flight->shape = sizes->shapes[i];
        read_series(s, flight);
        CLI_TRY(run_point(result, p, line, flight, sizes->words[i]));
    }
    return GF_OK;
}

/* The series of the CPU, or those of the GPU. */
static gf_status run_device(struct bench_result *result, struct bench_flight *flight,
                            const struct bench_sizes *sizes)
{
    const struct bench_panel *panel = result->experiment->panels;
    const bool cpu = flight->device->queue.device == GF_DEVICE_CPU;
    result->emulated = result->emulated || flight->device->emulated;
    bench_machine(flight->device, result->machine[!cpu], sizeof result->machine[0]);
    for (const struct bench_series *s = panel->series; s->label; s++) {
        if (cpu == (s->place == BENCH_CPU)) {
            CLI_TRY(run_series(result, 0, s, flight, sizes));
        }
    }
    return GF_OK;
}

/* The device that was asked for, and behind a GPU the CPU, unless that one is emulated. */
static gf_status run_devices(struct bench_result *result, struct bench_flight *flight, struct prim_how *how,
                             const struct bench_sizes *sizes)
{
    struct prim_device device;
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(bench_open_device(how, &device));
    flight->device = &device;
    gf_status status = run_device(result, flight, sizes);
    const bool is_real = device.queue.device >= 0 && !device.emulated;
    prim_device_close(&device);
    if (status == GF_OK && is_real) {
        CLI_TRY(cli_told(prim_device_open(GF_DEVICE_CPU, false, &device, &error), &error));
        status = run_device(result, flight, sizes);
        prim_device_close(&device);
    }
    return status;
}

gf_status bench_transfers_run(struct bench_result *result, const struct bench_options *options)
{
    const struct bench_panel *panel = result->experiment->panels;
    struct bench_sizes *sizes = calloc(1, sizeof *sizes);
    struct prim_how how;
    struct bench_flight flight = {.how = &how};
    gf_error error = GF_ERROR_INIT;
    gf_status status = sizes ? bench_how(options, &how) : cli_fail(GF_ERROR_MEMORY, "out of memory");
    const char *text = options->size ? options->size : options->quick ? panel->quick : panel->values;
    status = status == GF_OK ? bench_read_sizes(text, sizes) : status;
    if (status == GF_OK) {
        status = gf_context_create(NULL, &flight.context, &error);
        status = status == GF_OK ? run_devices(result, &flight, &how, sizes) : cli_fail_error(status, &error);
    }
    gf_context_destroy(&flight.context);
    free(sizes);
    return status;
}
