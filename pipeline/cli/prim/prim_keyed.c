/* gpufilter prim run_length, gpufilter prim reduce_by_key, gpufilter prim scan_by_key */
#include "base/message.h"
#include "prim/element.h"
#include "prim/prim_scan.h"

#include "gpufilter/keyed.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- run_length -------------------------------------------------------------------------------------------- */

enum { KEYS, COUNTS, RUNS }; /* job->out */

static gf_status prepare_runs(struct prim_job *job)
{
    const char *const *text = job->options.text;
    const bool places = text[PRIM_INDICES] != NULL, counts = text[PRIM_UNIQUE] == NULL;
    if (!counts && text[PRIM_COUNTS_OUT]) {
        return cli_fail(GF_ERROR_ARGUMENT, "--unique and --counts-out: there are no counts with --unique");
    }
    job->call.run_length = (gf_run_length_options)GF_RUN_LENGTH_OPTIONS_INIT;
    job->array = &job->call.run_length.array;
    job->out[KEYS] = (struct prim_output){places ? GF_S64 : job->type, job->n, PRIM_OUT, 0};
    job->out[COUNTS] = (struct prim_output){GF_S64, counts ? job->n : 0, PRIM_COUNTS_OUT, 0};
    job->out[RUNS] = (struct prim_output){GF_U64, 1, 0, 0};
    return GF_OK;
}

static gf_status runs_scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_run_length_scratch(device, &job->call.run_length, job->n, bytes, error);
}

static gf_status run_runs(const struct prim_job *job, gf_queue queue, const struct prim_memory *m,
                          gf_error *error)
{
    const bool places = job->options.text[PRIM_INDICES] != NULL;
    return gf_run_length(queue, &job->call.run_length, m->in[0], job->n, places ? NULL : m->out[KEYS],
                         job->out[COUNTS].n > 0 ? m->out[COUNTS] : NULL, places ? m->out[KEYS] : NULL, job->n,
                         m->out[RUNS], m->scratch, m->scratch_bytes, error);
}

static int64_t extent_runs(const struct prim_job *job, const void *const out[PRIM_BLOCKS], int i)
{
    return i == RUNS || job->out[i].n == 0 ? job->out[i].n : *(const int64_t *)out[RUNS];
}

/* Keys once, and what is written. */
static double traffic_runs(const struct prim_job *job, const void *const out[PRIM_BLOCKS])
{
    return (double)job->n * (double)gf_depth_size(job->type) + (double)prim_job_bytes(job, out, KEYS) +
           (double)prim_job_bytes(job, out, COUNTS);
}

static void runs_result(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                        bool json)
{
    const uint64_t runs = *(const uint64_t *)out[RUNS];
    if (json) {
        buffer_printf(text, "{\"runs\":%" PRIu64 "}", runs);
    } else {
        buffer_printf(text, "%" PRIu64 " runs, of %.4g on average", runs,
                      runs > 0 ? (double)job->n / (double)runs : 0);
    }
}

const struct prim_driver prim_driver_run_length = {
    .name = "run_length",
    .takes =
        PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_INDICES) | PRIM_TAKES(PRIM_UNIQUE) | PRIM_TAKES(PRIM_COUNTS_OUT),
    .type = "u32",
    .data = "runs:16",
    .prepare = prepare_runs,
    .scratch = runs_scratch,
    .run = run_runs,
    .extent = extent_runs,
    .traffic = traffic_runs,
    .result = runs_result,
};

/* ---- reduce_by_key ------------------------------------------------------------------------------------------ */

enum { VALUES, KEYS_IN };          /* job->in */
enum { RESULTS, KEYS_OUT, FOUND }; /* job->out */

/* --keys: a file, or runs:MEAN. */
static gf_status take_keys(struct prim_job *job)
{
    const char *text = job->options.text[PRIM_KEYS] ? job->options.text[PRIM_KEYS] : "runs:16";
    struct prim_array *keys = &job->in[KEYS_IN];
    if (!strncmp(text, "runs:", 5)) {
        struct prim_options made = {.primitive = job->options.primitive};
        struct prim_recipe recipe;
        made.text[PRIM_DATA] = text;
        CLI_TRY(prim_recipe_read(&made, text, &recipe));
        return prim_array_make(&recipe, GF_U32, job->n, job->seed + 5, keys);
    }
    CLI_TRY(prim_array_read(text, false, keys));
    if (keys->n != job->n) {
        return cli_fail(GF_ERROR_INPUT,
                        "%s: holds %" PRId64 " keys, must hold as many as there are elements, %" PRId64, text,
                        keys->n, job->n);
    }
    return GF_OK;
}

static gf_status prepare_reduce(struct prim_job *job)
{
    CLI_TRY(prim_reduce_prepare(job, PRIM_REDUCTIONS));
    CLI_TRY(take_keys(job));
    job->out[RESULTS].n = job->n;
    job->out[KEYS_OUT] = (struct prim_output){job->in[KEYS_IN].type, job->n, PRIM_KEYS_OUT, 0};
    job->out[FOUND] = (struct prim_output){GF_U64, 1, 0, 0};
    return GF_OK;
}

