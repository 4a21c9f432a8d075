#include "base/gf_num.h"
#include "design/zero_pole.h"

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

static struct gf_complex take(struct gf_roots *roots, int at)
{
    const struct gf_complex v = roots->at[at];
    roots->count--;
    for (int i = at; i < roots->count; i++) {
        roots->at[i] = roots->at[i + 1];
    }
    return v;
}

/* Takes the pole nearest to the circle. */
static struct gf_complex take_worst(struct gf_roots *poles, enum which which)
{
    int best = 0;
    double least = (double)INFINITY;
    for (int i = 0; i < poles->count; i++) {
        const double off = fabs(1.0 - gf_sqrt_double(gf_complex_square(poles->at[i])));
        if ((which == ANY || is_real(poles->at[i])) && off < least) {
            least = off;
            best = i;
        }
    }
    return take(poles, best);
}

static struct gf_complex take_nearest(struct gf_roots *zeros, struct gf_complex to, enum which which)
{
    int best = 0;
    double least = (double)INFINITY;
    for (int i = 0; i < zeros->count; i++) {
        const struct gf_complex v = zeros->at[i], apart = {v.re - to.re, v.im - to.im};
        const double square = gf_complex_square(apart);
        if ((which == ANY || is_real(v) == (which == REAL)) && square < least) {
            least = square;
            best = i;
        }
    }
    return take(zeros, best);
}

/* Takes the pole nearest to the circle, the other of its section where it is real, and the zeros nearest to
 * it. */
static struct gf_section take_section(struct gf_roots *zeros, struct gf_roots *poles)
{
    const struct gf_complex none = {0.0, 0.0}, first = take_worst(poles, ANY);
    struct gf_complex second = none, zero, other = none;
    if (is_real(first) && reals(poles) == 0) {
        zero = take_nearest(zeros, first, REAL);
    } else if (!is_real(first) && reals(poles) == 1 &&
               reals(zeros) == 1) { /* which a pole to come will need */
        zero = take_nearest(zeros, first, COMPLEX);
    } else {
        second = is_real(first) ? take_worst(poles, REAL) : none;
        zero = take_nearest(zeros, first, ANY);
        other = is_real(zero) ? take_nearest(zeros, first, REAL) : none;
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
