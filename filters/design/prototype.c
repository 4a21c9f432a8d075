#include "base/gf_num.h"
#include "design/design_parts.h"

/* One step towards root i of the reverse Bessel polynomial theta, as Newton would if it were the only one
 * that is off. From s theta'' - 2 (s + n) theta' + 2 n theta = 0 follows, at each root, sum of 1 / (s - other
 * root) = 1 + n / s: so nothing needs the polynomial, whose values lose all digits from order 20 on. */
static void relax(struct gf_roots *roots, int i, int order)
{
    struct gf_complex *s = &roots->at[i];
    struct gf_complex rest = gf_complex_over((struct gf_complex){-order, 0.0}, *s),
                      slope = gf_complex_over(rest, *s);
    rest.re -= 1.0;
    for (int j = 0; j < 2 * roots->count; j++) { /* with the conjugates */
        const struct gf_complex other = roots->at[j / 2];
        if (j != 2 * i && (j % 2 == 0 || other.im != 0.0)) {
            const struct gf_complex apart = {s->re - other.re, j % 2 ? s->im + other.im : s->im - other.im};
            const struct gf_complex part = gf_complex_over((struct gf_complex){1.0, 0.0}, apart);
            const struct gf_complex square = gf_complex_times(part, part);
            rest = (struct gf_complex){rest.re + part.re, rest.im + part.im};
            slope = (struct gf_complex){slope.re + square.re, slope.im + square.im};
        }
    }
    const struct gf_complex move = gf_complex_over(rest, slope);
    *s = (struct gf_complex){s->re + move.re, s->im != 0.0 ? s->im + move.im : 0.0};
}

/* The roots, scaled to the asymptotes of Butterworth's. */
static void bessel_poles(int order, struct gf_roots *poles)
{
    for (int m = order - 1; m >= 0; m -= 2) { /* near enough to start from */
        const double turn = m / (2.0 * order);
        gf_roots_add(poles, -0.66 * order * gf_cos_pi(turn), 0.9 * order * gf_sine_pi(turn));
    }
    for (int n = 0; n < (14 * order + 20) * poles->count; n++) {
        relax(poles, n % poles->count, order);
    }
    const double scale = gf_exp_double(-gf_log_double(gf_roots_product(poles, 0.0)) / order);
    for (int i = 0; i < poles->count; i++) {
        poles->at[i] = (struct gf_complex){poles->at[i].re * scale, poles->at[i].im * scale};
    }
}

/* The modulus whose nome is q <= exp(-pi), by theta functions: what is left out is below 1e-16. */
static double modulus_of_nome(double q)
{
    const double q2 = q * q, q4 = q2 * q2;
    const double ratio = (1.0 + q2 + q4 * q2) / (1.0 + 2.0 * (q + q4 + q4 * q4 * q));
    return 4.0 * gf_sqrt_double(q) * ratio * ratio;
}

/* Solves the equation of degree (Orfanidis, "Lecture notes on elliptic filter design", 2006): the ratio of
 * the quarter periods of k is that of the ripples over the order. */
static void elliptic_poles(const struct gf_iir *design, double epsilon_square, struct gf_zero_pole *to)
{
    const double k1_square = epsilon_square / gf_expm1_double(0.1 * GF_LN10 * design->attenuation);
    const double period = gf_elliptic_rf(0.0, 1.0 - k1_square, 1.0);
    const double other = gf_elliptic_rf(0.0, k1_square, 1.0);
    const double ratio = other / (period * design->order);
    const double less = modulus_of_nome(gf_exp_double(-GF_PI * (ratio >= 1.0 ? ratio : 1.0 / ratio)));
    const double more = gf_sqrt_double((1.0 - less) * (1.0 + less));
    const double k = ratio >= 1.0 ? less : more, kc = ratio >= 1.0 ? more : less;
    const double v = gf_elliptic_rf(epsilon_square, epsilon_square + k1_square, 1.0 + epsilon_square) / other;
    double s, c, d, sv, cv, dv;
    gf_elliptic_functions(v, kc, k, &sv, &cv, &dv);
    for (int m = design->order - 1; m >= 0; m -= 2) {
        gf_elliptic_functions((double)m / design->order, k, kc, &s, &c, &d);
        const double under = cv * cv + k * s * (k * s) * (sv * sv);
        gf_roots_add(&to->poles, -c * d * sv * cv / under, s * dv / under);
        if (m > 0) {
            gf_roots_add(&to->zeros, 0.0, 1.0 / (k * s));
        }
    }
}

/* Poles on an ellipse, of Chebyshev 2 turned inside out. excess: what the gain's square falls short by at the
 * edge of the ripples, 0 for the circle of Butterworth. */
static void ellipse_poles(const struct gf_iir *design, double excess, struct gf_zero_pole *to)
{
    const double x = gf_sqrt_double(excess),
                 asinh_x = gf_log1p_double(x + x * x / (1.0 + gf_sqrt_double(1.0 + x * x)));
    const double growth = gf_expm1_double(asinh_x / design->order);
    const double wide = excess > 0.0 ? 0.5 * (growth + growth / (1.0 + growth)) : 1.0;
    const double high = excess > 0.0 ? 1.0 + 0.5 * growth * growth / (1.0 + growth) : 1.0;
    for (int m = design->order - 1; m >= 0;
         m -= 2) { /* the angle above the negative axis, of 4 order a turn */
        const double cosine = gf_sine_pi((design->order - m) / (2.0 * design->order));
        const double sine = gf_sine_pi(m / (2.0 * design->order));
        const struct gf_complex v = {-wide * cosine, high * sine};
        const double scale = design->family == GF_CHEBYSHEV2 ? 1.0 / gf_complex_square(v) : 1.0;
        gf_roots_add(&to->poles, scale * v.re, scale * v.im);
        if (design->family == GF_CHEBYSHEV2 && m > 0) {
            gf_roots_add(&to->zeros, 0.0, 1.0 / sine);
        }
    }
}

void gf_iir_prototype(const struct gf_iir *design, struct gf_zero_pole *to)
{
    const enum gf_filter_family family = design->family;
    const bool rippled = family == GF_CHEBYSHEV1 || family == GF_ELLIPTIC;
    const double epsilon_square = rippled ? gf_expm1_double(0.1 * GF_LN10 * design->ripple) : 0.0;
    *to = (struct gf_zero_pole){.gain = 1.0};
    if (family == GF_BESSEL) {
        bessel_poles(design->order, &to->poles);
    } else if (family == GF_ELLIPTIC) {
        elliptic_poles(design, epsilon_square, to);
    } else if (family == GF_CHEBYSHEV2) {
        ellipse_poles(design, gf_expm1_double(0.1 * GF_LN10 * design->attenuation), to);
    } else {
        ellipse_poles(design, rippled ? 1.0 / epsilon_square : 0.0, to);
    }
    to->gain = gf_roots_product(&to->poles, 0.0) / gf_roots_product(&to->zeros, 0.0);
    if (rippled && design->order % 2 == 0) {
        to->gain /= gf_sqrt_double(1.0 + epsilon_square);
    }
}
