/* Fourier transforms as textbooks print them: the sum, and radix 2 by Stockham (as in W. T. Cochran et al.,
 * "What is the fast Fourier transform?", 1967), in f32 with factors rounded once. */
#include "fourier/fft_plain.h"
#include "fourier/fft_unit.h"

#include "base/gf_num.h"

typedef struct gf_fft_number number;

/* exp(-2 pi i k / n) for all k. */
static void make_factors(int64_t n, number *w)
{
    for (int64_t k = 0; k < n; k++) {
        double c, s;
        gf_fft_unit_of(k, n, &c, &s);
        w[k] = (number){(float)c, (float)(0 - s)};
    }
}

static void naive(const struct gf_fft_line *line, int64_t n, number *in, number *out, number *work)
{
    (void)line;
    make_factors(n, work);
    for (int64_t k = 0; k < n; k++) {
        number sum = {0, 0};
        for (int64_t j = 0, at = 0; j < n; j++) {
            sum.re = gf_fma(in[j].re, work[at].re, gf_fma(-in[j].im, work[at].im, sum.re));
            sum.im = gf_fma(in[j].re, work[at].im, gf_fma(in[j].im, work[at].re, sum.im));
            at += at + k < n ? k : k - n;
        }
        out[k] = sum;
    }
}

/* `in` is of no more use once it has been read, so the two arrays take turns. */
static void stockham(const struct gf_fft_line *line, int64_t n, number *in, number *out, number *work)
{
    number *from = in, *to = out;
    (void)line;
    make_factors(n, work);
    for (int64_t length = n, apart = 1; length > 1; length /= 2, apart *= 2) {
        for (int64_t p = 0; p < length / 2; p++) {
            for (int64_t q = 0; q < apart; q++) {
                const number a = from[q + apart * p], b = from[q + apart * (p + length / 2)];
                to[q + apart * 2 * p] = (number){a.re + b.re, a.im + b.im};
                to[q + apart * (2 * p + 1)] =
                    gf_fft_product((number){a.re - b.re, a.im - b.im}, work[p * apart]);
            }
        }
        number *turn = from;
        from = to;
        to = turn;
    }
    for (int64_t k = 0; from != out && k < n; k++) {
        out[k] = from[k];
    }
}

gf_status gf_fft_stockham_check(const struct gf_array_call *array, gf_error *error)
{
    const gf_fft_shape *s = &gf_fft_call_of(array)->plan->shape;
    if ((s->columns & (s->columns - 1)) != 0 || (s->dimensions == 2 && (s->rows & (s->rows - 1)) != 0)) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "fft, variant stockham, takes powers of two, not %lld x %lld numbers",
                       (long long)s->rows, (long long)s->columns);
    }
    return GF_OK;
}

gf_status gf_fft_naive(const struct gf_array_call *array, gf_error *error)
{
    (void)error;
    gf_fft_plain(gf_fft_call_of(array), naive, 0);
    return GF_OK;
}

gf_status gf_fft_stockham(const struct gf_array_call *array, gf_error *error)
{
    (void)error;
    gf_fft_plain(gf_fft_call_of(array), stockham, 0);
    return GF_OK;
}
