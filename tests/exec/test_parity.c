/* Every stage, and random chains of them: CPU and CUDA (real or emulated), fused and unfused, whatever the
 * bands and threads, give the bits of the judge. GPUFILTER_TEST_CHAINS: number of random chains;
 * GPUFILTER_TEST_SLICE: a share of all cases (check.h). */
#include "drawn_check.h"
#include "stage_cases.h"

#include <limits.h>
#include <stdlib.h>

/* ---- every stage, by the tables of their parameters ---- */

/* What a case is made of: a shape, and a number that content and the share follow from. */
struct table {
    gf_context *context;
    gf_shape shape;
    long n;
};

/* The text was bound with straight alpha: alpha that is a channel as others are may make it a wrong one, as a
 * list of a number for each measured channel. */
static bool is_bound(const struct table *table, const char *text, gf_alpha alpha)
{
    gf_plan *plan = NULL;
    gf_error why = GF_ERROR_INIT;
    const bool is = stage_bind(table->context, text, &table->shape, alpha, &plan, &why) == STAGE_BOUND;
    gf_plan_destroy(&plan);
    return is;
}

static bool is_in_share(void *user)
{
    struct table *table = user;
    return check_slice(table->n++, LONG_MAX);
}

static void run_case(const char *text, const gf_stage_type *type, const gf_param *row, const gf_plan *plan,
                     void *user)
{
    const struct table *table = user;
    const long n = table->n;
    const bool straight = n / 7 % 2 || !is_bound(table, text, GF_ALPHA_NONE);
    (void)type, (void)row, (void)plan;
    drawn_check(text, &table->shape, (uint64_t)n, (enum plan_content)(n % PLAN_CONTENTS), n % 3 == 0,
                straight ? GF_ALPHA_STRAIGHT : GF_ALPHA_NONE);
    if (table->shape.channels % 2 == 0 && n / 3 % 3 == 0) { /* the default */
        drawn_check(text, &table->shape, (uint64_t)n, (enum plan_content)(n / 2 % PLAN_CONTENTS), n % 3 == 0,
                    GF_ALPHA_PREMUL);
    }
}

static void stages_of(gf_depth depth)
{
    int32_t n_types;
    const gf_stage_type *const *types = picture_stage_types(&n_types);
    struct table table = {.n = (long)depth};
    REQUIRE(gf_context_create(NULL, &table.context, NULL) == GF_OK);
    for (int32_t i = 0; stage_shape(i, &table.shape); i++) {
        for (int32_t t = 0; t < n_types && table.shape.depth == depth; t++) {
            char why[512] = "";
            CHECK_MSG(stage_cases(table.context, types[t], &table.shape, is_in_share, run_case, &table, why,
                                  sizeof why) >= 0,
                      "%lld x %lld x %d %s: %s", (long long)table.shape.width, (long long)table.shape.height,
                      table.shape.channels, gf_depth_name(depth), why);
        }
    }
    gf_context_destroy(&table.context);
}

static void stages_u8(void)
{
    stages_of(GF_U8);
}
static void stages_u16(void)
{
    stages_of(GF_U16);
}
static void stages_f32(void)
{
    stages_of(GF_F32);
}

/* Runs what `help STAGE` shows, on a picture that the rectangles of photographs fit into. */
static void examples(void)
{
    const gf_shape whole = {420, 330, 4, GF_U8}, small = {105, 82, 4, GF_U8};
    int32_t n_types;
    long n = 0;
    const gf_stage_type *const *types = picture_stage_types(&n_types);
    struct table table = {.shape = small};
    REQUIRE(gf_context_create(NULL, &table.context, NULL) == GF_OK);
    const bool has_letters = is_bound(&table, "text:A", GF_ALPHA_STRAIGHT); /* not without FreeType */
    gf_context_destroy(&table.context);
    for (int32_t t = 0; t < n_types; t++) {
        CHECK_MSG(types[t]->examples, "stage %s has no example", types[t]->name);
        for (const gf_example *e = types[t]->examples; e && e->stages; e++, n++) {
            /* test_trim and test_deskew have those that are settled first */
            const bool is_open = (strstr(e->stages, "trim") && !strstr(e->stages, "area=")) ||
                                 (strstr(e->stages, "deskew") && !strstr(e->stages, "angle="));
            const bool of_signals = types[t]->signal && strstr(e->stages, "Hz");
            const bool is_built = has_letters || !strstr(e->stages, "text:");
            if (check_slice(n, LONG_MAX) && !is_open && !of_signals && is_built) {
                const bool by_place =
                    strstr(e->stages, "roi=") || strstr(e->stages, "crop") || strstr(e->stages, "area=");
                drawn_check(e->stages, by_place ? &whole : &small, (uint64_t)n, PLAN_SMOOTH, false,
                            GF_ALPHA_STRAIGHT);
            }
        }
    }
}

