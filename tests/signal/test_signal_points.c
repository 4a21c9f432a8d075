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
        {"blend:@a.png", "it needs a second picture"},
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
        {"fft", "spectrum and spectrogram tell the frequencies of signals"},
        {"phase", "spectrum and spectrogram tell the frequencies of signals"},
        {"frequency", "lowpass, highpass and bandpass are those of signals"},
        {"frequency:0.1", "lowpass, highpass and bandpass are those of signals"},
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

/* A formula a channel, which read each other: what NumPy makes of the same in f32. */
static void formulas_by_numpy(void)
{
    enum { N = 8, CHANNELS = 3 };
    static const float right[CHANNELS][N] = {
        {0.416666657F, -0.873773456F, 0.696996748F, -0.696175158F, -0.708333313F, 0.683012724F, -0.833333373F,
         0},
        {0.125F, 0.0500000007F, 0.075000003F, 0.125F, 0.0250000004F, 0.0500000007F, 0.100000001F, 0.125F},
        {0, -0.25F, 0.75F, -1, -0.0F, 1, -0.75F, 0.25F}};
    float x[CHANNELS * N];
    for (int i = 0; i < CHANNELS * N; i++) {
        x[i] = (float)((i % N * 7 + i / N * 5) % 11 - 5) / 4;
    }
    for (gf_device device = GF_DEVICE_CPU; device <= (has_gpu() ? 0 : GF_DEVICE_CPU); device++) {
        int64_t made;
        gf_signal_plan *plan = plan_of("expr:'sqrt(abs(c0))*c1-v/3; max(c0,c2,v)*0.1; if(c0<c2,c1,-v)'",
                                       (gf_signal_shape){N, CHANNELS, 0}, device, 1);
        REQUIRE(plan != NULL);
        float *y = run_all(plan, x, N, 3, 1, &made);
        CHECK(made == N && !memcmp(y, right, sizeof right));
        gf_signal_plan_destroy(&plan);
        free(y);
    }
}

/* Formulas over channels, in any number, beside the judge; and what is no such formula. */
static void formulas(void)
{
    static const struct {
        const char *stages;
        int32_t channels;
        const char *says;
    } wrong[] = {
        {"gain:1,expr:'v+c3'", 3,
         "stage 2 'expr': formula 'v+c3', at byte 3: 'c3' is no channel: there are c0 to c2"},
        {"expr:'c0;c1'", 3, "2 formulas for 3 channels: must be 1 for all, or one for each"},
        {"expr:'v;r'", 2, "at byte 3: 'r' is a channel of pictures; a signal's are c0 to c1"},
        {"expr:'c0-'", 1, "at byte 4: a number, a name or '(' must stand here"},
        {"expr", 2, "formula= is not given"},
        {"expr:'c0':roi=1x1+0+0", 2, "roi= is for pictures"},
    };
    char text[1000], many[300] = "c0";
    for (int i = 1; i < 48; i++) {
        snprintf(many + strlen(many), sizeof many - strlen(many), "+c%d", 20 * i);
    }
    snprintf(text, sizeof text, "expr:'%s'", many);
    same_as_judge(text, 300, 1000, 3);
    same_as_judge("expr:'v-c1023'", 70, 1024, 3);
    same_as_judge("expr:'c0*2'", 1000, 1, 3);
    same_as_judge("invert,expr:'exp(c1)^c0;v/c0',lowpass:1kHz,expr:'v-c0':channels=1,mix:mono", 3000, 2, 3);
    same_as_judge("expr:'v;v*2;log(v)'", 300, 3, 3);
    gf_signal_plan *plan = plan_of("expr:'v*2',invert,expr:'c1',expr:'v;c0':channels=0",
                                   (gf_signal_shape){9, 2, 0}, GF_DEVICE_CPU, 1);
    REQUIRE(plan && gf_signal_plan_explain(plan, GF_PRINT_TEXT, text, sizeof text, NULL, &e) == GF_OK);
    CHECK_MSG(strstr(text, "node 1   expr, invert: each frame by itself\n"
                           "node 2   expr: 1 formula, 1 channel by number\n"
                           "node 3   expr, channels=0: 2 formulas, 1 channel by number\n"),
              "%s", text);
    gf_signal_plan_destroy(&plan);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(!plan_of(wrong[i].stages, (gf_signal_shape){10, wrong[i].channels, 0}, GF_DEVICE_CPU, 1));
        CHECK_MSG(e.code == GF_ERROR_ARGUMENT && strstr(e.message, wrong[i].says), "%s: %s", wrong[i].stages,
                  e.message);
    }
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
    {"formulas over channels, as NumPy has them", formulas_by_numpy},
    {"formulas over channels", formulas},
    {"hats", hats},
};

CONTEXT_MAIN(cases)
