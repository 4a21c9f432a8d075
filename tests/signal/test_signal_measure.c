/* Stages that measure signals: what they give does not depend on pieces, threads or the device, and is what
 * definitions, SciPy and the EBU's test signals say. */
#include "measure_check.h"

#define ALL                                                                                                  \
    "stats,hist:16:min=-1:max=1,peaks:0.3:distance=9,percentiles,crossings:0.1:hysteresis=0.05:edge=both,"   \
    "loudness"

static void any_pieces(void)
{
    static const int64_t frames[] = {0, 1, 2, 3, 64, 800, 4097, 30001};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        if (check_slice((long)i, 8)) {
            same(ALL, frames[i], 1 + (int32_t)(i % 3), false, true);
            same(ALL, frames[i], 2, true, true);
        }
    }
    same("stats,lowpass:1kHz,stats:name=after,resample:12kHz,loudness,peaks,gain:2,hist:9", 20000, 3, false,
         false);
    same("stats", 100, 1024, false, true);
}

/* ---- by definition ---- */

static void stats(void)
{
    enum { FRAMES = 10000 };
    float *x = signal_draw(2 * FRAMES, 11, false);
    double sum = 0, square = 0, least = 9, greatest = -9;
    x[77] = NAN;
    for (int i = 0; i < FRAMES; i++) {
        x[i] += 0.25F;
        if (x[i] == x[i]) {
            sum += x[i];
            square += (double)x[i] * x[i];
            least = fmin(least, x[i]);
            greatest = fmax(greatest, x[i]);
        }
        x[FRAMES + i] = -0.5F;
    }
    gf_signal_exec *exec = measure("stats:name=s", x, FRAMES, 2, 1000, GF_DEVICE_CPU, 2, 0, false);
    REQUIRE(exec != NULL);
    const double n = FRAMES - 1, mean = sum / n;
    CHECK(number(exec, "s", "count", 0) == n && number(exec, "s", "nan", 0) == 1);
    CHECK(number(exec, "s", "min", 0) == least && number(exec, "s", "max", 0) == greatest);
    CHECK((double)x[(int)number(exec, "s", "argmin", 0)] == least);
    CHECK((double)x[(int)number(exec, "s", "argmax", 0)] == greatest);
    CHECK_NEAR(number(exec, "s", "mean", 0), mean, 1e-13);
    CHECK_NEAR(number(exec, "s", "stddev", 0), sqrt(square / n - mean * mean), 1e-12);
    CHECK_NEAR(number(exec, "s", "rms", 0), sqrt(square / n), 1e-13);
    CHECK_NEAR(number(exec, "s", "peak_db", 0), 20 * log10(fmax(greatest, -least)), 1e-9);
    CHECK_NEAR(number(exec, "s", "rms_db", 1), 20 * log10(0.5), 1e-9);
    CHECK(number(exec, "s", "stddev", 1) == 0 && number(exec, "s", "mean", 1) == -0.5);
    CHECK(number(exec, "s", "seconds", 1) == 10);
    const gf_result *result = gf_signal_exec_result_named(exec, "s");
    CHECK(result->shape.width == FRAMES && result->shape.height == 0 && result->shape.channels == 2);
    gf_signal_exec_destroy(&exec);
    free(x);
}

static void hist(void)
{
    static const float x[] = {-1, -0.5F, -0.25F, 0, 0.25F, 0.5F, 1, 2, -3, NAN, 0.999F};
    gf_signal_exec *exec = measure("hist:4:min=-1:max=1", x, 11, 1, 0, GF_DEVICE_CPU, 1, 3, true);
    REQUIRE(exec != NULL);
    const uint64_t *counts = gf_result_field(gf_signal_exec_result(exec, 0), "counts")->values;
    CHECK(counts[0] == 1 && counts[1] == 2 && counts[2] == 2 && counts[3] == 3);
    CHECK(number(exec, "hist", "below", 0) == 1 && number(exec, "hist", "above", 0) == 1);
    CHECK(number(exec, "hist", "nan", 0) == 1 && number(exec, "hist", "lo", 0) == -1);
    gf_signal_exec_destroy(&exec);
}

