/* Recursive filters: the CPU beside the judge, beside SciPy, beside a run in 80 bits, and by hand. */
#include "signal_check.h"

#include "base/cpu_level.h"
#include "signal/iir_rows.h"

#define FILTERS 8

/* count sections, of the oracle's filter `number`, again and again. */
static struct gf_signal_iir filter_of(int number, int count)
{
    struct gf_signal_iir args = {.count = count};
    signal_read();
    for (int i = 0; i < signal_count; i++) {
        const struct signal_case *c = &signal_cases[i];
        if (!strcmp(c->what, "filter") && c->how[0] == number) {
            const int sections = c->counts[0] / 5;
            args.count = count ? count : sections;
            for (int k = 0; k < args.count; k++) {
                memcpy(&args.section[k], c->coefficients + k % sections * 5, sizeof *args.section);
            }
        }
    }
    struct gf_signal_iir_made *made = NULL;
    gf_error error = {.struct_size = sizeof error};
    if (args.count == 0 || gf_signal_iir_make(args.count, args.section, &made, &error) != GF_OK) {
        printf("Bail out! no filter %d: %s\n", number, error.message);
        exit(2);
    }
    args.made = made;
    return args;
}

static struct gf_signal_iir made_of(struct gf_section section)
{
    struct gf_signal_iir args = {.count = 1, .section = {section}};
    struct gf_signal_iir_made *made = NULL;
    gf_error error = {.struct_size = sizeof error};
    gf_signal_iir_make(1, args.section, &made, &error);
    args.made = made;
    return args;
}

static void release(struct gf_signal_iir *args)
{
    free((void *)args->made);
}

static void scipy(void)
{
    int seen = 0;
    signal_read();
    for (int i = 0; i < signal_count; i++) {
        const struct signal_case *c = &signal_cases[i];
        if (!strcmp(c->what, "iir")) {
            struct gf_signal_iir args = {.count = c->counts[0] / 5};
            struct gf_signal_iir_made *made = NULL;
            gf_error error = {.struct_size = sizeof error};
            memcpy(args.section, c->coefficients, (size_t)c->counts[0] * sizeof(double));
            REQUIRE(gf_signal_iir_make(args.count, args.section, &made, &error) == GF_OK);
            args.made = made;
            signal_near(c, &gf_signal_iir, &args, 0x1p-23);
            free(made);
            seen++;
        }
    }
    CHECK_EQ_INT(seen, 11);
}

/* A pole at 1/2, a delay of 2, and a sum: numbers without any rounding, over many blocks. */
static void by_hand(void)
{
    enum { N = 70000 };
    float *x = signal_memory(N * sizeof *x), *y = signal_memory(N * sizeof *y);
    struct gf_signal_iir half = made_of((struct gf_section){1, 0, 0, -0.5, 0});
    x[3] = 1;
    signal_pieces(&gf_signal_iir, &half, x, N, 1, 100, 1, y);
    CHECK(y[2] == 0 && y[3] == 1 && y[4] == 0.5F && y[64] == 0x1p-61F && y[127] == 0x1p-124F &&
          y[N - 1] == 0);
    struct gf_signal_iir delay = made_of((struct gf_section){0, 0, -3, 0, 0});
    struct gf_signal_iir sum = made_of((struct gf_section){1, 0, 0, -1, 0});
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 7);
    }
    signal_pieces(&gf_signal_iir, &delay, x, N, 1, 0, 1, y);
    int wrong = y[0] != 0 || y[1] != 0;
    for (int i = 2; i < N; i++) {
        wrong += y[i] != -3 * x[i - 2];
    }
    CHECK_EQ_INT(wrong, 0);
    signal_pieces(&gf_signal_iir, &sum, x, N, 1, 0, 1, y);
    int total = 0;
    wrong = 0;
    for (int i = 0; i < N; i++) {
        total += i % 7;
        wrong += y[i] != (float)total;
    }
    CHECK_EQ_INT(wrong, 0);
    release(&half);
    release(&delay);
    release(&sum);
    free(x);
    free(y);
}

