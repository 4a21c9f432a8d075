/* Designed filters of finite length and single sections: SciPy's numbers, standards, properties, refusals. */
#include "base/gf_num.h"
#include "design/design_math.h"
#include "design/equaliser.h"
#include "design/fir_design.h"
#include "design/response.h"
#include "design_cases.h"
#include "floats.h"

enum { MOST = 200000 };
static double made[MOST];

/* How far `made` is from the case's values, beside the largest of them. */
static double off_by(const struct design_case *c)
{
    double size = 1e-300, off = 0.0;
    for (int i = 0; i < c->count; i++) {
        size = fmax(size, fabs(c->values[i]));
        off = fmax(off, fabs(made[i] - c->values[i]));
    }
    return off / size;
}

static gf_status make_taper(const double *h, gf_error *error)
{
    return gf_make_taper((enum gf_taper)h[0], h[1], h[2] != 0.0, (int32_t)h[3], made, error);
}

static gf_status make_fir(const double *h, gf_error *error)
{
    const struct gf_fir design = {
        (enum gf_filter_kind)h[0], (int32_t)h[1], {h[2], h[3]}, (enum gf_taper)h[4], h[5]};
    return gf_design_fir(&design, made, error);
}

static gf_status make_kaiser(const double *h, gf_error *error)
{
    int32_t taps = 0;
    const gf_status status = gf_kaiser_taps(h[0], h[1], &taps, error);
    made[0] = taps;
    made[1] = gf_kaiser_beta(h[0]);
    return status;
}

static gf_status make_savgol(const double *h, gf_error *error)
{
    return gf_design_savgol((int32_t)h[0], (int32_t)h[1], (int32_t)h[2], h[3], made, error);
}

static gf_status make_equaliser(const double *h, gf_error *error)
{
    struct gf_section s = {0};
    const gf_status status = gf_design_equaliser((enum gf_equaliser)h[0], h[1], h[2], h[3], &s, error);
    memcpy(made, &s, sizeof s);
    return status;
}

static gf_status make_weighting(const double *h, gf_error *error)
{
    static const double frequencies[] = {20, 100, 1000, 4000, 10000, 16000, 20000};
    struct gf_section sections[GF_WEIGHTING_SECTIONS];
    int32_t count = 0;
    const gf_status status = gf_design_weighting((enum gf_weighting)h[0], h[1], sections, &count, error);
    for (int i = 0; i < 7; i++) {
        made[i] = gf_sections_response(sections, count, frequencies[i] / h[1]).db;
    }
    return status;
}

static void equals(const char *what, gf_status (*make)(const double *how, gf_error *error), double tolerance,
                   int least)
{
    double worst = 0.0;
    int compared = 0;
    REQUIRE(design_read());
    for (int i = 0; i < design_count; i++) {
        const struct design_case *c = &design_cases[i];
        gf_error error = GF_ERROR_INIT;
        if (!strcmp(c->what, what)) {
            CHECK_MSG(make(c->how, &error) == GF_OK, "%s", error.message);
            const double off = off_by(c);
            worst = fmax(worst, off);
            CHECK_MSG(off <= tolerance, "%s %g %g %g %g %g is off by %g", what, c->how[0], c->how[1],
                      c->how[2], c->how[3], c->how[4], off);
            compared++;
        }
    }
    CHECK_MSG(compared >= least, "%d of %s", compared, what);
    printf("# %d of %s: off by at most %.2g of the largest\n", compared, what, worst);
}

static void tapers(void)
{
    equals("taper", make_taper, 1e-14, 64);
}

static void firs(void)
{
    equals("fir", make_fir, 1e-14, 36);
    for (int i = 0; i < 50; i++) { /* made[100] is that of the last case: symmetric, to the last bit */
        CHECK(made[i] == made[100 - i]);
    }
}

static void kaisers(void)
{
    equals("kaiser", make_kaiser, 1e-14, 12);
}

