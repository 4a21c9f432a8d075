/* match: scores by hand, roundings that are ties or nearly so, which places stay, and every way of execution.
 */
#include "check.h"
#include "gpufilter/inputs.h"
#include "parity.h"
#include "pixel/whole/match/match.h"
#include "pixel/whole/match/match_score.h"
#include "plan_cases.h"
#include "text_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct match_run {
    gf_context *context;
    gf_pipeline *pipeline;
    gf_plan *plan;
    gf_exec *exec;
};

/* Runs `stages`, which look for t, on the CPU. */
static gf_status run_open(struct match_run *r, const char *stages, const gf_image *in, const gf_image *t,
                          gf_image *out, gf_error *error)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    const gf_shape shapes[] = {t->shape};
    options.device = GF_DEVICE_CPU;
    options.other_inputs = shapes;
    options.n_other_inputs = 1;
    *r = (struct match_run){NULL, NULL, NULL, NULL};
    gf_status status = gf_context_create(NULL, &r->context, error);
    status = status ? status : gf_pipeline_parse(stages, NULL, 0, &r->pipeline, error);
    status = status ? status : gf_plan_create(r->context, r->pipeline, &in->shape, &options, &r->plan, error);
    status = status ? status : gf_exec_create(r->plan, &r->exec, error);
    status = status ? status : gf_exec_set_input(r->exec, 1, t, error);
    return status ? status : gf_exec_run(r->exec, in, out, error);
}

static void run_close(struct match_run *r)
{
    gf_exec_destroy(&r->exec);
    gf_plan_destroy(&r->plan);
    gf_pipeline_destroy(&r->pipeline);
    gf_context_destroy(&r->context);
}

static void by_hand(void)
{
    static const uint8_t pixels[] = {1, 2, 3, 9, 9, 9, 3, 1, 2}, looked_for[] = {10, 20, 30}, one[] = {7};
    const double expected[] = {1,   7 / sqrt(2 * 86.0 / 3), 6 / sqrt(2 * 24.0),
                               0,   -6 / sqrt(2 * 24.0),    -8 / sqrt(2 * 104.0 / 3),
                               -0.5};
    float made[9];
    struct match_run r;
    gf_error error = GF_ERROR_INIT;
    const gf_image in = gf_image_view(pixels, 9, 1, 1, GF_U8, 0);
    const gf_image t = gf_image_view(looked_for, 3, 1, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, 7, 1, 1, GF_F32, 0);
    CHECK_MSG(run_open(&r, "match:t", &in, &t, &out, &error) == GF_OK, "%s", error.message);
    for (int i = 0; i < 7; i++) {
        CHECK_MSG(made[i] == (float)expected[i], "%d: %.9g, not %.9g", i, (double)made[i], expected[i]);
    }
    run_close(&r);
    const gf_image flat = gf_image_view(one, 1, 1, 1, GF_U8, 0); /* which has no variance */
    out = gf_image_view(made, 9, 1, 1, GF_F32, 0);
    CHECK_MSG(run_open(&r, "match:t", &in, &flat, &out, &error) == GF_OK, "%s", error.message);
    for (int i = 0; i < 9; i++) {
        CHECK(gf_float_bits(made[i]) == 0);
    }
    run_close(&r);
}

/* The f32 nearest to n / d, n < d < 2^92, by long division: 24 bits, and whether the rest is more than half.
 */
static float nearest_quotient(gf_match_wide n, gf_match_wide d)
{
    uint32_t m = 0;
    int exponent = 0;
    while (2 * n < d) {
        n *= 2;
        exponent--;
    }
    for (int i = 0; i < 24; i++) {
        n *= 2;
        m = 2 * m + (n >= d);
        n -= n >= d ? d : 0;
    }
    m += 2 * n > d || (2 * n == d && m & 1);
    return (float)ldexp(m, exponent - 24);
}

/* Where A and B are squares the root is an integer, so that quotients can be ties, and a hair off them. */
static void ties(void)
{
    struct plan_random random;
    plan_random_seed(&random, 37, 1);
    for (int turn = 0; turn < 20000; turn++) {
        const int bits = 25 + (int)plan_random_below(&random, 20);
        const uint64_t p = ((uint64_t)1 << bits) + (turn % 3 ? plan_random_below(&random, 1U << 24) : 0);
        const uint64_t q = ((uint64_t)1 << bits) + (turn % 5 ? plan_random_below(&random, 1U << 24) : 0);
        const gf_match_wide root = (gf_match_wide)p * q;
        const uint64_t half = 2 * (uint64_t)(1U << 23 | plan_random_below(&random, 1U << 23)) + 1;
        gf_match_wide n = (root >> 25) * half + (((root & ((1U << 25) - 1)) * half) >> 25); /* beside a tie */
        n += plan_random_below(&random, 3);
        n -= plan_random_below(&random, 2);
        n >>= turn % 7 == 0 ? plan_random_below(&random, 40) : 0;
        const float expected = nearest_quotient(n, root);
        const float score = gf_match_score((gf_match_int)n, (gf_match_wide)p * p, (gf_match_wide)q * q);
        const float minus = gf_match_score(-(gf_match_int)n, (gf_match_wide)q * q, (gf_match_wide)p * p);
        CHECK_MSG(score == expected && minus == -expected, "turn %d: %.9g, not %.9g", turn, (double)score,
                  (double)expected);
    }
    CHECK(gf_match_score(0, 1, 1) == 0 && gf_match_score(5, 5, 5) == 1 && gf_match_score(-5, 5, 5) == -1);
}

