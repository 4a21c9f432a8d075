/* peaks: by hand, and beside the definition spelled out for each sample, by every way of execution. */
#include "check.h"
#include "parity.h"
#include "plan_cases.h"
#include "text_run.h"

#include <math.h>
#include <stdlib.h>

static const gf_table *peaks_of(struct text_run *run, const char *text, const gf_image *in)
{
    gf_error error = GF_ERROR_INIT;
    const bool good = text_run_open(run, text, in, NULL, &error) == GF_OK;
    CHECK_MSG(good, "%s: %s", text, error.message);
    return good ? gf_result_table(gf_exec_result(run->exec, 0), "peaks") : NULL;
}

struct peak {
    int64_t x, y;
    double value, prominence;
};

static void check_peaks(const char *text, const gf_image *in, const struct peak *expected, int64_t n)
{
    struct text_run run;
    const gf_table *table = peaks_of(&run, text, in);
    CHECK_MSG(table && table->rows == n, "%s: %lld rows, not %lld", text, table ? (long long)table->rows : -1,
              (long long)n);
    for (int64_t i = 0; table && table->rows == n && i < n; i++) {
        const int64_t x = ((const uint32_t *)gf_table_column(table, "x")->values)[i];
        const int64_t y = ((const uint32_t *)gf_table_column(table, "y")->values)[i];
        const double value = ((const float *)gf_table_column(table, "value")->values)[i];
        const double prominence = ((const double *)gf_table_column(table, "prominence")->values)[i];
        CHECK_MSG(x == expected[i].x && y == expected[i].y && value == expected[i].value &&
                      prominence == expected[i].prominence,
                  "%s: peak %lld is %lld,%lld of %g, %g", text, (long long)i, (long long)x, (long long)y,
                  value, prominence);
    }
    text_run_close(&run);
}

/* A slope with a ripple, a flat top, peaks as high as each other, an end that is the greatest. */
static void by_hand(void)
{
    static const uint8_t pixels[2][12] = {{0, 10, 8, 20, 20, 20, 5, 7, 6, 20, 1, 90},
                                          {9, 1, 3, 3, 2, 3, 1, 0, 0, 1, 0, 0}};
    const gf_image in = gf_image_view(pixels, 12, 2, 1, GF_U8, 0);
    const struct peak all[] = {{1, 0, 10, 2}, {4, 0, 20, 19}, {7, 0, 7, 1}, {9, 0, 20, 19},
                               {2, 1, 3, 2},  {5, 1, 3, 2},   {9, 1, 1, 1}};
    check_peaks("peaks", &in, all, 7);
    check_peaks("peaks:2u8", &in, (const struct peak[]){all[0], all[1], all[3], all[4], all[5]}, 5);
    check_peaks("peaks:min=7u8", &in, (const struct peak[]){all[0], all[1], all[2], all[3]}, 4);
    check_peaks("peaks:distance=4", &in, (const struct peak[]){all[1], all[3], all[5], all[6]}, 4);
    check_peaks("peaks:distance=6", &in, (const struct peak[]){all[0], all[3], all[5]}, 3);
    check_peaks("peaks:width=1.5", &in, (const struct peak[]){all[1], all[4], all[5]},
                3); /* 3.425, 2.5, 1.5 */
    check_peaks("peaks:roi=6x1+2+0", &in, (const struct peak[]){{4, 0, 20, 12}}, 1);
}

static void not_numbers(void)
{
    static const float samples[10] = {1, 3, 0, NAN, 2, 1, 4, -INFINITY, 5, NAN};
    const gf_image in = gf_image_view(samples, 10, 1, 1, GF_F32, 0);
    check_peaks("peaks", &in, (const struct peak[]){{1, 0, 3, 2}, {6, 0, 4, 3}}, 2);
    check_peaks("peaks:width=0.6", &in, (const struct peak[]){{1, 0, 3, 2}}, 1); /* 0.83 and 0.5 */
}

/* ---- the definition, sample by sample ---- */

static double lowest(const float *v, int64_t n, int64_t at, int64_t step)
{
    double least = v[at];
    for (int64_t i = at; i >= 0 && i < n && v[i] <= v[at]; i += step) {
        least = v[i] < least ? v[i] : least;
    }
    return least;
}

