/* Chains over signals: fed in pieces drawn at random they give the bits of the judge, on every device. */
#include "chain_check.h"

static const char *const chains[] = {
    "gain:-6dB",
    "lowpass:1kHz",
    "bandpass:300Hz-3.4kHz:type=elliptic:order=6,gain:2,highpass:20Hz",
    "median:3,lowpass:5kHz,box:4",
    "resample:44.1kHz,notch:50Hz:harmonics=4",
    "highpass:100Hz,resample:96kHz:quality=fast,median:1,decimate:3:quality=fast",
    "erode:2,open:width=5,close:3,dilate:40,rank:4:percentile=75,differentiate",
    "comb:3ms:feedback=on,delay:frames=70,gate:-9dB:window=2ms,comb:frames=1:gain=-1,envelope:63,rms:frames="
    "90",
    "blur:20,conv:[1 2 4],savgol:21:order=4,blur:1:border=constant",
    "bandpass:300Hz-3.4kHz:order=8:phase=zero",
    "gain:3,highpass:80Hz:phase=zero,median:2,notch:50Hz:phase=zero,resample:44.1kHz",
    "detrend,normalize:-1dB,trim:-3dB:keep=0.1ms,blur:5,peak:1kHz:gain=3:phase=zero,detrend:constant",
    "trim:-1dB",
    "mix:mono,lowpass:2kHz:phase=zero,mix:[1; -1; 0.5],normalize:-3dB,fade:1ms,mix:mono",
    "brightness:-0.25,gamma:2,expr:'v*v-0.5',lut:[0 0.3 1],lut:[1 0.2 0 "
    "0.5],levels:0.1:high=0.9,posterize:5,linear,srgb",
    "mix:mono,lowpass:1kHz,mix:stereo",
    "crop:frames=10-900,pad:3:right=70,fade:0.5ms:out=1ms,dither:8",
    "lowpass:5kHz,pad:before=1ms:border=constant:value=0.25,crop:0.2ms-40ms,fade:0:out=100ms:shape=smooth,"
    "median:2",
    "pad:0:right=130,resample:44.1kHz,mix:channels=[1 1 1],dither:24,gain:0.5",
    "contrast:1.5,invert,highpass:100Hz,expr:'abs(v)',median:2,threshold:0.1",
};
enum { CHAINS = sizeof chains / sizeof *chains };

static void lengths(void)
{
    static const int64_t frames[] = {0, 1, 2, 63, 64, 65, 100, 1000};
    for (int c = 0; c < CHAINS; c++) {
        for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
            same_as_judge(chains[c], frames[i], 1 + (int32_t)(i % 3), (uint64_t)c);
        }
    }
}

static void tiles(void)
{
    for (int c = 0; c < CHAINS; c++) {
        same_as_judge(chains[c], 40001, 2, (uint64_t)c);
    }
    same_as_judge(chains[3], 500, 37, 1);
    same_as_judge(chains[2], 30, 1024, 1);
    if (!has_gpu()) {                           /* whose pieces are larger */
        same_as_judge(chains[9], 300001, 3, 1); /* ends in several calls */
        same_as_judge("trim:-1dB,lowpass:1kHz:phase=zero,box:1100", 2500, 256,
                      1); /* looks further than a piece */
    }
}

/* Each stage that works on signals alone, as its examples have it. */
static void examples(void)
{
    int32_t n;
    int seen = 0;
    const gf_stage_type *const *types = gf_stage_types(&n);
    for (int32_t t = 0; t < n; t++) {
        CHECK_MSG(types[t]->lower || types[t]->signal, "%s does nothing", types[t]->name);
        CHECK_MSG(types[t]->lower || t + 1 == n || !types[t + 1]->lower,
                  "%s stands before a stage of pictures", types[t]->name);
        for (const gf_example *x = types[t]->examples; !types[t]->lower && x && x->stages; x++, seen++) {
            same_as_judge(x->stages, 3000, 2, 7);
        }
    }
    CHECK(seen >= 20);
}

