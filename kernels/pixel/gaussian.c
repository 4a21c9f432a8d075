#include "pixel/gaussian.h"

#include "base/gf_num.h"
#include "base/planted_fault.h"

/* exp(-a) for a >= 0, infinity included, within 2 units in the last place of double; 0 from a = 700 on.
 * a = k ln 2 + r with |r| <= ln 2 / 2, then the Taylor series of exp(-r), 14 terms. */
static double exp_minus(double a)
{
    const double ln2_high = 6.93147180369123816490e-01; /* 32 bits, so that k * ln2_high is exact */
    const double ln2_low = 1.90821492927058770002e-10;
    if (!(a < 700.0)) {
        return 0.0;
    }
    int32_t k = (int32_t)(a * 1.4426950408889634 + 0.5);
    double r = (a - k * ln2_high) - k * ln2_low;
    double p = 1.0;
    for (int n = 13; n >= 1; n--) {
        p = 1.0 - r * p / n;
    }
    return p * gf_bits_double((uint64_t)(1023 - k) << 52);
}

/* The weight of offset i before the division by the sum. */
static double bell(double sigma, int64_t i)
{
    if (i == 0) {
        return 1.0;
    }
    double x = (double)i / sigma;
    return exp_minus(0.5 * x * x);
}

static double bell_sum(double sigma, int64_t radius)
{
    double half = 0.0;
    for (int64_t i = radius; i >= 1; i--) { /* the small ones first */
        half += bell(sigma, i);
    }
    return 1.0 + 2.0 * half;
}

int64_t gf_gaussian_radius(double sigma)
{
    double radius = 4.0 * sigma + 0.5 - GF_FAULT(radius_short);
    return radius < GF_GAUSSIAN_RADIUS_MAX ? (int64_t)radius : GF_GAUSSIAN_RADIUS_MAX;
}

void gf_gaussian_weights(double sigma, int64_t radius, float *weights)
{
    double sum = bell_sum(sigma, radius);
    double half = 0.0;
    for (int64_t i = radius; i >= 1; i--) {
        float weight = (float)(bell(sigma, i) / sum);
        weights[radius - i] = weight;
        weights[radius + i] = weight;
        half += (double)weight;
    }
    weights[radius] = (float)(1.0 - 2.0 * half);
}

/* Writes the weights for one shift; 0 where one is out of range or the error is above the limit. */
static int fixed(double sigma, int64_t radius, double sum, int32_t shift, int16_t *weights)
{
    double scale = (double)(1 << shift);
    int64_t centre = (int64_t)1 << shift;
    double error = 0.0;
    for (int64_t i = 1; i <= radius; i++) {
        double real = bell(sigma, i) / sum * scale;
        int64_t weight = (int64_t)(real + 0.5);
        if (weight > INT16_MAX) {
            return 0;
        }
        weights[radius - i] = (int16_t)weight;
        weights[radius + i] = (int16_t)weight;
        centre -= 2 * weight;
        error += 2.0 * ((double)weight > real ? (double)weight - real : real - (double)weight);
    }
    double real = scale / sum;
    error += (double)centre > real ? (double)centre - real : real - (double)centre;
    if (centre < 0 || centre > INT16_MAX || error * 127.5 > GF_GAUSSIAN_FIXED_ERROR * scale) {
        return 0;
    }
    weights[radius] = (int16_t)centre;
    return 1;
}

int32_t gf_gaussian_fixed(double sigma, int64_t radius, int32_t max_shift, int16_t *weights)
{
    double sum = bell_sum(sigma, radius);
    for (int32_t shift = max_shift; shift >= 8; shift--) {
        if (fixed(sigma, radius, sum, shift, weights)) {
            return shift;
        }
    }
    return -1;
}
