/* The kernel "rank" on the CPU against the judge: each way that windows are found in, around the edges of its
 * strips and chunks, with windows beyond the picture. The networks themselves: test_rank_networks.c. */
#include "pass_draw.h"

#include "base/cpu_level.h"
#include "pixel/window/rank/rank.h"
#include "pixel/window/rank/rank_cpu.h"

static const double percentiles[] = {0, 3, 49, 50, 51, 97.5, 100};

static void one_case(gf_depth depth, int64_t width, int64_t height, int32_t radius_x, int32_t radius_y,
                     double percentile)
{
    const struct gf_rank_args args = gf_rank_make(radius_x, radius_y, percentile);
    const int32_t channels = 1 + (int32_t)draw(4);
    const gf_border border = (gf_border)draw(5);
    char name[160];
    op_case_begin(depth, channels, width, height);
    struct gf_op *op = op_case_window(&gf_kernel_rank, border, 0.3F * (float)gf_depth_white(depth));
    op->u.window.args.own = gf_args_of(&args, sizeof args);
    void *in = draw_picture(&op_case.values[0], draw(3) > 0);
    snprintf(name, sizeof name, "%s %lld x %lld x %d, radius %d and %d, %g %%, %s", gf_depth_name(depth),
             (long long)width, (long long)height, (int)channels, (int)radius_x, (int)radius_y, percentile,
             gf_border_name(border));
    check_ways(in, 4, name);
    free(in);
}

/* Medians of 3 x 3, 5 x 5 and 7 x 7. */
static void networks(void)
{
    static const int64_t widths[] = {1, 2, 15, 33, 70, 290}, heights[] = {1, 2, 9, 40};
    pass_draw_seed = 3;
    for (int i = 0; i < 60; i++) {
        const int32_t radius = 1 + i / 3 % 3;
        one_case((gf_depth)(i % 3), widths[draw(6)], heights[draw(4)], radius, radius, 50);
    }
}

/* Up to 7 rows, where windows count each sample, and one row more, from where on columns are counted. */
static void thin_windows(void)
{
    static const int64_t widths[] = {1, 7, 40, 90}, heights[] = {1, 3, 20};
    pass_draw_seed = 4;
    for (int i = 0; i < 60; i++) {
        one_case((gf_depth)(i % 3), widths[draw(4)], heights[draw(3)], (int32_t)draw(12), i / 3 % 5,
                 percentiles[draw(7)]);
    }
}

/* Windows that slide over columns: groups come back after pixels without them. */
static void columns(void)
{
    static const int64_t widths[] = {1, 30, 61, 150}, heights[] = {2, 11, 30};
    pass_draw_seed = 5;
    for (int i = 0; i < 40; i++) {
        one_case((gf_depth)(i % 3), widths[draw(4)], heights[draw(3)], (int32_t)draw(30),
                 4 + (int32_t)draw(8), percentiles[draw(7)]);
    }
}

/* More rows than a chunk of u16 or f32 has, and more distinct samples than there are groups. */
static void chunks(void)
{
    static const int64_t heights[] = {31, 32, 33, 64, 80};
    pass_draw_seed = 6;
    for (int i = 0; i < 24; i++) {
        one_case(i % 2 ? GF_U16 : GF_F32, 20 + (int64_t)draw(30), heights[draw(5)], 1 + (int32_t)draw(6),
                 i % 5 + (i % 8 == 7 ? 34 : 0), percentiles[draw(7)]);
    }
}

static uint32_t sample_at(const void *samples, gf_depth depth, int64_t i)
{
    return depth == GF_U8 ? ((const uint8_t *)samples)[i] : ((const uint16_t *)samples)[i];
}

static void check_row(const struct gf_rank_rows *functions, gf_depth depth, int64_t n, int64_t step)
{
    enum { ROOM = 400 };
    uint16_t rows[3][ROOM], made[ROOM];
    const void *lines[3] = {rows[0], rows[1], rows[2]};
    for (int64_t i = 0; i < 3 * ROOM; i++) {
        rows[i / ROOM][i % ROOM] = (uint16_t)(draw(4) * 0x5101 + draw(3));
    }
    memset(made, 0xa5, sizeof made);
    functions->median[depth][0](lines, made, n, step, rows[2]);
    for (int64_t x = 0; x < n; x++) {
        int below = 0, same = 0;
        const uint32_t found = sample_at(made, depth, x);
        for (int64_t i = 0; i < 9; i++) {
            const uint32_t v = sample_at(rows[i / 3], depth, x + i % 3 * step);
            below += v < found;
            same += v == found;
        }
        CHECK(below <= 4 && below + same > 4);
    }
    CHECK_EQ_INT(sample_at(made, depth, n), depth == GF_U8 ? 0xa5 : 0xa5a5);
}

/* Medians of 3 x 3 at each SIMD level: rows shorter than a vector, and whose last vector is not whole. */
static void levels(void)
{
    const struct gf_rank_rows *functions[] = {
        &gf_rank_rows_baseline,
#if defined(__x86_64__)
        &gf_rank_rows_avx2,
        &gf_rank_rows_avx512
#endif
    };
    pass_draw_seed = 7;
    for (int level = 0; level <= (int)gf_cpu_level(); level++) {
        for (int i = 0; i < 400; i++) {
            check_row(functions[level], i % 2 ? GF_U8 : GF_U16, 1 + (int64_t)draw(380), 1 + (int64_t)draw(5));
        }
    }
}

static const struct check_case cases[] = {
    {"medians of 3 x 3 at each level", levels}, {"medians by networks", networks},
    {"windows of few rows", thin_windows},      {"windows over counts of columns", columns},
    {"chunks of rows of u16 and f32", chunks},
};
CHECK_MAIN(cases)