static int64_t spelled_out(const float *v, int64_t n, double least, int64_t distance, double prominence,
                           struct peak *peaks)
{
    int64_t count = 0, left = 0;
    for (int64_t at = 1; at < n - 1; at++) {
        int64_t first = at, last = at;
        while (first > 0 && v[first - 1] == v[at]) {
            first--;
        }
        while (last < n - 1 && v[last + 1] == v[at]) {
            last++;
        }
        if (at == (first + last) / 2 && first > 0 && last < n - 1 && v[first - 1] < v[at] &&
            v[last + 1] < v[at] && v[at] >= least) {
            const double low = lowest(v, n, at, -1), other = lowest(v, n, at, 1);
            peaks[count++] = (struct peak){at, 0, v[at], v[at] - (low > other ? low : other)};
        }
    }
    for (bool done = false; !done;) { /* the greatest that has not had its turn, y being whether it had */
        int64_t best = -1;
        for (int64_t i = 0; i < count; i++) {
            best = peaks[i].y == 0 && (best < 0 || peaks[i].value >= peaks[best].value) ? i : best;
        }
        done = best < 0;
        for (int64_t i = 0; i < count && !done; i++) {
            const bool near = i != best && peaks[i].y == 0 && llabs(peaks[i].x - peaks[best].x) < distance;
            peaks[i].y = i == best ? 1 : near ? 2 : peaks[i].y;
        }
    }
    for (int64_t i = 0; i < count; i++) {
        if (peaks[i].y == 1 && peaks[i].prominence >= prominence) {
            peaks[left] = peaks[i];
            peaks[left++].y = 0;
        }
    }
    return left;
}

static void signals(void)
{
    enum { MOST = 300 };
    static const struct {
        const char *text;
        double least, prominence;
        int64_t distance;
    } rules[] = {{"peaks", -INFINITY, 0, 1},
                 {"peaks:0.5", -INFINITY, 0.5, 1},
                 {"peaks:distance=7", -INFINITY, 0, 7},
                 {"peaks:0.25:min=-0.5:distance=3", -0.5, 0.25, 3}};
    struct plan_random random;
    plan_random_seed(&random, 8, 1);
    for (int turn = 0; turn < 60; turn++) {
        float samples[MOST];
        struct peak expected[MOST];
        const int64_t n = 1 + (int64_t)plan_random_below(&random, MOST);
        const uint32_t values = 2 + plan_random_below(&random, turn % 3 ? 9 : 100000);
        for (int64_t i = 0; i < n; i++) {
            samples[i] = plan_random_below(&random, 50)
                             ? (float)plan_random_below(&random, values) / (float)values - 0.75F
                             : NAN;
        }
        const gf_image in = gf_image_view(samples, n, 1, 1, GF_F32, 0);
        for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
            check_peaks(
                rules[r].text, &in, expected,
                spelled_out(samples, n, rules[r].least, rules[r].distance, rules[r].prominence, expected));
        }
    }
}

static void every_way(void)
{
    static const char *const texts[] = {"peaks:0.2:distance=5",
                                        "blur:1,peaks:channels=0:roi=40x3+7+2,invert"};
    static const gf_depth depths[] = {GF_U8, GF_U16, GF_F32};
    struct plan_random random;
    char why[512];
    plan_random_seed(&random, 9, 1);
    for (int i = 0; i < 6; i++) {
        struct parity_picture picture;
        const gf_shape shape = {180, 7, i % 2 ? 3 : 1, depths[i / 2]};
        REQUIRE(parity_picture_make(&picture, &shape, 1));
        plan_random_picture(&random, PLAN_NOISE, false, &picture.image);
        CHECK_MSG(parity_check(texts[i % 2], &picture.image, GF_ALPHA_STRAIGHT, why, sizeof why) > 0,
                  "%s: %s", texts[i % 2], why);
        parity_picture_free(&picture);
    }
}

static const struct check_case cases[] = {{"by hand", by_hand},
                                          {"NaN and infinities", not_numbers},
                                          {"signals beside the definition", signals},
                                          {"every way", every_way}};
CHECK_MAIN(cases)
