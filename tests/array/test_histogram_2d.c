/* histogram_2d: every variant against the sequential one, that by hand, and one axis against histogram. */
#include "words_case.h"

#include "gpufilter/histogram_2d.h"

#include <math.h>

static const char *const lines[] = {
    "histogram_2d --type u8",
    "histogram_2d --type u8 --bins 256x256",
    "histogram_2d --type u16 --bins 7x300",
    "histogram_2d --type i16 --bins 100 --weights i16",
    "histogram_2d --type u32 --bins 64x32 --weights u32",
    "histogram_2d --type i32 --bins 5x5 --range -100000:2000000000 --weights i32",
    "histogram_2d --type u64 --bins 1000x1000",
    "histogram_2d --type i64 --bins 3 --weights i64",
    "histogram_2d --type f32 --bins 20x20 --weights u8",
    "special histogram_2d --type f32 --bins 9x9 --range -1:1",
    "special histogram_2d --type f64 --bins 70x3 --weights u64",
    "histogram_2d --type f64 --data constant --bins 8 --weights u16",
};

static void cpu_variants(void)
{
    words_cpu(lines, sizeof lines / sizeof *lines);
}

static void cuda_variants(void)
{
    words_cuda(lines, sizeof lines / sizeof *lines);
}

static void by_hand(void)
{
    static const float x[] = {0, 0.5F, 1, -1, NAN, 0.25F, 0.75F}, y[] = {0, 0.5F, 0.5F, NAN, 2, 0.75F, -1};
    static const int32_t weights[] = {1, 2, -3, 4, 5, -6, 7};
    /* columns: two bins, below, above, NaN; rows the same */
    static const int64_t wanted[25] = {1, 0, 0, 0, 0, -6, 2, 0, -3, 0, 0, 7, 0,
                                       0, 0, 0, 0, 0, 0,  5, 0, 0,  4, 0, 0};
    int64_t table[25];
    gf_error error = GF_ERROR_INIT;
    const gf_queue cpu = {GF_DEVICE_CPU, NULL};
    gf_histogram_axis axis = GF_HISTOGRAM_AXIS_INIT;
    axis.type = GF_F32;
    axis.bins = 2;
    for (int algo = 0; algo < 2; algo++) {
        gf_histogram_2d_options o = GF_HISTOGRAM_2D_OPTIONS_INIT;
        o.array.algo = algo ? "auto" : "sequential";
        o.weighted = 1;
        o.weights = GF_S32;
        o.x = o.y = &axis;
        CHECK_EQ_INT(gf_histogram_2d(cpu, &o, x, y, weights, 7, (uint64_t *)table, NULL, 0, &error), GF_OK);
        CHECK_MEM(table, wanted, sizeof wanted);
    }
}

static void refuses(void)
{
    static const uint8_t x[4] = {0};
    static uint64_t table[1 << 17];
    gf_error error = GF_ERROR_INIT;
    const gf_queue cpu = {GF_DEVICE_CPU, NULL};
    gf_histogram_axis axis = GF_HISTOGRAM_AXIS_INIT;
    gf_histogram_2d_options o = GF_HISTOGRAM_2D_OPTIONS_INIT;
    CHECK_EQ_INT(gf_histogram_2d(cpu, &o, x, NULL, NULL, 4, table, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "gf_histogram_axis");
    o.x = o.y = &axis;
    CHECK_EQ_INT(gf_histogram_2d(cpu, &o, x, NULL, NULL, 4, table, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "the array y is NULL");
    o.weighted = 1;
    o.weights = GF_F32;
    CHECK_EQ_INT(gf_histogram_2d(cpu, &o, x, x, x, 4, table, NULL, 0, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "weights are f32, must be integers");
    o.weighted = 0;
    axis.bins = 1 << 20;
    CHECK_EQ_INT(gf_histogram_2d(cpu, &o, x, x, NULL, 4, table, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "at most 16777216");
    axis.bins = 0;
    CHECK_EQ_INT(gf_histogram_2d(cpu, &o, x, x, NULL, 4, table, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "x has 0 bins");
    axis.bins = 4;
    axis.lo = 5;
    CHECK_EQ_INT(gf_histogram_2d(cpu, &o, x, x, NULL, 4, table, NULL, 0, &error), GF_ERROR_ARGUMENT);
}

static const struct check_case cases[] = {
    {"by hand", by_hand},
    {"refuses", refuses},
    {"CPU variants", cpu_variants},
    {"CUDA variants", cuda_variants},
};
CHECK_MAIN(cases)
