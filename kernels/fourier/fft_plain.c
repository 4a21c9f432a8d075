#include "fourier/fft_plain.h"

#include "base/float_mode.h"
#include "base/gf_num.h"

typedef struct gf_fft_number number;

struct plain {
    const struct gf_fft_call *call;
    const struct gf_fft_plan *plan;
    gf_fft_transform_fn *transform;
    int pairs;
    number *x, *y, *work, *spectrum; /* a line before and after, what its transform needs, and the copy */
};

number gf_fft_product(number a, number w)
{
    return (number){gf_fma(a.re, w.re, -(a.im * w.im)), gf_fma(a.re, w.im, a.im * w.re)};
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static size_t lay_out(const struct gf_fft_call *call, void *memory, struct plain *p)
{
    const struct gf_fft_plan *plan = call->plan;
    const int64_t side = most(plan->shape.columns, plan->column.n);
    const int64_t sums =
        most(plan->row.sum ? plan->row.sum->n : 0, plan->column.sum ? plan->column.sum->n : 0);
    size_t used = 0;
    p->x = gf_scratch_take(memory, &used, (size_t)side * sizeof(number));
    p->y = gf_scratch_take(memory, &used, (size_t)side * sizeof(number));
    p->work = gf_scratch_take(memory, &used, (size_t)most(2 * sums, side) * sizeof(number));
    p->spectrum = gf_scratch_take(
        memory, &used, gf_fft_copies(call) ? (size_t)(plan->half * plan->shape.rows) * sizeof(number) : 0);
    return used;
}

size_t gf_fft_plain_scratch(const struct gf_array_call *array)
{
    struct plain p;
    return lay_out(gf_fft_call_of(array), NULL, &p);
}

static number conjugate(number a)
{
    return (number){a.re, -a.im};
}

/* From x to y, there or back. */
static void transform(const struct plain *p, const struct gf_fft_line *line, int64_t n)
{
    for (int64_t k = 0; p->call->inverse && k < n; k++) {
        p->x[k] = (number){p->x[k].im, p->x[k].re};
    }
    p->transform(line, n, p->x, p->y, p->work);
    for (int64_t k = 0; p->call->inverse && k < n; k++) {
        p->y[k] = (number){p->y[k].im, p->y[k].re};
    }
}

/* (a + b) + (a - b) v */
static number join(number a, number b, number v)
{
    const number t = gf_fft_product((number){a.re - b.re, a.im - b.im}, v);
    return (number){(a.re + b.re) + t.re, (a.im + b.im) + t.im};
}

static void forward_row(const struct plain *p, const float *in, float *out)
{
    const struct gf_fft_plan *plan = p->plan;
    const int64_t n = plan->shape.columns, line = p->pairs ? n / 2 : n;
    const int complex = p->pairs || !plan->shape.real;
    for (int64_t k = 0; k < line; k++) {
        p->x[k] = complex ? (number){in[2 * k], in[2 * k + 1]} : (number){in[k], 0};
    }
    transform(p, &plan->row, line);
    for (int64_t k = 0; k < plan->half; k++) {
        number to = p->y[p->pairs ? k % line : k];
        if (p->pairs) {
            const number v = {plan->joined.re[k], plan->joined.im[k]};
            to = join(to, conjugate(p->y[(line - k) % line]), v);
            to = (number){0.5F * to.re, 0.5F * to.im};
        }
        out[2 * k] = gf_canonical(to.re);
        out[2 * k + 1] = gf_canonical(to.im);
    }
}

/* Number k of a row of the spectrum of n samples. */
static number spectrum(const struct plain *p, const float *in, int64_t k)
{
    const int64_t n = p->plan->shape.columns;
    if (p->plan->shape.real && (k == 0 || 2 * k == n)) {
        return (number){in[2 * k], 0};
    }
    return k < p->plan->half ? (number){in[2 * k], in[2 * k + 1]}
                             : (number){in[2 * (n - k)], -in[2 * (n - k) + 1]};
}

static void inverse_row(const struct plain *p, const float *in, float *out)
{
    const struct gf_fft_plan *plan = p->plan;
    const int64_t n = plan->shape.columns, line = p->pairs ? n / 2 : n;
    const int complex = p->pairs || !plan->shape.real;
    for (int64_t k = 0; k < line; k++) {
        p->x[k] = spectrum(p, in, k);
    }
    for (int64_t k = 0; p->pairs && k < line; k++) {
        const number v = {plan->joined.re[k], -plan->joined.im[k]};
        p->x[k] = join(spectrum(p, in, k), conjugate(spectrum(p, in, line - k)), v);
    }
    transform(p, &plan->row, line);
    for (int64_t k = 0; k < line; k++) {
        out[complex ? 2 * k : k] = gf_canonical(p->y[k].re * p->call->scale);
        if (complex) {
            out[2 * k + 1] = gf_canonical(p->y[k].im * p->call->scale);
        }
    }
}

static void columns(const struct plain *p, const float *in, int64_t row_in, float *out, int64_t row_out)
{
    const int64_t rows = p->plan->shape.rows;
    for (int64_t c = 0; c < p->plan->half; c++) {
        for (int64_t y = 0; y < rows; y++) {
            p->x[y] = (number){in[y * row_in + 2 * c], in[y * row_in + 2 * c + 1]};
        }
        transform(p, &p->plan->column, rows);
        for (int64_t y = 0; y < rows; y++) {
            out[y * row_out + 2 * c] = gf_canonical(p->y[y].re);
            out[y * row_out + 2 * c + 1] = gf_canonical(p->y[y].im);
        }
    }
}

void gf_fft_plain(const struct gf_fft_call *call, gf_fft_transform_fn *function, int pairs)
{
    const gf_fft_shape *shape = &call->plan->shape;
    struct plain p = {.call = call, .plan = call->plan, .transform = function};
    const float *in = call->array.in;
    float *out = call->array.out;
    int64_t row_in = gf_fft_row_in(call);
    const int64_t row_out = gf_fft_row_out(call);
    gf_float_mode saved;
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    lay_out(call, call->array.scratch, &p);
    p.pairs = pairs && gf_fft_pairs(call->plan);
    if (shape->dimensions == 2 && call->inverse) {
        float *to = gf_fft_copies(call) ? &p.spectrum->re : out;
        const int64_t row = gf_fft_copies(call) ? 2 * call->plan->half : row_out;
        columns(&p, in, row_in, to, row);
        in = to;
        row_in = row;
    }
    for (int64_t y = 0; y < shape->rows; y++) {
        (call->inverse ? inverse_row : forward_row)(&p, in + y * row_in, out + y * row_out);
    }
    if (shape->dimensions == 2 && !call->inverse) {
        columns(&p, out, row_out, out, row_out);
    }
    gf_float_mode_restore(&saved);
}
