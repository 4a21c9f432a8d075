/* gpufilter prim bounds, gpufilter prim adjacent_difference */
#include "base/message.h"
#include "base/words.h"
#include "prim/element.h"
#include "prim/prim_order.h"

#include <inttypes.h>
#include <string.h>

#define SIDES "lower|upper|count" /* in the order of gf_bounds_side */

enum { SORTED, WANTED }; /* job->in */

/* ---- bounds ------------------------------------------------------------------------------------------------ */

static gf_status take_arrays(struct prim_job *job, bool descending)
{
    const char *const *text = job->options.text;
    int64_t m = job->n;
    if (!text[PRIM_IN] != !text[PRIM_IN2] || (text[PRIM_IN2] && text[PRIM_M])) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "bounds takes a sorted array and keys from files, --in SORTED --in2 "
                        "KEYS, or makes both, --n N --m M");
    }
    if (text[PRIM_IN]) {
        CLI_TRY(prim_job_read(job, WANTED, PRIM_IN2, false));
        return prim_check_order(job, &job->in[SORTED], PRIM_IN, descending);
    }
    CLI_TRY(text[PRIM_M] ? prim_count("--m", text[PRIM_M], 0, &m) : GF_OK);
    CLI_TRY(prim_job_make(job, WANTED, 0, m));
    return prim_put_in_order(&job->in[SORTED], descending);
}

static gf_status prepare_bounds(struct prim_job *job)
{
    const char *side = job->options.text[PRIM_SIDE], *order = job->options.text[PRIM_ORDER];
    gf_bounds_options *o = &job->call.bounds;
    *o = (gf_bounds_options)GF_BOUNDS_OPTIONS_INIT;
    o->side = (gf_bounds_side)(side ? words_index(SIDES, side) : GF_BOUNDS_LOWER);
    o->descending = order && !strcmp(order, "desc");
    job->array = &o->array;
    CLI_TRY(take_arrays(job, o->descending != 0));
    job->out[0] = (struct prim_output){GF_S64, job->in[WANTED].n, PRIM_OUT, 0};
    return GF_OK;
}

static gf_status bounds_scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_bounds_scratch(device, &job->call.bounds, job->n, job->in[WANTED].n, bytes, error);
}

static gf_status run_bounds(const struct prim_job *job, gf_queue queue, const struct prim_memory *m,
                            gf_error *error)
{
    return gf_bounds(queue, &job->call.bounds, m->in[SORTED], job->n, m->in[WANTED], job->in[WANTED].n,
                     m->out[0], m->scratch, m->scratch_bytes, error);
}

/* Keys and places once; of the array a search reads little, and no way reads less than what few keys need. */
static double bounds_traffic(const struct prim_job *job, const void *const out[PRIM_BLOCKS])
{
    (void)out;
    return (double)job->in[WANTED].n * (double)(gf_depth_size(job->type) + sizeof(int64_t));
}

const struct prim_driver prim_driver_bounds = {
    .name = "bounds",
    .takes = PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_M) | PRIM_TAKES(PRIM_IN2) | PRIM_TAKES(PRIM_SIDE) |
             PRIM_TAKES(PRIM_ORDER),
    .type = "u32",
    .prepare = prepare_bounds,
    .scratch = bounds_scratch,
    .run = run_bounds,
    .traffic = bounds_traffic,
    .result = prim_result_ends,
};

/* ---- adjacent_difference ------------------------------------------------------------------------------------ */

static gf_status prepare_adjacent(struct prim_job *job)
{
    job->call.adjacent = (gf_adjacent_options)GF_ADJACENT_OPTIONS_INIT;
    job->array = &job->call.adjacent.array;
    job->out[0] = (struct prim_output){job->type, job->n, PRIM_OUT, 0};
    return GF_OK;
}

static gf_status adjacent_scratch(const struct prim_job *job, gf_device device, size_t *bytes,
                                  gf_error *error)
{
    return gf_adjacent_difference_scratch(device, &job->call.adjacent, job->n, bytes, error);
}

static gf_status run_adjacent(const struct prim_job *job, gf_queue queue, const struct prim_memory *m,
                              gf_error *error)
{
    return gf_adjacent_difference(queue, &job->call.adjacent, m->in[0], job->n, m->out[0], m->scratch,
                                  m->scratch_bytes, error);
}

const struct prim_driver prim_driver_adjacent_difference = {
    .name = "adjacent_difference",
    .takes = PRIM_TAKES_ARRAY,
    .type = "i32",
    .prepare = prepare_adjacent,
    .scratch = adjacent_scratch,
    .run = run_adjacent,
    .result = prim_result_ends,
};
