#include "base/gf_num.h"
#include "design/zero_pole.h"

/* ---- Bessel ---- */

/* A number as the sum of two doubles: with one alone, the polynomials below lose all digits from order 20 on.
 */
struct twofold {
    double high, low;
};

static struct twofold two_sum(double a, double b)
{
    const double sum = a + b, part = sum - a;
    return (struct twofold){sum, (a - (sum - part)) + (b - part)};
}

static struct twofold two_product(double a, double b) /* Dekker's, without fma */
{
    const double wide_a = 134217729.0 * a, wide_b = 134217729.0 * b, product = a * b;
    const double ah = wide_a - (wide_a - a), al = a - ah, bh = wide_b - (wide_b - b), bl = b - bh;
    return (struct twofold){product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
}

static struct twofold add(struct twofold a, struct twofold b)
{
    const struct twofold sum = two_sum(a.high, b.high), rest = two_sum(a.low, b.low);
    const struct twofold all = two_sum(sum.high, sum.low + rest.high);
    return two_sum(all.high, all.low + rest.low);
}

static struct twofold times(struct twofold a, struct twofold b)
{
    const struct twofold product = two_product(a.high, b.high);
    return two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/* What Newton's step at s adds, negated: theta_n / theta_n' of the reverse Bessel polynomial, by
 * theta_n = (2 n - 1) theta_(n-1) + s^2 theta_(n-2) and theta_n' = theta_n - s theta_(n-1). */
static struct gf_complex bessel_step(int order, struct gf_complex s)
{
    const struct twofold re = two_product(s.re, s.re), im = two_product(s.im, s.im),
                         twice = two_product(2.0 * s.re, s.im);
    const struct twofold square_re = add(re, (struct twofold){-im.high, -im.low}), square_im = twice;
    const struct twofold minus_im = {-square_im.high, -square_im.low};
    struct twofold older_re = {1.0, 0.0}, older_im = {0.0, 0.0};
    struct twofold new_re = two_sum(1.0, s.re), new_im = {s.im, 0.0};
    for (int n = 2; n <= order; n++) {
        const struct twofold by = {2.0 * n - 1.0, 0.0};
        const struct twofold next_re =
            add(times(by, new_re), add(times(square_re, older_re), times(minus_im, older_im)));
        const struct twofold next_im =
            add(times(by, new_im), add(times(square_re, older_im), times(square_im, older_re)));
        older_re = new_re;
        older_im = new_im;
        new_re = next_re;
        new_im = next_im;
    }
    const struct gf_complex value = {new_re.high, new_im.high};
    const struct gf_complex turned = gf_complex_times(s, (struct gf_complex){older_re.high, older_im.high});
    return gf_complex_over(value, (struct gf_complex){value.re - turned.re, value.im - turned.im});
}

/* The sum of 1 / (s - root) over all other roots: Aberth's method keeps those that are sought at once apart.
 */
static struct gf_complex repulsion(const struct gf_roots *roots, int own)
{
    const struct gf_complex one = {1.0, 0.0}, s = roots->at[own];
    struct gf_complex sum = {0.0, 0.0};
    for (int i = 0; i < roots->count; i++) {
        const struct gf_complex root = roots->at[i];
        for (int side = 0; side < (root.im != 0.0 ? 2 : 1); side++) {
            if (i != own || side == 1) {
                const struct gf_complex apart = {s.re - root.re, side ? s.im + root.im : s.im - root.im};
                const struct gf_complex part = gf_complex_over(one, apart);
                sum.re += part.re;
                sum.im += part.im;
            }
        }
    }
    return sum;
}

/* The roots of the reverse Bessel polynomial, scaled to the asymptotes of Butterworth's. */
static void bessel_poles(int order, struct gf_roots *poles)
{
    double log_last = 0.0; /* of the constant term, 1 * 3 * 5 ... */
    for (int m = order - 1; m >= 0; m -= 2) {
        const double turn = (double)m / order; /* Aberth's start: a circle around the mean of the roots */
        gf_roots_add(poles, -0.5 * (order + 1) - 0.85 * order * gf_cos_pi(turn),
                     0.85 * order * gf_sine_pi(turn));
    }
    for (int turn = 0; turn < 40; turn++) {
        for (int i = 0; i < poles->count; i++) {
            struct gf_complex *s = &poles->at[i];
            const struct gf_complex step = bessel_step(order, *s);
            const struct gf_complex damped = gf_complex_times(step, repulsion(poles, i));
            const struct gf_complex move =
                gf_complex_over(step, (struct gf_complex){1.0 - damped.re, -damped.im});
            s->re -= move.re;
            s->im -= s->im != 0.0 ? move.im : 0.0;
        }
    }
    for (int n = 1; n <= order; n++) {
        log_last += gf_log_double(2.0 * n - 1.0);
    }
    const double scale = gf_exp_double(-log_last / order);
    for (int i = 0; i < poles->count; i++) {
        poles->at[i].re *= scale;
        poles->at[i].im *= scale;
    }
}

/* ---- elliptic ---- */

/* The modulus whose nome is q <= exp(-pi), by theta functions: four terms are more than enough. */
static double modulus_of_nome(double q)
{
    double over = 0.0, under = 0.5, power = 1.0; /* q^(n n) */
    for (int n = 0; n < 6; n++) {
        double q_n = 1.0;
        for (int i = 0; i < n; i++) {
            q_n *= q;
        }
        under += n > 0 ? power : 0.0;
        over += power * q_n;
        power *= q_n * q_n * q;
    }
    const double ratio = over / (2.0 * under);
    return 4.0 * gf_sqrt_double(q) * ratio * ratio;
}

struct elliptic {
    double k, kc, v; /* the modulus, the complementary one, and where the poles lie, in its quarter periods */
};

/* Solves the equation of degree (Orfanidis, "Lecture notes on elliptic filter design", 2006): the ratio of
 * the quarter periods of k is that of the ripples over the order. */
static struct elliptic solve_degree(const struct gf_iir *design, double epsilon_square)
{
    const double k1_square = epsilon_square / gf_expm1_double(0.1 * GF_LN10 * design->attenuation);
    const double period = gf_elliptic_rf(0.0, 1.0 - k1_square, 1.0);
    const double other = gf_elliptic_rf(0.0, k1_square, 1.0);
    const double ratio = other / (period * design->order);
    const double less = modulus_of_nome(gf_exp_double(-GF_PI * (ratio >= 1.0 ? ratio : 1.0 / ratio)));
    const double more = gf_sqrt_double((1.0 - less) * (1.0 + less));
    struct elliptic e = {ratio >= 1.0 ? less : more, ratio >= 1.0 ? more : less, 0.0};
    e.v = gf_elliptic_rf(epsilon_square, epsilon_square + k1_square, 1.0 + epsilon_square) / other;
    return e;
}

static void add_elliptic(const struct elliptic *e, double u, struct gf_zero_pole *to)
{
    double s, c, d, sv, cv, dv;
    gf_elliptic_functions(u, e->k, e->kc, &s, &c, &d);
    gf_elliptic_functions(e->v, e->kc, e->k, &sv, &cv, &dv);
    const double under = cv * cv + e->k * s * (e->k * s) * (sv * sv);
    gf_roots_add(&to->poles, -c * d * sv * cv / under, s * dv / under);
    if (u > 0.0) {
        gf_roots_add(&to->zeros, 0.0, 1.0 / (e->k * s));
    }
}

/* ---- all ---- */

void gf_iir_prototype(const struct gf_iir *design, struct gf_zero_pole *to)
{
    const int order = design->order;
    const bool rippled = design->family == GF_CHEBYSHEV1 || design->family == GF_ELLIPTIC;
    const double epsilon_square = rippled ? gf_expm1_double(0.1 * GF_LN10 * design->ripple) : 0.0;
    const double excess = design->family == GF_CHEBYSHEV2
                              ? gf_expm1_double(0.1 * GF_LN10 * design->attenuation)
                          : rippled ? 1.0 / epsilon_square
                                    : 0.0;
    const double mu = gf_asinh_double(gf_sqrt_double(excess)) / order, growth = gf_expm1_double(mu);
    const double sinh_mu = 0.5 * (growth + growth / (1.0 + growth));
    const double cosh_mu = 1.0 + 0.5 * growth * growth / (1.0 + growth);
    const struct elliptic elliptic =
        design->family == GF_ELLIPTIC ? solve_degree(design, epsilon_square) : (struct elliptic){0};

    *to = (struct gf_zero_pole){.gain = 1.0};
    if (design->family == GF_BESSEL) {
        bessel_poles(order, &to->poles);
        return;
    }
    for (int m = order - 1; m >= 0;
         m -= 2) { /* the angle of the pole above the negative axis, in turns of 4 order */
        const double sine = gf_sine_pi(m / (2.0 * order)), cosine = gf_sine_pi((order - m) / (2.0 * order));
        const struct gf_complex ellipse = {-sinh_mu * cosine, cosh_mu * sine};
        if (design->family == GF_BUTTERWORTH) {
            gf_roots_add(&to->poles, -cosine, sine);
        } else if (design->family == GF_CHEBYSHEV1) {
            gf_roots_add(&to->poles, ellipse.re, ellipse.im);
        } else if (design->family == GF_ELLIPTIC) {
            add_elliptic(&elliptic, (double)m / order, to);
        } else {
            const double square = gf_complex_square(ellipse);
            gf_roots_add(&to->poles, ellipse.re / square, ellipse.im / square);
            if (m > 0) {
                gf_roots_add(&to->zeros, 0.0, 1.0 / sine);
            }
        }
    }
    if (design->family != GF_BUTTERWORTH) {
        to->gain = gf_roots_product(&to->poles, 0.0) / gf_roots_product(&to->zeros, 0.0);
    }
    if (rippled && order % 2 == 0) {
        to->gain /= gf_sqrt_double(1.0 + epsilon_square);
    }
}
