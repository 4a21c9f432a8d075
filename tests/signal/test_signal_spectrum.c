/* Spectra and spectrograms: the same whatever the pieces, threads and the device, as SciPy makes them, and by
 * the plain transform. */
#include "chain_check.h"
#define e measured_error /* measure_check.h has one of its own */
#include "measure_check.h"
#undef e

#include "base/cpu_level.h"
#include "design/fir_design.h"
#include "signal/stft.h"

static const char *const windows[] = {"hann", "hamming", "blackman", "kaiser", "boxcar"};

/* The transform is in f32: what its numbers are off by is a part of the greatest. */
static bool is_near(double power, double right, double most)
{
    return fabs(sqrt(power) - sqrt(right)) <= 3e-7 * sqrt(most);
}

static bool same_floats(const float *a, const float *b, int n)
{
    while (n > 0 &&
           (!memcmp(&a[n - 1], &b[n - 1], sizeof *a) || (a[n - 1] != a[n - 1] && b[n - 1] != b[n - 1]))) {
        n--;
    }
    return n == 0;
}

static double greatest_of(const double *v, int n)
{
    double most = 0;
    for (int k = 0; k < n; k++) {
        most = v[k] > most ? v[k] : most;
    }
    return most;
}

/* ---- spectrum ---- */

static const gf_table *spectrum_of(gf_signal_exec *exec)
{
    return gf_result_table(gf_signal_exec_result(exec, 0), "spectrum");
}

static void spectra_by_scipy(void)
{
    int seen = 0;
    for (int i = 0; i < signal_read(); i++) {
        const struct signal_case *c = &signal_cases[i];
        if (strcmp(c->what, "welch") != 0) {
            continue;
        }
        const int32_t n = c->counts[1], size = c->how[0];
        char stages[200];
        snprintf(stages, sizeof stages, "spectrum:%d:overlap=%.9f:window=%s:detrend=%s:scaling=%s", size,
                 (c->how[1] + 0.25) / size, windows[c->how[2]], c->how[3] & 1 ? "none" : "constant",
                 c->how[3] & 2 ? "power" : "density");
        float *x = signal_memory((size_t)n * sizeof *x);
        for (int32_t k = 0; k < n; k++) {
            x[k] = (float)c->in[k];
        }
        gf_signal_exec *exec = measure(stages, x, n, 1, 1000, GF_DEVICE_CPU, 1, 60, true);
        REQUIRE(exec != NULL);
        const gf_table *table = spectrum_of(exec);
        REQUIRE(table && table->rows == c->counts[2] && table->rows == size / 2 + 1);
        const double most = greatest_of(c->out, c->counts[2]);
        for (int64_t k = 0; k < table->rows; k++) {
            const double hz = ((const double *)gf_table_column(table, "hz")->values)[k];
            const double got = ((const double *)gf_table_column(table, "power")->values)[k];
            CHECK_MSG(fabs(hz - c->coefficients[k]) < 1e-9 && is_near(got, c->out[k], most),
                      "%s: %.12g at %g Hz, SciPy %.12g", stages, got, hz, c->out[k]);
        }
        gf_signal_exec_destroy(&exec);
        free(x);
        seen++;
    }
    CHECK_EQ_INT(seen, 6);
}

/* The powers of a channel once more: one segment after the other, by the plain transform. */
static void add_plainly(const struct gf_stft *stft, const float *x, int64_t frames, double *sum,
                        int64_t *segments)
{
    void *work = signal_memory(gf_stft_work_bytes(stft));
    for (int64_t at = 0; at + stft->size <= frames; at += stft->hop, (*segments)++) {
        float *v;
        REQUIRE(gf_stft_run(stft, x + at, 1, 1, work, &v, NULL) == GF_OK);
        for (int32_t k = 0; k < stft->bins; k++) {
            sum[k] += (double)v[2 * k] * (double)v[2 * k] + (double)v[2 * k + 1] * (double)v[2 * k + 1];
        }
    }
    free(work);
}

