/* What goes by the order of f32 samples: percentiles against sorted arrays, stages that choose their levels
 * or bins with few samples far away, ranges that f32 does not hold, and Otsu's ties. */
#include "drawn_check.h"
#include "text_run.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 60, HEIGHT = 40, N = WIDTH * HEIGHT };

static float pixels[N], made[N], sorted[N];
static struct plan_random drawn;

static int by_order(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return x != y ? (x > y) - (x < y) : (signbit(y) != 0) - (signbit(x) != 0);
}

/* Fills sorted; returns how many samples are not NaN. */
static int sort(int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        sorted[kept] = pixels[i];
        kept += !isnan(pixels[i]);
    }
    qsort(sorted, (size_t)kept, sizeof *sorted, by_order);
    return kept;
}

static float fraction(void)
{
    return (float)plan_random_below(&drawn, 1U << 24) / (float)(1U << 24);
}

static float any_float(void)
{
    const uint32_t bits = plan_random_below(&drawn, 1U << 16) << 16 | plan_random_below(&drawn, 1U << 16);
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Kinds of pictures. */
enum { PLAIN, HOT_1E3, HOT_1E6, INFINITE, WIDE, SUBNORMAL, CONSTANT, SOME_NAN, ANY, ZEROS, ALL_NAN, KINDS };

static void fill(int kind, int n)
{
    plan_random_seed(&drawn, 20, (uint64_t)kind);
    for (int i = 0; i < n; i++) {
        pixels[i] = kind == WIDE        ? (fraction() - 0.5F) * 2.0F * FLT_MAX
                    : kind == SUBNORMAL ? fraction() * 1e-39F
                    : kind == CONSTANT  ? -3e38F
                    : kind == ANY       ? any_float()
                    : kind == ZEROS     ? (i % 3 ? 0.0F : -0.0F)
                    : kind == ALL_NAN || (kind == SOME_NAN && i % 5 == 0) ? NAN
                                                                          : fraction();
    }
    if (n > 8 && (kind == HOT_1E3 || kind == HOT_1E6)) {
        pixels[7] = kind == HOT_1E3 ? 1e3F : 1e6F;
    }
    for (int i = 0; i < n && kind == INFINITE; i += 9) {
        pixels[i] = i % 2 ? INFINITY : -INFINITY;
    }
}

static gf_image image(float *samples, int width, int height)
{
    return gf_image_view(samples, width, height, 1, GF_F32, 0);
}

static void exact_percentiles(void)
{
    static const char text[] = "percentiles:[0 0.7 1 25 33.3 50 75 99 99.9 100]";
    static const double at[] = {0, 0.7, 1, 25, 33.3, 50, 75, 99, 99.9, 100};
    static const int sizes[][2] = {{WIDTH, HEIGHT}, {1, 1}, {3, 1}, {1, 7}, {31, 9}};
    for (int kind = 0; kind < KINDS; kind++) {
        for (int s = 0; s < 5; s++) {
            if (!check_slice(kind * 5 + s, KINDS * 5)) {
                continue;
            }
            const int n = sizes[s][0] * sizes[s][1];
            struct text_run run;
            gf_error error = GF_ERROR_INIT;
            fill(kind, n);
            const int kept = sort(n);
            const gf_image in = image(pixels, sizes[s][0], sizes[s][1]);
            REQUIRE(text_run_open(&run, text, &in, NULL, &error) == GF_OK);
            const gf_field *value = gf_result_field(gf_exec_result(run.exec, 0), "value");
            for (int i = 0; i < 10; i++) {
                const double own = ((const double *)value->values)[i];
                const double right =
                    kept ? (double)sorted[(int)floor(at[i] / 100 * (kept - 1) + 0.5)] : (double)NAN;
                CHECK_MSG((isnan(own) && isnan(right)) || (own == right && !signbit(own) == !signbit(right)),
                          "kind %d, %d samples, percentile %g: %.9g, not %.9g", kind, n, at[i], own, right);
            }
            text_run_close(&run);
        }
    }
}

static void made_by(const char *text)
{
    const gf_image in = image(pixels, WIDTH, HEIGHT);
    gf_image out = image(made, WIDTH, HEIGHT);
    gf_error error = GF_ERROR_INIT;
    const gf_status status = text_run_once(text, &in, &out, &error);
    CHECK_MSG(status == GF_OK, "%s: %s", text, error.message);
}

/* normalize, and the gain of white, by the exact samples, a hot pixel or none. */
static void levels(void)
{
    static const int kinds[] = {PLAIN, HOT_1E3, HOT_1E6, SOME_NAN, SUBNORMAL};
    for (int k = 0; k < 5; k++) {
        fill(kinds[k], N);
        const int kept = sort(N);
        const float low = sorted[(int)floor(0.01 * (kept - 1) + 0.5)];
        const float high = sorted[(int)floor(0.99 * (kept - 1) + 0.5)];
        made_by("normalize");
        for (int i = 0; i < N; i++) {
            const float part = (pixels[i] - low) / (high - low);
            const float right = part > 1 ? 1 : part < 0 ? 0 : part;
            CHECK_MSG(made[i] == right || isnan(pixels[i]), "kind %d: %g, not %g", kinds[k], (double)made[i],
                      (double)right);
        }
        made_by("whitebalance:white");
        const float gain = kinds[k] == SUBNORMAL ? 1 : 1 / high;
        CHECK_MSG(made[0] == pixels[0] * gain || isnan(made[0]), "kind %d: gain %g, not %g", kinds[k],
                  (double)(made[0] / pixels[0]), (double)gain);
    }
    fill(WIDE, N);
    sort(N);
    made_by("normalize:0:high=100");
    for (int i = 0; i < N; i++) {
        const double right =
            ((double)pixels[i] - (double)sorted[0]) / ((double)sorted[N - 1] - (double)sorted[0]);
        CHECK_MSG(fabs((double)made[i] - right) < 1e-6, "%g becomes %g", (double)pixels[i], (double)made[i]);
    }
}

/* How many different values were made, and in the order of what they were made from? */
static int values_in_order(const char *what)
{
    int values = 1;
    for (int i = 0; i < N; i++) {
        const int j = (i + 1) % N;
        CHECK_MSG(!(pixels[i] < pixels[j]) || made[i] <= made[j], "%s: %g and %g become %g and %g", what,
                  (double)pixels[i], (double)pixels[j], (double)made[i], (double)made[j]);
    }
    memcpy(sorted, made, sizeof made);
    qsort(sorted, N, sizeof *sorted, by_order);
    for (int i = 1; i < N; i++) {
        values += sorted[i] != sorted[i - 1];
    }
    return values;
}

/* equalize keeps the order, and makes of nearly as many samples values of their own as without a hot pixel;
 * what they become is their rank. */
static void equalized(void)
{
    static const int kinds[] = {PLAIN, HOT_1E3, HOT_1E6, WIDE, SUBNORMAL};
    for (int k = 0; k < 5; k++) {
        char what[30];
        snprintf(what, sizeof what, "equalize, kind %d", kinds[k]);
        fill(kinds[k], N);
        made_by("equalize");
        const int values = values_in_order(what);
        CHECK_MSG(values > 1900, "%s: %d values of %d", what, values, N);
        for (int i = 0; i < N; i += 7) {
            int below = 0;
            for (int j = 0; j < N; j++) {
                below += pixels[j] <= pixels[i];
            }
            CHECK_MSG(fabs((double)made[i] - (below - 1.0) / (N - 1)) < 0.005,
                      "%s: sample %d of %d becomes %g", what, below, N, (double)made[i]);
        }
    }
    fill(CONSTANT, N);
    made_by("equalize");
    CHECK(made[0] == pixels[0] && made[N - 1] == pixels[0]);
}

/* Two heaps far from each other are parted by otsu whatever a hot pixel is, but for a part of a bin, and
 * clahe keeps their contrast. */
static void heaps(void)
{
    static const char *const texts[] = {"threshold:otsu", "threshold:otsu:classes=3"};
    static const float hot[] = {1, 1e3F, 1e6F, 3e38F, INFINITY};
    for (int h = 0; h < 5; h++) {
        for (int t = 0; t < 2; t++) {
            fill(PLAIN, N);
            for (int i = 0; i < N; i++) {
                pixels[i] = pixels[i] * 0.1F + (i % 2 ? 0.8F : 0.1F);
            }
            pixels[8] = hot[h];
            made_by(texts[t]);
            int wrong = 0;
            for (int i = 0; i < N; i++) {
                wrong += i % 2 ? made[i] == 0 : made[i] == 1;
            }
            CHECK_MSG(wrong < N / 20, "%s with %g: %d samples on the wrong side", texts[t], (double)hot[h],
                      wrong);
        }
        made_by("clahe:0:tiles=1x1");
        const int values = values_in_order("clahe");
        CHECK_MSG(values > 1500, "clahe with %g: %d values", (double)hot[h], values);
    }
    fill(SUBNORMAL, N);
    made_by("clahe:0:tiles=1x1");
    CHECK(values_in_order("clahe of tiny samples") > 1900);
}

/* Without far samples bins go from the least to the greatest sample, as ever. */
static void ordinary(void)
{
    struct text_run run;
    gf_error error = GF_ERROR_INIT;
    fill(PLAIN, N);
    pixels[3] = 0;
    pixels[4] = 4; /* not as far as four times 99 % of the others */
    for (int i = 0; i < N; i++) {
        pixels[i] = i == 4 || i % 2 ? pixels[i] : 0;
    }
    const gf_image in = image(pixels, WIDTH, HEIGHT);
    REQUIRE(text_run_open(&run, "threshold:otsu", &in, NULL, &error) == GF_OK);
    double level = 0;
    CHECK(gf_result_number(gf_exec_result(run.exec, 0), "level", 0, &level, &error) == GF_OK);
    const double bin = (level - 0.5 * 4 / 256) / (4.0 / 256);
    CHECK_MSG(fabs(bin - rint(bin)) < 1e-4 && level < 1, "%.9g is no middle of 256 bins over [0, 4]", level);
    text_run_close(&run);
}

/* Every way of execution against the judge. */
static void parity(void)
{
    static const char *const texts[] = {"percentiles:[0 50 99]",
                                        "normalize",
                                        "whitebalance:white:percentile=90",
                                        "equalize",
                                        "threshold:otsu",
                                        "threshold:otsu:classes=3",
                                        "clahe:2:tiles=2x2",
                                        "normalize:channels=0",
                                        "equalize,stats"};
    for (int kind = 0; kind < KINDS; kind++) {
        for (int t = 0; t < 9; t++) {
            const int channels = t % 3 == 0 ? 1 : t % 3 == 1 ? 3 : 2;
            const gf_image in = gf_image_view(pixels, 40 / channels, 37, channels, GF_F32, 0);
            char why[400];
            if ((texts[t][0] == 'w' && channels == 2) || !check_slice(kind * 9 + t, KINDS * 9)) {
                continue;
            }
            fill(kind, 40 * 37);
            const int agreed = parity_check(texts[t], &in, GF_ALPHA_NONE, why, sizeof why);
            CHECK_MSG(agreed > 0, "%s, kind %d, %d channels: %s", texts[t], kind, channels, why);
        }
    }
}

/* Among equal variances the lowest level wins, whatever their last bits in f64: symmetric pictures of four
 * and eight samples, against the definition in whole numbers. */
static void otsu_ties(void)
{
    plan_random_seed(&drawn, 21, 0);
    int ties = 0;
    for (int round = 0; round < 1500; round++) {
        uint16_t v[8];
        int64_t best = -1, s = 0, pairs_of_best = 1;
        const int n = 4 + (round & 4);
        const gf_depth depth = round % 2 ? GF_U8 : GF_U16;
        for (int i = 0; i < n / 2; i++) { /* symmetric: levels tie in pairs */
            v[i] = (uint16_t)plan_random_below(&drawn, 125);
            v[n - 1 - i] = (uint16_t)(250 - v[i]);
        }
        uint8_t bytes[8];
        int level = 0;
        for (int i = 0; i < n; i++) {
            bytes[i] = (uint8_t)v[i];
            s += v[i];
        }
        for (int t = 0; t < 250; t++) {
            int64_t n0 = 0, s0 = 0;
            for (int i = 0; i < n; i++) {
                n0 += v[i] <= t;
                s0 += v[i] <= t ? v[i] : 0;
            }
            if (n0 == 0 || n0 == n) {
                continue;
            }
            const int64_t d = (n0 * s - s0 * n) * (n0 * s - s0 * n), pairs = n0 * (n - n0);
            if (best < 0 || d * pairs_of_best > best * pairs) {
                best = d;
                pairs_of_best = pairs;
                level = t;
            } else if (d * pairs_of_best == best * pairs && t >= 125) { /* the mirrored level */
                ties++;
            }
        }
        struct text_run run;
        gf_error error = GF_ERROR_INIT;
        double own = -1;
        const gf_image in = gf_image_view(depth == GF_U8 ? (void *)bytes : (void *)v, n, 1, 1, depth, 0);
        REQUIRE(text_run_open(&run, "threshold:otsu", &in, NULL, &error) == GF_OK);
        CHECK(gf_result_number(gf_exec_result(run.exec, 0), "level", 0, &own, &error) == GF_OK);
        CHECK_MSG(own == level, "round %d: level %g, not %d", round, own, level);
        text_run_close(&run);
        if (round % 60 < 2) {
            char why[400];
            const int agreed = parity_check("threshold:otsu", &in, GF_ALPHA_NONE, why, sizeof why);
            CHECK_MSG(agreed > 0, "round %d: %s", round, why);
        }
    }
    CHECK(ties > 1000);
}

static const struct check_case cases[] = {{"percentiles of f32 against sorted samples", exact_percentiles},
                                          {"normalize and whitebalance by exact samples", levels},
                                          {"equalize with samples far away", equalized},
                                          {"otsu and clahe with samples far away", heaps},
                                          {"otsu of an ordinary picture", ordinary},
                                          {"f32 of every kind, CPU and CUDA", parity},
                                          {"of Otsu's ties the lowest level", otsu_ties}};
CHECK_MAIN(cases)