/* A^(128 2^k) of one pole p is p^(128 2^k), to the last of 2^47 frames. */
static void powers(void)
{
    const double p = 1 - 0x1p-40;
    struct gf_signal_iir args = made_of((struct gf_section){1, 0, 0, -p, 0});
    for (int k = 0; k < GF_IIR_LEVELS; k++) {
        const struct gf_dd *m = gf_iir_power(args.made, k);
        const long double right = expl(ldexpl(GF_IIR_BLOCK, k) * log1pl(-0x1p-40L));
        const long double off = ((long double)m[0].hi + m[0].lo) / right - 1;
        check_that(fabsl(off) < 0x1p-52L, __FILE__, __LINE__, "level %d is %Lg off", k, off);
        CHECK(m[2].hi == 0 && m[3].hi == 0);
    }
    CHECK(gf_iir_sums(args.made)[2 * (GF_IIR_BLOCK - 1)] == p &&
          gf_iir_sums(args.made)[2 * (GF_IIR_BLOCK - 2)] == p * p);
    release(&args);
}

static void lengths(void)
{
    static const int64_t n[] = {0,   1,    2,    64,   127,  128,  129,  255,   256,
                                257, 1023, 1024, 1025, 2047, 2048, 8192, 16385, 100000};
    float *x = signal_draw(200000, 1, false);
    for (int f = 0; f < FILTERS; f++) {
        struct gf_signal_iir args = filter_of(f, 0);
        for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
            if (check_slice((long)(i + (size_t)f), 3)) {
                signal_same(&gf_signal_iir, &args, x, n[i], n[i] < 20000 ? 2 : 1, "lengths");
            }
        }
        release(&args);
    }
    free(x);
}

static void cascades(void)
{
    float *x = signal_draw(20000, 2, false);
    for (int count = 1; count <= GF_SIGNAL_SECTIONS; count++) {
        struct gf_signal_iir args = filter_of(count % FILTERS, count);
        signal_same(&gf_signal_iir, &args, x, 9000 + 517 * count, 1, "cascades");
        release(&args);
    }
    free(x);
}

/* Whatever the frames and the coefficients are: poles outside the circle, too. */
static void awkward(void)
{
    for (int i = 0; i < 40; i++) {
        float *x = signal_draw(3000, (uint64_t)i, true);
        struct gf_signal_iir args = filter_of(i % FILTERS, 1 + i % 5);
        signal_same(&gf_signal_iir, &args, x, 3000, 1, "awkward");
        for (int j = 0; j < 3000; j++) { /* finite ones, subnormals among them */
            x[j] = isfinite(x[j]) ? x[j] * (i % 2 ? 0x1p-100F : 1) : 0x1p-149F;
        }
        signal_same(&gf_signal_iir, &args, x, 3000, 1, "subnormal");
        release(&args);
        args = made_of((struct gf_section){1, 0.5, 0.25, -1 - 0.02 * i, i % 3 * 0.5});
        signal_same(&gf_signal_iir, &args, x, 3000, 1, "unstable");
        release(&args);
        free(x);
    }
}

/* From the first frame on that is not finite the channel is the NaN 0x7fc00000; before it nothing changes. */
static void not_finite(void)
{
    enum { N = 10000 };
    static const int at[] = {0, 1, 63, 64, 700, 8191, 8192, 9999};
    static const uint32_t bits[] = {0x7f800000, 0xff800000, 0xffc12345};
    struct gf_signal_iir args = filter_of(2, 3);
    float *x = signal_draw(2 * N, 5, false), *y = signal_memory(2 * N * sizeof *y),
          *z = signal_memory(2 * N * sizeof *z);
    signal_pieces(&gf_signal_iir, &args, x, N, 2, 0, 1, z);
    for (int i = 0; i < 24; i++) {
        const int first = at[i / 3];
        const float was = x[first];
        memcpy(&x[first], &bits[i % 3], sizeof *x);
        signal_pieces(&gf_signal_iir, &args, x, N, 2, i % 2 * 3000, (uint64_t)i, y);
        int wrong = memcmp(y, z, (size_t)first * sizeof *y) || memcmp(y + N, z + N, N * sizeof *y);
        for (int j = first; j < N; j++) {
            wrong += gf_float_bits(y[j]) != GF_CANONICAL_NAN;
        }
        CHECK_EQ_INT(wrong, 0);
        x[first] = was;
    }
    release(&args);
    free(x);
    free(y);
    free(z);
}

