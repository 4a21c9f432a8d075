/* The CPU executor against the judge, bit for bit: every window, depth, channel count and border, small and
 * narrow pictures, radii beyond the picture; by every SIMD level, and tiles and threads that must not show.
 */
#include "pass_draw.h"

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

/* ---- every window ---- */

static const struct {
    int64_t width, height;
} sizes[] = {{1, 1}, {1, 9}, {13, 1}, {2, 3}, {7, 5}, {31, 33}, {65, 18}, {140, 35}};
static const struct {
    int32_t x, y;
} radii[] = {{0, 0}, {1, 1}, {2, 2}, {3, 0}, {0, 4}, {17, 5}, {40, 37}};

static void window_case(const struct gf_kernel *kernel, gf_depth depth, int32_t channels, gf_border border,
                        int size, int radius)
{
    static char weights_x[4 * 200], weights_y[4 * 200];
    int64_t width = sizes[size].width, height = sizes[size].height;
    int32_t rx = radii[radius].x, ry = radii[radius].y;
    float fill = depth == GF_U8 ? 77.4F : depth == GF_U16 ? 12345.5F : 0.25F;
    char name[160];

    op_case_begin(depth, channels, width, height);
    if (kernel == &gf_kernel_separable) {
        draw_weights(weights_x, rx, depth == GF_U8, 14);
        draw_weights(weights_y, ry, depth == GF_U8, 14);
        op_case_separable(rx, ry, weights_x, weights_y, border, fill);
    } else if (kernel == &gf_kernel_box) {
        op_case_box(rx, ry, border, fill);
    } else {
        op_case_window(kernel, border, fill);
    }
    void *in = draw_picture(&op_case.values[0], draw(2) == 0);
    snprintf(name, sizeof name, "%s %s %lldx%lldx%d %s radius %d %d", kernel->name, gf_depth_name(depth),
             (long long)width, (long long)height, (int)channels, gf_border_name(border), (int)rx, (int)ry);
    check_ways(in, 5, name);
    free(in);
}

static void window_cases(const struct gf_kernel *kernel)
{
    pass_draw_seed = 1;
    int n_radii = kernel == &gf_kernel_gradient ? 1 : (int)(sizeof radii / sizeof radii[0]);
    for (int depth = GF_U8; depth <= GF_F32; depth++) {
        for (int size = 0; size < (int)(sizeof sizes / sizeof sizes[0]); size++) {
            for (int radius = 0; radius < n_radii; radius++) {
                for (int border = 0; border < 5; border++) {
                    bool small = sizes[size].width * sizes[size].height < 100;
                    int32_t first = small ? 1 : 1 + (int32_t)draw(4); /* one channel count where it is slow */
                    for (int32_t channels = first; channels <= (small ? 4 : first); channels++) {
                        window_case(kernel, (gf_depth)depth, channels, (gf_border)border, size, radius);
                    }
                }
            }
        }
    }
}

static void separable(void)
{
    window_cases(&gf_kernel_separable);
}

static void box(void)
{
    window_cases(&gf_kernel_box);
}

static void gradient(void)
{
    window_cases(&gf_kernel_gradient);
}

/* Gaussians of a large sigma, of steps from 4 to 64, with and without a program before it, over pictures far
 * smaller than a step and larger than several. */
static void multirate(void)
{
    static const struct {
        int64_t width, height;
    } grids[] = {{1, 1}, {1, 9}, {300, 1}, {2, 3}, {7, 5}, {31, 33}, {65, 18}, {170, 75}};
    static const double sigmas[] = {8, 13.5, 16, 23, 40, 70, 150};
    static float weights[20000];
    pass_draw_seed = 5;
    for (int i = 0; i < 8 * 7 * 5; i++) {
        const struct gf_multirate m = gf_multirate_make(sigmas[i / 8 % 7]);
        gf_depth depth = (gf_depth)draw(3);
        int32_t channels = 1 + (int32_t)draw(i % 8 < 5 ? 4 : 2);
        gf_border border = (gf_border)(i % 5);
        char name[160];
        if (!check_slice(i, 8 * 7 * 5)) {
            continue;
        }
        op_case_begin(depth, channels, grids[i % 8].width, grids[i % 8].height);
        if (depth != GF_F32) {
            op_case_point(GF_F32, channels);
        }
        gf_multirate_weights(&m, weights);
        op_case_multirate(&m, weights, border, 0.25F);
        void *in = draw_picture(&op_case.values[0], draw(2) == 0);
        snprintf(name, sizeof name, "step %d, %s, %lldx%lldx%d, %s", (int)m.step, gf_depth_name(depth),
                 (long long)grids[i % 8].width, (long long)grids[i % 8].height, (int)channels,
                 gf_border_name(border));
        check_ways(in, 5, name);
        free(in);
    }
}

