/* gpufilter prim reduce */
#include "base/argument_value.h"
#include "base/message.h"
#include "base/words.h"
#include "prim/element.h"
#include "prim/prim.h"

#include <float.h>
#include <math.h>

#define OPS                                                                                                  \
    "sum|product|min|max|argmin|argmax|and|or|mean|var|xor|any|all" /* in the order of gf_reduce_op          \
                                                                     */

gf_status prim_reduce_prepare(struct prim_job *job, const char *ops)
{
    const char *op = job->options.text[PRIM_OP] ? job->options.text[PRIM_OP] : "sum";
    const int index = words_index(ops, op);
    job->call.reduce = (gf_reduce_options)GF_REDUCE_OPTIONS_INIT;
    job->call.reduce.op = (gf_reduce_op)index;
    job->array = &job->call.reduce.array;
    job->out[0] = (struct prim_output){gf_reduce_result((gf_reduce_op)index, job->type), 1, PRIM_OUT, 0};
    return index < 0 ? value_fail_choice("--op", op, ops) : GF_OK;
}

static gf_status prepare(struct prim_job *job)
{
    const gf_status status = prim_reduce_prepare(job, OPS);
    job->out[0].n = job->call.reduce.op == GF_REDUCE_VAR ? 2 : 1;
    return status;
}

static gf_status scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_reduce_scratch(device, &job->call.reduce, job->n, bytes, error);
}

static gf_status run(const struct prim_job *job, gf_queue queue, const struct prim_memory *m, gf_error *error)
{
    return gf_reduce(queue, &job->call.reduce, m->in[0], job->n, m->out[0], m->scratch, m->scratch_bytes,
                     error);
}

static double traffic(const struct prim_job *job, const void *const out[PRIM_BLOCKS])
{
    (void)out;
    return (double)job->n * (double)gf_depth_size(job->type);
}

/* n roundings in any order, most of which cancel: sqrt(n) of the sum of magnitudes, in the precision that the
 * slowest variant may add in. A product's error is relative. */
static bool near(const struct prim_job *job, const void *expected, const void *found, double *worst)
{
    double scale = 0, n = (double)job->n;
    double epsilon = prim_epsilon(job->type) * (8 + sqrt(n));
    const gf_reduce_op op = job->call.reduce.op;
    if (op != GF_REDUCE_SUM && op != GF_REDUCE_MEAN && op != GF_REDUCE_PRODUCT && op != GF_REDUCE_VAR) {
        return false;
    }
    for (int64_t i = 0; op != GF_REDUCE_PRODUCT && i < job->n; i++) {
        double x = element_value(job->type, job->in[0].data, i);
        scale += op == GF_REDUCE_VAR ? x * x : fabs(x);
    }
    scale = op == GF_REDUCE_SUM ? scale : n > 0 ? scale / n : 0;
    for (int64_t i = 0; i < job->out[0].n; i++) {
        double e = ((const double *)expected)[i], f = ((const double *)found)[i];
        if (op == GF_REDUCE_SUM && job->type == GF_F32 && scale > (double)FLT_MAX && !isfinite(f)) {
            continue; /* added in f32, whose range the sum may leave on the way */
        }
        double bound = epsilon * (op == GF_REDUCE_PRODUCT         ? fabs(e)
                                  : op == GF_REDUCE_VAR && i == 0 ? sqrt(scale)
                                                                  : scale);
        if (!prim_is_near(e, f, bound, worst)) {
            return false;
        }
    }
    return true;
}

static void result(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                   bool json)
{
    if (job->out[0].n == 1) {
        element_add(text, job->out[0].type, out[0], 0, json);
        return;
    }
    buffer_add(text, json ? "{\"mean\":" : "mean ");
    element_add(text, GF_F64, out[0], 0, json);
    buffer_add(text, json ? ",\"var\":" : ", variance ");
    element_add(text, GF_F64, out[0], 1, json);
    buffer_add(text, json ? "}" : "");
}

const struct prim_driver prim_driver_reduce = {
    .name = "reduce",
    .takes = PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_OP),
    .type = "f32",
    .prepare = prepare,
    .scratch = scratch,
    .run = run,
    .traffic = traffic,
    .near = near,
    .result = result,
};
