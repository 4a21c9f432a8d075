/* The model behind --device auto: true to the logs it comes from, and sane where there is no log. */
#include "check.h"
#include "context/context.h"
#include "gpufilter/gpufilter.h"
#include "plan/cost.h"

#include <stdlib.h>
#include <string.h>

static struct {
    gf_context *context;
    gf_pipeline *pipeline;
    gf_plan *plan;
} now;

static void tear_down(void)
{
    gf_plan_destroy(&now.plan);
    gf_pipeline_destroy(&now.pipeline);
    gf_context_destroy(&now.context);
}

/* What a plan is asked for; 0 threads stand for two. */
struct asked {
    const char *stages;
    gf_shape shape;
    int32_t threads;
    int64_t runs;
    double busy_ms;
    bool streams; /* from file to file */
};

static bool set_up(const struct asked *asked)
{
    gf_error error = GF_ERROR_INIT;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    options.threads = asked->threads ? asked->threads : 2;
    options.runs = asked->runs;
    options.busy_ms = asked->busy_ms;
    options.stream_rows = asked->streams ? GF_STREAM_CHOSEN : 0;
    bool made =
        gf_context_create(NULL, &now.context, &error) == GF_OK &&
        gf_pipeline_parse(asked->stages, NULL, 0, &now.pipeline, &error) == GF_OK &&
        gf_plan_create(now.context, now.pipeline, &asked->shape, &options, &now.plan, &error) == GF_OK;
    check_that(made, __FILE__, __LINE__, "%s: %s", asked->stages, error.message);
    return made;
}

/* Tells whether the GPU would be chosen; with `started`, as if the context had one that runs. */
static bool prefers_gpu(const struct asked *asked, bool started)
{
    bool gpu = false;
    if (set_up(asked)) {
        gf_context_set_started(now.context, 0, started);
        gpu = gf_cost_prefers_gpu(now.plan, gf_cost_cpu(now.plan), gf_cost_gpu(now.plan, false));
    }
    tear_down();
    return gpu;
}

/* ---- beside the logs ---- */

/* The chain and shape of a row; false: none that the model is to foretell. */
static bool read_row(char *line, struct asked *asked, double *milliseconds)
{
    char *stages = strstr(line, "stages="), *size = strstr(line, " size="), *depth = strstr(line, ",random,");
    int end = 0;
    if (strncmp(line, "filters,chain,fused,", 20) != 0 || !stages || !size || !depth ||
        sscanf(size, " size=%ldx%ld channels=%d%n", &asked->shape.width, &asked->shape.height,
               &asked->shape.channels, &end) != 3) {
        return false;
    }
    *size = *depth = '\0';
    asked->stages = stages + 7;
    depth = strrchr(line, ',') + 1;
    asked->shape.depth = !strcmp(depth, "u8") ? GF_U8 : !strcmp(depth, "u16") ? GF_U16 : GF_F32;
    *milliseconds = strtod(size + end + strcspn(size + end, ",") + 1, NULL) * 1e-3;
    return asked->shape.width == 7680;
}

static void check_log(const char *name, int32_t threads)
{
    char path[512], line[512];
    int rows = 0;
    snprintf(path, sizeof path, "%s/%s", GF_LOGS, name);
    FILE *file = fopen(path, "r");
    REQUIRE(file);
    while (fgets(line, sizeof line, file)) {
        struct asked asked = {.threads = threads ? threads : 1};
        double measured = 0;
        if (!read_row(line, &asked, &measured)) {
            continue;
        }
        if (set_up(&asked)) {
            double told = threads ? gf_cost_cpu(now.plan).work : gf_cost_gpu(now.plan, false).work;
            check_that(told > measured / 2 && told < measured * 2, __FILE__, __LINE__,
                       "%s, %s: %.3f ms, measured %.3f", name, asked.stages, told, measured);
            rows++;
        }
        tear_down();
    }
    fclose(file);
    CHECK(rows >= 21); /* logs may know more chains than each other */
}

static void like_one_thread(void)
{
    check_log("cpu-1-thread.csv", 1);
}

static void like_two_threads(void)
{
    check_log("cpu.csv", 2);
}

static void like_the_gpu(void)
{
    check_log("h200.csv", 0);
}

/* ---- choices ---- */

#define CHAIN "gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist"