/* ---- the table ---- */

struct spot {
    uint32_t x, y;
    float score;
};

/* Whether a is further up in the table than b. */
static bool is_before(const struct spot *a, const struct spot *b)
{
    return a->score > b->score || (a->score == b->score && (a->y < b->y || (a->y == b->y && a->x < b->x)));
}

/* The definition: the first of those that are left, again and again, takes all away that overlap it. */
static int64_t spelled_out(const float *scores, int64_t w, int64_t h, float least, int64_t tw, int64_t th,
                           struct spot *kept)
{
    bool *gone = calloc((size_t)(w * h), sizeof *gone);
    int64_t n = 0;
    for (;; n++) {
        struct spot best = {0, 0, -2};
        for (int64_t i = 0; gone && i < w * h; i++) {
            const struct spot spot = {(uint32_t)(i % w), (uint32_t)(i / w), scores[i]};
            best = !gone[i] && spot.score >= least && is_before(&spot, &best) ? spot : best;
        }
        if (best.score < -1) {
            break;
        }
        kept[n] = best;
        for (int64_t i = 0; i < w * h; i++) {
            gone[i] = gone[i] || (llabs(i % w - best.x) < tw && llabs(i / w - best.y) < th);
        }
    }
    free(gone);
    return n;
}

static void check_places(const char *stages, float least, int64_t limit, const gf_image *in,
                         const gf_image *t)
{
    enum { MOST = 64 * 64 };
    static float scores[MOST];
    static struct spot expected[MOST];
    const int64_t w = in->shape.width - t->shape.width + 1, h = in->shape.height - t->shape.height + 1;
    gf_image out = gf_image_view(scores, w, h, 1, GF_F32, 0);
    struct match_run r;
    gf_error error = GF_ERROR_INIT;
    CHECK_MSG(run_open(&r, stages, in, t, &out, &error) == GF_OK, "%s: %s", stages, error.message);
    const gf_table *table = r.exec ? gf_result_table(gf_exec_result(r.exec, 0), "matches") : NULL;
    const int64_t all = spelled_out(scores, w, h, least, t->shape.width, t->shape.height, expected);
    const int64_t n = limit && limit < all ? limit : all;
    double count = 0;
    CHECK(r.exec && gf_result_number(gf_exec_result(r.exec, 0), "count", 0, &count, NULL) == GF_OK &&
          count == (double)all);
    CHECK_MSG(table && table->rows == n, "%s: %lld rows, not %lld", stages,
              table ? (long long)table->rows : -1, (long long)n);
    for (int64_t i = 0; table && table->rows == n && i < n; i++) {
        const uint32_t x = ((const uint32_t *)gf_table_column(table, "x")->values)[i];
        const uint32_t y = ((const uint32_t *)gf_table_column(table, "y")->values)[i];
        const float score = ((const float *)gf_table_column(table, "score")->values)[i];
        const uint32_t sides[] = {((const uint32_t *)gf_table_column(table, "width")->values)[i],
                                  ((const uint32_t *)gf_table_column(table, "height")->values)[i]};
        CHECK(sides[0] == (uint32_t)t->shape.width && sides[1] == (uint32_t)t->shape.height);
        CHECK_MSG(x == expected[i].x && y == expected[i].y && score == expected[i].score,
                  "%s: place %lld is %u, %u of %.9g, not %u, %u", stages, (long long)i, x, y, (double)score,
                  expected[i].x, expected[i].y);
    }
    run_close(&r);
}

static void places(void)
{
    enum { W = 50, H = 40 };
    static uint8_t pixels[W * H];
    static const uint8_t cross[] = {0, 1, 0, 1, 1, 1, 0, 1, 0}, dot[] = {1, 0, 0, 1, 1, 0};
    const gf_image in = gf_image_view(pixels, W, H, 1, GF_U8, 0);
    const gf_image a = gf_image_view(cross, 3, 3, 1, GF_U8, 0), b = gf_image_view(dot, 1, 6, 1, GF_U8, 0);
    for (int i = 0; i < W * H; i++) { /* few values, so that many scores are equal */
        pixels[i] = (uint8_t)((uint32_t)i * 2654435761U >> 31);
    }
    check_places("match:t", 0.9F, 0, &in, &a);
    check_places("match:t:threshold=0.3", 0.3F, 0, &in, &a);
    check_places("match:t:threshold=-1:limit=7", -1, 7, &in, &a);
    check_places("match:t:threshold=0:limit=100000", 0, 100000, &in, &b);
    check_places("match:t:threshold=-1", -1, 0, &in, &in);
}

/* ---- every way ---- */

