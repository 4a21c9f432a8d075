/* gpufilter prim histogram */
#include "base/argument_value.h"
#include "base/message.h"
#include "prim/element.h"
#include "prim/prim.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_BINS = 1 << 24, SHOWN_BINS = 4096 };

/* "0:256" */
static gf_status read_range(const char *text, double *lo, double *hi)
{
    char *colon, *end;
    *lo = strtod(text, &colon);
    *hi = *colon == ':' ? strtod(colon + 1, &end) : 0;
    if (colon == text || *colon != ':' || end == colon + 1 || *end || !isfinite(*lo) || !isfinite(*hi) ||
        !(*lo < *hi)) {
        return cli_fail(GF_ERROR_ARGUMENT, "--range is '%s': must be LO:HI, two numbers, LO below HI", text);
    }
    return GF_OK;
}

static gf_status read_edges(struct prim_job *job, const char *path)
{
    gf_histogram_options *o = &job->call.histogram;
    if (job->options.text[PRIM_BINS] || job->options.text[PRIM_RANGE]) {
        return cli_fail(GF_ERROR_ARGUMENT, "--edges says the bins: leave out --bins and --range");
    }
    CLI_TRY(prim_array_read(path, false, &job->in[1]));
    if (job->in[1].type != GF_F64 || job->in[1].n < 2) {
        return cli_fail(GF_ERROR_INPUT, "%s: holds %" PRId64 " edges of %s, must hold two or more of f64",
                        path, job->in[1].n, gf_depth_name(job->in[1].type));
    }
    o->edges = job->in[1].data;
    o->bins = job->in[1].n - 1;
    return GF_OK;
}

static gf_status prepare(struct prim_job *job)
{
    const char *const *text = job->options.text;
    gf_histogram_options *o = &job->call.histogram;
    int64_t channels = 1;
    *o = (gf_histogram_options)GF_HISTOGRAM_OPTIONS_INIT;
    job->array = &o->array;
    CLI_TRY(text[PRIM_BINS] ? value_integer("--bins", text[PRIM_BINS], 1, MOST_BINS, &o->bins) : GF_OK);
    CLI_TRY(text[PRIM_RANGE] ? read_range(text[PRIM_RANGE], &o->lo, &o->hi) : GF_OK);
    CLI_TRY(text[PRIM_CHANNELS] ? value_integer("--channels", text[PRIM_CHANNELS], 1, 4, &channels) : GF_OK);
    o->channels = (int32_t)channels;
    CLI_TRY(text[PRIM_EDGES] ? read_edges(job, text[PRIM_EDGES]) : GF_OK);
    job->out[0] = (struct prim_output){GF_U64, channels * (o->bins + GF_HISTOGRAM_EXTRA), PRIM_OUT, 0};
    return GF_OK;
}

static gf_status scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_histogram_scratch(device, &job->call.histogram, job->n, bytes, error);
}

static gf_status run(const struct prim_job *job, gf_queue queue, const struct prim_memory *m, gf_error *error)
{
    return gf_histogram(queue, &job->call.histogram, m->in[0], job->n, m->out[0], m->scratch,
                        m->scratch_bytes, error);
}

static double traffic(const struct prim_job *job, const void *const out[PRIM_BLOCKS])
{
    (void)out;
    return (double)job->n * (double)gf_depth_size(job->type) + 8 * (double)job->out[0].n;
}

static void add_json(const gf_histogram_options *o, const uint64_t *counts, struct buffer *text)
{
    buffer_add(text, "{");
    if (o->bins * o->channels <= SHOWN_BINS) {
        buffer_add(text, "\"counts\":[");
        for (int32_t c = 0; c < o->channels; c++) {
            for (int64_t b = 0; b < o->bins; b++) {
                buffer_printf(text, "%s%" PRIu64,
                              b > 0   ? ","
                              : c > 0 ? ",["
                                      : "[",
                              counts[c * (o->bins + GF_HISTOGRAM_EXTRA) + b]);
            }
            buffer_add(text, "]");
        }
        buffer_add(text, "],");
    }
    static const char *const names[] = {"below", "above", "nan"};
    for (int e = 0; e < GF_HISTOGRAM_EXTRA; e++) {
        buffer_printf(text, "%s\"%s\":", e ? "," : "", names[e]);
        for (int32_t c = 0; c < o->channels; c++) {
            buffer_printf(text, "%s%" PRIu64, c ? "," : "[",
                          counts[c * (o->bins + GF_HISTOGRAM_EXTRA) + o->bins + e]);
        }
        buffer_add(text, "]");
    }
    buffer_add(text, "}");
}

static void result(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                   bool json)
{
    const gf_histogram_options *o = &job->call.histogram;
    const uint64_t *counts = out[0];
    if (json) {
        add_json(o, counts, text);
        return;
    }
    for (int32_t c = 0; c < o->channels; c++, counts += o->bins + GF_HISTOGRAM_EXTRA) {
        int64_t fullest = 0;
        for (int64_t b = 1; b < o->bins; b++) {
            fullest = counts[b] > counts[fullest] ? b : fullest;
        }
        if (job->n == 0) {
            buffer_printf(text, "%sno elements: every bin is 0", c ? "\n             " : "");
            continue;
        }
        buffer_printf(text,
                      "%sfullest bin %" PRId64 " with %" PRIu64 "; %" PRIu64 " below, %" PRIu64
                      " above, %" PRIu64 " NaN",
                      c ? "\n             " : "", fullest, counts[fullest],
                      counts[o->bins + GF_HISTOGRAM_BELOW], counts[o->bins + GF_HISTOGRAM_ABOVE],
                      counts[o->bins + GF_HISTOGRAM_NAN]);
    }
}

const struct prim_driver prim_driver_histogram = {
    .name = "histogram",
    .takes = PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_EDGES) | PRIM_TAKES(PRIM_BINS) | PRIM_TAKES(PRIM_RANGE) |
             PRIM_TAKES(PRIM_CHANNELS),
    .type = "u8",
    .prepare = prepare,
    .scratch = scratch,
    .run = run,
    .traffic = traffic,
    .result = result,
};