/* The output may take the place of the input, and a chain of nothing is a copy. */
static void in_place(void)
{
    const gf_signal_shape shape = {-1, 2, 8000};
    for (int k = 0; k < 2; k++) {
        const char *stages = k ? "lowpass:1kHz,median:2" : "";
        float *x = signal_draw(2 * 20000, 5, false), *y = signal_memory(2 * 20000 * sizeof *y);
        int64_t made = 0;
        gf_pipeline *pipeline = NULL;
        gf_signal_plan *plan = k ? plan_of(stages, shape, GF_DEVICE_CPU, 1) : NULL;
        gf_signal_exec *a = NULL, *b = NULL;
        if (!k) {
            REQUIRE(gf_pipeline_create(&pipeline, &e) == GF_OK &&
                    gf_signal_plan_create(context, pipeline, &shape, NULL, &plan, &e) == GF_OK);
        }
        CHECK(gf_signal_plan_output(plan).frames == -1 && gf_signal_plan_device(plan) == GF_DEVICE_CPU);
        REQUIRE(gf_signal_exec_create(plan, &a, &e) == GF_OK && gf_signal_exec_create(plan, &b, &e) == GF_OK);
        REQUIRE(gf_signal_exec_feed(a, x, 20000, 20000, y, 20000, &made, &e) == GF_OK);
        CHECK_EQ_INT(made, k ? 19998 : 20000);
        CHECK(k || !memcmp(x, y, 2 * 20000 * sizeof *x));
        REQUIRE(gf_signal_exec_feed(b, x, 20000, 20000, x, 20000, &made, &e) == GF_OK);
        CHECK(!memcmp(x, y, (size_t)made * sizeof *x) &&
              !memcmp(x + 20000, y + 20000, (size_t)made * sizeof *x));
        gf_signal_exec_destroy(&a), gf_signal_exec_destroy(&b);
        gf_signal_plan_destroy(&plan), gf_pipeline_destroy(&pipeline);
        free(x), free(y);
    }
}

