/* profile: sums worked out by hand, and seams of tiles, bands, cells and vectors, by every way of execution.
 */
#include "check.h"
#include "parity.h"
#include "plan_cases.h"
#include "text_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- by hand ---- */

static const gf_table *profile_of(struct text_run *m, const char *text, const gf_image *in)
{
    gf_error error = GF_ERROR_INIT;
    const bool good = text_run_open(m, text, in, NULL, &error) == GF_OK;
    CHECK_MSG(good, "%s: %s", text, error.message);
    return good ? gf_result_table(gf_exec_result(m->exec, 0), "profile") : NULL;
}

/* Rows of {at, sum, count}. */
static void check_rows(const char *text, const gf_image *in, const double (*rows)[3], int64_t n)
{
    struct text_run m;
    const gf_table *table = profile_of(&m, text, in);
    CHECK_MSG(table && table->rows == n, "%s: rows", text);
    for (int64_t i = 0; table && table->rows == n && i < n; i++) {
        const double sum = ((const double *)gf_table_column(table, "sum")->values)[i];
        const double mean = ((const double *)gf_table_column(table, "mean")->values)[i];
        const uint64_t count = ((const uint64_t *)gf_table_column(table, "count")->values)[i];
        CHECK_EQ_INT(((const uint32_t *)gf_table_column(table, "at")->values)[i], (int64_t)rows[i][0]);
        CHECK_NEAR(sum, rows[i][1], 0);
        CHECK_EQ_INT(count, (int64_t)rows[i][2]);
        CHECK(rows[i][2] > 0 ? mean == rows[i][1] / rows[i][2] : isnan(mean));
    }
    text_run_close(&m);
}

static void by_hand(void)
{
    static const uint8_t bytes[2][4] = {{1, 2, 3, 4}, {10, 20, 30, 255}};
    static const float floats[2][3] = {{1.5F, NAN, -0.0F}, {2.0F, NAN, -0.0F}};
    const gf_image u8 = gf_image_view(bytes, 4, 2, 1, GF_U8, 0),
                   f32 = gf_image_view(floats, 3, 2, 1, GF_F32, 0);
    check_rows("profile", &u8, (const double[][3]){{0, 11, 2}, {1, 22, 2}, {2, 33, 2}, {3, 259, 2}}, 4);
    check_rows("profile:y", &u8, (const double[][3]){{0, 10, 4}, {1, 315, 4}}, 2);
    check_rows("profile:x:roi=2x1+2+1", &u8, (const double[][3]){{2, 30, 1}, {3, 255, 1}}, 2);
    check_rows("profile:y:roi=2x1+2+1", &u8, (const double[][3]){{1, 285, 2}}, 1);
    check_rows("profile", &f32, (const double[][3]){{0, 3.5, 2}, {1, 0, 0}, {2, 0, 2}}, 3);
    check_rows("profile:y", &f32, (const double[][3]){{0, 1.5, 2}, {1, 2, 2}}, 2);
}

/* Alpha is left out, and the columns of the table have the names of the colours. */
static void channels(void)
{
    static const uint16_t pixels[2][4] = {{1, 2, 3, 9}, {65535, 65535, 65535, 9}};
    const gf_image in = gf_image_view(pixels, 1, 2, 4, GF_U16, 0);
    struct text_run m;
    const gf_table *table = profile_of(&m, "profile", &in);
    REQUIRE(table != NULL);
    const gf_column *sum = gf_table_column(table, "sum");
    CHECK_STR(sum->parts, "r|g|b");
    for (int c = 0; c < 3; c++) {
        CHECK_NEAR(((const double *)sum->values)[c], 65536.0 + c, 0);
    }
    text_run_close(&m);
    table = profile_of(&m, "profile:y:channels=a", &in);
    CHECK(table && gf_table_column(table, "sum")->parts == NULL && table->rows == 2);
    CHECK(table && ((const double *)gf_table_column(table, "sum")->values)[1] == 9);
    text_run_close(&m);
}

