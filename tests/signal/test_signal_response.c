/* Gains of the filters of a chain: beside SciPy's freqz and sosfreqz, and beside the sines that the chain
 * makes. */
#include "chain_check.h"

#include <math.h>

#define RATE 48000

static gf_signal_plan *made(const char *stages, int32_t channels, double rate)
{
    gf_signal_plan *plan = plan_of(stages, (gf_signal_shape){-1, channels, rate}, GF_DEVICE_CPU, 1);
    CHECK_MSG(plan, "%s: %s", stages, e.message);
    return plan;
}

static void beside_scipy(void)
{
    static const char *const stages[] = {"lowpass:1kHz:order=3,notch:60Hz,stats",
                                         "bandpass:300Hz-3.4kHz:order=4:phase=zero",
                                         "fir:lowpass=8kHz:taps=63",
                                         "fir:lowpass=500Hz:taps=1001",
                                         "comb:2ms,comb:10ms:gain=0.25:feedback=on",
                                         "gain:-6dB,resample:24kHz,lowpass:3kHz:order=2,invert"};
    int compared = 0;
    REQUIRE(signal_read());
    for (int i = 0; i < signal_count; i++) {
        const struct signal_case *c = &signal_cases[i];
        if (strcmp(c->what, "gain") != 0) {
            continue;
        }
        gf_signal_plan *plan = made(stages[c->how[0]], 1, RATE);
        for (int k = 0; plan && k < c->counts[0]; k++) {
            const double gain = gf_signal_plan_gain(plan, NULL, 0, c->coefficients[k]);
            /* taps are rounded to f32 after another library's Bessel function */
            CHECK_MSG(fabs(gain - c->out[k]) <= 1e-10 + (c->how[0] > 1 ? 2e-7 : 1e-9 * c->out[k]),
                      "%s at %g Hz: %.17g, SciPy's is %.17g", stages[c->how[0]], c->coefficients[k], gain,
                      c->out[k]);
        }
        gf_signal_plan_destroy(&plan);
        compared++;
    }
    CHECK(compared == 6);
}

/* The middle of a long sine comes out as much stronger as the gain says. */
static void beside_sines(void)
{
    static const char *const stages[] = {
        "highshelf:3kHz:gain=9dB,savgol:7", "peak:1kHz:gain=-12dB,fir:[1 -0.95]:centre=0",
        "lowpass:2kHz:phase=zero,gain:3", "weighting:a,delay:3ms,fir:highpass=1kHz:taps=701",
        "comb:1ms:gain=0.7:feedback=on,dcblock:10Hz,box:2"};
    enum { FRAMES = 1 << 16, FROM = FRAMES / 2 };
    float *x = signal_memory(FRAMES * sizeof *x);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        gf_signal_plan *plan = made(stages[i], 1, RATE);
        for (int k = 1; plan && k < 1024; k += 97 + k) {
            const double frequency = k * RATE / 4096.0; /* whole waves in the middle */
            double re = 0, im = 0;
            int64_t count;
            for (int64_t n = 0; n < FRAMES; n++) {
                x[n] = (float)sin(2 * 3.14159265358979324 * (double)(n * k % 4096) / 4096);
            }
            float *y = run_all(plan, x, FRAMES, 0, 1, &count);
            for (int64_t n = FROM; n < FROM + 4096; n++) {
                const double angle = 2 * 3.14159265358979324 * (double)(n * k % 4096) / 4096;
                re += (double)y[n] * sin(angle) / 2048;
                im += (double)y[n] * cos(angle) / 2048;
            }
            const double gain = gf_signal_plan_gain(plan, NULL, 0, frequency);
            CHECK_MSG(fabs(hypot(re, im) - gain) <= 2e-5 * (1 + gain),
                      "%s at %g Hz: %.9g, and the sine's is %.9g", stages[i], frequency, gain, hypot(re, im));
            free(y);
        }
        gf_signal_plan_destroy(&plan);
    }
    free(x);
}

