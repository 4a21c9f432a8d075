/* pass_cuda_windows.h: windows in the sizes around which the CUDA kernels of windows change their ways. Part
 * of test_pass_cuda.c. */
#ifndef PASS_CUDA_WINDOWS_H
#define PASS_CUDA_WINDOWS_H

#include "pass_cuda_random.h"

/* Windows over several pieces of a row, with more taps than are loaded at a time, and boxes so wide that sums
 * are carried from piece to piece. */
static void wide_windows(void)
{
    static const struct {
        enum window window;
        int32_t rx, ry;
        int64_t width, height;
    } cases[] = {{SEPARABLE, 70, 5, 600, 9}, {SEPARABLE, 6, 70, 300, 150}, {BOX, 300, 3, 1030, 7},
                 {BOX, 128, 128, 700, 300},  {BOX, 129, 40, 700, 100},     {GRADIENT, 1, 1, 1030, 9},
                 {GRADIENT, 1, 1, 1031, 9},  {GRADIENT, 1, 1, 1032, 9}};
    NEEDS_DEVICE();
    for (int i = 0; i < 48; i++) {
        const int64_t width = cases[i / 6].width, height = cases[i / 6].height;
        if (check_slice(i, 48)) {
            stream_of_randoms = 700 + (uint64_t)i;
            op_case_begin((gf_depth)(i % 3), 1 + i % 2, width, height);
            add_window(cases[i / 6].window, cases[i / 6].rx, cases[i / 6].ry, (gf_border)below(5));
            const struct gf_value *v = &op_case.values[op_case.list.input];
            void *samples = random_samples(v->depth, (size_t)(width * height * v->channels), NOISE);
            run_case(samples, plain, (struct layout){16 * below(2), 16 * below(2)}, true);
            free(samples);
        }
    }
}

/* Gaussians of a large sigma: every step that has kernels of its own and two more, pictures smaller than a
 * step and rows of several pieces, programs on both sides. */
static void large_sigmas(void)
{
    static const int64_t widths[] = {1, 2, 30, 131, 300, 601, 2100}, heights[] = {1, 2, 9, 40, 67};
    static const double sigmas[] = {8, 13, 16, 30, 32, 64, 200};
    static float weights[20000];
    NEEDS_DEVICE();
    for (int i = 0; i < 7 * 6; i++) {
        const struct gf_multirate m = gf_multirate_make(sigmas[i % 7]);
        if (!check_slice(i, 7 * 6)) {
            continue;
        }
        stream_of_randoms = 4000 + (uint64_t)i;
        const gf_depth depth = (gf_depth)below(3);
        const int32_t channels = 1 + (int32_t)(below(2) * below(4));
        const int64_t width = widths[below(7)], height = heights[below(width > 1000 ? 3 : 5)];
        op_case_begin(depth, channels, width, height);
        if (below(3) == 0) {
            add_point(false, GF_NONE);
        }
        if (op_case.values[op_case.list.output].depth != GF_F32) {
            op_case_point(GF_F32, channels);
        }
        gf_multirate_weights(&m, weights);
        op_case_multirate(&m, weights, (gf_border)below(5), 0.37F);
        if (below(2)) {
            add_point(true, GF_NONE);
        }
        void *samples =
            random_samples(depth, (size_t)(width * height * channels), (enum content)below(CONTENTS));
        run_case(samples, random_layout(depth), random_layout(op_case.values[op_case.list.output].depth),
                 true);
        free(samples);
    }
}

/* Windows alone, over one channel and several, of every radius that marches of separable windows
 * have and one more, boxes to beyond theirs, in sizes around their strips, with and without aligned rows. */
static void marches(void)
{
    static const int64_t widths[] = {1, 3, 8, 124, 127, 128, 129, 255, 256, 257, 260, 520, 1030};
    static const int64_t heights[] = {1, 2, 9, 15, 16, 17, 33};
    NEEDS_DEVICE();
    for (int i = 0; i < 4 * 9 * 8; i++) {
        const bool box = i % 4 == 3;
        const gf_depth depth = box ? GF_U8 : (gf_depth)(i % 4);
        const int32_t radius = (1 + i / 4 % 9) * (box ? 4 : 1) - (box ? i / 36 % 4 : 0);
        if (!check_slice(i, 4 * 9 * 8)) {
            continue;
        }
        stream_of_randoms = 2000 + (uint64_t)i;
        const int64_t width = widths[below(13)], height = heights[below(7)];
        const int32_t channels = box ? 1 : 1 + (int32_t)below(4);
        const size_t row = (size_t)(width * channels) * gf_depth_size(depth), to16 = (16 - row % 16) % 16;
        const struct layout wide = {0, to16}, odd = {gf_depth_size(depth) * below(16), gf_depth_size(depth)};
        op_case_begin(depth, channels, width, height);
        add_window(box ? BOX : SEPARABLE, radius, depth == GF_U8 ? (int32_t)below(9) : radius,
                   (gf_border)below(5));
        void *samples = random_samples(depth, (size_t)(width * height * channels),
                                       (enum content)below(depth == GF_F32 ? CONTENTS : SPECIAL));
        run_case(samples, below(3) ? wide : odd, below(3) ? wide : odd, true);
        free(samples);
    }
}