/* ---- chains that meet every edge of the planner ---- */

static void known_chains(void)
{
    static const char *const texts[] = {
        "gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist",
        "blur,blur",
        "invert,dilate:height=2,contrast:1.3,erode:3",
        "alpha:drop,alpha:add:value=0.5,blend:in:amount=0.3,invert",
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
        "invert:roi=9x9+1+1,contrast:2:roi=8x9+1+1,gamma:2:roi=7x9+1+1,brightness:0.1:roi=6x9+1+1,"
        "sobel:roi=60x50+3+4",
        "invert:roi=9x9+1+1,contrast:2:roi=8x9+1+1,gamma:2:roi=7x9+1+1,sobel:roi=60x50+3+4",
        "invert,erode:2,dilate:roi=77x22+31+6,invert,contrast:1.5", /* tables before and behind an f32 line */
        "invert,crop:120x60+7+3,transpose,blur,hist",
        "pad:5,sobel,flip:x,rotate:90,threshold:otsu",
        "blur,pad:3:border=constant:value=0.3:alpha=0.6,crop:130x71+2+1,box:3,flip:y",
        "resize:60x31,blur,resize:200%:filter=cubic,hist",
        "invert,resize:50%:filter=hamming,rotate:90,resize:x200:filter=triangle,threshold:0.4",
        "blur,points:0.6,invert,points:0.6:limit=100,hist",
        "gray,sobel,contrast:1.3,hist",
        "contrast:1.2,sobel:operator=prewitt,threshold:0.2,hist",
        "invert,flip,gray,crop:99x55+21+7,gamma:1.8,stats",
        "blur,flip:y,contrast:1.2,pad:6:border=wrap,invert:roi=40x30+5+9,hist",
        "blur:radius=1,resize:x20,gamma:1.8,stats", /* a band measures everything, and more bands follow */
        "crop:90x20+3+45,equalize,invert",          /* the first bands have no row of what is equalized */
        "blur:save=soft,gamma:1.8,blend:soft:mode=subtract:amount=0.7,stats",
        "invert:save=a,blur:2:save=b.1,blend:a:mode=divide,blend:b.1:at=centre+3-2:scale=0.5:mode=max,hist",
        "stats:save=same,blend:in:at=-9+20:mode=min,blend:same:at=northeast-5+3:mode=difference",
        "crop:90x40+3+5,below:in:gap=3,beside:in:align=centre",
    };
    const size_t n_texts = sizeof texts / sizeof *texts;
    long n = 0;
    for (size_t t = 0; t < n_texts; t++) {
        for (int32_t channels = 1; channels <= 4; channels++) {
            for (int depth = GF_U8; depth <= GF_F32; depth++) {
                gf_shape shape = {140, 70, channels, (gf_depth)depth};
                if (check_slice(n++, (long)n_texts * 4 * 3)) {
                    drawn_check(texts[t], &shape, t + 100, PLAN_SMOOTH, false, GF_ALPHA_STRAIGHT);
                }
            }
        }
    }
}

/* Sums of f32 that no double holds exactly, so that their order shows: in one cell, in several, in several
 * channels. */
static void sums_of_floats(void)
{
    for (int32_t channels = 1; channels <= 3; channels++) {
        gf_shape shape = {140 * channels - 137, 70, channels, GF_F32};
        for (int content = 0; content < PLAN_CONTENTS; content++) {
            drawn_check("stats", &shape, 400 + (uint64_t)channels, (enum plan_content)content, false,
                        GF_ALPHA_STRAIGHT);
        }
    }
}

