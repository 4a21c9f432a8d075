/* Weights of the Gaussian: sums, symmetry, limits, truth, and the definition of the u8 blur they feed. */
#include "base/gf_border.h"
#include "check.h"
#include "floats.h"
#include "pixel/ir/multirate.h"

#include <stdlib.h>

static const double sigmas[] = {0.0, 0.05, 0.1, 0.3, 0.5, 0.6, 0.8, 1.0, 1.1,  1.5, 2.0,   2.5,   3.0,
                                4.0, 5.0,  6.0, 8.0, 10,  20,  30,  50,  75.5, 100, 250.0, 1000.0};
enum { SIGMAS = sizeof sigmas / sizeof sigmas[0], RADIUS = 5000 };
static float weights[2 * RADIUS + 1];
static int16_t fixed[2 * RADIUS + 1];
static double real[2 * RADIUS + 1];

/* The definition in long double. */
static void real_weights(double sigma, int64_t radius)
{
    long double sum = 1.0L;
    for (int64_t i = 1; i <= radius; i++) {
        sum += 2.0L * expl(-(long double)(i * i) / (2.0L * (long double)sigma * (long double)sigma));
    }
    for (int64_t i = 0; i <= radius; i++) {
        long double x = i == 0 ? 0.0L : (long double)i / (long double)sigma;
        real[radius - i] = real[radius + i] = (double)(expl(-0.5L * x * x) / sum);
    }
}

static void default_radius(void)
{
    CHECK_EQ_INT(gf_gaussian_radius(0.0), 0);
    CHECK_EQ_INT(gf_gaussian_radius(0.124), 0);
    CHECK_EQ_INT(gf_gaussian_radius(0.125), 1);
    CHECK_EQ_INT(gf_gaussian_radius(1.0), 4);
    CHECK_EQ_INT(gf_gaussian_radius(1.1), 4);
    CHECK_EQ_INT(gf_gaussian_radius(20.0), 80);
    CHECK_EQ_INT(gf_gaussian_radius(1e300), GF_GAUSSIAN_RADIUS_MAX);
}

static void float_one(double sigma, int64_t radius)
{
    double sum = 0.0;
    gf_gaussian_weights(sigma, radius, weights);
    real_weights(sigma, radius);
    for (int64_t i = 0; i <= 2 * radius; i++) {
        double w = (double)weights[i];
        sum += w;
        CHECK_MSG(w >= 0.0 && weights[i] == weights[2 * radius - i], "sigma %g: weight %d", sigma, (int)i);
        double tolerance = i == radius ? 1e-7 * real[i] + 1e-8 : 6e-8 * real[i] + 1e-45;
        CHECK_MSG(fabs(w - real[i]) <= tolerance, "sigma %g: weight %d is %.9g, not %.9g", sigma, (int)i, w,
                  real[i]);
        CHECK_MSG(i == 0 || i > radius || weights[i] >= weights[i - 1] * (1.0F - 1e-5F), "sigma %g rises",
                  sigma);
    }
    double centre = (double)weights[radius];
    double half_ulp = ((double)nextafterf(weights[radius], 2.0F) - centre) / 2.0;
    CHECK_MSG(fabs(sum - 1.0) <= half_ulp + 1e-14, "sigma %g: sum - 1 = %g", sigma, sum - 1.0);
}

static void float_weights(void)
{
    for (int s = 0; s < SIGMAS; s++) {
        int64_t usual = gf_gaussian_radius(sigmas[s]);
        float_one(sigmas[s], usual);
        float_one(sigmas[s], 0);
        float_one(sigmas[s], 2);
        float_one(sigmas[s], usual + 7);
    }
}

/* These bits must never change, on any machine: results of f32 and u16 blurs hang on them. */
static void pinned_weights(void)
{
    gf_gaussian_weights(1.1, 2, weights);
    CHECK_EQ_INT(gf_float_bits(weights[0]), 0x3d90edf6);
    CHECK_EQ_INT(gf_float_bits(weights[1]), 0x3e7a53d4);
    CHECK_EQ_INT(gf_float_bits(weights[2]), 0x3ebd3531);
    uint64_t hash = 0;
    for (int s = 0; s < SIGMAS; s++) {
        int64_t radius = gf_gaussian_radius(sigmas[s]);
        gf_gaussian_weights(sigmas[s], radius, weights);
        for (int64_t i = 0; i <= 2 * radius; i++) {
            hash = random_at(hash, gf_float_bits(weights[i]));
        }
    }
    CHECK_EQ_INT(hash, (int64_t)0xe67ab587d3d636f8U);
}

