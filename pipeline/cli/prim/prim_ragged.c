/* gpufilter prim ragged */
#include "base/argument_value.h"
#include "base/message.h"
#include "base/text_file.h"
#include "base/words.h"
#include "prim/array_data.h"
#include "prim/element.h"
#include "prim/prim.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_NX     "1M"
#define USUAL_NY_MAX "1000"
#define USUAL_DATA   "skew:0"

enum { COUNTS, VALUES };  /* job->in */
enum { NX, MOST, ITEMS }; /* job->size */

static bool is_segment(gf_ragged_body body)
{
    return body >= GF_RAGGED_SEGMENT_SUM && body <= GF_RAGGED_SEGMENT_MAX;
}

static gf_ragged_body body_of(const struct prim_job *job)
{
    const char *text = job->options.text[PRIM_BODY];
    return text ? (gf_ragged_body)words_index(RAGGED_BODIES, text) : GF_RAGGED_SUM;
}

/* ---- Counts ---------------------------------------------------------------------------------------------- */

static gf_status make_counts(struct prim_job *job)
{
    const char *const *text = job->options.text;
    const char *data = text[PRIM_DATA] ? text[PRIM_DATA] : USUAL_DATA;
    const bool is_skew = !strncmp(data, "skew:", 5), is_zipf = !strcmp(data, "zipf");
    double skew = 0;
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(prim_count("--nx", text[PRIM_NX] ? text[PRIM_NX] : USUAL_NX, 0, &job->size[NX]));
    CLI_TRY(
        prim_count("--ny-max", text[PRIM_NY_MAX] ? text[PRIM_NY_MAX] : USUAL_NY_MAX, 0, &job->size[MOST]));
    if (job->size[NX] > INT32_MAX || job->size[MOST] > INT32_MAX) {
        return cli_fail(GF_ERROR_ARGUMENT, "--nx and --ny-max must each be at most %d", INT32_MAX);
    }
    if (!is_skew && !is_zipf) {
        return cli_fail(GF_ERROR_ARGUMENT, "--data is '%s': of ragged it must be skew:K, as skew:10, or zipf",
                        data);
    }
    CLI_TRY(is_skew ? value_number("--data skew:K", data + 5, false, &skew, NULL) : GF_OK);
    CLI_TRY(cli_told(prim_array_create(GF_S32, job->size[NX], &job->in[COUNTS], &error), &error));
    snprintf(job->recipe.word, sizeof job->recipe.word, "%s", data);
    array_counts_fill(job->in[COUNTS].data, job->size[NX], (int32_t)job->size[MOST],
                      is_zipf ? COUNTS_ZIPF : COUNTS_SKEW, skew, job->seed);
    return GF_OK;
}

static gf_status read_counts(struct prim_job *job, const char *path)
{
    static const enum prim_option apart[] = {PRIM_NX, PRIM_NY_MAX, PRIM_DATA};
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        if (job->options.text[apart[i]]) {
            return cli_fail(GF_ERROR_ARGUMENT, "--counts has counts of its own: leave out --%s",
                            prim_option_table[apart[i]].name);
        }
    }
    CLI_TRY(prim_array_read(path, false, &job->in[COUNTS]));
    if (job->in[COUNTS].type != GF_S32) {
        return cli_fail(GF_ERROR_INPUT, "%s: holds %s, must hold counts of i32", path,
                        gf_depth_name(job->in[COUNTS].type));
    }
    job->file = path;
    job->size[NX] = job->in[COUNTS].n;
    strcpy(job->recipe.word, "file");
    return GF_OK;
}

static void measure_counts(struct prim_job *job)
{
    const int32_t *counts = job->in[COUNTS].data;
    job->size[MOST] = job->size[ITEMS] = 0;
    for (int64_t ix = 0; ix < job->size[NX]; ix++) {
        const int64_t count = counts[ix] > 0 ? counts[ix] : 0;
        job->size[ITEMS] += count;
        job->size[MOST] = count > job->size[MOST] ? count : job->size[MOST];
    }
    job->n = job->size[NX];
    snprintf(job->shape, sizeof job->shape, "%" PRId64 "x%" PRId64 ", %" PRId64 " items", job->size[NX],
             job->size[MOST], job->size[ITEMS]);
}

/* ---- Values ---------------------------------------------------------------------------------------------- */

