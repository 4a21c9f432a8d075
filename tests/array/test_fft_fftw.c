/* Fourier transforms beside FFTW's: in long double as the truth, and in f32 as a peer whose errors ours do
 * not exceed. */
#include "fft_case.h"

#ifdef GF_HAVE_FFTW
#include <fftw3.h>

/* What FFTW makes, unscaled: complex or real numbers, forward or back, as `ask` says, without gaps. */
#define FFTW_WAY(name, api, type)                                                                            \
    static type *name(const struct fft_ask *a, const float *in)                                              \
    {                                                                                                        \
        const int64_t reads = fft_floats(a, a->inverse), writes = fft_floats(a, !a->inverse);                \
        const int n[] = {(int)a->rows, (int)a->columns}, d = a->dimensions,                                  \
                  many = d == 2 ? 1 : (int)a->rows;                                                          \
        const int all = (int)(a->rows * a->columns) / many,                                                  \
                  half = a->real ? (int)(a->rows * (a->columns / 2 + 1)) / many : all;                       \
        const int *sides = n + (2 - d);                                                                      \
        type *from = fft_memory((size_t)reads * sizeof(type)),                                               \
             *to = fft_memory((size_t)writes * sizeof(type));                                                \
        api##_complex *f = (api##_complex *)from, *t = (api##_complex *)to;                                  \
        api##_plan plan =                                                                                    \
            !a->real ? api##_plan_many_dft(d, sides, many, f, NULL, 1, all, t, NULL, 1, all,                 \
                                           a->inverse ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE)         \
            : a->inverse                                                                                     \
                ? api##_plan_many_dft_c2r(d, sides, many, f, NULL, 1, half, to, NULL, 1, all, FFTW_ESTIMATE) \
                : api##_plan_many_dft_r2c(d, sides, many, from, NULL, 1, all, t, NULL, 1, half,              \
                                          FFTW_ESTIMATE);                                                    \
        for (int64_t i = 0; i < reads; i++) {                                                                \
            from[i] = (type)in[i];                                                                           \
        }                                                                                                    \
        api##_execute(plan);                                                                                 \
        api##_destroy_plan(plan);                                                                            \
        free(from);                                                                                          \
        return to;                                                                                           \
    }

FFTW_WAY(make_truth, fftwl, long double)
FFTW_WAY(make_peer, fftwf, float)

struct off {
    double ours, peer; /* rms of errors, as a part of the rms of the result */
};

static struct off beside(const struct fft_ask *ask)
{
    const int64_t reads = fft_floats(ask, ask->inverse), writes = fft_floats(ask, !ask->inverse);
    const long double scale =
        ask->inverse ? 1.0L / (long double)(ask->columns * (ask->dimensions == 2 ? ask->rows : 1)) : 1.0L;
    float *in = fft_memory((size_t)reads * 4), *out = fft_memory((size_t)writes * 4);
    gf_fft_plan *plan = fft_plan(ask);
    fft_fill(in, reads);
    if (ask->real && ask->inverse) { /* a spectrum that real samples have */
        struct fft_ask forward = *ask;
        forward.inverse = 0;
        fft_fill(out, writes);
        fft_run(&forward, plan, "sequential", NULL, out, in);
    }
    fft_run(ask, plan, "auto", NULL, in, out);
    long double *truth = make_truth(ask, in), ours = 0, theirs = 0, size = 0;
    float *peer = make_peer(ask, in);
    for (int64_t i = 0; i < writes; i++) {
        const long double t = truth[i] * scale, p = out[i] - t, q = (float)(peer[i] * (float)scale) - t;
        ours += p * p;
        theirs += q * q;
        size += t * t;
    }
    gf_fft_plan_destroy(plan);
    free(in);
    free(out);
    free(truth);
    free(peer);
    return (struct off){(double)sqrtl(ours / size), (double)sqrtl(theirs / size)};
}

/* Every length to 600, by turns in all ways, and long ones. */
static void lengths(void)
{
    double worst = 0;
    for (int64_t n = 2; n <= 600; n++) {
        for (int way = 0; way < 4; way++) {
            const struct fft_ask ask = {way % 2, 1, way / 2, 1, 2, n, 0, 0};
            const struct off off = beside(&ask);
            worst = off.ours > worst ? off.ours : worst;
            CHECK_MSG(off.ours <= 6e-7, "n %d, real %d, inverse %d: off by %g, FFTW's f32 by %g", (int)n,
                      way % 2, way / 2, off.ours, off.peer);
        }
    }
    printf("# rms of errors at most %.3g of that of the result\n", worst);
}

static void long_ones(void)
{
    static const int64_t sides[] = {1 << 18, 177147, 390625, 117649, 100003, 352800};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const struct fft_ask ask = {(int)i % 2, 1, (int)i / 2 % 2, 2, 1, sides[i], 0, 0};
        const struct off off = beside(&ask);
        CHECK_MSG(off.ours <= 1e-6, "n %d: off by %g", (int)sides[i], off.ours);
    }
}

static void pictures(void)
{
    for (int i = 0; i < 60; i++) {
        const struct fft_ask ask = {i % 2, 2, i / 2 % 2, 1, 1 + fft_below(90), 2 + fft_below(90), 0, 0};
        const struct off off = beside(&ask);
        CHECK_MSG(off.ours <= 7e-7, "%d x %d, real %d, inverse %d: off by %g", (int)ask.rows,
                  (int)ask.columns, ask.real, ask.inverse, off.ours);
    }
}

static void errors(void)
{
    for (int log = 6; log <= 20; log++) {
        const int64_t rows = log < 14 ? 1 << (14 - log) : 1;
        const struct fft_ask ask = {0, 1, 0, 1, rows, INT64_C(1) << log, 0, 0};
        const struct off off = beside(&ask);
        printf("# 2^%d: rms error %.3fe-7, FFTW's %.3fe-7\n", log, off.ours * 1e7, off.peer * 1e7);
        CHECK(off.ours <= 1.02 * off.peer); /* whose bits are other ones on other processors */
    }
}
#else
static void lengths(void)
{
    SKIP("FFTW is not installed (Debian: libfftw3-dev)");
}
#define long_ones lengths
#define pictures  lengths
#define errors    lengths
#endif

static const struct check_case cases[] = {
    {"every length beside FFTW in long double", lengths},
    {"long rows beside FFTW in long double", long_ones},
    {"pictures beside FFTW in long double", pictures},
    {"errors beside those of FFTW in f32", errors},
};
CHECK_MAIN(cases)