static void check_plainly(const char *stages, int32_t size, int32_t hop, int32_t centred, int64_t frames)
{
    double taper[3000];
    REQUIRE(gf_make_taper(GF_HANN, 0, true, size, taper, NULL) == GF_OK);
    struct gf_stft *stft = gf_stft_create(size, hop, centred, taper);
    float *x = signal_draw(3 * frames, (uint64_t)frames, false);
    gf_signal_exec *exec = measure(stages, x, frames, 3, 8000, GF_DEVICE_CPU, 3, 1000, true);
    REQUIRE(stft && exec);
    const gf_table *table = spectrum_of(exec);
    const double *power = gf_table_column(table, "power")->values;
    CHECK(gf_table_column(table, "power")->count == 3 &&
          !strcmp(gf_table_column(table, "power")->parts, "1|2|3"));
    for (int32_t c = 0; c < 3; c++) {
        double *sum = signal_memory((size_t)stft->bins * sizeof *sum);
        int64_t segments = 0;
        add_plainly(stft, x + c * frames, frames, sum, &segments);
        CHECK_EQ_INT(table->rows, segments ? stft->bins : 0);
        for (int64_t k = 0; k < table->rows; k++) {
            const double factor = k == 0 || 2 * k == size ? 1 : 2;
            const double right = sum[k] / (double)segments * factor / (8000 * stft->squares);
            CHECK_MSG(power[3 * k + c] == right,
                      "%s, %lld frames, channel %d: %.17g in row %lld, must be %.17g", stages,
                      (long long)frames, c, power[3 * k + c], (long long)k, right);
        }
        free(sum);
    }
    gf_signal_exec_destroy(&exec);
    gf_stft_destroy(stft);
    free(x);
}

static void spectra_plainly(void)
{
    check_plainly("spectrum:256", 256, 128, 1, 20000);
    check_plainly("spectrum:1000:overlap=0.75:detrend=none", 1000, 250, 0, 30000);
    check_plainly("spectrum:77:overlap=0", 77, 77, 1, 9000);
    check_plainly("spectrum:2:overlap=0", 2, 2, 1, 100);
    check_plainly("spectrum:1022", 1022, 511, 1, 1021);
    check_plainly("spectrum:1022", 1022, 511, 1, 1022);
}

static void the_same_spectra(void)
{
    same("spectrum", 20000, 3, false, true);
    same("spectrum:100:overlap=0.9:db=on,spectrum:64:window=kaiser:beta=3", 3000, 2, true, true);
    same("gain:2,spectrum:time=25ms:scaling=power,detrend,spectrum:31", 5000, 12, false, false);
    same("spectrum:1000", 900, 2, false, true);
    same("spectrum:100:hop=100,spectrum:101:hop=3", 4000, 2, false, true);
    same("spectrum", 0, 1, false, true);
}

/* ---- spectrogram ---- */

static void spectrograms_by_scipy(void)
{
    int seen = 0;
    for (int i = 0; i < signal_read(); i++) {
        const struct signal_case *c = &signal_cases[i];
        if (strcmp(c->what, "spectrogram") != 0) {
            continue;
        }
        const int32_t n = c->counts[1];
        char stages[200];
        snprintf(stages, sizeof stages, "spectrogram:%d:hop=%d:window=%s:scale=%s", c->how[0], c->how[1],
                 windows[c->how[2]], seen % 2 ? "power" : "magnitude");
        float *x = signal_memory((size_t)n * sizeof *x);
        for (int32_t k = 0; k < n; k++) {
            x[k] = (float)c->in[k];
        }
        gf_signal_plan *plan = plan_of(stages, (gf_signal_shape){n, 1, 1000}, GF_DEVICE_CPU, 1);
        REQUIRE(plan != NULL);
        const gf_signal_shape shape = gf_signal_plan_output(plan);
        CHECK_EQ_INT(shape.frames * shape.channels, c->counts[2]);
        CHECK_EQ_INT(shape.channels, c->how[0] / 2 + 1);
        CHECK(shape.rate == 1000.0 / c->how[1]);
        int64_t made = 0;
        float *y = run_all(plan, x, n, 70, 5, &made);
        const double most = greatest_of(c->out, c->counts[2]);
        for (int64_t k = 0; k < c->counts[2]; k++) {
            const double power = seen % 2 ? (double)y[k] : (double)y[k] * (double)y[k];
            CHECK_MSG(is_near(power, c->out[k], most), "%s: the power of number %lld is %.9g, SciPy %.9g",
                      stages, (long long)k, power, c->out[k]);
        }
        gf_signal_plan_destroy(&plan);
        free(x);
        free(y);
        seen++;
    }
    CHECK_EQ_INT(seen, 5);
    gf_signal_plan *plan =
        plan_of("spectrogram:100:overlap=0.57", (gf_signal_shape){500, 1, 43}, GF_DEVICE_CPU, 1);
    CHECK(gf_signal_plan_output(plan).rate == 1); /* 43 frames, though 0.57 of 100 is less than 57 */
    gf_signal_plan_destroy(&plan);
}

