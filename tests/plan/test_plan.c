/* Plans and execs: whether --explain tells the truth, errors, own stages, verification. */
#include "check.h"
#include "gpufilter/gpufilter.h"
#include "plan/bands.h"
#include "plan/plan.h"
#include "plan_bench.h"

#include <stdlib.h>
#include <string.h>

/* ---- explain is true ---- */

static void explain_is_true(void)
{
    static const char *const texts[] = {"gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist",
                                        "blur,box:radius=3,sobel,stats",
                                        "convert:f32,blur:sigma=3,equalize,convert:u16",
                                        "hist,stats",
                                        "threshold:otsu,invert",
                                        "flip,invert,hist",
                                        "crop:400x300+33+20,gray",
                                        "pad:20,contrast:1.2",
                                        "flip:y,crop:30x20+5+3"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        for (int32_t no_fuse = 0; no_fuse < 2; no_fuse++) {
            struct bench b;
            gf_shape shape = {1000, 700, 3, GF_U8};
            REQUIRE(open_bench(&b, texts[t], shape, no_fuse) == GF_OK);
            gf_status status = run_bench(&b);
            check_that(status == GF_OK, __FILE__, __LINE__, "%s: %s", texts[t], b.error.message);
            for (int32_t s = 0; status == GF_OK && s < gf_plan_step_count(b.plan); s++) {
                gf_step_info info = {.struct_size = sizeof info};
                gf_step_stats stats = {.struct_size = sizeof stats};
                CHECK_EQ_INT(gf_plan_step(b.plan, s, &info), GF_OK);
                CHECK_EQ_INT(gf_exec_step_stats(b.exec, s, &stats), GF_OK);
                check_int((long long)stats.bytes_read, (long long)info.bytes_read, texts[t], __FILE__,
                          __LINE__);
                check_int((long long)stats.bytes_written, (long long)info.bytes_written, texts[t], __FILE__,
                          __LINE__);
            }
            double predicted = (double)(gf_plan_memory(b.plan) - gf_plan_result_bytes(b.plan, true));
            check_that((double)memory.peak <= predicted * 1.05 && (double)memory.peak >= predicted * 0.95,
                       __FILE__, __LINE__, "%s: peak %zu bytes, predicted %.0f", texts[t], memory.peak,
                       predicted);
            close_bench(&b);
        }
    }
}

/* Windows about as large as the picture: lines, columns and codes that no strip makes small. */
static void large_windows_are_true(void)
{
    static const char *const texts[] = {"median:radius=300", "rank:250:percentile=10", "invert,median:40"};
    for (int i = 0; i < 3 * 3 * 2; i++) {
        struct bench b;
        const gf_shape shape = {400, 310, 1, (gf_depth)(i / 3 % 3)};
        REQUIRE(open_bench(&b, texts[i % 3], shape, i / 9) == GF_OK && run_bench(&b) == GF_OK);
        const uint64_t told = gf_plan_memory(b.plan);
        CHECK_MSG(memory.peak <= told && memory.peak >= told / 20 * 19, "%s of %s: peak %zu, not %llu bytes",
                  texts[i % 3], gf_depth_name(shape.depth), memory.peak, (unsigned long long)told);
        close_bench(&b);
    }
}

static void results_count(void)
{
    struct bench b;
    const uint64_t counts = 65536 * 3 * sizeof(uint64_t);
    REQUIRE(open_bench(&b, "hist:bins=65536,hist:bins=65536", (gf_shape){64, 48, 3, GF_U8}, 0) == GF_OK);
    CHECK(gf_plan_memory(b.plan) >= 2 * counts && gf_plan_memory(b.plan) <= 2 * counts + 400000);
    CHECK_EQ_INT(run_bench(&b), GF_OK);
    gf_run_stats run = {.struct_size = sizeof run};
    CHECK_EQ_INT(gf_exec_run_stats(b.exec, &run), GF_OK);
    CHECK_EQ_INT((long long)run.peak_memory, (long long)gf_plan_memory(b.plan));
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.memory_limit = 2 * counts - 1;
    gf_plan *plan = NULL;
    gf_shape shape = gf_plan_input(b.plan);
    CHECK_EQ_INT(gf_plan_create(b.context, b.pipeline, &shape, &options, &plan, &b.error), GF_ERROR_MEMORY);
    CHECK_STR_HAS(b.error.message, "bytes of buffers and results (");
    CHECK_STR_HAS(b.error.message, " are results), the memory limit is 3145727");
    close_bench(&b);
}

