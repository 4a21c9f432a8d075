/* Stages that need the whole signal before they make anything: by hand, beside SciPy, and how calls go. */
#include "chain_check.h"

/* Numbers that are known: a peak, a line, where it is not silent; and what happens with nothing but silence.
 */
static void whole(void)
{
    enum { N = 1000 };
    const gf_signal_shape shape = {N, 2, 1000};
    float x[2 * N];
    int64_t made;
    for (int i = 0; i < N; i++) {
        x[i] = (float)(0.25 * i - 3); /* a line, up to 246.75 */
        x[N + i] = i >= 300 && i < 500 ? -0.5F : 0.0009F;
    }
    gf_signal_plan *plan = plan_of("detrend", shape, GF_DEVICE_CPU, 1);
    float *y = run_all(plan, x, N, 0, 1, &made);
    CHECK(made == N);
    for (int i = 0; i < N; i++) {
        CHECK(fabsf(y[i]) < 1e-12F);
    }
    gf_signal_plan_destroy(&plan), free(y);
    plan = plan_of("normalize:-20dB", shape, GF_DEVICE_CPU, 1);
    y = run_all(plan, x, N, 7, 1, &made);
    CHECK(made == N && fabsf(y[N - 1] - 0.1F) < 1e-8F && fabsf(y[N + 400] + 0.05F / 246.75F) < 1e-8F);
    gf_signal_plan_destroy(&plan), free(y);
    memset(x, 0, N * sizeof *x);
    plan = plan_of("trim:-60dB:keep=20ms", shape, GF_DEVICE_CPU, 1);
    CHECK(gf_signal_plan_output(plan).frames == -1);
    y = run_all(plan, x, N, 0, 1, &made);
    CHECK(made == 240 && y[N] == 0.0009F && y[N + 20] == -0.5F && y[N + 219] == -0.5F &&
          y[N + 220] == 0.0009F);
    free(y);
    memset(x, 0, sizeof x);
    y = run_all(plan, x, N, 0, 1, &made);
    CHECK(made == N);
    gf_signal_plan_destroy(&plan), free(y);
    plan = plan_of("normalize", shape, GF_DEVICE_CPU, 1);
    y = run_all(plan, x, N, 0, 1, &made);
    CHECK(made == N && !memcmp(x, y, sizeof x));
    gf_signal_plan_destroy(&plan), free(y);
    same_as_judge("normalize:-6dB", 0, 1, 1);
}

/* SciPy's sosfiltfilt and detrend, of its own designs; padlen is one less than there are frames where these
 * are too few for its default. */
static void scipy(void)
{
    static const char *const stages[] = {"bandpass:300Hz-3.4kHz:order=8:phase=zero",
                                         "lowpass:1kHz:order=3:phase=zero",
                                         "highpass:2kHz:type=elliptic:order=5:phase=zero",
                                         "notch:50Hz:phase=zero",
                                         "detrend",
                                         "detrend:constant"};
    int seen = 0;
    signal_read();
    for (int k = 0; k < signal_count; k++) {
        const struct signal_case *c = &signal_cases[k];
        if (strcmp(c->what, "whole") != 0) {
            continue;
        }
        const int64_t n = c->counts[1];
        float *x = signal_memory((size_t)n * sizeof *x);
        double largest = 0;
        for (int64_t i = 0; i < n; i++) {
            x[i] = (float)c->in[i];
            largest = fmax(largest, fabs(c->in[i]));
        }
        gf_signal_plan *plan = plan_of(stages[c->how[0]], (gf_signal_shape){n, 1, 48000}, GF_DEVICE_CPU, 1);
        int64_t made = 0;
        REQUIRE(plan != NULL);
        float *y = run_all(plan, x, n, 100, 1, &made);
        CHECK_EQ_INT(made, c->counts[2]);
        for (int64_t i = 0; i < made; i++) {
            check_near(y[i], c->out[i], 0x1p-22 * largest, stages[c->how[0]], __FILE__, __LINE__);
        }
        gf_signal_plan_destroy(&plan);
        free(x), free(y);
        seen++;
    }
    CHECK_EQ_INT(seen, 16);
}

/* What waits is fed to its end only: then a feed is refused. */
static void ended(void)
{
    gf_signal_plan *plan = plan_of("gain:2,detrend:constant", (gf_signal_shape){-1, 1, 0}, GF_DEVICE_CPU, 1);
    gf_signal_exec *exec = NULL;
    float x[4] = {1, 2, 3, 4}, y[8] = {0};
    int64_t made = 9;
    REQUIRE(plan && gf_signal_exec_create(plan, &exec, &e) == GF_OK);
    CHECK(gf_signal_exec_ready(exec, 4) == 0);
    CHECK(gf_signal_exec_feed(exec, x, 4, 4, NULL, 0, &made, &e) == GF_OK && made == 0);
    CHECK(gf_signal_exec_feed(exec, x, 4, 4, NULL, 0, &made, &e) == GF_OK && made == 0);
    CHECK(gf_signal_exec_left(exec) == 0 && gf_signal_exec_end(exec, NULL, 0, &made, &e) == GF_OK &&
          made == 0);
    CHECK(gf_signal_exec_feed(exec, x, 4, 4, y, 8, &made, &e) == GF_ERROR_ARGUMENT);
    CHECK(gf_signal_exec_left(exec) == 8 &&
          gf_signal_exec_end(exec, NULL, 0, &made, &e) == GF_ERROR_ARGUMENT);
    CHECK(gf_signal_exec_end(exec, y, 8, &made, &e) == GF_OK && made == 8 && y[0] == -3 && y[7] == 3);
    CHECK(gf_signal_exec_left(exec) == 0 && gf_signal_exec_end(exec, y, 8, &made, &e) == GF_ERROR_ARGUMENT);
    CHECK(gf_signal_exec_feed(exec, x, 4, 4, y, 8, &made, &e) == GF_ERROR_ARGUMENT);
    gf_signal_exec_destroy(&exec);
    gf_signal_plan_destroy(&plan);
}

static const struct check_case cases[] = {{"the whole signal: peaks, lines, silence", whole},
                                          {"the whole signal: calls", ended},
                                          {"the whole signal: SciPy", scipy}};

CONTEXT_MAIN(cases)
