/* Plans in bands, and streams from a source to a sink: where they can be, within which memory, what happens
 * when something fails. That they make the same pictures and results, test_parity.c holds of every stage;
 * here are the seams of more bands, and what is held as a whole. */
#include "counted_memory.h"
#include "stream_bench.h"

/* ---- the same, whatever the bands ---- */

static const char *const chains[] = {
    "invert,hist,stats",
    "stats,blur:sigma=1:radius=2,hist,stats",
    "blur:sigma=2:roi=40x90+3+17,box:radius=3:border=reflect,hist:roi=31x77+5+40,stats:roi=20x20+0+100",
    "sobel,blur:sigma=0.7:border=constant:value=0.2,gamma:0.5,threshold:0.3,stats",
    "convert:f32,box:radius=4,blur:sigma=3,convert:u8,hist",
    "blur:sigma=9,stats",
    "profile,resize:50%,profile:y,invert,stats",
    "invert,resize:20x9,gamma:0.7",
    "resize:31x1000:filter=cubic",
    "flip,crop:30x150+5+97", /* which leaves rows out on both sides */
    "blend:in:at=5+60:mode=max,blend:in:at=-3-41:mode=multiply:scale=0.4,stats",
    "blur:sigma=1:radius=3:save=s,resize:50%,blend:s:at=-3-40:mode=difference,hist",
    "crop:30x150+5+97:save=part,invert,below:in:align=end:gap=5,beside:part",
};

static void bands_are_invisible(void)
{
    static const int64_t rows[] = {5, 50, 800};
    for (size_t c = 0; c < sizeof chains / sizeof *chains; c++) {
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            for (int32_t depth = GF_U8; depth <= GF_F32; depth++) {
                struct bench b;
                char what[200];
                gf_shape shape = {67, 391, depth == GF_U8 ? 3 : 1, (gf_depth)depth};
                if (depth == GF_F32) { /* blocks of 7 rows and cells of 32 fall together every 224 */
                    shape = (gf_shape){45, 791, 1, GF_F32};
                }
                snprintf(what, sizeof what, "%s by %d rows", chains[c], (int)rows[r]);
                gf_status status = open_bench(&b, chains[c], shape, streamed(rows[r]));
                check_that(status == GF_OK, __FILE__, __LINE__, "%s: %s", what, b.error.message);
                struct image_rows from = {.image = &b.in}, to = {.image = &b.out};
                gf_source source = image_source(&from);
                gf_sink sink = image_sink(&to);
                for (int again = 0; status == GF_OK && again < 2; again++) {
                    from.next = to.next = 0;
                    status = gf_exec_stream(b.exec, &source, &sink, &b.error);
                    check_that(status == GF_OK, __FILE__, __LINE__, "%s: %s", what, b.error.message);
                    check_same(&b, what);
                }
                int64_t count = bands_of(b.plan).count;
                check_that(rows[r] < 800 ? count > 1 : count == 1, __FILE__, __LINE__, "%s: %lld bands", what,
                           (long long)count);
                close_bench(&b);
            }
        }
    }
}

/* A resize reads each row once, however far its windows reach: what it makes across stays. */
static void rows_stay(void)
{
    struct bench b;
    gf_shape shape = {500, 6000, 3, GF_U8};
    gf_plan_options options = streamed(GF_STREAM_CHOSEN);
    options.threads = 1;
    options.memory_limit = 600000; /* 300 rows and more make a row */
    REQUIRE(open_bench(&b, "resize:10x20:filter=lanczos", shape, options) == GF_OK);
    gf_band_info info = bands_of(b.plan);
    CHECK(info.count > 1 && info.above == 0 && info.below == 0 && info.rows < 300);
    struct image_rows from = {.image = &b.in}, to = {.image = &b.out};
    gf_source source = image_source(&from);
    gf_sink sink = image_sink(&to);
    CHECK_EQ_INT(gf_exec_stream(b.exec, &source, &sink, &b.error), GF_OK);
    check_same(&b, "rows stay");
    close_bench(&b);
}

/* ---- where there are none ---- */

