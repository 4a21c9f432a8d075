/* Blocks of rows that a run counts, and pictures of u32, u64 and f64 inside a plan. */
#include "check.h"
#include "gpufilter/gpufilter.h"

#include <string.h>

enum { W = 40, H = 30 };

struct bound {
    gf_context *context;
    gf_pipeline *pipeline;
    gf_plan *plan;
    gf_exec *exec;
    gf_error error;
};

/* Where there is a CUDA device, real or emulated, runs may also be there. */
static int device_count(gf_context *context)
{
    gf_device_description description = {.struct_size = sizeof description};
    return 1 + (gf_device_describe(context, 1, 0, &description, NULL) == GF_OK);
}

static gf_status bind(struct bound *b, const char *text, const gf_stage_type *const *types, int32_t n_types,
                      const gf_shape *shape, gf_device device)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    *b = (struct bound){.error = GF_ERROR_INIT};
    options.device = device;
    gf_status status = gf_context_create(NULL, &b->context, &b->error);
    status = status == GF_OK ? gf_pipeline_parse(text, types, n_types, &b->pipeline, &b->error) : status;
    status = status == GF_OK ? gf_plan_create(b->context, b->pipeline, shape, &options, &b->plan, &b->error)
                             : status;
    return status == GF_OK ? gf_exec_create(b->plan, &b->exec, &b->error) : status;
}

static void close_bound(struct bound *b)
{
    gf_exec_destroy(&b->exec);
    gf_plan_destroy(&b->plan);
    gf_pipeline_destroy(&b->pipeline);
    gf_context_destroy(&b->context);
}

/* ---- rows ---- */

/* An exec that runs again finds as many rows as the picture of that run has. */
static void again(gf_device device)
{
    static const int64_t wanted[] = {3, 0, W * H, 1, 200};
    static uint8_t pixels[W * H];
    const gf_image in = gf_image_view(pixels, W, H, 1, GF_U8, 0);
    struct bound b;
    CHECK_EQ_INT(bind(&b, "points,points:limit=2", NULL, 0, &in.shape, device), GF_OK);
    for (size_t i = 0; b.exec && i < sizeof wanted / sizeof *wanted; i++) {
        memset(pixels, 10, sizeof pixels);
        memset(pixels + W * H - wanted[i], 200, (size_t)wanted[i]);
        CHECK_EQ_INT(gf_exec_run(b.exec, &in, NULL, &b.error), GF_OK);
        const gf_table *all = gf_result_table(gf_exec_result(b.exec, 0), "points");
        const gf_table *some = gf_result_table(gf_exec_result(b.exec, 1), "points");
        double count = -1;
        REQUIRE(all && some);
        CHECK_EQ_INT(all->rows, wanted[i]);
        CHECK_EQ_INT(some->rows, wanted[i] < 2 ? wanted[i] : 2);
        CHECK_EQ_INT(gf_result_number(gf_exec_result(b.exec, 1), "count", 0, &count, &b.error), GF_OK);
        CHECK_NEAR(count, (double)wanted[i], 0);
        if (wanted[i]) {
            int64_t first = W * H - wanted[i];
            CHECK_EQ_INT(*(const uint32_t *)gf_table_column(all, "x")->values, first % W);
            CHECK_EQ_INT(*(const uint32_t *)gf_table_column(all, "y")->values, first / W);
        }
    }
    close_bound(&b);
}

static void runs_again(void)
{
    gf_context *context = NULL;
    REQUIRE(gf_context_create(NULL, &context, NULL) == GF_OK);
    again(GF_DEVICE_REFERENCE);
    again(GF_DEVICE_CPU);
    if (device_count(context) > 1) {
        again(0);
    }
    gf_context_destroy(&context);
}

/* The room that a table may take is in the plan's memory, and in the limit. */
static void memory_counted(void)
{
    const gf_shape shape = {4000, 1000, 1, GF_U8};
    struct bound all, few;
    CHECK_EQ_INT(bind(&all, "points", NULL, 0, &shape, GF_DEVICE_CPU), GF_OK);
    CHECK_EQ_INT(bind(&few, "points:limit=1000", NULL, 0, &shape, GF_DEVICE_CPU), GF_OK);
    CHECK_MSG(gf_plan_memory(all.plan) >= 24u * 4000 * 1000 && gf_plan_memory(few.plan) < 1u << 20,
              "%llu and %llu bytes", (unsigned long long)gf_plan_memory(all.plan),
              (unsigned long long)gf_plan_memory(few.plan));
    close_bound(&few);
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    gf_plan *plan = NULL;
    options.device = GF_DEVICE_CPU;
    options.memory_limit = 1 << 20;
    CHECK_EQ_INT(gf_plan_create(all.context, all.pipeline, &shape, &options, &plan, &all.error), GF_OK);
    CHECK(gf_plan_memory(plan) <= options.memory_limit); /* in bands what is found is not counted */
    gf_plan_destroy(&plan);
    close_bound(&all);
}

/* ---- pictures of a result's depth ---- */

static gf_status count_up(const gf_image *in, gf_image *out, const void *args, gf_error *error)
{
    (void)in, (void)args, (void)error;
    for (int64_t y = 0; y < out->shape.height; y++) {
        char *row = (char *)out->data + y * out->pitch;
        for (int64_t x = 0; x < out->shape.width; x++) {
            int64_t v = y * out->shape.width + x;
            switch (out->shape.depth) {
            case GF_U32:
                ((uint32_t *)row)[x] = 4000000000u + (uint32_t)v;
                break;
            case GF_U64:
                ((uint64_t *)row)[x] = UINT64_MAX - (uint64_t)v;
                break;
            default:
                ((double *)row)[x] = 0.1 * (double)v;
                break;
            }
        }
    }
    return GF_OK;
}

