/* Designed recursive filters: SciPy's coefficients, gains at the edges, poles, responses, steady states,
 * refusals. */
#include "base/gf_num.h"
#include "design/design_math.h"
#include "design/iir_design.h"
#include "design/response.h"
#include "design_cases.h"
#include "floats.h"

#include <complex.h>

enum { ROOM = 2 * GF_IIR_ORDER_MAX };
static struct gf_section sections[ROOM];
static const char *const families[] = {"butterworth", "chebyshev 1", "chebyshev 2", "elliptic", "bessel"};
static const char *const kinds[] = {"lowpass", "highpass", "bandpass", "bandstop"};

static struct gf_iir design_of(const double how[8])
{
    return (struct gf_iir){(enum gf_filter_family)how[0],
                           (enum gf_filter_kind)how[1],
                           (int32_t)how[2],
                           {how[3], how[4]},
                           how[5],
                           how[6]};
}

/* Designs the case, and says whether that went well. */
static int make(const struct gf_iir *design, int32_t *count)
{
    gf_error error = GF_ERROR_INIT;
    const gf_status status = gf_design_iir(design, sections, ROOM, count, &error);
    CHECK_MSG(status == GF_OK, "%s %s of order %d, edges %g %g: %s", families[design->family],
              kinds[design->kind], design->order, design->edge[0], design->edge[1], error.message);
    return status == GF_OK && *count == gf_iir_sections(design);
}

static double largest(const double *values, int count, double least)
{
    for (int i = 0; i < count; i++) {
        least = fmax(least, fabs(values[i]));
    }
    return least;
}

/* How far a section is from SciPy's, b beside the largest of b, a beside the largest of 1, a1, a2. */
static double section_off(const struct gf_section *s, const double *expected)
{
    const double own[5] = {s->b0, s->b1, s->b2, s->a1, s->a2};
    const double over = largest(expected, 3, 0.0), under = largest(expected + 3, 2, 1.0);
    double off = 0.0;
    for (int i = 0; i < 5; i++) {
        off = fmax(off, fabs(own[i] - expected[i]) / (i < 3 ? over : under));
    }
    return off;
}

static void equals_scipy(void)
{
    double worst[5] = {0};
    int compared = 0;
    REQUIRE(design_read());
    for (int i = 0; i < design_count; i++) {
        const struct design_case *c = &design_cases[i];
        const struct gf_iir design = design_of(c->how);
        int32_t count;
        if (strcmp(c->what, "iir") || !make(&design, &count)) {
            continue;
        }
        REQUIRE(count * 5 == c->count);
        for (int32_t k = 0; k < count; k++) {
            const double off = section_off(&sections[k], c->values + 5 * k);
            worst[design.family] = fmax(worst[design.family], off);
            CHECK_MSG(off <= 1e-12, "%s %s of order %d, edges %g %g: section %d is off by %g",
                      families[design.family], kinds[design.kind], design.order, design.edge[0],
                      design.edge[1], k, off);
        }
        compared++;
    }
    for (int f = 0; f < 5; f++) {
        printf("# %s: off by at most %.2g of the largest coefficient\n", families[f], worst[f]);
    }
    CHECK_MSG(compared == 600, "%d designs", compared);
}

static const double edges[][2] = {{0.11, 0.32},  {0.02, 0.0345}, {0.2, 0.3},
                                  {0.3, 0.4875}, {0.013, 0.4},   {0.001, 0.499}};
enum { EDGES = sizeof edges / sizeof edges[0] };

static double db_at(int32_t count, double frequency)
{
    return gf_sections_response(sections, count, frequency).db;
}

