/* The judge's forms of a roi, pixel by pixel. */
#include "pixel/ir/region.h"
#include "pixel/judge/reference_parts.h"

/* 3 t^2 - 2 t^3 of the part of the feather that lies between the edge and the pixel. */
static float risen(float inside, float feather)
{
    if (inside <= 0.0F) {
        return 0.0F;
    }
    if (inside >= feather) {
        return 1.0F;
    }
    const float t = gf_div(inside, feather);
    const float square = t * t;
    return square * gf_fma(t, -2.0F, 3.0F);
}

static float in_rectangle(struct gf_rect roi, uint8_t form, float feather, int64_t x, int64_t y)
{
    const int64_t ways[4] = {x - roi.x, roi.x + roi.w - 1 - x, y - roi.y, roi.y + roi.h - 1 - y};
    static const uint8_t sides[4] = {GF_REGION_LEFT, GF_REGION_RIGHT, GF_REGION_TOP, GF_REGION_BOTTOM};
    float weights[4];
    for (int s = 0; s < 4; s++) {
        weights[s] = form & sides[s] ? risen((float)ways[s] + 0.5F, feather) : 1.0F;
    }
    return (weights[0] * weights[1]) * (weights[2] * weights[3]);
}

/* (d / w)^2 + (e / h)^2 <= 1 without a division. */
static bool in_ellipse(int64_t w, int64_t h, int64_t d, int64_t e)
{
    const gf_region_wide width = (gf_region_wide)w * (gf_region_wide)w;
    const gf_region_wide height = (gf_region_wide)h * (gf_region_wide)h;
    return (gf_region_wide)(d * d) * height + (gf_region_wide)(e * e) * width <= width * height;
}

float gf_judge_weight(struct gf_rect roi, uint8_t form, float feather, int64_t x, int64_t y)
{
    if (!(form & GF_REGION_ELLIPSE)) {
        return in_rectangle(roi, form, feather, x, y);
    }
    const int64_t right = 2 * (x - roi.x) + 1 - roi.w, down = 2 * (y - roi.y) + 1 - roi.h;
    if (!in_ellipse(roi.w, roi.h, right, down)) {
        return 0.0F;
    }
    if (feather == 0.0F) {
        return 1.0F;
    }
    const float w = (float)roi.w, h = (float)roi.h;
    const float p = gf_div((float)right, w), q = gf_div((float)down, h);
    const float r = gf_sqrt(gf_fma(p, p, q * q));
    const float along = gf_div(2.0F * p, w), upright = gf_div(2.0F * q, h);
    const float slope = gf_sqrt(gf_fma(along, along, upright * upright));
    float inside = slope > 0.0F ? gf_div((1.0F - r) * r, slope) : INFINITY;
    if (form & GF_REGION_LEFT) {
        inside = fminf(inside, w / 2.0F * (gf_sqrt(gf_fma(-q, q, 1.0F)) - fabsf(p)));
    }
    if (form & GF_REGION_TOP) {
        inside = fminf(inside, h / 2.0F * (gf_sqrt(gf_fma(-p, p, 1.0F)) - fabsf(q)));
    }
    return risen(inside, feather);
}