static void channels(void)
{
    float *x = signal_draw(1024 * 90, 6, false);
    struct gf_signal_iir args = filter_of(3, 0);
    signal_same(&gf_signal_iir, &args, x, 5, 1024, "channels");
    signal_same(&gf_signal_iir, &args, x, 90, 1024, "channels");
    signal_same(&gf_signal_iir, &args, x, 30000, 3, "channels");
    release(&args);
    free(x);
}

/* Every SIMD level that this processor has; and in place. */
static void levels(void)
{
    enum { N = 50000 };
    static const struct gf_iir_rows *const rows[] = {
        &gf_iir_rows_baseline,
#if defined(__x86_64__)
        &gf_iir_rows_avx2,
        &gf_iir_rows_avx512,
#endif
    };
    float *x = signal_draw(N, 7, false), *y = signal_memory(N * sizeof *y),
          *right = signal_memory(N * sizeof *y);
    for (int sections = 1; sections <= 16; sections *= 2) {
        struct gf_signal_iir args = filter_of(6, sections);
        gf_signal_iir.judge(&args, x, N, right);
        for (int level = 0; level <= (int)gf_cpu_level(); level++) {
            void *state = signal_memory(gf_signal_iir.state_bytes(&args));
            memcpy(y, x, N * sizeof *y);
            rows[level]->channel(args.made, state, 0, N, y, y);
            check_that(!memcmp(y, right, N * sizeof *y), __FILE__, __LINE__, "level %d, %d sections", level,
                       sections);
            free(state);
        }
        release(&args);
    }
    free(x);
    free(y);
    free(right);
}

/* The same filter in the definition's form, frame by frame, in 80 bits and in f64. */
#define SEQUENTIAL(name, type, fused)                                                                        \
    static type name(const struct gf_signal_iir *a, type *s, type x)                                         \
    {                                                                                                        \
        for (int k = 0; k < a->count; k++) {                                                                 \
            const struct gf_section *c = &a->section[k];                                                     \
            const type y = fused(c->b0, x, s[2 * k]);                                                        \
            s[2 * k] = fused(-c->a1, y, fused(c->b1, x, s[2 * k + 1]));                                      \
            s[2 * k + 1] = fused(-c->a2, y, c->b2 * x);                                                      \
            x = y;                                                                                           \
        }                                                                                                    \
        return x;                                                                                            \
    }
#define PLAIN(a, b, c) ((a) * (b) + (c))
SEQUENTIAL(step_long, long double, PLAIN)
SEQUENTIAL(step_f64, double, gf_fma_double)

/* Errors of f32 results beside the 80-bit run, by rms of the signal: of one rounded from the f64 run, and of
 * ours. Rounding to f32 is in both; what comes on top is what counts, so the run in 80 bits is rounded too.
 */
