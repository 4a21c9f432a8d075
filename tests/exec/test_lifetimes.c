/* Objects may be destroyed in any order: what others need stays until they are gone. All memory, that of the
 * context's hooks too, is given back when the last one goes; sanitizers see the rest. */
#include "check.h"
#include "counted_memory.h"
#include "gpufilter/gpufilter.h"

#include <pthread.h>

enum { WIDTH = 40, HEIGHT = 60 };

static const gf_shape shape = {WIDTH, HEIGHT, 1, GF_U8};
static uint8_t pixels[WIDTH * HEIGHT], made[WIDTH * HEIGHT];

/* ---- one chain and everything it takes ---- */

struct chain {
    gf_context *context;
    gf_pipeline *pipeline;
    gf_plan *plan;
    gf_exec *exec;
    gf_error error;
};

enum { CONTEXT, PIPELINE, PLAN, EXEC, OBJECTS };

static void destroy(struct chain *c, int object)
{
    object == CONTEXT    ? gf_context_destroy(&c->context)
    : object == PIPELINE ? gf_pipeline_destroy(&c->pipeline)
    : object == PLAN     ? gf_plan_destroy(&c->plan)
                         : gf_exec_destroy(&c->exec);
}

static gf_status open_chain(struct chain *c, const char *text, gf_plan_options options)
{
    const gf_context_options hooks = {sizeof hooks, NULL, counted_allocate, counted_release, NULL};
    gf_status status;
    *c = (struct chain){.error = GF_ERROR_INIT};
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        pixels[i] = (uint8_t)(i * 7);
    }
    (void)((status = gf_context_create(&hooks, &c->context, &c->error)) == GF_OK &&
           (status = gf_pipeline_parse(text, NULL, 0, &c->pipeline, &c->error)) == GF_OK &&
           (status = gf_plan_create(c->context, c->pipeline, &shape, &options, &c->plan, &c->error)) ==
               GF_OK &&
           (status = gf_exec_create(c->plan, &c->exec, &c->error)) == GF_OK);
    return status;
}

/* The exec still does all it can: a picture, results with names from the pipeline, a judgement, which makes
 * plans of its own from the exec's. */
static void check_run_of(struct chain *c, const char *text)
{
    gf_image in = gf_image_view(pixels, WIDTH, HEIGHT, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, WIDTH, HEIGHT, 1, GF_U8, 0);
    double mean = 0;
    CHECK_MSG(gf_exec_run(c->exec, &in, &out, &c->error) == GF_OK, "%s: %s", text, c->error.message);
    const gf_result *result = gf_exec_result_named(c->exec, "here");
    CHECK_MSG(gf_result_number(result, "mean", 0, &mean, &c->error) == GF_OK, "%s: %s", text,
              c->error.message);
    CHECK_MSG(mean > 100 && mean < 155, "%s: the mean is %g", text, mean);
    gf_mismatch mismatch = {.struct_size = sizeof mismatch};
    CHECK_MSG(gf_verify(c->exec, &in, &out, GF_DEVICE_REFERENCE, &mismatch, &c->error) == GF_OK, "%s: %s",
              text, c->error.message);
}

/* All orders of four objects; while the exec lives it is used between any two of them. */
static void any_order(void)
{
    static const char *const texts[] = {"invert,stats:name=here", "blur:2,stats:name=here,threshold:otsu"};
    for (int order = 0; order < 256 * 3; order++) {
        int at[OBJECTS] = {order % 4, order / 4 % 4, order / 16 % 4, order / 64 % 4}, seen = 0;
        for (int i = 0; i < OBJECTS; i++) {
            seen |= 1 << at[i];
        }
        if (seen != (1 << OBJECTS) - 1) {
            continue;
        }
        gf_plan_options options = GF_PLAN_OPTIONS_INIT;
        options.device = order / 256 == 1 ? GF_DEVICE_REFERENCE : GF_DEVICE_CPU;
        options.stream_rows = order / 256 == 2 ? 16 : 0;
        options.threads = 2;
        struct chain c;
        const char *text = texts[order / 256 == 2];
        REQUIRE(open_chain(&c, text, options) == GF_OK);
        CHECK(order / 256 != 2 || memory.now > 0);
        for (int i = 0; i < OBJECTS; i++) {
            destroy(&c, at[i]);
            if (c.exec) {
                check_run_of(&c, text);
            }
        }
        CHECK(!c.context && !c.pipeline && !c.plan && !c.exec);
        CHECK_EQ_INT(memory.now, 0);
    }
}

