/* The kernel "bilateral" on CUDA against the judge: every radius that has a kernel of its own and some that
 * have none, around the edges of tiles, at aligned and other addresses, alone and between programs. */
#include "pass_cuda_random.h"

#include "pixel/window/bilateral/bilateral.h"

static void one_case(int i)
{
    static const int64_t widths[] = {1, 7, 16, 40, 255, 256, 257, 272, 519},
                         heights[] = {1, 2, 5, 63, 64, 65, 67, 130};
    stream_of_randoms = 9000 + (uint64_t)i;
    const gf_depth depth = i % 3 == 0 ? (gf_depth)below(3) : GF_U8;
    const int32_t channels = i % 3 == 0 ? 1 + (int32_t)below(4) : 1, radius = i % 8 == 0 ? 6 : i % 5;
    const int64_t width = widths[below(9)], height = heights[below(8)];
    const double white = gf_depth_white(depth), range = (0.02 + 0.1 * below(4)) * white;
    op_case_begin(depth, channels, width, height);
    if (below(3) == 0) {
        add_point(false, GF_NONE);
    }
    const struct gf_value v = op_case.values[op_case.list.output];
    if (v.channels > GF_BILATERAL_CHANNELS || v.depth == GF_S16) {
        return;
    }
    struct gf_op *op = op_case_window(&gf_kernel_bilateral, (gf_border)below(5), 0.3F * (float)white);
    const struct gf_bilateral_args args = {.fall = 0.02 + 0.3 * below(3),
                                           .reach = (float)(0.85 / range),
                                           .channel = {1, 1, 1, 1},
                                           .radius = radius,
                                           .radius_y = height > 1 ? radius : 0};
    op->u.window.args.own = gf_args_of(&args, sizeof args);
    if (below(3) == 0) {
        add_point(false, GF_NONE);
    }
    const struct layout in = random_layout(depth),
                        out = random_layout(op_case.values[op_case.list.output].depth);
    void *samples = random_samples(depth, (size_t)(width * height * channels), (enum content)below(CONTENTS));
    run_case(samples, in, out, true);
    free(samples);
}

static void tiles(void)
{
    NEEDS_DEVICE();
    for (int i = 0; i < 120; i++) {
        if (check_slice(i, 120)) {
            one_case(i);
        }
    }
}

static const struct check_case cases[] = {
    {"tiles of every radius, and pixels of any", tiles},
};
CHECK_MAIN(cases)
