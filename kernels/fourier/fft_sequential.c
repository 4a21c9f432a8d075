/* The definition of the Fourier transform of a line: docs/exactness.md. */
#include "fourier/fft_plain.h"

#include "base/gf_num.h"

typedef struct gf_fft_number number;

static number add(number a, number b)
{
    return (number){a.re + b.re, a.im + b.im};
}

static number subtract(number a, number b)
{
    return (number){a.re - b.re, a.im - b.im};
}

/* a - i b, and a + i b. */
static number turned(number a, number b)
{
    return (number){a.re + b.im, a.im - b.re};
}
static number turned_back(number a, number b)
{
    return (number){a.re - b.im, a.im + b.re};
}

static void butterfly_4(number *u)
{
    const number a = add(u[0], u[2]), b = subtract(u[0], u[2]), c = add(u[1], u[3]), d = subtract(u[1], u[3]);
    u[0] = add(a, c);
    u[1] = turned(b, d);
    u[2] = subtract(a, c);
    u[3] = turned_back(b, d);
}

static void butterfly_odd(int32_t r, number *u)
{
    const float *cosines = gf_fft_cosines[(r - 3) / 2], *sines = gf_fft_sines[(r - 3) / 2];
    const int32_t h = (r - 1) / 2;
    number a[4], b[4], first = u[0];
    for (int32_t j = 1; j <= h; j++) {
        a[j] = add(u[j], u[r - j]);
        b[j] = subtract(u[j], u[r - j]);
        first = add(first, a[j]);
    }
    for (int32_t k = 1; k <= h; k++) {
        number m = u[0], t = {sines[k] * b[1].re, sines[k] * b[1].im};
        for (int32_t j = 1; j <= h; j++) {
            const float c = cosines[j * k % r], s = sines[j * k % r];
            m = (number){gf_fma(c, a[j].re, m.re), gf_fma(c, a[j].im, m.im)};
            t = j == 1 ? t : (number){gf_fma(s, b[j].re, t.re), gf_fma(s, b[j].im, t.im)};
        }
        u[k] = turned(m, t);
        u[r - k] = turned_back(m, t);
    }
    u[0] = first;
}

/* Numbers `in`, of which each is `apart` from the next, through the first `stages` stages. */
static void stages_of(const struct gf_fft_line *line, int32_t stages, const number *in, int64_t apart,
                      number *out)
{
    if (stages == 0) {
        *out = *in;
        return;
    }
    const struct gf_fft_stage *stage = &line->stage[stages - 1];
    const int64_t span = stage->span;
    const int32_t r = stage->radix;
    for (int32_t q = 0; q < r; q++) {
        stages_of(line, stages - 1, in + q * apart, apart * r, out + q * span);
    }
    for (int64_t k = 0; k < span; k++) {
        number u[GF_FFT_RADIX];
        for (int32_t q = 0; q < r; q++) {
            const int64_t at = (q - 1) * span + k;
            u[q] = out[q * span + k];
            if (q > 0 && span > 1) {
                u[q] = gf_fft_product(u[q], (number){stage->re[at], stage->im[at]});
            }
        }
        if (r == 2) {
            const number sum = add(u[0], u[1]);
            u[1] = subtract(u[0], u[1]);
            u[0] = sum;
        } else if (r == 4) {
            butterfly_4(u);
        } else {
            butterfly_odd(r, u);
        }
        for (int32_t q = 0; q < r; q++) {
            out[q * span + k] = u[q];
        }
    }
}

static void transform(const struct gf_fft_line *line, int64_t n, number *in, number *out, number *work)
{
    if (!line->sum) {
        stages_of(line, line->stages, in, 1, out);
        return;
    }
    const int64_t m = line->sum->n;
    number *back = work + m;
    for (int64_t j = 0; j < m; j++) {
        work[j] = (number){0, 0};
        if (j < n) {
            work[j] = gf_fft_product(in[j], (number){line->chirp.re[j], line->chirp.im[j]});
        }
    }
    stages_of(line->sum, line->sum->stages, work, 1, back);
    for (int64_t j = 0; j < m; j++) {
        const number product = gf_fft_product(back[j], (number){line->b.re[j], line->b.im[j]});
        work[j] = (number){product.im, product.re};
    }
    stages_of(line->sum, line->sum->stages, work, 1, back);
    for (int64_t k = 0; k < n; k++) {
        out[k] =
            gf_fft_product((number){back[k].im, back[k].re}, (number){line->chirp.re[k], line->chirp.im[k]});
    }
}

gf_status gf_fft_sequential(const struct gf_array_call *array, gf_error *error)
{
    (void)error;
    gf_fft_plain(gf_fft_call_of(array), transform, 1);
    return GF_OK;
}