static void explain_prints(void)
{
    struct bench b;
    char text[4096], small[16];
    size_t length = 0, again = 0;
    REQUIRE(open_bench(&b, "gray,blur:sigma=2,hist", (gf_shape){640, 480, 3, GF_U8}, 0) == GF_OK);
    CHECK_EQ_INT(gf_plan_explain(b.plan, GF_PRINT_TEXT, text, sizeof text, &length, NULL), GF_OK);
    CHECK_EQ_INT((long long)strlen(text), (long long)length);
    CHECK_STR_HAS(text, "gray + blur + hist");
    CHECK_STR_HAS(text, "separable 17x17 replicate");
    CHECK_STR_HAS(text, "halo 8 x 8, path rows\n");
    CHECK_EQ_INT(gf_plan_explain(b.plan, GF_PRINT_TEXT, small, sizeof small, &again, NULL), GF_OK);
    CHECK_EQ_INT((long long)again, (long long)length);
    CHECK_EQ_INT((long long)strlen(small), sizeof small - 1);
    CHECK_EQ_INT(gf_plan_explain(b.plan, GF_PRINT_JSON, text, sizeof text, &length, NULL), GF_OK);
    CHECK_STR_HAS(text, "\"path\":\"rows\"");
    CHECK_STR_HAS(text, "\"bytes_read\":921600,\"bytes_written\":307200");
    close_bench(&b);
    /* A column is turned; what is no pass has no path. */
    REQUIRE(open_bench(&b, "blur:sigma=2,flip", (gf_shape){1, 480, 1, GF_U8}, 0) == GF_OK);
    CHECK_EQ_INT(gf_plan_explain(b.plan, GF_PRINT_JSON, text, sizeof text, &length, NULL), GF_OK);
    CHECK_STR_HAS(text, "\"path\":\"upright\"");
    CHECK_STR_HAS(text, "\"kind\":\"map\"");
    CHECK_STR_HAS(text, "\"path\":null");
    close_bench(&b);
}

/* ---- errors ---- */

