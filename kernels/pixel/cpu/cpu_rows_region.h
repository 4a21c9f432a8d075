/* Regions on rows: the weights of pixels, and samples that fade into others. Part of cpu_rows.c. */

/* Pixels [*from, *to) of row k of a w x h rectangle lie in its ellipse: where the root says, give or take
 * what it is rounded by. */
static void ellipse_row(int64_t w, int64_t h, int64_t k, int64_t *from, int64_t *to)
{
    const int64_t e = gf_region_across(k, h), middle = (w + 1) / 2;
    const double q = (double)e / (double)h;
    int64_t i = (int64_t)((double)w * 0.5 * (1 - gf_sqrt_double(1 - q * q)));
    i = i < middle ? i : middle;
    while (i > 0 && gf_ellipse_has(w, h, gf_region_across(i - 1, w), e)) {
        i--;
    }
    while (i < middle && !gf_ellipse_has(w, h, gf_region_across(i, w), e)) {
        i++;
    }
    i -= GF_FAULT(region_early) && i > 0;
    *from = i;
    *to = i < middle ? w - i : i;
}

/* Pixels i to i + n of row k of an ellipse with a soft edge, as if all were inside. */
static void ellipse_weights(const struct gf_insn *insn, struct gf_rect r, int64_t i, int64_t k,
                            float *restrict weights, int64_t n)
{
    const int form = insn->arg;
    const float w = (float)r.w, h = (float)r.h, feather = insn->k[0];
    const float e = (float)gf_region_across(k, r.h);
    const int32_t first = (int32_t)gf_region_across(i, r.w);
    for (int32_t at = 0; at < (int32_t)n; at++) {
        weights[at] = gf_ellipse_inside(form, w, h, (float)(first + 2 * at), e);
    }
    for (int64_t at = 0; at < n; at++) {
        weights[at] = gf_region_ramp(weights[at], feather);
    }
}

/* Pixels i to i + n of row k of an ellipse. */
static void ellipse_line(const struct gf_insn *insn, struct gf_rect r, int64_t i, int64_t k, float *weights,
                         int64_t n)
{
    int64_t from, to;
    ellipse_row(r.w, r.h, k, &from, &to);
    for (int64_t at = 0; at < n; at++) {
        weights[at] = i + at >= from && i + at < to ? 1.0F : 0.0F;
    }
    from = from > i ? from - i : 0;
    to = to - i < n ? to - i : n;
    if (insn->k[0] > 0.0F && from < to) {
        ellipse_weights(insn, r, i + from, k, weights + from, to - from);
    }
}

/* Pixels i to i + n of row k of a rectangle; those between the ramps of both sides are alike. */
static void rectangle_line(const struct gf_insn *insn, struct gf_rect r, int64_t i, int64_t k, float *weights,
                           int64_t n)
{
    const int left = insn->arg & GF_REGION_LEFT, right = insn->arg & GF_REGION_RIGHT;
    const float feather = insn->k[0];
    const float down =
        gf_region_side(k, r.h, insn->arg & GF_REGION_TOP, insn->arg & GF_REGION_BOTTOM, feather);
    const int64_t reach = feather < (float)r.w ? (int64_t)feather + 1 : r.w;
    const int64_t from = left ? reach - i : 0, to = right ? r.w - reach - i : n;
    for (int64_t at = 0; at < n; at++) {
        weights[at] = at >= from && at < to ? down : gf_region_side(i + at, r.w, left, right, feather) * down;
    }
}

static void region(const struct gf_insn *insn, struct gf_rect r, int64_t x, int64_t y, float *weights,
                   int64_t n)
{
    if (insn->arg & GF_REGION_ELLIPSE) {
        ellipse_line(insn, r, x - r.x, y - r.y, weights, n);
    } else {
        rectangle_line(insn, r, x - r.x, y - r.y, weights, n);
    }
}

static void fade(float *restrict v, const float *restrict o, const float *restrict weights, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const float mixed = gf_mix(weights[i], v[i], o[i]);
        const float some = weights[i] <= 0.0F ? o[i] : mixed;
        v[i] = weights[i] >= 1.0F ? v[i] : some;
    }
}