/* Sums of SciPy's powers, by NumPy. */
static void bands_by_numpy(void)
{
    int seen = 0;
    for (int i = 0; i < signal_read(); i++) {
        const struct signal_case *c = &signal_cases[i];
        if (strcmp(c->what, "mel") != 0) {
            continue;
        }
        const int32_t n = c->counts[1];
        char stages[200];
        snprintf(stages, sizeof stages, "spectrogram:%d:hop=%d:scale=power:mel=%d:formula=%s:band=%g-%gHz",
                 c->how[0], c->how[1], c->how[2], c->how[3] ? "htk" : "slaney", c->coefficients[0],
                 c->coefficients[1]);
        float *x = signal_memory((size_t)n * sizeof *x);
        for (int32_t k = 0; k < n; k++) {
            x[k] = (float)c->in[k];
        }
        gf_signal_plan *plan = plan_of(stages, (gf_signal_shape){n, 1, 16000}, GF_DEVICE_CPU, 1);
        REQUIRE(plan != NULL);
        CHECK_EQ_INT(gf_signal_plan_output(plan).channels, c->how[2]);
        CHECK_EQ_INT(gf_signal_plan_output(plan).frames * c->how[2], c->counts[2]);
        int64_t made = 0;
        float *y = run_all(plan, x, n, 70, 5, &made);
        const double most = greatest_of(c->out, c->counts[2]);
        for (int64_t k = 0; k < c->counts[2]; k++) {
            CHECK_MSG(is_near((double)y[k], c->out[k], most),
                      "%s: the power of number %lld is %.9g, NumPy's %.9g", stages, (long long)k,
                      (double)y[k], c->out[k]);
        }
        gf_signal_plan_destroy(&plan);
        free(x);
        free(y);
        seen++;
    }
    CHECK_EQ_INT(seen, 4);
}

/* dB are those of the power, to f32's last place, and silence is 0. */
static void decibels(void)
{
    const gf_signal_shape shape = {3000, 1, 8000};
    float *x = signal_draw(3000, 4, false);
    memset(x, 0, 600 * sizeof *x);
    gf_signal_plan *power = plan_of("spectrogram:128:scale=power", shape, GF_DEVICE_CPU, 1);
    gf_signal_plan *db = plan_of("spectrogram:128:range=60:top=-10", shape, GF_DEVICE_CPU, 1);
    REQUIRE(power && db);
    int64_t made = 0, n = 0, black = 0;
    float *p = run_all(power, x, 3000, 0, 0, &made), *y = run_all(db, x, 3000, 0, 0, &n);
    CHECK(made == n && n == (3000 - 128) / 32 + 1);
    for (int64_t k = 0; k < 65 * n; k++) {
        const double level = 1 + (10 * log10((double)p[k]) + 10) / 60, right = level < 0 ? 0 : level;
        CHECK_MSG(fabs((double)y[k] - right) < 2e-7, "%.9g for %.9g, must be %.9g", (double)y[k],
                  (double)p[k], right);
        black += y[k] == 0 && !signbit(y[k]);
    }
    CHECK(black > 65 * 10 && black < 65 * n / 2);
    gf_signal_plan_destroy(&power);
    gf_signal_plan_destroy(&db);
    free(x);
    free(y);
    free(p);
}