static void choices(void)
{
    static const struct {
        struct asked asked;
        bool started, gpu;
    } expected[] = {
        {{"blur:2", {640, 480, 3, GF_U8}, 2, 1, 0, false}, false, false},
        {{"blur:20:radius=80", {7680, 4320, 1, GF_F32}, 1, 1, 1000, false},
         false,
         false}, /* one thread: nothing is hidden */
        {{CHAIN, {7680, 4320, 3, GF_U8}, 2, 1, 0, false}, false, false},
        {{CHAIN, {7680, 4320, 3, GF_U8}, 2, 1, 700, false}, false, false}, /* the copies alone cost as much */
        {{CHAIN, {7680, 4320, 3, GF_U8}, 1, 1000, 0, false}, false, true},
        {{CHAIN, {7680, 4320, 3, GF_U8}, 2, 1000, 0, false}, false, true},
        {{CHAIN, {7680, 4320, 3, GF_U8}, 16, 1000, 0, false}, false, false},  /* 16 threads filter as fast */
        {{"blur:2", {7680, 4320, 3, GF_U8}, 2, 1, 330, false}, false, false}, /* gains nothing worthwhile */
        {{"blur:2", {7680, 4320, 3, GF_U8}, 2, 1000, 330, false}, false, true},
        {{"invert", {7680, 4320, 3, GF_U8}, 1, 1000, 0, false}, true, false}, /* less work than the copies */
        {{"blur:20:radius=80", {7680, 4320, 1, GF_F32}, 2, 1, 0, false}, false, false},
        {{"blur:20:radius=80", {7680, 4320, 1, GF_F32}, 2, 1, 1000, false},
         false,
         true}, /* it starts while the file is read */
        {{"blur:20:radius=80", {7680, 4320, 1, GF_F32}, 2, 10, 0, false},
         false,
         true}, /* ten share the start */
        {{"blur:20:radius=80", {7680, 4320, 1, GF_F32}, 2, 1, 0, false}, true, true},
        {{"blur:60:radius=240,gamma:2", {7680, 4320, 1, GF_F32}, 2, 1, 0, false}, false, true},
        {{"blur:60:radius=240,gamma:2", {7680, 4320, 1, GF_F32}, 64, 1, 0, false}, false, false},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        check_int(prefers_gpu(&expected[i].asked, expected[i].started), expected[i].gpu,
                  expected[i].asked.stages, __FILE__, (int)i);
    }
}

/* docs/benchmarks.md, "CPU or GPU": its table has these, and says that the last column is chosen. A tenth, or
 * half of what it rounds to. */
static void page_is_true(void)
{
    static const struct {
        struct asked asked;
        bool started, gpu;
        double cpu, all; /* milliseconds */
    } rows[] = {
        {{"blur:2", {768, 512, 3, GF_U8}, 2, 1, 8.7, true}, false, false, 0, 321},
        {{CHAIN, {7680, 4320, 3, GF_U8}, 2, 1, 737, true}, false, false, 0, 10.4},
        {{CHAIN, {7680, 4320, 3, GF_U8}, 2, 1, 0, false}, true, true, 14, 10.4},
        {{"blur:5", {7680, 4320, 3, GF_U8}, 2, 1, 737, true}, false, false, 0, 14},
        {{"blur:5", {7680, 4320, 3, GF_U8}, 2, 1, 0, false}, true, true, 112, 14},
        {{"threshold:otsu,blur:5", {7680, 4320, 3, GF_U8}, 2, 1, 737, true}, false, true, 156, 14.1},
        {{"gamma:2.2", {7680, 4320, 1, GF_F32}, 2, 1, 123, true}, false, false, 0, 225},
        {{"gamma:2.2", {7680, 4320, 1, GF_F32}, 2, 1, 0, false}, true, true, 55, 17.9},
        {{"blur:20", {7680, 4320, 1, GF_F32}, 2, 1, 123, true}, false, false, 0, 225},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        REQUIRE(set_up(&rows[i].asked));
        gf_context_set_started(now.context, 0, rows[i].started);
        struct gf_cost gpu = gf_cost_gpu(now.plan, false);
        double cpu = gf_cost_total(gf_cost_cpu(now.plan)), all = gf_cost_total(gpu);
        CHECK_MSG(fabs(cpu - rows[i].cpu) < 0.05 + 0.1 * cpu && fabs(all - rows[i].all) < 0.5 + 0.1 * all,
                  "row %d, %s: CPU %.3f, GPU %.3f (work %.3f), the page has %g and %g", (int)i + 1,
                  rows[i].asked.stages, cpu, all, gpu.work, rows[i].cpu, rows[i].all);
        tear_down();
        check_int(prefers_gpu(&rows[i].asked, rows[i].started), rows[i].gpu, rows[i].asked.stages, __FILE__,
                  (int)i);
    }
}

