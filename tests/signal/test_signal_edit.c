/* What is done to frames by their number and to channels, beside judges and beside what is known of it. */
#include "signal_check.h"

#include "signal/edit.h"

static void shift(void)
{
    static const struct gf_signal_shift how[] = {
        {0, INT64_MAX, 0, 0, 0, 0},     {0, INT64_MAX, 3, 5, 1, 0}, {0, INT64_MAX, 700, 900, 0, -2},
        {10, 20, 0, 0, 0, 0},           {0, 1, 0, 0, 0, 0},         {99, 1000, 4, 0, 1, 0},
        {50, 150, 64, 64, 1, 0},        {5000, 6000, 2, 2, 1, 0},   {5000, INT64_MAX, 2, 2, 0, 0.5F},
        {1000, 1 << 20, 1000, 1, 1, 0},
    };
    static const int64_t frames[] = {0, 1, 2, 9, 10, 11, 100, 151, 3000};
    for (size_t h = 0; h < sizeof how / sizeof *how; h++) {
        for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
            const int32_t channels = 1 + (int32_t)(i % 3);
            float *x = signal_draw(frames[i] * channels, h, i % 2);
            signal_same(&gf_signal_shift, &how[h], x, frames[i], channels, "shift");
            free(x);
        }
    }
}

/* Which frames come out: of 0, 1, 2, ... */
static void shifted(void)
{
    static const struct gf_signal_shift crop = {3, 6, 0, 0, 0, 0}, pad = {0, INT64_MAX, 2, 1, 1, 0},
                                        value = {2, INT64_MAX, 1, 2, 0, 9};
    static const struct {
        const struct gf_signal_shift *how;
        int64_t frames, length;
        float y[8];
    } cases[] = {
        {&crop, 10, 3, {3, 4, 5}},        {&crop, 5, 2, {3, 4}},      {&crop, 3, 0, {0}},
        {&pad, 3, 6, {0, 0, 0, 1, 2, 2}}, {&pad, 1, 4, {0, 0, 0, 0}}, {&pad, 0, 3, {0, 0, 0}},
        {&value, 4, 5, {9, 2, 3, 9, 9}},  {&value, 1, 3, {9, 9, 9}},
    };
    const float x[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        float y[8] = {0};
        CHECK_EQ_INT(gf_signal_shift.length(cases[k].how, cases[k].frames), cases[k].length);
        gf_signal_shift.judge(cases[k].how, x, cases[k].frames, y);
        CHECK_MSG(!memcmp(y, cases[k].y, (size_t)cases[k].length * sizeof *y), "case %zu", k);
    }
}

static void fade(void)
{
    static const struct gf_signal_fade how[] = {
        {0, 0, 0}, {1, 1, 0}, {100, 7, 0}, {64, 500, 1}, {5000, 5000, 1}};
    static const int64_t frames[] = {0, 1, 2, 63, 107, 600, 3000};
    for (size_t h = 0; h < sizeof how / sizeof *how; h++) {
        for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
            const int32_t channels = 1 + (int32_t)(i % 3);
            float *x = signal_draw(frames[i] * channels, h, i % 2);
            signal_same(&gf_signal_fade, &how[h], x, frames[i], channels, "fade");
            free(x);
        }
    }
}

static void faded(void)
{
    static const struct gf_signal_fade linear = {4, 2, 0}, smooth = {4, 0, 1};
    static const float x[] = {1, 1, 1, 1, 1, -8, -8, -8}, y[] = {0, 0.25F, 0.5F, 0.75F, 1, -8, -4, -0.0F},
                       z[] = {0, 0.15625F, 0.5F, 0.84375F, 1, -8, -8, -8};
    float out[8];
    gf_signal_fade.judge(&linear, x, 8, out);
    CHECK(!memcmp(out, y, sizeof y));
    gf_signal_fade.judge(&smooth, x, 8, out);
    CHECK(!memcmp(out, z, sizeof z));
}

/* The first numbers of splitmix64 from 0, as its authors' program prints them. */
static void drawn(void)
{
    CHECK(gf_drawn(0) == 0xe220a8397b1dcdafU);
    CHECK(gf_drawn(1) == 0x6e789e6aa1b965f4U);
    CHECK(gf_drawn(2) == 0x06c45d188009454fU);
}

