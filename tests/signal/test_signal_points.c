/* Stages of pictures on signals: what they do to frames, or why they do not; and stages on some channels. */
#include "chain_check.h"

/* The examples of a stage of pictures: it gives the judge's bits, or says why it does not work on a signal.
 */
static int pictures(const gf_stage_type *type, int *refused)
{
    int ran = 0;
    for (const gf_example *x = type->examples; x && x->stages; x++) {
        gf_signal_plan *plan = plan_of(x->stages, (gf_signal_shape){300, 2, 48000}, GF_DEVICE_CPU, 1);
        if (plan) {
            same_as_judge(x->stages, 300, 2, 7);
            ran++;
        } else if (e.code == GF_ERROR_UNSUPPORTED) {
            CHECK_MSG(strstr(e.message, "it works on pictures, and gets a signal: "), "%s: %s", x->stages,
                      e.message);
            ++*refused;
        } else { /* a file that nobody has read, or a parameter of pictures */
            CHECK_MSG(e.code == GF_ERROR_ARGUMENT, "%s: %s", x->stages, e.message);
        }
        gf_signal_plan_destroy(&plan);
    }
    return ran;
}

static void examples_of_pictures(void)
{
    int32_t n;
    int ran = 0, refused = 0;
    const gf_stage_type *const *types = gf_stage_types(&n);
    for (int32_t t = 0; t < n; t++) {
        ran += types[t]->lower ? pictures(types[t], &refused) : 0;
    }
    CHECK_MSG(ran >= 15 && refused >= 60, "%d examples ran, %d were refused", ran, refused);
}

/* Why: by what the stage is and does. */
static void reasons(void)
{
    static const char *const cases[][2] = {
        {"blend:@a.png", "it needs a second picture of the same size"},
        {"convert:u8", "samples of a signal are f32, and --sample says how OUT stores them"},
        {"gray", "it works on the colours of a pixel"},
        {"lab", "it works on the colours of a pixel"},
        {"matrix:[1]", "it works on the colours of a pixel; mix makes channels of channels"},
        {"threshold:otsu", "it measures all of a picture before it changes it"},
        {"canny", "its window has a width and a height"},
        {"resize:10x10",
         "it moves pixels within width and height; crop, pad, resample and decimate change the "
         "length"},
        {"label", "it needs width and height"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char whole[300];
        snprintf(whole, sizeof whole, "it works on pictures, and gets a signal: %s\n", cases[i][1]);
        CHECK(!plan_of(cases[i][0], (gf_signal_shape){10, 2, 48000}, GF_DEVICE_CPU, 1));
        CHECK_MSG(e.code == GF_ERROR_UNSUPPORTED && strstr(e.message, whole), "%s: %s", cases[i][0],
                  e.message);
    }
    CHECK(!plan_of("gain:1,lut:[0 1; 0 1; 0 1]", (gf_signal_shape){10, 2, 48000}, GF_DEVICE_CPU, 1));
    CHECK_MSG(e.code == GF_ERROR_ARGUMENT && strstr(e.message, "stage 2 'lut': 3 rows"), "%s", e.message);
}

/* What stages of pictures do to a frame, and which of them are one node. */
static void by_frames(void)
{
    static const struct {
        const char *stages;
        float x, y;
    } cases[] = {
        {"brightness:0.25", 0.5F, 0.75F}, {"contrast:2", 1, 1.5F},
        {"gamma:0.5", -0.5F, -0.25F},     {"invert", -1, 2},
        {"threshold:0.5", 0.75F, 1},      {"threshold:0.5", 0.5F, 0},
        {"expr:'v*v-0.5'", -2, 3.5F},     {"lut:[0 0.25 1]", 0.75F, 0.625F},
        {"posterize:5", 0.3F, 0.25F},     {"levels:0.5:high=1", 0.75F, 0.5F},
        {"lut:[0.5 1]", -7, 0.5F},
    };
    char text[1000];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gf_signal_plan *plan = plan_of(cases[i].stages, (gf_signal_shape){1, 1, 0}, GF_DEVICE_CPU, 1);
        int64_t made;
        REQUIRE(plan != NULL);
        float *y = run_all(plan, &cases[i].x, 1, 0, 0, &made);
        CHECK_MSG(made == 1 && *y == cases[i].y, "%s: %g", cases[i].stages, (double)*y);
        gf_signal_plan_destroy(&plan);
        free(y);
    }
    gf_signal_plan *plan = plan_of("contrast:1.5,invert,highpass:100Hz,median:2",
                                   (gf_signal_shape){-1, 1, 48000}, GF_DEVICE_CPU, 1);
    REQUIRE(plan && gf_signal_plan_explain(plan, GF_PRINT_TEXT, text, sizeof text, NULL, &e) == GF_OK);
    CHECK_MSG(strstr(text, "node 1   contrast, invert: each frame by itself\nnode 2   highpass"), "%s", text);
    REQUIRE(gf_signal_plan_explain(plan, GF_PRINT_JSON, text, sizeof text, NULL, &e) == GF_OK);
    CHECK_MSG(strstr(text, "\"name\":\"contrast\",\"kernel\":\"point\",\"joined\":1}"), "%s", text);
    gf_signal_plan_destroy(&plan);
}