/* Adds to what speaks for the GPU: a choice of it stays when there is more of that. */
static void more_of_it(struct asked *asked, int what)
{
    asked->runs *= what == 0 ? 7 : 1;
    asked->busy_ms += what == 1 ? 40 : 0;
    asked->threads -= what == 2 && asked->busy_ms == 0 && asked->threads > 1;
}

static void stays_chosen(void)
{
    static const char *const chains[] = {"invert", "blur:8",    "blur:2,equalize", "box:5,sobel",
                                         "stats",  "gamma:2.2", "blur:30,blur:30", "hist"};
    int changes = 0;
    for (int what = 0; what < 3; what++) {
        for (size_t i = 0; i < 8 * 3; i++) {
            struct asked asked = {chains[i % 8], {512, 512, 1, GF_F32}, 9, 1, 0, false};
            asked.shape.width <<= 2 * (i / 8);
            bool before = false;
            for (int more = 0; more < 8; more++, more_of_it(&asked, what)) {
                bool gpu = prefers_gpu(&asked, what == 2);
                check_that(gpu || !before, __FILE__, __LINE__, "%s: not the GPU any more", asked.stages);
                changes += gpu && !before && more;
                before = gpu;
            }
        }
    }
    CHECK(changes > 10);
}

/* Larger pictures, more runs and fewer threads never cost less, and no cost is negative. */
static void grows(void)
{
    double before = 0;
    for (int i = 0; i < 12; i++) {
        struct asked asked = {"blur:2,hist", {64 << (i / 4), 64, 3, GF_U16}, 4 - i % 4, 1 + i / 4, 500,
                              false};
        REQUIRE(set_up(&asked));
        struct gf_cost cpu = gf_cost_cpu(now.plan), gpu = gf_cost_gpu(now.plan, false);
        CHECK(cpu.work > before && cpu.start == 0 && cpu.copies == 0);
        CHECK(gpu.start > 0 && gpu.hidden >= 0 && gpu.hidden <= gpu.start && gpu.copies > 0 && gpu.work > 0);
        CHECK(gpu.hidden == (asked.threads > 1 ? gpu.start : 0));
        before = i % 4 == 3 ? 0 : cpu.work;
        gpu = gf_cost_gpu(now.plan, true);
        CHECK(gpu.start == 0 && gpu.copies > 0);
        tear_down();
    }
}

/* Checks what --explain says: seconds where windows are as large as that, beside user times on one thread of
 * 1.2 s (u8) and 224 s (f32); and that it does not know. */
