/* The kernel "warp": every filter, border, depth and number of channels, by the judge, the CPU, in bands of
 * its output, and CUDA where it is. tests/oracle has what matrices make of pictures. */
#include "map_case.h"

#include "pixel/map/warp/warp.h"

#include <math.h>

static float fraction(void)
{
    return (float)map_random(1 << 20) / (1 << 20);
}

/* A little turned, leaned and moved; every third in perspective, some with a horizon in the picture.
 */
static void draw_matrix(double m[9], bool projective)
{
    for (int i = 0; i < 9; i++) {
        m[i] = (i % 4 == 0) + (i % 3 == 2 ? 9 : 0.7) * ((double)fraction() - 0.5);
    }
    m[6] = projective ? 0.1 * ((double)fraction() - 0.4) : 0;
    m[7] = projective ? 0.05 * ((double)fraction() - 0.4) : 0;
    m[8] = 1;
}

/* Turned by any angle about the middles of both pictures, from half to half as large again; every third in
 * perspective without a horizon. So most samples come from boxes inside the picture. */
static void turn_matrix(double m[9], bool projective, const int64_t in[2], const int64_t out[2])
{
    const double angle = 6.3 * (double)fraction(), scale = 0.5 + (double)fraction();
    const double c = scale * cos(angle), s = scale * sin(angle);
    const double turned[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    memcpy(m, turned, sizeof turned);
    m[6] = projective ? 0.002 * ((double)fraction() - 0.5) : 0;
    m[7] = projective ? 0.002 * ((double)fraction() - 0.5) : 0;
    for (int i = 0; i < 2; i++) {
        m[3 * i + 2] = (double)in[i] / 2 - m[3 * i] * (double)out[0] / 2 - m[3 * i + 1] * (double)out[1] / 2;
    }
}

struct sizes {
    int64_t in[2], out[2];
};

static struct sizes draw_sizes(bool large)
{
    struct sizes s;
    for (int i = 0; i < 2; i++) {
        s.in[i] = large ? 150 + (int64_t)map_random(90) : 1 + (int64_t)map_random(i ? 20 : 40);
        s.out[i] = large ? 60 + (int64_t)map_random(70) : 1 + (int64_t)map_random(i ? 30 : 70);
    }
    return s;
}

static void one_case(gf_depth depth, int filter, int border, bool large)
{
    const struct sizes s = draw_sizes(large);
    const int64_t width = s.in[0], height = s.in[1];
    const int32_t channels = 1 + (int32_t)map_random(4);
    struct gf_warp_args args = {.filter = filter, .border = border};
    float *table = NULL;
    char what[160];
    if (large) {
        turn_matrix(args.m, map_random(3) == 0, s.in, s.out);
    } else {
        draw_matrix(args.m, map_random(3) == 0);
    }
    for (int c = 0; c < GF_WARP_CHANNELS; c++) {
        args.fill[c] = depth == GF_F32 ? fraction() : (float)map_random(256);
    }
    op_case_begin(depth, channels, width, height);
    struct gf_op *op = map_op(&gf_kernel_warp, depth, s.out[0], s.out[1], &args, sizeof args);
    if (filter == GF_WARP_LANCZOS) {
        const int64_t n = GF_WARP_ROWS * GF_WARP_TAPS;
        table = malloc((size_t)n * sizeof *table);
        for (int64_t i = 0; i < n; i++) {
            table[i] = fraction() - 0.3F;
        }
        op->u.apply.in[1] = op_case_block(GF_F32, 1, n, table);
    }
    snprintf(what, sizeof what, "%s c%d of %lld x %lld, filter %d, border %d", gf_depth_name(depth), channels,
             (long long)width, (long long)height, filter, border);
    unsigned char *in = map_bytes((size_t)(row_bytes(&op_case.values[0]) * height));
    map_check(op, in, what);
    free(in);
    free(table);
}

static void all_ways(bool large)
{
    long n = 0;
    for (int round = 0; round < (large ? 2 : 3); round++) {
        for (int depth = GF_U8; depth <= GF_F32; depth++) {
            for (int filter = GF_WARP_NEAREST; filter <= GF_WARP_LANCZOS; filter++) {
                for (int border = GF_BORDER_REPLICATE; border <= GF_BORDER_CONSTANT; border++) {
                    map_state = (uint64_t)n + 5;
                    if (check_slice(n++, (large ? 2 : 3) * 3 * 4 * 5)) {
                        one_case((gf_depth)depth, filter, border, large);
                    }
                }
            }
        }
    }
}

static void small_ones(void)
{
    all_ways(false);
}

static void turned_ones(void)
{
    all_ways(true);
}

static void cuda_takes_part(void)
{
    NEEDS_DEVICE();
    CHECK(gf_kernel_warp.apply.cuda != NULL);
}

static const struct check_case cases[] = {
    {"judge, CPU, bands, CUDA: any matrix of small pictures", small_ones},
    {"judge, CPU, bands, CUDA: larger pictures, turned", turned_ones},
    {"CUDA takes part", cuda_takes_part},
};
CHECK_MAIN(cases)