/* Work that is queued is waited for, by an exec that alone is left. */
static void queued(void)
{
    struct chain c;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    REQUIRE(open_chain(&c, "invert,stats:name=here", options) == GF_OK);
    gf_image in = gf_image_view(pixels, WIDTH, HEIGHT, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, WIDTH, HEIGHT, 1, GF_U8, 0);
    CHECK_EQ_INT(gf_exec_enqueue(c.exec, &in, &out, NULL, &c.error), GF_OK);
    for (int i = 0; i < OBJECTS; i++) {
        destroy(&c, i);
    }
    CHECK_EQ_INT(made[1], 255 - pixels[1]);
    CHECK_EQ_INT(memory.now, 0);
}

/* A run that is queued is measured where somebody asked for it, and tells its bytes in any case. */
static void queued_times(void)
{
    struct chain c;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    REQUIRE(open_chain(&c, "invert,stats:name=here", options) == GF_OK);
    gf_image in = gf_image_view(pixels, WIDTH, HEIGHT, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, WIDTH, HEIGHT, 1, GF_U8, 0);
    for (int on = 0; on < 3; on++) {
        gf_run_stats run = {.struct_size = sizeof run};
        gf_step_stats step = {.struct_size = sizeof step};
        gf_exec_set_times(c.exec, on == 1);
        CHECK_EQ_INT(gf_exec_enqueue(c.exec, &in, &out, NULL, &c.error), GF_OK);
        CHECK_EQ_INT(gf_exec_finish(c.exec, &c.error), GF_OK);
        CHECK_EQ_INT(gf_exec_run_stats(c.exec, &run), GF_OK);
        CHECK_EQ_INT(gf_exec_step_stats(c.exec, 0, &step), GF_OK);
        CHECK((run.kernels_ms > 0) == (on == 1) && (step.milliseconds > 0) == (on == 1));
        CHECK(run.total_ms > 0 && step.bytes_read == WIDTH * HEIGHT && step.bytes_written == WIDTH * HEIGHT);
        CHECK_EQ_INT(gf_exec_result_count(c.exec), 1);
    }
    for (int i = 0; i < OBJECTS; i++) {
        destroy(&c, i);
    }
    gf_exec_set_times(NULL, 1);
    CHECK_EQ_INT(memory.now, 0);
}

/* Plans of a plan: rebound, while their first one and everything else is gone. */
static void rebound(void)
{
    struct chain c;
    gf_plan *again = NULL;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_REFERENCE;
    REQUIRE(open_chain(&c, "invert,stats:name=here", options) == GF_OK);
    destroy(&c, EXEC);
    destroy(&c, PIPELINE);
    destroy(&c, CONTEXT);
    CHECK_EQ_INT(gf_plan_rebind(c.plan, GF_DEVICE_CPU, "because", &again, &c.error), GF_OK);
    destroy(&c, PLAN);
    REQUIRE(gf_exec_create(again, &c.exec, &c.error) == GF_OK);
    CHECK_STR(gf_plan_device_reason(again), "because");
    gf_plan_destroy(&again);
    check_run_of(&c, "rebound");
    destroy(&c, EXEC);
    CHECK_EQ_INT(memory.now, 0);
}

/* ---- a pipeline that changes ---- */

