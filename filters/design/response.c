#include "design/response.h"

#include "base/gf_num.h"
#include "base/status.h"
#include "design/design_math.h"

#include <math.h>

/* c0 + c1 / z + c2 / z^2, times z: its parts, and its share of the group delay. */
struct turned {
    struct gf_complex value;
    double delay;
};

static struct turned at(double c0, double c1, double c2, double frequency)
{
    const double cosine = gf_cos_pi(2.0 * frequency), sine = gf_sine_pi(2.0 * frequency);
    const double low = gf_sine_pi(frequency), high = gf_cos_pi(frequency), ends = c0 + c2;
    /* (c0 + c2) cosine + c1, from the sum at 0 or at 1/2, which the first two terms leave exact */
    const double re = frequency < 0.25 ? ((c0 + c1) + c2) - 2.0 * ends * low * low
                                       : 2.0 * ends * high * high - ((c0 - c1) + c2);
    const double im = (c0 - c2) * sine, square = re * re + im * im;
    const double turn = (re * (c0 - c2) * cosine + im * ends * sine) / square;
    return (struct turned){{re, im}, square > 0.0 ? 1.0 - turn : 1.0};
}

struct gf_response gf_sections_response(const struct gf_section *sections, int32_t count, double frequency)
{
    struct gf_complex gain = {1.0, 0.0};
    double delay = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const struct gf_section *s = &sections[i];
        const struct turned over = at(s->b0, s->b1, s->b2, frequency),
                            under = at(1.0, s->a1, s->a2, frequency);
        gain = gf_complex_times(gain, gf_complex_over(over.value, under.value));
        delay += over.delay - under.delay;
    }
    return (struct gf_response){gain.re, gain.im, 10.0 / GF_LN10 * gf_log_double(gf_complex_square(gain)),
                                gf_angle(gain.im, gain.re), delay};
}

struct gf_section_poles gf_section_poles(const struct gf_section *section)
{
    const double middle = -0.5 * section->a1, rest = middle * middle - section->a2;
    if (rest < 0.0) {
        return (struct gf_section_poles){1, middle, gf_sqrt_double(-rest), gf_sqrt_double(section->a2)};
    }
    const double first = middle < 0.0 ? middle - gf_sqrt_double(rest) : middle + gf_sqrt_double(rest);
    const double second = first != 0.0 ? section->a2 / first : 0.0;
    return (struct gf_section_poles){0, first, second, fabs(first)};
}

double gf_sections_settling(const struct gf_section *sections, int32_t count)
{
    double radius = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const double own = gf_section_poles(&sections[i]).radius;
        radius = own > radius ? own : radius;
    }
    return radius >= 1.0  ? (double)INFINITY
           : radius > 0.0 ? ceil(-64.0 * 0.69314718055994531 / gf_log_double(radius))
                          : 0.0;
}

gf_status gf_sections_steady(const struct gf_section *sections, int32_t count,
                             struct gf_section_state *states, gf_error *error)
{
    double level = 1.0;
    for (int32_t i = 0; i < count; i++) {
        const struct gf_section *s = &sections[i];
        const double under = (1.0 + s->a1) + s->a2;
        if (under == 0.0) {
            return gf_fail(error, GF_ERROR_ARGUMENT,
                           "section %d has a pole at 1: on a constant input it never settles", (int)i);
        }
        const double gain = ((s->b0 + s->b1) + s->b2) / under;
        states[i] = (struct gf_section_state){level * (gain - s->b0), level * (s->b2 - s->a2 * gain)};
        level *= gain;
    }
    return GF_OK;
}
