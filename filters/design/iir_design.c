#include "design/iir_design.h"

#include "base/gf_num.h"
#include "base/status.h"
#include "design/design_parts.h"
#include "design/response.h"

#include <math.h>

gf_status gf_check(const char *name, double value, double low, double high, const char *ends, gf_error *error)
{
    const bool above = ends[0] == '(', below = ends[1] == ')';
    if ((above ? value > low : value >= low) && (below ? value < high : value <= high)) {
        return GF_OK;
    }
    return gf_fail(error, GF_ERROR_ARGUMENT, "%s is %.17g: must be %s %.10g and %s %.10g", name, value,
                   above ? "above" : "at least", low, below ? "below" : "at most", high);
}

gf_status gf_check_edges(enum gf_filter_kind kind, const double edge[2], gf_error *error)
{
    const bool two = gf_has_two_edges(kind);
    GF_TRY(gf_check(two ? "lower edge, in cycles a sample," : "edge, in cycles a sample,", edge[0], 0.0, 0.5,
                    "()", error));
    return two ? gf_check("upper edge, in cycles a sample,", edge[1], edge[0], 0.5, "()", error) : GF_OK;
}

static gf_status check(const struct gf_iir *design, int32_t room, gf_error *error)
{
    const bool elliptic = design->family == GF_ELLIPTIC;
    GF_TRY(gf_check("order", design->order, 1.0, GF_IIR_ORDER_MAX, "[]", error));
    if (design->family == GF_CHEBYSHEV1 || elliptic) {
        GF_TRY(gf_check("ripple in dB", design->ripple, 0.0, 100.0, "(]", error));
    }
    if (design->family == GF_CHEBYSHEV2 || elliptic) {
        const double least = elliptic ? design->ripple : 0.0;
        GF_TRY(gf_check("attenuation in dB", design->attenuation, least, 300.0, "(]", error));
    }
    GF_TRY(gf_check_edges(design->kind, design->edge, error));
    return gf_check("room for sections", room, gf_iir_sections(design), INT32_MAX, "[]", error);
}

/* s becomes s / at of a lowpass, at / s of a highpass. */
static void move_edge(struct gf_roots *roots, bool high, double at)
{
    for (int i = 0; i < roots->count; i++) {
        struct gf_complex *v = &roots->at[i];
        const double scale =
            high ? at / gf_complex_square(*v) : at; /* above the axis: conjugates are alike */
        *v = (struct gf_complex){scale * v->re, scale * v->im};
    }
}

/* Each root v becomes the two of s^2 - 2 v s + middle^2. */
static void split(struct gf_roots *roots, double middle)
{
    const struct gf_roots all = *roots;
    roots->count = 0;
    for (int i = 0; i < all.count; i++) {
        const struct gf_complex v = all.at[i];
        const struct gf_complex rest = {(v.re - middle) * (v.re + middle) - v.im * v.im, 2.0 * v.re * v.im};
        if (v.im == 0.0 && rest.re < 0.0) { /* one pair */
            gf_roots_add(roots, v.re, gf_sqrt_double(-rest.re));
            continue;
        }
        const double large = gf_sqrt_double(0.5 * (gf_sqrt_double(gf_complex_square(rest)) + fabs(rest.re)));
        const double small = large > 0.0 ? 0.5 * rest.im / large : 0.0;
        struct gf_complex root = {rest.re >= 0.0 ? large : small, rest.re >= 0.0 ? small : large};
        if (root.re * v.re + root.im * v.im < 0.0) {
            root = (struct gf_complex){-root.re, -root.im};
        }
        const struct gf_complex far = {v.re + root.re, v.im + root.im};
        struct gf_complex near = {v.re - root.re, v.im - root.im};
        if (gf_complex_square(v) > middle * middle) { /* where that would cancel */
            near = gf_complex_over((struct gf_complex){middle * middle, 0.0}, far);
        }
        gf_roots_add(roots, far.re, far.im);
        gf_roots_add(roots, near.re, near.im);
    }
}

static void add_times(struct gf_roots *roots, int count, double re, double im)
{
    for (int i = 0; i < count; i++) {
        gf_roots_add(roots, re, im);
    }
}

