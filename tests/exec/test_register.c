/* register: shifts that are known, to the pixel and between pixels, what is refused, and every way of
 * execution.
 */
#include "check.h"
#include "drawn_check.h"
#include "gpufilter/inputs.h"
#include "plan_cases.h"
#include "text_run.h"

#include <math.h>
#include <string.h>

enum { W = 150, H = 110 };

static float reference[W * H], picture[W * H], made[W * H];

struct shift {
    double x, y, score;
};

/* Runs `stages`, whose reference is called r, on the CPU. */
static gf_status run(const char *stages, const gf_image *in, const gf_image *r, gf_image *out,
                     struct shift *found, gf_error *error)
{
    struct text_run t = {NULL, NULL, NULL, NULL};
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    options.other_inputs = &r->shape;
    options.n_other_inputs = strstr(stages, ":r") != NULL;
    gf_status status = gf_context_create(NULL, &t.context, error);
    status = status ? status : gf_pipeline_parse(stages, NULL, 0, &t.pipeline, error);
    status = status ? status : gf_plan_create(t.context, t.pipeline, &in->shape, &options, &t.plan, error);
    status = status ? status : gf_exec_create(t.plan, &t.exec, error);
    status = status ? status : gf_exec_set_input(t.exec, 1, r, error);
    status = status ? status : gf_exec_run(t.exec, in, out, error);
    if (status == GF_OK) {
        const gf_result *result = gf_exec_result(t.exec, 0);
        *found = (struct shift){*(const double *)result->fields[0].values,
                                *(const double *)result->fields[1].values,
                                *(const double *)result->fields[2].values};
    }
    text_run_close(&t);
    return status;
}

static struct shift registered(const char *stages)
{
    struct shift found = {0, 0, 0};
    gf_error error = GF_ERROR_INIT;
    const gf_image in = gf_image_view(picture, W, H, 1, GF_F32, 0),
                   r = gf_image_view(reference, W, H, 1, GF_F32, 0);
    gf_image out = gf_image_view(made, W, H, 1, GF_F32, 0);
    CHECK_MSG(run(stages, &in, &r, &out, &found, &error) == GF_OK, "%s: %s", stages, error.message);
    return found;
}

/* Round spots at places drawn at random, moved left and up by (x, y). */
static void spots(double x, double y, float *to)
{
    struct plan_random random;
    plan_random_seed(&random, 5, 1);
    for (int i = 0; i < W * H; i++) {
        to[i] = 0.1F;
    }
    for (int spot = 0; spot < 400; spot++) {
        const double left = plan_random_below(&random, 100 * (W + 60)) / 100.0 - 30 - x;
        const double top = plan_random_below(&random, 100 * (H + 60)) / 100.0 - 30 - y;
        const double bright = 0.1 + plan_random_below(&random, 100) / 100.0;
        for (int i = 0; i < 13 * 13; i++) {
            const int column = (int)floor(left) + i % 13 - 6, row = (int)floor(top) + i / 13 - 6;
            if (column >= 0 && row >= 0 && column < W && row < H) {
                const double d = pow(column - left, 2) + pow(row - top, 2);
                to[row * W + column] += (float)(bright * exp(-d / 3));
            }
        }
    }
}

/* ... and a little noise that does not move. */
static void draw(double x, double y)
{
    spots(0, 0, reference);
    spots(x, y, picture);
    for (int i = 0; i < W * H; i++) {
        picture[i] += (float)((uint32_t)i * 2654435761U >> 24) / 25600;
    }
}

/* The picture is the scene further left and up, so that it is moved right and down. */
static void shifts_found(void)
{
    static const double shifts[][2] = {{0, 0},     {7, -4},        {-20, 13},  {0.5, 0},
                                       {3.3, 5.7}, {-12.25, -8.6}, {0.1, -0.2}};
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        draw(shifts[i][0], shifts[i][1]);
        const struct shift found = registered("register:r");
        CHECK_MSG(fabs(found.x - shifts[i][0]) < 0.1 && fabs(found.y - shifts[i][1]) < 0.1 &&
                      found.score > 0.3,
                  "%g, %g: %g, %g, score %g", shifts[i][0], shifts[i][1], found.x, found.y, found.score);
        for (int at = 0; at < W * H; at++) {
            const int x = at % W, y = at / W;
            const bool inside = x >= 24 && y >= 24 && x < W - 24 && y < H - 24;
            CHECK_MSG(!inside || fabsf(made[at] - reference[at]) < 0.1F, "%g, %g: pixel %d, %d: %g, not %g",
                      shifts[i][0], shifts[i][1], x, y, made[at], reference[at]);
        }
    }
}