/* Bytes that SHARPEN takes from the window over them, as unsharp does: every radius of the march and one
 * more, a fill that is a byte or is none, thresholds. */
static void sharpened(void)
{
    static const int64_t widths[] = {1, 7, 111, 112, 113, 224, 240, 479, 480, 481, 1000, 1930};
    static const int64_t heights[] = {1, 2, 9, 17, 33};
    NEEDS_DEVICE();
    for (int i = 0; i < 10 * 12; i++) {
        const int32_t radius = i % 10;
        if (!check_slice(i, 10 * 12)) {
            continue;
        }
        stream_of_randoms = 6000 + (uint64_t)i;
        const int64_t width = widths[below(12)], height = heights[below(5)];
        const int32_t channels = below(3) ? 1 : 3;
        const size_t to16 = (16 - (size_t)(width * channels) % 16) % 16;
        const struct layout wide = {0, to16}, odd = {below(16), 1};
        op_case_begin(GF_U8, channels, width, height);
        op_case_point(GF_F32, channels);
        const int32_t centre = op_case.list.output;
        add_separable(radius, below(2) ? radius : (int32_t)below(9), (gf_border)below(5),
                      below(3) ? 25.0F : 25.5F);
        op_case_reads(op_case_point(GF_F32, channels), GF_INSN_SHARPEN, GF_OPERAND_CENTRE, centre, 1.5F,
                      below(2) ? 0.0F : 20.0F);
        op_case_insn(op_case_point(GF_U8, channels), GF_INSN_QUANTISE, 0, 0);
        void *samples =
            random_samples(GF_U8, (size_t)(width * height * channels), (enum content)below(SPECIAL));
        run_case(samples, below(3) ? wide : odd, below(3) ? wide : odd, true);
        free(samples);
    }
}

/* Marches of windows between programs: each radius that has a kernel, with each number of channels. */
static void marches_between_programs(void)
{
    NEEDS_DEVICE();
    for (int i = 0; i < 2 * 4 * 4 * 2; i++) {
        const gf_depth depth = i % 2 ? GF_F32 : GF_U8;
        const int32_t channels = 1 + i / 2 % 4, radius = 1 + i / 8 % 4;
        const bool sharpens = i / 32 > 0;
        if (!check_slice(i, 2 * 4 * 4 * 2)) {
            continue;
        }
        stream_of_randoms = 5000 + (uint64_t)i;
        const int64_t width = 1 + (int64_t)below(300), height = 1 + (int64_t)below(40);
        op_case_begin(depth, channels, width, height);
        struct gf_op *op = op_case_point(depth, channels);
        op_case_insn(op, GF_INSN_AFFINE, -1.0F, (float)gf_depth_white(depth));
        op_case_insn(op, GF_INSN_QUANTISE, 0, 0);
        const int32_t centre = op_case.list.output;
        add_window(SEPARABLE, radius, radius,
                   (gf_border)(i / 3 % GF_BORDER_WRAP)); /* wrap takes other ways */
        op = op_case_point(depth, channels);
        if (sharpens) {
            op_case_reads(op, GF_INSN_SHARPEN, GF_OPERAND_CENTRE, centre, 1.5F, 0.01F);
        } else {
            op_case_insn(op, GF_INSN_AFFINE, 1.25F, 0);
        }
        op_case_insn(op, GF_INSN_QUANTISE, 0, 0);
        void *samples =
            random_samples(depth, (size_t)(width * height * channels), (enum content)below(SPECIAL));
        run_case(samples, random_layout(depth), random_layout(depth), true);
        free(samples);
    }
}

/* Magnitudes of slopes of u8, which march, by every operator. */
static void magnitudes(void)
{
    static const int64_t widths[] = {1, 2, 239, 241, 500};
    NEEDS_DEVICE();
    for (int i = 0; i < 3 * 10; i++) {
        if (check_slice(i, 3 * 10)) {
            stream_of_randoms = 6000 + (uint64_t)i;
            const struct gf_gradient_args args = gf_gradient_make((enum gf_gradient_operator)(i % 3));
            const int64_t width = widths[below(5)], height = 1 + (int64_t)below(40);
            op_case_begin(GF_U8, 1, width, height);
            op_case_window(&gf_kernel_gradient, (gf_border)below(5), 77.0F)->u.window.args.own =
                gf_args_of(&args, sizeof args);
            struct gf_op *op = op_case_point(GF_U8, 1);
            op_case_insn(op, GF_INSN_MAGNITUDE, 1 / (2.0F * (float)args.unit * (float)args.unit), 0);
            op_case_insn(op, GF_INSN_QUANTISE, 0, 0);
            void *samples = random_samples(GF_U8, (size_t)(width * height), (enum content)below(SPECIAL));
            run_case(samples, random_layout(GF_U8), random_layout(GF_U8), true);
            free(samples);
        }
    }
}

#endif