/* The gain where it is known, and no pole on the circle. */
static void check_gains(const struct gf_iir *d, int32_t count, double *worst)
{
    const int two = d->kind >= GF_BANDPASS;
    const double at_edge = d->family == GF_BUTTERWORTH  ? -10.0 * log10(2.0)
                           : d->family == GF_CHEBYSHEV2 ? -d->attenuation
                                                        : -d->ripple;
    for (int e = 0; e <= two && d->family != GF_BESSEL; e++) {
        const double off = fabs(db_at(count, d->edge[e]) - at_edge);
        *worst = fmax(*worst, off);
        CHECK_MSG(off <= 1e-5, "%s %s of order %d: %g dB at edge %g", families[d->family], kinds[d->kind],
                  d->order, db_at(count, d->edge[e]), d->edge[e]);
    }
    for (int i = 0; i < count; i++) {
        CHECK(gf_section_poles(&sections[i]).radius < 1.0);
    }
    for (int i = 0; i <= 120; i++) {
        const double f = i / 240.0, db = db_at(count, f);
        const int outer = two && f > d->edge[1], below = f < d->edge[0];
        const int passes = d->kind == GF_LOWPASS    ? below
                           : d->kind == GF_HIGHPASS ? !below
                           : d->kind == GF_BANDPASS ? !below && !outer
                                                    : below || outer;
        const int rippled = d->family == GF_CHEBYSHEV1 || d->family == GF_ELLIPTIC;
        CHECK_MSG(db <= 1e-5, "%g dB at %g", db, f);
        CHECK_MSG(!rippled || !passes || db >= -d->ripple - 1e-5, "%g dB at %g in the passband", db, f);
        CHECK_MSG(d->family != GF_CHEBYSHEV2 || passes || db <= -d->attenuation + 1e-7, "%g dB at %g", db, f);
    }
}

static void gains_at_edges(void)
{
    double worst[5] = {0};
    for (int family = 0; family < 5; family++) {
        for (int kind = 0; kind < 4; kind++) {
            for (int order = 1; order <= GF_IIR_ORDER_MAX; order++) {
                for (int e = 0; e < EDGES; e++) {
                    const struct gf_iir design = {(enum gf_filter_family)family,
                                                  (enum gf_filter_kind)kind,
                                                  order,
                                                  {edges[e][0], edges[e][1]},
                                                  0.2,
                                                  70.0};
                    int32_t count;
                    if (make(&design, &count)) {
                        check_gains(&design, count, &worst[family]);
                    }
                }
            }
        }
        printf("# %s: gain at the edges off by at most %.2g dB\n", families[family], worst[family]);
    }
}

/* Bessel's filters of all orders have the delay at 0 that their polynomials ask for: (1 * 3 * 5 ...)^(1 /
 * order). */
static void delays_of_bessel(void)
{
    double log_last = 0.0, worst = 0.0;
    for (int order = 1; order <= GF_IIR_ORDER_MAX; order++) {
        const struct gf_iir design = {GF_BESSEL, GF_LOWPASS, order, {0.013, 0.0}, 0.0, 0.0};
        int32_t count;
        log_last += log(2.0 * order - 1.0);
        REQUIRE(make(&design, &count));
        const double asked = exp(log_last / order) / (2.0 * tan(GF_PI * 0.013));
        const int most =
            order > 11 ? 10 : 0; /* from 12 on it is flat up to half the edge, but for the warp */
        for (int n = 0; n <= most; n++) {
            const double flat = asked * (1.0 + pow(tan(GF_PI * 0.00065 * n), 2.0));
            const double off = gf_sections_response(sections, count, 0.00065 * n).delay / flat;
            worst = fmax(worst, fabs(off - 1.0));
            CHECK_MSG(fabs(off - 1.0) <= (n ? 1e-7 : 1e-10), "order %d at %d: %g", order, n, off - 1.0);
        }
    }
    printf("# delays of Bessel's are off by at most %.2g of their size\n", worst);
}

static void same_bits(void)
{
    uint64_t hash = 0;
    for (int n = 0; n < 5 * 4 * 12; n++) {
        const struct gf_iir design = {(enum gf_filter_family)(n % 5),
                                      (enum gf_filter_kind)(n / 5 % 4),
                                      1 + n / 20,
                                      {0.05 + 0.001 * n, 0.4},
                                      0.5,
                                      50.0};
        int32_t count;
        REQUIRE(make(&design, &count));
        for (int32_t i = 0; i < count; i++) {
            const double all[5] = {sections[i].b0, sections[i].b1, sections[i].b2, sections[i].a1,
                                   sections[i].a2};
            for (int k = 0; k < 5; k++) {
                hash = random_at(hash, gf_double_bits(all[k] + 0.0)); /* -0 as 0 */
            }
        }
    }
    CHECK_EQ_INT(hash, (int64_t)0x1b1aaae4d8f37155U);
}

