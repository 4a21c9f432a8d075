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
                  "%s, %lld frames: %g percent is %.9g, must be %.9g", stages, (long long)frames, percent,
                  got, right);
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
    gf_signal_exec *exec =
        measure("percentiles:[0 25 50 75 100]", x, FRAMES, 1, 0, GF_DEVICE_CPU, 1, 1 << 20, true);
    REQUIRE(exec != NULL);
    const double *value = gf_result_field(gf_signal_exec_result(exec, 0), "value")->values;
    for (int i = 0; i < 5; i++) {
        CHECK(value[i] == (i - 2) * 2400000.0);
    }
    gf_signal_exec_destroy(&exec);
    free(x);
}

/* Of one channel, whether it crosses at these frames, in this direction. */
static void check_crossings(const char *stages, const float *x, int64_t frames, int n, const double *at,
                            const uint32_t *rises)
{
    gf_signal_exec *exec = measure(stages, x, frames, 1, 4, GF_DEVICE_CPU, 1, 2, true);
    REQUIRE(exec != NULL);
    const gf_table *table = gf_result_table(gf_signal_exec_result(exec, 0), "crossings");
    CHECK_MSG(table->rows == n, "%s: %lld crossings, must be %d", stages, (long long)table->rows, n);
    for (int i = 0; i < n && table->rows == n; i++) {
        CHECK(((const double *)gf_table_column(table, "frame")->values)[i] == at[i]);
        CHECK(((const double *)gf_table_column(table, "time_s")->values)[i] == at[i] / 4);
        CHECK(((const uint32_t *)gf_table_column(table, "rises")->values)[i] == rises[i]);
        CHECK(((const uint32_t *)gf_table_column(table, "channel")->values)[i] == 1);
    }
    gf_signal_exec_destroy(&exec);
}

static void crossings(void)
{
    static const uint32_t up[] = {1, 0, 1, 0, 1};
    static const float x[] = {-1, 3, -1, 1, 0, -1, 0, -INFINITY, 2, INFINITY, -3, NAN, 1, -1, -1};
    check_crossings("crossings", x, 15, 4, (const double[]){0.25, 2.5, 6, 8}, (const uint32_t[]){1, 1, 1, 1});
    check_crossings("crossings:edge=falling", x, 15, 5, (const double[]){1.75, 4, 6, 10, 12.5},
                    (const uint32_t[5]){0});
    check_crossings("crossings:hysteresis=2:edge=both", x, 15, 3, (const double[]){6, 8, 10}, up + 1);
    check_crossings("crossings:0.5:hysteresis=0.5:edge=both", x, 9, 5,
                    (const double[]){0.375, 1.625, 2.75, 3.5, 8}, up);
    check_crossings("crossings:4", x, 3, 0, NULL, NULL);
    check_crossings("crossings", x, 0, 0, NULL, NULL);
    check_crossings("crossings", x, 1, 0, NULL, NULL);
    check_crossings("crossings", x + 13, 2, 0, NULL, NULL);
}

/* A hum of 50 Hz with noise about the level. */
static void crossings_of_hum(void)
{
    enum { FRAMES = 9600 };
    float *x = signal_memory(FRAMES * sizeof *x);
    for (int i = 0; i < FRAMES; i++) {
        x[i] = (float)sin(6.283185307179586 * 50 * (i - 30.25) / 9600);
    }
    x[33] = x[34] = -0.001F;
    gf_signal_exec *exec = measure("crossings:hysteresis=0.2,crossings:edge=both:name=all", x, FRAMES, 1,
                                   9600, GF_DEVICE_CPU, 1, 100, true);
    REQUIRE(exec != NULL);
    const gf_result *result = gf_signal_exec_result(exec, 0);
    const double *at = gf_table_column(gf_result_table(result, "crossings"), "frame")->values;
    CHECK(number(exec, "crossings", "count", 0) == 50 && number(exec, "all", "count", 0) == 102);
    CHECK_NEAR(at[1], 222.25, 1e-3);
    CHECK_MSG(at[0] > 34 && at[0] < 35, "the last crossing before it is high, not at %g", at[0]);
    CHECK_NEAR(number(exec, "crossings", "frequency", 0), 50, 0.02);
    gf_signal_exec_destroy(&exec);
    free(x);
}

