/* frequency, notch, fft and its kin: waves that pass and waves that do not, and every way of execution. */
#include "check.h"
#include "drawn_check.h"
#include "plan_cases.h"
#include "text_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { W = 210, H = 150 };

static float samples[W * H], made[W * H];
static const double pi = 3.14159265358979323846;

static bool make(const char *stages)
{
    gf_error error = GF_ERROR_INIT;
    gf_image in = gf_image_view(samples, W, H, 1, GF_F32, 0), out = gf_image_view(made, W, H, 1, GF_F32, 0);
    const bool good = text_run_once(stages, &in, &out, &error) == GF_OK;
    CHECK_MSG(good, "%s: %s", stages, error.message);
    return good;
}

/* A half, and a wave of so many periods across and down. */
static void draw(double across, double down)
{
    for (int i = 0; i < W * H; i++) {
        samples[i] = (float)(0.5 + 0.25 * cos(2 * pi * (across * (i % W) / W + down * (i / W) / H)));
    }
}

/* Of a wave that the picture is whole periods of, what is left is its weight by the formula; so is the mean.
 */
static void waves_by_formula(void)
{
    static const struct {
        const char *stages;
        double low, high;
        int order; /* 0: a Gaussian, -1: ideal */
    } runs[] = {
        {"frequency:low=0.1:border=wrap", 0.1, 0, 0},
        {"frequency:high=0.2:border=wrap", 0, 0.2, 0},
        {"frequency:low=0.3:high=0.05:border=wrap", 0.3, 0.05, 0},
        {"frequency:low=0.15:shape=butterworth:order=1:border=wrap", 0.15, 0, 1},
        {"frequency:low=0.4:high=0.11:shape=butterworth:order=5:border=wrap", 0.4, 0.11, 5},
        {"frequency:low=0.151:shape=ideal:border=wrap", 0.151, 0, -1},
        {"frequency:low=0.151:high=0.041:shape=ideal:border=wrap", 0.151, 0.041, -1},
    };
    static const int waves[][2] = {{3, 2}, {40, 0}, {0, 31}, {27, 13}, {105, 0}, {100, 70}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs * 6; i++) {
        const int *wave = waves[i % 6], order = runs[i / 6].order;
        const double d = hypot((double)wave[0] / W, (double)wave[1] / H);
        const double ends[2] = {runs[i / 6].low, runs[i / 6].high};
        double weight = 1, mean = 1, worst = 0;
        for (int e = 0; e < 2; e++) {
            if (ends[e] > 0) {
                const double r = d / ends[e];
                const double g = order > 0    ? 1 / (1 + pow(r, 2 * order))
                                 : order == 0 ? exp(-r * r / 2)
                                 : r <= 1     ? 1
                                              : 0;
                weight *= e ? 1 - g : g;
                mean *= e ? 0 : 1;
            }
        }
        draw(wave[0], wave[1]);
        CHECK(make(runs[i / 6].stages));
        for (int at = 0; at < W * H; at++) {
            const double want = 0.5 * mean + (samples[at] - 0.5) * weight;
            worst = fmax(worst, fabs(made[at] - want));
        }
        CHECK_MSG(worst < 1e-6, "%s, waves %d and %d: %g", runs[i / 6].stages, wave[0], wave[1], worst);
    }
}

/* A slope that begins again at the other end is a step there; mirrored it is none, and stays what it is. */
static void edges_are_mirrored(void)
{
    for (int i = 0; i < W * H; i++) {
        samples[i] = 0.002F * (float)(i % W) + 0.001F * (float)(i / W);
    }
    CHECK(make("frequency:low=0.05"));
    for (int at = 0; at < W * H; at++) {
        CHECK_MSG(fabsf(made[at] - samples[at]) < 0.01F, "%d, %d: %g", at % W, at / W, made[at]);
    }
    CHECK(make("frequency:low=0.05:border=wrap"));
    CHECK(fabsf(made[0] - samples[0]) > 0.1F);
}

/* Low and high add up to the picture. */
static void parts_add_up(void)
{
    static float low[W * H];
    draw(13, 7);
    for (int i = 0; i < W * H; i++) {
        samples[i] += (float)((uint32_t)i * 2654435761U >> 24) / 1024;
    }
    CHECK(make("frequency:low=0.08:shape=butterworth"));
    memcpy(low, made, sizeof low);
    CHECK(make("frequency:high=0.08:shape=butterworth"));
    for (int at = 0; at < W * H; at++) {
        CHECK_MSG(fabsf(low[at] + made[at] - samples[at]) < 2e-6F, "%d: %g", at, low[at] + made[at]);
    }
}

/* A wave that runs through a slope goes, and the slope stays. Mirrored at the edges it is another one there.
 */
