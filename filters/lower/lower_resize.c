/* The MAP builder of another size: weights of each filter, in double, and the two steps. */
#include "lower/lowering_private.h"

#include "base/planted_fault.h"
#include "param/sine_pi.h"
#include "pixel/map/resize/resize.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

/* ---- filters ---- */

static double sinc(double x)
{
    return x == 0 ? 1 : gf_sine_pi(x) / (PI * x);
}

static double box(double x)
{
    return x > -0.5 && x <= 0.5 ? 1 : 0;
}

static double triangle(double x)
{
    return fabs(x) < 1 ? 1 - fabs(x) : 0;
}

static double hamming(double x) /* whose two constants have the precision of f32 in Pillow */
{
    return fabs(x) < 1 ? sinc(x) * ((double)0.54F + (double)0.46F * gf_sine_pi(x + 0.5)) : 0;
}

static double cubic(double x)
{
    const double a = -0.5;
    x = fabs(x);
    return x < 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

static double lanczos(double x)
{
    return x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0;
}

static double mitchell(double x)
{
    x = fabs(x);
    return x < 1   ? ((7 * x - 12) * x * x + 16.0 / 3) / 6
           : x < 2 ? (((12 - 7 * x / 3) * x - 20) * x + 32.0 / 3) / 6
                   : 0;
}

static const struct filter {
    double (*at)(double x);
    double support;
} filters[] = {{box, 0.5}, {triangle, 1}, {hamming, 1},
               {cubic, 2}, {lanczos, 3},  {mitchell, 2}}; /* as gf_resize_filter */

/* ---- weights ---- */

/* The weights of output i of n; returns how many. Their sum is 1. */
static int64_t weigh(const struct filter *filter, const struct gf_resize_args *args, int64_t n, int64_t i,
                     double *weights)
{
    const double scale = args->length / (double)n;
    const double narrow = 1 / (scale < 1 ? 1 : scale);
    const double centre = ((double)i + (GF_FAULT(resize_phase) ? 0.25 : 0.5)) * scale;
    int64_t first, count;
    double sum = 0;
    gf_resize_samples(args, n, i, &first, &count);
    for (int64_t k = 0; k < count; k++) {
        weights[k] = filter->at(((double)(k + first) - centre + 0.5) * narrow);
        sum += weights[k];
    }
    for (int64_t k = 0; k < count; k++) { /* 0: where a box ends in a last sample that does not count */
        weights[k] = sum != 0 ? weights[k] / sum : 1.0 / (double)count;
    }
    return count;
}

/* What one step along an axis reads beside the picture; false on failure. */
struct axis {
    int64_t n_in, n;
    int32_t taps, samples, weights, digits; /* digits: GF_NONE but of u8 */
};
static bool make_axis(gf_lowering *l, const struct filter *filter, bool fixed,
                      const struct gf_resize_args *args, struct axis *a)
{
    const double scale = args->length / (double)a->n;
    const double most = ceil(filter->support * (scale < 1 ? 1 : scale)) * 2 + 1;
    a->taps = (int32_t)(most < (double)a->n_in ? most : (double)a->n_in);
    int32_t *samples = gf_lowering_constant(l, GF_S32, 2, a->n, &a->samples);
    void *weights = gf_lowering_constant(l, fixed ? GF_S32 : GF_F32, 1, a->n * a->taps, &a->weights);
    const int32_t quads = gf_resize_quads(a->taps, args->down);
    int32_t *digits = NULL;
    a->digits = GF_NONE;
    if (fixed) {
        digits = gf_lowering_constant(l, GF_S32, 1, a->n * quads * GF_RESIZE_DIGITS, &a->digits);
    }
    double *row = weights && (digits || !fixed) ? malloc((size_t)a->taps * sizeof *row) : NULL;
    if (!samples || !row) {
        gf_lower_fail(l, GF_ERROR_MEMORY, "out of memory");
        free(row);
        return false;
    }
    for (int64_t i = 0; i < a->n; i++) {
        int64_t first, count;
        gf_resize_samples(args, a->n, i, &first, &count);
        samples[i] = (int32_t)first;
        samples[a->n + i] = (int32_t)weigh(filter, args, a->n, i, row);
        for (int64_t k = 0; k < count; k++) {
            const double whole = row[k] * (1 << GF_RESIZE_SHIFT);
            if (fixed) {
                ((int32_t *)weights)[i * a->taps + k] = (int32_t)(whole + (whole < 0 ? -0.5 : 0.5));
            } else {
                ((float *)weights)[i * a->taps + k] = (float)row[k];
            }
        }
        if (fixed) {
            gf_resize_cut((const int32_t *)weights + i * a->taps, first, count, args->down, quads,
                          digits + i * quads * GF_RESIZE_DIGITS);
        }
    }
    free(row);
    return true;
}

/* ---- steps ---- */

static gf_value_id resize_axis(gf_lowering *l, gf_value_id v, const struct filter *filter, bool down,
                               double length, int64_t n, gf_depth depth, bool weighed)
{
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return 0;
    }
    const struct gf_value from = *picture;
    struct gf_resize_args args = {.support = filter->support,
                                  .length = length,
                                  .n_in = down ? from.height : from.width,
                                  .down = down,
                                  .weighed = weighed};
    const bool fixed = from.depth == GF_U8;
    struct axis a = {.n_in = down ? from.height : from.width, .n = n};
    if (!make_axis(l, filter, fixed, &args, &a)) {
        return 0;
    }
    args.taps = a.taps;
    const int32_t out =
        gf_lowering_picture(l, down ? from.width : n, down ? n : from.height, from.channels, depth);
    const struct gf_lowering_operands in = {{v - 1, a.samples, a.weights, a.digits}, fixed ? 4 : 3};
    const struct gf_lowering_operands made = {{out}, 1};
    return gf_lowering_apply(l, &gf_kernel_resize, in, made, &args, sizeof args) ? gf_to_id(out) : 0;
}