static void correlate_by_scipy(void)
{
    int seen = 0;
    for (int i = 0; i < signal_read(); i++) {
        const struct signal_case *c = &signal_cases[i];
        char stages[80];
        if (strcmp(c->what, "correlate") != 0) {
            continue;
        }
        float *x = signal_memory((size_t)c->counts[1] * sizeof *x),
              *y = signal_memory((size_t)c->counts[0] * sizeof *y);
        for (int k = 0; k < c->counts[1]; k++) {
            x[k] = (float)c->in[k];
        }
        for (int k = 0; k < c->counts[0]; k++) {
            y[k] = (float)c->coefficients[k];
        }
        const gf_signal_input input = {{c->counts[0], 1, 8000}, y, c->counts[0]};
        other = &input;
        snprintf(stages, sizeof stages, "correlate:@y.wav:max=%gms", c->how[0] / 8.0);
        gf_signal_exec *exec = measure(stages, x, c->counts[1], 1, 8000, GF_DEVICE_CPU, 1, 70, true);
        REQUIRE(exec != NULL);
        CHECK(number(exec, "correlate", "frames", 0) == c->out[0]);
        CHECK(number(exec, "correlate", "delay", 0) == c->out[0] / 8000);
        CHECK_NEAR(number(exec, "correlate", "coefficient", 0), c->out[1], 1e-12);
        gf_signal_exec_destroy(&exec);
        free(x);
        free(y);
        seen++;
    }
    CHECK(seen >= 4);
    other = NULL;
}

/* Of x, two channels of 4 frames, with y, a channel or two of 3. */
static void check_correlation(const float *x, const float *y, int32_t channels, double frames,
                              double coefficient)
{
    const gf_signal_input input = {{3, channels, 0}, y, 3};
    other = &input;
    gf_signal_exec *exec = measure("correlate:y:frames=9", x, 4, 2, 0, GF_DEVICE_CPU, 2, 1, true);
    REQUIRE(exec != NULL);
    const double at = number(exec, "correlate", "frames", 1),
                 got = number(exec, "correlate", "coefficient", 1);
    CHECK(isnan(number(exec, "correlate", "delay", 1)));
    CHECK_MSG(at == frames || (at != at && frames != frames), "at %g, must be at %g", at, frames);
    CHECK_MSG(fabs(got - coefficient) < 1e-7 || (got != got && coefficient != coefficient), "%g, must be %g",
              got, coefficient);
    gf_signal_exec_destroy(&exec);
    other = NULL;
}

static void correlations_by_hand(void)
{
    static const float y[] = {5, 5, 5, 1, 0, -1}, x[] = {0, 0, 0, 0, 3, 4, 3, 2},
                       flat[] = {0, 1, 2, 3, 7, 7, 7, 7}, odd[] = {0, 0, 0, 0, INFINITY, 1, NAN, -1},
                       same[] = {0, 0, 0, 0, 1, 0, -1, 0};
    check_correlation(x, y, 2, 1, 1); /* 0 1 0 -1, and 1 0 -1 */
    check_correlation(flat, y, 2, NAN, NAN);
    check_correlation(x, y, 1, NAN, NAN);
    check_correlation(odd, y, 2, 1, 1);
    check_correlation(same, y, 2, 0, 1);
}

/* Frames less their mean, as correlate has them; returns the sum of their squares. */
static double less_mean(const float *x, int64_t n, double *y)
{
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += (double)x[i];
    }
    for (int64_t i = 0; i < n; i++) {
        y[i] = (double)(float)((double)x[i] - sum / (double)n);
        squares += y[i] * y[i];
    }
    return squares;
}

/* Of all delays, one by one, the best and the coefficient there. */
static void best_of_all(const double *x, int64_t n, const double *y, int64_t m, int64_t most, double *at,
                        double *best)
{
    *at = *best = 0;
    for (int64_t d = most < n - 1 ? most : n - 1; d >= -most && d > -m; d--) {
        double sum = 0;
        for (int64_t i = d > 0 ? d : 0; i < n && i < m + d; i++) {
            sum += x[i] * y[i - d];
        }
        if (fabs(sum) > fabs(*best) || (fabs(sum) == fabs(*best) && fabs((double)d) < fabs(*at))) {
            *best = sum;
            *at = (double)d;
        }
    }
}

/* So many delays that transforms tell which are worth a sum: the same bits as of all of them, for noise, a
 * copy in noise, tones (equal sums, and nearly equal ones), a step, and frames of any size. */
