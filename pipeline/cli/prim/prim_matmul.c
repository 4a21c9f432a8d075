/* gpufilter prim matmul */
#include "base/argument_value.h"
#include "base/message.h"
#include "prim/element.h"
#include "prim/prim.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_SHAPE "512x512x512"

/* The rows and columns of matrix a (0) or b (1) as it is given, for one product. */
static void stored_size(const struct prim_job *job, int which, int64_t *rows, int64_t *columns)
{
    const gf_matmul_options *o = &job->call.matmul;
    const bool transposed = which == 0 ? o->transpose_a != 0 : o->transpose_b != 0;
    *rows = job->size[which + transposed];
    *columns = job->size[which + !transposed];
}

static gf_status read_matrices(struct prim_job *job)
{
    const char *const *text = job->options.text;
    const gf_matmul_options *o = &job->call.matmul;
    const int transposed[] = {o->transpose_a, o->transpose_b};
    int64_t sizes[2][2]; /* rows and columns of A, of B */
    for (int i = 0; i < 2; i++) {
        const enum prim_option option = i == 0 ? PRIM_A : PRIM_B;
        CLI_TRY(prim_job_read(job, i, option, true));
        const struct prim_array *matrix = &job->in[i];
        if (matrix->rows % o->batch != 0) {
            return cli_fail(GF_ERROR_INPUT, "%s has %" PRId64 " rows: must be a multiple of --batch %" PRId64,
                            text[option], matrix->rows, o->batch);
        }
        sizes[i][transposed[i]] = matrix->rows / o->batch;
        sizes[i][!transposed[i]] = matrix->file->image.shape.width; /* also of no rows */
    }
    if (sizes[0][1] != sizes[1][0]) {
        return cli_fail(GF_ERROR_INPUT,
                        "%s has %" PRId64 " %s, and %s has %" PRId64 " %s: a product needs as many",
                        text[PRIM_A], sizes[0][1], o->transpose_a ? "rows" : "columns", text[PRIM_B],
                        sizes[1][0], o->transpose_b ? "columns" : "rows");
    }
    job->size[0] = sizes[0][0];
    job->size[1] = sizes[1][0];
    job->size[2] = sizes[1][1];
    return GF_OK;
}

static gf_status make_matrices(struct prim_job *job)
{
    const char *shape = job->options.text[PRIM_SHAPE] ? job->options.text[PRIM_SHAPE] : USUAL_SHAPE;
    CLI_TRY(prim_shape(shape, 3, job->size));
    CLI_TRY(prim_job_recipe(job));
    for (int i = 0; i < 2; i++) {
        int64_t rows, columns;
        stored_size(job, i, &rows, &columns);
        if (rows > 0 && job->call.matmul.batch > INT64_MAX / rows) {
            return cli_fail(GF_ERROR_MEMORY, "--batch %" PRId64 " of %s is more than memory can hold",
                            job->call.matmul.batch, shape);
        }
        CLI_TRY(prim_job_make(job, i, job->call.matmul.batch * rows, columns));
    }
    job->n = job->in[0].n;
    return GF_OK;
}

/* --accuracy, --slices, --batch, --transpose. */
static gf_status read_options(const struct prim_options *options, gf_matmul_options *o)
{
    const char *accuracy = options->text[PRIM_ACCURACY], *transpose = options->text[PRIM_TRANSPOSE];
    int64_t slices = 0;
    *o = (gf_matmul_options)GF_MATMUL_OPTIONS_INIT;
    o->accuracy = accuracy && !strcmp(accuracy, "f32x") ? GF_MATMUL_F32X : GF_MATMUL_F32;
    o->transpose_a = transpose && strchr(transpose, 'a') != NULL;
    o->transpose_b = transpose && strchr(transpose, 'b') != NULL;
    o->batch = 1;
    if (options->text[PRIM_SLICES]) {
        CLI_TRY(value_integer("--slices", options->text[PRIM_SLICES], 3, 4, &slices));
    }
    if (slices > 0 && o->accuracy != GF_MATMUL_F32X) {
        return cli_fail(GF_ERROR_ARGUMENT, "--slices is for --accuracy f32x");
    }
    o->slices = (int32_t)slices;
    return options->text[PRIM_BATCH] ? prim_count("--batch", options->text[PRIM_BATCH], 1, &o->batch) : GF_OK;
}

static gf_status inputs(struct prim_job *job)
{
    const char *const *text = job->options.text;
    if (!text[PRIM_A] != !text[PRIM_B]) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "matmul takes both matrices from files, --a A --b B, or makes both, --shape MxKxN");
    }
    CLI_TRY(read_options(&job->options, &job->call.matmul));
    CLI_TRY(text[PRIM_A] ? read_matrices(job) : make_matrices(job));
    snprintf(job->shape, sizeof job->shape, "%" PRId64 "x%" PRId64 "x%" PRId64, job->size[0], job->size[1],
             job->size[2]);
    return GF_OK;
}