/* Sums beyond 32 bits; every way that the executor has of adding. */
static void box_wide(void)
{
    static const int32_t radii_u16[] = {130, 200};
    pass_draw_seed = 2;
    for (int i = 0; i < 2; i++) {
        op_case_begin(GF_U16, 2, 9, 7);
        op_case_box(radii_u16[i], 131, GF_BORDER_REFLECT, 0.0F);
        void *in = draw_picture(&op_case.values[0], true);
        check_ways(in, 8, "wide box u16");
        free(in);
    }
    op_case_begin(GF_U8, 1, 5, 3);
    op_case_box(2100, 2100, GF_BORDER_WRAP, 0.0F);
    void *in = draw_picture(&op_case.values[0], true);
    check_ways(in, 3, "wide box u8");
    free(in);
}

/* Radii that cover the picture, and turns of the border beyond them, by strips and bands. */
static void box_turns(void)
{
    static const int64_t pictures[][2] = {{1, 1}, {1, 7}, {9, 1}, {21, 6}, {130, 2}};
    pass_draw_seed = 3;
    for (int n = 0; n < 5 * 5 * 3 * 4; n++) {
        const int64_t *size = pictures[n % 5];
        const gf_border border = (gf_border)(n / 5 % 5);
        char name[96];
        op_case_begin((gf_depth)(GF_U8 + n / 25 % 3), 1 + n / 75, size[0], size[1]);
        struct gf_box_args *args =
            &op_case_box((int32_t)size[0] + (int32_t)draw(9), 0, border, 0.25F)->u.window.args.box;
        args->turns_x = 1 + (int32_t)draw(2000);
        if (size[1] > 1) {
            args->radius_y = (int32_t)size[1] + (int32_t)draw(9);
            args->turns_y = (int32_t)draw(3) * 500;
        }
        snprintf(name, sizeof name, "%s %lld x %lld, %d and %d turns of %s",
                 gf_depth_name(op_case.values[0].depth), (long long)size[0], (long long)size[1],
                 (int)args->turns_x, (int)args->turns_y, gf_border_name(border));
        void *in = draw_picture(&op_case.values[0], draw(2) == 0);
        check_ways(in, 6, name);
        free(in);
    }
}

/* An embedding program may flush subnormals or round upwards: results stay, and so does its mode. */
/* Every mode of two pictures of bytes in full; five of them are made as bytes. Both are the same picture. */
static void blends(void)
{
    char name[80];
    for (int32_t i = 0; i < 8 * 4 * (int32_t)(sizeof sizes / sizeof sizes[0]); i++) {
        const int64_t width = sizes[i / 32].width * 3, height = sizes[i / 32].height;
        op_case_begin(GF_U8, 1 + i / 8 % 4, width, height);
        struct gf_op *op = op_case_point(GF_U8, 1 + i / 8 % 4);
        op_case_insn(op, GF_INSN_DIVIDE, 255, 0);
        op_case_reads(op, GF_INSN_BLEND, GF_OPERAND_SECOND, op_case.list.input, 1, 255)->arg =
            (uint8_t)(i % 8);
        op_case_insn(op, GF_INSN_AFFINE, 255, 0);
        op_case_insn(op, GF_INSN_QUANTISE, 0, 0);
        void *in = draw_picture(&op_case.values[0], false);
        snprintf(name, sizeof name, "mode %d of %lld x %lld x %d", (int)(i % 8), (long long)width,
                 (long long)height, (int)(1 + i / 8 % 4));
        check_ways(in, 5, name);
        free(in);
    }
}

/* RGB of bytes by a matrix. */
static void mixes(void)
{
    static const float all[2][3 * 4] = {{.3F, .6F, .1F, -.2F, -1, .5F, 1.25F, 20, .125F, 0, 1, .5F},
                                        {3e38F, -3e38F, .5F, 9, 1e9F, -9e8F, 0, 7, -3e38F, 3e38F, 0, 0}};
    for (int64_t width = 1; width < 260; width += width < 60 ? 1 : 7) {
        const float *rows = all[width % 2];
        op_case_begin(GF_U8, 3, width, 3);
        struct gf_op *op = op_case_point(GF_U8, 3);
        op->blocks[0] = op_case_block(GF_F32, 3, 4, rows);
        struct gf_insn *insn = op_case_insn(op, GF_INSN_MATRIX, 0, 0);
        insn->block = 0;
        insn->arg = 3;
        op_case_insn(op, GF_INSN_QUANTISE, 0, 0);
        void *in = draw_picture(&op_case.values[0], false);
        check_ways(in, 5, "matrix of RGB");
        free(in);
    }
}

