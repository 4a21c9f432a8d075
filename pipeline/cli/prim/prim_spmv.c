/* gpufilter prim spmv */
#include "base/message.h"
#include "prim/array_data.h"
#include "prim/element.h"
#include "prim/matrix_market.h"
#include "prim/prim.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define USUAL_SHAPE "64Kx64Kx32"

enum { OFFSETS, INDICES, VALUES, X }; /* job->in */

/* x of `columns` elements, which must be as many in a file. */
static gf_status take_x(struct prim_job *job, const char *path, int64_t columns)
{
    if (!path) {
        return prim_job_make(job, X, 0, columns);
    }
    if (job->in[X].n != columns) {
        return cli_fail(GF_ERROR_INPUT,
                        "%s: holds %" PRId64 " elements, must hold as many as %s has columns: %" PRId64, path,
                        job->in[X].n, job->file, columns);
    }
    return GF_OK;
}

/* The parts of the matrix as inputs, values of the job's type. */
static gf_status take_matrix(struct prim_job *job, const struct matrix_market *matrix)
{
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(cli_told(prim_array_create(GF_S64, matrix->rows + 1, &job->in[OFFSETS], &error), &error));
    CLI_TRY(cli_told(prim_array_create(GF_U32, matrix->entries, &job->in[INDICES], &error), &error));
    CLI_TRY(cli_told(prim_array_create(job->type, matrix->entries, &job->in[VALUES], &error), &error));
    memcpy(job->in[OFFSETS].data, matrix->offsets, (size_t)(matrix->rows + 1) * sizeof *matrix->offsets);
    memcpy(job->in[INDICES].data, matrix->indices, (size_t)matrix->entries * sizeof *matrix->indices);
    for (int64_t i = 0; i < matrix->entries; i++) {
        if (job->type == GF_F32) {
            ((float *)job->in[VALUES].data)[i] = (float)matrix->values[i];
        } else {
            ((double *)job->in[VALUES].data)[i] = (double)matrix->values[i];
        }
    }
    job->size[0] = matrix->rows;
    job->size[1] = matrix->columns;
    return GF_OK;
}

static gf_status read_matrix(struct prim_job *job)
{
    const char *const *text = job->options.text;
    struct matrix_market matrix = {.rows = 0};
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(prim_job_recipe(job));
    if (text[PRIM_X]) {
        CLI_TRY(prim_array_read(text[PRIM_X], false, &job->in[X]));
        job->type = text[PRIM_TYPE] ? job->type : job->in[X].type;
    }
    if (text[PRIM_X] && job->in[X].type != job->type) {
        return cli_fail(GF_ERROR_ARGUMENT, "--type is %s, but %s holds %s: leave out --type", text[PRIM_TYPE],
                        text[PRIM_X], gf_depth_name(job->in[X].type));
    }
    if (job->type != GF_F32 && job->type != GF_F64) {
        return cli_fail(GF_ERROR_UNSUPPORTED, "spmv takes no %s; it takes: f32, f64",
                        gf_depth_name(job->type));
    }
    gf_status status = matrix_market_read(text[PRIM_MATRIX], &matrix, &error);
    status = status == GF_OK ? take_matrix(job, &matrix) : cli_fail_error(status, &error);
    matrix_market_free(&matrix);
    CLI_TRY(status);
    job->file = text[PRIM_MATRIX];
    return take_x(job, text[PRIM_X], job->size[1]);
}

static array_lengths lengths_of(const struct prim_job *job)
{
    const char *text = job->options.text[PRIM_ROWS];
    return text && !strcmp(text, array_lengths_name(LENGTHS_ZIPF)) ? LENGTHS_ZIPF : LENGTHS_EVEN;
}

/* Rows of so many entries on average, at random columns. */
static gf_status make_matrix(struct prim_job *job)
{
    const char *shape = job->options.text[PRIM_SHAPE] ? job->options.text[PRIM_SHAPE] : USUAL_SHAPE;
    const struct prim_recipe random = {.kind = ARRAY_RANDOM};
    gf_error error = GF_ERROR_INIT;
    int64_t size[3];
    CLI_TRY(prim_shape(shape, 3, size));
    CLI_TRY(prim_job_recipe(job));
    if (size[1] > UINT32_MAX || (size[1] == 0 && size[2] > 0) ||
        (size[0] > 0 && size[2] > (INT64_C(1) << 40) / size[0])) {
        return cli_fail(
            GF_ERROR_ARGUMENT,
            "--shape is '%s': rows, columns (at most 2^32 - 1) and entries a row; 2^40 entries at most",
            shape);
    }
    job->size[0] = size[0];
    job->size[1] = size[1];
    CLI_TRY(cli_told(prim_array_create(GF_S64, size[0] + 1, &job->in[OFFSETS], &error), &error));
    array_lengths_fill(job->in[OFFSETS].data, size[0], size[2], lengths_of(job), job->seed);
    CLI_TRY(prim_array_make(&random, GF_U32, size[0] * size[2], job->seed + 7, &job->in[INDICES]));
    for (int64_t e = 0; e < size[0] * size[2]; e++) {
        ((uint32_t *)job->in[INDICES].data)[e] %= (uint32_t)size[1];
    }
    CLI_TRY(prim_job_make(job, VALUES, 0, size[0] * size[2]));
    return take_x(job, NULL, size[1]);
}