static void savgols(void)
{
    equals("savgol", make_savgol, 1e-11, 40);
    /* Whatever the window and order, a polynomial of that order is its own fit, and so are its derivatives.
     */
    for (int order = 0; order <= 20; order++) {
        const int32_t window = 2 * order + 31;
        for (int derivative = 0; derivative <= 3; derivative++) {
            for (double at = 0.0; at < window; at += 7.5) {
                REQUIRE(gf_design_savgol(window, order, derivative, at, made, NULL) == GF_OK);
                double sum = 0.0, fit = 0.0, half = window / 2.0, size = 0.0, expected = 1.0;
                for (int i = 0; i < window; i++) {
                    sum += made[i];
                    fit += made[i] * pow((i - half) / half, order);
                    size += fabs(made[i]);
                }
                for (int d = 0; d < derivative; d++) {
                    expected *= (order - d) / half;
                }
                expected *= order < derivative ? 0.0 : pow((at - half) / half, order - derivative);
                CHECK_NEAR(sum, derivative ? 0.0 : 1.0, 1e-13 * size);
                CHECK_NEAR(fit, expected, 1e-12 * size);
            }
        }
    }
}

static void equalisers(void)
{
    equals("equaliser", make_equaliser, 1e-13, 20);
    double q;
    struct gf_section s, many[40];
    int32_t count;
    REQUIRE(gf_shelf_q(1.0, 6.0, &q, NULL) == GF_OK);
    CHECK_NEAR(q, sqrt(0.5), 1e-15);
    REQUIRE(gf_design_equaliser(GF_PEAK, 0.07, 4.0, -7.5, &s, NULL) == GF_OK);
    CHECK_NEAR(gf_sections_response(&s, 1, 0.07).db, -7.5, 1e-12);
    REQUIRE(gf_design_dc_block(20.0 / 48000, &s, NULL) == GF_OK);
    CHECK_NEAR(gf_sections_response(&s, 1, 20.0 / 48000).db, -10 * log10(2.0), 1e-9);
    CHECK(s.b0 == 1.0 && s.b1 == -1.0 && s.a1 < -0.99 && s.a1 > -1.0);
    REQUIRE(gf_design_deemphasis(50e-6 * 192000, &s, NULL) == GF_OK);
    CHECK_NEAR(gf_sections_response(&s, 1, 3183.0988618 / 192000).db, -10 * log10(2.0), 0.01);
    REQUIRE(gf_design_deemphasis(50e-6 * 48000, &s, NULL) == GF_OK);
    for (int f = 5000; f <= 15000; f += 5000) {
        const double analog = -10 * log10(1 + pow(2 * GF_PI * f * 50e-6, 2));
        printf("# de-emphasis at 48 kHz, %d Hz: %+.2f dB off\n", f,
               gf_sections_response(&s, 1, f / 48000.0).db - analog);
    }
    REQUIRE(gf_design_harmonics(50.0 / 1000, 30.0, 100, many, 40, &count, NULL) == GF_OK);
    CHECK_EQ_INT(count, 9);
    for (int i = 1; i <= 9; i++) {
        CHECK(gf_sections_response(many, count, 0.05 * i).db < -200);
        CHECK_NEAR(gf_sections_response(many, count, 0.05 * i - 0.025).db, 0.0, 0.05);
        CHECK_NEAR(gf_sections_response(&many[i - 1], 1, 0.05 * i + 0.05 / 60).db, -10 * log10(2.0), 0.3);
    }
    REQUIRE(gf_design_harmonics(50.0 / 1000, 30.0, 3, many, 40, &count, NULL) == GF_OK);
    CHECK_EQ_INT(count, 3);
}

/* A: the curve of IEC 61672-1 in decibels. */
static double curve_a(double f)
{
    const double s = f * f, p = 20.598997 * 20.598997, q = 12194.217 * 12194.217;
    return 20 * log10(q * s * s /
                      ((s + p) * (s + q) * sqrt((s + 107.65265 * 107.65265) * (s + 737.86223 * 737.86223)))) +
           2.0;
}

