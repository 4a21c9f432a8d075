/* The generator of random cases gives what it promises. */
#include "check.h"
#include "gpufilter/gpufilter.h"
#include "plan_cases.h"
#include "stage_cases.h"

#include <stdlib.h>

static void random_numbers_are_pcg32(void)
{
    /* the published first outputs for seed 42, stream 54 */
    static const uint32_t expected[6] = {0xa15c02b7, 0x7b47f409, 0xba1d3330,
                                         0x83d2f293, 0xbfa4784b, 0xcbed606e};
    struct plan_random random;
    plan_random_seed(&random, 42, 54);
    for (int i = 0; i < 6; i++) {
        CHECK_EQ_INT(plan_random_next(&random), expected[i]);
    }
}

static void numbers_reach_their_ends(void)
{
    struct plan_random random;
    int seen[5] = {0};
    plan_random_seed(&random, 1, 1);
    for (int i = 0; i < 1000; i++) {
        int64_t v = plan_random_between(&random, -2, 2);
        REQUIRE(v >= -2 && v <= 2);
        seen[v + 2]++;
    }
    for (int i = 0; i < 5; i++) {
        CHECK_MSG(seen[i] > 150, "%d came %d times", i - 2, seen[i]);
    }
}

static void shapes_are_in_bounds(void)
{
    struct plan_random random;
    int tiny = 0;
    int at_a_tile = 0;
    plan_random_seed(&random, 2, 1);
    for (int i = 0; i < 1000; i++) {
        gf_shape s = plan_random_shape(&random, 300, 200);
        REQUIRE(s.width >= 1 && s.width <= 300 && s.height >= 1 && s.height <= 200);
        REQUIRE(s.channels >= 1 && s.channels <= 4 && s.depth <= GF_F32);
        tiny += s.width <= 9 && s.height <= 9;
        at_a_tile += s.width % 128 == 127 || s.width % 128 == 0 || s.width % 128 == 1;
    }
    CHECK(tiny > 30);
    CHECK(at_a_tile > 60);
}

static void pictures_fill_their_rows_only(void)
{
    enum { W = 33, H = 9, PITCH = W * 4 * 4 + 8 };
    static unsigned char bytes[H * PITCH];
    static unsigned char again[H * PITCH];
    for (int i = 0; i < PLAN_CONTENTS * 3; i++) {
        gf_depth depth = (gf_depth)(i % 3);
        size_t row = W * 4 * gf_depth_size(depth);
        gf_image picture = {sizeof picture, {W, H, 4, depth}, PITCH, bytes, GF_DEVICE_CPU};
        struct plan_random random;
        memset(bytes, 0xa5, sizeof bytes);
        memset(again, 0xa5, sizeof again);
        plan_random_seed(&random, (uint64_t)i, 3);
        plan_random_picture(&random, (enum plan_content)(i / 3), false, &picture);
        picture.data = again;
        plan_random_seed(&random, (uint64_t)i, 3);
        plan_random_picture(&random, (enum plan_content)(i / 3), false, &picture);
        CHECK_MEM(bytes, again, sizeof bytes);
        for (size_t y = 0; y < H; y++) {
            for (size_t x = row; x < PITCH; x++) {
                REQUIRE(bytes[y * PITCH + x] == 0xa5);
            }
        }
        if (i / 3 != PLAN_CONSTANT) {
            CHECK_MSG(memcmp(bytes, bytes + 4 * gf_depth_size(depth), row - 4 * gf_depth_size(depth)) != 0 ||
                          memcmp(bytes, bytes + 8 * PITCH, row) != 0,
                      "content %d is constant", i / 3);
        }
    }
}

static void special_values_come_only_when_asked(void)
{
    static float samples[64 * 64];
    gf_image picture = {sizeof picture, {64, 64, 1, GF_F32}, 64 * 4, samples, GF_DEVICE_CPU};
    for (int special = 0; special < 2; special++) {
        int nan = 0;
        int infinite = 0;
        int subnormal = 0;
        int negative_zero = 0;
        struct plan_random random;
        plan_random_seed(&random, 5, 5);
        plan_random_picture(&random, PLAN_NOISE, special, &picture);
        for (int i = 0; i < 64 * 64; i++) {
            nan += isnan(samples[i]) != 0;
            infinite += isinf(samples[i]) != 0;
            subnormal += fpclassify(samples[i]) == FP_SUBNORMAL;
            negative_zero += samples[i] == 0 && signbit(samples[i]);
        }
        CHECK((nan > 0) == special);
        CHECK((infinite > 0) == special);
        CHECK((subnormal > 0) == special);
        CHECK((negative_zero > 0) == special);
    }
}

