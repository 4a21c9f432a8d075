#include "pixel/ir/gaussian.h"

#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/ir/multirate.h"

#include <stdbool.h>

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

/* The last offset up to radius whose bell may be above 0: there are none beyond 37.5 sigma. */
static int64_t bell_end(double sigma, int64_t radius)
{
    double end = 38.0 * sigma + 1.0;
    return end < (double)radius ? (int64_t)end : radius;
}

static double bell_sum(double sigma, int64_t radius)
{
    double half = 0.0;
    for (int64_t i = bell_end(sigma, radius); i >= 1; i--) { /* the small ones first */
        half += bell(sigma, i);
    }
    return 1.0 + 2.0 * half;
}

int64_t gf_gaussian_radius(double sigma)
{
    double radius = 4.0 * sigma + 0.5 - GF_FAULT(radius_short);
    return radius < GF_GAUSSIAN_RADIUS_MAX ? (int64_t)radius : GF_GAUSSIAN_RADIUS_MAX;
}

/* The bells of all offsets whose weights tap j > 0 has. */
static double bells_of_tap(const struct gf_gaussian_taps *taps, int64_t j)
{
    const bool folds = taps->kept < taps->reach;
    const int64_t end = bell_end(taps->sigma, taps->reach - (folds && GF_FAULT(taps_folded)));
    const int64_t period = taps->period;
    double sum = 0.0;
    if (period == 0) {
        for (int64_t i = j < taps->kept ? j : end; i >= j; i--) {
            sum += bell(taps->sigma, i);
        }
        return sum;
    }
    for (int64_t turn = end / period + 1; turn >= 0; turn--) {
        int64_t right = turn * period + j, left = turn * period - j; /* left: the mirror image of -left */
        sum += right <= end ? bell(taps->sigma, right) : 0.0;
        sum += left > 0 && left <= end && 2 * j != period ? bell(taps->sigma, left) : 0.0;
    }
    return sum;
}

void gf_gaussian_taps_weights(const struct gf_gaussian_taps *taps, float *weights)
{
    double sum = bell_sum(taps->sigma, taps->radius);
    double half = 0.0;
    for (int64_t i = taps->kept; i >= 1; i--) {
        float weight = (float)(bells_of_tap(taps, i) / sum);
        weights[taps->kept - i] = weight;
        weights[taps->kept + i] = weight;
        half += (double)weight;
    }
    weights[taps->kept] = (float)(1.0 - 2.0 * half);
}

void gf_gaussian_weights(double sigma, int64_t radius, float *weights)
{
    const struct gf_gaussian_taps taps = {sigma, radius, radius, radius, 0};
    gf_gaussian_taps_weights(&taps, weights);
}

int64_t gf_gaussian_reach(double sigma, int64_t radius, double least)
{
    double sum = bell_sum(sigma, radius);
    int64_t low = 0, high = radius;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (bell(sigma, middle) / sum < least) {
            high = middle - 1;
        } else {
            low = middle;
        }
    }
    return low;
}

/* Writes the weights for one shift; 0 where one is out of range or the error is above the limit. */
static int fixed(double sigma, int64_t radius, double sum, int32_t shift, int64_t reach, int16_t *weights)
{
    double scale = (double)(1 << shift);
    int64_t centre = (int64_t)1 << shift;
    double error = 0.0;
    const int64_t end = bell_end(sigma, radius);
    for (int64_t i = 1; i <= (end > reach ? end : reach); i++) {
        double real = bell(sigma, i) / sum * scale;
        int64_t weight = (int64_t)(real + 0.5);
        if (weight > INT16_MAX) {
            return 0;
        }
        if (i <= reach) {
            weights[reach - i] = (int16_t)weight;
            weights[reach + i] = (int16_t)weight;
        }
        centre -= 2 * weight;
        error += 2.0 * ((double)weight > real ? (double)weight - real : real - (double)weight);
        if (centre < 0 || error * 127.5 > GF_GAUSSIAN_FIXED_ERROR * scale) { /* neither comes back */
            return 0;
        }
    }
    double real = scale / sum;
    error += (double)centre > real ? (double)centre - real : real - (double)centre;
    if (centre < 0 || centre > INT16_MAX || error * 127.5 > GF_GAUSSIAN_FIXED_ERROR * scale) {
        return 0;
    }
    weights[reach] = (int16_t)centre;
    return 1;
}

int32_t gf_gaussian_fixed(double sigma, int64_t radius, int32_t max_shift, int64_t reach, int16_t *weights)
{
    double sum = bell_sum(sigma, radius);
    for (int32_t shift = max_shift; shift >= 8; shift--) {
        if (fixed(sigma, radius, sum, shift, reach, weights)) {
            return shift;
        }
    }
    return -1;
}

/* The deviation of the Gaussians between the grids, in steps: sampling then aliases by less than 5e-6. */
static const double BETWEEN = 0.9;

/* Heron's method from above: sqrt(a) for a in [1, 16], the same bits everywhere. */
static double square_root(double a)
{
    double root = 4.0;
    for (int i = 0; i < 8; i++) {
        root = 0.5 * (root + a / root);
    }
    return root;
}

struct gf_multirate gf_multirate_make(double sigma)
{
    struct gf_multirate m = {.step = 4};
    while (4.0 * m.step <= sigma) {
        m.step *= 2;
    }
    double steps = sigma / m.step;
    m.inner = square_root(steps * steps - 2.0 * BETWEEN * BETWEEN);
    m.radius = (int32_t)(5.0 * m.inner + 0.5);
    return m;
}

/* Weights of the coarse samples around the pixel p pixels right of one: rounded, but for the nearest, which
 * is 1 minus the sum of the others. */
static void interpolation(int32_t step, int32_t p, float *weights)
{
    double bells[GF_MULTIRATE_TAPS], sum = 0.0, others = 0.0;
    int nearest = GF_MULTIRATE_BEFORE + (2 * p > step);
    for (int j = 0; j < GF_MULTIRATE_TAPS; j++) {
        int64_t distance = (int64_t)(j - GF_MULTIRATE_BEFORE) * step - p;
        bells[j] = bell(BETWEEN * step, distance);
        sum += bells[j];
    }
    for (int j = 0; j < GF_MULTIRATE_TAPS; j++) {
        weights[(int64_t)j * step] = (float)(bells[j] / sum);
        others += j == nearest ? 0.0 : (double)weights[(int64_t)j * step];
    }
    weights[(int64_t)nearest * step] = (float)(1.0 - others);
}

int64_t gf_multirate_size(const struct gf_multirate *m)
{
    return gf_multirate_at_blur(m->step) + 2 * m->radius + 1;
}

void gf_multirate_weights(const struct gf_multirate *m, float *weights)
{
    for (int32_t p = 0; p < m->step; p++) {
        interpolation(m->step, p, weights + p);
    }
    gf_gaussian_weights(BETWEEN * m->step, (int64_t)m->step * 9 / 2,
                        weights + gf_multirate_at_decimation(m->step));
    gf_gaussian_weights(m->inner, m->radius, weights + gf_multirate_at_blur(m->step));
}