static void the_same_spectrograms(void)
{
    same_as_judge("spectrogram", 20000, 1, 1);
    same_as_judge("highpass:100Hz,spectrogram:256:hop=50:scale=power", 6000, 3, 2);
    same_as_judge("spectrogram:100:hop=300:window=blackman:scale=magnitude", 9000, 5, 3);
    same_as_judge("detrend,spectrogram:64:hop=1", 3000, 2, 4);
    same_as_judge("mix:mono,spectrogram:331:hop=100", 9000, 20, 5);
    same_as_judge("spectrogram:2:hop=1", 500, 1, 6);
    same_as_judge("spectrogram:20000", 70000, 1, 7);
    same_as_judge("gain:2,spectrogram:100:hop=33:mel=17:formula=htk", 9000, 2, 10);
    same_as_judge("spectrogram:512:hop=100:mel=40:scale=magnitude", 7000, 3, 11);
    same_as_judge("spectrogram:500", 499, 2, 8);
    same_as_judge("spectrogram", 0, 1, 9);
}

/* Sizes that one CUDA kernel can do, from the ones below to the ones above. */
static void sizes(void)
{
    static const int32_t frames[] = {128, 254, 256, 258, 512, 1024, 2048, 4096, 8192};
    static const char *const scales[] = {"db", "power", "magnitude"};
    for (int i = 0; i < 9; i++) {
        char stages[80];
        const int32_t hop = frames[i] / 4 + i % 2; /* odd ones do not keep pairs aligned */
        snprintf(stages, sizeof stages, "spectrogram:%d:hop=%d:scale=%s:window=hamming", frames[i], hop,
                 scales[i % 3]);
        same_as_judge(stages, frames[i] + 37 * hop + 5, 1 + i % 3, (uint64_t)i);
        snprintf(stages, sizeof stages, "spectrogram:%d:hop=3", frames[i]);
        same_as_judge(stages, frames[i] + 3 * 64, 1, (uint64_t)i);
    }
}

/* Rows of all kinds of frames, NaN and infinities among them, are the same on every SIMD level. */
static void levels(void)
{
    static const struct gf_stft_rows *const rows[] = {
        &gf_stft_rows_baseline,
#if defined(__x86_64__)
        &gf_stft_rows_avx2,
        &gf_stft_rows_avx512,
#endif
    };
    enum { SIZE = 101, BINS = SIZE / 2 + 1, COLUMNS = 21, PITCH = COLUMNS + 2 };
    double taper[SIZE];
    float *x = signal_draw(COLUMNS * 2 * BINS, 8, true), y[2][SIZE], picture[2][2 * BINS * PITCH],
          bands[2][9 * PITCH];
    float *work = signal_memory(sizeof *work * GF_STFT_ACROSS * (SIZE + GF_STFT_ACROSS));
    REQUIRE(gf_make_taper(GF_HANN, 0, true, SIZE, taper, NULL) == GF_OK);
    for (int32_t i = 0; i < 24; i++) {
        struct gf_stft *stft = gf_stft_create(SIZE, 1, i % 2, taper),
                       *even = gf_stft_create(100, 7, 0, taper);
        const struct gf_signal_spectrogram args = {stft, 1, i % 3, 0, 0.03, 1.25},
                                           pairs = {even, 1, i % 3, 9, 0.03, 1};
        static const double edges[] = {0, 30, 50, 51, 140, 141, 142, 200, 300, 450, 500};
        REQUIRE(stft && even && gf_stft_make_mel(even, edges, 9, 1000));
        for (int l = 0; l <= (int)gf_cpu_level(); l++) {
            const int into = l > 0;
            memset(picture[into], 0, sizeof picture[into]);
            rows[l]->taper(stft, x + i, y[into]);
            rows[l]->columns(&args, NULL, x, i % COLUMNS, work, picture[into], PITCH);
            rows[l]->columns(&pairs, x + i, NULL, i % COLUMNS, work, picture[into] + BINS * PITCH, PITCH);
            memset(bands[into], 0, sizeof bands[into]);
            rows[l]->bands(&pairs, x + i, i % COLUMNS, bands[into], PITCH);
            CHECK_MSG(!l || (same_floats(y[0], y[1], SIZE) && same_floats(bands[0], bands[1], 9 * PITCH) &&
                             same_floats(picture[0], picture[1], 2 * BINS * PITCH)),
                      "level %d, %d", l, i);
        }
        gf_stft_destroy(stft);
        gf_stft_destroy(even);
    }
    free(work);
    free(x);
}

