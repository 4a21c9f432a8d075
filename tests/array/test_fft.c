/* Fourier transforms: the definition against sums in long double and SciPy, its errors, and every other way
 * against the definition, byte by byte. */
#include "fft_cuda_case.h"
#include "level_case.h"

#include <complex.h>
#include <fenv.h>

/* ---- The definition ------------------------------------------------------------------------------------- */

static void by_definition(void)
{
    float in[602], out[602];
    double worst = 0;
    for (int64_t n = 1; n <= 300; n++) {
        for (int way = 0; way < 4 && array_in_slice(); way++) {
            const struct fft_ask ask = {way % 2, 1, way / 2, 1, 1, n, 0, 0};
            gf_fft_plan *plan = fft_plan(&ask);
            fft_fill(in, 602);
            fft_run(&ask, plan, "sequential", NULL, in, out);
            const double off = fft_off(&ask, in, out);
            worst = off > worst ? off : worst;
            CHECK_MSG(off <= 5e-7, "n %d, real %d, inverse %d: off by %g", (int)n, way % 2, way / 2, off);
            gf_fft_plan_destroy(plan);
        }
    }
    printf("# rms of errors at most %.3g of that of the result\n", worst);
}

/* Radix 2 in f64, in place of sums that would take too long. */
static void transform_f64(double complex *x, double complex *y, int64_t n, int64_t apart)
{
    if (n == 1) {
        *y = *x;
        return;
    }
    transform_f64(x, y, n / 2, apart * 2);
    transform_f64(x + apart, y + n / 2, n / 2, apart * 2);
    for (int64_t k = 0; k < n / 2; k++) {
        double c, s;
        gf_fft_unit_of(k, n, &c, &s);
        const double complex a = y[k], b = y[k + n / 2] * (c - I * s);
        y[k] = a + b;
        y[k + n / 2] = a - b;
    }
}

/* The rms errors of pocketfft (SciPy 1.10.1) on these data, in 1e-7 of the rms of the result, from 2^6 on. */
static const double pocketfft[] = {
    0.834, 0.925, 1.002, 1.064, 1.132, 1.191, 1.262, 1.318, 1.377, 1.428, 1.487, 1.540, 1.583, 1.630, 1.678,
};

static void errors(void)
{
    fft_state = 88172645463325252U; /* the data of that table */
    for (int log = 6; log <= 20; log++) {
        const int64_t length = INT64_C(1) << log, rows = log < 14 ? 1 << (14 - log) : 1, n = rows * length;
        const struct fft_ask ask = {0, 1, 0, 1, rows, length, 0, 0};
        gf_fft_plan *plan = fft_plan(&ask);
        float *in = fft_memory((size_t)n * 8), *out = fft_memory((size_t)n * 8);
        double complex *x = fft_memory((size_t)n * 16), *y = fft_memory((size_t)n * 16);
        double off = 0, size = 0;
        fft_fill(in, 2 * n);
        for (int64_t k = 0; k < n; k++) {
            x[k] = (double)in[2 * k] + I * (double)in[2 * k + 1];
        }
        for (int64_t row = 0; row < rows; row++) {
            transform_f64(x + row * length, y + row * length, length, 1);
        }
        fft_run(&ask, plan, "auto", NULL, in, out);
        for (int64_t k = 0; k < n; k++) {
            const double p = creal(y[k]) - (double)out[2 * k], q = cimag(y[k]) - (double)out[2 * k + 1];
            off += p * p + q * q;
            size += creal(y[k]) * creal(y[k]) + cimag(y[k]) * cimag(y[k]);
        }
        const double rms = sqrt(off / size) * 1e7;
        printf("# 2^%d: rms error %.3fe-7, pocketfft's %.3fe-7\n", log, rms, pocketfft[log - 6]);
        CHECK(rms <= pocketfft[log - 6]);
        gf_fft_plan_destroy(plan);
        free(in);
        free(out);
        free(x);
        free(y);
    }
}

