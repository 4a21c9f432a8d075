/* What is found in signals, as NumPy and SciPy, or plain loops, find it. */
#include "measure_check.h"

#define ODD_PERCENTS "[0 100 50 0.5 33.3 33.3 99.9]"

static int by_key(const void *a, const void *b)
{
    const uint32_t p = gf_float_key(*(const float *)a), q = gf_float_key(*(const float *)b);
    return (p > q) - (p < q);
}

/* Of `frames` frames at x, sorted here, the value at a percentile. */
static double ranked(float *x, int64_t frames, double percent)
{
    int64_t n = 0;
    qsort(x, (size_t)frames, sizeof *x, by_key); /* NaN last */
    while (n < frames && x[n] == x[n]) {
        n++;
    }
    return n ? (double)x[(int64_t)(percent / 100 * (double)(n - 1) + 0.5)] : NAN;
}

static void check_percentiles(const char *stages, float *x, int64_t frames, int32_t channels, int64_t most)
{
    gf_signal_exec *exec = measure(stages, x, frames, channels, 0, GF_DEVICE_CPU, 2, most, true);
    REQUIRE(exec != NULL);
    const gf_field *at = gf_result_field(gf_signal_exec_result(exec, 0), "at"),
                   *value = gf_result_field(gf_signal_exec_result(exec, 0), "value");
    REQUIRE(at && value && value->channels == channels && at->count == value->count);
    CHECK(gf_signal_exec_result(exec, 0)->shape.width == frames);
    for (int64_t i = 0; i < value->count * channels; i++) {
        const double got = ((const double *)value->values)[i], percent = ((const double *)at->values)[i];
        const double right = ranked(x + i / value->count * frames, frames, percent);
        CHECK_MSG(memcmp(&got, &right, sizeof got) == 0 || (got != got && right != right),
                  "%s, %lld frames: %g percent is %.9g, must be %.9g", stages, (long long)frames, percent, got,
                  right);
    }
    gf_signal_exec_destroy(&exec);
}

static void percentiles(void)
{
    static const int64_t frames[] = {0, 1, 2, 3, 100, 4097, 50000};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        for (int awkward = 0; awkward < 2; awkward++) {
            float *x = signal_draw(3 * frames[i], i, awkward);
            check_percentiles("percentiles:" ODD_PERCENTS, x, frames[i], 3, i % 2 ? 0 : 777);
            free(x);
        }
    }
    float x[300] = {0};
    for (int i = 0; i < 100; i++) { /* NaN alone, one value alone, zeros of both signs */
        x[i] = NAN;
        x[100 + i] = -7.25F;
        x[200 + i] = i % 3 ? -0.0F : 0.0F;
    }
    check_percentiles("percentiles", x, 100, 3, 13);
}

static void percentiles_by_numpy(void)
{
    int seen = 0;
    for (int i = 0; i < signal_read(); i++) {
        const struct signal_case *c = &signal_cases[i];
        if (strcmp(c->what, "percents") != 0) {
            continue;
        }
        float *x = signal_memory((size_t)c->counts[1] * sizeof *x);
        for (int k = 0; k < c->counts[1]; k++) {
            x[k] = (float)c->in[k];
        }
        gf_signal_exec *exec = measure("percentiles", x, c->counts[1], 1, 0, GF_DEVICE_CPU, 1, 60, true);
        REQUIRE(exec != NULL && c->counts[2] == 9);
        const double *value = gf_result_field(gf_signal_exec_result(exec, 0), "value")->values;
        for (int k = 0; k < c->counts[2]; k++, seen++) {
            CHECK(value[k] == c->out[k]);
        }
        gf_signal_exec_destroy(&exec);
        free(x);
    }
    CHECK(seen >= 27);
}

/* More frames than wait in memory: of 0 to n - 1 in any order the percentiles are known. */
static void longer_than_memory(void)
{
    enum { FRAMES = 9600001 };
    float *x = signal_memory((size_t)FRAMES * sizeof *x);
    for (int64_t i = 0; i < FRAMES; i++) {
        x[i] = (float)(i * 6700417 % FRAMES) - 4800000;
    }
    gf_signal_exec *exec = measure("percentiles:[0 25 50 75 100]", x, FRAMES, 1, 0, GF_DEVICE_CPU, 1, 1 << 20, true);
    REQUIRE(exec != NULL);
    const double *value = gf_result_field(gf_signal_exec_result(exec, 0), "value")->values;
    for (int i = 0; i < 5; i++) {
        CHECK(value[i] == (i - 2) * 2400000.0);
    }
    gf_signal_exec_destroy(&exec);
    free(x);
}

static const struct check_case cases[] = {
    {"percentiles, beside sorted frames", percentiles},
    {"percentiles, as NumPy has them", percentiles_by_numpy},
    {"percentiles of more frames than memory holds", longer_than_memory},
};

int main(int argc, char **argv)
{
    if (gf_context_create(NULL, &context, NULL) != GF_OK) {
        return 2;
    }
    const int code = check_run(cases, sizeof cases / sizeof *cases, argc > 1 ? argv[1] : NULL);
    gf_context_destroy(&context);
    return code;
}
