/* gpufilter prim scan */
#include "prim/prim_scan.h"
#include "base/argument_value.h"
#include "base/words.h"
#include "prim/element.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define OPS "sum|min|max" /* in the order of gf_scan_op */

gf_status prim_scan_prepare(struct prim_job *job)
{
    const char *const *text = job->options.text;
    const char *op = text[PRIM_OP] ? text[PRIM_OP] : "sum";
    int index = words_index(OPS, op);
    if (index < 0) {
        return value_fail_choice("--op", op, OPS);
    }
    job->call.scan = (gf_scan_options)GF_SCAN_OPTIONS_INIT;
    job->call.scan.op = (gf_scan_op)index;
    job->call.scan.inclusive = text[PRIM_KIND] && !strcmp(text[PRIM_KIND], "inclusive");
    job->call.scan.out = text[PRIM_OUT_TYPE] ? element_type(text[PRIM_OUT_TYPE]) : job->type;
    job->array = &job->call.scan.array;
    job->out[0] = (struct prim_output){job->call.scan.out, job->n, PRIM_OUT, 0};
    return GF_OK;
}

static gf_status scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_scan_scratch(device, &job->call.scan, job->n, bytes, error);
}

static gf_status run(const struct prim_job *job, gf_queue queue, const struct prim_memory *m, gf_error *error)
{
    return gf_scan(queue, &job->call.scan, m->in[0], job->n, m->out[0], m->scratch, m->scratch_bytes, error);
}

bool prim_scan_is_near(const struct prim_job *job, const void *expected, const void *found, int64_t i,
                       double scale, double terms, double *worst)
{
    const gf_depth type = job->out[0].type;
    const double e = element_value(type, expected, i), f = element_value(type, found, i);
    if (scale > (type == GF_F32 ? (double)FLT_MAX : DBL_MAX) && !(isfinite(e) && isfinite(f))) {
        return true; /* which order leaves the range of the type, and where, is open */
    }
    return prim_is_near(e, f, prim_epsilon(type) * (8 + sqrt(terms)) * scale, worst);
}

/* Judges as for a sum of all elements up to there (prim_reduce.c). */
static bool near(const struct prim_job *job, const void *expected, const void *found, double *worst)
{
    double scale = 0;
    if (job->call.scan.op != GF_SCAN_SUM) {
        return false;
    }
    for (int64_t i = 0; i < job->n; i++) {
        scale += fabs(element_value(job->type, job->in[0].data, i));
        if (!prim_scan_is_near(job, expected, found, i, scale, (double)i, worst)) {
            return false;
        }
    }
    return true;
}

void prim_scan_result(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                      bool json)
{
    buffer_add(text, json ? "{\"last\":" : job->n > 0 ? "last " : "no elements");
    if (job->n > 0) {
        element_add(text, job->out[0].type, out[0], job->n - 1, json);
    } else if (json) {
        buffer_add(text, "null");
    }
    buffer_add(text, json ? "}" : "");
}

const struct prim_driver prim_driver_scan = {
    .name = "scan",
    .takes = PRIM_TAKES_SCAN,
    .type = "i32",
    .prepare = prim_scan_prepare,
    .scratch = scratch,
    .run = run,
    .near = near,
    .result = prim_scan_result,
};
