/* gpufilter prim histogram_2d */
#include "base/argument_value.h"
#include "base/message.h"
#include "base/words.h"
#include "prim/element.h"
#include "prim/prim.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { X, Y, WEIGHTS }; /* job->in */
enum { MOST_BINS = 1 << 20 };

/* "64x32", or "64" for a histogram of one array, whose rows are then 0. */
static gf_status read_bins(const char *text, int64_t *columns, int64_t *rows)
{
    int64_t sizes[2] = {0, 0};
    if (prim_sizes(text, 2, sizes) && sizes[0] >= 1 && sizes[1] >= 1 && sizes[0] <= MOST_BINS &&
        sizes[1] <= MOST_BINS) {
        *columns = sizes[0];
        *rows = sizes[1];
        return GF_OK;
    }
    *rows = 0;
    return strchr(text, 'x')
               ? cli_fail(GF_ERROR_ARGUMENT,
                          "--bins is '%s': must be COLUMNSxROWS, like 64x32, each up to %d, or COLUMNS", text,
                          MOST_BINS)
               : value_integer("--bins", text, 1, MOST_BINS, columns);
}

/* "0:256", for both axes. */
static gf_status read_range(const char *text, gf_histogram_axis axis[2])
{
    char *colon, *end = NULL;
    const double lo = strtod(text, &colon), hi = *colon == ':' ? strtod(colon + 1, &end) : 0;
    if (colon == text || *colon != ':' || end == colon + 1 || *end || !(lo < hi) || !isfinite(hi - lo)) {
        return cli_fail(GF_ERROR_ARGUMENT, "--range is '%s': must be LO:HI, two numbers, LO below HI", text);
    }
    axis[X].lo = axis[Y].lo = lo;
    axis[X].hi = axis[Y].hi = hi;
    return GF_OK;
}

static gf_status take_weights(struct prim_job *job, const char *text)
{
    struct prim_array *weights = &job->in[WEIGHTS];
    if (words_index(ELEMENT_TYPES, text) >= 0) {
        const struct prim_recipe recipe = {.kind = ARRAY_RANDOM};
        CLI_TRY(prim_array_make(&recipe, element_type(text), job->n, job->seed + 7, weights));
    } else {
        CLI_TRY(prim_array_read(text, false, weights));
    }
    if (weights->n != job->n || element_is_float(weights->type)) {
        return cli_fail(GF_ERROR_INPUT,
                        "--weights %s: %" PRId64 " of %s, must be as many as there are pairs, %" PRId64
                        ", and integers, whose sums are exact",
                        text, weights->n, gf_depth_name(weights->type), job->n);
    }
    return GF_OK;
}

/* The rows' array: from a file as the columns', or made as they are. */
static gf_status take_rows(struct prim_job *job)
{
    const char *const *text = job->options.text;
    if (!text[PRIM_IN] != !text[PRIM_IN2]) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "histogram_2d takes both arrays from files, --in X --in2 Y, or makes "
                        "both; one alone with --bins COLUMNS");
    }
    CLI_TRY(text[PRIM_IN2] ? prim_job_read(job, Y, PRIM_IN2, false) : prim_job_make(job, Y, 0, job->n));
    if (job->in[Y].n != job->n) {
        return cli_fail(GF_ERROR_INPUT, "%s: holds %" PRId64 " elements, must hold as many as %s, %" PRId64,
                        text[PRIM_IN2], job->in[Y].n, text[PRIM_IN], job->n);
    }
    return GF_OK;
}

static gf_status prepare(struct prim_job *job)
{
    const char *const *text = job->options.text;
    gf_histogram_2d_options *o = &job->call.histogram_2d;
    int64_t columns = 64, rows = 64;
    *o = (gf_histogram_2d_options)GF_HISTOGRAM_2D_OPTIONS_INIT;
    job->array = &o->array;
    job->axis[X] = job->axis[Y] = (gf_histogram_axis)GF_HISTOGRAM_AXIS_INIT;
    CLI_TRY(text[PRIM_BINS] ? read_bins(text[PRIM_BINS], &columns, &rows) : GF_OK);
    CLI_TRY(text[PRIM_RANGE] ? read_range(text[PRIM_RANGE], job->axis) : GF_OK);
    if (rows == 0 && text[PRIM_IN2]) {
        return cli_fail(GF_ERROR_ARGUMENT, "--in2 has the rows of a table: --bins COLUMNSxROWS");
    }
    CLI_TRY(rows > 0 ? take_rows(job) : GF_OK);
    CLI_TRY(text[PRIM_WEIGHTS] ? take_weights(job, text[PRIM_WEIGHTS]) : GF_OK);
    job->axis[X].type = job->axis[Y].type = job->type;
    job->axis[X].bins = columns;
    job->axis[Y].bins = rows;
    o->weighted = text[PRIM_WEIGHTS] != NULL;
    o->weights = o->weighted ? job->in[WEIGHTS].type : GF_U32;
    const bool is_signed =
        o->weighted && (o->weights == GF_S16 || o->weights == GF_S32 || o->weights == GF_S64);
    const int64_t width = columns + GF_HISTOGRAM_EXTRA, height = rows > 0 ? rows + GF_HISTOGRAM_EXTRA : 1;
    job->out[0] =
        (struct prim_output){is_signed ? GF_S64 : GF_U64, width * height, PRIM_OUT, rows > 0 ? height : 0};
    return GF_OK;
}

/* The options with the axes, which lie in the job. */
static gf_histogram_2d_options options_of(const struct prim_job *job)
{
    gf_histogram_2d_options o = job->call.histogram_2d;
    o.x = &job->axis[X];
    o.y = job->axis[Y].bins > 0 ? &job->axis[Y] : NULL;
    return o;
}

static gf_status scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    const gf_histogram_2d_options o = options_of(job);
    return gf_histogram_2d_scratch(device, &o, job->n, bytes, error);
}

static gf_status run(const struct prim_job *job, gf_queue queue, const struct prim_memory *m, gf_error *error)
{
    const gf_histogram_2d_options o = options_of(job);
    return gf_histogram_2d(queue, &o, m->in[X], m->in[Y], m->in[WEIGHTS], job->n, m->out[0], m->scratch,
                           m->scratch_bytes, error);
}

static void result(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                   bool json)
{
    const int64_t width = job->axis[X].bins + GF_HISTOGRAM_EXTRA;
    int64_t fullest = 0;
    for (int64_t c = 1; c < job->out[0].n; c++) {
        fullest =
            element_less(job->out[0].type, (const uint64_t *)out[0] + fullest, (const uint64_t *)out[0] + c)
                ? c
                : fullest;
    }
    buffer_printf(text,
                  json ? "{\"column\":%" PRId64 ",\"row\":%" PRId64 ",\"greatest\":"
                       : "column %" PRId64 ", row %" PRId64 " has most, ",
                  fullest % width, fullest / width);
    element_add(text, job->out[0].type, out[0], fullest, json);
    buffer_add(text, json ? "}" : "");
}

const struct prim_driver prim_driver_histogram_2d = {
    .name = "histogram_2d",
    .takes = PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_IN2) | PRIM_TAKES(PRIM_BINS) | PRIM_TAKES(PRIM_RANGE) |
             PRIM_TAKES(PRIM_WEIGHTS),
    .type = "u8",
    .prepare = prepare,
    .scratch = scratch,
    .run = run,
    .result = result,
};