static void beside_80_bits(void)
{
    static const char *const names[FILTERS] = {"low-pass 0.1",       "elliptic, order 8", "integrator",
                                               "band-pass, 8 poles", "notch 50 Hz Q 30",  "DC block 0.9999",
                                               "high-pass 20 Hz",    "high-pass 0.5 Hz"};
    const char *asked = getenv("GPUFILTER_SIGNAL_FRAMES");
    const int64_t n = asked ? strtoll(asked, NULL, 10) : 1 << 19;
    float *x = signal_draw(n, 8, false), *y = signal_memory((size_t)n * sizeof *y);
    for (int64_t i = 0; i < n; i++) {
        x[i] = 0.3F * x[i] + 0.5F;
    }
    for (int f = 0; f < FILTERS; f++) {
        struct gf_signal_iir args = filter_of(f, 0);
        signal_pieces(&gf_signal_iir, &args, x, n, 1, 0, 1, y);
        long double s80[GF_IIR_STATES] = {0};
        double s64[GF_IIR_STATES] = {0}, plain = 0, ours = 0, rounded = 0, whole = 0, size = 0;
        int64_t differ[2] = {0};
        for (int64_t i = 0; i < n; i++) {
            const long double exact = step_long(&args, s80, x[i]);
            const float right = (float)exact, f64 = (float)step_f64(&args, s64, x[i]);
            plain += ((double)f64 - right) * ((double)f64 - right);
            ours += ((double)y[i] - right) * ((double)y[i] - right);
            rounded += (double)((f64 - exact) * (f64 - exact));
            whole += (double)((y[i] - exact) * (y[i] - exact));
            size += (double)(exact * exact);
            differ[0] += f64 != right;
            differ[1] += y[i] != right;
        }
        printf("# %-18s f64: %6lld differ, rms %.1e, with rounding %.3e; blocks: %6lld differ, rms %.1e, "
               "with rounding "
               "%.3e\n",
               names[f], (long long)differ[0], sqrt(plain / size), sqrt(rounded / size), (long long)differ[1],
               sqrt(ours / size), sqrt(whole / size));
        CHECK(sqrt(whole / size) <= 2 * sqrt(rounded / size));
        CHECK(sqrt(ours / size) <= 2 * sqrt(plain / size) + 1e-9);
        release(&args);
    }
    free(x);
    free(y);
}

/* From states that are a multiple of the first frame, over ends that are turned round: as phase=zero has
 * them. */
static void without_delay(void)
{
    static const int64_t n[] = {0, 1, 2, 50, 127, 128, 129, 200, 32639, 32640, 32641, 70000};
    float *x = signal_draw(140000, 11, false), *awkward_frames = signal_draw(140000, 12, true);
    for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
        struct gf_signal_iir_settled args = {.iir = filter_of((int)i % FILTERS, 0)};
        const struct gf_signal_extend extend = {(int32_t)(i % 3 * 49)};
        for (int k = 0; k < 2 * args.iir.count; k++) {
            args.state[k] = 3.0 / (k + 1) - 1;
        }
        signal_same(&gf_signal_iir_settled, &args, x, n[i], 2, "from states");
        signal_same(&gf_signal_iir_settled, &args, awkward_frames, n[i], 1, "from states, awkward");
        signal_same(&gf_signal_extend, &extend, x, n[i], 2, "extended");
        signal_same(&gf_signal_extend, &extend, awkward_frames, n[i], 1, "extended, awkward");
        release(&args.iir);
    }
    struct gf_signal_iir_settled half = {.iir = made_of((struct gf_section){1, 0, 0, -0.5, 0}), .state = {1}};
    const float by_hand[] = {2, 2, 0, 0};
    float y[4];
    gf_signal_iir_settled.judge(&half, by_hand, 4, y);
    CHECK(y[0] == 4 && y[1] == 4 && y[2] == 2 && y[3] == 1);
    release(&half.iir);
    const struct gf_signal_extend two = {2};
    float z[8];
    gf_signal_extend.judge(&two, (const float[]){1, 4, 9, 16}, 4, z);
    CHECK(z[0] == -7 && z[1] == -2 && z[2] == 1 && z[5] == 16 && z[6] == 23 && z[7] == 28);
    free(x);
    free(awkward_frames);
}

static const struct check_case cases[] = {
    {"SciPy's outputs", scipy},
    {"numbers without rounding", by_hand},
    {"powers of one pole", powers},
    {"lengths and pieces", lengths},
    {"1 to 16 sections", cascades},
    {"awkward frames and poles", awkward},
    {"what is not finite stays NaN", not_finite},
    {"many channels", channels},
    {"SIMD levels", levels},
    {"error beside 80 bits", beside_80_bits},
    {"without delay", without_delay},
};
CHECK_MAIN(cases)
