/* Sums of taps, resampling and gain: the CPU beside the judge, beside SciPy, and by hand. */
#include "signal_check.h"

#include "base/cpu_level.h"
#include "signal/signal_rows.h"
#include "signal/signal_sum.h"

static float *floats_of(const double *values, int count)
{
    float *f = signal_memory((size_t)count * sizeof *f);
    for (int i = 0; i < count; i++) {
        f[i] = (float)values[i];
    }
    return f;
}

static void scipy(void)
{
    int seen = 0;
    signal_read();
    for (int i = 0; i < signal_count; i++) {
        const struct signal_case *c = &signal_cases[i];
        float *tap = floats_of(c->coefficients, c->counts[0]);
        if (!strcmp(c->what, "fir")) {
            const struct gf_signal_fir args = {c->counts[0], c->how[0], c->how[1], tap};
            signal_near(c, &gf_signal_fir, &args, 0x1p-22);
            seen++;
        } else if (!strcmp(c->what, "resample")) {
            const struct gf_signal_resample args = {c->how[0], c->how[1], c->counts[0] / c->how[0], c->how[2],
                                                    tap};
            signal_near(c, &gf_signal_resample, &args, 0x1p-22);
            seen++;
        }
        free(tap);
    }
    CHECK_EQ_INT(seen, 11);
}

/* What whole numbers give: each tap at its place, both borders, and frames that are only moved. */
static void by_hand(void)
{
    static const float tap[3] = {1, 10, 100}, one[2] = {1, 1};
    float x[200], y[400];
    for (int i = 0; i < 200; i++) {
        x[i] = (float)(i + 1);
    }
    struct gf_signal_fir args = {3, 0, 0, tap};
    signal_pieces(&gf_signal_fir, &args, x, 4, 1, 0, 1, y);
    CHECK(y[0] == 1 && y[1] == 12 && y[2] == 123 && y[3] == 234);
    args.centre = 1;
    signal_pieces(&gf_signal_fir, &args, x, 4, 1, 0, 1, y);
    CHECK(y[0] == 12 && y[1] == 123 && y[2] == 234 && y[3] == 340);
    args.border = 1;
    signal_pieces(&gf_signal_fir, &args, x, 4, 1, 1, 1, y);
    CHECK(y[0] == 112 && y[1] == 123 && y[2] == 234 && y[3] == 344);
    args.centre = 2;
    signal_pieces(&gf_signal_fir, &args, x, 4, 1, 0, 1, y);
    CHECK(y[0] == 123 && y[2] == 344 && y[3] == 444);
    const struct gf_signal_resample twice = {2, 1, 1, 0, one};
    signal_pieces(&gf_signal_resample, &twice, x, 200, 1, 30, 1, y);
    CHECK(y[0] == 1 && y[1] == 1 && y[2] == 2 && y[399] == 200);
    const struct gf_signal_resample third = {1, 3, 2, 1, one};
    CHECK_EQ_INT(gf_signal_resample.length(&third, 200), 67);
    signal_pieces(&gf_signal_resample, &third, x, 200, 1, 30, 1, y);
    CHECK(y[0] == 3 && y[1] == 9 && y[66] == 399); /* x[199] + x[198 + 1] lies outside */
    const struct gf_signal_gain gain = {2, -1};
    signal_pieces(&gf_signal_gain, &gain, x, 200, 1, 30, 1, y);
    CHECK(y[0] == 1 && y[199] == 399);
}

__extension__ typedef __int128 int128;

/* Places to 2^48 frames and ratios to 2^31, where products would not fit. */
static void places(void)
{
    for (int i = 0; i < 20000; i++) {
        const uint64_t r = random_at(11, (uint64_t)i);
        const int bits = (int)(r % 30) + 1;
        const int64_t up = 1 + (int64_t)(random_at(12, (uint64_t)i) >> (64 - bits));
        const int64_t down = 1 + (int64_t)(random_at(13, (uint64_t)i) >> (64 - bits));
        const int64_t n = (int64_t)(random_at(14, (uint64_t)i) >> 16);
        int64_t phase;
        const int64_t place = gf_resample_place(n, up, down, &phase);
        const int128 product = (int128)n * down;
        CHECK(place == (int64_t)(product / up) && phase == (int64_t)(product % up));
        const struct gf_signal_resample args = {up, down, 9, 4, NULL};
        const int128 length = ((int128)n * up + down - 1) / down;
        CHECK(length >> 62 || gf_signal_resample.length(&args, n) == (int64_t)length);
    }
}

