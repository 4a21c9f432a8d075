/* Sines and cosines of parts of a turn, and the lines of factors that are made of them. */
#include "fourier/fft_factors.h"
#include "fourier/fft_unit.h"

#include <stdlib.h>

const float gf_fft_cosines[3][GF_FFT_RADIX] = GF_FFT_COSINES;
const float gf_fft_sines[3][GF_FFT_RADIX] = GF_FFT_SINES;

/* ---- Lines -------------------------------------------------------------------------------------------------- */

/* The radices of n, in the order of the stages; returns what is left of n. */
static int64_t factor(int64_t n, struct gf_fft_line *line)
{
    static const int32_t radices[] = {4, 2, 3, 5, 7};
    int64_t span = 1;
    line->stages = 0;
    for (int i = 0; i < 5; i++) {
        for (; n % radices[i] == 0; n /= radices[i]) {
            line->stage[line->stages++] = (struct gf_fft_stage){radices[i], span, NULL, NULL, 0};
            span *= radices[i];
        }
    }
    return n;
}

static int is_smooth(int64_t n)
{
    static const int primes[] = {2, 3, 5};
    for (int i = 0; i < 3; i++) {
        while (n % primes[i] == 0) {
            n /= primes[i];
        }
    }
    return n == 1;
}

/* Takes n numbers of the memory, and what lies behind them. */
static struct gf_fft_table take(float **memory, int64_t n)
{
    const struct gf_fft_table table = {*memory, *memory + n + GF_FFT_PADDING};
    *memory += 2 * (n + GF_FFT_PADDING);
    return table;
}

static int64_t room(int64_t n)
{
    return 2 * (n + GF_FFT_PADDING);
}

static void fill_stage(struct gf_fft_stage *stage, float **memory)
{
    const int64_t length = stage->span * stage->radix;
    const struct gf_fft_table table = take(memory, (stage->radix - 1) * stage->span);
    for (int64_t q = 1; q < stage->radix; q++) {
        for (int64_t k = 0; k < stage->span; k++) {
            double c, s;
            gf_fft_unit_of(q * k, length, &c, &s);
            table.re[(q - 1) * stage->span + k] = (float)c;
            table.im[(q - 1) * stage->span + k] = (float)(0 - s);
        }
    }
    stage->re = table.re;
    stage->im = table.im;
}

/* Transforms m numbers (re, im) in f64, of which `from` is the first and those of this part lie `apart`. */
static void transform(const double *unit, const struct gf_fft_line *line, int32_t stages, const double *from,
                      int64_t apart, double *to)
{
    double u[2 * GF_FFT_RADIX];
    if (stages == 0) {
        to[0] = from[0];
        to[1] = from[1];
        return;
    }
    const int64_t r = line->stage[stages - 1].radix, span = line->stage[stages - 1].span, n = r * span;
    for (int64_t q = 0; q < r; q++) {
        transform(unit, line, stages - 1, from + 2 * q * apart, apart * r, to + 2 * q * span);
    }
    for (int64_t k = 0; k < span; k++) {
        for (int64_t q = 0; q < r; q++) {
            u[2 * q] = to[2 * (q * span + k)];
            u[2 * q + 1] = to[2 * (q * span + k) + 1];
        }
        for (int64_t j = 0; j < r; j++) {
            double re = u[0], im = u[1];
            for (int64_t q = 1; q < r; q++) {
                const double *w = unit + 2 * (q * (k + j * span) % n * (line->n / n));
                re += u[2 * q] * w[0] - u[2 * q + 1] * w[1];
                im += u[2 * q] * w[1] + u[2 * q + 1] * w[0];
            }
            to[2 * (k + j * span)] = re;
            to[2 * (k + j * span) + 1] = im;
        }
    }
}

/* The chirp, and the transform of its conjugate. */
static gf_status fill_sum(struct gf_fft_line *line, gf_error *error)
{
    const int64_t n = line->n, m = line->sum->n;
    double *memory = malloc((size_t)m * 6 * sizeof *memory);
    if (!memory) {
        return gf_fail(error, GF_ERROR_MEMORY, "fft: no memory for factors of %lld numbers", (long long)m);
    }
    double *unit = memory, *from = memory + 2 * m, *to = memory + 4 * m, c, s;
    for (int64_t k = 0; k < m; k++) {
        gf_fft_unit_of(k, m, &unit[2 * k], &s);
        unit[2 * k + 1] = 0 - s;
        from[2 * k] = from[2 * k + 1] = 0;
    }
    for (int64_t j = 0, turn = 0; j < n; turn = (turn + 2 * j + 1) % (2 * n), j++) { /* turn: j j mod 2 n */
        gf_fft_unit_of(turn, 2 * n, &c, &s);
        line->chirp.re[j] = (float)c;
        line->chirp.im[j] = (float)(0 - s);
        from[2 * j] = c;
        from[2 * j + 1] = s;
        if (j > 0) {
            from[2 * (m - j)] = c;
            from[2 * (m - j) + 1] = s;
        }
    }
    transform(unit, line->sum, line->sum->stages, from, 1, to);
    for (int64_t k = 0; k < m; k++) {
        line->b.re[k] = (float)(to[2 * k] / (double)m);
        line->b.im[k] = (float)(to[2 * k + 1] / (double)m);
    }
    free(memory);
    return GF_OK;
}

static gf_status no_memory(int64_t n, gf_error *error)
{
    return gf_fail(error, GF_ERROR_MEMORY, "fft: no memory for the factors of %lld numbers", (long long)n);
}

/* Makes the line of Bluestein's sum over n numbers. */
static gf_status make_sum(struct gf_fft_line *line, gf_error *error)
{
    int64_t m = 2 * line->n - 1;
    while (!is_smooth(m)) {
        m++;
    }
    line->stages = 0;
    line->sum = calloc(1, sizeof *line->sum);
    line->memory = line->sum ? malloc((size_t)(room(line->n) + room(m)) * sizeof(float)) : NULL;
    if (!line->memory) {
        return no_memory(line->n, error);
    }
    float *memory = line->memory;
    line->chirp = take(&memory, line->n);
    line->b = take(&memory, m);
    GF_TRY(gf_fft_line_make(line->sum, m, error));
    return fill_sum(line, error);
}

gf_status gf_fft_line_make(struct gf_fft_line *line, int64_t n, gf_error *error)
{
    int64_t floats = 0;
    *line = (struct gf_fft_line){.n = n};
    if (factor(n, line) > 1) {
        return make_sum(line, error);
    }
    for (int32_t s = 0; s < line->stages; s++) {
        floats += room((line->stage[s].radix - 1) * line->stage[s].span);
    }
    line->memory = malloc((size_t)floats * sizeof(float) + 1);
    if (!line->memory) {
        return no_memory(n, error);
    }
    float *memory = line->memory;
    for (int32_t s = 0; s < line->stages; s++) {
        fill_stage(&line->stage[s], &memory);
    }
    return GF_OK;
}

void gf_fft_line_free(struct gf_fft_line *line)
{
    if (line->sum) {
        gf_fft_line_free(line->sum);
    }
    free(line->sum);
    free(line->memory);
}
