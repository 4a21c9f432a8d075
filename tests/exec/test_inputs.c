/* Pipelines of several inputs: their names, the plans and execs that take them, on every device, and files of
 * numbers. The stages are of this test, so that it is about inputs and nothing else. */
#include "check.h"
#include "gpufilter/gpufilter.h"
#include "lower/lowering_private.h"

#include <string.h>

enum { W = 37, H = 67, C = 3, SAMPLES = W * H * C };

static uint8_t first[SAMPLES], second[SAMPLES], third[SAMPLES], made[SAMPLES], again[SAMPLES];
static const gf_shape shape = {W, H, C, GF_U8};

/* ---- stages ---- */

struct pick {
    gf_picture_name picture;
    gf_list numbers;
};

static const gf_param pick_params[] = {{.name = "picture",
                                        .type = GF_PARAM_PICTURE,
                                        .offset = offsetof(struct pick, picture),
                                        .text = "",
                                        .positional = 1},
                                       {.name = "numbers",
                                        .type = GF_PARAM_LIST,
                                        .offset = offsetof(struct pick, numbers),
                                        .text = "",
                                        .max = 9,
                                        .choices = "1x*|2x2"},
                                       {0}};

/* Leaves with the other picture. */
static void lower_pick(gf_lowering *l, const void *params)
{
    gf_lower_output(l, gf_lower_picture(l, &((const struct pick *)params)->picture));
}

/* Channel 0 of the picture, the others of the other one. */
static void lower_mix(gf_lowering *l, const void *params)
{
    gf_value_id v = gf_lower_input(l), other = gf_lower_picture(l, &((const struct pick *)params)->picture);
    gf_shape is = gf_lower_shape(l, v), has = gf_lower_shape(l, other);
    int32_t out;
    if (other && (is.width != has.width || is.height != has.height || is.channels != has.channels)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "the other picture is %d pixels wide", (int)has.width);
        return;
    }
    struct gf_op *op = gf_lowering_point(l, v, is.depth, is.channels, &out);
    if (op) {
        op->operand[GF_OPERAND_SECOND] = other - 1;
        gf_point_push(op, GF_INSN_KEEP, 1, 0, 0)->operand = GF_OPERAND_SECOND;
        gf_lower_output(l, gf_to_id(out));
    }
}

static const gf_stage_type pick_type = {.struct_size = sizeof(gf_stage_type),
                                        .name = "pick",
                                        .params = pick_params,
                                        .params_size = sizeof(struct pick),
                                        .lower = lower_pick};
static const gf_stage_type mix_type = {.struct_size = sizeof(gf_stage_type),
                                       .name = "mix",
                                       .params = pick_params,
                                       .params_size = sizeof(struct pick),
                                       .lower = lower_mix};
static const gf_stage_type *const types[] = {&pick_type, &mix_type};

/* ---- one run ---- */

static gf_context *context;
static gf_pipeline *pipeline;
static gf_plan *plan;
static gf_exec *exec;
static gf_error e;

static gf_image view(uint8_t *samples)
{
    return gf_image_view(samples, W, H, C, GF_U8, 0);
}

static void open_all(void)
{
    e = (gf_error)GF_ERROR_INIT;
    for (int i = 0; i < SAMPLES; i++) {
        first[i] = (uint8_t)(i * 7 + i / 50);
        second[i] = (uint8_t)(i * 13 + i / 90);
        third[i] = (uint8_t)(255 - i * 3);
    }
    gf_context_create(NULL, &context, NULL);
}

static gf_status parse(const char *text)
{
    gf_pipeline_destroy(&pipeline);
    return gf_pipeline_parse(text, types, 2, &pipeline, &e);
}

static int64_t stream_rows; /* of the next plans */

static gf_status bind(gf_device device, int n_others)
{
    const gf_shape others[] = {shape, shape};
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = device;
    options.stream_rows = stream_rows;
    options.other_inputs = others;
    options.n_other_inputs = n_others;
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    return gf_plan_create(context, pipeline, &shape, &options, &plan, &e);
}

static void close_all(void)
{
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
}

/* The devices that this build and machine have. */
static int devices(gf_device *device)
{
    gf_device_description d = {.struct_size = sizeof d};
    device[0] = GF_DEVICE_REFERENCE;
    device[1] = GF_DEVICE_CPU;
    device[2] = 0;
    return gf_has_cuda() && gf_device_describe(context, 1, 1, &d, NULL) == GF_OK ? 3 : 2;
}

