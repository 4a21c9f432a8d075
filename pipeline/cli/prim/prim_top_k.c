/* gpufilter prim top_k */
#include "base/message.h"
#include "prim/element.h"
#include "prim/prim.h"

#include <inttypes.h>
#include <string.h>

#define USUAL_K 100

static gf_status prepare(struct prim_job *job)
{
    const char *order = job->options.text[PRIM_ORDER], *k = job->options.text[PRIM_M];
    int64_t *taken = &job->size[0];
    job->call.top_k = (gf_top_k_options)GF_TOP_K_OPTIONS_INIT;
    job->call.top_k.least = order && !strcmp(order, "asc");
    job->array = &job->call.top_k.array;
    *taken = job->n < USUAL_K ? job->n : USUAL_K;
    CLI_TRY(k ? prim_count("--m", k, 0, taken) : GF_OK);
    if (*taken > job->n) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "--m is %s: there are %" PRId64 " elements, of which top_k takes --m", k, job->n);
    }
    job->out[0] = (struct prim_output){job->type, *taken, PRIM_OUT, 0};
    job->out[1] = (struct prim_output){gf_top_k_places(job->n), *taken, PRIM_VALUES_OUT, 0};
    return GF_OK;
}

static gf_status scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_top_k_scratch(device, &job->call.top_k, job->n, job->size[0], bytes, error);
}

static gf_status run(const struct prim_job *job, gf_queue queue, const struct prim_memory *m, gf_error *error)
{
    return gf_top_k(queue, &job->call.top_k, m->in[0], job->n, job->size[0], m->out[0], m->out[1], m->scratch,
                    m->scratch_bytes, error);
}

static void result(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                   bool json)
{
    const int64_t k = job->out[0].n;
    if (k == 0) {
        buffer_add(text, json ? "{\"first\":null,\"last\":null}" : "no elements");
        return;
    }
    buffer_add(text, json ? "{\"first\":" : "first ");
    element_add(text, job->type, out[0], 0, json);
    buffer_add(text, json ? ",\"at\":" : " at ");
    element_add(text, job->out[1].type, out[1], 0, json);
    buffer_add(text, json ? ",\"last\":" : ", last ");
    element_add(text, job->type, out[0], k - 1, json);
    buffer_add(text, json ? "}" : "");
}

const struct prim_driver prim_driver_top_k = {
    .name = "top_k",
    .takes = PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_M) | PRIM_TAKES(PRIM_ORDER) | PRIM_TAKES(PRIM_VALUES_OUT),
    .type = "f32",
    .prepare = prepare,
    .scratch = scratch,
    .run = run,
    .result = result,
};