static long double complex factor(double c0, double c1, double c2, long double w)
{
    return c0 + c1 * cexpl(-I * w) + c2 * cexpl(-2.0L * I * w);
}

/* The definition in long double. */
static long double complex gain_of(int32_t count, long double frequency)
{
    const long double w = 2.0L * acosl(-1.0L) * frequency;
    long double complex gain = 1.0L;
    for (int32_t i = 0; i < count; i++) {
        const struct gf_section *s = &sections[i];
        gain *= factor(s->b0, s->b1, s->b2, w) / factor(1.0, s->a1, s->a2, w);
    }
    return gain;
}

static void check_response(int32_t count, double frequency, double *worst)
{
    const struct gf_response r = gf_sections_response(sections, count, frequency);
    const long double complex true_gain = gain_of(count, frequency);
    const double size = (double)cabsl(true_gain),
                 off = (double)cabsl(r.re + (long double complex)I * (long double)r.im - true_gain) / size;
    *worst = fmax(*worst, off);
    CHECK_MSG(off <= 1e-9, "gain at %g is off by %g", frequency, off);
    CHECK_NEAR(r.db, 20.0 * log10(size), 1e-8);
    CHECK_NEAR(remainder(r.phase - (double)cargl(true_gain), 2.0 * GF_PI), 0.0, 1e-8);
    const long double h = 1e-7L, turn = cargl(gain_of(count, frequency + h) / gain_of(count, frequency - h));
    const double delay = (double)(-turn / (4.0L * h * acosl(-1.0L)));
    CHECK_NEAR(r.delay, delay, 1e-5 * (1.0 + fabs(delay)));
}

static void responses(void)
{
    double worst = 0.0;
    for (int n = 0; n < 20; n++) {
        const struct gf_iir design = {
            (enum gf_filter_family)(n % 5), (enum gf_filter_kind)(n / 5), 7, {0.1, 0.2}, 0.5, 50.0};
        int32_t count;
        REQUIRE(make(&design, &count));
        for (int i = 1; i < 50; i++) {
            check_response(count, i / 100.0 + 0.0013, &worst);
        }
    }
    const struct gf_iir low = {GF_BUTTERWORTH, GF_LOWPASS, 4, {0.0001, 0.0}, 0.0, 0.0};
    const struct gf_iir high = {GF_BUTTERWORTH, GF_HIGHPASS, 4, {0.4999, 0.0}, 0.0, 0.0};
    int32_t count;
    REQUIRE(make(&low, &count));
    check_response(count, 0.00007, &worst);
    REQUIRE(make(&high, &count));
    check_response(count, 0.49993, &worst);
    printf("# gains are off by at most %.2g of their size\n", worst);
}

static void steady_and_gain_of_scipy(void)
{
    static const double frequencies[] = {0.001, 0.03, 0.11, 0.2, 0.29, 0.4, 0.499};
    struct gf_section_state states[ROOM];
    double worst = 0.0, worst_gain = 0.0;
    int compared = 0;
    REQUIRE(design_read());
    for (int i = 0; i < design_count; i++) {
        const struct design_case *c = &design_cases[i];
        const struct gf_iir design = design_of(c->how);
        int32_t count;
        if (!strcmp(c->what, "steady")) {
            REQUIRE(make(&design, &count) && gf_sections_steady(sections, count, states, NULL) == GF_OK);
            const double size = largest(c->values, c->count, 0.0);
            for (int32_t k = 0; k < count; k++) {
                worst = fmax(worst, fabs(states[k].s1 - c->values[2 * k]) / size);
                worst = fmax(worst, fabs(states[k].s2 - c->values[2 * k + 1]) / size);
            }
            compared++;
        } else if (!strcmp(c->what, "gain")) {
            REQUIRE(make(&design, &count));
            for (int k = 0; k < 7; k++) {
                const struct gf_response r = gf_sections_response(sections, count, frequencies[k]);
                worst_gain = fmax(worst_gain, hypot(r.re - c->values[2 * k], r.im - c->values[2 * k + 1]));
            }
        }
    }
    printf("# states of %d designs are off by at most %.2g of the largest, gains by %.2g\n", compared, worst,
           worst_gain);
    CHECK(worst <= 1e-9 && worst_gain <= 1e-9);
    CHECK(compared >= 50);
}