static void peaks_by_scipy(void)
{
    int seen = 0;
    for (int i = 0; i < signal_read(); i++) {
        const struct signal_case *c = &signal_cases[i];
        char stages[80];
        if (strcmp(c->what, "peaks") != 0) {
            continue;
        }
        float *x = signal_memory((size_t)c->counts[1] * sizeof *x);
        for (int k = 0; k < c->counts[1]; k++) {
            x[k] = (float)c->in[k];
        }
        snprintf(stages, sizeof stages, "peaks:distance=%d:prominence=%g:width=%g", c->how[0],
                 c->how[1] / 1000.0, c->how[2] / 1000.0);
        gf_signal_exec *exec = measure(stages, x, c->counts[1], 1, 4, GF_DEVICE_CPU, 1, 50, true);
        REQUIRE(exec != NULL);
        const gf_table *table = gf_result_table(gf_signal_exec_result(exec, 0), "peaks");
        REQUIRE(table && table->rows == c->counts[2] / 4);
        CHECK(number(exec, "peaks", "count", 0) == (double)table->rows);
        for (int64_t r = 0; r < table->rows; r++, seen++) {
            CHECK(((const uint64_t *)gf_table_column(table, "frame")->values)[r] == (uint64_t)c->out[4 * r]);
            CHECK(((const double *)gf_table_column(table, "time_s")->values)[r] == c->out[4 * r] / 4);
            CHECK((double)((const float *)gf_table_column(table, "value")->values)[r] == c->out[4 * r + 1]);
            CHECK(((const double *)gf_table_column(table, "prominence")->values)[r] == c->out[4 * r + 2]);
            CHECK_NEAR(((const double *)gf_table_column(table, "width_s")->values)[r], c->out[4 * r + 3] / 4,
                       1e-12);
        }
        gf_signal_exec_destroy(&exec);
        free(x);
    }
    CHECK(seen > 100);
}

/* ---- the EBU's signals ---- */

/* A part of a signal: how long a sine of 1 kHz, and how loud, in dB below full scale, in each channel. */
struct part {
    double seconds, level[6];
};

static gf_signal_exec *hear(const struct part *parts, int n, int32_t channels, double rate, double frequency,
                            double phase, bool fades)
{
    int64_t frames = 0, at = 0;
    for (int i = 0; i < n; i++) {
        frames += (int64_t)(parts[i].seconds * rate);
    }
    float *x = signal_memory((size_t)(frames * channels) * sizeof *x);
    for (int i = 0; i < n; i++) {
        for (const int64_t end = at + (int64_t)(parts[i].seconds * rate); at < end; at++) {
            const double sine = sin(6.283185307179586 * (frequency * (double)at / rate + phase));
            const double edge = (double)(at < frames - at ? at : frames - at) / 1000;
            const double faded = fades && edge < 1 ? edge : 1; /* a hard edge has peaks of its own */
            for (int32_t c = 0; c < channels; c++) {
                x[c * frames + at] = (float)(pow(10, parts[i].level[c] / 20) * sine * faded);
            }
        }
    }
    gf_signal_exec *exec = measure("loudness", x, frames, channels, rate, GF_DEVICE_CPU, 2, 0, true);
    free(x);
    return exec;
}

/* EBU Tech 3341, cases 1 to 6: within 0.1 LU; and what is not heard at all, which would lower the mean that
 * the second gate is under. */
static void integrated(void)
{
    static const struct part loud[] = {{20, {-23, -23}}}, quiet[] = {{20, {-33, -33}}},
                             gated[] = {{10, {-36, -36}}, {60, {-23, -23}}, {10, {-36, -36}}},
                             silent[] = {{10, {-72, -72}},
                                         {10, {-36, -36}},
                                         {60, {-23, -23}},
                                         {10, {-36, -36}},
                                         {10, {-72, -72}}},
                             relative[] = {{20, {-26, -26}}, {20.1, {-20, -20}}, {20, {-26, -26}}},
                             around[] = {{20, {-28, -28, -24, -300, -30, -30}}},
                             unheard[] = {{150, {-75, -75}}, {10, {-40, -40}}, {10, {-23, -23}}};
    static const struct {
        const struct part *parts;
        int n;
        int32_t channels;
        double right;
    } all[] = {{loud, 1, 2, -23},     {quiet, 1, 2, -33},  {gated, 3, 2, -23},  {silent, 5, 2, -23},
               {relative, 3, 2, -23}, {around, 1, 6, -23}, {unheard, 3, 2, -23}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        for (int r = 0; r < 2; r++) {
            if (!check_slice((long)(2 * i) + r, 14)) {
                continue;
            }
            gf_signal_exec *exec =
                hear(all[i].parts, all[i].n, all[i].channels, r ? 44100 : 48000, 1000, 0, false);
            REQUIRE(exec != NULL);
            const double got = number(exec, "loudness", "integrated", 0);
            printf("# case %zu at %g kHz: %.3f LUFS\n", i + 1, r ? 44.1 : 48.0, got);
            CHECK_NEAR(got, all[i].right, 0.1);
            if (all[i].n == 1) {
                CHECK_NEAR(number(exec, "loudness", "momentary_max", 0), all[i].right, 0.1);
                CHECK_NEAR(number(exec, "loudness", "short_term_max", 0), all[i].right, 0.1);
            }
            gf_signal_exec_destroy(&exec);
        }
    }
}

