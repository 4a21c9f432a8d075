/* Builders of edges: a window that finds them, and what follows them through the whole picture. */
#include "lower/lowering_private.h"

#include "base/planted_fault.h"
#include "pixel/window/edges/edges.h"

#include <math.h>

/* false, and a failure, where the picture or the levels are none that canny takes. */
static bool check(gf_lowering *l, const gf_shape *shape, double low, double high)
{
    if (l->node->common.roi.rect.w) {
        gf_lower_fail(l, GF_ERROR_UNSUPPORTED,
                      "it follows edges through the whole picture and takes no roi=: "
                      "put crop before it");
        return false;
    }
    if (!(low >= 0 && low <= high)) {
        const double white = gf_depth_white(shape->depth);
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "low is %g and high %g: it needs 0 <= low <= high", low / white,
                      high / white);
        return false;
    }
    if (shape->width > (int64_t)(UINT32_MAX - 1) / shape->height) {
        gf_lower_fail(l, GF_ERROR_LIMIT, "%lld x %lld pixels: it takes at most 4294967294",
                      (long long)shape->width, (long long)shape->height);
        return false;
    }
    return true;
}

gf_value_id gf_lower_canny(gf_lowering *l, gf_value_id v, double low, double high)
{
    if (!gf_lowering_samples(l, v)) {
        return 0;
    }
    const gf_shape shape = gf_lower_shape(l, v);
    if (!check(l, &shape, low, high)) {
        return 0;
    }
    struct gf_edges_args args = {low * low, high * high, gf_lowering_mask(l, shape.channels)};
    if (shape.depth != GF_F32) { /* an integer exceeds x exactly when it exceeds floor(x) */
        args.low = floor(args.low) - GF_FAULT(canny_level);
        args.high = floor(args.high);
    }
    gf_value_id edges = gf_lowering_window_to(l, v, &gf_kernel_edges, GF_U8, 1, &args, sizeof args);
    int32_t out = gf_lowering_picture(l, shape.width, shape.height, 1, shape.depth);
    const struct gf_lowering_operands from = {{edges - 1}, 1}, to = {{out}, 1};
    return gf_lowering_apply(l, &gf_kernel_hysteresis, from, to, "", 0) ? gf_to_id(out) : 0;
}