static void scipy(void)
{
    static double values[40000];
    FILE *file = fopen(GF_SOURCE "/tests/oracle/fft/values.npy", "rb");
    FILE *index = fopen(GF_SOURCE "/tests/oracle/fft/fft.tsv", "r");
    unsigned char head[10];
    char line[128];
    int cases = 0, at[2];
    REQUIRE(file && index && fread(head, 1, sizeof head, file) == sizeof head);
    fseek(file, 10L + head[8] + 256L * head[9], SEEK_SET);
    const size_t held = fread(values, sizeof *values, 40000, file);
    for (; fgets(line, sizeof line, index); cases++) {
        long long rows, columns;
        struct fft_ask ask = {.threads = 1};
        REQUIRE(sscanf(line, "%d %d %lld %lld %d %d", &ask.real, &ask.dimensions, &rows, &columns, &at[0],
                       &at[1]) == 6);
        ask.rows = rows;
        ask.columns = columns;
        const int64_t n[] = {fft_floats(&ask, 0), fft_floats(&ask, 1)};
        REQUIRE((size_t)(at[1] + n[1]) <= held);
        gf_fft_plan *plan = fft_plan(&ask);
        for (ask.inverse = 0; ask.inverse < 2; ask.inverse++) {
            const double *from = values + at[ask.inverse], *to = values + at[!ask.inverse];
            float *in = fft_memory((size_t)n[ask.inverse] * 4),
                  *out = fft_memory((size_t)n[!ask.inverse] * 4);
            double largest = 0;
            for (int64_t i = 0; i < n[ask.inverse]; i++) {
                in[i] = (float)from[i];
            }
            fft_run(&ask, plan, "auto", NULL, in, out);
            for (int64_t i = 0; i < n[!ask.inverse]; i++) {
                largest = fmax(largest, fabs(to[i]));
            }
            for (int64_t i = 0; i < n[!ask.inverse]; i++) {
                CHECK_NEAR((double)out[i], to[i], 6e-7 * largest);
            }
            free(in);
            free(out);
        }
        gf_fft_plan_destroy(plan);
    }
    CHECK_EQ_INT(cases, 22);
    fclose(file);
    fclose(index);
}

/* ---- The CPU against the definition ------------------------------------------------------------------------ */

/* Samples and spectrum, or those of `in` where it is given; lines NULL: auto. */
static void compare(struct fft_ask ask, const struct gf_fft_lines *lines, const float *given,
                    const char *what)
{
    const int64_t reads = fft_floats(&ask, ask.inverse), writes = fft_floats(&ask, !ask.inverse);
    const size_t bytes = (size_t)writes * sizeof(float);
    float *in = fft_memory((size_t)reads * sizeof(float)), *expected = fft_memory(bytes + 4),
          *found = fft_memory(bytes + 4);
    gf_fft_plan *plan = fft_plan(&ask);
    if (given) {
        memcpy(in, given, (size_t)reads * sizeof(float));
    } else {
        fft_fill(in, reads);
    }
    expected[writes] = found[writes] = 7;
    fft_run(&ask, plan, "sequential", NULL, in, expected);
    fft_run(&ask, plan, "auto", lines, in, found);
    CHECK_MSG(memcmp(expected, found, bytes + 4) == 0,
              "%s: %d x %d, strides %d and %d, dimensions %d, real %d, inverse %d, threads %d, width %d: "
              "other bits",
              what, (int)ask.rows, (int)ask.columns, (int)ask.sample_stride, (int)ask.spectrum_stride,
              ask.dimensions, ask.real, ask.inverse, ask.threads, lines ? lines->width : 0);
    const int64_t apart =
        ask.real ? 2 * ask.spectrum_stride : ask.spectrum_stride; /* where rows begin alike */
    if (ask.sample_stride == apart && (apart > 0 || !ask.real)) {
        float *both = fft_memory(bytes > (size_t)reads * 4 ? bytes : (size_t)reads * 4);
        memcpy(both, in, (size_t)reads * sizeof(float));
        fft_run(&ask, plan, "sequential", NULL, both, both);
        memcpy(expected, both, bytes);
        memcpy(both, in, (size_t)reads * sizeof(float));
        fft_run(&ask, plan, "auto", lines, both, both);
        CHECK_MSG(memcmp(both, expected, bytes) == 0,
                  "%s: %d x %d, strides %d and %d, dimensions %d, real %d, inverse %d, in place: other bits",
                  what, (int)ask.rows, (int)ask.columns, (int)ask.sample_stride, (int)ask.spectrum_stride,
                  ask.dimensions, ask.real, ask.inverse);
        free(both);
    }
    gf_fft_plan_destroy(plan);
    free(in);
    free(expected);
    free(found);
}