static void reasons(void)
{
    static const struct {
        const char *text, *reason;
    } expected[] = {
        {"invert,blur:2:border=wrap", "stage 2 'blur' wraps around from the last row to the first"},
        {"convert:f32,equalize", ""},
        {"convert:f32,hist,stats", ""},
        {"convert:f32,extent", ""},
        {"convert:f32,box:radius=20,box:radius=30", ""}, /* whose blocks fall together too rarely */
        {"hist:roi=2x2+0+0,hist:roi=2x2+1+0,hist:roi=2x2+2+0,hist:roi=2x2+3+0,blur", ""},
        {"blur,hist", ""},
        {"convert:f32,hist:min=0:max=1", ""},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct bench b;
        gf_shape shape = {40, 300, 3, GF_U8};
        REQUIRE(open_bench(&b, expected[i].text, shape, streamed(10)) == GF_OK);
        gf_band_info info = bands_of(b.plan);
        CHECK_STR(info.reason, expected[i].reason);
        CHECK((info.count == 1) == (*expected[i].reason != '\0'));
        struct image_rows from = {.image = &b.in}, to = {.image = &b.out};
        gf_source source = image_source(&from);
        gf_sink sink = image_sink(&to);
        CHECK_EQ_INT(gf_exec_stream(b.exec, &source, &sink, &b.error), GF_OK);
        CHECK((from.calls == 1) == (*expected[i].reason != '\0'));
        check_same(&b, expected[i].text);
        close_bench(&b);
    }
}

/* ---- sources and sinks of whole pictures; none ---- */

static void whole_ends(void)
{
    for (int ends = 0; ends < 4; ends++) {
        struct bench b;
        gf_shape shape = {50, 200, 1, GF_U8};
        REQUIRE(open_bench(&b, "blur,hist", shape, streamed(16)) == GF_OK);
        struct image_rows from = {.image = &b.in}, to = {.image = &b.out};
        gf_source source = image_source(&from);
        gf_sink sink = image_sink(&to);
        source.whole = ends & 1;
        sink.whole = ends & 2;
        CHECK_EQ_INT(gf_exec_stream(b.exec, &source, &sink, &b.error), GF_OK);
        CHECK((from.calls == 1) == (source.whole != 0));
        CHECK((to.calls == 1) == (sink.whole != 0));
        check_same(&b, "whole ends");
        memset(b.out.data, 0, (size_t)(b.out.pitch * shape.height));
        from.next = 0;
        CHECK_EQ_INT(gf_exec_stream(b.exec, &source, NULL, &b.error), GF_OK);
        CHECK_EQ_INT(from.next, shape.height);
        CHECK_EQ_INT(gf_exec_run(b.exec, &b.in, &b.out, &b.error), GF_OK); /* from picture to picture */
        check_same(&b, "picture to picture");
        close_bench(&b);
    }
}

/* ---- within a limit ---- */