static void correlations_of_many_delays(void)
{
    enum { MOST = 6000 };
    for (int turn = 0; turn < 15; turn++) {
        const int64_t n = 600 + turn * 777 % (MOST - 600), m = turn % 3 ? n * 2 / 3 : MOST - turn;
        const int64_t most = turn % 5 == 4 ? 9000 : 300 + turn * 190;
        float *x = signal_draw(n, (uint64_t)turn, false), *y = signal_draw(m, (uint64_t)turn + 50, false);
        double *xs = signal_memory(MOST * sizeof *xs), *ys = signal_memory(MOST * sizeof *ys), at, best;
        for (int64_t i = 0; i < n; i++) {
            const int64_t k = i - 123 + 20 * turn;
            x[i] = turn % 5 == 1 && k >= 0 && k < m ? x[i] + y[k] / 2 : x[i];
            x[i] = turn % 5 == 2   ? (float)((i + turn) % 8 < 4)
                   : turn % 5 == 3 ? (float)sin(0.01 * (double)i)
                                   : x[i];
            x[i] *= turn == 5 ? 1e37F : turn == 10 ? 1e-42F : 1.0F;
        }
        for (int64_t i = 0; i < m; i++) {
            y[i] = turn % 5 == 2 ? (float)(i % 8 < 4) : turn % 5 == 3 ? (float)(i > m / 2) : y[i];
        }
        const double squares = less_mean(x, n, xs) * less_mean(y, m, ys);
        best_of_all(xs, n, ys, m, most, &at, &best);
        const gf_signal_input input = {{m, 1, 0}, y, m};
        char stages[80];
        other = &input;
        snprintf(stages, sizeof stages, "correlate:y:frames=%d", (int)most);
        gf_signal_exec *exec = measure(stages, x, n, 1, 0, GF_DEVICE_CPU, 1, 0, true);
        REQUIRE(exec != NULL);
        CHECK_MSG(number(exec, "correlate", "frames", 0) == at &&
                      number(exec, "correlate", "coefficient", 0) == best / sqrt(squares),
                  "turn %d: %g at %g, must be %g at %g", turn, number(exec, "correlate", "coefficient", 0),
                  number(exec, "correlate", "frames", 0), best / sqrt(squares), at);
        gf_signal_exec_destroy(&exec);
        free(x);
        free(y);
        free(xs);
        free(ys);
    }
    other = NULL;
}

static void other_signals(void)
{
    const float x[8] = {0};
    gf_signal_input input = {{4, 1, 8000}, x, 4};
    CHECK(!measure("correlate:@y.wav", x, 8, 1, 8000, GF_DEVICE_CPU, 1, 0, true) &&
          strstr(e.message, "'@y.wav'"));
    other = &input;
    CHECK(!measure("correlate", x, 8, 1, 8000, GF_DEVICE_CPU, 1, 0, true) &&
          strstr(e.message, "0 other signals"));
    CHECK(!measure("correlate:in", x, 8, 1, 8000, GF_DEVICE_CPU, 1, 0, true) &&
          strstr(e.message, "other_inputs"));
    CHECK(!measure("correlate:y", x, 4, 2, 48000, GF_DEVICE_CPU, 1, 0, true) &&
          strstr(e.message, "y has 8000 Hz, and the signal has 48000 Hz"));
    CHECK(!measure("correlate:y:max=3e4s", x, 8, 1, 8000, GF_DEVICE_CPU, 1, 0, true) &&
          strstr(e.message, "67108864"));
    input.shape.frames = 1 << 20; /* none of which is read */
    CHECK(!measure("correlate:y:max=5e3s", x, 8, 1, 8000, GF_DEVICE_CPU, 1, 0, true) &&
          strstr(e.message, "too many"));
    input = (gf_signal_input){{2, 3, 8000}, x, 2};
    CHECK(!measure("correlate:y", x, 4, 2, 8000, GF_DEVICE_CPU, 1, 0, true) &&
          strstr(e.message, "y has 3 channels, and the signal has 2"));
    input.pitch = 1;
    CHECK(!measure("correlate:y", x, 4, 2, 8000, GF_DEVICE_CPU, 1, 0, true) &&
          strstr(e.message, "no whole signal"));
    input = (gf_signal_input){{0, 1, 8000}, NULL, 0};
    gf_signal_exec *exec = measure("correlate:y", x, 0, 1, 8000, GF_DEVICE_CPU, 1, 0, true);
    CHECK(exec && isnan(number(exec, "correlate", "delay", 0)));
    gf_signal_exec_destroy(&exec);
    float *noise = signal_draw(3000, 5, true);
    input = (gf_signal_input){{1500, 2, 8000}, noise, 1500};
    same("lowpass:1kHz,correlate:y:max=20ms", 1400, 2, false, false);
    same("correlate:y:max=20ms,gain:2", 1400, 2, true, false);
    other = NULL;
    free(noise);
}

static const struct check_case cases[] = {
    {"percentiles, beside sorted frames", percentiles},
    {"percentiles, as NumPy has them", percentiles_by_numpy},
    {"percentiles of more frames than memory holds", longer_than_memory},
    {"crossings of numbers by hand", crossings},
    {"crossings of a hum", crossings_of_hum},
    {"correlate, as SciPy does", correlate_by_scipy},
    {"correlate of many delays", correlations_of_many_delays},
    {"correlations of numbers by hand", correlations_by_hand},
    {"other signals, and refusals", other_signals},
};

CONTEXT_MAIN(cases)
