/* The kernels "conv" and "gradient": the CPU on every SIMD level against the judge, the order of a chain,
 * where even sides lie, and angles against real numbers. */
#include "pass_draw.h"

#include "pixel/window/conv/conv.h"

#include <math.h>

/* docs/exactness.md: within 1.2e-7 of a turn. */
static void turns(void)
{
    const double pi = 3.14159265358979323846;
    double worst = 0;
    pass_draw_seed = 5;
    for (int i = 0; i < 400000; i++) {
        const float x = ((float)draw(2000001) - 1e6F) * (draw(2) ? 1e-6F : 1.0F);
        const float y = ((float)draw(2000001) - 1e6F) * (draw(2) ? 1e-6F : 1.0F);
        const double real = atan2(y, x) / (2 * pi), off = fabs(gf_turns(y, x) - (real < 0 ? real + 1 : real));
        worst = fmax(worst, fmin(off, 1 - off));
    }
    CHECK_MSG(worst < 1.2e-7, "turns are off by %g", worst);
    CHECK(gf_turns(0, 0) == 0 && gf_turns(0, 3) == 0 && gf_turns(-0.0F, 3) == 0 && gf_turns(2, 0) == 0.25F);
    CHECK(gf_turns(0, -1) == 0.5F && gf_turns(-5, 0) == 0.75F && gf_turns(1e-40F, 1e-45F) > 0.249F);
    CHECK(gf_turns(1, INFINITY) == 0 && gf_turns(-INFINITY, 1) == 0.75F);
    CHECK(isnan(gf_turns(NAN, 1)) && isnan(gf_turns(1, NAN)) && isnan(gf_turns(INFINITY, INFINITY)));
}

static struct gf_op *add_conv(int32_t rows, int32_t columns, const float *weights, gf_border border,
                              float fill)
{
    const struct gf_conv_args args = gf_conv_make(rows, columns);
    struct gf_op *op = op_case_window(&gf_kernel_conv, border, fill);
    op->u.window.args.own = gf_args_of(&args, sizeof args);
    op->blocks[0] = op_case_block(GF_F32, 1, rows * columns, weights);
    op->u.window.blocks[0] = 0;
    return op;
}

/* ---- every way ---- */

static void one_case(gf_depth depth, const int64_t size[2], int32_t channels, const int32_t sides[2],
                     gf_border border)
{
    float weights[64 * 16];
    char name[160];
    for (int32_t i = 0; i < sides[0] * sides[1]; i++) {
        weights[i] = draw(4) ? ((float)draw(200) - 99) / 256 : 0.0F;
    }
    op_case_begin(depth, channels, size[0], size[1]);
    add_conv(sides[0], sides[1], weights, border, 0.3F * (float)gf_depth_white(depth));
    void *in = draw_picture(&op_case.values[0], draw(3) > 0);
    snprintf(name, sizeof name, "%s %lld x %lld x %d, kernel %d x %d, %s", gf_depth_name(depth),
             (long long)size[0], (long long)size[1], (int)channels, (int)sides[1], (int)sides[0],
             gf_border_name(border));
    check_ways(in, 5, name);
    free(in);
}

static void all_ways(void)
{
    static const int64_t sizes[][2] = {{1, 1}, {1, 9}, {13, 1}, {2, 3}, {31, 33}, {150, 35}};
    static const int32_t sides[][2] = {{1, 1}, {1, 2}, {2, 1}, {3, 3}, {4, 5}, {7, 7}, {16, 1}, {2, 40}};
    pass_draw_seed = 9;
    for (int depth = GF_U8; depth <= GF_F32; depth++) {
        for (int size = 0; size < 6; size++) {
            for (int side = 0; side < 8; side++) {
                one_case((gf_depth)depth, sizes[size], 1 + (int32_t)draw(4), sides[side], (gf_border)draw(5));
            }
        }
    }
}

/* ---- the definition ---- */

/* The picture of f32 by the judge; the CPU gives the same. */
static void judge(const float *in, int64_t width, int64_t height, float *out)
{
    struct pass_case t;
    gf_error error = GF_ERROR_INIT;
    struct pass_way way = {.threads = 1};
    char why[256] = "";
    REQUIRE(pass_case_make(&t, in, &error) == GF_OK);
    memcpy(out, t.expected, (size_t)(width * height) * sizeof *out);
    CHECK_MSG(pass_case_check(&t, &way, why, sizeof why), "%s", why);
    pass_case_free(&t);
}

/* 1 + 1e8 - 1e8 is 0, from the other end it is 1: across a row, and from row to row. */
static void raster_order(void)
{
    const float ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const float row[9] = {0, 0, 0, 1, 1e8F, -1e8F, 0, 0, 0}, back[9] = {0, 0, 0, -1e8F, 1e8F, 1, 0, 0, 0};
    const float column[9] = {0, 0, 1, 0, 1e8F, 0, -1e8F, 0, 0},
                rising[9] = {0, 0, -1e8F, 0, 1e8F, 0, 1, 0, 0};
    const float *const in[4] = {row, back, column, rising};
    for (int i = 0; i < 4; i++) {
        float out[9];
        op_case_begin(GF_F32, 1, 3, 3);
        add_conv(3, 3, ones, GF_BORDER_CONSTANT, 0);
        judge(in[i], 3, 3, out);
        CHECK(out[4] == (i % 2 == 0 ? 0.0F : 1.0F));
    }
}

/* The pixel lies left of and above the middle; a weight of 0 is a weight. */
static void even_sides_and_zeros(void)
{
    const float corner[8] = {0, 0, 0, 0, 0, 0, 0, 1};
    float in[35], out[35];
    for (int i = 0; i < 35; i++) {
        in[i] = (float)i;
    }
    op_case_begin(GF_F32, 1, 7, 5);
    add_conv(2, 4, corner, GF_BORDER_REPLICATE, 0);
    judge(in, 7, 5, out);
    for (int i = 0; i < 35; i++) {
        const int x = i % 7 + 2, y = i / 7 + 1;
        CHECK(out[i] == in[(y > 4 ? 4 : y) * 7 + (x > 6 ? 6 : x)]);
    }
    in[17] = INFINITY;
    op_case_begin(GF_F32, 1, 7, 5);
    add_conv(2, 4, corner, GF_BORDER_REPLICATE, 0);
    judge(in, 7, 5, out);
    CHECK(isnan(out[17]) && isnan(out[16]) && out[8] == INFINITY && isnan(out[18]) && out[19] == 27.0F);
}

static const struct check_case cases[] = {
    {"angles in turns", turns},
    {"every way of the CPU gives the judge's bits", all_ways},
    {"sums are chains in raster order", raster_order},
    {"even sides, and weights of zero", even_sides_and_zeros},
};
CHECK_MAIN(cases)