static gf_status reduce_scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_reduce_by_key_scratch(device, &job->call.reduce, job->in[KEYS_IN].type, job->n, bytes, error);
}

static gf_status run_reduce(const struct prim_job *job, gf_queue queue, const struct prim_memory *m,
                            gf_error *error)
{
    return gf_reduce_by_key(queue, &job->call.reduce, job->in[KEYS_IN].type, m->in[KEYS_IN], m->in[VALUES],
                            job->n, m->out[KEYS_OUT], m->out[RESULTS], job->n, m->out[FOUND], m->scratch,
                            m->scratch_bytes, error);
}

static int64_t extent_reduce(const struct prim_job *job, const void *const out[PRIM_BLOCKS], int i)
{
    return i >= FOUND ? job->out[i].n : *(const int64_t *)out[FOUND];
}

/* Keys and values once, and what is written. */
static double traffic_reduce(const struct prim_job *job, const void *const out[PRIM_BLOCKS])
{
    return (double)job->n * (double)(gf_depth_size(job->type) + gf_depth_size(job->in[KEYS_IN].type)) +
           (double)prim_job_bytes(job, out, RESULTS) + (double)prim_job_bytes(job, out, KEYS_OUT);
}

/* Results of a loose variant are sums of as many roundings as there are values, in some order. */
static bool near_reduce(const struct prim_job *job, const void *expected, const void *found, double *worst)
{
    const int64_t runs = *(const int64_t *)job->expected[FOUND].data;
    double scale = 0;
    if (job->out[RESULTS].type != GF_F64) {
        return false;
    }
    for (int64_t i = 0; i < job->n; i++) {
        scale = fmax(scale, fabs(element_value(job->type, job->in[VALUES].data, i)));
    }
    scale *= (double)job->n / (double)(runs > 0 ? runs : 1) + 64;
    for (int64_t i = 0; i < runs; i++) {
        const double e = ((const double *)expected)[i], f = ((const double *)found)[i];
        if (!prim_is_near(e, f, prim_epsilon(job->type) * 8 * scale, worst)) {
            return false;
        }
    }
    return true;
}

static void reduce_result(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                          bool json)
{
    const uint64_t runs = *(const uint64_t *)out[FOUND];
    buffer_printf(text, json ? "{\"runs\":%" PRIu64 ",\"first\":" : "%" PRIu64 " runs, first ", runs);
    if (runs > 0) {
        element_add(text, job->out[RESULTS].type, out[RESULTS], 0, json);
    } else {
        buffer_add(text, json ? "null" : "none");
    }
    buffer_add(text, json ? "}" : "");
}

const struct prim_driver prim_driver_reduce_by_key = {
    .name = "reduce_by_key",
    .takes = PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_OP) | PRIM_TAKES(PRIM_KEYS) | PRIM_TAKES(PRIM_KEYS_OUT),
    .type = "f32",
    .prepare = prepare_reduce,
    .scratch = reduce_scratch,
    .run = run_reduce,
    .extent = extent_reduce,
    .traffic = traffic_reduce,
    .near = near_reduce,
    .result = reduce_result,
};

/* ---- scan_by_key ------------------------------------------------------------------------------------------ */

static gf_status prepare_scan(struct prim_job *job)
{
    CLI_TRY(prim_scan_prepare(job));
    return take_keys(job);
}

static gf_status scan_scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_scan_by_key_scratch(device, &job->call.scan, job->in[KEYS_IN].type, job->n, bytes, error);
}

static gf_status run_scan(const struct prim_job *job, gf_queue queue, const struct prim_memory *m,
                          gf_error *error)
{
    return gf_scan_by_key(queue, &job->call.scan, job->in[KEYS_IN].type, m->in[KEYS_IN], m->in[VALUES],
                          job->n, m->out[RESULTS], m->scratch, m->scratch_bytes, error);
}

static bool near_scan(const struct prim_job *job, const void *expected, const void *found, double *worst)
{
    const struct prim_array *keys = &job->in[KEYS_IN];
    double scale = 0, terms = 0;
    if (job->call.scan.op != GF_SCAN_SUM) {
        return false;
    }
    for (int64_t i = 0; i < job->n; i++, terms++) {
        if (i > 0 &&
            element_value(keys->type, keys->data, i) != element_value(keys->type, keys->data, i - 1)) {
            scale = terms = 0;
        }
        scale += fabs(element_value(job->type, job->in[VALUES].data, i));
        if (!prim_scan_is_near(job, expected, found, i, scale, terms, worst)) {
            return false;
        }
    }
    return true;
}

const struct prim_driver prim_driver_scan_by_key = {
    .name = "scan_by_key",
    .takes = PRIM_TAKES_SCAN | PRIM_TAKES(PRIM_KEYS),
    .type = "i32",
    .prepare = prepare_scan,
    .scratch = scan_scratch,
    .run = run_scan,
    .near = near_scan,
    .result = prim_scan_result,
};
