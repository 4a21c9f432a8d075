/* gpufilter prim fft */
#include "base/message.h"
#include "prim/prim.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define USUAL_SHAPE "1024x1024"

/* Of --shape, N or ROWSxCOLUMNS. */
static gf_status read_shape(const char *text, int64_t *size)
{
    size[0] = 1;
    return prim_sizes(text, 1, &size[1]) ? GF_OK : prim_shape(text, 2, size);
}

static gf_fft_shape shape_of(const struct prim_job *job)
{
    gf_fft_shape shape = GF_FFT_SHAPE_INIT;
    const char *dimensions = job->options.text[PRIM_DIMENSIONS];
    shape.rows = job->size[0];
    shape.columns = job->size[1];
    shape.dimensions = dimensions && !strcmp(dimensions, "2") ? 2 : 1;
    shape.real = job->options.text[PRIM_REAL] != NULL;
    return shape;
}

/* Numbers f32 in a row of the samples, or of the spectrum. */
static int64_t row_of(const struct prim_job *job, bool spectrum)
{
    const bool real = job->options.text[PRIM_REAL] != NULL;
    return real && spectrum ? 2 * (job->size[1] / 2 + 1) : (real ? 1 : 2) * job->size[1];
}

/* The shape of a file: complex numbers are two f32 each. An even number of real samples has half a spectrum.
 */
static gf_status read_file(struct prim_job *job)
{
    const bool real = job->options.text[PRIM_REAL] != NULL, inverse = job->options.text[PRIM_INVERSE] != NULL;
    CLI_TRY(prim_job_read(job, 0, PRIM_IN, true));
    job->size[0] = job->in[0].rows;
    const int64_t floats = job->size[0] > 0 ? job->n / job->size[0] : 0;
    job->size[1] = real ? (inverse ? floats - 2 : floats) : floats / 2;
    if ((!real || inverse) && (floats % 2 != 0 || floats < (real ? 4 : 2))) {
        return cli_fail(GF_ERROR_INPUT,
                        "%s: has %" PRId64 " columns, must have two, re and im, for each number",
                        job->options.text[PRIM_IN], floats);
    }
    job->n = job->size[0] * job->size[1];
    return GF_OK;
}

static gf_status inputs(struct prim_job *job)
{
    const char *const *text = job->options.text;
    if (text[PRIM_IN]) {
        CLI_TRY(read_file(job));
    } else {
        CLI_TRY(read_shape(text[PRIM_SHAPE] ? text[PRIM_SHAPE] : USUAL_SHAPE, job->size));
        CLI_TRY(prim_job_recipe(job));
        CLI_TRY(prim_job_make(job, 0, job->size[0], row_of(job, text[PRIM_INVERSE] != NULL)));
        job->n = job->size[0] * job->size[1];
    }
    snprintf(job->shape, sizeof job->shape, "%" PRId64 "x%" PRId64, job->size[0], job->size[1]);
    return GF_OK;
}

static gf_status prepare(struct prim_job *job)
{
    gf_error error = GF_ERROR_INIT;
    const gf_fft_shape shape = shape_of(job);
    gf_fft_options *o = &job->call.fft;
    *o = (gf_fft_options)GF_FFT_OPTIONS_INIT;
    o->inverse = job->options.text[PRIM_INVERSE] != NULL;
    job->array = &o->array;
    job->out[0] =
        (struct prim_output){job->type, job->size[0] * row_of(job, !o->inverse), PRIM_OUT, job->size[0]};
    return cli_told(gf_fft_plan_create(&shape, &job->plan, &error), &error);
}

static gf_status scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_fft_scratch(device, &job->call.fft, job->plan, bytes, error);
}

static gf_status run(const struct prim_job *job, gf_queue queue, const struct prim_memory *m, gf_error *error)
{
    return gf_fft(queue, &job->call.fft, job->plan, m->in[0], m->out[0], m->scratch, m->scratch_bytes, error);
}

/* Numbers that a result is a sum of. */
static double terms(const struct prim_job *job)
{
    const gf_fft_shape shape = shape_of(job);
    return (double)shape.columns * (shape.dimensions == 2 ? (double)shape.rows : 1);
}

/* As everybody counts: 5 n log2 n, for real samples half as many. */
static double work(const struct prim_job *job)
{
    return (shape_of(job).real ? 2.5 : 5) * (double)job->n * log2(terms(job));
}

/* By the magnitudes of all that was read, of which a row is a part. */
static bool near(const struct prim_job *job, const void *expected, const void *found, double *worst)
{
    const float *in = job->in[0].data, *e = expected, *f = found;
    const double n = terms(job);
    double sum = 0;
    bool good = true;
    for (int64_t i = 0; i < job->in[0].n; i++) {
        sum += fabs((double)in[i]);
    }
    const double scale = job->call.fft.inverse ? 2 / n : 1;
    const double bound = prim_epsilon(GF_F32) * (sqrt(n) + 8) * 4 * sum * scale;
    for (int64_t i = 0; good && i < job->out[0].n; i++) {
        good = prim_is_near((double)e[i], (double)f[i], bound, worst);
    }
    return good;
}

const struct prim_driver prim_driver_fft = {
    .name = "fft",
    .takes = PRIM_TAKES(PRIM_SHAPE) | PRIM_TAKES(PRIM_IN) | PRIM_TAKES(PRIM_REAL) | PRIM_TAKES(PRIM_INVERSE) |
             PRIM_TAKES(PRIM_DIMENSIONS),
    .type = "f32",
    .inputs = inputs,
    .prepare = prepare,
    .scratch = scratch,
    .run = run,
    .work = work,
    .near = near,
    .result = prim_result_ends,
};
