/* gpufilter prim segmented_reduce */
#include "argument_value.h"
#include "array_data.h"
#include "element.h"
#include "message.h"
#include "prim.h"
#include "words.h"

#include "gpufilter/segmented.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define REDUCTIONS "sum|product|min|max|argmin|argmax|and|or" /* in the order of gf_reduce_op */

enum { VALUES, OFFSETS, USUAL_LENGTH = 32 }; /* job->in */

/* Offsets of a file, which must be right: nobody else looks. */
static gf_status read_offsets(struct prim_job *job, const char *path)
{
    struct prim_array *offsets = &job->in[OFFSETS];
    gf_status status = prim_array_read(path, false, offsets);
    if (status != GF_OK) {
        return status;
    }
    if (offsets->type != GF_S64 || offsets->n < 1) {
        return cli_fail(GF_ERROR_INPUT, "%s: holds %" PRId64 " offsets of %s, must hold 1 or more of i64",
                        path, offsets->n, gf_depth_name(offsets->type));
    }
    const int64_t *o = offsets->data;
    for (int64_t i = 0; i < offsets->n; i++) {
        const bool last = i == offsets->n - 1;
        if (o[i] < (i == 0 ? 0 : o[i - 1]) || (i == 0 && o[i] != 0) || (last && o[i] != job->n)) {
            return cli_fail(GF_ERROR_INPUT,
                            "%s: offset %" PRId64 " is %" PRId64 ": they must ascend from 0 to the number of "
                            "elements, %" PRId64,
                            path, i, o[i], job->n);
        }
    }
    return GF_OK;
}

/* So many segments, of which the last also has what is left over. */
static gf_status make_offsets(struct prim_job *job)
{
    const char *text = job->options.text[PRIM_SEGMENTS], *rows = job->options.text[PRIM_ROWS];
    const bool zipf = rows && !strcmp(rows, array_lengths_name(LENGTHS_ZIPF));
    int64_t segments = (job->n + USUAL_LENGTH - 1) / USUAL_LENGTH;
    gf_error error = GF_ERROR_INIT;
    gf_status status = text ? prim_count("--segments", text, job->n > 0, &segments) : GF_OK;
    if (status != GF_OK) {
        return status;
    }
    status = prim_array_create(GF_S64, segments + 1, &job->in[OFFSETS], &error);
    if (status != GF_OK) {
        return cli_fail_error(status, &error);
    }
    int64_t *offsets = job->in[OFFSETS].data;
    array_lengths_fill(offsets, segments, segments > 0 ? job->n / segments : 0,
                       zipf ? LENGTHS_ZIPF : LENGTHS_EVEN, job->seed);
    offsets[segments] = job->n;
    return GF_OK;
}

static gf_status take_offsets(struct prim_job *job)
{
    const char *const *text = job->options.text;
    if (text[PRIM_OFFSETS] && (text[PRIM_SEGMENTS] || text[PRIM_ROWS])) {
        return cli_fail(
            GF_ERROR_ARGUMENT,
            "segments come from a file, --offsets FILE, or are made, --segments N and --rows HOW");
    }
    return text[PRIM_OFFSETS] ? read_offsets(job, text[PRIM_OFFSETS]) : make_offsets(job);
}

static int64_t segments_of(const struct prim_job *job)
{
    return job->in[OFFSETS].n - 1;
}

static void add_ends(const struct prim_job *job, const void *out, struct buffer *text, bool json)
{
    const struct prim_output *o = &job->out[0];
    if (o->n == 0) {
        buffer_add(text, json ? "{\"first\":null,\"last\":null}" : "no elements");
        return;
    }
    buffer_add(text, json ? "{\"first\":" : "first ");
    element_add(text, o->type, out, 0, json);
    buffer_add(text, json ? ",\"last\":" : ", last ");
    element_add(text, o->type, out, o->n - 1, json);
    buffer_add(text, json ? "}" : "");
}

/* ---- segmented_reduce ------------------------------------------------------------------------------------ */

static gf_status prepare_reduce(struct prim_job *job)
{
    const char *op = job->options.text[PRIM_OP] ? job->options.text[PRIM_OP] : "sum";
    const int index = words_index(REDUCTIONS, op);
    if (index < 0) {
        return value_fail_choice("--op", op, REDUCTIONS);
    }
    gf_status status = take_offsets(job);
    job->call.reduce = (gf_reduce_options)GF_REDUCE_OPTIONS_INIT;
    job->call.reduce.op = (gf_reduce_op)index;
    job->array = &job->call.reduce.array;
    job->out[0] = (struct prim_output){gf_reduce_result((gf_reduce_op)index, job->type),
                                       status == GF_OK ? segments_of(job) : 0, PRIM_OUT, 0};
    return status;
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

/* Elements, offsets and results once. */
static double traffic_reduce(const struct prim_job *job, const void *const out[PRIM_BLOCKS])
{
    (void)out;
    return (double)job->n * (double)gf_depth_size(job->type) + 8 * (double)job->in[OFFSETS].n +
           (double)segments_of(job) * (double)gf_depth_size(job->out[0].type);
}

/* As of reduce, of each segment: sqrt(n) roundings of the sum of magnitudes. A product's error is relative.
 */
static bool near_reduce(const struct prim_job *job, const void *expected, const void *found, double *worst)
{
    const int64_t *offsets = job->in[OFFSETS].data;
    const double epsilon = job->type == GF_F32 ? (double)FLT_EPSILON : DBL_EPSILON;
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
        *worst = fmax(*worst, fabs(e - f));
        if (!(fabs(e - f) <= epsilon * (8 + sqrt((double)(offsets[i + 1] - offsets[i]))) * scale) &&
            !(isnan(e) && isnan(f)) && !(e == f)) {
            return false;
        }
    }
    return true;
}

static void reduce_result(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                          bool json)
{
    add_ends(job, out[0], text, json);
}

const struct prim_driver prim_driver_segmented_reduce = {
    .name = "segmented_reduce",
    .takes = PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_OP) | PRIM_TAKES(PRIM_OFFSETS) | PRIM_TAKES(PRIM_SEGMENTS) |
             PRIM_TAKES(PRIM_ROWS),
    .type = "f32",
    .data = "random",
    .prepare = prepare_reduce,
    .scratch = reduce_scratch,
    .run = run_reduce,
    .traffic = traffic_reduce,
    .near = near_reduce,
    .result = reduce_result,
};