static void binding_errors(void)
{
    static const struct {
        const char *text;
        gf_shape shape;
        gf_status status;
        const char *message;
    } wrong[] = {
        {"invert:roi=10x10+60+0",
         {64, 48, 1, GF_U8},
         GF_ERROR_ARGUMENT,
         "reaches outside the picture of 64 x 48"},
        {"invert:roi=ellipse@10x10+0+39",
         {64, 48, 1, GF_U8},
         GF_ERROR_ARGUMENT,
         "roi=ellipse@10x10+0+39 reaches outside the picture of 64 x 48"},
        {"invert:feather=2.5",
         {64, 48, 1, GF_U8},
         GF_ERROR_ARGUMENT,
         "feather=2.5 is of the edge of roi=, and there is none: must have roi=WIDTHxHEIGHT+X+Y or "
         "roi=ellipse@WIDTHxHEIGHT+X+Y, or feather=0"},
        {"invert:channels=a", {64, 48, 3, GF_U8}, GF_ERROR_ARGUMENT, "a picture of 3 channels has no alpha"},
        {"invert:channels=0+3", {64, 48, 3, GF_U8}, GF_ERROR_ARGUMENT, "names channel 3"},
        {"invert,hist:min=0.5:max=0.5",
         {64, 48, 3, GF_U8},
         GF_ERROR_ARGUMENT,
         "stage 2 'hist': min must be less than max"},
        {"invert", {0, 48, 1, GF_U8}, GF_ERROR_ARGUMENT, "not 0 x 48"},
        {"invert",
         {INT32_MAX, 1 << 20, 1, GF_U8},
         GF_ERROR_ARGUMENT,
         "at most 281474976710656 pixels, not 2147483647 x 1048576"},
        {"invert", {64, 48, 5, GF_U8}, GF_ERROR_ARGUMENT, "1 to 4 channels, not 5"},
        {"invert", {64, 48, 1, GF_U64}, GF_ERROR_ARGUMENT, "u8, u16 or f32, not u64"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct bench b;
        gf_status status = open_bench(&b, wrong[i].text, wrong[i].shape, 0);
        CHECK_EQ_INT(status, wrong[i].status);
        CHECK_EQ_INT(b.error.code, wrong[i].status);
        CHECK_STR_HAS(b.error.message, wrong[i].message);
        CHECK(b.plan == NULL);
        close_bench(&b);
    }
}

static void running_errors(void)
{
    struct bench b;
    REQUIRE(open_bench(&b, "blur", (gf_shape){64, 48, 1, GF_U8}, 0) == GF_OK);
    REQUIRE(run_bench(&b) == GF_OK);
    gf_image small = b.in.image;
    small.shape.width = 63;
    CHECK_EQ_INT(gf_exec_run(b.exec, &small, &b.out.image, &b.error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(b.error.message, "the input is 63 x 48 x 1 u8, the plan has 64 x 48 x 1 u8");
    gf_image narrow = b.in.image;
    narrow.pitch = 10;
    CHECK_EQ_INT(gf_exec_run(b.exec, &narrow, &b.out.image, &b.error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_exec_run(b.exec, &b.in.image, &b.in.image, &b.error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(b.error.message, "overlap");
    CHECK_EQ_INT(gf_exec_run(b.exec, NULL, &b.out.image, &b.error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_exec_run(b.exec, &b.in.image, &b.out.image, &b.error), GF_OK);
    close_bench(&b);
}

static void memory_limit(void)
{
    struct bench b;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    options.memory_limit = 1000;
    CHECK_EQ_INT(open_types(&b, "blur,blur", (gf_shape){640, 480, 3, GF_U8}, &options, NULL, 0),
                 GF_ERROR_MEMORY);
    CHECK_STR_HAS(b.error.message, "the memory limit is 1000");
    close_bench(&b);
}

/* ---- running ---- */

static void measures_only(void)
{
    struct bench b;
    REQUIRE(open_bench(&b, "hist,stats:name=all", (gf_shape){65, 33, 4, GF_U16}, 0) == GF_OK);
    CHECK(gf_plan_measures_only(b.plan));
    REQUIRE(run_bench(&b) == GF_OK);
    CHECK_MEM(b.out.memory, b.in.memory, b.in.size); /* the picture passes unchanged */
    CHECK_EQ_INT(gf_exec_result_count(b.exec), 2);
    const gf_result *stats = gf_exec_result_named(b.exec, "all");
    REQUIRE(stats != NULL && gf_exec_result_named(b.exec, "stats") == NULL);
    const gf_field *count = gf_result_field(stats, "count");
    REQUIRE(count != NULL);
    CHECK_EQ_INT(count->channels, 3); /* alpha is not measured */
    CHECK_EQ_INT((long long)((const uint64_t *)count->values)[2], 65 * 33);
    CHECK_EQ_INT(gf_exec_run(b.exec, &b.in.image, NULL, &b.error), GF_OK);
    close_bench(&b);
}

/* Results without an output picture are those with one. */
static void results_only(void)
{
    static const char *const texts[] = {"blur,hist",
                                        "gray,sobel,hist,stats,hist:bins=3,hist:bins=5,stats,hist"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct bench b;
        REQUIRE(open_bench(&b, texts[t], (gf_shape){130, 67, 3, GF_U8}, 0) == GF_OK);
        REQUIRE(run_bench(&b) == GF_OK);
        int32_t last = gf_exec_result_count(b.exec) - 1;
        const gf_field *field = gf_result_field(gf_exec_result(b.exec, last), "counts");
        uint64_t before[256], *after;
        memcpy(before, field->values, sizeof before);
        CHECK_EQ_INT(gf_exec_run(b.exec, &b.in.image, NULL, &b.error), GF_OK);
        after = (uint64_t *)(uintptr_t)gf_result_field(gf_exec_result(b.exec, last), "counts")->values;
        CHECK_MEM(after, before, sizeof before);
        close_bench(&b);
    }
}

static int stop_at_two(void *user, int32_t done, int32_t steps)
{
    *(int32_t *)user = steps;
    return done == 2;
}

static void cancelling(void)
{
    struct bench b;
    int32_t seen = 0;
    REQUIRE(open_bench(&b, "blur,blur,blur,blur", (gf_shape){64, 48, 1, GF_F32}, 0) == GF_OK);
    REQUIRE(run_bench(&b) == GF_OK);
    gf_exec_set_progress(b.exec, stop_at_two, &seen);
    CHECK_EQ_INT(gf_exec_run(b.exec, &b.in.image, &b.out.image, &b.error), GF_ERROR_CANCELLED);
    CHECK_EQ_INT(seen, 4);
    gf_exec_set_progress(b.exec, NULL, NULL);
    CHECK_EQ_INT(gf_exec_run(b.exec, &b.in.image, &b.out.image, &b.error), GF_OK);
    close_bench(&b);
}

/* ---- verification ---- */

/* A stage that cheats: it writes one wrong pixel every second time it runs. */
static gf_status cheat(const gf_image *in, gf_image *out, const void *args, gf_error *error)
{
    static int runs;
    (void)args;
    (void)error;
    for (int64_t y = 0; y < in->shape.height; y++) {
        memcpy((char *)out->data + y * out->pitch, (const char *)in->data + y * in->pitch,
               (size_t)(in->shape.width * in->shape.channels));
    }
    if (runs++ % 2 == 0) {
        ((unsigned char *)out->data)[3 * out->pitch + 5] ^= 1;
    }
    return GF_OK;
}

/* The interval of an intensity is looked at when the depth is known: at its place in the text. */
static void intensities_by_depth(void)
{
    static const struct {
        const char *stages;
        gf_depth depth;
        int32_t offset, length; /* of the value at fault; length 0: it binds */
    } cases[] = {
        {"invert,threshold:level=2", GF_U8, 23, 1}, {"invert,threshold:2", GF_U16, 17, 1},
        {"threshold:2:roi=1x1+0+0", GF_F32, 0, 0},  {"convert:f32,threshold:2", GF_U8, 0, 0},
        {"convert:u8,threshold:2", GF_F32, 21, 1},  {"threshold:1,brightness:-100%", GF_U8, 0, 0},
        {"blur:value=1e7", GF_F32, 0, 0},           {"blur:value=1e7", GF_U16, 11, 3},
        {"stats:roi=65x1+0+0", GF_U8, 10, 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench b;
        gf_status status = open_bench(&b, cases[i].stages, (gf_shape){64, 48, 1, cases[i].depth}, 0);
        CHECK_MSG((status == GF_OK) == (cases[i].length == 0), "%s: %s", cases[i].stages, b.error.message);
        if (cases[i].length > 0) {
            CHECK_EQ_INT(status, GF_ERROR_ARGUMENT);
            CHECK_EQ_INT(b.error.text_offset, cases[i].offset);
            CHECK_EQ_INT(b.error.text_length, cases[i].length);
        }
        close_bench(&b);
    }
}

static void lower_cheat(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id v = gf_lower_input(l);
    gf_shape shape = gf_lower_shape(l, v);
    gf_lower_output(l, gf_lower_call(l, v, &shape, cheat, NULL, NULL));
}

static const gf_stage_type cheat_type = {.struct_size = sizeof(gf_stage_type),
                                         .name = "cheat",
                                         .group = "own",
                                         .summary = "one wrong pixel, now and then",
                                         .formula = "-",
                                         .lower = lower_cheat};

static void verify_bites(void)
{
    static const gf_stage_type *const own[] = {&cheat_type};
    struct bench b;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    gf_mismatch mismatch = {.struct_size = sizeof mismatch};
    options.device = GF_DEVICE_CPU;
    REQUIRE(open_types(&b, "invert,cheat,stats", (gf_shape){64, 48, 1, GF_U8}, &options, own, 1) == GF_OK);
    REQUIRE(run_bench(&b) == GF_OK);
    gf_status status = gf_verify(b.exec, &b.in.image, &b.out.image, GF_DEVICE_REFERENCE, &mismatch, &b.error);
    CHECK_EQ_INT(status, GF_ERROR_MISMATCH);
    CHECK_EQ_INT(mismatch.stage, 1);
    CHECK_STR(mismatch.stage_name, "cheat");
    CHECK_EQ_INT(mismatch.x, 5);
    CHECK_EQ_INT(mismatch.y, 3);
    CHECK(fabs(mismatch.expected - mismatch.got) == 1);
    CHECK_STR_HAS(b.error.message, "stage 2 'cheat'");
    close_bench(&b);
}

static void verify_agrees(void)
{
    struct bench b;
    gf_mismatch mismatch = {.struct_size = sizeof mismatch};
    REQUIRE(open_bench(&b, "gray,blur,sobel,equalize,hist", (gf_shape){64, 48, 3, GF_U8}, 0) == GF_OK);
    REQUIRE(run_bench(&b) == GF_OK);
    CHECK_EQ_INT(gf_verify(b.exec, &b.in.image, &b.out.image, GF_DEVICE_REFERENCE, &mismatch, &b.error),
                 GF_OK);
    CHECK_EQ_INT(mismatch.stage, -1);
    close_bench(&b);
}

/* ---- what steps are told to be ---- */

static void kinds_of_steps(void)
{
    static const gf_stage_type *const own[] = {&cheat_type};
    static const char *const expected[] = {"pass", "pass", "solve", "pass", "map", "whole", "call"};
    const int32_t n = sizeof expected / sizeof *expected;
    struct bench b;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.no_fuse = 1;
    REQUIRE(open_types(&b, "gray,threshold:otsu,flip,clahe,cheat", (gf_shape){64, 48, 3, GF_U8}, &options,
                       own, 1) == GF_OK);
    CHECK_EQ_INT(gf_plan_step_count(b.plan), n);
    for (int32_t i = 0; i < n; i++) {
        gf_step_info info = {.struct_size = sizeof info};
        CHECK_EQ_INT(gf_plan_step(b.plan, i, &info), GF_OK);
        CHECK_STR(info.kind, expected[i]);
    }
    close_bench(&b);
}

/* ---- the device ---- */

static void absent_device(void)
{
    struct bench b;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = 63;
    gf_status status = open_types(&b, "invert", (gf_shape){64, 48, 1, GF_U8}, &options, NULL, 0);
    if (gf_has_cuda()) { /* a plan starts no device: the exec finds out */
        REQUIRE(status == GF_OK);
        status = run_bench(&b);
    }
    char name[32];
    snprintf(name, sizeof name, "device %s:63", gf_device_kind(63));
    CHECK_EQ_INT(status, GF_ERROR_DEVICE);
    CHECK_STR_HAS(b.error.message, name);
    CHECK_STR_HAS(b.error.message, gf_has_cuda() ? "there is no device" : "no CUDA backend");
    close_bench(&b);
}

static const struct check_case cases[] = {
    {"explain is true", explain_is_true},
    {"memory of large windows is true", large_windows_are_true},
    {"results count", results_count},
    {"explain prints", explain_prints},
    {"binding errors", binding_errors},
    {"running errors", running_errors},
    {"memory limit", memory_limit},
    {"measures only", measures_only},
    {"results only", results_only},
    {"cancelling", cancelling},
    {"intensities by depth", intensities_by_depth},
    {"verify bites", verify_bites},
    {"verify agrees", verify_agrees},
    {"kinds of steps", kinds_of_steps},
    {"absent device", absent_device},
};
CHECK_MAIN(cases)
