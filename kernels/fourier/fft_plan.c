#include "fourier/fft_plan.h"

#include "base/float_mode.h"
#include "base/sized.h"
#include "fourier/fft_factors.h"
#include "fourier/fft_unit.h"

#include <stdlib.h>

static gf_status check(const gf_fft_shape *s, int64_t half, gf_error *error)
{
    if (s->dimensions < 1 || s->dimensions > 2 || s->real < 0 || s->real > 1) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "fft: dimensions is %d and real is %d, must be 1 or 2, and 0 or 1", s->dimensions,
                       s->real);
    }
    if (s->columns < 1 || s->columns > GF_FFT_MOST) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "fft: a row of %lld numbers, must have 1 to 2^26",
                       (long long)s->columns);
    }
    const int64_t most = s->dimensions == 2 ? GF_FFT_MOST : (INT64_C(1) << 48) / s->columns;
    if (s->rows < s->dimensions - 1 || s->rows > most) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "fft: %lld rows of %lld numbers, must be %d to %lld rows",
                       (long long)s->rows, (long long)s->columns, s->dimensions - 1, (long long)most);
    }
    const int64_t far = INT64_C(1) << 48;
    if ((s->sample_stride != 0 && (s->sample_stride < s->columns || s->sample_stride > far)) ||
        (s->spectrum_stride != 0 && (s->spectrum_stride < half || s->spectrum_stride > far))) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "fft: strides of %lld samples and %lld complex numbers, must be 0, or at least %lld "
                       "and %lld, and at most 2^48",
                       (long long)s->sample_stride, (long long)s->spectrum_stride, (long long)s->columns,
                       (long long)half);
    }
    return GF_OK;
}

/* v_k = -i exp(-2 pi i k / n), k from 0 to n / 2. */
static gf_status fill_joined(gf_fft_plan *plan, gf_error *error)
{
    const int64_t n = plan->shape.columns, count = plan->half;
    plan->joined.re = malloc((size_t)count * 2 * sizeof(float));
    if (!plan->joined.re) {
        return gf_fail(error, GF_ERROR_MEMORY, "fft: no memory for the factors of %lld numbers",
                       (long long)n);
    }
    plan->joined.im = plan->joined.re + count;
    for (int64_t k = 0; k < count; k++) {
        double c, s;
        gf_fft_unit_of(k, n, &c, &s);
        plan->joined.re[k] = (float)(0 - s);
        plan->joined.im[k] = (float)(0 - c);
    }
    return GF_OK;
}

static gf_status fill(gf_fft_plan *plan, gf_error *error)
{
    const gf_fft_shape *s = &plan->shape;
    plan->scale = (float)(1.0 / (double)(s->columns * (s->dimensions == 2 ? s->rows : 1)));
    GF_TRY(gf_fft_line_make(&plan->row, gf_fft_pairs(plan) ? s->columns / 2 : s->columns, error));
    GF_TRY(gf_fft_pairs(plan) ? fill_joined(plan, error) : GF_OK);
    GF_TRY(s->dimensions == 2 ? gf_fft_line_make(&plan->column, s->rows, error) : GF_OK);
    return gf_fft_sent_make(plan, error);
}

gf_status gf_fft_plan_create(const gf_fft_shape *shape, gf_fft_plan **plan, gf_error *error)
{
    if (!plan) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "fft: plan is NULL");
    }
    *plan = NULL;
    GF_STRUCT_TAKE(gf_fft_shape, real, s, GF_FFT_SHAPE_INIT, shape, error);
    const int64_t half = s.real ? s.columns / 2 + 1 : s.columns;
    GF_TRY(check(&s, half, error));
    s.sample_stride = s.sample_stride ? s.sample_stride : s.columns;
    s.spectrum_stride = s.spectrum_stride ? s.spectrum_stride : half;
    gf_fft_plan *made = calloc(1, sizeof *made);
    if (!made) {
        return gf_fail(error, GF_ERROR_MEMORY, "fft: no memory for a plan");
    }
    made->shape = s;
    made->half = half;
    gf_float_mode saved;
    gf_float_mode_set(&saved); /* round to nearest */
    const gf_status status = fill(made, error);
    gf_float_mode_restore(&saved);
    if (status != GF_OK) {
        gf_fft_plan_destroy(made);
        return status;
    }
    *plan = made;
    return GF_OK;
}

void gf_fft_plan_destroy(gf_fft_plan *plan)
{
    if (plan) {
        gf_fft_sent_free(plan);
        gf_fft_line_free(&plan->row);
        gf_fft_line_free(&plan->column);
        free(plan->joined.re);
    }
    free(plan);
}
