#include "design/iir.h"

#include "base/gf_num.h"
#include "base/status.h"
#include "design/design_check.h"
#include "design/response.h"
#include "design/zero_pole.h"

#include <math.h>

static const char *const kinds[] = {"lowpass", "highpass", "bandpass", "bandstop"};

static bool has_two_edges(enum gf_filter_kind kind)
{
    return kind == GF_BANDPASS || kind == GF_BANDSTOP;
}

gf_status gf_check_edges(enum gf_filter_kind kind, const double edge[2], gf_error *error)
{
    if ((unsigned)kind > GF_BANDSTOP) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "kind is %d: must be lowpass, highpass, bandpass or bandstop (0 to 3)", (int)kind);
    }
    for (int i = 0; i <= has_two_edges(kind); i++) {
        GF_TRY(gf_check_frequency(i ? "edge[1]" : "edge[0]", edge[i], 0.5, error));
    }
    if (has_two_edges(kind) && !(edge[0] < edge[1])) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "edges of a %s are %.17g and %.17g: the first must be below the second", kinds[kind],
                       edge[0], edge[1]);
    }
    return GF_OK;
}

gf_status gf_check_frequency(const char *name, double value, double below, gf_error *error)
{
    if (!(value > 0.0 && value < below)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s is %.17g cycles a sample: must be above 0 and below %g",
                       name, value, below);
    }
    return GF_OK;
}

gf_status gf_check_range(const char *name, double value, double above, double most, gf_error *error)
{
    if (!(value > above && value <= most)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s is %.17g: must be above %g and at most %g", name, value,
                       above, most);
    }
    return GF_OK;
}

gf_status gf_check_room(int32_t needed, int32_t room, gf_error *error)
{
    return needed <= room
               ? GF_OK
               : gf_fail(error, GF_ERROR_ARGUMENT, "room is for %d sections: must be for %d at least",
                         (int)room, (int)needed);
}

static gf_status check(const struct gf_iir *design, gf_error *error)
{
    const enum gf_filter_family family = design->family;
    if ((unsigned)family > GF_BESSEL) {
        return gf_fail(
            error, GF_ERROR_ARGUMENT,
            "family is %d: must be butterworth, chebyshev1, chebyshev2, elliptic or bessel (0 to 4)",
            (int)family);
    }
    if (design->order < 1 || design->order > GF_IIR_ORDER_MAX) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "order is %d: must be from 1 to %d", (int)design->order,
                       GF_IIR_ORDER_MAX);
    }
    if (family == GF_CHEBYSHEV1 || family == GF_ELLIPTIC) {
        GF_TRY(gf_check_range("ripple in dB", design->ripple, 0.0, 100.0, error));
    }
    if (family == GF_CHEBYSHEV2 || family == GF_ELLIPTIC) {
        GF_TRY(gf_check_range("attenuation in dB", design->attenuation,
                              family == GF_ELLIPTIC ? design->ripple : 0.0, 300.0, error));
    }
    return gf_check_edges(design->kind, design->edge, error);
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
        const double size = gf_sqrt_double(gf_sqrt_double(gf_complex_square(rest)));
        const double large = gf_sqrt_double(0.5 * (size * size + fabs(rest.re))),
                     small = large > 0.0 ? 0.5 * rest.im / large : 0.0;
        struct gf_complex root =
            rest.re >= 0.0 ? (struct gf_complex){large, small} : (struct gf_complex){small, large};
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
    const double low = gf_tan_pi(design->edge[0]),
                 high = has_two_edges(kind) ? gf_tan_pi(design->edge[1]) : 0.0;
    const double across = gf_sine_pi(design->edge[1] - design->edge[0]) /* high - low, without cancelling */
                          / (gf_cos_pi(design->edge[0]) * gf_cos_pi(design->edge[1]));
    const double middle = gf_sqrt_double(low * high), width = has_two_edges(kind) ? across : low;
    const bool inverse = kind == GF_HIGHPASS || kind == GF_BANDSTOP;
    if (inverse) {
        f->gain *= gf_roots_product(&f->zeros, 0.0) / gf_roots_product(&f->poles, 0.0);
    } else {
        for (int i = 0; i < degree; i++) {
            f->gain *= width;
        }
    }
    move_edge(&f->zeros, inverse, has_two_edges(kind) ? 0.5 * width : width);
    move_edge(&f->poles, inverse, has_two_edges(kind) ? 0.5 * width : width);
    if (has_two_edges(kind)) {
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
    const double middle = gf_sqrt_double(gf_tan_pi(design->edge[0]) * gf_tan_pi(design->edge[1]));
    const double where = design->kind == GF_HIGHPASS   ? 0.5
                         : design->kind == GF_BANDPASS ? gf_angle(middle, 1.0) / GF_PI
                                                       : 0.0;
    const double gain = gf_sections_response(sections, count, where).db;
    double radius = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const double own = gf_section_poles(&sections[i]).radius;
        radius = own > radius ? own : radius;
    }
    if (radius < 1.0 && fabs(gain - expected) <= 0.05) {
        return GF_OK;
    }
    return gf_fail(error, GF_ERROR_UNSUPPORTED,
                   "a %s of order %d with an edge at %g cycles a sample cannot be held in f64: its gain "
                   "would be %.3g dB "
                   "instead of %.3g, its largest pole %.17g; take a lower order, an edge further from 0 and "
                   "0.5, or edges "
                   "further apart, or filter at a lower rate",
                   kinds[design->kind], (int)design->order, design->edge[0], gain, expected, radius);
}

int32_t gf_iir_sections(const struct gf_iir *design)
{
    return has_two_edges(design->kind) ? design->order : (design->order + 1) / 2;
}

gf_status gf_design_iir(const struct gf_iir *design, struct gf_section *sections, int32_t room,
                        int32_t *count, gf_error *error)
{
    struct gf_zero_pole filter;
    GF_TRY(check(design, error));
    const int32_t needed = gf_iir_sections(design);
    GF_TRY(gf_check_room(needed, room, error));
    gf_iir_prototype(design, &filter);
    to_edges(design, &filter);
    to_circle(&filter);
    gf_zero_pole_sections(&filter, sections);
    *count = needed;
    return check_sound(design, sections, needed, error);
}