/* By whole pixels, round the edges: every bit moves along, the score is 1, and with move=off nothing moves.
 */
static void round_the_edges(void)
{
    for (int i = 0; i < W * H; i++) {
        reference[i] = (float)((uint32_t)(i + 1) * 2654435761U >> 8) / (1 << 24);
    }
    for (int i = 0; i < W * H; i++) {
        picture[i] = reference[(i / W + 100) % H * W + (i % W + 31) % W];
    }
    const struct shift found = registered("register:r:taper=off:filter=nearest:border=wrap");
    CHECK_MSG(fabs(found.x - 31) < 1e-4 && fabs(found.y + 10) < 1e-4 && fabs(found.score - 1) < 1e-4,
              "%g, %g, score %g", found.x, found.y, found.score);
    CHECK(memcmp(made, reference, sizeof made) == 0);
    const struct shift told = registered("register:r:taper=off:move=off");
    CHECK(told.x == found.x && told.y == found.y && told.score == found.score);
    CHECK(memcmp(made, picture, sizeof made) == 0);
}

/* Pictures that say nothing stay where they are. */
static void nothing_to_find(void)
{
    const float contents[] = {0, 0.5F, NAN, INFINITY};
    for (int c = 0; c < 4; c++) {
        draw(3, 3);
        for (int i = 0; i < (c < 2 ? W * H : 1); i++) {
            picture[i] = contents[c];
        }
        const struct shift found = registered("register:r:taper=off:filter=nearest");
        CHECK_MSG(c == 1 || (found.x == 0 && found.y == 0 && found.score == 0), "%g: %g, %g, score %g",
                  (double)contents[c], found.x, found.y, found.score);
        CHECK_MSG(fabs(found.score) < 0.05, "%g: score %g", (double)contents[c], found.score);
    }
}

static void refused(void)
{
    static const char *const runs[][2] = {
        {"register:r", "the reference has 12 x 110 pixels, must have as many as the picture, 150 x 110"},
        {"register:r:filter=lanczos", "nearest"},
        {"register", "reference"},
        {"register:r:roi=3x3+1+1", "roi"},
    };
    struct shift found;
    const gf_image in = gf_image_view(picture, W, H, 1, GF_F32, 0),
                   r = gf_image_view(reference, 12, H, 1, GF_F32, 0);
    gf_image out = gf_image_view(made, W, H, 1, GF_F32, 0);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        gf_error error = GF_ERROR_INIT;
        CHECK(run(runs[i][0], &in, &r, &out, &found, &error) != GF_OK);
        CHECK_MSG(strstr(error.message, runs[i][1]) != NULL, "%s: %s", runs[i][0], error.message);
    }
}

static void every_way(void)
{
    static const struct {
        const char *stages;
        gf_shape shape;
    } runs[] = {
        {"register:pic_121_33_1_u8", {121, 33, 1, GF_U8}},
        {"register:pic_60_41_3_f32:filter=linear:border=reflect", {60, 41, 3, GF_U8}},
        {"register:in", {40, 30, 4, GF_U16}},
        {"register:pic_300_20_2_u16:border=wrap", {300, 20, 4, GF_U16}},
        {"register:pic_44_70_1_f32:move=off", {44, 70, 1, GF_F32}},
        {"register:pic_64_48_3_f32:taper=off", {64, 48, 3, GF_F32}},
        {"register:pic_1_1_1_f32", {1, 1, 1, GF_U8}},
        {"register:pic_2_1_1_u8:filter=nearest", {2, 1, 1, GF_U8}},
        {"register:pic_1_50_1_u8:border=replicate", {1, 50, 1, GF_F32}},
        {"register:pic_300_1_1_u8:value=0.3", {300, 1, 2, GF_U16}},
        {"blur:2,register:pic_90_61_1_u16,invert,hist", {90, 61, 1, GF_U16}},
        {"register:pic_90_61_4_f32:value=0.2:alpha=0.5", {90, 61, 4, GF_F32}},
        {"flip:x,register:in:border=reflect101", {75, 80, 1, GF_U8}},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        for (int special = 0; special < 2; special++) {
            drawn_check(runs[i].stages, &runs[i].shape, i, special ? PLAN_EXTREMES : PLAN_NOISE, special,
                        i % 2 ? GF_ALPHA_PREMUL : GF_ALPHA_STRAIGHT);
        }
    }
}

static const struct check_case cases[] = {{"shifts that are known", shifts_found},
                                          {"round the edges", round_the_edges},
                                          {"nothing to find", nothing_to_find},
                                          {"what is refused", refused},
                                          {"register, CPU and CUDA", every_way}};
CHECK_MAIN(cases)