static void memory_is_limited(void)
{
    static const uint64_t limits[] = {3000000, 1000000, 600000};
    gf_context_options hooks = GF_CONTEXT_OPTIONS_INIT;
    hooks.allocate = counted_allocate;
    hooks.release = counted_release;
    for (int streams = 0; streams < 2; streams++) {
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            struct bench b;
            gf_shape shape = {500, 3000, 3, GF_U8};
            gf_plan_options options = streamed(streams ? GF_STREAM_CHOSEN : 0);
            options.threads = 1;
            options.memory_limit = limits[i];
            const char *text = i == 1 ? "blur:sigma=1:radius=2,equalize" : "blur:sigma=1:radius=2,sobel,hist";
            REQUIRE(open_bench(&b, text, shape, options) == GF_OK);
            gf_exec_destroy(&b.exec);
            gf_context *counted = NULL;
            gf_plan *plan = NULL;
            REQUIRE(gf_context_create(&hooks, &counted, &b.error) == GF_OK);
            memory.peak = 0;
            REQUIRE(gf_plan_create(counted, b.pipeline, &shape, &options, &plan, &b.error) == GF_OK);
            REQUIRE(gf_exec_create(plan, &b.exec, &b.error) == GF_OK);
            struct image_rows from = {.image = &b.in}, to = {.image = &b.out};
            gf_source source = image_source(&from);
            gf_sink sink = image_sink(&to);
            CHECK_EQ_INT(streams ? gf_exec_stream(b.exec, &source, &sink, &b.error)
                                 : gf_exec_run(b.exec, &b.in, &b.out, &b.error),
                         GF_OK);
            check_same(&b, "within a limit");
            CHECK(bands_of(plan).count > 1);
            CHECK(gf_plan_memory(plan) <= limits[i]);
            check_that(memory.peak <= gf_plan_memory(plan) && memory.peak * 10 >= gf_plan_memory(plan) * 9,
                       __FILE__, __LINE__, "peak %zu bytes, predicted %llu, limit %llu", memory.peak,
                       (unsigned long long)gf_plan_memory(plan), (unsigned long long)limits[i]);
            gf_exec_destroy(&b.exec);
            gf_plan_destroy(&plan);
            gf_context_destroy(&counted);
            CHECK_EQ_INT(memory.now, 0);
            close_bench(&b);
        }
    }
}

static void memory_that_does_not_do(void)
{
    struct bench b;
    gf_shape shape = {500, 3000, 3, GF_U8};
    gf_plan_options options = streamed(GF_STREAM_CHOSEN);
    options.memory_limit = 20000;
    CHECK_EQ_INT(open_bench(&b, "blur:sigma=1:radius=2", shape, options), GF_ERROR_MEMORY);
    CHECK_STR_HAS(b.error.message, "the plan needs at least ");
    CHECK_STR_HAS(b.error.message, " bytes of buffers, the memory limit is 20000");
    close_bench(&b);
    options.memory_limit = 1000000;
    CHECK_EQ_INT(open_bench(&b, "blur:border=wrap", shape, options), GF_ERROR_MEMORY);
    CHECK_STR_HAS(b.error.message, "; it cannot work in bands: stage 1 'blur' wraps around");
    close_bench(&b);
    REQUIRE(open_bench(&b, "invert", shape, options) == GF_OK); /* but the sink wants all of it */
    struct image_rows from = {.image = &b.in}, to = {.image = &b.out};
    gf_source source = image_source(&from);
    gf_sink sink = image_sink(&to);
    sink.whole = 1;
    CHECK_EQ_INT(gf_exec_stream(b.exec, &source, &sink, &b.error), GF_ERROR_MEMORY);
    CHECK_STR_HAS(b.error.message, "the output is held as a whole");
    CHECK_EQ_INT(from.calls, 0);
    close_bench(&b);
    options.stream_rows = 0; /* bands for gf_exec_run alone: those that a source needs are not counted */
    REQUIRE(open_bench(&b, "blur,sobel", shape, options) == GF_OK);
    sink.whole = 0;
    CHECK_EQ_INT(gf_exec_stream(b.exec, &source, &sink, &b.error), GF_ERROR_MEMORY);
    CHECK_STR_HAS(b.error.message, "bands of the input are held, which the plan counts with stream_rows");
    CHECK_EQ_INT(from.calls, 0);
    close_bench(&b);
}

/* ---- what fails ---- */

static int cancel(void *user, int32_t done, int32_t steps)
{
    int *most = user;
    CHECK(done >= 0 && done <= steps);
    return done >= *most;
}

