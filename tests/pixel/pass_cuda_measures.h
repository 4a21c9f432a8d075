/* pass_cuda_measures.h: sums, extremes and counts of passes, and what is solved from them. Part of
 * test_pass_cuda.c. */
#ifndef PASS_CUDA_MEASURES_H
#define PASS_CUDA_MEASURES_H

#include "pass_cuda_random.h"

/* f32 sums over every small number of cells, odd ones too, on finite samples so that nothing hides. */
static void sums_of_cells(void)
{
    static const int64_t sides[][2] = {{128, 32}, {129, 32}, {300, 33}, {300, 32},
                                       {257, 70}, {600, 5},  {900, 3},  {127, 100}};
    NEEDS_DEVICE();
    for (size_t n = 0; n < 4 * sizeof sides / sizeof sides[0]; n++) {
        const size_t i = n / 4;
        stream_of_randoms = 40 + n;
        int32_t channels = 1 + (int32_t)below(n % 4 ? 1 : 3);
        op_case_begin(GF_F32, channels, sides[i][0], sides[i][1]);
        op_case_tap(&gf_kernel_stats, 0, 0, 0);
        if (below(2)) {
            op_case_tap(&gf_kernel_hist, 1 + (int32_t)below(300), 0.1F, 0.8F);
        }
        void *samples =
            random_samples(GF_F32, (size_t)(sides[i][0] * sides[i][1] * channels), (enum content)(n % 4));
        run_case(samples, plain, plain, false);
        free(samples);
    }
}

/* Bytes, in sizes around the chunks and blocks of their own kernels: packed rows, rows apart, an odd start;
 * extremes that stand there once, often and last; counted for STATS alone, or by HIST taps before and after.
 */
static void stats_of_bytes(void)
{
    static const int64_t sides[][2] = {{1, 1},  {15, 1},   {16, 1},     {17, 3},   {100, 41},
                                       {32, 7}, {4096, 3}, {1030, 130}, {1600, 9}, {512, 100}};
    NEEDS_DEVICE();
    for (int i = 0; i < 10 * 8; i++) {
        const int64_t width = sides[i / 8][0], height = sides[i / 8][1];
        const struct layout layouts[] = {plain, {0, 16}, {1, 0}, plain};
        stream_of_randoms = 60 + (uint64_t)i;
        const int32_t channels = i % 8 < 4 ? 1 : 1 + (int32_t)below(4);
        const size_t n = (size_t)(width * height * channels);
        op_case_begin(GF_U8, channels, width, height);
        if (below(3) == 0) {
            op_case_tap(&gf_kernel_hist, 256, 0, 0)->u.tap.mask = (uint8_t)(below(2) ? 0xff : 2);
        }
        op_case_tap(&gf_kernel_stats, 0, 0, 0)->u.tap.mask = (uint8_t)(below(4) ? 0xff : 5);
        if (below(3) == 0) {
            op_case_tap(&gf_kernel_hist, 256, 0, 0);
        }
        uint8_t *samples = random_samples(GF_U8, n, NOISE);
        if (i % 4 == 3) {
            memset(samples, 7, n);
            samples[n - 1] = (uint8_t)(i % 8 == 3 ? 6 : 255);
        }
        run_case(samples, layouts[i % 4], plain, false);
        free(samples);
    }
}

/* ---- solves ---- */

static void solve_case(bool otsu, gf_depth depth, bool ranged, enum content content, uint64_t seed)
{
    gf_error error = GF_ERROR_INIT;
    stream_of_randoms = 9000 + seed;
    randoms_taken = 0;
    op_case_begin(depth, 3, 40, 30);
    int32_t bins = depth == GF_U8 ? 256 : depth == GF_U16 ? 65536 : 200;
    struct gf_op *op = op_case_tap(&gf_kernel_hist, bins, 0.0F, 1.0F);
    int32_t counts = op->u.tap.out;
    int32_t range = ranged ? op_case_block(GF_F32, 8, 2, ranges) : GF_NONE;
    if (ranged) {
        op->blocks[0] = range;
        op->u.tap.range = 0;
    }
    op = op_case_solve(otsu ? &gf_kernel_otsu : &gf_kernel_equalize, counts, range, otsu ? GF_F32 : depth,
                       otsu ? 1 : bins,
                       depth == GF_U8    ? 255.0F
                       : depth == GF_U16 ? 65535.0F
                                         : 1.0F);
    op_case_solve_mask(op, 1 + (uint32_t)below(7));
    int32_t solved = op->out;
    size_t counts_bytes = (size_t)row_bytes(&op_case.values[counts]);
    size_t bytes = (size_t)row_bytes(&op_case.values[solved]);
    void *samples = random_samples(depth, 40 * 30 * 3, content);
    void *counted = malloc(counts_bytes), *expected = malloc(bytes), *got = malloc(bytes);
    void *blocks[OP_CASE_MAX] = {NULL};
    blocks[counts] = counted;
    blocks[solved] = expected;
    gf_image image = op_case_image(0, samples);
    CHECK_EQ_INT(gf_reference_run(&op_case.list, &image, NULL, blocks, &error), GF_OK);
    void *device_counts = to_device(counted, counts_bytes);
    void *device_range = ranged ? to_device(ranges, sizeof ranges) : NULL;
    void *out = device_memory(bytes);
    struct gf_apply_run run = op_case_apply_run(op);
    run.queue = queue;
    run.in[0].data = device_counts;
    run.in[1].data = device_range;
    run.out[0].data = out;
    CHECK_EQ_INT(op->u.apply.kernel->apply.cuda(&run, &error), GF_OK);
    CHECK_EQ_INT(gf_cuda_backend()->copy(queue, GF_COPY_DOWNLOAD, got, (int64_t)bytes, out, (int64_t)bytes,
                                         bytes, 1, NULL),
                 GF_OK);
    CHECK_EQ_INT(gf_cuda_backend()->wait(queue, NULL), GF_OK);
    CHECK_MEM(got, expected, bytes);
    gf_cuda_backend()->release(queue.device, device_counts);
    gf_cuda_backend()->release(queue.device, device_range);
    gf_cuda_backend()->release(queue.device, out);
    free(samples);
    free(counted);
    free(expected);
    free(got);
}

static void solves(void)
{
    NEEDS_DEVICE();
    for (int i = 0; i < 12; i++) {
        for (int otsu = 0; otsu < 2; otsu++) {
            solve_case(otsu, (gf_depth)(i % 3), false, (enum content)(i % 4 == 3 ? NOISE : i % 4),
                       (uint64_t)i);
        }
        solve_case(i % 2, GF_F32, true, (enum content)(i % CONTENTS), (uint64_t)i + 50);
    }
}

#endif