static void refused_at(const char *stages, double rate, const char *why)
{
    gf_signal_plan *plan = plan_of(stages, (gf_signal_shape){1000, 2, rate}, GF_DEVICE_CPU, 1);
    CHECK_MSG(!plan && strstr(e.message, why), "%s: %s", stages, plan ? "is taken" : e.message);
    gf_signal_plan_destroy(&plan);
}

static void refused(const char *stages, const char *why)
{
    refused_at(stages, 0, why);
}

static void what_is_refused(void)
{
    refused("spectrogram:64,gain:2",
            "'spectrogram' before it makes a picture of the signal, and must be the last");
    refused("spectrogram:64,spectrogram:64", "must be the last stage");
    refused("spectrum", "it needs the rate of the signal, which is not known");
    refused("spectrogram:time=20ms", "it needs the rate of the signal");
    refused_at("spectrum:100:hop=101", 1000, "hop is 101, may be 100, as many as a segment has");
    refused_at("spectrum:time=0", 1000, "it needs time= above 0");
    refused_at("spectrogram:64:time=1s", 1000, "frames= and time= both say how long a segment is");
    refused("spectrogram:mel=8", "it needs the rate of the signal");
    refused_at("spectrogram:mel=8:band=20-600Hz", 1000, "may end at half the rate, 500 Hz");
    refused_at("spectrogram:formula=htk", 1000, "band= and formula= are of mel=");
    refused("spectrogram:1", "frames is 1, must be from 2 to 1048576");
}

/* A transform that fails: all that is made by it says so. */
static void a_failed_transform(void)
{
    static const char *const stages[] = {"spectrogram:63", "spectrum:64:hop=64"};
    float *x = signal_draw(6400, 1, false), *y = signal_memory(6400 * 33 * sizeof *y);
    for (int i = 0; i < 4; i++) {
        const bool at_end = i / 2;
        gf_signal_plan *plan = plan_of(stages[i % 2], (gf_signal_shape){-1, 1, 1000}, GF_DEVICE_CPU, 1);
        gf_signal_exec *exec = NULL;
        REQUIRE(plan && gf_signal_exec_create(plan, &exec, &e) == GF_OK);
        struct gf_stft *stft = plan->chain.nodes[plan->chain.n - 1].more;
        const size_t bytes = stft->scratch_bytes;
        int64_t some = 0;
        stft->scratch_bytes = 0;
        gf_status status = gf_signal_exec_feed(exec, x, 6400, at_end ? 100 : 6400, y, 6400, &some, &e);
        status = status == GF_OK && at_end ? gf_signal_exec_end(exec, y, 6400, &some, &e) : status;
        CHECK_MSG(status == GF_ERROR_ARGUMENT, "%s: status %d", stages[i % 2], (int)status);
        stft->scratch_bytes = bytes;
        gf_signal_exec_destroy(&exec);
        gf_signal_plan_destroy(&plan);
    }
    free(x);
    free(y);
}

static const struct check_case cases[] = {{"spectra by SciPy", spectra_by_scipy},
                                          {"spectra plainly", spectra_plainly},
                                          {"the same spectra", the_same_spectra},
                                          {"spectrograms by SciPy", spectrograms_by_scipy},
                                          {"bands by NumPy", bands_by_numpy},
                                          {"decibels", decibels},
                                          {"the same spectrograms", the_same_spectrograms},
                                          {"sizes", sizes},
                                          {"SIMD levels", levels},
                                          {"a transform that fails", a_failed_transform},
                                          {"what is refused", what_is_refused}};

CONTEXT_MAIN(cases)