/* 1 where weights rounded to `shift` bits have a centre or a neighbour beyond int16_t. */
static int too_large(int64_t radius, int shift)
{
    double scale = (double)(1 << shift);
    double centre = scale;
    for (int64_t i = 1; i <= radius; i++) {
        centre -= 2.0 * floor(real[radius + i] * scale + 0.5);
        if (real[radius + i] * scale >= 32767.5) {
            return 1;
        }
    }
    return centre > 32767.0;
}

static void fixed_one(double sigma, int64_t radius, int max_shift)
{
    int shift = gf_gaussian_fixed(sigma, radius, max_shift, radius, fixed);
    if (shift < 0) {
        CHECK_MSG(sigma > 45.0 || radius > 200, "sigma %g refused", sigma);
        return;
    }
    real_weights(sigma, radius);
    int64_t sum = 0;
    double error = 0.0;
    for (int64_t i = 0; i <= 2 * radius; i++) {
        sum += fixed[i];
        error += fabs(fixed[i] / (double)(1 << shift) - real[i]);
        CHECK_MSG(fixed[i] >= 0 && fixed[i] == fixed[2 * radius - i], "sigma %g: weight %d", sigma, (int)i);
        int64_t rounded = (int64_t)floor(real[i] * (1 << shift) + 0.5);
        CHECK_MSG(i == radius || fixed[i] == rounded, "sigma %g: weight %d is not rounded", sigma, (int)i);
    }
    CHECK_EQ_INT(sum, 1LL << shift);
    CHECK_MSG(error * 127.5 <= GF_GAUSSIAN_FIXED_ERROR + 1e-9, "sigma %g: %g levels", sigma, error * 127.5);
    CHECK_MSG(shift == max_shift || too_large(radius, shift + 1), "sigma %g: shift %d is not the largest",
              sigma, shift);
}

static void fixed_weights(void)
{
    for (int s = 0; s < SIGMAS; s++) {
        int64_t usual = gf_gaussian_radius(sigmas[s]);
        fixed_one(sigmas[s], usual, GF_GAUSSIAN_SHIFT_X);
        fixed_one(sigmas[s], usual, GF_GAUSSIAN_SHIFT_Y);
        fixed_one(sigmas[s], 0, GF_GAUSSIAN_SHIFT_X);
        fixed_one(sigmas[s], 2, GF_GAUSSIAN_SHIFT_X);
        fixed_one(sigmas[s], 2, GF_GAUSSIAN_SHIFT_Y);
    }
    CHECK_EQ_INT(gf_gaussian_fixed(0.0, 3, GF_GAUSSIAN_SHIFT_X, 3, fixed), 14);
    CHECK_EQ_INT(fixed[3], 16384);
    CHECK_EQ_INT(gf_gaussian_fixed(1.1, 2, GF_GAUSSIAN_SHIFT_X, 2, fixed), 16);
    CHECK_EQ_INT(gf_gaussian_fixed(1000.0, 4000, GF_GAUSSIAN_SHIFT_Y, 4000, fixed), -1);
}

static void largest_radius(void)
{
    int64_t radius = GF_GAUSSIAN_RADIUS_MAX;
    float *w = malloc((2 * (size_t)radius + 1) * sizeof *w);
    REQUIRE(w);
    gf_gaussian_weights(250000.0, radius, w);
    double sum = 0.0;
    for (int64_t i = 0; i <= 2 * radius; i++) {
        sum += (double)w[i];
    }
    CHECK_NEAR(sum, 1.0, 1e-12);
    CHECK_NEAR((double)w[radius], 1.595870e-6, 1e-10);
    free(w);
}

enum { SIDE = 64, PICTURES = 5 };

/* A sample of picture p: noise, black and white noise, white, a checkerboard, a vertical edge. */
static int sample(int p, int x, int y)
{
    int noise = (int)(random_at(40 + (uint64_t)p, (uint64_t)(y * SIDE + x)) >> 56);
    return p == 0   ? noise
           : p == 1 ? (noise & 1) * 255
           : p == 2 ? 255
           : p == 3 ? ((x ^ y) & 1) * 255
                    : (x > 20) * 255;
}