/* What dither adds has no mean, and the power of a quarter of a step, whatever the signal is; and what comes
 * out are whole steps. Of two channels the noise is not the same. */
static void dither(void)
{
    enum { FRAMES = 200000 };
    const struct gf_signal_dither args = {8, 2};
    float *x = signal_memory(2 * FRAMES * sizeof *x), *y = signal_memory(2 * FRAMES * sizeof *y);
    for (int part = 0; part < 3; part++) {
        double mean = 0, power = 0, both = 0;
        for (int i = 0; i < 2 * FRAMES; i++) {
            x[i] = (part == 0 ? 0.0F : part == 1 ? 0.3F : (float)sin(0.001 * (i % FRAMES))) / 128;
        }
        gf_signal_dither.judge(&args, x, FRAMES, y);
        for (int i = 0; i < 2 * FRAMES; i++) {
            const double steps = 128.0 * y[i], error = steps - 128.0 * x[i];
            CHECK(steps == floor(steps));
            mean += error / (2.0 * FRAMES);
            power += error * error / (2.0 * FRAMES);
            both += i < FRAMES ? error * (128.0 * y[i + FRAMES] - 128.0 * x[i + FRAMES]) / FRAMES : 0;
        }
        printf("# mean %.5f, power %.5f, of both %.5f steps\n", mean, power, both);
        CHECK(fabs(mean) < 0.005 && fabs(power - 0.25) < 0.005 && fabs(both) < 0.005);
    }
    free(x);
    free(y);
}

/* Dither and mix, which see all channels together, in calls of a piece each. */
static void together(const struct gf_signal_kernel *kernel, const void *args, int32_t channels,
                     int64_t frames, int64_t piece, bool awkward)
{
    const int32_t outputs = kernel->outputs(args, channels);
    float *x = signal_draw(frames * channels, 3, awkward);
    float *right = signal_memory((size_t)(frames * outputs) * sizeof *right),
          *y = signal_memory((size_t)(frames * outputs) * sizeof *y);
    kernel->judge(args, x, frames, right);
    for (int64_t n = 0; n < frames; n += piece) {
        const struct gf_track in = {x + n, n, frames - n, frames},
                              out = {y + n, n, piece < frames - n ? piece : frames - n, frames};
        kernel->run_cpu(args, NULL, &in, -1, &out, channels);
    }
    CHECK_MSG(!memcmp(y, right, (size_t)(frames * outputs) * sizeof *y), "%s, pieces of %lld", kernel->name,
              (long long)piece);
    free(x);
    free(y);
    free(right);
}

static int32_t bits(float v)
{
    return (int32_t)gf_float_bits(v);
}

static void all_channels(void)
{
    const int32_t table[] = {4, 10, 10, 12, 0, bits(0.1F), 1, bits(-0.7F), 2, bits(3), 1, bits(1)};
    const struct gf_signal_mix mix = {3, table};
    for (int32_t b = 2; b <= 24; b += 11) {
        const struct gf_signal_dither args = {b, 3};
        together(&gf_signal_dither, &args, 3, 1000, 1000, true);
        together(&gf_signal_dither, &args, 3, 1000, 77, false);
    }
    together(&gf_signal_mix, &mix, 3, 5000, 5000, true);
    together(&gf_signal_mix, &mix, 3, 5000, 33, false);
}

/* A channel that takes no part does not spoil the others, and one that is taken alone keeps its bits. */
static void mixed(void)
{
    const int32_t table[] = {4, 8, 8, 10, 0, bits(0.5F), 2, bits(0.25F), 2, bits(1)};
    const struct gf_signal_mix mix = {3, table};
    const float x[] = {1, 2, INFINITY, NAN, 4, -0.0F}, y[] = {1.5F, 1, 0, 0, 4, -0.0F};
    float out[6];
    gf_signal_mix.judge(&mix, x, 2, out);
    CHECK(!memcmp(out, y, sizeof y));
}

static const struct check_case cases[] = {
    {"shift, in pieces", shift},
    {"frames that are shifted", shifted},
    {"fade, in pieces", fade},
    {"frames that are faded", faded},
    {"numbers that are drawn", drawn},
    {"what dither adds", dither},
    {"all channels together", all_channels},
    {"channels that are mixed", mixed},
};
CHECK_MAIN(cases)
