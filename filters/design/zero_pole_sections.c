#include "base/gf_num.h"
#include "design/design_parts.h"

#include <math.h>

/* Takes the root nearest to another, or without one to the circle; of equally near ones the first. */
static struct gf_complex take(struct gf_roots *roots, const struct gf_complex *to, bool real)
{
    int best = 0;
    double least = (double)INFINITY;
    for (int i = 0; i < roots->count; i++) {
        const struct gf_complex v = roots->at[i];
        const double off = to ? gf_complex_square((struct gf_complex){v.re - to->re, v.im - to->im})
                              : fabs(1.0 - gf_sqrt_double(gf_complex_square(v)));
        if ((!real || v.im == 0.0) && off < least) {
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

/* The pole nearest to the circle, with its conjugate or the next real one, and the zeros nearest to it. Of
 * real ones there is an even number, of poles and of zeros. */
static struct gf_section take_section(struct gf_roots *zeros, struct gf_roots *poles)
{
    const struct gf_complex pole = take(poles, NULL, false),
                            pole_2 = pole.im == 0.0 ? take(poles, NULL, true) : pole;
    const struct gf_complex zero = take(zeros, &pole, false),
                            zero_2 = zero.im == 0.0 ? take(zeros, &pole, true) : zero;
    return (struct gf_section){1.0, -(zero.re + zero_2.re), zero.re * zero_2.re + zero.im * zero.im,
                               -(pole.re + pole_2.re), pole.re * pole_2.re + pole.im * pole.im};
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