static void sizes(void)
{
    static const int64_t cases[][4] = {{1, 1, 1, 1},         {40, 30, 1, 1},
                                       {40, 30, 40, 30},     {33, 70, 33, 1},
                                       {37, 41, 5, 7},       {600, 9, 66, 3},
                                       {70, 65, 65, 17},     {19, 140, 4, 18},
                                       {405, 352, 400, 350}, /* beyond 2^31 */
                                       {530, 140, 3, 2},     {260, 150, 30, 21},
                                       {45, 37, 17, 33},     {3, 2100, 2, 2}}; /* more than a band of u16 */
    static const char *const depths[] = {"u8", "u16"};
    struct plan_random random;
    char why[512];
    plan_random_seed(&random, 1, 3);
    for (size_t s = 0; s < sizeof cases / sizeof *cases; s++) {
        const int64_t rows = cases[s][1];
        const int first = rows > 2000, end = rows < 130 ? 8 : rows < 200 ? 3 : 1 + first;
        for (int i = first; i < end; i++) { /* the judge takes long */
            struct parity_picture picture;
            char text[100];
            const int64_t *c = cases[s];
            const gf_shape shape = {c[0], c[1], 1 + (i + (int32_t)s) % 4, i % 2 ? GF_U16 : GF_U8};
            snprintf(text, sizeof text, "match:pic_%lld_%lld_%d_%s:threshold=%s", (long long)c[2],
                     (long long)c[3], i < 4 ? shape.channels : i - 3, depths[i % 3 == 0 ? i % 2 : 1],
                     i % 2 ? "0.2" : "-1");
            REQUIRE(parity_picture_make(&picture, &shape, i % 3));
            plan_random_picture(&random, i < 6 ? PLAN_NOISE : PLAN_EXTREMES, false, &picture.image);
            if (i == 3 || c[3] > 200) {
                memset(picture.image.data, 255, (size_t)(picture.image.pitch * shape.height));
                ((uint8_t *)picture.image.data)[0] = 0;
            }
            CHECK_MSG(parity_check(text, &picture.image, GF_ALPHA_STRAIGHT, why, sizeof why) > 0,
                      "%s of %lld x %lld, %d channels, depth %d: %s", text, (long long)c[0], (long long)c[1],
                      shape.channels, (int)shape.depth, why);
            parity_picture_free(&picture);
        }
    }
}

/* A template of 1000 x 1000 in 8K takes 1.5 s on one thread; memory is for threads that work. */
static void costs(void)
{
    const struct gf_value values[] = {{.width = 7680, .height = 4320, .channels = 1, .depth = GF_U8},
                                      {.width = 1000, .height = 1000, .channels = 1, .depth = GF_U8},
                                      {.width = 6681, .height = 3321, .channels = 1, .depth = GF_F32}};
    double amounts[GF_WORKS] = {0};
    gf_kernel_match.apply.works(NULL, &values[0], &values[2], amounts);
    CHECK_MSG(amounts[GF_WORK_MATCH] > 0.7e9 && amounts[GF_WORK_MATCH] < 3e9, "%g ns",
              amounts[GF_WORK_MATCH]);
    CHECK(amounts[GF_WORK_MATCH_PRODUCT] == 6681.0 * 3321 * 1e6);
    struct gf_apply_run run = {.queue = {.device = GF_DEVICE_CPU}, .in_values = {values[0], values[1]}};
    size_t bytes[3];
    for (int i = 0; i < 3; i++) {
        static const int32_t threads[] = {1, 5000, 10000};
        run.threads = threads[i];
        bytes[i] = gf_kernel_match.apply.scratch(&run);
    }
    CHECK_MSG(bytes[0] < bytes[1] && bytes[1] == bytes[2], "%zu, %zu, %zu", bytes[0], bytes[1], bytes[2]);
}

static void refused(void)
{
    static const struct {
        const char *stages, *says;
    } wrong[] = {{"match:t", "the template has 5 x 1 pixels, must not be larger than the picture, 4 x 2"},
                 {"convert:f32,match:t", "put convert:u8 or convert:u16 before it"},
                 {"match:t:threshold=2", "threshold"}};
    static const uint8_t pixels[8];
    float made[8];
    const gf_image in = gf_image_view(pixels, 4, 2, 1, GF_U8, 0),
                   t = gf_image_view(pixels, 5, 1, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, 4, 2, 1, GF_F32, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct match_run r;
        gf_error error = GF_ERROR_INIT;
        CHECK(run_open(&r, wrong[i].stages, &in, &t, &out, &error) != GF_OK);
        CHECK_MSG(strstr(error.message, wrong[i].says), "%s: %s", wrong[i].stages, error.message);
        run_close(&r);
    }
    gf_error error = GF_ERROR_INIT;
    CHECK(text_run_once("match", &in, &out, &error) == GF_ERROR_ARGUMENT);
    CHECK_MSG(strstr(error.message, "template"), "%s", error.message);
}

static const struct check_case cases[] = {
    {"scores by hand", by_hand},  {"ties, and what is beside them", ties},
    {"places that stay", places}, {"templates of any size, CPU and CUDA", sizes},
    {"what is refused", refused}, {"what it costs", costs}};
CHECK_MAIN(cases)