static void waves_taken_away(void)
{
    static float clean[W * H];
    double inside = 0, outside = 0;
    for (int i = 0; i < W * H; i++) {
        const int x = i % W, y = i / W;
        clean[i] = 0.3F + 0.001F * (float)x + 0.0008F * (float)y;
        samples[i] = clean[i] + (float)(0.2 * cos(2 * pi * (0.17 * x - 0.09 * y)));
    }
    CHECK(make("notch:at=[0.17 -0.09]:radius=0.03"));
    for (int i = 0; i < W * H; i++) {
        const int x = i % W, y = i / W;
        const bool near = x < 20 || y < 20 || x >= W - 20 || y >= H - 20;
        double *worst = near ? &outside : &inside;
        *worst = fmax(*worst, fabs((double)made[i] - clean[i]));
    }
    CHECK_MSG(inside < 0.01 && outside < 0.2, "%g, %g", inside, outside);
    draw(42, 0); /* 0.2 0: whole periods, gone to the last */
    CHECK(make("notch:at=[0.2 0; 0 0.4]:radius=0.004:border=wrap"));
    for (int i = 0; i < W * H; i++) {
        CHECK_MSG(fabsf(made[i] - 0.5F) < 1e-6F, "%d: %g", i, made[i]);
    }
}

/* Each number of a small spectrum by the sum, its place with centre=on, and back. */
static void sums(void)
{
    enum { SIDE = 12, HIGH = 7 };
    float v[SIDE * HIGH], spectrum[2 * SIDE * HIGH], polar[2][SIDE * HIGH], back[SIDE * HIGH];
    gf_image in = gf_image_view(v, SIDE, HIGH, 1, GF_F32, 0);
    gf_image out = gf_image_view(spectrum, SIDE, HIGH, 2, GF_F32, 0);
    gf_image again = gf_image_view(back, SIDE, HIGH, 1, GF_F32, 0);
    for (int i = 0; i < SIDE * HIGH; i++) {
        v[i] = (float)(i * 7919 % 101) / 101;
    }
    CHECK(text_run_once("fft:centre=on", &in, &out, NULL) == GF_OK);
    CHECK(text_run_once("ifft:centre=on:real=on", &out, &again, NULL) == GF_OK);
    for (int i = 0; i < 2; i++) {
        gf_image one = gf_image_view(polar[i], SIDE, HIGH, 1, GF_F32, 0);
        CHECK(text_run_once(i ? "phase" : "magnitude", &out, &one, NULL) == GF_OK);
    }
    for (int at = 0; at < SIDE * HIGH; at++) {
        const int k = at % SIDE - SIDE / 2, l = at / SIDE - HIGH / 2;
        double re = 0, im = 0;
        for (int i = 0; i < SIDE * HIGH; i++) {
            const double turns = (double)k * (i % SIDE) / SIDE + (double)l * (i / SIDE) / HIGH;
            re += v[i] * cos(2 * pi * turns);
            im -= v[i] * sin(2 * pi * turns);
        }
        CHECK_MSG(hypot(re - spectrum[2 * at], im - spectrum[2 * at + 1]) < 1e-5, "%d, %d: %g %g", k, l,
                  spectrum[2 * at], spectrum[2 * at + 1]);
        CHECK_MSG(fabs(hypot(re, im) - polar[0][at]) < 1e-5, "%d, %d: %g", k, l, polar[0][at]);
        CHECK_MSG(hypot(re, im) < 1e-3 || fabs(remainder(atan2(im, re) / (2 * pi) - polar[1][at], 1)) <
                                              1e-5 / hypot(re, im) + 1e-6,
                  "%d, %d: %g", k, l, polar[1][at]);
        CHECK_MSG(fabsf(back[at] - v[at]) < 1e-6F, "%d: %g", at, back[at]);
    }
}

