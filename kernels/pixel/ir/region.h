/* The form of a roi, for C11, C++17 and CUDA: which pixels of the rectangle an ellipse has, and how much of a
 * stage counts at each of them where the edge is soft.
 *
 * All of the edge lies inside: over `feather` pixels the weight rises from 0 on the edge to 1 by the cubic
 * 3 t^2 - 2 t^3. A rectangle has such a ramp at each of its soft sides, and the weight is their product. In
 * an ellipse the way to the edge is measured to the first order (G. Taubin, "Estimation of planar curves,
 * surfaces, and nonplanar space curves defined by implicit equations", PAMI 13, 1991): exact in a circle and
 * near any edge. docs/exactness.md has the operations. */
#pragma once

#include "base/gf_num.h"
#include "pixel/ir/op.h"

__extension__ typedef unsigned __int128 gf_region_wide;

/* `arg` of REGION. A side is soft where the picture goes on behind it; both sides of an ellipse along an axis
 * are, unless the picture is one pixel wide there. */
enum {
    GF_REGION_ELLIPSE = 1 << 0,
    GF_REGION_LEFT = 1 << 1,
    GF_REGION_RIGHT = 1 << 2,
    GF_REGION_TOP = 1 << 3,
    GF_REGION_BOTTOM = 1 << 4
};

/* Twice the way from the middle of n pixels to the centre of pixel i. */
GF_HD int64_t gf_region_across(int64_t i, int64_t n)
{
    return 2 * i + 1 - n;
}

/* Does the ellipse of a w x h rectangle have the centre that lies half of d and e from its middle? Exact: no
 * factor is 2^31 or more. No centre lies on the ellipse itself: it would make the two sides differ in how
 * often 2 divides them. */
GF_HD int gf_ellipse_has(int64_t w, int64_t h, int64_t d, int64_t e)
{
    const uint64_t x = (uint64_t)(d < 0 ? -d : d) * (uint64_t)h, y = (uint64_t)(e < 0 ? -e : e) * (uint64_t)w;
    const uint64_t all = (uint64_t)w * (uint64_t)h;
    return (gf_region_wide)x * x + (gf_region_wide)y * y <= (gf_region_wide)all * all;
}

/* The weight `inside` pixels within an edge. */
GF_HD float gf_region_ramp(float inside, float feather)
{
    if (!(inside > 0.0F)) {
        return 0.0F;
    }
    if (inside >= feather) {
        return 1.0F;
    }
    const float t = gf_div(inside, feather);
    return t * t * gf_fma(-2.0F, t, 3.0F);
}

/* Returns how far within an ellipse of w x h the centre is that lies half of d and e from its middle. To the
 * first order, but no farther than the ways to it along the axes: without that a long ellipse would be
 * farther from its edge beside its middle than in it. */
GF_HD float gf_ellipse_inside(int form, float w, float h, float d, float e)
{
    const float p = gf_div(d, w), q = gf_div(e, h);
    const float r = gf_sqrt(gf_fma(p, p, q * q));
    const float px = gf_div(p + p, w), qy = gf_div(q + q, h);
    const float inside = gf_div((1.0F - r) * r, gf_sqrt(gf_fma(px, px, qy * qy))); /* in the middle NaN */
    const float across = 0.5F * w * (gf_sqrt(gf_fma(-q, q, 1.0F)) - (p < 0.0F ? -p : p));
    const float down = 0.5F * h * (gf_sqrt(gf_fma(-p, p, 1.0F)) - (q < 0.0F ? -q : q));
    const float least = !(form & GF_REGION_TOP) || (form & GF_REGION_LEFT && across < down) ? across : down;
    return inside < least ? inside : least;
}

/* The weight along one axis of a rectangle: at pixel i of n, whose sides are soft or not. */
GF_HD float gf_region_side(int64_t i, int64_t n, int first, int last, float feather)
{
    const float before = first ? gf_region_ramp((float)i + 0.5F, feather) : 1.0F;
    return last ? before * gf_region_ramp((float)(n - 1 - i) + 0.5F, feather) : before;
}

/* The weight of pixel (x, y), which lies in the rectangle. */
GF_HD float gf_region_weight(const struct gf_insn *insn, struct gf_rect r, int64_t x, int64_t y)
{
    const int form = insn->arg;
    const float feather = insn->k[0];
    const int64_t i = x - r.x, k = y - r.y;
    if (!(form & GF_REGION_ELLIPSE)) {
        return gf_region_side(i, r.w, form & GF_REGION_LEFT, form & GF_REGION_RIGHT, feather) *
               gf_region_side(k, r.h, form & GF_REGION_TOP, form & GF_REGION_BOTTOM, feather);
    }
    const int64_t d = gf_region_across(i, r.w), e = gf_region_across(k, r.h);
    if (!gf_ellipse_has(r.w, r.h, d, e)) {
        return 0.0F;
    }
    if (!(feather > 0.0F)) {
        return 1.0F;
    }
    return gf_region_ramp(gf_ellipse_inside(form, (float)r.w, (float)r.h, (float)d, (float)e), feather);
}
