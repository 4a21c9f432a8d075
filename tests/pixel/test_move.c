/* The kernel "move": every depth, number of channels, border, orientation and offset, by the judge, the CPU,
 * in bands, and CUDA where it is. What the judge itself says is compared with pixels that were moved by hand.
 */
#include "map_case.h"

#include "pixel/ir/move.h"

static void check_by_hand(const struct gf_move_args *args, int64_t width, int64_t height,
                          const char *expected, const char *what)
{
    char made[64] = "";
    gf_error error = GF_ERROR_INIT;
    op_case_begin(GF_U8, 1, 3, 2);
    map_op(&gf_kernel_move, GF_U8, width, height, args, sizeof *args);
    REQUIRE(op_case_run("abcdef", made, 0, NULL, &error) == GF_OK);
    CHECK_MSG(strcmp(made, expected) == 0, "%s: %s, expected %s", what, made, expected);
}

/* abc
 * def */
static void judged_by_hand(void)
{
    const struct gf_move_args right = {.x0 = 1, .y0 = 0, .step_x = 1, .step_y = 1};
    const struct gf_move_args mirror = {.x0 = 2, .y0 = 1, .step_x = -1, .step_y = -1};
    const struct gf_move_args swap = {.swapped = 1, .step_x = 1, .step_y = 1};
    const struct gf_move_args clockwise = {.y0 = 1, .swapped = 1, .step_x = 1, .step_y = -1};
    struct gf_move_args pad = {.x0 = -5, .y0 = 0, .step_x = 1, .step_y = 1};
    check_by_hand(&right, 2, 2, "bcef", "crop");
    check_by_hand(&mirror, 3, 2, "fedcba", "half a turn");
    check_by_hand(&swap, 2, 3, "adbecf", "transposed");
    check_by_hand(&clockwise, 2, 3, "daebfc", "a quarter clockwise");
    check_by_hand(&pad, 8, 1, "aaaaaabc", "replicate");
    pad.border = GF_BORDER_REFLECT101;
    check_by_hand(&pad, 8, 1, "babcbabc", "reflect101");
    pad.border = GF_BORDER_REFLECT;
    check_by_hand(&pad, 8, 1, "bccbaabc", "reflect");
    pad.border = GF_BORDER_WRAP;
    check_by_hand(&pad, 8, 1, "bcabcabc", "wrap");
    pad.border = GF_BORDER_CONSTANT;
    pad.fill[0] = '.';
    pad.y0 = -1;
    check_by_hand(&pad, 8, 2, ".............abc", "constant");
}

static struct gf_move_args random_args(int64_t width, int64_t height, bool inside)
{
    struct gf_move_args args = {.swapped = (int32_t)map_random(2),
                                .step_x = map_random(2) ? 1 : -1,
                                .step_y = map_random(2) ? 1 : -1,
                                .border = (int32_t)map_random(5)};
    args.x0 = args.step_x > 0 ? 0 : width - 1;
    args.y0 = args.step_y > 0 ? 0 : height - 1;
    if (!inside) {
        args.x0 += (int64_t)map_random(9) - 4;
        args.y0 += (int64_t)map_random(9) - 4;
    }
    for (size_t i = 0; i < sizeof args.fill; i++) {
        args.fill[i] = (unsigned char)map_random(256);
    }
    return args;
}

static void move_case(gf_depth depth, int32_t channels, int64_t width, int64_t height,
                      const struct gf_move_args *args, int64_t more)
{
    const int64_t out_width = (args->swapped ? height : width) + more;
    const int64_t out_height = (args->swapped ? width : height) + (more > 0 ? (int64_t)map_random(20) : 0);
    char what[160];
    op_case_begin(depth, channels, width, height);
    const struct gf_op *op = map_op(&gf_kernel_move, depth, out_width, out_height, args, sizeof *args);
    snprintf(what, sizeof what, "%s c%d %lldx%lld from %lld%+d,%lld%+d%s border %d to %lldx%lld",
             gf_depth_name(depth), channels, (long long)width, (long long)height, (long long)args->x0,
             args->step_x, (long long)args->y0, args->step_y, args->swapped ? " swapped" : "", args->border,
             (long long)out_width, (long long)out_height);
    unsigned char *in = map_bytes((size_t)(row_bytes(&op_case.values[0]) * height));
    map_check(op, in, what);
    free(in);
}

static void one_case(gf_depth depth, int64_t width, int64_t height)
{
    const int32_t channels = 1 + (int32_t)map_random(4);
    const bool inside = map_random(3) == 0;
    const struct gf_move_args args = random_args(width, height, inside);
    move_case(depth, channels, width, height, &args, inside ? 0 : (int64_t)map_random(20));
}

static void all_ways(void)
{
    static const gf_depth depths[] = {GF_U8, GF_U16, GF_F32, GF_U32, GF_U64, GF_F64};
    static const int64_t sizes[][2] = {{1, 1}, {1, 7}, {9, 1}, {3, 2}, {17, 33}, {70, 41}, {131, 9}};
    long n = 0;
    for (int round = 0; round < 12; round++) {
        for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                map_state = (uint64_t)n + 1;
                if (check_slice(n++, 12 * 6 * 7)) {
                    one_case(depths[d], sizes[s][0], sizes[s][1]);
                }
            }
        }
    }
}

/* All of the picture, turned in each way: rows begin and end in the midst of vectors, words and tiles. */
static void tiles(void)
{
    static const gf_depth depths[] = {GF_U8, GF_U16, GF_F32, GF_F64};
    static const int64_t sizes[][2] = {{131, 129}, {64, 136}, {75, 202}};
    long n = 0;
    for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
        for (int32_t channels = 1; channels <= 4; channels++) {
            for (int way = 0; way < 8; way++) {
                map_state = (uint64_t)n + 77;
                if (check_slice(n++, 4 * 4 * 8)) {
                    const int64_t *size = sizes[map_random(3)];
                    struct gf_move_args args = {.swapped = way & 1,
                                                .step_x = way & 2 ? -1 : 1,
                                                .step_y = way & 4 ? -1 : 1,
                                                .border = GF_BORDER_REPLICATE};
                    args.x0 = args.step_x > 0 ? 0 : size[0] - 1;
                    args.y0 = args.step_y > 0 ? 0 : size[1] - 1;
                    move_case(depths[d], channels, size[0], size[1], &args, 0);
                }
            }
        }
    }
}

/* So large that axes that are swapped are written past the caches, in lines that pieces of rows share. */
static void past_caches(void)
{
    for (int way = 0; way < 4; way++) {
        const struct gf_move_args args = {.x0 = way & 1 ? 370 : 0,
                                          .y0 = way & 2 ? 360 : 0,
                                          .swapped = 1,
                                          .step_x = way & 1 ? -1 : 1,
                                          .step_y = way & 2 ? -1 : 1,
                                          .border = GF_BORDER_REPLICATE};
        map_state = (uint64_t)way + 5;
        if (check_slice(way, 4)) {
            move_case(GF_F64, 4, 371, 361, &args, 0);
        }
    }
}

static void cuda_takes_part(void)
{
    NEEDS_DEVICE();
    CHECK(gf_kernel_move.apply.cuda != NULL);
}

static const struct check_case cases[] = {
    {"the judge, by hand", judged_by_hand}, {"judge, CPU, bands, CUDA", all_ways}, {"tiles", tiles},
    {"past the caches", past_caches},       {"CUDA takes part", cuda_takes_part},
};
CHECK_MAIN(cases)
