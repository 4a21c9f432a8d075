/* Filters of pictures by frequency: the picture extended to sides that are quick to transform, and the
 * weights of its frequencies, in double, rounded once. */
#include "lower/frequency_stage.h"

#include "base/gf_math.h"
#include "fourier/fft_plan.h"
#include "pixel/ir/op_list.h"

#include <math.h>

/* Numbers a side that a transform takes. */
#define MOST ((double)(1 << 26))

/* ---- sides ---- */

/* The least even number >= n without primes above 7. */
static int64_t quick_side(int64_t n)
{
    static const int primes[] = {2, 3, 5, 7};
    for (n += n % 2;; n += 2) {
        int64_t left = n;
        for (int i = 0; i < 4; i++) {
            while (left % primes[i] == 0) {
                left /= primes[i];
            }
        }
        if (left == 1) {
            return n;
        }
    }
}

/* The side to which one of n pixels is extended, so that what lies 1 / distance away is not the other end. */
static int64_t extended_side(int64_t n, double distance, int32_t border)
{
    if (n == 1 || border == GF_BORDER_WRAP) {
        return n;
    }
    const double margin = ceil(1 / distance), most = (double)((n + 1) / 2);
    return quick_side(n + 2 * (int64_t)(margin < most ? margin : most));
}

/* What lies around v there; *sides: how long they become. {0} after a failure. */
static gf_padding padding_of(gf_lowering *l, gf_value_id v, double distance, int32_t border, gf_shape *sides)
{
    const gf_shape shape = gf_lower_shape(l, v);
    const int64_t width = extended_side(shape.width, distance, border);
    const int64_t height = extended_side(shape.height, distance, border);
    *sides = shape;
    if ((double)width > MOST || (double)height > MOST) {
        gf_lower_fail(
            l, GF_ERROR_LIMIT, "%lld x %lld pixels, extended to %lld x %lld: a transform takes %.0f a side",
            (long long)shape.width, (long long)shape.height, (long long)width, (long long)height, MOST);
        return (gf_padding){0};
    }
    sides->width = width;
    sides->height = height;
    return (gf_padding){.left = (width - shape.width) / 2,
                        .right = width - shape.width - (width - shape.width) / 2,
                        .top = (height - shape.height) / 2,
                        .bottom = height - shape.height - (height - shape.height) / 2,
                        .border = (gf_border)border};
}

gf_value_id gf_lowering_extended(gf_lowering *l, gf_value_id v, double distance, int32_t border,
                                 gf_rect *inner)
{
    gf_shape sides;
    const gf_padding around = padding_of(l, v, distance, border, &sides);
    const gf_shape shape = gf_lower_shape(l, v);
    *inner = (gf_rect){.x = around.left, .y = around.top, .w = shape.width, .h = shape.height};
    return sides.width > shape.width || sides.height > shape.height ? gf_lower_pad(l, v, &around) : v;
}

/* ---- weights ---- */

/* A term's number for number k of n: how far its frequency is from `at`, the shorter way round. */
static float part(enum gf_frequency_shape shape, int64_t k, int64_t n, double at, double distance)
{
    double far = fabs((double)(2 * k > n ? k - n : k) / (double)n - at);
    far = (far > 0.5 ? 1 - far : far) / distance;
    const double log2_e = 1.4426950408889634;
    return (float)(shape == GF_FREQUENCY_GAUSS ? gf_exp2_core(-0.5 * log2_e * far * far) : far * far);
}

/* The block of all terms; GF_NONE after a failure. */
static int32_t terms_block(gf_lowering *l, const struct gf_frequency_filter *filter, gf_shape shape)
{
    const int64_t half = shape.width / 2 + 1, each = half + shape.height;
    int32_t block;
    float *terms = gf_lowering_constant(l, GF_F32, 1, filter->args.terms * each, &block);
    for (int32_t t = 0; terms && t < filter->args.terms; t++) {
        const struct gf_frequency_place *place = &filter->place[t];
        const enum gf_frequency_shape form = (enum gf_frequency_shape)filter->args.shape;
        for (int64_t i = 0; i < each; i++) {
            terms[t * each + i] = i < half ? part(form, i, shape.width, place->u, place->distance)
                                           : part(form, i - half, shape.height, place->v, place->distance);
        }
    }
    return terms ? block : GF_NONE;
}

/* ---- the ops ---- */

static void destroy_plan(void *plan)
{
    gf_fft_plan_destroy(plan);
}

gf_fft_plan *gf_lowering_fft_plan(gf_lowering *l, const gf_fft_shape *shape)
{
    gf_fft_plan *plan = NULL;
    gf_error why = GF_ERROR_INIT;
    gf_status status = l->status == GF_OK ? gf_fft_plan_create(shape, &plan, &why) : GF_OK;
    if (plan && !gf_op_list_own(&l->out->list, plan, destroy_plan)) {
        status = gf_fail(&why, GF_ERROR_MEMORY, "out of memory");
        plan = NULL;
    }
    if (status != GF_OK) {
        gf_lower_fail(l, status, "%s", why.message);
    }
    gf_lower_result_bytes(l, plan ? gf_fft_factor_bytes(plan) : 0);
    return plan;
}