/* EBU Tech 3342, cases 1 to 4: within 1 LU. */
static void ranges(void)
{
    static const struct part two[3][2] = {{{20, {-20, -20}}, {20, {-30, -30}}},
                                          {{20, {-20, -20}}, {20, {-15, -15}}},
                                          {{20, {-40, -40}}, {20, {-20, -20}}}},
                             five[] = {{20, {-50, -50}},
                                       {20, {-35, -35}},
                                       {20, {-20, -20}},
                                       {20, {-35, -35}},
                                       {20, {-50, -50}}};
    static const double right[] = {10, 5, 20, 15};
    for (int i = 0; i < 4; i++) {
        if (!check_slice(i, 4)) {
            continue;
        }
        gf_signal_exec *exec =
            i < 3 ? hear(two[i], 2, 2, 48000, 1000, 0, false) : hear(five, 5, 2, 48000, 1000, 0, false);
        REQUIRE(exec != NULL);
        CHECK_NEAR(number(exec, "loudness", "range", 0), right[i], 1);
        gf_signal_exec_destroy(&exec);
    }
}

/* EBU Tech 3341, cases 15 to 18: peaks between frames, within + 0.2 and - 0.4 dB. */
static void true_peaks(void)
{
    static const double turns[][2] = {{4, 0}, {4, 45}, {6, 60}, {8, 67.5}};
    static const struct part half[] = {{1, {-6.0206, -300}}};
    for (int i = 0; i < 4; i++) {
        gf_signal_exec *exec = hear(half, 1, 2, 48000, 48000 / turns[i][0], turns[i][1] / 360, true);
        REQUIRE(exec != NULL);
        const double got = number(exec, "loudness", "true_peak", 0);
        CHECK_MSG(got > -6.4 && got < -5.8, "a period of %g frames: %g dBTP", turns[i][0], got);
        CHECK(number(exec, "loudness", "true_peak", 1) < -250);
        gf_signal_exec_destroy(&exec);
    }
}

static void silence_and_refusals(void)
{
    const float x[2000] = {0};
    gf_signal_exec *exec = measure("loudness,stats", x, 2000, 1, 1000 * 8, GF_DEVICE_CPU, 1, 0, true);
    REQUIRE(exec != NULL);
    CHECK(number(exec, "loudness", "integrated", 0) < -1e300 && number(exec, "stats", "peak_db", 0) < -1e300);
    CHECK(number(exec, "loudness", "range", 0) == 0);
    gf_signal_exec_destroy(&exec);
    CHECK(!measure("loudness", x, 10, 1, 0, GF_DEVICE_CPU, 1, 0, true) &&
          strstr(e.message, "needs the rate"));
    CHECK(!measure("hist:min=1:max=0", x, 10, 1, 0, GF_DEVICE_CPU, 1, 0, true) &&
          strstr(e.message, "min must be less than max"));
    CHECK(!measure("stats:roi=2x1+0+0", x, 10, 1, 0, GF_DEVICE_CPU, 1, 0, true) && strstr(e.message, "roi="));
}

static const struct check_case cases[] = {
    {"the same in any pieces, by any threads and devices", any_pieces},
    {"stats", stats},
    {"hist", hist},
    {"peaks, as SciPy finds them", peaks_by_scipy},
    {"loudness, EBU Tech 3341", integrated},
    {"ranges, EBU Tech 3342", ranges},
    {"true peaks", true_peaks},
    {"silence and refusals", silence_and_refusals},
};

CONTEXT_MAIN(cases)
