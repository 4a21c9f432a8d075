/* Sums of more taps than are added one by one: as SciPy and a plain sum make them, and the same whatever the
 * pieces, threads and the device. */
#include "chain_check.h"

#include "signal/stft.h"

static struct gf_signal_overlap made_of(const float *tap, int32_t taps, int32_t centre, int32_t envelope)
{
    struct gf_signal_overlap args = {{taps, centre, 0, tap}, envelope, NULL};
    args.stft = gf_signal_overlap_make(&args.fir, &e);
    if (!args.stft) {
        printf("Bail out! %s\n", e.message);
        exit(2);
    }
    return args;
}

static void by_scipy(void)
{
    int seen = 0;
    for (int i = 0; i < signal_read(); i++) {
        const struct signal_case *c = &signal_cases[i];
        if (!strcmp(c->what, "overlap")) {
            float tap[2000];
            for (int k = 0; k < c->counts[0]; k++) {
                tap[k] = (float)c->coefficients[k];
            }
            const struct gf_signal_overlap args = made_of(tap, c->counts[0], c->how[0], 0);
            float *x = signal_memory((size_t)c->counts[1] * sizeof *x),
                  *y = signal_memory((size_t)c->counts[2] * sizeof *y);
            for (int k = 0; k < c->counts[1]; k++) {
                x[k] = (float)c->in[k];
            }
            CHECK(gf_signal_overlap.judge_whole(&args, x, c->counts[1], y));
            for (int k = 0; k < c->counts[2]; k++) {
                check_near(y[k], c->out[k], 3e-7, c->what, __FILE__, __LINE__);
            }
            gf_stft_destroy((void *)(uintptr_t)args.stft);
            free(x);
            free(y);
            seen++;
        }
    }
    CHECK_EQ_INT(seen, 2);
}

/* A plain sum in f64, around both ends of blocks; and what is not finite is so in its blocks alone. */
static void by_a_sum(void)
{
    enum { N = 20000 };
    static const int32_t taps[] = {513, 700, 1024, 1025, 3000};
    float *x = signal_draw(N, 3, false), *tap = signal_draw(3000, 4, false),
          *y = signal_memory(N * sizeof *y);
    for (int i = 0; i < 5; i++) {
        const int32_t centre = i % 3 == 0 ? 0 : i % 3 == 1 ? taps[i] / 2 : taps[i] - 1;
        const struct gf_signal_overlap args = made_of(tap, taps[i], centre, i == 3);
        CHECK(gf_signal_overlap.judge_whole(&args, x, N, y));
        for (int64_t n = 0; n < N; n += n % 97 ? 1 : 61) {
            double sum = 0;
            for (int64_t k = 0; k < taps[i]; k++) {
                const int64_t at = n + centre - k;
                sum += at >= 0 && at < N ? (double)tap[k] * (double)x[at] : 0;
            }
            sum = i == 3 ? sqrt(sum * sum + (double)x[n] * (double)x[n]) : sum;
            CHECK_MSG(fabs((double)y[n] - sum) < 6e-7 * sqrt(taps[i] / 9.0) * 9,
                      "%d taps, frame %lld: %.9g, must be %.9g", taps[i], (long long)n, (double)y[n], sum);
        }
        x[9000] = i % 2 ? INFINITY : NAN;
        CHECK(gf_signal_overlap.judge_whole(&args, x, N, y));
        for (int64_t n = 0; n < N; n++) {
            const int64_t first = n / args.stft->hop * args.stft->hop + centre - (args.fir.taps - 1);
            const bool sees = first <= 9000 && 9000 < first + args.stft->size;
            CHECK_MSG(sees == !isfinite(y[n]) || n == 9000, "%d taps, frame %lld: %g", taps[i], (long long)n,
                      (double)y[n]);
        }
        x[9000] = 0.5F;
        gf_stft_destroy((void *)(uintptr_t)args.stft);
    }
    free(x);
    free(tap);
    free(y);
}

static void the_same(void)
{
    same_as_judge("fir:lowpass=1kHz:taps=513", 20000, 1, 1);
    same_as_judge("fir:lowpass=1kHz:taps=514:centre=0", 6000, 3, 2);
    same_as_judge("gain:2,fir:bandpass=1kHz-4kHz:taps=1025:centre=1024,savgol:21", 9000, 5, 3);
    same_as_judge("fir:highpass=200Hz:taps=4001,fir:lowpass=3kHz:taps=600", 30000, 2, 4);
    same_as_judge("envelope:601,decimate:8", 9000, 2, 5);
    same_as_judge("fir:lowpass=1kHz:taps=700:channels=1", 5000, 3, 6);
    same_as_judge("fir:lowpass=1kHz:taps=65535", 70000, 1, 7);
    same_as_judge("fir:lowpass=1kHz:taps=999", 0, 1, 8);
    same_as_judge("fir:lowpass=1kHz:taps=999", 1, 1, 9);
}

/* Up to 512 taps nothing is transformed. */
static void few(void)
{
    static const int32_t taps[] = {512, 513};
    for (int i = 0; i < 2; i++) {
        for (int envelope = 0; envelope < 2; envelope++) {
            char stages[60];
            snprintf(stages, sizeof stages, envelope ? "envelope:%d" : "fir:lowpass=1kHz:taps=%d",
                     taps[i] - envelope * !i);
            gf_signal_plan *plan = plan_of(stages, (gf_signal_shape){-1, 1, 48000}, GF_DEVICE_CPU, 1);
            REQUIRE(plan && plan->chain.n == 1);
            CHECK_MSG((plan->chain.nodes[0].node.kernel == &gf_signal_overlap) == (i == 1), "%s", stages);
            gf_signal_plan_destroy(&plan);
        }
    }
}

static const struct check_case cases[] = {
    {"by SciPy", by_scipy}, {"by a sum", by_a_sum}, {"the same everywhere", the_same}, {"few taps", few}};

CONTEXT_MAIN(cases)
