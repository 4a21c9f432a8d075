/* gpufilter prim unique_by_key */
#include "base/message.h"
#include "prim/prim_order.h"

#include <inttypes.h>

enum { KEYS, VALUES };             /* job->in */
enum { RESULTS, KEYS_OUT, FOUND }; /* job->out */

static gf_status prepare(struct prim_job *job)
{
    const char *values = job->options.text[PRIM_VALUES];
    job->call.unique = (gf_unique_by_key_options)GF_UNIQUE_BY_KEY_OPTIONS_INIT;
    job->array = &job->call.unique.array;
    CLI_TRY(prim_values_take(values ? values : "index", job->n, 1, &job->in[VALUES]));
    job->call.unique.value_size = (int32_t)gf_depth_size(job->in[VALUES].type);
    job->out[RESULTS] = (struct prim_output){job->in[VALUES].type, job->n, PRIM_OUT, 0};
    job->out[KEYS_OUT] = (struct prim_output){job->type, job->n, PRIM_KEYS_OUT, 0};
    job->out[FOUND] = (struct prim_output){GF_U64, 1, 0, 0};
    return GF_OK;
}

static gf_status scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_unique_by_key_scratch(device, &job->call.unique, job->n, bytes, error);
}

static gf_status run(const struct prim_job *job, gf_queue queue, const struct prim_memory *m, gf_error *error)
{
    return gf_unique_by_key(queue, &job->call.unique, m->in[KEYS], m->in[VALUES], job->n, m->out[KEYS_OUT],
                            m->out[RESULTS], job->n, m->out[FOUND], m->scratch, m->scratch_bytes, error);
}

static int64_t extent(const struct prim_job *job, const void *const out[PRIM_BLOCKS], int i)
{
    return i >= FOUND ? job->out[i].n : *(const int64_t *)out[FOUND];
}

/* Keys once, the values that are taken, and what is written. */
static double traffic(const struct prim_job *job, const void *const out[PRIM_BLOCKS])
{
    return (double)job->n * (double)gf_depth_size(job->type) + 2 * (double)prim_job_bytes(job, out, RESULTS) +
           (double)prim_job_bytes(job, out, KEYS_OUT);
}

static void result(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                   bool json)
{
    (void)job;
    buffer_printf(text, json ? "{\"runs\":%" PRIu64 "}" : "%" PRIu64 " runs", *(const uint64_t *)out[FOUND]);
}

const struct prim_driver prim_driver_unique_by_key = {
    .name = "unique_by_key",
    .takes = PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_VALUES) | PRIM_TAKES(PRIM_KEYS_OUT),
    .type = "u32",
    .data = "runs:16",
    .prepare = prepare,
    .scratch = scratch,
    .run = run,
    .extent = extent,
    .traffic = traffic,
    .result = result,
};