struct counted {
    int32_t depth;
};

static void lower_counted(gf_lowering *l, const void *params)
{
    static const gf_depth depths[] = {GF_U32, GF_U64, GF_F64, GF_S32};
    gf_value_id v = gf_lower_input(l);
    gf_shape out = gf_lower_shape(l, v);
    out.channels = 1;
    out.depth = depths[((const struct counted *)params)->depth];
    gf_lower_output(l, gf_lower_call(l, v, &out, count_up, NULL, NULL));
}

static const gf_param counted_params[] = {{.name = "depth",
                                           .type = GF_PARAM_CHOICE,
                                           .offset = offsetof(struct counted, depth),
                                           .text = "u32",
                                           .choices = "u32|u64|f64|s32",
                                           .help = "",
                                           .positional = 1},
                                          {0}};
static const gf_stage_type counted = {.struct_size = sizeof counted,
                                      .name = "counted",
                                      .group = "test",
                                      .summary = "",
                                      .formula = "",
                                      .params = counted_params,
                                      .params_size = sizeof(struct counted),
                                      .lower = lower_counted};
static const gf_stage_type *const own[] = {&counted};

static void result_depths(void)
{
    static uint8_t pixels[W * H];
    static uint64_t made[W * H], expected[W * H];
    static const char *const texts[] = {"counted", "counted:u64", "counted:f64"};
    static const gf_depth depths[] = {GF_U32, GF_U64, GF_F64};
    const gf_image in = gf_image_view(pixels, W, H, 1, GF_U8, 0);
    for (int i = 0; i < 3; i++) {
        struct bound b;
        gf_image out = gf_image_view(made, W, H, 1, depths[i], 0);
        gf_image same = gf_image_view(expected, W, H, 1, depths[i], 0);
        gf_mismatch mismatch = {.struct_size = sizeof mismatch};
        REQUIRE(bind(&b, texts[i], own, 1, &in.shape, GF_DEVICE_CPU) == GF_OK);
        CHECK_EQ_INT(gf_plan_output(b.plan).depth, depths[i]);
        CHECK_EQ_INT(gf_exec_run(b.exec, &in, &out, &b.error), GF_OK);
        count_up(&in, &same, NULL, NULL);
        CHECK(memcmp(made, expected, gf_depth_size(depths[i]) * W * H) == 0);
        CHECK_EQ_INT(gf_verify(b.exec, &in, &out, GF_DEVICE_REFERENCE, &mismatch, &b.error), GF_OK);
        ((char *)made)[gf_depth_size(depths[i]) * 7] ^= 1;
        CHECK_EQ_INT(gf_verify(b.exec, &in, &out, GF_DEVICE_REFERENCE, &mismatch, &b.error),
                     GF_ERROR_MISMATCH);
        CHECK_EQ_INT(mismatch.x, 7);
        close_bound(&b);
    }
}

static void refused_depths(void)
{
    static const char *const texts[] = {"counted,blur",         "counted:u64,hist", "counted:f64,invert",
                                        "counted,stats",        "counted,points",   "counted,convert:u8",
                                        "counted,resize:20x20", "counted,unsharp",  "counted,threshold:otsu"};
    const gf_shape shape = {W, H, 1, GF_U8};
    struct bound b;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK_EQ_INT(bind(&b, texts[i], own, 1, &shape, GF_DEVICE_CPU), GF_ERROR_UNSUPPORTED);
        CHECK_STR_HAS(b.error.message, "it works on u8, u16 and f32, and gets ");
        close_bound(&b);
    }
    CHECK_EQ_INT(bind(&b, "counted:s32", own, 1, &shape, GF_DEVICE_CPU), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(b.error.message, "u8, u16, f32, u32, u64 or f64");
    close_bound(&b);
}

/* What moves pixels takes all depths; what it adds around them is 0. */
static void moved(void)
{
    static uint8_t pixels[W * H];
    static uint64_t made[H * (W + 2)];
    const gf_image in = gf_image_view(pixels, W, H, 1, GF_U8, 0);
    gf_image out = gf_image_view(made, H, W + 2, 1, GF_U64, 0);
    struct bound b;
    REQUIRE(bind(&b, "counted:u64,pad:0:left=1:right=1:border=constant,rotate:90", own, 1, &in.shape,
                 GF_DEVICE_CPU) == GF_OK);
    CHECK_EQ_INT(gf_exec_run(b.exec, &in, &out, &b.error), GF_OK);
    CHECK(made[0] == 0 && made[H * (W + 2) - 1] == 0);
    CHECK(made[H] == UINT64_MAX - (H - 1) * W && made[2 * H - 1] == UINT64_MAX);
    close_bound(&b);
    CHECK_EQ_INT(bind(&b, "counted,pad:1:border=constant:value=0.5", own, 1, &in.shape, GF_DEVICE_CPU),
                 GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(b.error.message, "full scale, which u32 has not");
    close_bound(&b);
}

static const struct check_case cases[] = {{"rows of runs again", runs_again},
                                          {"memory of rows", memory_counted},
                                          {"pictures of u32, u64 and f64", result_depths},
                                          {"stages that take no such pictures", refused_depths},
                                          {"such pictures moved", moved}};
CHECK_MAIN(cases)