static gf_status prepare(struct prim_job *job)
{
    const int64_t rows = job->call.matmul.batch * job->size[0];
    job->array = &job->call.matmul.array;
    if (job->call.matmul.accuracy == GF_MATMUL_F32X) {
        job->out[1] = (struct prim_output){GF_S64, 2, 0, 0}; /* how many rows and columns are plain */
    }
    if (rows > 0 && job->size[2] > INT64_MAX / rows) {
        return cli_fail(GF_ERROR_MEMORY, "a product of %s has more elements than memory can hold",
                        job->shape);
    }
    job->out[0] = (struct prim_output){gf_matmul_result(job->type), rows * job->size[2], PRIM_OUT, rows};
    return GF_OK;
}

static gf_status scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_matmul_scratch(device, &job->call.matmul, job->size[0], job->size[1], job->size[2], bytes,
                             error);
}

static gf_status run(const struct prim_job *job, gf_queue queue, const struct prim_memory *m, gf_error *error)
{
    gf_matmul_options o = job->call.matmul;
    o.plain = o.accuracy == GF_MATMUL_F32X ? m->out[1] : NULL;
    return gf_matmul(queue, &o, m->in[0], m->in[1], job->size[0], job->size[1], job->size[2], m->out[0],
                     m->scratch, m->scratch_bytes, error);
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
    return 2 * (double)job->call.matmul.batch * (double)job->size[0] * (double)job->size[1] *
           (double)job->size[2];
}

/* The length of row `side` of a's product (which 0), or of column `side` of b (1). */
static double length_of(const struct prim_job *job, int which, int64_t product, int64_t side)
{
    const struct prim_array *matrix = &job->in[which];
    const int64_t k = job->size[1];
    int64_t rows, columns;
    stored_size(job, which, &rows, &columns);
    const bool across = which == 0 ? !job->call.matmul.transpose_a : job->call.matmul.transpose_b != 0;
    const int64_t first = product * rows * columns + (across ? side * columns : side);
    double sum = 0;
    for (int64_t l = 0; l < k; l++) {
        const double x = element_value(matrix->type, matrix->data, first + l * (across ? 1 : columns));
        sum += x * x;
    }
    return sqrt(sum);
}

/* k roundings in any order, most of which cancel: sqrt(k) of the sum of magnitudes, which is at most the
 * product of the row's length and the column's. */
static bool near_product(const struct prim_job *job, int64_t product, double *columns, const void *expected,
                         const void *found, double *worst)
{
    const gf_depth type = job->out[0].type;
    const int64_t m = job->size[0], n = job->size[2];
    const double part = prim_epsilon(type) * (8 + sqrt((double)job->size[1]));
    bool good = true;
    for (int64_t j = 0; j < n; j++) {
        columns[j] = length_of(job, 1, product, j);
    }
    for (int64_t i = 0; good && i < m; i++) {
        const double row = length_of(job, 0, product, i);
        for (int64_t j = 0; good && j < n; j++) {
            const double e = element_value(type, expected, (product * m + i) * n + j),
                         f = element_value(type, found, (product * m + i) * n + j);
            good = prim_is_near(e, f, part * row * columns[j], worst);
        }
    }
    return good;
}

static bool near(const struct prim_job *job, const void *expected, const void *found, double *worst)
{
    double *columns = calloc((size_t)job->size[2] + 1, sizeof *columns);
    bool good = columns != NULL;
    for (int64_t i = 0; good && i < job->call.matmul.batch; i++) {
        good = near_product(job, i, columns, expected, found, worst);
    }
    free(columns);
    return good;
}

static void result(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                   bool json)
{
    prim_result_ends(job, out, text, json);
    if (job->out[0].n > 0 && job->out[1].n > 0) {
        const int64_t *plain = out[1];
        text->length -= json; /* goes on before the bracket */
        buffer_printf(text,
                      json ? ",\"plain_rows\":%" PRId64 ",\"plain_columns\":%" PRId64 "}"
                           : "; by chains, as too wide for slices: %" PRId64 " rows, %" PRId64 " columns",
                      plain[0], plain[1]);
    }
}

const struct prim_driver prim_driver_matmul = {
    .name = "matmul",
    .takes = PRIM_TAKES(PRIM_SHAPE) | PRIM_TAKES(PRIM_A) | PRIM_TAKES(PRIM_B) | PRIM_TAKES(PRIM_ACCURACY) |
             PRIM_TAKES(PRIM_SLICES) | PRIM_TAKES(PRIM_BATCH) | PRIM_TAKES(PRIM_TRANSPOSE),
    .type = "f32",
    .inputs = inputs,
    .prepare = prepare,
    .scratch = scratch,
    .run = run,
    .traffic = traffic,
    .work = work,
    .near = near,
    .result = result,
};