/* A plan has the pipeline as it was. */
static void appended(void)
{
    struct chain c;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    REQUIRE(open_chain(&c, "levels:high=0.5,stats:name=here", options) == GF_OK);
    for (int i = 0; i < 20; i++) { /* so that its memory moves */
        CHECK_EQ_INT(gf_pipeline_append(c.pipeline, gf_stage_find("stats"), "name=later", &c.error), GF_OK);
    }
    CHECK_EQ_INT(gf_pipeline_stage_count(c.pipeline), 22);
    CHECK_EQ_INT(gf_plan_result_count(c.plan), 1);
    gf_image in = gf_image_view(pixels, WIDTH, HEIGHT, 1, GF_U8, 0);
    CHECK_EQ_INT(gf_exec_run(c.exec, &in, NULL, &c.error), GF_OK);
    CHECK_EQ_INT(gf_exec_result_count(c.exec), 1);
    CHECK(gf_exec_result_named(c.exec, "here") && !gf_exec_result_named(c.exec, "later"));
    gf_plan *longer = NULL;
    CHECK_EQ_INT(gf_plan_create(c.context, c.pipeline, &shape, &options, &longer, &c.error), GF_OK);
    CHECK_EQ_INT(gf_plan_result_count(longer), 21);
    gf_plan_destroy(&longer);
    for (int i = 0; i < OBJECTS; i++) {
        destroy(&c, i);
    }
}

/* ---- threads ---- */

/* Takes its exec away from a plan that others, too, let go of. */
static void *use(void *argument)
{
    gf_exec *exec = argument;
    static const uint8_t source[WIDTH * HEIGHT];
    uint8_t *to = malloc(WIDTH * HEIGHT);
    gf_image in = gf_image_view(source, WIDTH, HEIGHT, 1, GF_U8, 0);
    gf_image out = gf_image_view(to, WIDTH, HEIGHT, 1, GF_U8, 0);
    long bad = 0;
    for (int i = 0; i < 20; i++) {
        bad += !to || gf_exec_run(exec, &in, &out, NULL) != GF_OK || to[5] != 255;
    }
    gf_exec_destroy(&exec);
    free(to);
    return bad ? argument : NULL;
}

static void on_threads(void)
{
    enum { THREADS = 4, ROUNDS = 25 };
    for (int round = 0; round < ROUNDS; round++) {
        gf_context *context = NULL;
        gf_pipeline *pipeline = NULL;
        gf_plan *plan = NULL;
        gf_error error = GF_ERROR_INIT;
        gf_plan_options options = GF_PLAN_OPTIONS_INIT;
        pthread_t threads[THREADS];
        options.threads = 1;
        options.device = GF_DEVICE_CPU;
        REQUIRE(gf_context_create(NULL, &context, &error) == GF_OK &&
                gf_pipeline_parse("invert,stats", NULL, 0, &pipeline, &error) == GF_OK &&
                gf_plan_create(context, pipeline, &shape, &options, &plan, &error) == GF_OK);
        for (int i = 0; i < THREADS; i++) {
            gf_exec *exec = NULL;
            REQUIRE(gf_exec_create(plan, &exec, &error) == GF_OK);
            REQUIRE(pthread_create(&threads[i], NULL, use, exec) == 0);
        }
        gf_context_destroy(&context);
        gf_plan_destroy(&plan);
        gf_pipeline_destroy(&pipeline);
        for (int i = 0; i < THREADS; i++) {
            void *bad = NULL;
            pthread_join(threads[i], &bad);
            CHECK(!bad);
        }
    }
}

static const struct check_case cases[] = {{"any order of four objects", any_order},
                                          {"an exec with queued work is the last", queued},
                                          {"queued work is measured where asked for", queued_times},
                                          {"a plan rebound from one that is gone", rebound},
                                          {"a pipeline grows, its plans do not", appended},
                                          {"the last of several threads frees the plan", on_threads}};
CHECK_MAIN(cases)
