/* Every stage, and random chains of them: CPU and CUDA (real or emulated), fused and unfused, whatever the
 * bands and threads, give the bits of the judge. GPUFILTER_TEST_CHAINS: number of random chains;
 * GPUFILTER_TEST_SLICE: a share of all cases (check.h). */
#include "check.h"
#include "parity.h"
#include "plan_cases.h"

#include <stdlib.h>

/* ---- the table: stage x depth x channels x border x size ---- */

static const char *const windows[] = {
    "blur:sigma=0.6", "blur:sigma=1.1:radius=2", "blur:sigma=2", "blur:sigma=3:radius=13", "box:radius=1",
    "box:radius=4",   "box:radius=20",           "sobel",        "blur:sigma=70:radius=9", "blur:sigma=9"};
static const char *const points[] = {"gray",
                                     "invert",
                                     "brightness:0.2",
                                     "brightness:-30u8",
                                     "contrast:1.7",
                                     "contrast:0.3",
                                     "gamma:2.2",
                                     "gamma:0.45",
                                     "levels:0.2:high=0.7:gamma=1.5",
                                     "threshold:0.4",
                                     "threshold:otsu",
                                     "convert:u8",
                                     "convert:u16",
                                     "convert:f32",
                                     "equalize",
                                     "hist",
                                     "hist:bins=10:min=0.2:max=0.7",
                                     "stats",
                                     "invert:channels=0",
                                     "contrast:2:roi=3x2+1+1"};
static const char *const borders[] = {"replicate", "reflect101", "reflect", "wrap", "constant:value=0.3"};
static const int64_t sizes[][2] = {{1, 1},   {1, 9},    {13, 1},   {3, 2},
                                   {31, 33}, {129, 40}, {130, 65}, {259, 35}};
enum {
    WINDOWS = sizeof windows / sizeof *windows,
    POINTS = sizeof points / sizeof *points,
    BORDERS = sizeof borders / sizeof *borders,
    SIZES = sizeof sizes / sizeof *sizes
};

static void check_one(const char *text, const gf_shape *shape, uint64_t seed, enum plan_content content,
                      bool special, gf_alpha alpha)
{
    struct parity_picture in;
    struct plan_random random;
    char why[512];
    plan_random_seed(&random, seed, 1);
    if (!parity_picture_make(&in, shape, (int32_t)(seed % 4))) {
        check_that(0, __FILE__, __LINE__, "out of memory");
        return;
    }
    plan_random_picture(&random, content, special, &in.image);
    check_that(parity_check(text, &in.image, alpha, why, sizeof why) > 0, __FILE__, __LINE__,
               "%s on %lld x %lld x %d %s (content %d, alpha %d, seed %llu): %s", text,
               (long long)shape->width, (long long)shape->height, shape->channels,
               gf_depth_name(shape->depth), (int)content, (int)alpha, (unsigned long long)seed, why);
    parity_picture_free(&in);
}

static void table_of(gf_depth depth, const char *const *texts, int n_texts, int n_borders)
{
    uint64_t seed = 1;
    for (int t = 0; t < n_texts; t++) {
        for (int b = 0; b < n_borders; b++) {
            for (int s = 0; s < SIZES; s++) {
                for (int32_t channels = 1; channels <= 4; channels++, seed++) {
                    gf_shape shape = {sizes[s][0], sizes[s][1], channels, depth};
                    char text[128];
                    if (!check_slice((long)seed, n_texts * n_borders * SIZES * 4L) ||
                        (strstr(texts[t], "roi") && (shape.width < 4 || shape.height < 3))) {
                        continue;
                    }
                    snprintf(text, sizeof text, "%s%s%s", texts[t], n_borders > 1 ? ":border=" : "",
                             n_borders > 1 ? borders[b] : "");
                    check_one(text, &shape, seed, (enum plan_content)(seed % PLAN_CONTENTS), seed % 3 == 0,
                              (gf_alpha)(seed / 7 % 2 ? GF_ALPHA_STRAIGHT : GF_ALPHA_NONE));
                }
            }
        }
    }
}

static void windows_u8(void)
{
    table_of(GF_U8, windows, WINDOWS, BORDERS);
}
static void windows_u16(void)
{
    table_of(GF_U16, windows, WINDOWS, BORDERS);
}
static void windows_f32(void)
{
    table_of(GF_F32, windows, WINDOWS, BORDERS);
}
static void points_u8(void)
{
    table_of(GF_U8, points, POINTS, 1);
}
static void points_u16(void)
{
    table_of(GF_U16, points, POINTS, 1);
}
static void points_f32(void)
{
    table_of(GF_F32, points, POINTS, 1);
}

/* ---- chains that meet every edge of the planner ---- */