static void lengths(void)
{
    static const int64_t n[] = {0, 1, 2, 63, 64, 65, 127, 512, 1023, 1024, 1025, 5000, 40000};
    static const int taps[][2] = {{1, 0},   {2, 1},  {7, 0},    {8, 7},     {9, 4},
                                  {31, 15}, {63, 0}, {256, 30}, {257, 128}, {600, 599}};
    float *x = signal_draw(100000, 1, false), *tap = signal_draw(600, 2, false);
    for (size_t t = 0; t < sizeof taps / sizeof *taps; t++) {
        for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
            const struct gf_signal_fir args = {taps[t][0], taps[t][1], (int)(i + t) % 2, tap};
            if (check_slice((long)(i + t), 3)) {
                signal_same(&gf_signal_fir, &args, x, n[i], n[i] < 20000 ? 2 : 1, "lengths");
            }
        }
    }
    free(x);
    free(tap);
}

static void ratios(void)
{
    static const int64_t ratio[][2] = {{1, 1},  {2, 1},    {1, 2}, {3, 2},    {160, 147},  {147, 160},
                                       {1, 50}, {1, 1000}, {7, 1}, {441, 80}, {1001, 1000}};
    static const int taps[] = {1, 8, 50, 300};
    float *x = signal_draw(60000, 3, false), *phase = signal_draw(1001 * 300, 4, false);
    for (size_t r = 0; r < sizeof ratio / sizeof *ratio; r++) {
        for (int t = 0; t < 4; t++) {
            const struct gf_signal_resample args = {ratio[r][0], ratio[r][1], taps[t], taps[t] / 2, phase};
            signal_same(&gf_signal_resample, &args, x, 0, 1, "ratios");
            signal_same(&gf_signal_resample, &args, x, 1, 2, "ratios");
            signal_same(&gf_signal_resample, &args, x, 700 + 77 * t, 3, "ratios");
            signal_same(&gf_signal_resample, &args, x, ratio[r][0] > ratio[r][1] * 2 ? 3000 : 20000, 1,
                        "ratios");
        }
    }
    free(x);
    free(phase);
}

static void awkward(void)
{
    for (int i = 0; i < 30; i++) {
        float *x = signal_draw(6000, (uint64_t)i, true), *tap = signal_draw(400, (uint64_t)i + 99, i % 2);
        const struct gf_signal_fir fir = {1 + i * 3, i, i % 2, tap};
        const struct gf_signal_resample resample = {3, 1 + i % 5 * 3, 40, 20, tap};
        const struct gf_signal_gain gain = {tap[0], tap[1]};
        signal_same(&gf_signal_fir, &fir, x, 2000, 3, "awkward");
        signal_same(&gf_signal_resample, &resample, x, 2000, 3, "awkward");
        signal_same(&gf_signal_gain, &gain, x, 2000, 3, "awkward");
        free(x);
        free(tap);
    }
}

static void channels(void)
{
    float *x = signal_draw(1024 * 90, 6, false), *tap = signal_draw(200, 7, false);
    const struct gf_signal_fir fir = {31, 15, 1, tap};
    const struct gf_signal_resample resample = {3, 2, 40, 20, tap};
    const struct gf_signal_gain gain = {0.3F, 0.1F};
    for (int n = 5; n <= 90; n += 85) {
        signal_same(&gf_signal_fir, &fir, x, n, 1024, "channels");
        signal_same(&gf_signal_resample, &resample, x, n, 1024, "channels");
        signal_same(&gf_signal_gain, &gain, x, n, 1024, "channels");
    }
    free(x);
    free(tap);
}