static void refused(void)
{
    static const char *const runs[][2] = {
        {"frequency", "low= and high= are 0, or not given"},
        {"frequency:low=0.1:high=0.1", "so high must be less"},
        {"frequency:low=0.1:high=0.2", "so high must be less"},
        {"frequency:low=2", "low is 2, must be from 0 to 1"},
        {"frequency:0.1:border=constant", "replicate"},
        {"frequency:0.1:order=21", "order is 21, must be from 1 to 20"},
        {"notch", "at= is not given"},
        {"rgb,fft", "it takes two channels, re and im, or one, not 3: put gray before it"},
        {"rgb,alpha:add,fft", "or one, not 4: put gray,alpha:drop before it"},
        {"alpha:add,convert:u8,ifft",
         "its second channel is alpha, as complex numbers are f32: put alpha:drop"},
        {"alpha:add,convert:u16,phase", "its second channel is alpha"},
        {"rgb,magnitude", "it takes two channels, re and im, or one, not 3"},
        {"notch:50Hz", "it gets a picture"},
        {"notch:at=[0.1 0]:q=3", "it gets a picture, and q=, harmonics= and phase= are of signals"},
        {"notch:at=[0.1 0]:harmonics=2", "it gets a picture, and q="},
        {"notch:at=[0.1 0]:phase=zero", "it gets a picture, and q="},
        {"notch:at=[0.1]", "at is 1x1 (rows x columns), must be 1x2 or *x2"},
        {"notch:at=[0.6 0]", "from -0.5 to 0.5"},
        {"notch:at=[.1 0;.1 0;.1 0;.1 0;.1 0;.1 0;.1 0;.1 0;.1 0;.1 0;.1 0;.1 0;.1 0;.1 0;.1 0;.1 0;.1 0]",
         "at= has 17 places, must have at most 16"},
    };
    gf_image in = gf_image_view(samples, W, H, 1, GF_F32, 0), out = gf_image_view(made, W, H, 1, GF_F32, 0);
    text_run_refused(runs, sizeof runs / sizeof *runs, &in, &out);
}

static void every_way(void)
{
    static const struct {
        const char *stages;
        gf_shape shape;
    } runs[] = {
        {"frequency:0.1", {121, 33, 1, GF_U8}},
        {"frequency:high=0.2", {122, 70, 3, GF_F32}},
        {"frequency:0.3:high=0.1:shape=butterworth:order=3:border=wrap", {251, 41, 1, GF_F32}},
        {"frequency:0.02:shape=ideal:border=replicate", {126, 65, 4, GF_U16}},
        {"frequency:0.1:border=reflect101", {1, 1, 1, GF_F32}},
        {"frequency:0.1:high=0.001", {300, 1, 2, GF_U16}},
        {"frequency:high=0.1:border=wrap:negative=offset", {5, 1, 1, GF_F32}},
        {"frequency:0.1:channels=g:roi=30x9+4+5", {50, 20, 3, GF_U8}},
        {"blur,frequency:high=0.01,invert,hist", {130, 36, 1, GF_U8}},
        {"frequency:0.3", {3, 64, 2, GF_U8}},
        {"frequency:0.5:shape=ideal", {1, 50, 1, GF_F32}},
        {"frequency:0.004:border=wrap", {1100, 23, 1, GF_F32}},
        {"frequency:0.2", {9, 700, 1, GF_U8}},
        {"frequency:high=0.1", {9, 4320, 1, GF_U8}},         /* columns of which a block on CUDA holds four */
        {"frequency:0.2:border=wrap", {6, 7500, 1, GF_F32}}, /* columns too long for one pass on CUDA */
        {"frequency:0.2:border=wrap", {65536, 2, 1, GF_F32}}, /* and rows */
        {"frequency:0.1", {466, 12, 1, GF_U8}},               /* steps of 27 numbers, */
        {"frequency:high=0.1:border=reflect101:negative=offset", {1004, 7, 3, GF_U16}}, /* and of 32 */
        {"frequency:high=0.2:border=replicate:negative=absolute", {210, 500, 1, GF_F32}},
        {"frequency:0.1:border=reflect101", {3, 20, 1, GF_U8}}, /* mirrored more than once */
        {"fft:centre=on,magnitude", {31, 40, 1, GF_U8}},
        {"fft", {50, 21, 2, GF_F32}},
        {"ifft:centre=on", {121, 44, 2, GF_F32}},
        {"ifft:real=on,phase", {300, 1, 1, GF_F32}},
        {"fft,phase,hist:bins=8", {1, 77, 1, GF_U8}},
        {"fft:centre=on,expr:\"v*0.5;v*0.5\",ifft:centre=on:real=on", {64, 30, 1, GF_F32}},
        {"notch:at=[0.1 0.2]", {90, 61, 3, GF_U8}},
        {"notch:at=[0.5 0; 0.25 -0.25; 0 0.1]:radius=0.05:border=wrap", {77, 40, 2, GF_F32}},
        {"notch:at=[0.2 0]:radius=0.3:channels=r", {300, 1, 4, GF_U16}},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        drawn_check(runs[i].stages, &runs[i].shape, i, i == 1 ? PLAN_EXTREMES : PLAN_NOISE, i == 10,
                    i == 9 ? GF_ALPHA_PREMUL : GF_ALPHA_STRAIGHT);
    }
}

static const struct check_case cases[] = {{"waves by the formula", waves_by_formula},
                                          {"edges are mirrored", edges_are_mirrored},
                                          {"low and high add up", parts_add_up},
                                          {"waves taken away", waves_taken_away},
                                          {"transforms by the sum", sums},
                                          {"what is refused", refused},
                                          {"frequency, CPU and CUDA", every_way}};
CHECK_MAIN(cases)