static void failures(void)
{
    for (int64_t at = 1; at < 100; at += 7) {
        struct bench b;
        gf_shape shape = {33, 100, 1, GF_U16};
        const char *text = at % 2 ? "blur,stats" : "blur:border=wrap,stats"; /* in bands, as a whole */
        REQUIRE(open_bench(&b, text, shape, streamed(6)) == GF_OK);
        struct image_rows from = {.image = &b.in, .fail_at = at}, to = {.image = &b.out};
        gf_source source = image_source(&from);
        gf_sink sink = image_sink(&to);
        CHECK_EQ_INT(gf_exec_stream(b.exec, &source, &sink, &b.error), GF_ERROR_OUTPUT);
        CHECK_STR(b.error.message, "told to fail");
        CHECK(to.next <= at);
        CHECK_EQ_INT(gf_exec_result_count(b.exec), 0);
        from = (struct image_rows){.image = &b.in};
        to = (struct image_rows){.image = &b.out, .fail_at = at};
        CHECK_EQ_INT(gf_exec_stream(b.exec, &source, &sink, &b.error), GF_ERROR_OUTPUT);
        CHECK_STR(b.error.message, "told to fail");
        from = (struct image_rows){.image = &b.in};
        to = (struct image_rows){.image = &b.out};
        int most = (int)at / 5;
        gf_exec_set_progress(b.exec, cancel, &most);
        gf_status status = gf_exec_stream(b.exec, &source, &sink, &b.error);
        int64_t steps = bands_of(b.plan).count * gf_plan_step_count(b.plan);
        CHECK_EQ_INT(status, most <= steps ? GF_ERROR_CANCELLED : GF_OK);
        gf_exec_set_progress(b.exec, NULL, NULL);
        from = (struct image_rows){.image = &b.in};
        to = (struct image_rows){.image = &b.out};
        CHECK_EQ_INT(gf_exec_stream(b.exec, &source, &sink, &b.error), GF_OK); /* and nothing of it stays */
        check_same(&b, "after failures");
        for (int end = 0; end < 2; end++) { /* nor results of the run before */
            from = (struct image_rows){.image = &b.in, .fail_at = end ? 0 : at};
            to = (struct image_rows){.image = &b.out, .fail_at = end ? at : 0};
            CHECK_EQ_INT(gf_exec_stream(b.exec, &source, &sink, &b.error), GF_ERROR_OUTPUT);
            CHECK_EQ_INT(gf_exec_result_count(b.exec), 0);
        }
        close_bench(&b);
    }
}

static void wrong_arguments(void)
{
    struct bench b;
    gf_shape shape = {33, 100, 1, GF_U8};
    gf_plan_options options = streamed(-2);
    CHECK_EQ_INT(open_bench(&b, "blur", shape, options), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(b.error.message, "stream_rows -2");
    close_bench(&b);
    REQUIRE(open_bench(&b, "blur", shape, streamed(9)) == GF_OK);
    struct image_rows from = {.image = &b.in}, to = {.image = &b.out};
    gf_source source = image_source(&from), other = source;
    gf_sink sink = image_sink(&to);
    CHECK_EQ_INT(gf_exec_stream(b.exec, NULL, &sink, &b.error), GF_ERROR_ARGUMENT);
    other.struct_size = 3;
    CHECK_EQ_INT(gf_exec_stream(b.exec, &other, &sink, &b.error), GF_ERROR_ARGUMENT);
    other = source;
    other.shape.height = 99;
    CHECK_EQ_INT(gf_exec_stream(b.exec, &other, &sink, &b.error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(b.error.message, "the source is 33 x 99 x 1 u8, the plan has 33 x 100 x 1 u8");
    sink.rows = NULL;
    CHECK_EQ_INT(gf_exec_stream(b.exec, &source, &sink, &b.error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_exec_enqueue(b.exec, &b.in, &b.out, NULL, &b.error), GF_ERROR_UNSUPPORTED);
    gf_image on_device = b.in;
    on_device.device = 0;
    CHECK_EQ_INT(gf_exec_run(b.exec, &on_device, &b.out, &b.error), GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(b.error.message, "a plan in bands takes pictures of the host");
    CHECK_EQ_INT(from.calls + to.calls, 0);
    close_bench(&b);
}

static const struct check_case cases[] = {
    {"bands are invisible", bands_are_invisible},
    {"rows that stay are made once", rows_stay},
    {"why there are none", reasons},
    {"sources and sinks of whole pictures", whole_ends},
    {"memory is limited", memory_is_limited},
    {"memory that does not do", memory_that_does_not_do},
    {"failures", failures},
    {"wrong arguments", wrong_arguments},
};

CHECK_MAIN(cases)