/* A random element of the type for each item of a segment, or each run. */
static gf_status take_values(struct prim_job *job)
{
    const struct prim_recipe random = {.kind = ARRAY_RANDOM};
    const gf_ragged_body body = body_of(job);
    const char *path = job->options.text[PRIM_IN];
    const int64_t n = body == GF_RAGGED_DECODE ? job->size[NX] : job->size[ITEMS];
    if (!is_segment(body) && body != GF_RAGGED_DECODE) {
        return path ? cli_fail(GF_ERROR_ARGUMENT,
                               "--in has values of segments or runs: for --body segment-sum, segment-min, "
                               "segment-max or decode")
                    : GF_OK;
    }
    if (!path) {
        return prim_array_make(&random, job->type, n, job->seed + 1, &job->in[VALUES]);
    }
    CLI_TRY(prim_array_read(path, false, &job->in[VALUES]));
    if (job->options.text[PRIM_TYPE] && job->in[VALUES].type != job->type) {
        return cli_fail(GF_ERROR_ARGUMENT, "--type is %s, but %s holds %s: leave out --type",
                        job->options.text[PRIM_TYPE], path, gf_depth_name(job->in[VALUES].type));
    }
    if (job->in[VALUES].n != n) {
        return cli_fail(GF_ERROR_INPUT,
                        "%s: holds %" PRId64 " elements, must hold %" PRId64 ", one for each %s", path,
                        job->in[VALUES].n, n, body == GF_RAGGED_DECODE ? "count" : "item");
    }
    job->type = job->in[VALUES].type;
    return GF_OK;
}

static gf_status inputs(struct prim_job *job)
{
    const char *const *text = job->options.text;
    int64_t seed = 0;
    CLI_TRY(text[PRIM_SEED] ? value_integer("--seed", text[PRIM_SEED], 0, INT64_MAX, &seed) : GF_OK);
    job->seed = (uint64_t)seed;
    job->type = element_type(text[PRIM_TYPE] ? text[PRIM_TYPE] : "i64");
    CLI_TRY(text[PRIM_COUNTS] ? read_counts(job, text[PRIM_COUNTS]) : make_counts(job));
    measure_counts(job);
    return take_values(job);
}

/* ---- Options --------------------------------------------------------------------------------------------- */

/* A table of lines "NX NY"; what stands behind a # is none of it. */
static gf_status read_table(struct prim_job *job, const char *path)
{
    enum { MOST_LINES = sizeof job->threshold / sizeof job->threshold[0] };
    struct text_file file = {NULL, 0};
    gf_error error = GF_ERROR_INIT;
    gf_status status = text_file_read(path, 1 << 20, &file, &error);
    int32_t count = 0, number = 0;
    for (char *line = file.text, *next; status == GF_OK && *line; line = next) {
        long long nx, ny;
        char more;
        number++;
        next = line + strcspn(line, "\n");
        next += *next != '\0';
        line[strcspn(line, "\n")] = '\0';
        line[strcspn(line, "#\r")] = '\0';
        if (line[strspn(line, " \t")] == '\0') {
            continue;
        }
        if (sscanf(line, "%lld %lld %c", &nx, &ny, &more) != 2 || nx < 0 || ny < 0 || count == MOST_LINES ||
            (count > 0 && nx <= job->threshold[count - 1].nx)) {
            status =
                cli_error(&error, GF_ERROR_INPUT,
                          "%s, line %d: must be two whole numbers, NX NY, with NX above that of the line "
                          "before, in %d lines at most",
                          path, number, MOST_LINES);
            break;
        }
        job->threshold[count++] = (gf_ragged_threshold){nx, ny};
    }
    text_file_free(&file);
    if (status == GF_OK && count == 0) {
        return cli_fail(GF_ERROR_INPUT, "%s: holds no line NX NY", path);
    }
    job->call.ragged.thresholds = count;
    return cli_told(status, &error);
}

static gf_status take_threshold(struct prim_job *job, const char *text)
{
    if (*text == '@') {
        return read_table(job, text + 1);
    }
    job->threshold[0].nx = 0;
    job->call.ragged.thresholds = 1;
    return prim_count("--ny-th", text, 0, &job->threshold[0].ny);
}

static gf_status take_shape(struct prim_job *job)
{
    const char *const *text = job->options.text;
    gf_ragged_options *o = &job->call.ragged;
    int64_t block[2] = {0, 0};
    if (text[PRIM_FRAME_AREA]) {
        CLI_TRY(prim_count("--frame-area", text[PRIM_FRAME_AREA], 1, &o->frame_area));
    }
    if (text[PRIM_ALPHA]) {
        CLI_TRY(value_number("--alpha", text[PRIM_ALPHA], false, &o->alpha, NULL));
        if (o->alpha <= 0 || o->alpha > 1) {
            return cli_fail(GF_ERROR_ARGUMENT, "--alpha is '%s': must be above 0 and at most 1",
                            text[PRIM_ALPHA]);
        }
    }
    if (text[PRIM_BLOCK_XY]) {
        if (!prim_sizes(text[PRIM_BLOCK_XY], 2, block) || block[0] < 1 || block[1] < 1 || block[0] > 1024 ||
            block[1] > 1024 || block[0] * block[1] > 1024) {
            return cli_fail(GF_ERROR_ARGUMENT, "--block-xy is '%s': must be like 32x8, 1024 threads at most",
                            text[PRIM_BLOCK_XY]);
        }
        o->block_x = (int32_t)block[0];
        o->block_y = (int32_t)block[1];
    }
    return text[PRIM_NY_TH] ? take_threshold(job, text[PRIM_NY_TH]) : GF_OK;
}

