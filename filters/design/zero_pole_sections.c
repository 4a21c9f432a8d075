#include "base/gf_num.h"
#include "design/design_parts.h"

#include <math.h>

enum which { ANY, REAL, COMPLEX };

static bool is_real(struct gf_complex v)
{
    return v.im == 0.0;
}

static int reals(const struct gf_roots *roots)
{
    int count = 0;
    for (int i = 0; i < roots->count; i++) {
        count += is_real(roots->at[i]);
    }
    return count;
}

/* Takes the root nearest to another, or without one to the circle; of equally near ones the first. */
static struct gf_complex take(struct gf_roots *roots, const struct gf_complex *to, enum which which)
{
    int best = 0;
    double least = (double)INFINITY;
    for (int i = 0; i < roots->count; i++) {
        const struct gf_complex v = roots->at[i];
        const double off = to ? gf_complex_square((struct gf_complex){v.re - to->re, v.im - to->im})
                              : fabs(1.0 - gf_sqrt_double(gf_complex_square(v)));
        if ((which == ANY || is_real(v) == (which == REAL)) && off < least) {
            least = off;
            best = i;
        }
    }
    const struct gf_complex taken = roots->at[best];
    roots->count--;
    for (int i = best; i < roots->count; i++) {
        roots->at[i] = roots->at[i + 1];
    }
    return taken;
}

/* Takes the pole nearest to the circle, the other of its section where it is real, and the zeros nearest to
 * it. */
static struct gf_section take_section(struct gf_roots *zeros, struct gf_roots *poles)
{
    const struct gf_complex none = {0.0, 0.0}, first = take(poles, NULL, ANY);
    struct gf_complex second = none, zero, other = none;
    if (is_real(first) && reals(poles) == 0) {
        zero = take(zeros, &first, REAL);
    } else if (!is_real(first) && reals(poles) == 1 &&
               reals(zeros) == 1) { /* which a pole to come will need */
        zero = take(zeros, &first, COMPLEX);
    } else {
        second = is_real(first) ? take(poles, NULL, REAL) : none;
        zero = take(zeros, &first, ANY);
        other = is_real(zero) ? take(zeros, &first, REAL) : none;
    }
    return (struct gf_section){
        .b0 = 1.0,
        .b1 = is_real(zero) ? -(zero.re + other.re) : -2.0 * zero.re,
        .b2 = is_real(zero) ? zero.re * other.re : gf_complex_square(zero),
        .a1 = is_real(first) ? -(first.re + second.re) : -2.0 * first.re,
        .a2 = is_real(first) ? first.re * second.re : gf_complex_square(first),
    };
}

void gf_zero_pole_sections(const struct gf_zero_pole *filter, struct gf_section *sections)
{
    struct gf_roots zeros = filter->zeros, poles = filter->poles;
    const int degree = gf_roots_degree(&poles);
    if (degree % 2) {
        gf_roots_add(&zeros, 0.0, 0.0);
        gf_roots_add(&poles, 0.0, 0.0);
    }
    for (int i = (degree + 1) / 2 - 1; i >= 0; i--) {
        sections[i] = take_section(&zeros, &poles);
    }
    sections[0].b0 *= filter->gain;
    sections[0].b1 *= filter->gain;
    sections[0].b2 *= filter->gain;
}