static void every_length(void)
{
    for (int64_t n = 1; n <= 4096; n++) {
        if (array_in_slice()) {
            const int turn = (int)(n * 2654435761U >> 8 & 3);
            compare((struct fft_ask){0, 1, turn & 1, 1, 1, n, 0, 0}, NULL, NULL, "every length");
            compare((struct fft_ask){1, 1, turn >> 1, 1, 1, n, 0, 0}, NULL, NULL, "every length");
        }
    }
}

static void random_shapes(void)
{
    for (int i = 0; i < 1000; i++) {
        const struct fft_ask ask = fft_random_ask(i % 10 ? 60 : 300);
        if (array_in_slice()) {
            compare(ask, NULL, NULL, "random shapes");
        }
    }
    compare((struct fft_ask){0, 1, 0, 2, 2, 1 << 17, 0, 0}, NULL, NULL, "long rows, threads");
    compare((struct fft_ask){1, 1, 1, 2, 1, 100003, 0, 0}, NULL, NULL, "a long row of a prime, threads");
    compare((struct fft_ask){1, 2, 0, 2, 256, 512, 0, 0}, NULL, NULL, "a picture, threads");
    compare((struct fft_ask){1, 2, 1, 3, 257, 510, 0, 0}, NULL, NULL, "a picture of a prime, threads");
}

static void level(const struct gf_fft_lines *lines)
{
    static const int64_t lengths[] = {1,   2,   3,   4,   5,   6,    7,    8,    9,    12,   13,
                                      15,  16,  21,  24,  28,  32,   35,   48,   49,   60,   64,
                                      75,  96,  100, 105, 120, 128,  210,  225,  240,  256,  360,
                                      420, 512, 540, 625, 960, 1009, 1024, 1080, 2048, 2187, 3600};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (int way = 0; way < 4; way++) {
            compare((struct fft_ask){way % 2, 1, way / 2, 1, 2, lengths[i], 0, 0}, lines, NULL, "level");
        }
    }
    for (int i = 0; i < 100; i++) {
        compare(fft_random_ask(70), lines, NULL, "level");
    }
}

static void baseline(void)
{
    level(&gf_fft_lines_baseline);
}

LEVEL_CASE(avx2, GF_CPU_AVX2, level(&gf_fft_lines_avx2);)

LEVEL_CASE(avx512, GF_CPU_AVX512, level(&gf_fft_lines_avx512);)

/* Whatever the samples are, the bits are the definition's; a NaN is the canonical one. */
static void special_values(void)
{
    static const int64_t lengths[] = {1, 2, 3, 7, 12, 16, 30, 64, 97, 100, 210, 1024};
    static const float planted[] = {NAN, INFINITY, -INFINITY, 0.0F, -0.0F, 3e38F, 1e-44F, -1e-38F};
    float x[2 * 2 * 1026];
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (int way = 0; way < 8; way++) {
            for (int k = 0; k < 8; k++) {
                const struct fft_ask ask = {way % 2, 1 + way / 4, way / 2 % 2, 1, 2, lengths[i], 0, 0};
                fft_fill(x, 2 * 2 * 1026);
                x[fft_below(fft_floats(&ask, ask.inverse))] = planted[k];
                for (int64_t j = 0; k > 2 && k < 5 && j < 2 * 2 * 1026; j++) {
                    x[j] = fft_draw() < 0 ? -0.0F : planted[k]; /* only zeros */
                }
                compare(ask, NULL, x, "special values");
            }
        }
    }
    const struct fft_ask ask = {0, 1, 0, 1, 1, 4, 0, 0};
    float in[8] = {0}, out[8];
    const uint32_t odd = 0xffc12345U, canonical = 0x7fc00000U;
    memcpy(&in[2], &odd, 4);
    gf_fft_plan *plan = fft_plan(&ask);
    fft_run(&ask, plan, "auto", NULL, in, out);
    CHECK_MEM(&out[0], &canonical, 4);
    CHECK(out[1] == 0);
    gf_fft_plan_destroy(plan);
}

