/* The kernel "resize": both axes, every pair of depths, any number of weights, by the judge, the CPU, in
 * bands, and CUDA where it is; and the samples that a size asks for. test_geometry.c has what filters make of
 * pictures. */
#include "map_case.h"

#include "pixel/map/resize/resize.h"

/* Weights as filters have them: most of the sum in the middle, some below zero. */
static void *random_weights(bool fixed, int64_t n, int32_t taps)
{
    int32_t *weights = malloc((size_t)n * sizeof *weights);
    for (int64_t i = 0; i < n; i++) {
        const int32_t whole = ((int32_t)map_random(1 << 19) - (1 << 17)) / (1 + taps / 24); /* sums fit */
        const float real = (float)whole / (1 << 19);
        memcpy(&weights[i], fixed ? (const void *)&whole : &real, sizeof *weights);
    }
    return weights;
}

static void one_case(gf_depth depth, gf_depth out_depth, bool weighed, bool down, int64_t n_in, int64_t n)
{
    const double supports[] = {0.5, 1, 2, 3};
    const int64_t drawn = 1 + (int64_t)map_random(40);
    const int64_t other = map_random(2) ? drawn : 4 * drawn; /* rows of words */
    const int32_t any = 1 + (int32_t)map_random(4), channels = weighed ? any + any % 2 : any;
    struct gf_resize_args args = {.support = supports[map_random(4)], .down = down, .weighed = weighed};
    args.length = (double)n_in - (n_in > 1 && map_random(2) ? (double)map_random(8) / 8 : 0);
    args.length += map_random(4) ? 0 : (double)map_random(9); /* the last output reaches outside */
    args.n_in = n_in;
    const bool fixed = depth == GF_U8;
    int32_t *samples = malloc(2 * (size_t)n * sizeof *samples);
    char what[160];
    for (int64_t i = 0; i < n; i++) {
        int64_t first, count;
        gf_resize_samples(&args, n, i, &first, &count);
        samples[i] = (int32_t)first;
        samples[n + i] = (int32_t)count;
        args.taps = count > args.taps ? (int32_t)count : args.taps;
        CHECK_MSG(first >= 0 && count >= 1 && first + count <= n_in, "%lld to %lld, %lld: %lld and %lld more",
                  (long long)n_in, (long long)n, (long long)i, (long long)first, (long long)count);
    }
    void *weights = random_weights(fixed, n * args.taps, args.taps);
    op_case_begin(depth, channels, down ? other : n_in, down ? n_in : other);
    struct gf_op *op =
        map_op(&gf_kernel_resize, out_depth, down ? other : n, down ? n : other, &args, sizeof args);
    op->u.apply.in[1] = op_case_block(GF_S32, 2, n, samples);
    op->u.apply.in[2] = op_case_block(fixed ? GF_S32 : GF_F32, 1, n * args.taps, weights);
    int32_t *digits = NULL;
    if (fixed) {
        const int32_t quads = gf_resize_quads(args.taps, down);
        digits = malloc((size_t)(n * quads * GF_RESIZE_DIGITS) * sizeof *digits);
        for (int64_t i = 0; i < n; i++) {
            gf_resize_cut((const int32_t *)weights + i * args.taps, samples[i], samples[n + i], down, quads,
                          digits + i * quads * GF_RESIZE_DIGITS);
        }
        op->u.apply.in[3] = op_case_block(GF_S32, 1, n * quads * GF_RESIZE_DIGITS, digits);
    }
    snprintf(what, sizeof what, "%s c%d%s %s from %lld to %lld beside %lld, support %g, to %s",
             gf_depth_name(depth), channels, weighed ? " weighed" : "", down ? "down" : "across",
             (long long)n_in, (long long)n, (long long)other, args.support, gf_depth_name(out_depth));
    unsigned char *in = map_bytes((size_t)(row_bytes(&op_case.values[0]) * op_case.values[0].height));
    map_check(op, in, what);
    free(in);
    free(digits);
    free(weights);
    free(samples);
}

static void all_ways(void)
{
    static const gf_depth depths[][2] = {{GF_U8, GF_U8},   {GF_U16, GF_U16}, {GF_U16, GF_F32},
                                         {GF_F32, GF_F32}, {GF_F32, GF_U16}, {GF_U8, GF_U8},
                                         {GF_U16, GF_F32}, {GF_F32, GF_F32}}; /* the last three weighed */
    static const int64_t sizes[][2] = {{1, 1},    {1, 9},    {9, 1},     {7, 8},    {40, 17},
                                       {17, 40},  {131, 64}, {300, 130}, {130, 33}, {40, 12},
                                       {28, 120}, {300, 4},  {256, 200}, {600, 20}};
    long n = 0;
    for (int round = 0; round < 6; round++) {
        for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                map_state = (uint64_t)n + 77;
                if (check_slice(n++, 6 * 8 * 14)) {
                    one_case(depths[d][0], depths[d][1], d >= 5, d < 5 && n % 2 != 0, sizes[s][0],
                             sizes[s][1]);
                }
            }
        }
    }
}

static void cuda_takes_part(void)
{
    NEEDS_DEVICE();
    CHECK(gf_kernel_resize.apply.cuda != NULL);
}

static const struct check_case cases[] = {
    {"judge, CPU, bands, CUDA", all_ways},
    {"CUDA takes part", cuda_takes_part},
};
CHECK_MAIN(cases)