/* The stage texts of a chain, one after the other; `rest` starts at the text. NULL after the last. */
static char *next_stage(char **rest)
{
    char *stage = *rest;
    if (!stage) {
        return NULL;
    }
    char *comma = stage;
    for (char quote = '\0'; *comma && (quote || *comma != ','); comma++) {
        quote = quote ? (*comma == quote ? '\0' : quote) : *comma == '\'' || *comma == '"' ? *comma : '\0';
    }
    comma = *comma ? comma : NULL;
    *rest = comma ? comma + 1 : NULL;
    if (comma) {
        *comma = '\0';
    }
    return stage;
}

static bool is_stage(const char *stage, const char *name)
{
    size_t n = strlen(name);
    return strncmp(stage, name, n) == 0 && (stage[n] == '\0' || stage[n] == ':');
}

/* Every stage comes, no matter what its table says. */
static void chains_are_what_was_asked_for(void)
{
    enum { CHAINS = 1500 };
    int32_t n_types;
    const gf_stage_type *const *types = picture_stage_types(&n_types);
    static int seen[256];
    struct plan_random random;
    REQUIRE(n_types <= 256);
    plan_random_seed(&random, 7, 7);
    for (int i = 0; i < CHAINS; i++) {
        char text[PLAN_TEXT_SIZE];
        struct plan_chain chain = {
            plan_random_shape(&random, 200, 100), 1, 6, 9, i % 4 != 0, GF_ALPHA_STRAIGHT};
        int32_t n = plan_random_chain(&random, &chain, text, sizeof text);
        int32_t windows = 0;
        int32_t stages = 0;
        char *rest = text;
        CHECK_MSG(n >= 1 && n <= 6, "%s", text);
        CHECK_MSG(chain.common || (!strstr(text, "roi=") && !strstr(text, "channels=")), "%s", text);
        for (char *stage = next_stage(&rest); stage; stage = next_stage(&rest)) {
            int known = 0;
            for (int32_t k = 0; k < n_types; k++) {
                bool is = is_stage(stage, types[k]->name);
                known += is;
                seen[k] += is;
                windows += is && (types[k]->flags & GF_STAGE_WINDOW);
            }
            CHECK_MSG(known == 1, "%s", stage);
            stages++;
        }
        CHECK_EQ_INT(stages, n);
        CHECK(windows >= 1);
    }
    for (int32_t k = 0; k < n_types; k++) {
        CHECK_MSG(seen[k] >= CHAINS / n_types / 10, "stage %s came %d times in %d chains", types[k]->name,
                  seen[k], CHAINS);
    }
}

static void chains_follow_from_the_seed(void)
{
    struct plan_chain chain = {{50, 40, 3, GF_U8}, 4, 4, 5, true, GF_ALPHA_STRAIGHT};
    char a[PLAN_TEXT_SIZE];
    char b[PLAN_TEXT_SIZE];
    char c[PLAN_TEXT_SIZE];
    struct plan_random random;
    plan_random_seed(&random, 9, 1);
    CHECK_EQ_INT(plan_random_chain(&random, &chain, a, sizeof a), 4);
    plan_random_seed(&random, 9, 1);
    CHECK_EQ_INT(plan_random_chain(&random, &chain, b, sizeof b), 4);
    plan_random_seed(&random, 10, 1);
    CHECK_EQ_INT(plan_random_chain(&random, &chain, c, sizeof c), 4);
    CHECK_STR(a, b);
    CHECK(strcmp(a, c) != 0);
    CHECK_EQ_INT(plan_random_chain(&random, &chain, a, 8), 0);
}

static const struct check_case cases[] = {
    {"random numbers are PCG32", random_numbers_are_pcg32},
    {"numbers reach their ends", numbers_reach_their_ends},
    {"shapes are in bounds", shapes_are_in_bounds},
    {"pictures fill their rows only", pictures_fill_their_rows_only},
    {"special values come only when asked", special_values_come_only_when_asked},
    {"chains are what was asked for", chains_are_what_was_asked_for},
    {"chains follow from the seed", chains_follow_from_the_seed},
};
CHECK_MAIN(cases)
