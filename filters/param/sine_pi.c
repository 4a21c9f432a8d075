#include "param/sine_pi.h"

#include <math.h>

#define PI 3.14159265358979323846

/* The first terms of the series of sin and cos: enough for double where |x| <= pi / 4. */
static double sine(double x)
{
    double sum = 0;
    for (int i = 17; i >= 3; i -= 2) {
        sum = (1 + sum) * (-x * x / (i * (i - 1)));
    }
    return x * (1 + sum);
}

static double cosine(double x)
{
    double sum = 0;
    for (int i = 18; i >= 2; i -= 2) {
        sum = (1 + sum) * (-x * x / (i * (i - 1)));
    }
    return 1 + sum;
}

double gf_sine_pi(double x)
{
    const double whole = floor(x + 0.5);
    const double rest = x - whole;
    const double size = fabs(rest);
    const double value = size <= 0.25 ? sine(PI * size) : cosine(PI * (0.5 - size));
    return (rest < 0) != (fmod(whole, 2) != 0) ? -value : value;
}