static void levels(void)
{
    enum { N = 20000 };
    static const struct gf_signal_rows *const rows[] = {
        &gf_signal_rows_baseline,
#if defined(__x86_64__)
        &gf_signal_rows_avx2,
        &gf_signal_rows_avx512,
#endif
    };
    static const int how[][3] = {{160, 147, 33}, {160, 147, 208}, {147, 160, 9},
                                 {2, 1, 300},    {1, 9, 531},     {1, 1, 40}};
    float *x = signal_draw(N, 7, false), *y = signal_memory(2 * N * sizeof *y),
          *right = signal_memory(2 * N * sizeof *y);
    float *tap = signal_draw(160 * 208, 8, false), *small = signal_draw(160 * 208, 8, false);
    for (int k = 0; k < 160 * 208; k++) {
        small[k] *= 1e-20F;
    }
    for (int level = 0; level <= (int)gf_cpu_level(); level++) {
        for (int i = 0; i < 18; i++) {
            const int *h = how[i % 6];
            float *frames = signal_draw(N, (uint64_t)i, i >= 6);
            for (int k = 0; k < N && i >= 12; k++) {
                frames[k] = x[k] * 1e-38F; /* products of some, and their sums, are -0 */
            }
            const struct gf_signal_resample args = {h[0], h[1], h[2], h[2] / 2, i < 12 ? tap : small};
            const struct gf_sum s = {h[0], h[1], h[2], h[2] / 2, 0, args.phase};
            const struct gf_track in = {frames, 0, N, N};
            const int64_t length = gf_signal_resample.length(&args, N);
            gf_signal_resample.judge(&args, frames, N, right);
            rows[level]->sums(&s, &in, N, 0, length, y);
            check_that(!memcmp(y, right, (size_t)length * sizeof *y), __FILE__, __LINE__, "level %d: sums %d",
                       level, i);
            free(frames);
        }
        const struct gf_signal_gain gain = {0.7F, 0.1F};
        gf_signal_gain.judge(&gain, x, N, right);
        rows[level]->gain(0.7F, 0.1F, x, N, y);
        check_that(!memcmp(y, right, N * sizeof *y), __FILE__, __LINE__, "level %d: gain", level);
    }
    free(x);
    free(y);
    free(right);
    free(tap);
    free(small);
}

/* I0 by its series. */
static double bessel(double x)
{
    double sum = 1, term = 1;
    for (int k = 1; k < 200; k++) {
        term *= x / (2 * k) * (x / (2 * k));
        sum += term;
    }
    return sum;
}

/* Sines through 200 taps a phase, 44.1 to 48 kHz, beside the same sum in f64 with taps that are not rounded:
 * what f32 and its eight chains cost. */
static void noise(void)
{
    enum { UP = 160, DOWN = 147, TAPS = 200, N = 12000 };
    const double pi = 3.14159265358979323846, beta = 0.1102 * (137 - 8.7), cut = 0.955 / UP,
                 middle = (TAPS * UP - 1) / 2.0;
    double *h = signal_memory(TAPS * UP * sizeof *h), sum = 0;
    for (int i = 0; i < TAPS * UP; i++) {
        const double t = i - middle, u = t / middle;
        h[i % UP * TAPS + i / UP] =
            sin(pi * cut * t) / (pi * t) * bessel(beta * sqrt(1 - u * u)) / bessel(beta);
        sum += h[i % UP * TAPS + i / UP];
    }
    for (int i = 0; i < TAPS * UP; i++) {
        h[i] *= UP / sum;
    }
    float *phase = floats_of(h, TAPS * UP);
    const struct gf_signal_resample args = {UP, DOWN, TAPS, TAPS / 2, phase};
    const int64_t length = gf_signal_resample.length(&args, N);
    float *x = signal_memory(N * sizeof *x), *y = signal_memory((size_t)length * sizeof *y);
    static const double tones[] = {100, 997, 5000, 10000, 15000, 19000};
    for (size_t t = 0; t < sizeof tones / sizeof *tones; t++) {
        for (int i = 0; i < N; i++) {
            x[i] = (float)(0.9 * sin(2 * pi * tones[t] / 44100 * i + 0.3));
        }
        signal_pieces(&gf_signal_resample, &args, x, N, 1, 0, 1, y);
        double error = 0, size = 0;
        for (int64_t n = 300; n < length - 300; n++) {
            int64_t row;
            const int64_t place = gf_resample_place(n, UP, DOWN, &row) + TAPS / 2;
            double exact = 0;
            for (int k = 0; k < TAPS; k++) {
                exact += h[row * TAPS + k] * (double)x[place - k];
            }
            error += (y[n] - exact) * (y[n] - exact);
            size += exact * exact;
        }
        printf("# %5.0f Hz: %.1f dB\n", tones[t], 10 * log10(size / error));
        CHECK(10 * log10(size / error) >= 138);
    }
    free(h);
    free(phase);
    free(x);
    free(y);
}

static const struct check_case cases[] = {
    {"SciPy's outputs", scipy},      {"whole numbers", by_hand}, {"places without drift", places},
    {"lengths and pieces", lengths}, {"ratios", ratios},         {"awkward frames and taps", awkward},
    {"many channels", channels},     {"SIMD levels", levels},    {"noise of resampling", noise},
};
CHECK_MAIN(cases)
