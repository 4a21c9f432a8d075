/* gpufilter prim run_length */
#include "element.h"
#include "message.h"
#include "prim.h"

#include "gpufilter/keyed.h"

#include <inttypes.h>
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
    .takes = PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_INDICES) | PRIM_TAKES(PRIM_UNIQUE) |
             PRIM_TAKES(PRIM_COUNTS_OUT),
    .type = "u32",
    .data = "runs:16",
    .prepare = prepare_runs,
    .scratch = runs_scratch,
    .run = run_runs,
    .extent = extent_runs,
    .traffic = traffic_runs,
    .result = runs_result,
};