static void float_mode(void)
{
#ifdef __SSE2__
    static const float weights[3] = {0.25F, 0.5F, 0.25F};
    struct pass_case t;
    gf_error error = GF_ERROR_INIT;
    char why[512] = "";
    struct pass_way way = {.threads = 2, .options = {.band_height = 3}};
    float in[80];

    for (int i = 0; i < 80; i++) {
        in[i] = 1e-41F * (float)i;
    }
    op_case_begin(GF_F32, 1, 8, 10);
    op_case_separable(1, 1, weights, weights, GF_BORDER_REPLICATE, 0.0F);
    op_case_tap(&gf_kernel_stats, 0, 0, 0);
    bool ok = pass_case_make(&t, in, &error) == GF_OK;
    unsigned before = _mm_getcsr();
    unsigned strange = before | 0x8040 | 0x4000; /* flush to zero, subnormals are zero, round upwards */
    _mm_setcsr(strange);
    ok = ok && pass_case_check(&t, &way, why, sizeof why);
    unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    CHECK_MSG(ok, "%s", why);
    CHECK_EQ_INT(after & 0xffc0, strange & 0xffc0);
    pass_case_free(&t);
#else
    SKIP("no SSE control register");
#endif
}

/* Radii far beyond the picture take scratch in proportion to their rows, not to their square. */
static void scratch_is_bounded(void)
{
    static int16_t weights[2 * 5000 + 1];
    op_case_begin(GF_U8, 1, 8000, 5000);
    op_case_separable(5000, 5000, weights, weights, GF_BORDER_WRAP, 0.0F);
    struct gf_pass pass;
    struct gf_run run;
    pass_case_fuse(&pass, &run);
    size_t one = gf_pass_cpu_scratch(&pass, 1, NULL);
    CHECK_MSG(one < 8 << 20, "%zu bytes", one);
    CHECK_EQ_INT(gf_pass_cpu_scratch(&pass, 3, NULL), 3 * one);
}

static void refusals(void)
{
    struct gf_pass pass;
    struct gf_run run;
    gf_error error = GF_ERROR_INIT;
    unsigned char picture[4] = {0};

    op_case_begin(GF_U8, 1, 2, 2);
    op_case_box(INT32_MAX, INT32_MAX, GF_BORDER_WRAP, 0.0F);
    pass_case_fuse(&pass, &run);
    run.threads = 1;
    CHECK_EQ_INT(gf_pass_cpu(&run, NULL, &error), GF_ERROR_LIMIT);
    CHECK_STR_HAS(error.message, "box");
    pass.window.depth_out = GF_F32;
    CHECK_EQ_INT(gf_pass_cpu(&run, NULL, &error), GF_ERROR_UNSUPPORTED);
    pass.window.kernel = &gf_kernel_separable;
    CHECK_EQ_INT(gf_pass_cpu(&run, NULL, &error), GF_ERROR_UNSUPPORTED);
    pass.window.kernel = &gf_kernel_gradient;
    CHECK_EQ_INT(gf_pass_cpu(&run, NULL, &error), GF_ERROR_UNSUPPORTED);
    pass.window.depth_in = pass.window.depth_out = GF_S16; /* which no window reads */
    for (const struct gf_kernel *const *kernel = gf_kernels; *kernel; kernel++) {
        if ((*kernel)->kind == GF_KERNEL_WINDOW) {
            pass.window.kernel = *kernel;
            CHECK_EQ_INT(gf_pass_cpu(&run, NULL, &error), GF_ERROR_UNSUPPORTED);
            CHECK_STR_HAS(error.message, (*kernel)->name);
        }
    }
    pass.window.kernel = &gf_kernel_bilateral;
    pass.window.depth_in = pass.window.depth_out = GF_U8;
    pass.window.channels_in = 5;
    CHECK_EQ_INT(gf_pass_cpu(&run, NULL, &error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "5 channels");

    op_case_begin(GF_U8, 1, 2, 2);
    op_case_insn(op_case_point(GF_U8, 1), GF_INSN_KEEP, 0, 0)->mask = 0;
    pass_case_fuse(&pass, &run);
    run.threads = 1;
    run.in.data = run.out.data = picture;
    CHECK_EQ_INT(gf_pass_cpu(&run, NULL, &error), GF_ERROR_INTERNAL);
    pass.pre.n = 0;
    pass.pre.depth_in = GF_U64;
    CHECK_EQ_INT(gf_pass_cpu(&run, NULL, &error), GF_ERROR_UNSUPPORTED);
}

static const struct check_case cases[] = {
    {"separable", separable},   {"box", box},
    {"gradient", gradient},     {"multirate", multirate},
    {"box_wide", box_wide},     {"box_turns", box_turns},
    {"blends", blends},         {"mixes", mixes},
    {"float_mode", float_mode}, {"scratch_is_bounded", scratch_is_bounded},
    {"refusals", refusals}};

CHECK_MAIN(cases)