/* A chain that has settled stays where it is, and one that has not is there when it should be. */
static void settles(void)
{
    const struct gf_iir design = {GF_ELLIPTIC, GF_LOWPASS, 6, {0.01, 0.0}, 0.1, 60.0};
    struct gf_section_state states[ROOM], started[ROOM] = {{0.0, 0.0}};
    int32_t count;
    REQUIRE(make(&design, &count) && gf_sections_steady(sections, count, states, NULL) == GF_OK);
    const double samples = gf_sections_settling(sections, count);
    CHECK(samples > 1000 && samples < 20000);
    for (int n = 0; n < (int)samples; n++) {
        double settled = 1.0, from_none = 1.0;
        for (int32_t i = 0; i < 2 * count; i++) {
            const struct gf_section *s = &sections[i / 2];
            struct gf_section_state *state = i % 2 ? &started[i / 2] : &states[i / 2];
            double *x = i % 2 ? &from_none : &settled;
            const double y = s->b0 * *x + state->s1;
            state->s1 = s->b1 * *x - s->a1 * y + state->s2;
            state->s2 = s->b2 * *x - s->a2 * y;
            *x = y;
        }
        CHECK_NEAR(settled, pow(10.0, -0.1 / 20.0), 1e-11);
        CHECK_MSG(n + 1 < (int)samples || fabs(from_none - settled) < 1e-11, "%g after %g samples", from_none,
                  samples);
    }
    const struct gf_section one[] = {{1, 0, 0, -0.9, 0}, {1, 0, 0, 0, 0.25}, {1, -1, 0, -1, 0}};
    CHECK_NEAR(gf_sections_settling(one, 2), ceil(-64.0 * log(2.0) / log(0.9)), 0.0);
    CHECK(isinf(gf_sections_settling(one, 3)));
    gf_error error = GF_ERROR_INIT;
    CHECK_EQ_INT(gf_sections_steady(one, 3, states, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "section 2 has a pole at 1");
}

static void mathematics(void)
{
    double worst[8] = {0};
    for (int i = 1; i < 4000; i++) {
        const double x = i / 100.0, q = i / 8001.0;
        const long double xl = x, pi = acosl(-1.0L);
        worst[0] = fmax(worst[0], fabs((double)((gf_exp_double(-x) - expl(-xl)) / expl(-xl))));
        worst[1] = fmax(worst[1], fabs((double)((gf_expm1_double(q) - expm1l(q)) / expm1l(q))));
        worst[2] =
            fmax(worst[2], fabs((double)((gf_log_double(x) - logl(xl)) / fmaxl(fabsl(logl(xl)), 1e-9L))));
        worst[3] = fmax(worst[3], fabs((double)((gf_log1p_double(q - 0.4) - log1pl((long double)(q - 0.4))) /
                                                fmaxl(fabsl(log1pl((long double)(q - 0.4))), 1e-9L))));
        worst[5] = fmax(worst[5], fabs((double)((gf_tan_pi(q) - tanl(pi * q)) / tanl(pi * q))));
        const double angle = i * 0.0015 - 3.0;
        worst[6] = fmax(worst[6], fabs(gf_angle(sin(angle) * x, cos(angle) * x) - angle));
        const long double k = q * 2;
        long double sum =
            0.0L; /* K(k) by its integral, of a periodic function: the midpoint rule converges fast */
        for (int n = 0; n < 200 && i % 100 == 0; n++) {
            const long double sine = sinl(pi * (n + 0.5L) / 400);
            sum += pi / 400 / sqrtl(1 - k * k * sine * sine);
        }
        if (i % 100 == 0 && k < 0.9L) {
            worst[7] =
                fmax(worst[7], fabs((double)(gf_elliptic_rf(0.0, (double)(1 - k * k), 1.0) / sum - 1)));
        }
    }
    for (int f = 0; f < 8; f++) {
        CHECK_MSG(worst[f] <= (f == 6 ? 2e-15 : 1.2e-15), "function %d is off by %g", f, worst[f]);
    }
    double sn, cn, dn, half = sqrt(1.0 / 1.6);
    gf_elliptic_functions(0.5, 0.8, 0.6, &sn, &cn,
                          &dn); /* at half a quarter period: 1 / (1 + kc), kc / (1 + kc), kc */
    CHECK_NEAR(sn, half, 2e-15);
    CHECK_NEAR(cn, sqrt(0.6 / 1.6), 2e-15);
    CHECK_NEAR(dn, sqrt(0.6), 2e-15);
    CHECK_NEAR(gf_bessel_i0(1.0) / 1.2660658777520083356, 1.0, 1e-15);
    CHECK_NEAR(gf_bessel_i0(20.0) / 43558282.559553530, 1.0, 4e-15);
}

static void refused(const struct gf_iir design, gf_status status, const char *why)
{
    gf_error error = GF_ERROR_INIT;
    int32_t count;
    CHECK_EQ_INT(gf_design_iir(&design, sections, ROOM, &count, &error), status);
    CHECK_STR_HAS(error.message, why);
}

static void refusals(void)
{
    const struct gf_iir good = {GF_ELLIPTIC, GF_BANDPASS, 4, {0.1, 0.2}, 1.0, 40.0};
    struct gf_iir d = good;
    gf_error error = GF_ERROR_INIT;
    int32_t count;
#define REFUSED(field, value, why)                                                                           \
    d = good;                                                                                                \
    d.field = value;                                                                                         \
    refused(d, GF_ERROR_ARGUMENT, why)
    REFUSED(order, 0, "order is 0: must be at least 1 and at most 32");
    REFUSED(edge[0], 0.0, "lower edge, in cycles a sample, is 0: must be above 0 and below 0.5");
    REFUSED(edge[1], 0.5, "upper edge, in cycles a sample, is 0.5: must be above 0.1 and below 0.5");
    REFUSED(edge[0], (double)NAN, "lower edge, in cycles a sample, is nan");
    REFUSED(edge[0], 0.2, "upper edge, in cycles a sample, is 0.2");
    REFUSED(ripple, 0.0, "ripple in dB is 0: must be above 0");
    REFUSED(attenuation, 1.0, "attenuation in dB is 1: must be above 1 and at most 300");
    d = (struct gf_iir){GF_BUTTERWORTH, GF_LOWPASS, 8, {1e-9, 0.0}, 0.0, 0.0};
    refused(d, GF_ERROR_UNSUPPORTED, "edges further from 0, 0.5 and each other");
    d = (struct gf_iir){GF_BUTTERWORTH, GF_LOWPASS, 4, {9.71156e-9, 0.0}, 0.0, 0.0};
    refused(d, GF_ERROR_UNSUPPORTED, "would be -0.238 dB instead of 0");
    d = (struct gf_iir){GF_BUTTERWORTH, GF_BANDPASS, 2, {0.1, 0.1 + 1e-16}, 0.0, 0.0};
    refused(d, GF_ERROR_UNSUPPORTED, "edges further from 0, 0.5 and each other");
    CHECK_EQ_INT(gf_design_iir(&good, sections, 3, &count, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "room for sections is 3: must be at least 4");
}

static const struct check_case cases[] = {
    {"sections equal SciPy's", equals_scipy},
    {"gains at edges, ripple, poles inside the circle", gains_at_edges},
    {"delays of Bessel's", delays_of_bessel},
    {"bits are pinned", same_bits},
    {"responses", responses},
    {"steady states and gains of SciPy", steady_and_gain_of_scipy},
    {"settling", settles},
    {"mathematics", mathematics},
    {"refusals", refusals},
};
CHECK_MAIN(cases)