static gf_status prepare(struct prim_job *job)
{
    gf_ragged_options *o = &job->call.ragged;
    const gf_ragged_body body = body_of(job);
    const bool folds = body <= GF_RAGGED_SEGMENT_MAX, expands = body == GF_RAGGED_EXPAND;
    const char *value = job->options.text[PRIM_VALUE];
    *o = (gf_ragged_options)GF_RAGGED_OPTIONS_INIT;
    o->body = body;
    job->array = &o->array;
    CLI_TRY(value ? element_read("--value", value, GF_S64, &o->value) : GF_OK);
    CLI_TRY(take_shape(job));
    job->out[0] = (struct prim_output){gf_ragged_result(body, job->type),
                                       folds ? job->size[NX] : job->size[ITEMS], PRIM_OUT, 0};
    if (expands) {
        job->out[1] = (struct prim_output){GF_U32, job->size[ITEMS], PRIM_VALUES_OUT, 0};
    }
    if (!expands && job->options.text[PRIM_VALUES_OUT]) {
        return cli_fail(GF_ERROR_ARGUMENT, "--values-out is where iy goes, with --body expand");
    }
    if (body != GF_RAGGED_SUM) { /* whose published variants have no need to know it */
        job->out[2] = (struct prim_output){GF_S64, 1, 0, 0};
    }
    return GF_OK;
}

/* The options, with the table where the job has it now. */
static gf_ragged_options options_of(const struct prim_job *job)
{
    gf_ragged_options o = job->call.ragged;
    o.threshold = o.thresholds > 0 ? job->threshold : NULL;
    return o;
}

/* ---- Runs ------------------------------------------------------------------------------------------------ */

static int64_t items_of(const struct prim_job *job)
{
    return body_of(job) == GF_RAGGED_SUM ? 0 : job->size[ITEMS];
}

static gf_status scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    const gf_ragged_options o = options_of(job);
    return gf_ragged_scratch(device, &o, job->size[NX], items_of(job), bytes, error);
}

static gf_status run(const struct prim_job *job, gf_queue queue, const struct prim_memory *m, gf_error *error)
{
    const gf_ragged_options o = options_of(job);
    return gf_ragged(queue, &o, m->in[COUNTS], job->size[NX], m->in[VALUES], m->out[0],
                     o.body == GF_RAGGED_EXPAND ? m->out[1] : NULL, items_of(job),
                     o.body == GF_RAGGED_SUM ? NULL : m->out[2], m->scratch, m->scratch_bytes, error);
}

/* Items. */
static double work(const struct prim_job *job)
{
    return (double)job->size[ITEMS];
}

/* Sums of floats may be off by a rounding of the sum of magnitudes for each item, in any order. */
static bool near(const struct prim_job *job, const void *expected, const void *found, double *worst)
{
    const int32_t *counts = job->in[COUNTS].data;
    const struct prim_output *out = &job->out[0];
    int64_t k = 0;
    if (body_of(job) != GF_RAGGED_SEGMENT_SUM) {
        return !memcmp(expected, found, (size_t)out->n * gf_depth_size(out->type));
    }
    for (int64_t ix = 0; ix < job->size[NX]; ix++) {
        const double e = ((const double *)expected)[ix], f = ((const double *)found)[ix];
        const int64_t n = counts[ix] > 0 ? counts[ix] : 0;
        double size = 0;
        for (int64_t end = k + n; k < end; k++) {
            size += fabs(element_value(job->type, job->in[VALUES].data, k));
        }
        if (!prim_is_near(e, f, DBL_EPSILON * (8 + sqrt((double)n)) * size, worst)) {
            return false;
        }
    }
    return true;
}

const struct prim_driver prim_driver_ragged = {
    .name = "ragged",
    .takes = PRIM_TAKES(PRIM_NX) | PRIM_TAKES(PRIM_NY_MAX) | PRIM_TAKES(PRIM_COUNTS) | PRIM_TAKES(PRIM_IN) |
             PRIM_TAKES(PRIM_BODY) | PRIM_TAKES(PRIM_VALUE) | PRIM_TAKES(PRIM_FRAME_AREA) |
             PRIM_TAKES(PRIM_ALPHA) | PRIM_TAKES(PRIM_NY_TH) | PRIM_TAKES(PRIM_BLOCK_XY) |
             PRIM_TAKES(PRIM_VALUES_OUT),
    .type = "i64",
    .data = USUAL_DATA,
    .inputs = inputs,
    .prepare = prepare,
    .scratch = scratch,
    .run = run,
    .work = work,
    .near = near,
    .result = prim_result_ends,
};