/* ---- seams ---- */

static void *draw(gf_depth depth, int64_t samples, struct plan_random *random)
{
    void *data = calloc((size_t)samples, gf_depth_size(depth));
    for (int64_t i = 0; data && i < samples; i++) {
        uint32_t v = plan_random_next(random);
        if (depth == GF_U8) {
            ((uint8_t *)data)[i] = (uint8_t)(v % 4 ? 255 : v >> 8);
        } else if (depth == GF_U16) {
            ((uint16_t *)data)[i] = (uint16_t)(v % 4 ? 65535 : v >> 8);
        } else { /* of all sizes, so that the order of sums shows */
            float size = ldexpf(1.0F, (int)(v % 60) - 30);
            ((float *)data)[i] = v % 97 == 0 ? NAN : ((float)(v >> 8) / 8388608.0F - 1) * size;
        }
    }
    return data;
}

/* Higher than 16 bits hold of white bytes, wider than a segment of CUDA, and of several cells each way. */
static void seams(void)
{
    static const struct {
        int64_t width, height;
        int32_t channels;
    } shapes[] = {{37, 611, 1}, {700, 70, 3}, {9000, 3, 1}, {1, 300, 1},
                  {130, 97, 4}, {261, 65, 2}, {70000, 1, 1}};
    static const char *const texts[] = {"profile,blur:2,profile:y,profile",
                                        "profile:y:roi=30x40+3+15,profile:roi=30x40+3+15",
                                        "invert,profile:x,stats,hist,profile:y"};
    const size_t n_shapes = sizeof shapes / sizeof *shapes;
    struct plan_random random;
    char why[512];
    long n = 0;
    plan_random_seed(&random, 1, 1);
    for (size_t s = 0; s < n_shapes; s++) {
        for (gf_depth depth = GF_U8; depth <= GF_F32; depth++) {
            int64_t samples = shapes[s].width * shapes[s].height * shapes[s].channels;
            void *data = draw(depth, samples, &random);
            REQUIRE(data != NULL);
            const gf_image in =
                gf_image_view(data, shapes[s].width, shapes[s].height, shapes[s].channels, depth, 0);
            for (int t = 0; t < 3; t++) {
                bool fits = t != 1 || (shapes[s].width >= 33 && shapes[s].height >= 55);
                bool is_in_share = check_slice(n++, (long)n_shapes * 9);
                CHECK_MSG(!fits || !is_in_share ||
                              parity_check(texts[t], &in, GF_ALPHA_STRAIGHT, why, sizeof why) > 0,
                          "%s of shape %zu, %s: %s", texts[t], s, gf_depth_name(depth), why);
            }
            free(data);
        }
    }
}

/* f32 in bands, which go on with what those above have measured: a band that has cells of no other, maps that
 * cut rows at other places, ranges that are found first. */
static void bands(void)
{
    static const char *const texts[] = {"resize:50%,profile:y,invert,stats", "equalize,stats,profile",
                                        "threshold:otsu,blur:2,profile",
                                        "crop:30x300+3+37,stats,box:3,profile"};
    enum { WIDTH = 41, HEIGHT = 403 };
    struct plan_random random;
    char why[512];
    plan_random_seed(&random, 2, 1);
    void *data = draw(GF_F32, WIDTH * HEIGHT, &random);
    REQUIRE(data != NULL);
    const gf_image in = gf_image_view(data, WIDTH, HEIGHT, 1, GF_F32, 0);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        CHECK_MSG(parity_check(texts[t], &in, GF_ALPHA_STRAIGHT, why, sizeof why) > 0, "%s: %s", texts[t],
                  why);
    }
    free(data);
}

static const struct check_case cases[] = {{"sums by hand", by_hand},
                                          {"channels have their names", channels},
                                          {"seams, CPU and CUDA", seams},
                                          {"bands of f32", bands}};
CHECK_MAIN(cases)