/* The caller's rounding changes no bit: not of the inverse's factor, either. */
static void rounding(void)
{
    float in[2 * 25], out[2][2 * 25];
    fft_fill(in, 2 * 25);
    for (int up = 0; up < 2; up++) {
        const struct fft_ask ask = {0, 1, 1, 1, 1, 25, 0, 0};
        const int before = fegetround();
        fesetround(up ? FE_UPWARD : FE_TONEAREST);
        gf_fft_plan *plan = fft_plan(&ask);
        fft_run(&ask, plan, "auto", NULL, in, out[up]);
        gf_fft_plan_destroy(plan);
        fesetround(before);
    }
    CHECK_MEM(out[1], out[0], sizeof out[0]);
}

/* ---- Variants, and refusals ----------------------------------------------------------------------------- */

static void textbooks(void)
{
    fft_textbooks(false, 60, 2e-5);
}

static void refused(const gf_fft_shape *shape, const char *part)
{
    gf_error error = GF_ERROR_INIT;
    gf_fft_plan *plan = (gf_fft_plan *)&error;
    CHECK_EQ_INT(gf_fft_plan_create(shape, &plan, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, part);
    CHECK(!plan);
}

static void refusals(void)
{
    const gf_fft_shape good = {sizeof good, 1, 2, 8, 0, 0, 0};
#define REFUSED(member, value, part)                                                                         \
    do {                                                                                                     \
        gf_fft_shape bad = good;                                                                             \
        bad.member = (value);                                                                                \
        refused(&bad, part);                                                                                 \
    } while (0)
    REFUSED(columns, 0, "a row of 0 numbers, must have 1 to 2^26");
    REFUSED(columns, (1 << 26) + 1, "must have 1 to 2^26");
    REFUSED(rows, -1, "-1 rows of 8 numbers, must be 0 to");
    REFUSED(dimensions, 3, "dimensions is 3");
    REFUSED(real, 2, "real is 2");
    REFUSED(sample_stride, 7, "strides of 7 samples and 0 complex numbers, must be 0, or at least 8 and 8");
    REFUSED(spectrum_stride, -8, "must be 0, or at least 8 and 8");
    const gf_fft_shape flat = {sizeof good, 2, 0, 8, 0, 0, 0};
    refused(&flat, "0 rows of 8 numbers, must be 1 to");
    refused(NULL, "NULL");

    gf_fft_plan *plan = NULL;
    gf_error error = GF_ERROR_INIT;
    const gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_fft_options o = GF_FFT_OPTIONS_INIT;
    float x[64];
    size_t bytes;
    CHECK_EQ_INT(gf_fft_plan_create(&good, NULL, &error), GF_ERROR_ARGUMENT);
    REQUIRE(gf_fft_plan_create(&good, &plan, &error) == GF_OK);
    CHECK_EQ_INT(gf_fft_scratch(GF_DEVICE_CPU, &o, NULL, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "the plan is NULL");
    CHECK_EQ_INT(gf_fft(queue, &o, plan, NULL, x, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "the input is NULL");
    CHECK_EQ_INT(gf_fft(queue, &o, plan, x, x, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "bytes of scratch");
    o.inverse = 2;
    CHECK_EQ_INT(gf_fft_scratch(GF_DEVICE_CPU, &o, plan, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "inverse is 2, must be 0 or 1");
    o.inverse = 0;
    o.array.type = GF_F64;
    CHECK_EQ_INT(gf_fft_scratch(GF_DEVICE_CPU, &o, plan, &bytes, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "takes no f64; it takes: f32");
    gf_fft_plan_destroy(plan);
    gf_fft_plan_destroy(NULL);
}

static const struct check_case cases[] = {
    {"the definition: sums", by_definition},
    {"the definition: errors", errors},
    {"the definition: SciPy", scipy},
    {"every length", every_length},
    {"random shapes", random_shapes},
    {"baseline", baseline},
    {"AVX2", avx2},
    {"AVX-512", avx512},
    {"special values", special_values},
    {"rounding", rounding},
    {"textbooks", textbooks},
    {"refusals", refusals},
    {"CUDA: every length", cuda_every_length},
    {"CUDA: random shapes", cuda_random_shapes},
    {"CUDA: long lines", cuda_long_lines},
    {"CUDA: special values", cuda_special_values},
    {"CUDA: textbooks", cuda_textbooks},
    {"CUDA: factors come once", cuda_prepare},
};
CHECK_MAIN(cases)
