/* gpufilter prim matmul */
#include "element.h"
#include "message.h"
#include "prim.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define USUAL_SHAPE "512x512x512"

static gf_status read_matrices(struct prim_job *job)
{
    const char *const *text = job->options.text;
    gf_status status = prim_job_read(job, 0, PRIM_A, true);
    status = status == GF_OK ? prim_job_read(job, 1, PRIM_B, true) : status;
    if (status != GF_OK) {
        return status;
    }
    const struct prim_array *a = &job->in[0], *b = &job->in[1];
    if (a->n / a->rows != b->rows) {
        return cli_fail(GF_ERROR_INPUT,
                        "%s has %" PRId64 " columns, and %s has %" PRId64 " rows: a product needs as many",
                        text[PRIM_A], a->n / a->rows, text[PRIM_B], b->rows);
    }
    job->size[0] = a->rows;
    job->size[1] = b->rows;
    job->size[2] = b->n / b->rows;
    return GF_OK;
}

static gf_status make_matrices(struct prim_job *job)
{
    const char *shape = job->options.text[PRIM_SHAPE] ? job->options.text[PRIM_SHAPE] : USUAL_SHAPE;
    gf_status status = prim_shape(shape, 3, job->size);
    status = status == GF_OK ? prim_job_recipe(job) : status;
    status = status == GF_OK ? prim_job_make(job, 0, job->size[0], job->size[1]) : status;
    job->n = job->in[0].n;
    return status == GF_OK ? prim_job_make(job, 1, job->size[1], job->size[2]) : status;
}

static gf_status inputs(struct prim_job *job)
{
    const char *const *text = job->options.text;
    if (!text[PRIM_A] != !text[PRIM_B]) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "matmul takes both matrices from files, --a A --b B, or makes both, --shape MxKxN");
    }
    gf_status status = text[PRIM_A] ? read_matrices(job) : make_matrices(job);
    snprintf(job->shape, sizeof job->shape, "%" PRId64 "x%" PRId64 "x%" PRId64, job->size[0], job->size[1],
             job->size[2]);
    return status;
}

static gf_status prepare(struct prim_job *job)
{
    job->call.matmul = (gf_matmul_options)GF_MATMUL_OPTIONS_INIT;
    job->array = &job->call.matmul.array;
    if (job->size[0] > 0 && job->size[2] > INT64_MAX / job->size[0]) {
        return cli_fail(GF_ERROR_MEMORY, "a product of %s has more elements than memory can hold",
                        job->shape);
    }
    job->out[0] = (struct prim_output){gf_matmul_result(job->type), job->size[0] * job->size[2], PRIM_OUT,
                                       job->size[0]};
    return GF_OK;
}

static gf_status scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_matmul_scratch(device, &job->call.matmul, job->size[0], job->size[1], job->size[2], bytes,
                             error);
}

static gf_status run(const struct prim_job *job, gf_queue queue, const struct prim_memory *m, gf_error *error)
{
    return gf_matmul(queue, &job->call.matmul, m->in[0], m->in[1], job->size[0], job->size[1], job->size[2],
                     m->out[0], m->scratch, m->scratch_bytes, error);
}

/* Each matrix once. */
static double traffic(const struct prim_job *job, const void *const out[PRIM_BLOCKS])
{
    (void)out;
    return (double)(job->in[0].n + job->in[1].n) * (double)gf_depth_size(job->type) +
           (double)job->out[0].n * (double)gf_depth_size(job->out[0].type);
}

static double work(const struct prim_job *job)
{
    return 2 * (double)job->size[0] * (double)job->size[1] * (double)job->size[2];
}

/* The length of a row of the matrix, or of a column. */
static double length_of(const struct prim_array *matrix, int64_t first, int64_t step, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) {
        const double x = element_value(matrix->type, matrix->data, first + i * step);
        sum += x * x;
    }
    return sqrt(sum);
}

/* k roundings in any order, of which most cancel: sqrt(k) of the sum of magnitudes, which is at most the
 * product of the row's length and the column's. */
static bool near(const struct prim_job *job, const void *expected, const void *found, double *worst)
{
    const gf_depth type = job->out[0].type;
    const int64_t m = job->size[0], k = job->size[1], n = job->size[2];
    const double part = (type == GF_F32 ? (double)FLT_EPSILON : DBL_EPSILON) * (8 + sqrt((double)k));
    double *columns = calloc((size_t)n + 1, sizeof *columns);
    bool good = columns != NULL;
    for (int64_t j = 0; good && j < n; j++) {
        columns[j] = length_of(&job->in[1], j, n, k);
    }
    for (int64_t i = 0; good && i < m; i++) {
        const double row = length_of(&job->in[0], i * k, 1, k);
        for (int64_t j = 0; good && j < n; j++) {
            const double e = element_value(type, expected, i * n + j),
                         f = element_value(type, found, i * n + j);
            *worst = fmax(*worst, fabs(e - f));
            good = fabs(e - f) <= part * row * columns[j] || (isnan(e) && isnan(f)) || e == f;
        }
    }
    free(columns);
    return good;
}

static void result(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                   bool json)
{
    const struct prim_output *o = &job->out[0];
    if (o->n == 0) {
        buffer_add(text, json ? "{\"first\":null,\"last\":null}" : "no elements");
        return;
    }
    buffer_add(text, json ? "{\"first\":" : "first ");
    element_add(text, o->type, out[0], 0, json);
    buffer_add(text, json ? ",\"last\":" : ", last ");
    element_add(text, o->type, out[0], o->n - 1, json);
    buffer_add(text, json ? "}" : "");
}

const struct prim_driver prim_driver_matmul = {
    .name = "matmul",
    .takes = PRIM_TAKES(PRIM_SHAPE) | PRIM_TAKES(PRIM_A) | PRIM_TAKES(PRIM_B),
    .type = "f32",
    .data = "random",
    .inputs = inputs,
    .prepare = prepare,
    .scratch = scratch,
    .run = run,
    .traffic = traffic,
    .work = work,
    .near = near,
    .result = result,
};
