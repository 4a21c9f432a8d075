/* Functions of the caller that fail without a word: the error names them, and its code is the status. */
#include "check.h"
#include "gpufilter/gpufilter.h"

enum { WIDTH = 300, HEIGHT = 3000 };

enum how { SILENT, WORDS_ONLY, WRONG_CODE, NO_STATUS, HOWS };

/* What the functions below do when it is their turn. */
static struct {
    const char *failing;
    enum how how;
} now;

static gf_status fail_as_told(const char *who, gf_error *error)
{
    if (strcmp(who, now.failing) != 0) {
        return GF_OK;
    }
    CHECK_MSG(error != NULL, "%s has no error to fill", who);
    if (error && now.how != SILENT) {
        snprintf(error->message, sizeof error->message, "%s says so", who);
        error->code = now.how == WRONG_CODE ? GF_ERROR_MEMORY : GF_OK;
    }
    return now.how == NO_STATUS ? (gf_status)-12 : GF_ERROR_OUTPUT;
}

static gf_status give(void *user, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    (void)user;
    memset(data, 1, (size_t)(pitch * count));
    return fail_as_told("source", error);
}

static gf_status again(void *user, gf_error *error)
{
    (void)user;
    return fail_as_told("again", error);
}

static gf_status take(void *user, const void *data, int64_t pitch, int64_t count, gf_error *error)
{
    (void)user, (void)data, (void)pitch, (void)count;
    return fail_as_told("sink", error);
}

static gf_status host(const gf_image *in, gf_image *out, const void *args, gf_error *error)
{
    (void)in, (void)args;
    memset(out->data, 0, (size_t)(out->pitch * out->shape.height));
    return fail_as_told("host", error);
}

static void lower(gf_lowering *l, const void *params)
{
    (void)params;
    gf_shape shape = gf_lower_shape(l, gf_lower_input(l));
    gf_lower_output(l, gf_lower_call(l, gf_lower_input(l), &shape, host, NULL, NULL));
}

static gf_status window(const gf_window_row *row, const void *args, gf_error *error)
{
    (void)args;
    memset(row->out, 0, (size_t)row->pixels);
    return fail_as_told("window", error);
}

static void lower_near(gf_lowering *l, const void *params)
{
    gf_window_function near = GF_WINDOW_FUNCTION_INIT;
    (void)params;
    near.host = window;
    near.as_stored = 1;
    gf_lower_output(l, gf_lower_window(l, gf_lower_input(l), &near));
}

static const gf_stage_type own = {
    .struct_size = sizeof own, .name = "own", .group = "test", .summary = "", .formula = "", .lower = lower};
static const gf_stage_type near = {.struct_size = sizeof near,
                                   .name = "near",
                                   .group = "test",
                                   .summary = "",
                                   .formula = "",
                                   .lower = lower_near};
static const gf_stage_type *const types[] = {&own, &near};

static gf_status run(const char *text, gf_plan_options options, gf_error *error)
{
    const gf_shape shape = {WIDTH, HEIGHT, 1, GF_U8};
    const gf_source source = {sizeof source, 0, shape, give, again, NULL, 0};
    const gf_sink sink = {sizeof sink, 0, take, NULL};
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    gf_status status;
    (void)((status = gf_context_create(NULL, &context, error)) == GF_OK &&
           (status = gf_pipeline_parse(text, types, 2, &pipeline, error)) == GF_OK &&
           (status = gf_plan_create(context, pipeline, &shape, &options, &plan, error)) == GF_OK &&
           (status = gf_exec_create(plan, &exec, error)) == GF_OK &&
           (status = gf_exec_stream(exec, &source, &sink, error)) == GF_OK);
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return status;
}