static void large_windows(void)
{
    static const struct {
        struct asked asked;
        double least, most; /* seconds */
        enum gf_cost_truth truth;
    } rows[] = {
        {{"median:radius=1000", {7680, 4320, 1, GF_U8}, 1, 0, 0, false}, 0.6, 2.4, GF_COST_ABOUT},
        {{"rank:1000:percentile=90", {7680, 4320, 1, GF_F32}, 1, 0, 0, false}, 112, 448, GF_COST_ABOUT},
        {{"median:4", {1920, 1080, 1, GF_U16}, 1, 0, 0, false}, 0.15, 0.62, GF_COST_ABOUT},
        {{"median:3", {7680, 4320, 1, GF_U8}, 1, 0, 0, false}, 0.02, 0.08, GF_COST_ABOUT},
        {{"median:3", {7680, 4320, 1, GF_U8}, 1, 100, 0, false}, 0.02, 0.08, GF_COST_ABOUT}, /* of a run */
        {{"threshold:0.5,label", {7680, 4320, 1, GF_U8}, 1, 0, 0, false}, 0.004, 1, GF_COST_LEAST},
        {{"rotate:90,threshold:otsu", {7680, 4320, 1, GF_U8}, 1, 0, 0, false}, 0.004, 1, GF_COST_ABOUT},
        {{"rotate:10", {7680, 4320, 3, GF_U8}, 1, 0, 0, false}, 0.18, 0.7, GF_COST_ABOUT},
        {{"rotate:10:filter=lanczos", {7680, 4320, 3, GF_U8}, 1, 0, 0, false}, 1.5, 6, GF_COST_ABOUT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double ms = 0;
        REQUIRE(set_up(&rows[i].asked));
        CHECK_EQ_INT(gf_cost_expected(now.plan, &ms), rows[i].truth);
        CHECK_MSG(ms * 1e-3 >= rows[i].least && ms * 1e-3 <= rows[i].most, "%s: %.3f s", rows[i].asked.stages,
                  ms * 1e-3);
        tear_down();
    }
    check_int(prefers_gpu(&rows[0].asked, true), false, "median:1000", __FILE__, __LINE__);
    const struct asked small = {"median:3", {7680, 4320, 1, GF_U8}, 2, 100, 0, false};
    check_int(prefers_gpu(&small, true), true, "median:3 again and again", __FILE__, __LINE__);
}

/* Warps, for which no log has a row, beside docs/benchmarks.md: microseconds of RGB u8 on an H200. */
static void warps_on_the_gpu(void)
{
    static const struct {
        const char *stages;
        double measured;
        bool starts; /* its gain is worth the start of CUDA */
    } rows[] = {
        {"warp:[0.985 -0.174 430; 0.174 0.985 -640]:filter=nearest", 105, false},
        {"warp:[0.985 -0.174 430; 0.174 0.985 -640]", 155, false},
        {"warp:[0.985 -0.174 430; 0.174 0.985 -640]:filter=cubic", 340, false},
        {"warp:[0.985 -0.174 430; 0.174 0.985 -640]:filter=lanczos", 1092, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct asked asked = {rows[i].stages, {7680, 4320, 3, GF_U8}, 2, 1, 0, false};
        if (set_up(&asked)) {
            const double told = gf_cost_gpu(now.plan, false).work * 1e3;
            check_that(told > 0.9 * rows[i].measured && told < 1.1 * rows[i].measured, __FILE__, __LINE__,
                       "%s: %.0f us, measured %.0f", rows[i].stages, told, rows[i].measured);
        }
        tear_down();
        check_int(prefers_gpu(&asked, true), true, rows[i].stages, __FILE__, (int)i);
        check_int(prefers_gpu(&asked, false), rows[i].starts, rows[i].stages, __FILE__, (int)i);
    }
}

static void refused(void)
{
    static const double not_busy[] = {-1, NAN};
    gf_error error = GF_ERROR_INIT;
    struct asked asked = {"invert", {640, 480, 3, GF_U8}, 1, 1, 0, false};
    REQUIRE(set_up(&asked));
    for (int i = 0; i < 3; i++) {
        gf_plan_options options = GF_PLAN_OPTIONS_INIT;
        gf_plan *plan = NULL;
        options.runs = i == 2 ? -1 : 0;
        options.busy_ms = i < 2 ? not_busy[i] : 0;
        CHECK_EQ_INT(gf_plan_create(now.context, now.pipeline, &asked.shape, &options, &plan, &error),
                     GF_ERROR_ARGUMENT);
        CHECK_STR(error.message, "runs and busy_ms must not be negative");
    }
    CHECK_EQ_INT(gf_context_start(now.context, GF_DEVICE_AUTO, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_context_start(now.context, GF_DEVICE_CPU, &error), GF_OK);
    CHECK_EQ_INT(gf_context_start(now.context, 0, &error), gf_has_cuda() ? GF_OK : GF_ERROR_DEVICE);
    tear_down();
}

static const struct check_case cases[] = {
    {"like the log of one thread", like_one_thread},
    {"like the log of two threads", like_two_threads},
    {"like the log of a GPU", like_the_gpu},
    {"choices", choices},
    {"the table of docs/benchmarks.md", page_is_true},
    {"what is chosen stays so with more that speaks for it", stays_chosen},
    {"grows with the work", grows},
    {"large windows, and what is not known", large_windows},
    {"warps on the GPU", warps_on_the_gpu},
    {"what is refused", refused},
};
CHECK_MAIN(cases)