/* One picture through the chain that README shows: short enough for compute-sanitizer. */
static void spine_chain(void)
{
    gf_shape shape = {1100, 90, 3, GF_U8};
    drawn_check("gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist", &shape, 1, PLAN_SMOOTH, false,
                GF_ALPHA_STRAIGHT);
}

static void premultiplied_alpha(void)
{
    static const char *const texts[] = {"blur:sigma=1.5",
                                        "box:radius=3:border=constant:value=0.5",
                                        "sobel",
                                        "resize:40x50,blur",
                                        "resize:31x",
                                        "resize:75x20:filter=lanczos",
                                        "invert,blur:1.2:roi=20x17+11+5",
                                        "unsharp:2:roi=ellipse@40x30+9+2:feather=7,stats",
                                        "box:2:roi=33x30+3+4:feather=4",
                                        "dilate:2:roi=ellipse@21x33+30+7",
                                        "blur:2:channels=a,conv:[1 2 0; 0 3 1]:scale=0.14:roi=9x8+1+2",
                                        "rotate:20,pad:2:border=constant",
                                        "blur,box,hist",
                                        "gray,blur:border=wrap"};
    const size_t n_texts = sizeof texts / sizeof *texts;
    long n = 0;
    for (size_t t = 0; t < n_texts; t++) {
        for (int32_t channels = 2; channels <= 4; channels += 2) {
            for (int depth = GF_U8; depth <= GF_F32; depth++) {
                gf_shape shape = {75, 41, channels, (gf_depth)depth};
                if (check_slice(n++, (long)n_texts * 2 * 3)) {
                    drawn_check(texts[t], &shape, t + 200, PLAN_BINARY, false, GF_ALPHA_PREMUL);
                    drawn_check(texts[t], &shape, t + 300, PLAN_NOISE, true, GF_ALPHA_PREMUL);
                }
            }
        }
    }
}

/* Chain i of a stream of chains. */
static void random_chain(long i, uint64_t stream, int32_t channels, gf_alpha alpha)
{
    struct plan_random random;
    plan_random_seed(&random, (uint64_t)i, stream);
    gf_shape shape = {plan_random_between(&random, 97, 420), plan_random_between(&random, 97, 160), channels,
                      (gf_depth)plan_random_below(&random, 3)};
    struct plan_chain chain = {shape, 1, 6, 4, true, alpha};
    char text[PLAN_TEXT_SIZE];
    if (!plan_random_chain(&random, &chain, text, sizeof text)) {
        check_that(0, __FILE__, __LINE__, "chain %ld could not be made: %s", i, text);
        return;
    }
    drawn_check(text, &shape, (uint64_t)i, (enum plan_content)(i % PLAN_CONTENTS), i % 5 == 0, alpha);
}

static long chains_asked_for(void)
{
    const char *asked = getenv("GPUFILTER_TEST_CHAINS");
    return asked ? strtol(asked, NULL, 10) : 2000;
}

/* Pictures of at least three strips and bands each way. */
static void random_chains(void)
{
    const long chains = chains_asked_for();
    for (long i = 0; i < chains; i++) {
        if (check_slice(i, chains)) {
            random_chain(i, 7, (int32_t)(i % 4 + 1), GF_ALPHA_STRAIGHT);
        }
    }
}

/* One in ten as many. */
static void random_chains_premultiplied(void)
{
    const long chains = chains_asked_for() / 10 + 1;
    for (long i = 0; i < chains; i++) {
        if (check_slice(i, chains)) {
            random_chain(i, 8, (int32_t)(i % 2 * 2 + 2), GF_ALPHA_PREMUL);
        }
    }
}

static void cuda_takes_part(void)
{
    if (!parity_has_cuda()) {
        SKIP("no CUDA device: the tables above compared the CPU only");
    }
}

static const struct check_case cases[] = {
    {"stages u8", stages_u8},
    {"stages u16", stages_u16},
    {"stages f32", stages_f32},
    {"examples", examples},
    {"known chains, CPU and CUDA", known_chains},
    {"premultiplied alpha", premultiplied_alpha},
    {"sums of floats", sums_of_floats},
    {"spine chain", spine_chain},
    {"random chains, CPU and CUDA", random_chains},
    {"random chains, premultiplied", random_chains_premultiplied},
    {"CUDA takes part", cuda_takes_part},
};
CHECK_MAIN(cases)