static void weightings(void)
{
    static const double k48[2][5] = {
        {1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585},
        {1.0, -2.0, 1.0, -1.99004745483398, 0.99007225036621}};
    struct gf_section sections[GF_WEIGHTING_SECTIONS];
    int32_t count;
    equals("weighting", make_weighting, 1e-11, 6);
    REQUIRE(gf_design_weighting(GF_WEIGHTING_K, 48000, sections, &count, NULL) == GF_OK && count == 2);
    for (int i = 0; i < 10; i++) {
        double own;
        memcpy(&own, (char *)&sections[i / 5] + (size_t)(i % 5) * sizeof own, sizeof own);
        CHECK_NEAR(own, k48[i / 5][i % 5], 6e-15); /* the digits that the standard has */
    }
    REQUIRE(gf_design_weighting(GF_WEIGHTING_A, 48000, sections, &count, NULL) == GF_OK && count == 3);
    for (int f = 125; f <= 16000; f *= 2) {
        const double off = gf_sections_response(sections, count, f / 48000.0).db - curve_a(f);
        printf("# A at 48 kHz, %d Hz: %+.2f dB off the standard's curve\n", f, off);
        CHECK(f > 4000 || fabs(off) < 0.1);
    }
    CHECK_NEAR(gf_sections_response(sections, count, 1.0 / 48).db, 0.0, 1e-12);
}

/* The gain of the prototype, in cycles of the input, relative to 1. */
static double prototype_gain(const struct gf_resample *d, double frequency)
{
    double re = 0.0, im = 0.0;
    for (int64_t phase = 0; phase < d->up; phase++) {
        for (int32_t t = 0; t < d->taps; t++) {
            const double place = (double)(t - d->before) - (double)phase / (double)d->up;
            re += made[phase * d->taps + t] * cos(2 * GF_PI * frequency * place);
            im += made[phase * d->taps + t] * sin(2 * GF_PI * frequency * place);
        }
    }
    CHECK_NEAR(im / (double)d->up, 0.0, 2e-7); /* centred: no delay */
    return 20 * log10(hypot(re, im) / (double)d->up);
}

static void resampler(int64_t up, int64_t down, double attenuation, double edge)
{
    struct gf_resample d = {up, down, attenuation, edge, 16, 0, 0};
    gf_error error = GF_ERROR_INIT;
    const double band = up < down ? 0.5 * (double)up / (double)down : 0.5;
    CHECK_MSG(gf_resample_size(&d, &error) == GF_OK, "%s", error.message);
    REQUIRE(d.taps % 16 == 0 && d.before == d.taps / 2 - 1 && up * d.taps <= MOST);
    gf_resample_table(&d, made);
    double worst = 0.0, pass = 0.0, stop = -1000.0;
    for (int64_t phase = 0; phase < up; phase++) {
        double sum = 0.0;
        for (int32_t t = 0; t < d.taps; t++) {
            sum += made[phase * d.taps + t];
        }
        worst = fmax(worst, fabs(sum - 1.0));
    }
    for (int i = 0; i <= 20; i++) {
        pass = fmax(pass, fabs(prototype_gain(&d, band * edge * i / 20.0)));
        stop = fmax(stop, prototype_gain(&d, band * (1.0 + i * i / 100.0)));
    }
    printf("# %d/%d: %d taps, sums off by %.2g, passband within %.2g dB, stopband %.1f dB\n", (int)up,
           (int)down, d.taps, worst, pass, stop);
    CHECK_NEAR(prototype_gain(&d, band * 0.5 * (1.0 + edge)), 20 * log10(0.5), 0.001);
    CHECK(worst <= 1e-14);
    CHECK(pass <= 1e-4);
    CHECK(stop <= 2.0 - attenuation);
}

static void resamplers(void)
{
    resampler(160, 147, 140.0, 0.913);
    resampler(147, 160, 140.0, 0.913);
    resampler(1, 8, 100.0, 0.9);
    resampler(3, 2, 180.0, 0.95);
}

