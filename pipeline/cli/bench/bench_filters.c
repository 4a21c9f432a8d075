/* Runs the chains of bench_table_filters.c: each at each size, on one device. */
#include "base/message.h"
#include "bench/bench_chain.h"
#include "bench/bench_sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU_MOST ((int64_t)1 << 26) /* pixels: beyond, a row of the CPU takes minutes */

/* Channels, depth and fusing of a series. */
static void read_series(const struct bench_series *series, struct bench_chain *chain)
{
    char depth[8] = "", fuse[16] = "";
    sscanf(series->words, "%d %7s %15s", &chain->shape.channels, depth, fuse);
    chain->shape.depth = GF_U8;
    while (strcmp(gf_depth_name(chain->shape.depth), depth) != 0) {
        chain->shape.depth++;
    }
    chain->stages = series->primitive;
    chain->no_fuse = !strcmp(fuse, "no-fuse");
}

static gf_status keep_row(const struct bench_chain *chain, struct bench_row row, const char *size,
                          struct bench_result *result)
{
    snprintf(row.algo, sizeof row.algo, "%s", chain->no_fuse ? "no-fuse" : "fused");
    snprintf(row.parameters, sizeof row.parameters, "stages=%s size=%s channels=%d", chain->stages, size,
             chain->shape.channels);
    return bench_keep_picture(result, row, chain->shape, size, chain->device);
}

/* One chain at one size: a row, or a note why there is none. */
static gf_status run_point(struct bench_result *result, int p, int line, const struct bench_chain *chain,
                           const char *size)
{
    struct bench_row row = {.panel = p, .series = line};
    gf_error error = GF_ERROR_INIT;
    char *note = result->lines[line].note;
    if (result->lines[line].cpu && chain->shape.width * chain->shape.height > CPU_MOST) {
        cli_error(&error, GF_ERROR_UNSUPPORTED, "on the CPU up to 2^26 pixels only");
    } else if (bench_chain_measure(chain, &row, &error) == GF_OK) {
        return keep_row(chain, row, size, result);
    }
    if (!*note) {
        snprintf(note, sizeof result->lines[line].note, "%.*s", (int)sizeof result->lines[line].note - 1,
                 error.message);
    }
    return GF_OK;
}

static gf_status run_panel(struct bench_result *result, int p, struct bench_chain *chain,
                           const struct bench_sizes *sizes)
{
    const struct bench_panel *panel = &result->experiment->panels[p];
    for (const struct bench_series *s = panel->series; s->label; s++) {
        int line = 0;
        CLI_TRY(bench_add_line(result, p, s->label, chain->device->queue.device == GF_DEVICE_CPU, &line));
        for (int i = 0; i < sizes->count; i++) {
            bench_tell(result, s->label, sizes->words[i]);
            chain->shape = sizes->shapes[i];
            read_series(s, chain);
            CLI_TRY(run_point(result, p, line, chain, sizes->words[i]));
        }
    }
    return GF_OK;
}

gf_status bench_filters_run(struct bench_result *result, const struct bench_options *options)
{
    const struct bench_panel *panels = result->experiment->panels;
    struct bench_sizes *sizes = calloc(1, sizeof *sizes);
    struct prim_how how;
    struct prim_device device;
    struct bench_chain chain = {.device = &device, .how = &how};
    gf_error error = GF_ERROR_INIT;
    gf_status status = sizes ? bench_how(options, &how) : cli_fail(GF_ERROR_MEMORY, "out of memory");
    status = status == GF_OK ? bench_read_sizes(options->size    ? options->size
                                                : options->quick ? panels->quick
                                                                 : panels->values,
                                                sizes)
                             : status;
    status = status == GF_OK ? bench_open_device(&how, &device) : status;
    if (status == GF_OK) {
        result->emulated = device.emulated;
        bench_machine(&device, result->machine[device.queue.device != GF_DEVICE_CPU],
                      sizeof result->machine[0]);
        status = cli_told(gf_context_create(NULL, &chain.context, &error), &error);
        for (int p = 0; status == GF_OK && panels[p].title; p++) {
            status = run_panel(result, p, &chain, sizes);
        }
        gf_context_destroy(&chain.context);
        prim_device_close(&device);
    }
    free(sizes);
    return status;
}