static gf_status inputs(struct prim_job *job)
{
    const char *const *text = job->options.text;
    if ((!text[PRIM_MATRIX] && text[PRIM_X]) ||
        (text[PRIM_MATRIX] && (text[PRIM_SHAPE] || text[PRIM_ROWS]))) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "spmv takes a matrix from a file, --matrix A.mtx, and x from one, --x X.npy, "
                        "or made; or it makes both, --shape ROWSxCOLUMNSxENTRIES_A_ROW, and --rows how long");
    }
    gf_status status = text[PRIM_MATRIX] ? read_matrix(job) : make_matrix(job);
    job->n = job->in[VALUES].n;
    snprintf(job->shape, sizeof job->shape, "%" PRId64 "x%" PRId64, job->size[0], job->size[1]);
    return status;
}

static gf_status prepare(struct prim_job *job)
{
    job->call.spmv = (gf_spmv_options)GF_SPMV_OPTIONS_INIT;
    job->array = &job->call.spmv.array;
    job->out[0] = (struct prim_output){job->type, job->size[0], PRIM_OUT, 0};
    return GF_OK;
}

static gf_csr matrix_of(const struct prim_job *job, void *const in[PRIM_BLOCKS])
{
    return (gf_csr){sizeof(gf_csr), job->size[0], job->size[1], job->n, in[OFFSETS], in[INDICES], in[VALUES]};
}

static gf_status scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    void *const none[PRIM_BLOCKS] = {NULL};
    const gf_csr matrix = matrix_of(job, none);
    return gf_spmv_scratch(device, &job->call.spmv, &matrix, bytes, error);
}

static gf_status run(const struct prim_job *job, gf_queue queue, const struct prim_memory *m, gf_error *error)
{
    const gf_csr matrix = matrix_of(job, m->in);
    return gf_spmv(queue, &job->call.spmv, &matrix, m->in[X], m->out[0], m->scratch, m->scratch_bytes, error);
}

/* The matrix and y once, and of x no more than there is, or than is asked for. */
static double traffic(const struct prim_job *job, const void *const out[PRIM_BLOCKS])
{
    const double size = (double)gf_depth_size(job->type), n = (double)job->n, columns = (double)job->size[1];
    (void)out;
    return (double)(job->size[0] + 1) * 8 + n * (4 + size) + (n < columns ? n : columns) * size +
           (double)job->size[0] * size;
}

static double work(const struct prim_job *job)
{
    return 2 * (double)job->n;
}

/* Allows as many roundings of the sum of magnitudes as a row has entries, in any order. */
static bool near(const struct prim_job *job, const void *expected, const void *found, double *worst)
{
    const int64_t *offsets = job->in[OFFSETS].data;
    const uint32_t *indices = job->in[INDICES].data;
    for (int64_t i = 0; i < job->size[0]; i++) {
        const double e = element_value(job->type, expected, i), f = element_value(job->type, found, i);
        double size = 0;
        for (int64_t k = offsets[i]; k < offsets[i + 1]; k++) {
            size += fabs(element_value(job->type, job->in[VALUES].data, k) *
                         element_value(job->type, job->in[X].data, indices[k]));
        }
        const double roundings = 8 + sqrt((double)(offsets[i + 1] - offsets[i]));
        if (!prim_is_near(e, f, prim_epsilon(job->type) * roundings * size, worst)) {
            return false;
        }
    }
    return true;
}

const struct prim_driver prim_driver_spmv = {
    .name = "spmv",
    .takes = PRIM_TAKES(PRIM_SHAPE) | PRIM_TAKES(PRIM_MATRIX) | PRIM_TAKES(PRIM_X) | PRIM_TAKES(PRIM_ROWS),
    .type = "f32",
    .inputs = inputs,
    .prepare = prepare,
    .scratch = scratch,
    .run = run,
    .traffic = traffic,
    .work = work,
    .near = near,
    .result = prim_result_ends,
};