/* Each is refused with these words, which name the stage and its value. */
static void refusals(void)
{
    static const struct {
        const char *stages, *says;
        double rate;
        gf_status code;
    } cases[] = {
        {"lowpass:30kHz", "frequency is 30000 Hz, must be below half the rate, 24000 Hz", 48000,
         GF_ERROR_ARGUMENT},
        {"lowpass:1kHz", "needs the rate of the signal", 0, GF_ERROR_ARGUMENT},
        {"highpass", "frequency= is 0, or not given", 48000, GF_ERROR_ARGUMENT},
        {"bandpass:3kHz-1kHz", "must be LOW-HIGH", 48000, GF_ERROR_ARGUMENT},
        {"bandpass:0-1kHz", "lowpass takes one frequency", 48000, GF_ERROR_ARGUMENT},
        {"bandstop:1kHz", "must be two numbers, as 300-3400 (Hz)", 48000, GF_ERROR_PARSE},
        {"lowpass:1khz", "frequency is '1khz', must be a number (Hz)", 48000, GF_ERROR_PARSE},
        {"deemphasis:50uss", "tau is '50uss'", 48000, GF_ERROR_PARSE},
        {"gain:1,canny", "stage 2 'canny': it works on pictures, and gets a signal", 48000,
         GF_ERROR_UNSUPPORTED},
        {"notch:50Hz:radius=0.1", "radius= and border= are of pictures", 48000, GF_ERROR_ARGUMENT},
        {"notch:50Hz:border=wrap", "radius= and border= are of pictures", 48000, GF_ERROR_ARGUMENT},
        {"gain:[1 2 3]", "of a signal is one number", 48000, GF_ERROR_ARGUMENT},
        {"median:2:roi=3x3+0+0", "roi= is for pictures", 48000, GF_ERROR_ARGUMENT},
        {"blur:2:border=wrap", "border=replicate", 48000, GF_ERROR_ARGUMENT},
        {"median:2:border=constant", "the median of a signal has border=replicate", 48000, GF_ERROR_ARGUMENT},
        {"conv:[1 2; 3 4]", "the kernel is one row", 48000, GF_ERROR_ARGUMENT},
        {"conv:@some.npy", "has not been read", 48000, GF_ERROR_ARGUMENT},
        {"savgol:20", "window is 20, must be odd", 48000, GF_ERROR_ARGUMENT},
        {"resample:44100.5", "must be a whole number", 48000, GF_ERROR_ARGUMENT},
        {"resample:999999937", "a simpler ratio", 1e9, GF_ERROR_ARGUMENT},
        {"lowpass:1uHz:phase=zero", "'1uHz'", 48000, GF_ERROR_PARSE},
        {"trim", "level= is not given, must be what counts as silence", 48000, GF_ERROR_ARGUMENT},
        {"trim:-50dB:keep=1ms", "needs the rate of the signal", 0, GF_ERROR_ARGUMENT},
        {"trim:3%", "are for pictures: a signal has level=", 48000, GF_ERROR_ARGUMENT},
        {"normalize:5%", "are for pictures: a signal has level=", 48000, GF_ERROR_ARGUMENT},
        {"normalize:1dB", "must be from -200 to 0", 48000, GF_ERROR_ARGUMENT},
        {"mix", "one of these says what comes out", 48000, GF_ERROR_ARGUMENT},
        {"mix:mono:channels=[1]", "one of these says what comes out", 48000, GF_ERROR_ARGUMENT},
        {"mix:[1 2]", "a row has 2 numbers, must have 1, one for each channel", 0, GF_ERROR_ARGUMENT},
        {"mix:channels=[1 2]", "channels has 2, must be whole numbers from 1 to 1", 0, GF_ERROR_ARGUMENT},
        {"mix:channels=[1.5]", "channels has 1.5, must be whole", 0, GF_ERROR_ARGUMENT},
        {"mix:[1; 1; 1],mix:stereo", "stereo is of 1 or 2 channels, not 3", 0, GF_ERROR_ARGUMENT},
        {"crop", "it keeps a time, as crop:1.5s-4s, or frames=0-1000", 48000, GF_ERROR_ARGUMENT},
        {"crop:3x1+0+0", "it keeps a time", 48000, GF_ERROR_ARGUMENT},
        {"crop:1s-2s:frames=0-3", "it keeps a time", 48000, GF_ERROR_ARGUMENT},
        {"crop:1us-2us", "between these two lies no frame", 48000, GF_ERROR_ARGUMENT},
        {"crop:1s-2s", "needs the rate of the signal", 0, GF_ERROR_ARGUMENT},
        {"pad:after=1s", "needs the rate of the signal", 0, GF_ERROR_ARGUMENT},
        {"pad:1:border=wrap", "border=replicate or border=constant", 0, GF_ERROR_ARGUMENT},
        {"pad:1:bottom=1", "no top and no bottom", 0, GF_ERROR_ARGUMENT},
        {"fade:after", "in is 'after'", 48000, GF_ERROR_PARSE},
        {"fade", "needs the rate of the signal", 0, GF_ERROR_ARGUMENT},
        {"dither:25", "bits is 25, must be", 0, GF_ERROR_ARGUMENT},
        {"brightness:0.1:channels=0+3", "names channel 3, but the signal has 1 (0 to 0)", 48000,
         GF_ERROR_ARGUMENT},
        {"lowpass:1kHz:channels=luma", "are numbers from 0, as channels=0+2", 48000, GF_ERROR_ARGUMENT},
        {"gain:1,stats:channels=0", "it measures all", 48000, GF_ERROR_ARGUMENT},
        {"gamma:2,brightness:0.1:roi=3x3+0+0", "stage 2 'brightness': roi= is for pictures", 48000,
         GF_ERROR_ARGUMENT},
        {"gamma:2,lut:@a.npy", "stage 2 'lut': table=@a.npy has not been read", 0, GF_ERROR_ARGUMENT},
        {"fir", "it takes one of these", 48000, GF_ERROR_ARGUMENT},
        {"fir:[1 2]:lowpass=1kHz", "it takes one of these", 48000, GF_ERROR_ARGUMENT},
        {"fir:highpass=1kHz:taps=10", "taps of a highpass are 10, must be an odd number", 48000,
         GF_ERROR_ARGUMENT},
        {"fir:bandpass=0-1kHz", "bandpass begins at 0 Hz", 48000, GF_ERROR_ARGUMENT},
        {"fir:lowpass=30kHz", "must be below half the rate", 48000, GF_ERROR_ARGUMENT},
        {"fir:lowpass=1kHz", "needs the rate of the signal", 0, GF_ERROR_ARGUMENT},
        {"fir:[1 2]:centre=2", "centre is 2, must be below 2", 48000, GF_ERROR_ARGUMENT},
        {"iir", "has 0 rows, must have 1 to 16", 48000, GF_ERROR_ARGUMENT},
        {"iir:[1 0 0 1 0 0; 1 0 0 0 0 0]", "row 2 of sections has a0 = 0", 48000, GF_ERROR_ARGUMENT},
        {"iir:[1 0 0 2 0 -2]", "row 1 of sections is not stable", 48000, GF_ERROR_ARGUMENT},
        {"erode:height=3", "height= is for pictures", 48000, GF_ERROR_ARGUMENT},
        {"open:footprint=[1 1 1]", "footprint= is for pictures", 48000, GF_ERROR_ARGUMENT},
        {"close:width=4", "width is 4, must be odd", 48000, GF_ERROR_ARGUMENT},
        {"rank:2:border=constant", "has border=replicate", 48000, GF_ERROR_ARGUMENT},
        {"delay", "it needs time= above 0, as 20ms, or frames=", 48000, GF_ERROR_ARGUMENT},
        {"delay:20ms", "or frames=", 0, GF_ERROR_ARGUMENT},
        {"lowpass:0", "must be above 0 and below half the rate", 48000, GF_ERROR_ARGUMENT},
        {"delay:1e6", "time is 4.8e+10 frames, may be 16777216", 48000, GF_ERROR_ARGUMENT},
        {"comb:1us", "must be at least one frame", 48000, GF_ERROR_ARGUMENT},
        {"comb:10ms:gain=1:feedback=on", "gain is 1, must be above -1 and below 1", 48000, GF_ERROR_ARGUMENT},
        {"rms:30s", "window is 1440000 frames, may be 1048577", 48000, GF_ERROR_ARGUMENT},
        {"gate:-40dB", "or frames=", 0, GF_ERROR_ARGUMENT},
        {"envelope:100", "taps is 100, must be odd", 48000, GF_ERROR_ARGUMENT},
        {"box:1000000", "may have 65535 of a signal", 48000, GF_ERROR_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gf_signal_plan *plan =
            plan_of(cases[i].stages, (gf_signal_shape){100, 1, cases[i].rate}, GF_DEVICE_CPU, 1);
        CHECK_MSG(!plan && e.code == cases[i].code && strstr(e.message, cases[i].says), "%s: %d %s",
                  cases[i].stages, (int)e.code, e.message);
        gf_signal_plan_destroy(&plan);
    }
    gf_plan *picture = NULL;
    gf_pipeline *pipeline = NULL;
    const gf_shape shape = {10, 10, 1, GF_U8};
    REQUIRE(gf_pipeline_parse("gray,lowpass:1kHz", NULL, 0, &pipeline, &e) == GF_OK);
    CHECK(gf_plan_create(context, pipeline, &shape, NULL, &picture, &e) == GF_ERROR_UNSUPPORTED);
    CHECK_MSG(strstr(e.message, "stage 2 'lowpass': it works on signals") && strstr(e.message, "^~~~"), "%s",
              e.message);
    gf_pipeline_destroy(&pipeline);
    for (int k = 0; k < 2; k++) {
        REQUIRE(gf_pipeline_parse(k ? "trim:-50dB" : "normalize:-1dB", NULL, 0, &pipeline, &e) == GF_OK);
        CHECK(gf_plan_create(context, pipeline, &shape, NULL, &picture, &e) == GF_ERROR_ARGUMENT);
        CHECK_MSG(strstr(e.message, "for signals"), "%s", e.message);
        gf_pipeline_destroy(&pipeline);
    }
}

static void wrong_calls(void)
{
    static const gf_signal_shape wrong[] = {{-2, 1, 1}, {1, 0, 1}, {1, 1025, 1}, {1, 1, -1}, {1, 1, NAN}};
    gf_signal_plan *plan;
    gf_signal_exec *exec = NULL;
    float x[64] = {0}, y[64];
    int64_t made;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK_MSG(!plan_of("gain:1", wrong[i], GF_DEVICE_CPU, 1) && e.code == GF_ERROR_ARGUMENT, "%zu", i);
    }
    CHECK(!plan_of("gain:1", (gf_signal_shape){1, 1, 1}, -9, 1) && e.code == GF_ERROR_ARGUMENT);
    plan = plan_of("gain:3", (gf_signal_shape){-1, 2, 1}, GF_DEVICE_CPU, 1);
    REQUIRE(plan && gf_signal_exec_create(plan, &exec, &e) == GF_OK);
    gf_signal_plan_destroy(&plan); /* which the exec holds */
    CHECK(gf_signal_exec_feed(exec, x, 32, -1, y, 32, &made, &e) == GF_ERROR_ARGUMENT);
    CHECK(gf_signal_exec_feed(exec, x, 31, 32, y, 32, &made, &e) == GF_ERROR_ARGUMENT);
    CHECK(gf_signal_exec_feed(exec, x, 32, 32, y, 31, &made, &e) == GF_ERROR_ARGUMENT);
    CHECK(gf_signal_exec_feed(exec, x, 32, 32, NULL, 32, &made, &e) == GF_ERROR_ARGUMENT);
    x[0] = 1;
    CHECK(gf_signal_exec_feed(exec, x, 32, 32, y, 32, &made, &e) == GF_OK && made == 32 && y[0] == 3);
    CHECK(gf_signal_exec_end(exec, NULL, 0, &made, &e) == GF_OK && made == 0);
    CHECK(gf_signal_exec_end(exec, NULL, 0, &made, &e) == GF_ERROR_ARGUMENT);
    CHECK(gf_signal_exec_feed(exec, x, 32, 32, y, 32, &made, &e) == GF_ERROR_ARGUMENT);
    gf_signal_exec_destroy(&exec);
}

