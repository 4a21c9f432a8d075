/* How far two colours are apart: as pixelmatch has it, and by CIEDE2000. */
#include "compare/compare.h"

#include <math.h>

static double over_white(double v, double alpha)
{
    return alpha < 255 ? 255 + (v - 255) * (alpha / 255) : v;
}

void gf_compare_colour(const struct gf_compare_job *job, int side, int64_t x, int64_t y, double rgba[4])
{
    const uint8_t *p = gf_compare_at(job, side, x, y);
    const int32_t channels = job->shape.channels;
    const gf_depth depth = job->shape.depth;
    for (int32_t i = 0; i < 3; i++) {
        const double v = gf_compare_value(p + (size_t)(channels >= 3 ? i : 0) * job->size, depth);
        rgba[i] = depth == GF_U8 ? v : v * 255 / job->white;
    }
    const double alpha =
        job->has_alpha ? gf_compare_value(p + (size_t)(channels - 1) * job->size, depth) : 255;
    rgba[3] = depth == GF_U8 || !job->has_alpha ? alpha : alpha * 255 / job->white;
}

/* ---- YIQ: Kotsarenko and Ramos, "Measuring perceived color difference using YIQ NTSC transmission color
 * space in mobile applications", 2010, with the numbers of pixelmatch ---- */

static bool is_same(const double a[4], const double b[4])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

static double dot(const double rgba[4], const double m[3])
{
    return over_white(rgba[0], rgba[3]) * m[0] + over_white(rgba[1], rgba[3]) * m[1] +
           over_white(rgba[2], rgba[3]) * m[2];
}

static const double of_y[3] = {0.29889531, 0.58662247, 0.11448223};

double gf_compare_brightness(const double a[4], const double b[4])
{
    return is_same(a, b) ? 0 : dot(a, of_y) - dot(b, of_y);
}

double gf_compare_yiq(const double a[4], const double b[4])
{
    static const double of_i[3] = {0.59597799, -0.27417610, -0.32180189};
    static const double of_q[3] = {0.21147017, -0.52261711, 0.31114694};
    if (is_same(a, b)) {
        return 0;
    }
    const double y = gf_compare_brightness(a, b), i = dot(a, of_i) - dot(b, of_i),
                 q = dot(a, of_q) - dot(b, of_q);
    return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q;
}

/* ---- CIEDE2000: Sharma, Wu and Dalal, 2005 ---- */

struct lab {
    double l, a, b;
};

static double light_of(double v)
{
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double root_of(double t)
{
    return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* Of a pixel over white: sRGB to Lab of D65, the 2 degree observer. */
static struct lab lab_of(const double rgba[4])
{
    static const double m[3][3] = {
        {0.412453, 0.357580, 0.180423}, {0.212671, 0.715160, 0.072169}, {0.019334, 0.119193, 0.950227}};
    static const double white[3] = {0.95047, 1, 1.08883};
    double light[3], f[3];
    for (int i = 0; i < 3; i++) {
        light[i] = light_of(over_white(rgba[i], rgba[3]) / 255);
    }
    for (int i = 0; i < 3; i++) {
        f[i] = root_of((m[i][0] * light[0] + m[i][1] * light[1] + m[i][2] * light[2]) / white[i]);
    }
    return (struct lab){116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

static const double turn = 6.283185307179586;

static double hue_of(double a, double b)
{
    const double hue = a == 0 && b == 0 ? 0 : atan2(b, a);
    return hue < 0 ? hue + turn : hue;
}

static double seventh(double c)
{
    const double c7 = c * c * c * c * c * c * c;
    return sqrt(c7 / (c7 + 6103515625.0)); /* 25^7 */
}

static double degrees_cos(double times, double hue, double less)
{
    return cos(times * hue - less * turn / 360);
}

/* The difference of two hues, and their mean, on the circle. */
static void hues(double h1, double h2, bool gray, double *difference, double *mean)
{
    double d = h2 - h1, sum = h1 + h2;
    const double apart = fabs(d);
    if (d > turn / 2) {
        d -= turn;
    } else if (d < -turn / 2) {
        d += turn;
    }
    *difference = gray ? 0 : d;
    *mean = gray ? sum : apart <= turn / 2 ? sum / 2 : (sum < turn ? sum + turn : sum - turn) / 2;
}

double gf_compare_ciede2000(const double p[4], const double q[4])
{
    if (is_same(p, q)) {
        return 0;
    }
    const struct lab u = lab_of(p), v = lab_of(q);
    const double g = 0.5 * (1 - seventh((hypot(u.a, u.b) + hypot(v.a, v.b)) / 2));
    const double a1 = u.a * (1 + g), a2 = v.a * (1 + g);
    const double c1 = hypot(a1, u.b), c2 = hypot(a2, v.b), c = (c1 + c2) / 2, l = (u.l + v.l) / 2;
    double dh, h;
    hues(hue_of(a1, u.b), hue_of(a2, v.b), c1 * c2 == 0, &dh, &h);
    const double t = 1 - 0.17 * degrees_cos(1, h, 30) + 0.24 * degrees_cos(2, h, 0) +
                     0.32 * degrees_cos(3, h, -6) - 0.20 * degrees_cos(4, h, 63);
    const double far = (h * 360 / turn - 275) / 25, from50 = (l - 50) * (l - 50);
    const double rotation = -sin(2 * 30 * turn / 360 * exp(-far * far)) * 2 * seventh(c);
    const double dl = (v.l - u.l) / (1 + 0.015 * from50 / sqrt(20 + from50));
    const double dc = (c2 - c1) / (1 + 0.045 * c);
    const double dk = 2 * sqrt(c1 * c2) * sin(dh / 2) / (1 + 0.015 * c * t);
    return sqrt(fmax(0, dl * dl + dc * dc + dk * dk + rotation * dc * dk));
}
