/* Combs, rms, gates and envelopes along time: the CPU beside the judge, beside SciPy, and by hand. */
#include "signal_check.h"

#include "base/cpu_level.h"
#include "signal/signal_rows.h"

static void scipy(void)
{
    int seen = 0;
    signal_read();
    for (int i = 0; i < signal_count; i++) {
        const struct signal_case *c = &signal_cases[i];
        if (!strcmp(c->what, "comb")) {
            const struct gf_signal_comb args = {c->how[0], (float)c->coefficients[0],
                                                (float)c->coefficients[1], (float)c->coefficients[2]};
            signal_near(c, &gf_signal_comb, &args, 0x1p-21);
            seen++;
        } else if (!strcmp(c->what, "rms")) {
            const struct gf_signal_rms args = {.size = c->how[0]};
            signal_near(c, &gf_signal_rms, &args, 0x1p-23);
            seen++;
        } else if (!strcmp(c->what, "envelope")) { /* of the taps, in f64 */
            float tap[300];
            for (int k = 0; k < c->counts[0]; k++) {
                tap[k] = (float)c->coefficients[k];
            }
            const struct gf_signal_fir args = {.taps = c->counts[0], .centre = c->counts[0] / 2, .tap = tap};
            signal_near(c, &gf_signal_envelope, &args, 0x1p-21);
            seen++;
        }
    }
    CHECK_EQ_INT(seen, 10);
}

static void by_hand(void)
{
    const float x[6] = {3, 4, 0, INFINITY, -0.0F, 1}, z[6] = {1, 0, 0, 0, 0.5F, 0.5F};
    float y[6];
    const struct gf_signal_comb delay = {2, 0, 1, 0}, echo = {2, 1, 0, 0.5F};
    signal_pieces(&gf_signal_comb, &delay, x, 6, 1, 0, 1, y);
    CHECK(y[0] == 0 && y[1] == 0 && y[2] == 3 && y[3] == 4 && y[4] == 0 && y[5] == INFINITY);
    signal_pieces(&gf_signal_comb, &echo, z, 6, 1, 1, 1, y);
    CHECK(y[0] == 1 && y[1] == 0 && y[2] == 0.5F && y[3] == 0 && y[4] == 0.75F && y[5] == 0.5F);
    const struct gf_signal_rms two = {.size = 3}, gate = {.size = 1, .gate = 1, .level = 1},
                               softly = {.size = 1, .gate = 1, .level = 1, .down = 0.5F};
    signal_pieces(&gf_signal_rms, &two, x, 2, 1, 0, 1, y); /* of the frames that there are */
    CHECK(y[0] == (float)sqrt(12.5) && y[1] == y[0]);
    signal_pieces(&gf_signal_rms, &gate, z, 6, 1, 2, 1, y);
    CHECK(y[0] == 1 && y[4] == 0);
    signal_pieces(&gf_signal_rms, &softly, z, 6, 1, 2, 2, y);
    CHECK(y[0] == 1 && y[4] == 0.25F);
    signal_pieces(&gf_signal_rms, &gate, x, 6, 1, 2, 1, y);
    CHECK(y[2] == 0 && y[3] == INFINITY);
}

static void pieces(void)
{
    static const int64_t n[] = {0, 1, 2, 5, 64, 700, 5000};
    static const int32_t sizes[] = {1, 3, 5, 31, 33, 127, 1001, 4099};
    float *even = signal_draw(15000, 1, false), *awkward = signal_draw(15000, 2, true);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
            const float *x = (s + i) % 3 ? even : awkward;
            const struct gf_signal_rms rms = {.size = sizes[s]},
                                       gate = {sizes[s], 1, 0.57F, s % 2 ? 0.3F : 0};
            const struct gf_signal_comb back = {sizes[s], 1, 0, 0.9F}, both = {sizes[s], 0.5F, -0.5F, 0.25F},
                                        moves = {sizes[s], 0, 1, 0};
            const struct gf_signal_fir envelope = {.taps = sizes[s], .centre = sizes[s] / 2, .tap = even};
            signal_same(&gf_signal_rms, &rms, x, n[i], 3, "rms");
            signal_same(&gf_signal_rms, &gate, x, n[i], 1, "gate");
            signal_same(&gf_signal_comb, &back, x, n[i], 3, "back");
            signal_same(&gf_signal_comb, &both, x, n[i], 1, "both");
            signal_same(&gf_signal_comb, &moves, x, n[i], 2, "moves");
            signal_same(&gf_signal_envelope, &envelope, x, n[i] < 1000 ? n[i] : 1000, 2, "envelope");
        }
    }
    free(even);
    free(awkward);
}

static void levels(void)
{
    static const struct gf_signal_rows *const rows[] = {
        &gf_signal_rows_baseline,
#if defined(__x86_64__)
        &gf_signal_rows_avx2,
        &gf_signal_rows_avx512,
#endif
    };
    enum { COUNT = 77, SIZE = 203 };
    double right[COUNT], sum[COUNT], v[COUNT + SIZE - 1];
    for (int size = 1; size <= SIZE; size++) {
        for (int level = 0; level <= (int)gf_cpu_level(); level++) {
            for (int i = 0; i < COUNT + size - 1; i++) {
                v[i] = 1.0 / (1 + i % 37);
            }
            rows[level]->window_sums(v, COUNT, size, level ? sum : right);
            CHECK_MSG(!level || !memcmp(sum, right, sizeof sum), "level %d, size %d", level, size);
        }
    }
}

static const struct check_case cases[] = {{"SciPy's outputs", scipy},
                                          {"by hand", by_hand},
                                          {"sizes, lengths, pieces", pieces},
                                          {"SIMD levels", levels}};
CHECK_MAIN(cases)