/* Units: what a text is as a number, and as it is printed again. */
static void units(void)
{
    static const char *const same[][2] = {
        {"lowpass:1kHz", "lowpass:frequency=1000"},
        {"lowpass:0.04MHz", "lowpass:frequency=40000"},
        {"resample:44.1kHz", "resample:rate=44100"},
        {"deemphasis:75us", "deemphasis:tau=0.000075"},
        {"deemphasis:0.05ms", "deemphasis:tau=0.00005"},
        {"bandpass:300Hz-3.4kHz", "bandpass:band=300-3400"},
        {"bandpass:1-3kHz", "bandpass:band=1000-3000"},
        {"bandpass:1e2-1.5e3", "bandpass:band=100-1500"},
        {"peak:1kHz:gain=-6dB", "peak:frequency=1000:gain=-6"},
        {"gain:0dB", "gain:gains=[1]"},
        {"gain:20dB", "gain:gains=[10]"},
        {"normalize:-1dB", "normalize:level=-1"},
        {"normalize:5%", "normalize:low=5"},
        {"trim:-50dB:keep=100ms", "trim:level=-50:keep=0.1"},
        {"trim:3%", "trim:tolerance=3%"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char text[2][400] = {"", "?"};
        for (int k = 0; k < 2; k++) {
            gf_pipeline *pipeline = NULL;
            CHECK_MSG(gf_pipeline_parse(same[i][k], NULL, 0, &pipeline, &e) == GF_OK, "%s", e.message);
            gf_pipeline_print(pipeline, GF_PRINT_TEXT, text[k], sizeof text[k], NULL, &e);
            gf_pipeline_destroy(&pipeline);
        }
        CHECK_MSG(!strcmp(text[0], text[1]), "%s is %s, not %s", same[i][0], text[0], text[1]);
    }
}

/* A sine at another rate is that sine, at the same times. */
static void resampled(void)
{
    static const struct {
        const char *stages;
        double rate, frequency, least; /* dB of the sine over what differs */
    } cases[] = {
        {"resample:44.1kHz", 44100, 997, 133},
        {"resample:96kHz", 96000, 19000, 133},
        {"resample:32kHz:quality=fast", 32000, 440, 75},
        {"decimate:3:quality=vhq", 16000, 5000, 133},
    };
    enum { FRAMES = 20000, EDGE = 1000 };
    float *x = signal_memory(FRAMES * sizeof *x);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double step = 6.283185307179586 * cases[k].frequency;
        for (int i = 0; i < FRAMES; i++) {
            x[i] = (float)sin(step * i / 48000);
        }
        gf_signal_plan *plan =
            plan_of(cases[k].stages, (gf_signal_shape){FRAMES, 1, 48000}, GF_DEVICE_CPU, 1);
        REQUIRE(plan != NULL && gf_signal_plan_output(plan).rate == cases[k].rate);
        int64_t made = 0;
        float *y = run_all(plan, x, FRAMES, 0, 0, &made);
        CHECK_EQ_INT(made, (int64_t)ceil(FRAMES * cases[k].rate / 48000));
        double error = 0, power = 0;
        for (int64_t i = EDGE; i < made - EDGE; i++) {
            const double right = sin(step * (double)i / cases[k].rate);
            error += (y[i] - right) * (y[i] - right);
            power += right * right;
        }
        const double db = 10 * log10(power / error);
        printf("# %s: %.1f dB\n", cases[k].stages, db);
        CHECK_MSG(db >= cases[k].least, "%s: %.1f dB", cases[k].stages, db);
        gf_signal_plan_destroy(&plan);
        free(y);
    }
    free(x);
}