static void known_chains(void)
{
    static const char *const texts[] = {
        "gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist",
        "blur,blur",
        "invert,blur,invert,sobel,invert",
        "hist,invert,hist,invert,stats",
        "hist,stats,hist:bins=7,hist:bins=3,hist:bins=5,stats,blur,stats",
        "blur,threshold:otsu,hist",
        "equalize,equalize",
        "gray,gamma:3.7",
        "blur:radius=2,gray",
        "equalize,gamma:2,threshold:otsu,stats",
        "convert:f32,blur,equalize,convert:u8,hist",
        "convert:u16,sobel,convert:f32,gamma:1.8,convert:u8",
        "blur:roi=20x10+3+4,sobel:roi=9x9+0+0,invert:roi=5x5+30+20,box:roi=40x30+0+0",
        "invert:roi=5x5+3+2,contrast:2:roi=5x5+3+2,gamma:2:roi=6x5+3+2,brightness:0.1",
        "blur:channels=0,box:channels=0,sobel:channels=0",
    };
    const size_t n_texts = sizeof texts / sizeof *texts;
    long n = 0;
    for (size_t t = 0; t < n_texts; t++) {
        for (int32_t channels = 1; channels <= 4; channels++) {
            for (int depth = GF_U8; depth <= GF_F32; depth++) {
                gf_shape shape = {140, 70, channels, (gf_depth)depth};
                if (check_slice(n++, (long)n_texts * 4 * 3)) {
                    check_one(texts[t], &shape, t + 100, PLAN_SMOOTH, false, GF_ALPHA_STRAIGHT);
                }
            }
        }
    }
}

/* One picture through the chain that README shows: short enough for compute-sanitizer. */
static void spine_chain(void)
{
    gf_shape shape = {1100, 90, 3, GF_U8};
    check_one("gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist", &shape, 1, PLAN_SMOOTH, false,
              GF_ALPHA_STRAIGHT);
}

static void premultiplied_alpha(void)
{
    static const char *const texts[] = {"blur:sigma=1.5", "box:radius=3:border=constant:value=0.5", "sobel",
                                        "blur,box,hist", "gray,blur:border=wrap"};
    const size_t n_texts = sizeof texts / sizeof *texts;
    long n = 0;
    for (size_t t = 0; t < n_texts; t++) {
        for (int32_t channels = 2; channels <= 4; channels += 2) {
            for (int depth = GF_U8; depth <= GF_F32; depth++) {
                gf_shape shape = {75, 41, channels, (gf_depth)depth};
                if (check_slice(n++, (long)n_texts * 2 * 3)) {
                    check_one(texts[t], &shape, t + 200, PLAN_BINARY, false, GF_ALPHA_PREMUL);
                    check_one(texts[t], &shape, t + 300, PLAN_NOISE, true, GF_ALPHA_PREMUL);
                }
            }
        }
    }
}

/* Pictures of at least three strips and bands each way. */
static void random_chains(void)
{
    const char *asked = getenv("GPUFILTER_TEST_CHAINS");
    long chains = asked ? strtol(asked, NULL, 10) : 2000;
    for (long i = 0; i < chains; i++) {
        struct plan_random random;
        if (!check_slice(i, chains)) {
            continue;
        }
        plan_random_seed(&random, (uint64_t)i, 7);
        gf_shape shape = {plan_random_between(&random, 97, 420), plan_random_between(&random, 97, 160),
                          (int32_t)plan_random_between(&random, 1, 4),
                          (gf_depth)plan_random_below(&random, 3)};
        struct plan_chain chain = {shape, 1, 6, 4, true};
        char text[PLAN_TEXT_SIZE];
        if (!plan_random_chain(&random, &chain, text, sizeof text)) {
            check_that(0, __FILE__, __LINE__, "chain %ld could not be made", i);
            return;
        }
        check_one(text, &shape, (uint64_t)i, (enum plan_content)(i % PLAN_CONTENTS), i % 5 == 0,
                  GF_ALPHA_STRAIGHT);
    }
}

static void cuda_takes_part(void)
{
    if (!parity_has_cuda()) {
        SKIP("no CUDA device: the tables above compared the CPU only");
    }
}

static const struct check_case cases[] = {
    {"windows u8", windows_u8},
    {"windows u16", windows_u16},
    {"windows f32", windows_f32},
    {"points u8", points_u8},
    {"points u16", points_u16},
    {"points f32", points_f32},
    {"known chains, CPU and CUDA", known_chains},
    {"premultiplied alpha", premultiplied_alpha},
    {"spine chain", spine_chain},
    {"random chains, CPU and CUDA", random_chains},
    {"CUDA takes part", cuda_takes_part},
};
CHECK_MAIN(cases)