static void pinned(void)
{
    uint64_t hash = 0;
    for (int i = 0; design_read() && i < design_count; i++) {
        const struct design_case *c = &design_cases[i];
        made[0] = 0.0;
        const int is_fir = !strcmp(c->what, "fir"), is_savgol = !strcmp(c->what, "savgol");
        const int is_equaliser = !strcmp(c->what, "equaliser");
        if (is_fir || is_savgol || is_equaliser) {
            REQUIRE((is_fir ? make_fir : is_savgol ? make_savgol : make_equaliser)(c->how, NULL) == GF_OK);
            for (int k = 0; k < c->count; k++) {
                hash = random_at(hash, gf_double_bits(made[k] + 0.0));
            }
        }
    }
    CHECK_EQ_INT(hash, (int64_t)0xb0e7128ee48672c6U);
}

#define REFUSED(call, why)                                                                                   \
    do {                                                                                                     \
        gf_error error = GF_ERROR_INIT;                                                                      \
        CHECK_EQ_INT(call, GF_ERROR_ARGUMENT);                                                               \
        CHECK_STR_HAS(error.message, why);                                                                   \
    } while (0)

static void refusals(void)
{
    struct gf_section s, many[3];
    int32_t count;
    double q;
    struct gf_fir fir = {GF_HIGHPASS, 20, {0.1, 0.0}, GF_HAMMING, 0.0};
    struct gf_resample d = {160, 147, 140.0, 1.0, 16, 0, 0};
    REFUSED(gf_design_fir(&fir, made, &error),
            "taps of a highpass or bandstop are 20: must be an odd number");
    fir.taps = 0;
    REFUSED(gf_design_fir(&fir, made, &error), "number of taps is 0: must be at least 1");
    fir.edge[0] = 0.5;
    REFUSED(gf_design_fir(&fir, made, &error), "edge, in cycles a sample, is 0.5");
    REFUSED(gf_make_taper(GF_KAISER, -1.0, false, 9, made, &error), "beta is -1");
    REFUSED(gf_kaiser_taps(5.0, 0.1, &count, &error), "attenuation in dB is 5");
    REFUSED(gf_kaiser_taps(200.0, 1e-9, &count, &error), "at most 16777216");
    REFUSED(gf_design_savgol(5, 5, 0, 2.0, made, &error), "order is 5: must be at least 0 and at most 4");
    REFUSED(gf_design_savgol(0, 0, 0, 0.0, made, &error), "window in samples is 0");
    REFUSED(gf_design_savgol(5, 2, -1, 2.0, made, &error), "derivative is -1");
    REFUSED(gf_design_equaliser(GF_NOTCH, 0.1, 0.0, 0.0, &s, &error), "q is 0: must be above 0.2");
    REFUSED(gf_design_equaliser(GF_PEAK, 0.5, 1.0, 0.0, &s, &error), "frequency, in cycles a sample, is 0.5");
    REFUSED(gf_design_equaliser(GF_PEAK, 0.1, 1.0, 300.0, &s, &error),
            "gain in dB is 300: must be at least -200 and at most 200");
    REFUSED(gf_shelf_q(0.0, 3.0, &q, &error), "slope is 0");
    REFUSED(gf_design_dc_block(0.2, &s, &error), "frequency, in cycles a sample, is 0.2");
    REFUSED(gf_design_deemphasis(0.0, &s, &error), "time constant in samples is 0");
    REFUSED(gf_design_harmonics(0.05, 30.0, 100, many, 3, &count, &error),
            "room for sections is 3: must be at least 9");
    REFUSED(gf_design_weighting(GF_WEIGHTING_A, 1000.0, many, &count, &error),
            "rate in Hz is 1000: must be at least 4000");
    REFUSED(gf_resample_size(&d, &error), "edge of the passband is 1");
    d.edge = 0.9;
    d.up = 0;
    REFUSED(gf_resample_size(&d, &error), "up is 0");
}

static const struct check_case cases[] = {
    {"tapers", tapers},         {"firwin", firs},
    {"kaiserord", kaisers},     {"savgol", savgols},
    {"equalisers", equalisers}, {"weightings", weightings},
    {"resamplers", resamplers}, {"bits are pinned", pinned},
    {"refusals", refusals},
};
CHECK_MAIN(cases)
