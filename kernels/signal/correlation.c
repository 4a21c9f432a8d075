/* Block by block of y, with as much of x as meets it: the spectrum of the one times the conjugate of the
 * other's, added in f64, and transformed back once. Frames are multiplied by powers of two first, so that the
 * greatest lies below 1 and nothing is beyond f32.
 *
 * The bound. A stage of radix 4 has an error of at most 5 units of 2^-24 of what goes through it, in the
 * Euclidean norm, factors being rounded, too; so have the joints of real transforms. L halvings have at most
 * (2.5 L + 5) of them, which both spectra have, and the way back as much of each number of the sum, whose
 * sizes add up to n |x| |y| at most (Cauchy and Schwarz): 7.5 L + 21 in all, of which twice as much is
 * allowed. Blocks of x overlap, so that their squares add up to n / (frames of a block) times those of x. */
#include "signal/correlation.h"

#include "base/planted_fault.h"
#include "gpufilter/fft.h"

#include <math.h>
#include <stdlib.h>

struct gf_correlation {
    const float *x, *y;
    int64_t n, m, delays, size, step; /* size: of transforms; step: frames of y in a block */
    double x_scale, y_scale, bound;
    gf_fft_plan *plan;
    float *numbers; /* of x, then of y: size + 2 each */
    double *sums;   /* size + 2 */
    void *scratch;
    size_t bytes;
};

static double scale_of(const float *x, int64_t n)
{
    float most = 0;
    int exponent;
    for (int64_t i = 0; i < n; i++) {
        most = fmaxf(most, fabsf(x[i]));
    }
    frexp((double)most, &exponent);
    return ldexp(1, -exponent);
}

static gf_fft_options options_of(int32_t inverse)
{
    gf_fft_options options = GF_FFT_OPTIONS_INIT;
    options.array.threads = 1;
    options.inverse = inverse;
    return options;
}

static gf_status begin(struct gf_correlation *c, gf_error *error)
{
    gf_fft_shape shape = GF_FFT_SHAPE_INIT;
    shape.rows = 1;
    shape.columns = c->size;
    shape.real = 1;
    GF_TRY(gf_fft_plan_create(&shape, &c->plan, error));
    for (int32_t inverse = 0; inverse < 2; inverse++) {
        const gf_fft_options options = options_of(inverse);
        size_t bytes;
        GF_TRY(gf_fft_scratch(GF_DEVICE_CPU, &options, c->plan, &bytes, error));
        c->bytes = bytes > c->bytes ? bytes : c->bytes;
    }
    c->scratch = aligned_alloc(256, (c->bytes + 511) / 256 * 256);
    c->numbers = malloc((size_t)(2 * (c->size + 2)) * sizeof *c->numbers);
    c->sums = malloc((size_t)(c->size + 2) * sizeof *c->sums);
    return gf_need_memory(c->scratch && c->numbers && c->sums, error);
}

gf_status gf_correlation_create(const float *x, int64_t n, double x_squares, const float *y, int64_t m,
                                double y_squares, int64_t delays, struct gf_correlation **out,
                                gf_error *error)
{
    struct gf_correlation *c = calloc(1, sizeof *c);
    GF_TRY(gf_need_memory(c != NULL, error));
    int log = 10;
    const int64_t longer = n > m ? n : m;
    *c = (struct gf_correlation){.x = x, .y = y, .n = n, .m = m};
    c->delays = delays < GF_CORRELATION_MOST ? delays : GF_CORRELATION_MOST;
    while ((int64_t)1 << log < 4 * c->delays && (int64_t)1 << log < longer + c->delays) {
        log++;
    }
    c->size = (int64_t)1 << log;
    c->delays = c->delays < c->size / 2 ? c->delays : c->size / 2;
    c->step = c->size - c->delays + 1;
    c->x_scale = scale_of(x, n);
    c->y_scale = scale_of(y, m);
    c->bound = 0x1p-24 * 16 * (log + 3) * sqrt((double)c->size / (double)c->step) * sqrt(x_squares) *
               sqrt(y_squares);
    const gf_status status = begin(c, error);
    if (status != GF_OK) {
        gf_correlation_destroy(c);
        c = NULL;
    }
    *out = c;
    return status;
}

void gf_correlation_destroy(struct gf_correlation *c)
{
    if (c) {
        gf_fft_plan_destroy(c->plan);
        free(c->scratch);
        free(c->numbers);
        free(c->sums);
    }
    free(c);
}

int64_t gf_correlation_count(const struct gf_correlation *c)
{
    return c->delays;
}

double gf_correlation_bound(const struct gf_correlation *c)
{
    return c->bound;
}

static gf_status transform(const struct gf_correlation *c, int32_t inverse, float *numbers, gf_error *error)
{
    const gf_fft_options options = options_of(inverse);
    return gf_fft((gf_queue){GF_DEVICE_CPU, NULL}, &options, c->plan, numbers, numbers, c->scratch, c->bytes,
                  error);
}

/* The spectrum of `count` frames from `first` on, zeros beyond the signal and behind them. */
static gf_status spectrum(const struct gf_correlation *c, const float *x, int64_t n, int64_t first,
                          int64_t count, double scale, float *numbers, gf_error *error)
{
    for (int64_t i = 0; i < c->size; i++) {
        const int64_t at = first + i;
        numbers[i] = i < count && at >= 0 && at < n ? (float)((double)x[at] * scale) : 0;
    }
    return transform(c, 0, numbers, error);
}

gf_status gf_correlation_near(struct gf_correlation *c, int64_t first, double *sums, gf_error *error)
{
    float *x = c->numbers, *y = x + c->size + 2;
    for (int64_t k = 0; k < c->size + 2; k++) {
        c->sums[k] = 0;
    }
    for (int64_t b = 0; b < c->m - (GF_FAULT(correlate_block) ? c->step : 0); b += c->step) {
        if (b + first >= c->n || b + first + c->size <= 0) {
            continue; /* nothing of x meets it */
        }
        GF_TRY(spectrum(c, c->x, c->n, b + first, c->size, c->x_scale, x, error));
        GF_TRY(spectrum(c, c->y, c->m, b, c->step, c->y_scale, y, error));
        for (int64_t k = 0; k < c->size + 2; k += 2) {
            c->sums[k] += (double)x[k] * (double)y[k] + (double)x[k + 1] * (double)y[k + 1];
            c->sums[k + 1] += (double)x[k + 1] * (double)y[k] - (double)x[k] * (double)y[k + 1];
        }
    }
    for (int64_t k = 0; k < c->size + 2; k++) {
        x[k] = (float)c->sums[k];
    }
    GF_TRY(transform(c, 1, x, error));
    for (int64_t k = 0; k < c->delays; k++) {
        sums[k] = (double)x[k] / c->x_scale / c->y_scale;
    }
    return GF_OK;
}