static void names(void)
{
    open_all();
    REQUIRE(parse("mix:in,mix:@b.png,box,pick:top,mix:@b.png,mix:top:numbers=@k.npy,mix:in:numbers=@'l m'") ==
            GF_OK);
    CHECK_EQ_INT(gf_pipeline_input_count(pipeline), 3);
    CHECK_STR(gf_pipeline_input_name(pipeline, 0), "in");
    CHECK_STR(gf_pipeline_input_name(pipeline, 1), "@b.png");
    CHECK_STR(gf_pipeline_input_name(pipeline, 2), "top");
    CHECK(!gf_pipeline_input_name(pipeline, 3) && !gf_pipeline_input_name(pipeline, -1));
    CHECK_EQ_INT(gf_pipeline_file_count(pipeline), 2);
    CHECK_STR(gf_pipeline_file_name(pipeline, 0), "k.npy");
    CHECK_STR(gf_pipeline_file_name(pipeline, 1), "l m");
    CHECK(!gf_pipeline_file_name(pipeline, 2));
    CHECK(gf_pipeline_file_param(pipeline, 0)->type == GF_PARAM_LIST && !gf_pipeline_file_param(pipeline, 2));
    close_all();
}

/* Runs on every device, at once and in bands: all make the same, which is in `made`, and verification finds
 * that, too. */
static void run_everywhere(const char *text, int n_others)
{
    gf_device device[3];
    gf_image in = view(first), b = view(second), c = view(third), out = view(made);
    REQUIRE(parse(text) == GF_OK);
    for (int i = 0, n = devices(device); i < 4 * n; i++) {
        gf_mismatch mismatch = {.struct_size = sizeof mismatch};
        gf_band_info bands = {.struct_size = sizeof bands};
        stream_rows = 4 * (i / n);
        CHECK_MSG(bind(device[i % n], n_others) == GF_OK, "%s: %s", text, e.message);
        REQUIRE(gf_exec_create(plan, &exec, &e) == GF_OK);
        CHECK(n_others < 1 || gf_exec_set_input(exec, 1, &b, &e) == GF_OK);
        CHECK(n_others < 2 || gf_exec_set_input(exec, 2, &c, &e) == GF_OK);
        CHECK_MSG(gf_exec_run(exec, &in, &out, &e) == GF_OK, "%s: %s", text, e.message);
        CHECK_MSG(gf_verify(exec, &in, &out, GF_DEVICE_REFERENCE, &mismatch, &e) == GF_OK, "%s: %s", text,
                  e.message);
        CHECK_MSG(i == 0 || memcmp(made, again, SAMPLES) == 0, "%s: device %d", text, device[i % n]);
        memcpy(again, made, SAMPLES);
        CHECK(gf_plan_bands(plan, &bands) == GF_OK);
        CHECK_MSG((bands.count > 1) == (stream_rows > 0 && device[i % n] != GF_DEVICE_REFERENCE),
                  "%s: %d bands, %s", text, (int)bands.count, bands.reason);
    }
    stream_rows = 0;
}

static void runs(void)
{
    open_all();
    run_everywhere("mix:@b.png", 1);
    for (int i = 0; i < SAMPLES; i++) {
        CHECK_EQ_INT(made[i], i % C == 0 ? first[i] : second[i]);
    }
    run_everywhere("pick:top", 1);
    CHECK(memcmp(made, second, SAMPLES) == 0);
    run_everywhere("pick:a,invert,mix:b,mix:in,pick:b", 2);
    CHECK(memcmp(made, third, SAMPLES) == 0);
    run_everywhere("invert,mix:in", 0); /* "in" alone is no other input */
    run_everywhere("box:2,mix:a,blur:1.5,mix:b,invert", 2);
    run_everywhere("pick:a,blur,mix:b,stats", 2);
    run_everywhere("stats,mix:a,threshold:otsu,mix:b,mix:in,equalize", 2);
    close_all();
}