static void effects(void)
{
    gf_signal_plan *plan = made(
        "stats,lowpass:1kHz:name=first,median:1,crop:10ms-90ms,gamma:2,invert,envelope,tophat:2,mix:mono,"
        "lowpass:5kHz,dither:16,detrend,blur:2",
        2, RATE);
    static const gf_signal_effect right[] = {
        GF_SIGNAL_KEEPS, GF_SIGNAL_FILTERS, GF_SIGNAL_BENDS,  GF_SIGNAL_KEEPS, GF_SIGNAL_BENDS,
        GF_SIGNAL_BENDS, GF_SIGNAL_BENDS,   GF_SIGNAL_BENDS,  GF_SIGNAL_BENDS, GF_SIGNAL_FILTERS,
        GF_SIGNAL_KEEPS, GF_SIGNAL_BENDS,   GF_SIGNAL_FILTERS};
    for (int32_t i = 0; i < (int32_t)(sizeof right / sizeof *right); i++) {
        CHECK_MSG(gf_signal_plan_effect(plan, i) == right[i], "stage %d", i);
    }
    CHECK(gf_signal_plan_effect(plan, -1) == GF_SIGNAL_BENDS &&
          gf_signal_plan_effect(plan, 13) == GF_SIGNAL_BENDS);
    CHECK(gf_signal_plan_filters(plan, NULL) == 3 && gf_signal_plan_filters(plan, "lowpass") == 2);
    CHECK(gf_signal_plan_filters(plan, "first") == 1 && gf_signal_plan_filters(plan, "median") == 0);
    const double first = gf_signal_plan_gain(plan, "first", 0, 2000),
                 both = gf_signal_plan_gain(plan, "lowpass", 0, 2000);
    const double last = gf_signal_plan_gain(plan, "blur", 0, 2000);
    CHECK(both > 0 && both < first && last > 0 && last < 1);
    CHECK_NEAR(gf_signal_plan_gain(plan, NULL, 0, 2000) / (both * last), 1, 1e-14);
    gf_signal_plan_destroy(&plan);
}

/* A channel that is not filtered has a gain of 1; without a rate frequencies are in cycles a frame. */
static void channels_and_rates(void)
{
    gf_signal_plan *plan = made("lowpass:1kHz:channels=1,resample:16kHz", 2, RATE);
    CHECK(gf_signal_plan_gain(plan, NULL, 0, 4000) == 1);
    CHECK(gf_signal_plan_gain(plan, NULL, 1, 4000) < 0.1 && gf_signal_plan_gain(plan, NULL, 1, 8001) == 0);
    gf_signal_plan_destroy(&plan);
    plan = made("fir:[0.5 0.5]", 1, 0);
    CHECK_NEAR(gf_signal_plan_gain(plan, NULL, 0, 0.25), sqrt(0.5), 1e-15);
    CHECK(gf_signal_plan_gain(plan, NULL, 0, 0.6) == 0);
    gf_signal_plan_destroy(&plan);
}

static void turns(void)
{
    gf_signal_plan *plan = made("notch:50Hz:q=100000,lowpass:3kHz,iir:[1 0.5 0 1 -0.9 0]", 1, RATE);
    double at[8] = {0};
    CHECK(gf_signal_plan_turns(plan, NULL, NULL, 8) == gf_signal_plan_turns(plan, NULL, at, 0) && at[0] == 0);
    CHECK(gf_signal_plan_turns(plan, "notch", at, 8) == 2);
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(at[i], 50, 1e-3);
    }
    CHECK(gf_signal_plan_turns(plan, NULL, at, 8) >= 4 && gf_signal_plan_turns(plan, "iir", at, 8) == 0);
    gf_signal_plan_destroy(&plan);
}

static const struct check_case cases[] = {{"beside SciPy", beside_scipy},
                                          {"beside sines", beside_sines},
                                          {"effects", effects},
                                          {"channels and rates", channels_and_rates},
                                          {"turns", turns}};

CONTEXT_MAIN(cases)