static void check_failing(const char *who, const char *text, gf_plan_options options, const char *named)
{
    for (now.how = SILENT; now.how < HOWS; now.how++) {
        gf_error error = GF_ERROR_INIT;
        now.failing = who;
        gf_status status = run(text, options, &error);
        CHECK_MSG(status == (now.how == NO_STATUS ? GF_ERROR_ARGUMENT : GF_ERROR_OUTPUT), "%s, %d: status %d",
                  who, (int)now.how, (int)status);
        CHECK_MSG(error.code == status, "%s, %d: the code is %d", who, (int)now.how, (int)error.code);
        const char *wanted = now.how == SILENT      ? "did not say why"
                             : now.how == NO_STATUS ? "no gf_status"
                                                    : who;
        CHECK_STR_HAS(error.message, wanted);
        CHECK_STR_HAS(error.message, now.how == SILENT || now.how == NO_STATUS ? named : "says so");
        CHECK_EQ_INT(run(text, options, NULL), status); /* nobody asks why */
    }
    now.failing = "";
    CHECK_EQ_INT(run(text, options, NULL), GF_OK);
}

static gf_plan_options on(gf_device device, int64_t stream_rows)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = device;
    options.stream_rows = stream_rows;
    options.threads = 1;
    return options;
}

static void sources(void)
{
    check_failing("source", "blur", on(GF_DEVICE_CPU, 0), "the source");
    check_failing("source", "blur", on(GF_DEVICE_CPU, 32), "the source");
}

/* Only with a limit on memory is a source asked to begin again. */
static void sources_again(void)
{
    gf_plan_options options = on(GF_DEVICE_CPU, 8);
    options.memory_limit = 200000;
    check_failing("again", "threshold:otsu", options, "again");
}

static void sinks(void)
{
    check_failing("sink", "blur", on(GF_DEVICE_CPU, 0), "the sink");
    check_failing("sink", "blur", on(GF_DEVICE_CPU, 32), "the sink");
}

static void stages(void)
{
    check_failing("host", "invert,own", on(GF_DEVICE_CPU, 0), "the host function of stage 2 'own'");
    check_failing("host", "invert,own", on(GF_DEVICE_REFERENCE, 0), "the host function of stage 2");
}

static void windows(void)
{
    check_failing("window", "invert,near,invert", on(GF_DEVICE_CPU, 0),
                  "the window function of stage 2 'near'");
    check_failing("window", "invert,near", on(GF_DEVICE_CPU, 32), "the window function of stage 2 'near'");
    const gf_plan_options judge = on(GF_DEVICE_REFERENCE, 0);
    check_failing("window", "invert,near", judge, "the window function of stage 2 'near'");
}

/* ---- the log ---- */

struct log {
    int lines[2]; /* by level */
    char last[256];
};

static void hear(void *user, gf_log_level level, const char *message)
{
    struct log *log = user;
    log->lines[level]++;
    snprintf(log->last, sizeof log->last, "%s", message);
}

/* One line a plan that the caller makes, whatever plans it is made of. */
static void plans_are_logged(void)
{
    struct log log = {{0, 0}, ""};
    gf_context_options hooks = GF_CONTEXT_OPTIONS_INIT;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL, *other = NULL;
    gf_exec *exec = NULL;
    const gf_shape shape = {WIDTH, HEIGHT, 1, GF_U8};
    hooks.log = hear;
    hooks.user = &log;
    gf_plan_options options = on(GF_DEVICE_CPU, 32);
    REQUIRE(gf_context_create(&hooks, &context, NULL) == GF_OK &&
            gf_pipeline_parse("blur", NULL, 0, &pipeline, NULL) == GF_OK &&
            gf_plan_create(context, pipeline, &shape, &options, &plan, NULL) == GF_OK);
    CHECK_EQ_INT(log.lines[GF_LOG_INFO], 1);
    CHECK_STR(log.last, "device cpu: as asked");
    CHECK_EQ_INT(gf_exec_create(plan, &exec, NULL), GF_OK);
    CHECK_EQ_INT(gf_plan_rebind(plan, GF_DEVICE_REFERENCE, "to judge it", &other, NULL), GF_OK);
    CHECK_EQ_INT(log.lines[GF_LOG_INFO], 2);
    CHECK_STR(log.last, "device reference: to judge it");
    CHECK_EQ_INT(log.lines[GF_LOG_WARNING], 0);
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_plan_destroy(&other);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
}

static const struct check_case cases[] = {{"a source that fails", sources},
                                          {"a source that cannot begin again", sources_again},
                                          {"a sink that fails", sinks},
                                          {"a stage's function that fails", stages},
                                          {"a window's function that fails", windows},
                                          {"plans are logged", plans_are_logged}};
CHECK_MAIN(cases)