/* What the samples between the two steps are, mostly of f32, where they are not those of the picture. */
struct between {
    bool weighed; /* colour times alpha */
    bool light;   /* colour as light, a fraction of white */
    bool bytes;   /* it is of u8, which stays so */
};

/* Samples of v in sample units as that. */
static gf_value_id begin(gf_lowering *l, gf_value_id v, struct between b, uint8_t colour)
{
    int32_t out;
    const gf_shape shape = gf_lower_shape(l, v);
    struct gf_op *op = gf_lowering_point_all(l, v, b.bytes ? GF_U8 : GF_F32, shape.channels, &out);
    if (!op) {
        return 0;
    }
    if (b.light && shape.depth != GF_F32) {
        gf_point_push(op, GF_INSN_DIVIDE, colour, (float)gf_depth_white(shape.depth), 0);
    }
    if (b.light) {
        gf_point_push(op, GF_INSN_LINEAR, colour, 0, 0);
    }
    if (b.weighed) {
        gf_point_push(op, GF_INSN_PREMULTIPLY, 0, 0, 0)->arg = b.bytes;
    }
    return gf_to_id(out);
}

/* Converts back. */
static gf_value_id end(gf_lowering *l, gf_value_id v, gf_depth depth, struct between b, uint8_t colour)
{
    int32_t out;
    const int32_t channels = gf_lower_shape(l, v).channels;
    struct gf_op *op = gf_lowering_point_all(l, v, depth, channels, &out);
    if (!op) {
        return 0;
    }
    if (b.weighed) {
        gf_point_push(op, GF_INSN_UNPREMULTIPLY, 0, 0, 0)->arg = b.bytes;
    }
    if (b.light) {
        gf_point_push(op, GF_INSN_SRGB, colour, 0, 0);
    }
    if (b.light && depth != GF_F32) {
        gf_point_push(op, GF_INSN_AFFINE, colour, (float)gf_depth_white(depth), 0);
    }
    return gf_point_rounded(op, out);
}

gf_value_id gf_lower_resize(gf_lowering *l, gf_value_id v, int64_t width, int64_t height,
                            gf_resize_filter filter, gf_light light)
{
    const gf_shape shape = gf_lower_shape(l, v);
    return gf_lowering_resize(l, v, (double)shape.width, (double)shape.height, width, height, filter, light);
}

gf_value_id gf_lowering_resize(gf_lowering *l, gf_value_id v, double wide, double high, int64_t width,
                               int64_t height, gf_resize_filter filter, gf_light light)
{
    const gf_shape shape = gf_lower_shape(l, v);
    const bool alpha = l->alpha != GF_ALPHA_NONE && (shape.channels == 2 || shape.channels == 4);
    const bool weighed = gf_lowering_weighs(l, shape.channels), lit = light == GF_LIGHT_LINEAR;
    const struct between b = {weighed, lit, weighed && !lit && shape.depth == GF_U8};
    const uint8_t colour = (uint8_t)((1U << (shape.channels - alpha)) - 1);
    if (!gf_lowering_samples(l, v)) {
        return 0;
    }
    if ((int)filter < 0 || (size_t)filter >= sizeof filters / sizeof *filters) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "%d is no filter of resize", (int)filter);
        return 0;
    }
    if (!gf_lowering_size(l, v, (double)width, (double)height)) {
        return 0;
    }
    const bool across = width != shape.width || wide < (double)shape.width;
    const bool down = height != shape.height || high < (double)shape.height, made = b.weighed || b.light;
    if (!across && !down) {
        return v;
    }
    const bool weighs = b.weighed && !b.light && across; /* so that nothing is made of all pixels first */
    v = made && !weighs ? begin(l, v, b, colour) : v;
    const gf_depth last = made && !b.bytes ? GF_F32 : shape.depth;
    if (across) { /* what lies between the two is not rounded, but for u8 */
        v = resize_axis(l, v, &filters[filter], false, wide, width, down && last != GF_U8 ? GF_F32 : last,
                        weighs);
    }
    if (down) {
        v = resize_axis(l, v, &filters[filter], true, high, height, last, false);
    }
    return made ? end(l, v, shape.depth, b, colour) : v;
}