/* What open takes away, and what close adds. */
static void hats(void)
{
    enum { N = 3000 };
    const gf_signal_shape shape = {N, 3, 0};
    float *x = signal_draw(3 * N, 5, false);
    for (int k = 0; k < 2; k++) {
        int64_t made;
        gf_signal_plan *hat = plan_of(k ? "blackhat:4" : "tophat:4", shape, GF_DEVICE_CPU, 1);
        gf_signal_plan *open = plan_of(k ? "close:4" : "open:4", shape, GF_DEVICE_CPU, 1);
        REQUIRE(hat && open);
        float *y = run_all(hat, x, N, 100, 1, &made), *v = run_all(open, x, N, 0, 1, &made);
        for (int i = 0; i < 3 * N; i++) {
            CHECK(y[i] == (k ? v[i] - x[i] : x[i] - v[i]));
        }
        gf_signal_plan_destroy(&hat), gf_signal_plan_destroy(&open);
        free(y), free(v);
    }
    free(x);
    CHECK(!plan_of("tophat", (gf_signal_shape){9, 513, 0}, GF_DEVICE_CPU, 1) &&
          strstr(e.message, "up to 512 channels"));
    same_as_judge("tophat:40,blackhat:2:channels=1,gain:2:channels=0", 2000, 3, 1);
}

/* With channels= those get what they get without it, and the others pass bit for bit. */
static void some_channels(void)
{
    static const char *const stages[] = {
        "lowpass:1kHz", "highpass:1kHz:phase=zero", "detrend",         "dither:4",  "invert",
        "median:3",     "normalize:-1dB",           "delay:frames=70", "savgol:21", "tophat:3"};
    enum { N = 3000, CHANNELS = 30 };
    const gf_signal_shape shape = {N, CHANNELS, 8000};
    float *x = signal_draw(N * CHANNELS, 4, false);
    x[2 * N + 7] = 1.5F; /* the largest */
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        char text[100];
        int64_t made;
        snprintf(text, sizeof text, "%s:channels=2+27", stages[i]);
        gf_signal_plan *all = plan_of(stages[i], shape, GF_DEVICE_CPU, 3);
        float *right = run_all(all, x, N, 0, 1, &made);
        gf_signal_plan *some = plan_of(text, shape, GF_DEVICE_CPU, 3);
        REQUIRE(some != NULL);
        float *y = run_all(some, x, N, 500, 1, &made);
        CHECK_EQ_INT(made, N);
        for (int c = 0; c < CHANNELS; c++) {
            CHECK_MSG(!memcmp(y + c * N, (c == 2 || c == 27 ? right : x) + c * N, N * sizeof *y),
                      "%s: channel %d", text, c);
        }
        gf_signal_plan_destroy(&all), gf_signal_plan_destroy(&some);
        free(right), free(y);
        same_as_judge(text, N, CHANNELS, 1);
    }
    free(x);
}

static const struct check_case cases[] = {
    {"examples of stages of pictures", examples_of_pictures},
    {"reasons of refusals", reasons},
    {"stages of pictures by frames", by_frames},
    {"some channels", some_channels},
    {"hats", hats},
};

CONTEXT_MAIN(cases)
