/* wiener and deconvolve: a blur that is taken back, what is refused, and every way of execution. */
#include "check.h"
#include "drawn_check.h"
#include "plan_cases.h"
#include "text_run.h"

#include <math.h>
#include <string.h>

enum { W = 130, H = 90 };

static float scene[W * H], seen[W * H], made[W * H];

static bool make(const char *stages, float *from, float *to)
{
    gf_error error = GF_ERROR_INIT;
    gf_image in = gf_image_view(from, W, H, 1, GF_F32, 0), out = gf_image_view(to, W, H, 1, GF_F32, 0);
    const bool good = text_run_once(stages, &in, &out, &error) == GF_OK;
    CHECK_MSG(good, "%s: %s", stages, error.message);
    return good;
}

/* Bright dots and a bar on a dark ground, well inside. */
static void draw(void)
{
    for (int i = 0; i < W * H; i++) {
        const int x = i % W, y = i / W;
        const bool bar = x >= 40 && x < 48 && y >= 30 && y < 60;
        scene[i] = bar ? 0.9F : x % 24 == 12 && y % 20 == 10 ? 0.8F : 0.1F;
    }
}

static double apart(const float *a, const float *b)
{
    double sum = 0;
    for (int i = 0; i < W * H; i++) {
        sum += (double)(a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum / (W * H));
}

/* Each takes most of the blur back, whichever way the kernel leans; and the kernel's scale does not count. */
static void blurs_taken_back(void)
{
    static const char *const kernels[] = {"[1 2 1; 2 4 2; 1 2 1]",
                                          "[1 4 6 4 1; 4 16 24 16 4; 1 4 6 4 1]",
                                          "[0 0 0 0 1; 0 0 0 2 0; 0 0 3 0 0]",
                                          "[1 2 3 2 1]",
                                          "[0.2; 0.5; 0.3]",
                                          "[7]"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char blur[128], stages[128];
        /* conv does not turn its kernel: the picture is turned instead */
        snprintf(blur, sizeof blur, "rotate:180,conv:%s:normalize=on,rotate:180", kernels[i]);
        draw();
        CHECK(make(blur, scene, seen));
        const double before = apart(scene, seen);
        for (int stage = 0; stage < 2; stage++) {
            snprintf(stages, sizeof stages, stage ? "deconvolve:%s:rounds=60" : "wiener:%s:balance=0.00001",
                     kernels[i]);
            CHECK(make(stages, seen, made));
            CHECK_MSG(apart(scene, made) <= 0.65 * before + 1e-4, "%s: %g of %g", stages, apart(scene, made),
                      before);
        }
    }
}

/* Of a picture of 0 nothing comes but 0, and of one without edges the same. */
static void even_pictures(void)
{
    const float levels[] = {0, 0.25F, 1};
    for (int i = 0; i < 3; i++) {
        for (int at = 0; at < W * H; at++) {
            seen[at] = levels[i];
        }
        CHECK(make("deconvolve:[1 2 1; 2 4 2; 1 2 1]:rounds=20", seen, made));
        CHECK_MSG(apart(seen, made) < 1e-5, "%g: %g", levels[i], apart(seen, made));
        CHECK(levels[i] > 0 || made[0] == 0);
        CHECK(make("wiener:[1 2 1; 2 4 2; 1 2 1]", seen, made));
        CHECK_MSG(apart(seen, made) < 1e-5, "%g: %g", levels[i], apart(seen, made));
    }
}

static void refused(void)
{
    static const char *const runs[][2] = {
        {"wiener", "psf= is not given"},
        {"deconvolve", "psf= is not given"},
        {"wiener:[1 1]", "psf= has 1 rows of 2, must have an odd number of both"},
        {"deconvolve:[1; 1]", "psf= has 2 rows of 1, must have an odd number of both"},
        {"deconvolve:[0 0 0]", "psf= has the sum 0, must have one above 0"},
        {"wiener:[1 -1 1]", "from 0 to"},
        {"deconvolve:[1 2 1]:rounds=0", "rounds is 0, must be from 1 to 100"},
        {"deconvolve:[1 2 1]:border=constant:value=0.5", "value is 0.5, must be 0"},
        {"wiener:[1 2 1]:balance=0", "balance is 0"},
        {"crop:2x2+0+0,wiener:[1 2 1]:border=wrap",
         "a kernel of 3 x 1 numbers is larger than the picture, extended to 2 x 2 pixels"},
    };
    gf_image in = gf_image_view(seen, W, H, 1, GF_F32, 0), out = gf_image_view(made, W, H, 1, GF_F32, 0);
    text_run_refused(runs, sizeof runs / sizeof *runs, &in, &out);
}

static void every_way(void)
{
    static const struct {
        const char *stages;
        gf_shape shape;
    } runs[] = {
        {"wiener:[1 2 1; 2 4 2; 1 2 1]", {121, 33, 1, GF_U8}},
        {"wiener:[0 0 1; 0 3 0; 4 0 0]:balance=0.2:border=wrap", {60, 41, 3, GF_U8}},
        {"wiener:[1 1 1 1 1]", {300, 1, 2, GF_U16}},
        {"wiener:[1; 1; 2]:balance=3:channels=g:roi=20x9+4+5", {40, 20, 3, GF_F32}},
        {"wiener:[1 2 1]:border=replicate", {50, 44, 4, GF_U16}},
        {"wiener:[2]", {1, 1, 1, GF_F32}},
        {"wiener:[1; 2; 1]:border=reflect101", {1, 61, 4, GF_F32}},
        {"blur,wiener:[1 3 1; 3 9 3; 1 3 1],invert,hist", {90, 61, 1, GF_U16}},
        {"deconvolve:[1 2 1; 2 4 2; 1 2 1]:rounds=3", {121, 33, 1, GF_U8}},
        {"deconvolve:[0 0 1 0 0; 0 1 0 2 0; 1 0 5 0 1; 0 4 0 3 0; 0 0 2 0 6]:rounds=2", {301, 61, 1, GF_F32}},
        {"deconvolve:[0 0 1; 0 3 0; 4 0 0]:rounds=2:border=wrap", {243, 40, 1, GF_F32}},
        {"deconvolve:[0 0 1; 0 3 0; 4 0 0]:rounds=4:border=wrap", {60, 41, 3, GF_F32}},
        {"deconvolve:[1 1 1 1 1]:rounds=2:border=constant", {300, 1, 2, GF_U16}},
        {"deconvolve:[1; 1; 2]:rounds=5:channels=g:roi=20x9+4+5", {40, 20, 3, GF_U8}},
        {"deconvolve:[1 2 1]:border=reflect:rounds=2", {50, 44, 4, GF_U16}},
        {"deconvolve:[3]:rounds=1", {1, 1, 1, GF_F32}},
        {"gray,deconvolve:[1 2 1]:rounds=6,invert,hist", {130, 300, 3, GF_U8}},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        for (int special = 0; special < 2; special++) {
            drawn_check(runs[i].stages, &runs[i].shape, i, special ? PLAN_EXTREMES : PLAN_NOISE, special,
                        i % 2 && !strstr(runs[i].stages, "roi") ? GF_ALPHA_PREMUL : GF_ALPHA_STRAIGHT);
        }
    }
}

static const struct check_case cases[] = {{"blurs taken back", blurs_taken_back},
                                          {"even pictures", even_pictures},
                                          {"what is refused", refused},
                                          {"restored, CPU and CUDA", every_way}};
CHECK_MAIN(cases)