/* The u8 blur as docs/exactness.md defines it, against the same sums in double. */
static void u8_blur_of(int p, double sigma, double *worst, int64_t *largest)
{
    static int16_t wx[2 * RADIUS + 1], wy[2 * RADIUS + 1];
    static int64_t middle[SIDE][SIDE];
    static double middle_real[SIDE][SIDE];
    int r = (int)gf_gaussian_radius(sigma);
    int kx = gf_gaussian_fixed(sigma, r, GF_GAUSSIAN_SHIFT_X, r, wx);
    int ky = gf_gaussian_fixed(sigma, r, GF_GAUSSIAN_SHIFT_Y, r, wy);
    REQUIRE(kx >= 8 && ky >= 8);
    real_weights(sigma, r);
    for (int n = 0; n < SIDE * SIDE; n++) {
        int64_t sum = (int64_t)1 << (kx - 8);
        double exact = 0.0;
        for (int i = -r; i <= r; i++) {
            int v = sample(p, (int)gf_border_index(n % SIDE + i, SIDE, GF_BORDER_REFLECT101), n / SIDE);
            sum += (int64_t)wx[i + r] * v;
            exact += real[i + r] * v;
        }
        *largest = sum > *largest ? sum : *largest;
        middle[n / SIDE][n % SIDE] = sum >> (kx - 7);
        middle_real[n / SIDE][n % SIDE] = exact;
        CHECK(sum >> (kx - 7) <= 32640);
    }
    for (int n = 0; n < SIDE * SIDE; n++) {
        int64_t sum = (int64_t)1 << (ky + 6);
        double exact = 0.0;
        for (int i = -r; i <= r; i++) {
            int64_t y = gf_border_index(n / SIDE + i, SIDE, GF_BORDER_REFLECT101);
            sum += wy[i + r] * middle[y][n % SIDE];
            exact += real[i + r] * middle_real[y][n % SIDE];
        }
        *largest = sum > *largest ? sum : *largest;
        double off = fabs((double)(sum >> (ky + 7)) - exact);
        *worst = off > *worst ? off : *worst;
        CHECK(sum >> (ky + 7) <= 255);
    }
}

static void u8_blur_is_true(void)
{
    const double used[] = {0.3, 0.6, 0.8, 1.0, 1.1, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 20.0};
    double worst = 0.0;
    int64_t largest = 0;
    for (size_t s = 0; s < sizeof used / sizeof used[0]; s++) {
        for (int p = 0; p < PICTURES; p++) {
            u8_blur_of(p, used[s], &worst, &largest);
        }
    }
    printf("# u8 blur: at most %.4f levels off, largest sum 2^31 * %.4f\n", worst,
           (double)largest / 2147483648.0);
    CHECK(worst <= 0.51);
    CHECK(largest <= INT32_MAX);
}

/* Returns the error, against the Gaussian, of what a pixel `place` pixels right of a coarse sample gets from
 * those around it: the sum of what each is off by. */
static double multirate_error(const struct gf_multirate *m, double sigma, int64_t place)
{
    const float *interpolation = weights + place;
    const float *decimation = weights + gf_multirate_at_decimation(m->step);
    const float *blur = weights + gf_multirate_at_blur(m->step);
    int64_t start = gf_multirate_start(0, m->step, m->radius), end = -start + m->step + 1;
    long double sum = 0.0L, off = 0.0L;
    double *effective = calloc((size_t)(end - start), sizeof *effective);

    for (int64_t j = 0; j < GF_MULTIRATE_TAPS; j++) {
        for (int64_t b = 0; b <= 2 * m->radius; b++) {
            for (int64_t i = 0; i <= 9 * m->step; i++) {
                effective[(j + b) * m->step + i] +=
                    (double)interpolation[j * m->step] * (double)blur[b] * (double)decimation[i];
            }
        }
    }
    for (int64_t x = (int64_t)(-12 * sigma); x <= (int64_t)(12 * sigma); x++) {
        sum += expl(-0.5L * (long double)(x * x) / (long double)(sigma * sigma));
    }
    for (int64_t x = start; x < end; x++) {
        long double d = (long double)(x - place);
        off += fabsl(effective[x - start] - expl(-0.5L * d * d / (long double)(sigma * sigma)) / sum);
    }
    free(effective);
    return (double)off;
}

static void multirate_is_true(void)
{
    static const double used[] = {8, 9.3, 12, 15.99, 16, 20, 31.9, 32, 50, 64};
    double worst = 0.0;
    for (size_t s = 0; s < sizeof used / sizeof used[0]; s++) {
        const struct gf_multirate m = gf_multirate_make(used[s]);
        CHECK(m.step <= used[s] / 2 && 2 * m.step > used[s] / 2);
        CHECK(gf_multirate_size(&m) <= 2 * RADIUS + 1);
        gf_multirate_weights(&m, weights);
        for (int64_t place = 0; place < m.step; place += 1 + m.step / 9) {
            double off = multirate_error(&m, used[s], place);
            worst = off > worst ? off : worst;
        }
    }
    printf("# multirate: weights are off by at most %.3g in all\n", worst);
    CHECK(worst <= 5.5e-6);
}

static const struct check_case cases[] = {
    {"default radius", default_radius},
    {"f32 weights", float_weights},
    {"f32 weights are pinned", pinned_weights},
    {"fixed point weights", fixed_weights},
    {"largest radius", largest_radius},
    {"u8 blur is within 0.51 of the real value", u8_blur_is_true},
    {"multirate is a Gaussian", multirate_is_true},
};
CHECK_MAIN(cases)