/* From the prototype to the analog filter whose edges the bilinear transform z = (1 + s) / (1 - s) takes to
 * the asked. */
static void to_edges(const struct gf_iir *design, struct gf_zero_pole *f)
{
    const enum gf_filter_kind kind = design->kind;
    const int degree = gf_roots_degree(&f->poles) - gf_roots_degree(&f->zeros);
    const bool two = gf_has_two_edges(kind);
    const double high_edge = design->edge[two];
    const double low = gf_tan_pi(design->edge[0]), high = gf_tan_pi(high_edge);
    /* high - low, which would cancel */
    const double across =
        gf_sine_pi(high_edge - design->edge[0]) / (gf_cos_pi(design->edge[0]) * gf_cos_pi(high_edge));
    const double middle = gf_sqrt_double(low * high), width = two ? across : low;
    const bool inverse = kind == GF_HIGHPASS || kind == GF_BANDSTOP;
    if (inverse) {
        f->gain *= gf_roots_product(&f->zeros, 0.0) / gf_roots_product(&f->poles, 0.0);
    } else {
        for (int i = 0; i < degree; i++) {
            f->gain *= width;
        }
    }
    move_edge(&f->zeros, inverse, two ? 0.5 * width : width);
    move_edge(&f->poles, inverse, two ? 0.5 * width : width);
    if (two) {
        split(&f->zeros, middle);
        split(&f->poles, middle);
    }
    if (kind != GF_LOWPASS) {
        add_times(&f->zeros, degree, 0.0, kind == GF_BANDSTOP ? middle : 0.0);
    }
}

static void to_circle(struct gf_zero_pole *f)
{
    struct gf_roots *const both[2] = {&f->zeros, &f->poles};
    const int degree = gf_roots_degree(&f->poles) - gf_roots_degree(&f->zeros);
    f->gain *= gf_roots_product(&f->zeros, 1.0) / gf_roots_product(&f->poles, 1.0);
    for (int r = 0; r < 2; r++) {
        for (int i = 0; i < both[r]->count; i++) {
            const struct gf_complex s = both[r]->at[i];
            both[r]->at[i] = gf_complex_over((struct gf_complex){1.0 + s.re, s.im},
                                             (struct gf_complex){1.0 - s.re, -s.im});
        }
    }
    add_times(&f->zeros, degree, -1.0, 0.0);
}

/* The coefficients are rounded: are they still the filter? Its gain is known where the prototype has
 * frequency 0. */
static gf_status check_sound(const struct gf_iir *design, const struct gf_section *sections, int32_t count,
                             gf_error *error)
{
    const bool rippled = design->family == GF_CHEBYSHEV1 || design->family == GF_ELLIPTIC;
    const double expected = rippled && design->order % 2 == 0 ? -design->ripple : 0.0;
    double where = design->kind == GF_HIGHPASS ? 0.5 : 0.0;
    if (design->kind == GF_BANDPASS) {
        const double middle = gf_tan_pi(design->edge[0]) * gf_tan_pi(design->edge[1]);
        where = gf_angle(gf_sqrt_double(middle), 1.0) / GF_PI;
    }
    const double gain = gf_sections_response(sections, count, where).db;
    if (!isinf(gf_sections_settling(sections, count)) && fabs(gain - expected) <= 0.05) {
        return GF_OK;
    }
    return gf_fail(error, GF_ERROR_UNSUPPORTED,
                   "order %d with an edge at %g cycles a sample: in f64 its gain would be %.3g dB instead of "
                   "%.3g; take a lower order, edges further from 0, 0.5 and each other, or a lower rate",
                   (int)design->order, design->edge[0], gain, expected);
}

int32_t gf_iir_sections(const struct gf_iir *design)
{
    return gf_has_two_edges(design->kind) ? design->order : (design->order + 1) / 2;
}

gf_status gf_design_iir(const struct gf_iir *design, struct gf_section *sections, int32_t room,
                        int32_t *count, gf_error *error)
{
    struct gf_zero_pole filter;
    GF_TRY(check(design, room, error));
    gf_iir_prototype(design, &filter);
    to_edges(design, &filter);
    to_circle(&filter);
    gf_zero_pole_sections(&filter, sections);
    *count = gf_iir_sections(design);
    return check_sound(design, sections, *count, error);
}
