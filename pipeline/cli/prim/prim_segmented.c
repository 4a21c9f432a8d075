/* gpufilter prim segmented_reduce, gpufilter prim segmented_scan */
#include "base/message.h"
#include "prim/element.h"
#include "prim/prim_scan.h"
#include "prim/prim_segments.h"

#include "gpufilter/segmented.h"

#include <math.h>

enum { VALUES, OFFSETS }; /* job->in */

static int64_t segments_of(const struct prim_job *job)
{
    return job->in[OFFSETS].n - 1;
}

/* ---- segmented_reduce ------------------------------------------------------------------------------------ */

static gf_status prepare_reduce(struct prim_job *job)
{
    CLI_TRY(prim_reduce_prepare(job, PRIM_REDUCTIONS));
    CLI_TRY(prim_segments_take(job, OFFSETS));
    job->out[0].n = segments_of(job);
    return GF_OK;
}

static gf_status reduce_scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_segmented_reduce_scratch(device, &job->call.reduce, job->n, segments_of(job), bytes, error);
}

static gf_status run_reduce(const struct prim_job *job, gf_queue queue, const struct prim_memory *m,
                            gf_error *error)
{
    return gf_segmented_reduce(queue, &job->call.reduce, m->in[VALUES], job->n, m->in[OFFSETS],
                               segments_of(job), m->out[0], m->scratch, m->scratch_bytes, error);
}

/* As of reduce, of each segment: sqrt(n) roundings of the sum of magnitudes. A product's error is relative.
 */
static bool near_reduce(const struct prim_job *job, const void *expected, const void *found, double *worst)
{
    const int64_t *offsets = job->in[OFFSETS].data;
    const gf_reduce_op op = job->call.reduce.op;
    if (job->out[0].type != GF_F64 || (op != GF_REDUCE_SUM && op != GF_REDUCE_PRODUCT)) {
        return false;
    }
    for (int64_t i = 0; i < segments_of(job); i++) {
        const double e = ((const double *)expected)[i], f = ((const double *)found)[i];
        double scale = op == GF_REDUCE_PRODUCT ? fabs(e) : 0;
        for (int64_t k = offsets[i]; op == GF_REDUCE_SUM && k < offsets[i + 1]; k++) {
            scale += fabs(element_value(job->type, job->in[VALUES].data, k));
        }
        const double roundings = 8 + sqrt((double)(offsets[i + 1] - offsets[i]));
        if (!prim_is_near(e, f, prim_epsilon(job->type) * roundings * scale, worst)) {
            return false;
        }
    }
    return true;
}

const struct prim_driver prim_driver_segmented_reduce = {
    .name = "segmented_reduce",
    .takes = PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_OP) | PRIM_TAKES_SEGMENTS,
    .type = "f32",
    .prepare = prepare_reduce,
    .scratch = reduce_scratch,
    .run = run_reduce,
    .near = near_reduce,
    .result = prim_result_ends,
};

/* ---- segmented_scan --------------------------------------------------------------------------------------- */

static gf_status prepare_scan(struct prim_job *job)
{
    CLI_TRY(prim_scan_prepare(job));
    return prim_segments_take(job, OFFSETS);
}

static gf_status scan_scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_segmented_scan_scratch(device, &job->call.scan, job->n, segments_of(job), bytes, error);
}

static gf_status run_scan(const struct prim_job *job, gf_queue queue, const struct prim_memory *m,
                          gf_error *error)
{
    return gf_segmented_scan(queue, &job->call.scan, m->in[VALUES], job->n, m->in[OFFSETS], segments_of(job),
                             m->out[0], m->scratch, m->scratch_bytes, error);
}

const struct prim_driver prim_driver_segmented_scan = {
    .name = "segmented_scan",
    .takes = PRIM_TAKES_SCAN | PRIM_TAKES_SEGMENTS,
    .type = "i32",
    .prepare = prepare_scan,
    .scratch = scan_scratch,
    .run = run_scan,
    .result = prim_scan_result,
};