/* Every way to leave something out says what is missing. */
static void refusals(void)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    gf_image in = view(first), b = view(second), out = view(made),
             wrong = gf_image_view(second, W, 2, C, GF_U8, 0);
    open_all();
    REQUIRE(parse("mix:@b.png,mix:top") == GF_OK);
    CHECK_EQ_INT(bind(GF_DEVICE_CPU, 1), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(e.message, "the next is top");
    CHECK_EQ_INT(gf_plan_create(context, pipeline, &shape, NULL, &plan, &e), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(e.message, "@b.png");
    options.other_inputs = (const gf_shape[]){shape, {W, H, 9, GF_U8}};
    options.n_other_inputs = 2;
    CHECK_EQ_INT(gf_plan_create(context, pipeline, &shape, &options, &plan, &e), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(e.message, "input 2 'top': a picture has 1 to 4 channels");
    options.other_inputs = (const gf_shape[]){shape, {W + 1, H, C, GF_U8}};
    CHECK_EQ_INT(gf_plan_create(context, pipeline, &shape, &options, &plan, &e), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(e.message, "stage 2 'mix': the other picture is 38");
    REQUIRE(bind(GF_DEVICE_CPU, 2) == GF_OK && gf_exec_create(plan, &exec, &e) == GF_OK);
    CHECK(gf_plan_input_at(plan, 2).width == W && gf_plan_input_at(plan, 3).width == 0);
    CHECK_EQ_INT(gf_exec_run(exec, &in, &out, &e), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(e.message, "input 1 '@b.png' has no picture");
    CHECK(gf_exec_set_input(exec, 1, &b, &e) == GF_OK);
    CHECK_EQ_INT(gf_exec_run(exec, &in, &out, &e), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(e.message, "input 2 'top' has no picture");
    CHECK_EQ_INT(gf_exec_set_input(exec, 2, &wrong, &e), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(e.message, "input 2 'top' is 37 x 2");
    CHECK_EQ_INT(gf_exec_set_input(exec, 0, &b, &e), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_exec_set_input(exec, 3, &b, &e), GF_ERROR_ARGUMENT);
    CHECK(gf_exec_set_input(exec, 2, &out, &e) == GF_OK);
    CHECK_EQ_INT(gf_exec_run(exec, &in, &out, &e), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(e.message, "overlap");
    CHECK(gf_exec_set_input(exec, 2, &in, &e) == GF_OK); /* two inputs may be one memory */
    CHECK_EQ_INT(gf_exec_run(exec, &in, &out, &e), GF_OK);
    CHECK(gf_exec_set_input(exec, 1, NULL, &e) == GF_OK);
    CHECK_EQ_INT(gf_exec_run(exec, &in, &out, &e), GF_ERROR_ARGUMENT);
    REQUIRE(parse("mix") == GF_OK);
    CHECK_EQ_INT(bind(GF_DEVICE_CPU, 0), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(e.message, "stage 1 'mix': picture is missing");
    close_all();
}

static void says(const char *part, gf_print_format format)
{
    static char text[8192];
    size_t length;
    CHECK(gf_plan_explain(plan, format, text, sizeof text, &length, &e) == GF_OK);
    CHECK_STR_HAS(text, part);
}

static void explained(void)
{
    gf_band_info bands = {.struct_size = sizeof bands};
    open_all();
    REQUIRE(parse("box,mix:@b.png") == GF_OK && bind(GF_DEVICE_CPU, 1) == GF_OK);
    gf_pipeline_destroy(&pipeline); /* names are the plan's own */
    says("input    @b.png", GF_PRINT_TEXT);
    says("\"other_inputs\":[{\"name\":\"@b.png\",\"shape\":{\"width\":37", GF_PRINT_JSON);
    CHECK(gf_plan_bands(plan, &bands) == GF_OK);
    CHECK_STR(bands.reason, "");
    const gf_shape lower = {W, H + 1, C, GF_U8};
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.other_inputs = &lower;
    options.n_other_inputs = 1;
    gf_plan_destroy(&plan);
    REQUIRE(parse("box,mix:in,pick:top") == GF_OK);
    CHECK(gf_plan_create(context, pipeline, &shape, &options, &plan, &e) == GF_OK);
    CHECK(gf_plan_bands(plan, &bands) == GF_OK);
    CHECK_STR(bands.reason, "stage 3 'pick' reads a picture of another height");
    close_all();
}

static gf_status set(int rows, int columns, const double *values)
{
    return gf_pipeline_set_file(pipeline, 0, rows, columns, values, &e);
}

static void files(void)
{
    double four[4] = {1, 2, 3, 4}, high[2] = {0, 10}, nan[1] = {NAN}, many[1025] = {0};
    char text[256];
    open_all();
    REQUIRE(parse("pick:in:numbers=@k.npy,pick:in:numbers=@k.npy") == GF_OK);
    CHECK_EQ_INT(bind(GF_DEVICE_CPU, 0), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(e.message, "stage 1 'pick': numbers=@k.npy has not been read");
    CHECK_STR_HAS(e.message, "\n  pick:in:numbers=@k.npy,pick:in:numbers=@k.npy\n                  ^~~~~~");
    CHECK_EQ_INT(set(4, 1, four), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(e.message, "stage 1 'pick': numbers is 4x1 (rows x columns), must be 1x* or 2x2");
    CHECK_EQ_INT(set(1, 2, high), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(e.message, "row 1, column 2 of numbers is 10, must be from 0 to 9");
    CHECK_EQ_INT(set(1, 1, nan), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(set(1, 1025, many), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(set(0, 3, four), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_pipeline_set_file(pipeline, 1, 2, 2, four, &e), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(bind(GF_DEVICE_CPU, 0), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(set(2, 2, four), GF_OK);
    CHECK_EQ_INT(bind(GF_DEVICE_CPU, 0), GF_OK);
    CHECK(gf_pipeline_print(pipeline, GF_PRINT_TEXT, text, sizeof text, NULL, &e) == GF_OK);
    CHECK_STR(text, "pick:picture=in:numbers=@k.npy,pick:picture=in:numbers=@k.npy");
    close_all();
}

static const struct check_case cases[] = {
    {"names of inputs and files", names},
    {"runs on every device, verified", runs},
    {"what is missing, wrong or twice", refusals},
    {"--explain and bands", explained},
    {"files of numbers", files},
};

CHECK_MAIN(cases)
