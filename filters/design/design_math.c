#include "design/design_math.h"

#include "base/gf_num.h"

#include <math.h>

static const double LN2_HIGH = 6.93147180369123816490e-01; /* 32 bits: a whole number times it is exact */
static const double LN2_LOW = 1.90821492927058770002e-10;

/* e^x = 2^k (1 + p): returns p, from the Taylor series, and 2^k. */
static double split_exp(double x, double *scale)
{
    x = x < -700.0 ? -700.0 : x > 700.0 ? 700.0 : x;
    const double k = floor(x * 1.4426950408889634 + 0.5);
    const double r = (x - k * LN2_HIGH) - k * LN2_LOW;
    double p = 0.0;
    for (int n = 15; n >= 1; n--) {
        p = (1.0 + p) * r / n;
    }
    *scale = gf_bits_double((uint64_t)((int64_t)k + 1023) << 52);
    return p;
}

double gf_exp_double(double x)
{
    double scale;
    const double p = split_exp(x, &scale);
    return scale + scale * p;
}

double gf_expm1_double(double x)
{
    double scale;
    const double p = split_exp(x, &scale);
    return (scale - 1.0) + scale * p;
}

/* log((1 + s) / (1 - s)) for |s| <= 0.172. */
static double log_ratio(double s)
{
    const double z = s * s;
    double p = 0.0;
    for (int n = 23; n >= 1; n -= 2) {
        p = p * z + 2.0 / n;
    }
    return p * s;
}

double gf_log_double(double x)
{
    const uint64_t one = 0x3ff0000000000000U;
    const uint64_t sqrt_half = 0x3fe6a09e667f3bcdU;
    if (x == 0.0) {
        return -(double)INFINITY;
    }
    const uint64_t moved = gf_double_bits(x) + (one - sqrt_half);
    const double m = gf_bits_double((moved & 0xfffffffffffffU) + sqrt_half); /* sqrt(1/2) to sqrt(2) */
    const double k = (double)((int64_t)(moved >> 52) - 1023);
    return k * LN2_HIGH + (log_ratio((m - 1.0) / (m + 1.0)) + k * LN2_LOW);
}

double gf_log1p_double(double x)
{
    return x > -0.29 && x < 0.41 ? log_ratio(x / (2.0 + x)) : gf_log_double(1.0 + x);
}

double gf_cos_pi(double x)
{
    return gf_sine_pi(0.5 - x);
}

double gf_tan_pi(double x)
{
    return gf_sine_pi(x) / gf_cos_pi(x);
}

double gf_angle(double y, double x)
{
    const double wide = fabs(x), high = fabs(y), large = wide > high ? wide : high;
    if (large == 0.0) {
        return 0.0;
    }
    double t = (wide > high ? high : wide) / large, p = 0.0;
    for (int i = 0; i < 3; i++) { /* halves the angle */
        t = t / (1.0 + gf_sqrt_double(1.0 + t * t));
    }
    for (int n = 19; n >= 1; n -= 2) {
        p = 1.0 / n - p * t * t;
    }
    double angle = 8.0 * t * p;
    angle = high > wide ? GF_PI / 2.0 - angle : angle;
    angle = x < 0.0 ? GF_PI - angle : angle;
    return y < 0.0 ? -angle : angle;
}

double gf_bessel_i0(double x)
{
    double sum = 1.0, term = 1.0;
    for (int k = 1; term > sum * 1e-18; k++) {
        term *= (0.5 * x / k) * (0.5 * x / k);
        sum += term;
    }
    return sum;
}

double gf_elliptic_rf(double x, double y, double z)
{
    for (int i = 0; i < 40; i++) { /* the three draw together by 4 a turn, and from 0 much faster */
        const double rx = gf_sqrt_double(x), ry = gf_sqrt_double(y), rz = gf_sqrt_double(z);
        const double lambda = rx * ry + ry * rz + rz * rx;
        x = 0.25 * (x + lambda);
        y = 0.25 * (y + lambda);
        z = 0.25 * (z + lambda);
    }
    return 1.0 / gf_sqrt_double((x + y + z) / 3.0);
}

/* Landen's transformation down to a modulus that is none, where they are sine and cosine, and back up
 * (Abramowitz and Stegun 16.12). Differences are written as sums of what is positive. */
void gf_elliptic_functions(double u, double k, double kc, double *sn, double *cn, double *dn)
{
    enum { STEPS = 16 };
    double modulus[STEPS], rest[STEPS]; /* and 1 less the modulus */
    int steps = 0;
    while (steps < STEPS && k > 1e-20) {
        rest[steps] = 2.0 * kc / (1.0 + kc);
        k = k / (1.0 + kc) * (k / (1.0 + kc));
        kc = 2.0 * gf_sqrt_double(kc) / (1.0 + kc);
        modulus[steps++] = k;
    }
    double s = gf_sine_pi(0.5 * u), c = gf_cos_pi(0.5 * u), d = 1.0;
    while (steps-- > 0) {
        const double m = modulus[steps], under = 1.0 + m * s * s;
        const double lower = (rest[steps] + m * c * c) / under;
        c = c * d / under;
        s = (1.0 + m) * s / under;
        d = lower;
    }
    *sn = s;
    *cn = c;
    *dn = d;
}
