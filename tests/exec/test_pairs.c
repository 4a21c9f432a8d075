/* All ordered pairs of stages, and random chains of small pictures: CPU and CUDA (real or emulated), fused
 * and unfused, in bands and streamed, give the bits of the judge. GPUFILTER_TEST_CHAINS: number of random
 * chains; GPUFILTER_TEST_STREAM: another one draws other chains; GPUFILTER_TEST_SLICE: a share of all cases
 * (check.h). */
#include "drawn_check.h"
#include "stage_cases.h"

#include <stdlib.h>

enum { SIZES = 4 };
static const int64_t sizes[SIZES][2] = {{21, 13}, {34, 9}, {11, 18}, {37, 5}};

struct pairs {
    gf_context *context;
    long n, bound; /* some cannot be, as whatever follows a stage that makes labels */
};

/* The second stage on what the first one makes. */
static bool bind_pair(gf_context *context, const gf_stage_type *first, const gf_stage_type *second,
                      const gf_shape *shape, int32_t turn, long n, char *text, size_t size)
{
    char one[STAGE_TEXT_SIZE], two[STAGE_TEXT_SIZE];
    gf_plan *plan = NULL;
    gf_error error;
    bool bound = false;
    if (stage_form(context, first, shape, turn, one) &&
        stage_bind(context, one, shape, GF_ALPHA_STRAIGHT, &plan, &error) == STAGE_BOUND) {
        const gf_shape between = gf_plan_output(plan);
        gf_plan_destroy(&plan);
        if (gf_depth_white(between.depth) > 0 &&
            stage_form(context, second, &between, (int32_t)(n % (3L * STAGE_FORMS)), two)) {
            snprintf(text, size, "%s,%s", one, two);
            bound = stage_bind(context, text, shape, GF_ALPHA_STRAIGHT, &plan, &error) == STAGE_BOUND &&
                    stage_affordable(plan, 1);
        }
    }
    gf_plan_destroy(&plan);
    return bound;
}

/* Once for each form of the first stage; channels and size go round with the pairs, and where a number of
 * channels cannot be had the next one is tried. */
static void pair_of(struct pairs *pairs, const gf_stage_type *first, const gf_stage_type *second, long n,
                    gf_depth depth)
{
    for (int32_t form = 0; form < STAGE_FORMS; form++) {
        const int32_t turn = form == 0 ? 0 : (int32_t)((n + depth) % 5) * STAGE_FORMS + form;
        const long at = n * STAGE_FORMS + form;
        char text[2 * STAGE_TEXT_SIZE];
        bool bound = false;
        if (!check_slice(at, 3L << 20)) {
            continue;
        }
        pairs->n++;
        for (int32_t i = 0; i < 4 && !bound; i++) {
            const int64_t *size = sizes[at % SIZES];
            const gf_shape shape = {size[0], size[1], 1 + (int32_t)((n + form + depth + i) % 4), depth};
            bound =
                bind_pair(pairs->context, first, second, &shape, turn, n + form + depth, text, sizeof text);
            if (bound) {
                drawn_check(text, &shape, (uint64_t)at, (enum plan_content)(at % PLAN_CONTENTS), at % 3 == 0,
                            GF_ALPHA_STRAIGHT);
            }
        }
        pairs->bound += bound;
    }
}

static void pairs_of(gf_depth depth)
{
    struct pairs pairs = {0};
    int32_t n_types;
    const gf_stage_type *const *types = picture_stage_types(&n_types);
    REQUIRE(gf_context_create(NULL, &pairs.context, NULL) == GF_OK);
    for (int32_t i = 0; i < n_types; i++) {
        for (int32_t k = 0; k < n_types; k++) {
            pair_of(&pairs, types[i], types[k], (long)i * n_types + k, depth);
        }
    }
    gf_context_destroy(&pairs.context);
    /* of a small share fewer may be */
    CHECK_MSG(pairs.bound * 10 >= pairs.n * (pairs.n < 200 ? 5 : 8), "only %ld of %ld pairs can be bound",
              pairs.bound, pairs.n);
}

static void pairs_u8(void)
{
    pairs_of(GF_U8);
}
static void pairs_u16(void)
{
    pairs_of(GF_U16);
}
static void pairs_f32(void)
{
    pairs_of(GF_F32);
}

/* Rounding of some channels is none of the others; a program in two registers may end with more channels than
 * it has in between. */
static void once_wrong(void)
{
    static const char *const texts[] = {"posterize:channels=0,linear",
                                        "posterize:roi=9x5+3+2,srgb",
                                        "posterize:4,lut:table=[1 0.2 0]",
                                        "sobel,alpha:add:value=0.7",
                                        "flip,sobel,alpha:add,hist",
                                        "blur,alpha:drop,alpha:add",
                                        "dct,crop:area=37x14+0+3,conv:kernel=[0.4;0.9]:border=reflect101",
                                        "crop:1x21+3+0,median:1,expr:\"v*y/height\""};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        for (int32_t i = 0; i < 12; i++) {
            const gf_shape shape = {37, 21, 1 + i % 4, (gf_depth)(i / 4)};
            const bool fits = t < 3 || t >= 6 || (t < 5 ? shape.channels % 2 == 1 : shape.channels % 2 == 0);
            if (fits) {
                drawn_check(texts[t], &shape, t, PLAN_SMOOTH, false, GF_ALPHA_STRAIGHT);
            }
        }
    }
}

static long number_of(const char *name, long otherwise)
{
    const char *asked = getenv(name);
    return asked ? strtol(asked, NULL, 10) : otherwise;
}

/* Two to six of all stages, on pictures that end inside and just behind tiles and strips. */
static void small_chains(void)
{
    const long chains = number_of("GPUFILTER_TEST_CHAINS", 2000);
    const uint64_t stream = 100 + (uint64_t)number_of("GPUFILTER_TEST_STREAM", 0);
    for (long i = 0; i < chains; i++) {
        struct plan_random random;
        char text[PLAN_TEXT_SIZE];
        if (!check_slice(i, chains)) {
            continue;
        }
        plan_random_seed(&random, (uint64_t)i, stream);
        const gf_shape shape = plan_random_shape(&random, 70, 45);
        const struct plan_chain chain = {shape, 2, 6, 4, true, GF_ALPHA_STRAIGHT};
        if (!plan_random_chain(&random, &chain, text, sizeof text)) {
            check_that(0, __FILE__, __LINE__, "chain %ld could not be made: %s", i, text);
            continue;
        }
        drawn_check(text, &shape, (uint64_t)i, (enum plan_content)(i % PLAN_CONTENTS), i % 5 == 0,
                    GF_ALPHA_STRAIGHT);
    }
}

static const struct check_case cases[] = {
    {"pairs u8", pairs_u8},         {"pairs u16", pairs_u16},
    {"pairs f32", pairs_f32},       {"chains that were wrong once", once_wrong},
    {"small chains", small_chains},
};
CHECK_MAIN(cases)