static void explained(void)
{
    char text[4096];
    size_t length = 0;
    gf_signal_plan *plan =
        plan_of("lowpass:1kHz:order=3,resample:44.1kHz", (gf_signal_shape){480, 2, 48000}, GF_DEVICE_AUTO, 1);
    REQUIRE(plan && gf_signal_plan_explain(plan, GF_PRINT_TEXT, text, sizeof text, &length, &e) == GF_OK);
    CHECK(length == strlen(text) && strstr(text, "2 sections") && strstr(text, "gain -3.010 dB at 1000 Hz"));
    CHECK(strstr(text, "147 frames for 160") && strstr(text, "44100 Hz, 441 frames"));
    REQUIRE(gf_signal_plan_explain(plan, GF_PRINT_JSON, text, sizeof text, &length, &e) == GF_OK);
    CHECK(length == strlen(text) && strstr(text, "\"kernel\":\"iir\",\"sections\":[["));
    gf_signal_plan_destroy(&plan);
}

/* A ratio whose table would be too large is the nearest simple one, and the rate is the one asked for. */
static void nearest_ratio(void)
{
    static const struct {
        double from, to;
        const char *stages, *says;
    } cases[] = {
        {192000, 44099, "resample:44099",
         "7786 frames for 33899, 896 taps each, which is the ratio within 1e-9"},
        {96000, 44099, "resample:44099:quality=vhq", "15572 frames for 33899"},
        {48000, 44101, "resample:44101", "44101 frames for 48000, 224 taps each\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096];
        const gf_signal_shape shape = {1000000000, 1, cases[i].from};
        gf_signal_plan *plan = plan_of(cases[i].stages, shape, GF_DEVICE_CPU, 1);
        REQUIRE(plan && gf_signal_plan_explain(plan, GF_PRINT_TEXT, text, sizeof text, NULL, &e) == GF_OK);
        CHECK_MSG(strstr(text, cases[i].says), "%s", text);
        const gf_signal_shape out = gf_signal_plan_output(plan);
        CHECK(out.rate == cases[i].to);
        CHECK_NEAR((double)out.frames / 1e9 / (cases[i].to / cases[i].from), 1, 2e-9);
        gf_signal_plan_destroy(&plan);
    }
    CHECK(!plan_of("resample:999999937", (gf_signal_shape){9, 1, 1e9}, GF_DEVICE_CPU, 1) &&
          strstr(e.message, "999999937 frames for 1000000000 need"));
}

/* What auto takes for a signal of so many frames, and why; on a GPU that has to start first 2^34 are long. */
static gf_device taken(const char *stages, int64_t frames, int32_t may_repeat, char *text, size_t size)
{
    const gf_signal_shape shape = {frames, 1, 48000};
    gf_signal_options options = GF_SIGNAL_OPTIONS_INIT;
    gf_pipeline *pipeline = NULL;
    gf_signal_plan *plan = NULL;
    options.may_repeat = may_repeat;
    CHECK_EQ_INT(gf_pipeline_parse(stages, NULL, 0, &pipeline, &e), GF_OK);
    CHECK_EQ_INT(gf_signal_plan_create(context, pipeline, &shape, &options, &plan, &e), GF_OK);
    CHECK_EQ_INT(gf_signal_plan_explain(plan, GF_PRINT_TEXT, text, size, NULL, &e), GF_OK);
    const gf_device device = gf_signal_plan_device(plan);
    gf_signal_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    return device;
}

static void automatic(void)
{
    static const struct {
        const char *stages;
        int64_t frames;
        int32_t may_repeat;
        bool gpu;
        const char *why; /* where there is a GPU */
    } c[] = {
        {"fir:lowpass=8kHz:taps=255", (int64_t)1 << 34, 1, true, "(start "},
        {"resample:44.1kHz,gain:2", (int64_t)1 << 34, 1, true, "(start "},
        {"lowpass:8kHz:order=2", 1000, 1, false, "(start "},
        {"fir:lowpass=8kHz:taps=255", -1, 1, false, "only its end will tell"},
        {"fir:lowpass=8kHz:taps=255", (int64_t)1 << 34, 0, false, "nobody could begin again"},
        {"fir:lowpass=8kHz:taps=255,normalize", (int64_t)1 << 34, 1, false, "stage 2 is not measured"},
        {"median:50", (int64_t)1 << 34, 1, false, "stage 1 is not measured"},
    };
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        char text[4096];
        const gf_device device = taken(c[i].stages, c[i].frames, c[i].may_repeat, text, sizeof text);
        CHECK_MSG(device == (has_gpu() && c[i].gpu ? 0 : GF_DEVICE_CPU), "%s", text);
        CHECK_MSG(strstr(text, has_gpu() ? c[i].why : "auto: "), "%s", text);
    }
}

static const struct check_case cases[] = {{"lengths, in pieces and as a whole", lengths},
                                          {"tiles, threads and channels", tiles},
                                          {"examples of the stages", examples},
                                          {"in place, and nothing to do", in_place},
                                          {"refusals", refusals},
                                          {"wrong calls", wrong_calls},
                                          {"units", units},
                                          {"resampled sines", resampled},
                                          {"explained", explained},
                                          {"the nearest ratio", nearest_ratio},
                                          {"the device that auto takes", automatic}};

CONTEXT_MAIN(cases)
