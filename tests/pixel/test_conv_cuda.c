/* The kernel "conv" on CUDA against the judge: marches of every radius and one more, kernels with sides of
 * their own, in sizes around strips and segments, at aligned and other addresses, alone and between programs.
 */
#include "pass_cuda_random.h"

#include "pixel/window/conv/conv.h"

static void one_case(int i)
{
    static const int64_t widths[] = {1, 2, 7, 31, 112, 113, 127, 128, 129, 240, 257, 500},
                         heights[] = {1, 2, 3, 8, 15, 16, 17, 40};
    static const int32_t sides[][2] = {{3, 3}, {5, 5}, {7, 7}, {9, 9}, {1, 3},
                                       {4, 2}, {2, 5}, {6, 7}, {1, 1}, {1, 40}};
    static float weights[100];
    stream_of_randoms = 7000 + (uint64_t)i;
    const int32_t rows = sides[i / 3 % 10][0], columns = sides[i / 3 % 10][1];
    const gf_depth depth = (gf_depth)(i % 3);
    const int32_t channels = below(3) ? 1 : 1 + (int32_t)below(4);
    const int64_t width = widths[below(12)], height = heights[below(8)];
    const struct gf_conv_args args = gf_conv_make(rows, columns);
    for (int32_t k = 0; k < rows * columns; k++) {
        weights[k] = below(4) ? ((float)below(200) - 99) / 256 : 0.0F;
    }
    op_case_begin(depth, channels, width, height);
    if (below(4) == 0) {
        add_point(false, GF_NONE);
    }
    const struct gf_value v = op_case.values[op_case.list.output];
    if (v.channels > 4 || v.depth == GF_S16) {
        return;
    }
    const int32_t centre = op_case.list.output;
    struct gf_op *op =
        op_case_window(&gf_kernel_conv, (gf_border)below(5), 0.3F * (float)gf_depth_white(v.depth));
    op->u.window.args.own = gf_args_of(&args, sizeof args);
    op->blocks[0] = op_case_block(GF_F32, 1, rows * columns, weights);
    op->u.window.blocks[0] = 0;
    if (below(4) == 0) {
        add_point(true, centre);
    }
    const struct layout in = random_layout(depth),
                        out = random_layout(op_case.values[op_case.list.output].depth);
    void *samples = random_samples(depth, (size_t)(width * height * channels), (enum content)below(CONTENTS));
    run_case(samples, in, out, true);
    free(samples);
}

static void kernels(void)
{
    NEEDS_DEVICE();
    for (int i = 0; i < 180; i++) {
        if (check_slice(i, 180)) {
            one_case(i);
        }
    }
}

static const struct check_case cases[] = {
    {"kernels that march, and any other", kernels},
};
CHECK_MAIN(cases)