/* The plan of the transforms of such a picture, real or complex. */
static const gf_fft_plan *plan_of(gf_lowering *l, gf_shape picture, int32_t real)
{
    gf_fft_shape shape = GF_FFT_SHAPE_INIT;
    shape.dimensions = 2;
    shape.rows = picture.height;
    shape.columns = picture.width;
    shape.sample_stride = real ? 2 * (picture.width / 2 + 1) : 0;
    shape.real = real;
    return gf_lowering_fft_plan(l, &shape);
}

gf_value_id gf_lowering_frequency(gf_lowering *l, gf_value_id v, const struct gf_frequency_filter *filter)
{
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return 0;
    }
    const struct gf_value from = *picture;
    const bool premultiplied = gf_lowering_weighs(l, from.channels);
    const uint32_t all = (1u << from.channels) - 1;
    struct gf_frequency_args args = filter->args;
    args.mask = premultiplied ? all : gf_lowering_mask(l, from.channels);
    double least = HUGE_VAL;
    for (int32_t t = 0; t < args.terms; t++) {
        least = fmin(least, filter->place[t].distance);
    }
    gf_shape sides;
    const gf_padding around = padding_of(l, v, least, filter->border, &sides);
    args.border = filter->border;
    args.left = around.left;
    args.top = around.top;
    args.width = sides.width;
    args.height = sides.height;
    args.plan = plan_of(l, sides, 1);
    args.shown.absolute = filter->negative == GF_NEGATIVE_ABSOLUTE;
    if (filter->negative == GF_NEGATIVE_OFFSET) {
        args.shown.gain = 0.5F;
        args.shown.added = (float)(gf_lower_white(l, v) / 2);
    }
    const bool last = !premultiplied && args.mask == all && l->node->common.roi.rect.w == 0; /* it rounds */
    const gf_value_id source = premultiplied ? gf_lowering_widen(l, v) : v;
    const int32_t out =
        gf_lowering_picture(l, from.width, from.height, from.channels, last ? from.depth : GF_F32);
    const struct gf_lowering_operands in = {{source - 1, source ? terms_block(l, filter, sides) : GF_NONE},
                                            2};
    const struct gf_lowering_operands to = {{out}, 1};
    if (!gf_lowering_apply(l, &gf_kernel_frequency, in, to, &args, sizeof args)) {
        return 0;
    }
    const struct gf_window_end end = {.second = v, .depth = from.depth, .weighed = true};
    return gf_lowering_window_end(l, gf_to_id(out), &end);
}

/* ---- transforms alone ---- */

gf_value_id gf_lowering_complex(gf_lowering *l, gf_value_id v)
{
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (picture && picture->channels > 2) {
        gf_lower_fail(l, GF_ERROR_UNSUPPORTED,
                      "it takes two channels, re and im, or one, not %d: put %s before it", picture->channels,
                      picture->channels > 3 ? "gray,alpha:drop" : "gray");
    } else if (picture && picture->channels == 2 && picture->depth != GF_F32) {
        gf_lower_fail(l, GF_ERROR_UNSUPPORTED,
                      "its second channel is alpha, as complex numbers are f32: put alpha:drop before it");
    }
    return picture && l->status == GF_OK ? gf_lower_add_alpha(l, gf_lower_convert(l, v, GF_F32), 0) : 0;
}

gf_value_id gf_lowering_fourier(gf_lowering *l, gf_value_id v, int32_t inverse, int32_t centre)
{
    v = gf_lowering_complex(l, v);
    const gf_shape shape = gf_lower_shape(l, v);
    const int64_t x = centre ? shape.width / 2 : 0, y = centre ? shape.height / 2 : 0;
    v = inverse && centre ? gf_lowering_rolled(l, v, x, y) : v;
    const struct gf_fourier_args args = {plan_of(l, shape, 0), inverse};
    const int32_t out = gf_lowering_picture(l, shape.width, shape.height, 2, GF_F32);
    const struct gf_lowering_operands in = {{v - 1}, 1}, to = {{out}, 1};
    if (!gf_lowering_apply(l, &gf_kernel_fourier, in, to, &args, sizeof args)) {
        return 0;
    }
    const gf_value_id made = gf_to_id(out);
    l->complex = true;
    return !inverse && centre ? gf_lowering_rolled(l, made, -x, -y) : made;
}

gf_value_id gf_lowering_polar(gf_lowering *l, gf_value_id v, enum gf_insn_code code)
{
    int32_t out;
    struct gf_op *op = gf_lowering_point(l, gf_lowering_complex(l, v), GF_F32, 1, &out);
    if (!op) {
        return 0;
    }
    gf_point_push(op, code, 0, 1, 0);
    return gf_to_id(out);
}
