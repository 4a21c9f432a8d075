/* Ranks along time: the CPU beside the judge, beside SciPy, and by hand. */
#include "signal_check.h"

#include "base/cpu_level.h"
#include "signal/signal_rows.h"

static void scipy(void)
{
    int seen = 0;
    signal_read();
    for (int i = 0; i < signal_count; i++) {
        const struct signal_case *c = &signal_cases[i];
        if (!strcmp(c->what, "rank")) {
            const struct gf_signal_rank args = {c->how[0], c->how[1]};
            signal_near(c, &gf_signal_rank, &args, 0);
            seen++;
        }
    }
    CHECK_EQ_INT(seen, 9);
}

static void by_hand(void)
{
    const float x[7] = {5, NAN, -0.0F, 0.0F, 2, -INFINITY, 9};
    float y[7];
    struct gf_signal_rank args = {3, 0};
    signal_pieces(&gf_signal_rank, &args, x, 7, 1, 0, 1, y);
    CHECK(y[0] == 5 && gf_float_bits(y[1]) == 0x80000000 && gf_float_bits(y[2]) == 0x80000000 &&
          gf_float_bits(y[3]) == 0x80000000 && y[4] == -INFINITY && y[6] == -INFINITY);
    args.rank = 1;
    signal_pieces(&gf_signal_rank, &args, x, 7, 1, 1, 1, y);
    CHECK(y[0] == 5 && y[1] == 5 && gf_float_bits(y[2]) == 0 && gf_float_bits(y[3]) == 0 && y[4] == 0 &&
          y[5] == 2 && y[6] == 9);
    args.rank = 2;
    signal_pieces(&gf_signal_rank, &args, x, 7, 1, 2, 1, y);
    CHECK(gf_float_bits(y[0]) == GF_CANONICAL_NAN && gf_float_bits(y[2]) == GF_CANONICAL_NAN && y[3] == 2 &&
          y[5] == 9);
}

static void sizes(void)
{
    static const int64_t n[] = {0, 1, 2, 5, 63, 64, 65, 129, 700, 3000};
    float *x = signal_draw(9000, 1, false);
    for (int size = 1; size < 400; size += size < 40 ? 2 : 46) {
        for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
            if (check_slice((long)(i + (size_t)size / 2), 5) && n[i] < 100000 / (size * size) + 200) {
                const struct gf_signal_rank args = {size, (int)((uint64_t)i * 7 + (uint64_t)size / 3) % size};
                const struct gf_signal_rank middle = {size, size / 2}, last = {size, size - 1};
                signal_same(&gf_signal_rank, &args, x, n[i], 3, "sizes");
                signal_same(&gf_signal_rank, &middle, x, n[i], 1, "sizes");
                signal_same(&gf_signal_rank, &last, x, n[i], 1, "sizes");
                signal_same(&gf_signal_rank, &(struct gf_signal_rank){size, 0}, x, n[i], 2, "sizes");
            }
        }
    }
    free(x);
}

/* Few values, of which many are equal, and all kinds of them. */
static void awkward(void)
{
    for (int i = 0; i < 20; i++) {
        float *x = signal_draw(3000, (uint64_t)i, true);
        for (int j = 0; j < 3000 && i % 2; j++) {
            x[j] = x[j % 9];
        }
        const struct gf_signal_rank small = {5 + i % 4 * 6, 2 + i % 3}, large = {33 + i * 2, i};
        signal_same(&gf_signal_rank, &small, x, 1500, 2, "awkward");
        signal_same(&gf_signal_rank, &large, x, 1500, 2, "awkward");
        free(x);
    }
}

/* Extremes of windows that are longer than a piece. */
static void extremes(void)
{
    float *x = signal_draw(12000, 8, true);
    const struct gf_signal_rank least = {5001, 0}, greatest = {5001, 5000};
    float *y = signal_memory(12000 * sizeof *y);
    for (int k = 0; k < 2; k++) {
        signal_pieces(&gf_signal_rank, k ? &greatest : &least, x, 12000, 1, 9000, 3, y);
        int wrong = 0;
        for (int n = 0; n < 12000; n++) {
            uint32_t right = k ? 0 : UINT32_MAX;
            for (int i = n > 2500 ? n - 2500 : 0; i <= n + 2500 && i < 12000; i++) {
                const uint32_t key = gf_float_key(x[i]);
                right = (key < right) != k ? key : right;
            }
            wrong += gf_float_key(y[n]) != right;
        }
        CHECK_EQ_INT(wrong, 0);
    }
    free(x);
    free(y);
}

static void channels(void)
{
    float *x = signal_draw(1024 * 40, 6, false);
    const struct gf_signal_rank small = {7, 3}, large = {41, 20};
    signal_same(&gf_signal_rank, &small, x, 5, 1024, "channels");
    signal_same(&gf_signal_rank, &large, x, 40, 1024, "channels");
    free(x);
}

static void levels(void)
{
    enum { FRAMES = GF_RANK_TOGETHER + GF_RANK_SMALL - 1 };
    static const struct gf_signal_rows *const rows[] = {
        &gf_signal_rows_baseline,
#if defined(__x86_64__)
        &gf_signal_rows_avx2,
        &gf_signal_rows_avx512,
#endif
    };
    float *x = signal_draw(FRAMES, 7, true), y[64];
    for (int level = 0; level <= (int)gf_cpu_level(); level++) {
        for (int size = 1; size <= GF_RANK_SMALL; size += 2) {
            const struct gf_signal_rank args = {size, size / 3};
            uint32_t key[FRAMES] = {0}, out[GF_RANK_TOGETHER];
            float right[FRAMES];
            for (int i = 0; i < FRAMES; i++) {
                key[i] = gf_float_key(x[i]);
            }
            rows[level]->select(key, size, size / 3, out);
            gf_signal_rank.judge(&args, x, FRAMES, right);
            int wrong = 0;
            for (int i = 0; i < 64; i++) {
                y[i] = gf_key_float(out[i]);
                wrong += gf_float_bits(y[i]) != gf_float_bits(right[i + size / 2]);
            }
            check_that(!wrong, __FILE__, __LINE__, "level %d, size %d: %d wrong", level, size, wrong);
        }
    }
    free(x);
}

static const struct check_case cases[] = {
    {"SciPy's outputs", scipy},  {"order of all kinds", by_hand}, {"sizes, lengths, pieces", sizes},
    {"awkward frames", awkward}, {"many channels", channels},     {"SIMD levels", levels},
    {"long extremes", extremes},
};
CHECK_MAIN(cases)
