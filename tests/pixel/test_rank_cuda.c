/* Ranks on a CUDA device against the judge, bit for bit: every way, in sizes around its strips and segments,
 * with windows beyond the picture, of all depths and channels, alone and between programs. */
#include "pass_cuda_random.h"
#include "pixel/window/rank/rank.h"

static const int64_t widths[] = {1, 2, 5, 15, 59, 127, 128, 129, 239, 241, 260, 479, 481, 500};
static const int64_t heights[] = {1, 2, 3, 9, 15, 16, 17, 33, 40};
static const double percentiles[] = {0, 10, 49, 50, 51, 99.5, 100};

static void add_rank(int32_t rx, int32_t ry, double percentile, gf_border border)
{
    const gf_depth depth = op_case.values[op_case.list.output].depth;
    const struct gf_rank_args args = gf_rank_make(rx, ry, percentile);
    struct gf_op *op = op_case_window(&gf_kernel_rank, border,
                                      depth == GF_F32  ? 0.37F
                                      : depth == GF_U8 ? 77
                                                       : 1234);
    op->u.window.args.own = gf_args_of(&args, sizeof args);
}

/* A picture of that size through one rank; `around`: programs before and after it. */
static void rank_case(const char *path, gf_depth depth, int32_t channels, int64_t width, int64_t height,
                      int32_t rx, int32_t ry, double percentile, bool around)
{
    struct gf_pass pass;
    op_case_begin(depth, channels, width, height);
    if (around && below(2)) {
        add_point(false, GF_NONE);
    }
    const int32_t centre = op_case.list.output;
    add_rank(rx, ry, percentile, (gf_border)below(5));
    if (around) {
        add_point(true, centre);
    }
    fuse(&pass, true);
    const char *taken = gf_pass_path(&pass, 0)->name;
    CHECK_MSG(strcmp(taken, path) == 0, "path %s, expected %s", taken, path);
    void *samples = random_samples(depth, (size_t)(width * height * channels),
                                   (enum content)below(depth == GF_F32 ? CONTENTS : SPECIAL));
    run_case(samples, random_layout(depth), random_layout(op_case.values[op_case.list.output].depth), true);
    free(samples);
}

/* Medians of 3 x 3 over one channel. */
static void marches(void)
{
    NEEDS_DEVICE();
    for (int i = 0; i < 90; i++) {
        if (check_slice(i, 90)) {
            stream_of_randoms = 9000 + (uint64_t)i;
            randoms_taken = 0;
            rank_case("march-median", (gf_depth)(i % 3), 1, widths[below(14)], heights[below(9)], 1, 1, 50,
                      false);
        }
    }
}

/* Medians of 3 x 3 to 15 x 15 by networks. */
static void networks(void)
{
    NEEDS_DEVICE();
    for (int i = 0; i < 7 * 3 * 5; i++) {
        if (check_slice(i, 7 * 3 * 5)) {
            stream_of_randoms = 9500 + (uint64_t)i;
            randoms_taken = 0;
            const int32_t radius = 1 + i % 7,
                          channels = radius == 1 ? 2 + (int32_t)below(3) : 1 + (int32_t)below(4);
            const int64_t width = widths[below(channels > 1 ? 9 : 14)],
                          height = heights[below(width > 300 ? 5 : 9)];
            rank_case("networks", (gf_depth)(i / 7 % 3), channels, width, height, radius, radius, 50,
                      i % 2 == 0);
        }
    }
}

/* Any other: for u8 over columns in shared memory and in scratch, with radii beyond the picture. */
static void others(void)
{
    static const int32_t radii[] = {0, 1, 2, 3, 8, 20, 75, 300};
    NEEDS_DEVICE();
    for (int i = 0; i < 90; i++) {
        if (check_slice(i, 90)) {
            stream_of_randoms = 9900 + (uint64_t)i;
            randoms_taken = 0;
            const gf_depth depth = (gf_depth)(i % 3);
            const int32_t rx = radii[below(depth == GF_U8 ? 8 : 6)], ry = radii[below(6)];
            const double percentile = rx == ry ? percentiles[below(2)] : percentiles[below(7)];
            const int64_t width = widths[below(rx > 60 || depth != GF_U8 ? 5 : 14)],
                          height = heights[below(5)];
            const int32_t channels = width > 130 ? 1 : 1 + (int32_t)below(4);
            rank_case(depth == GF_U8 ? "column-histograms" : "digits", depth, channels, width, height, rx, ry,
                      percentile, i % 4 == 0);
        }
    }
}

/* Columns in scratch, over several strips and segments. */
static void scratch_columns(void)
{
    NEEDS_DEVICE();
    for (int i = 0; i < 4; i++) {
        if (check_slice(i, 4)) {
            stream_of_randoms = 9990 + (uint64_t)i;
            randoms_taken = 0;
            rank_case("column-histograms", GF_U8, 1, i % 2 ? 530 : 300, 12, 74 + i, i / 2, percentiles[i + 1],
                      false);
        }
    }
}

static const struct check_case cases[] = {
    {"marches", marches},
    {"networks", networks},
    {"any rank of any window", others},
    {"columns in scratch", scratch_columns},
};

CHECK_MAIN(cases)
