/* trim and bounds: boxes against what a search over all pixels finds, on every device; pipelines that are
 * settled in one step or several; whole borders, margins, alpha, tolerance, and what is refused. */
#include "check.h"
#include "gpufilter/gpufilter.h"
#include "image_rows.h"
#include "parity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint32_t drawn_state = 3;

static uint32_t drawn(uint32_t below)
{
    drawn_state = drawn_state * 1664525U + 1013904223U;
    return (drawn_state >> 8) % below;
}

static gf_status settle(gf_context *context, gf_pipeline *pipeline, const gf_image *in,
                        const gf_plan_options *options, gf_error *error)
{
    gf_status status = GF_OK;
    for (int n = 0; status == GF_OK && gf_pipeline_unsettled(pipeline) >= 0 && n < 9; n++) {
        struct image_rows rows = {.image = in};
        const gf_source source = image_source(&rows);
        status = gf_pipeline_settle(context, pipeline, &source, options, error);
    }
    return status;
}

/* "trim" of the picture, printed once it is settled; what went wrong otherwise. */
static void settled(const char *text, const gf_image *in, gf_device device, char *printed, size_t size)
{
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_error error = GF_ERROR_INIT;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    size_t length;
    options.device = device;
    gf_status status = gf_context_create(NULL, &context, &error);
    status = status == GF_OK ? gf_pipeline_parse(text, NULL, 0, &pipeline, &error) : status;
    status = status == GF_OK ? settle(context, pipeline, in, &options, &error) : status;
    status =
        status == GF_OK ? gf_pipeline_print(pipeline, GF_PRINT_TEXT, printed, size, &length, &error) : status;
    if (status != GF_OK) {
        snprintf(printed, size, "%.*s", (int)size - 1, error.message);
    }
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
}

static double sample(const gf_image *in, int64_t x, int64_t y, int32_t c)
{
    const char *row = (const char *)in->data + y * in->pitch;
    const int64_t i = x * in->shape.channels + c;
    return in->shape.depth == GF_U8    ? ((const uint8_t *)row)[i]
           : in->shape.depth == GF_U16 ? ((const uint16_t *)row)[i]
                                       : (double)((const float *)row)[i];
}

static bool is_border(const gf_image *in, int64_t x, int64_t y, double tolerance)
{
    const int32_t n = in->shape.channels;
    bool alike = true;
    for (int32_t c = 0; c < n; c++) {
        alike = alike && fabs(sample(in, x, y, c) - sample(in, 0, 0, c)) <= tolerance;
    }
    return alike || (n % 2 == 0 && sample(in, x, y, n - 1) == 0 && sample(in, 0, 0, n - 1) == 0);
}

static gf_rect box_of(const gf_image *in, double tolerance)
{
    int64_t left = in->shape.width, top = in->shape.height, right = -1, bottom = -1;
    for (int64_t y = 0; y < in->shape.height; y++) {
        for (int64_t x = 0; x < in->shape.width; x++) {
            if (!is_border(in, x, y, tolerance)) {
                left = x < left ? x : left;
                right = x > right ? x : right;
                top = y < top ? y : top;
                bottom = y > bottom ? y : bottom;
            }
        }
    }
    return right < 0 ? (gf_rect){0, 0, in->shape.width, in->shape.height}
                     : (gf_rect){left, top, right - left + 1, bottom - top + 1};
}

static void put(gf_image *in, int64_t x, int64_t y, int32_t c, uint32_t level)
{
    char *row = (char *)in->data + y * in->pitch;
    const int64_t i = x * in->shape.channels + c;
    if (in->shape.depth == GF_U8) {
        ((uint8_t *)row)[i] = (uint8_t)level;
    } else if (in->shape.depth == GF_U16) {
        ((uint16_t *)row)[i] = (uint16_t)(level * 257);
    } else {
        ((float *)row)[i] = (float)level / 255.0F;
    }
}

/* A border that differs by up to 2 levels of u8 from its colour, and a few pixels that stand out. */
static void fill(gf_image *in, int spots)
{
    const gf_shape *s = &in->shape;
    for (int64_t y = 0; y < s->height; y++) {
        for (int64_t x = 0; x < s->width; x++) {
            for (int32_t c = 0; c < s->channels; c++) {
                const bool is_alpha = c + 1 == s->channels && s->channels % 2 == 0;
                put(in, x, y, c,
                    is_alpha ? (spots & 1 ? 0 : 255) : 100 + 20 * (uint32_t)c + (x || y ? drawn(3) : 1));
            }
        }
    }
    for (int i = 0; i < spots; i++) {
        const int64_t x = drawn((uint32_t)s->width), y = drawn((uint32_t)s->height);
        put(in, x, y, (int32_t)drawn((uint32_t)s->channels), 7 + drawn(50));
    }
}

static void boxes(void)
{
    static const gf_depth depths[] = {GF_U8, GF_U16, GF_F32};
    static const int64_t sizes[][2] = {{1, 1}, {129, 1}, {1, 70}, {33, 65}, {260, 37}};
    static float room[260 * 70 * 4];
    char printed[256], wanted[256], why[512];
    for (int d = 0; d < 3; d++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            for (int32_t channels = 1; channels <= 4; channels++) {
                gf_image in = gf_image_view(room, sizes[k][0], sizes[k][1], channels, depths[d], 0);
                const int spots = (int)drawn(4);
                fill(&in, spots);
                const gf_rect box = box_of(&in, 2.5 / 255 * gf_depth_white(depths[d]));
                snprintf(wanted, sizeof wanted, "trim:tolerance=0.00980392156862745:area=%lldx%lld+%lld+%lld",
                         (long long)box.w, (long long)box.h, (long long)box.x, (long long)box.y);
                settled("trim:2.5u8", &in, GF_DEVICE_CPU, printed, sizeof printed);
                CHECK_STR(printed, wanted);
                CHECK_MSG(parity_check("bounds:2.5u8", &in, GF_ALPHA_STRAIGHT, why, sizeof why) > 0, "%s",
                          why);
                CHECK_MSG(parity_check("bounds:colour=[0.4]:channels=0", &in, GF_ALPHA_STRAIGHT, why,
                                       sizeof why) > 0,
                          "%s", why);
            }
        }
    }
}

/* A picture of 8 x 6 zeros, with one at (3, 2), by hand. */
static void by_hand(void)
{
    static const struct {
        const char *text, *printed;
    } texts[] = {
        {"trim", "trim:area=1x1+3+2"},
        {"trim:margin=2", "trim:margin=2:area=5x5+1+0"},
        {"trim:margin=100", "trim:margin=100:area=8x6+0+0"},
        {"trim:colour=[1]", "trim:colour=[1]:area=8x6+0+0"},
        {"trim:100%", "trim:tolerance=1:area=8x6+0+0"},
        {"invert,trim", "invert,trim:area=1x1+3+2"},
        {"pad:4:border=constant:value=1,trim,trim",
         "pad:size=4:border=constant:value=1,trim:area=8x6+4+4,trim:area=1x1+3+2"},
        {"trim:area=2x2+1+1", "trim:area=2x2+1+1"},
        {"trim,crop:2x1+0+0", "trim:area=1x1+3+2,crop:area=2x1+0+0"},
        {"blend:other,trim",
         "stage 2 'trim': area= is looked for before other pictures are read, and a stage before it reads "
         "'other': give area=, or trim in a run of its own"},
    };
    uint8_t pixels[48] = {0};
    char printed[512];
    const gf_image in = gf_image_view(pixels, 8, 6, 1, GF_U8, 0);
    pixels[2 * 8 + 3] = 1;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        settled(texts[i].text, &in, GF_DEVICE_CPU, printed, sizeof printed);
        CHECK_STR(printed, texts[i].printed);
    }
}

/* It is not bound before it is settled, and then as crop is. */
static void plans(void)
{
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_error error = GF_ERROR_INIT;
    uint8_t pixels[48] = {0};
    const gf_image in = gf_image_view(pixels, 8, 6, 1, GF_U8, 0);
    pixels[1 * 8 + 5] = pixels[4 * 8 + 2] = 9;
    REQUIRE(gf_context_create(NULL, &context, &error) == GF_OK);
    REQUIRE(gf_pipeline_parse("invert,trim", NULL, 0, &pipeline, &error) == GF_OK);
    CHECK(gf_pipeline_unsettled(NULL) == -1 && gf_pipeline_unsettled(pipeline) == 1);
    CHECK(gf_plan_create(context, pipeline, &in.shape, NULL, &plan, &error) == GF_ERROR_ARGUMENT);
    CHECK(strstr(error.message, "gf_pipeline_settle") != NULL);
    CHECK(gf_pipeline_settle(context, pipeline, NULL, NULL, &error) == GF_ERROR_ARGUMENT);
    REQUIRE(settle(context, pipeline, &in, NULL, &error) == GF_OK);
    CHECK(gf_pipeline_unsettled(pipeline) == -1);
    REQUIRE(gf_plan_create(context, pipeline, &in.shape, NULL, &plan, &error) == GF_OK);
    CHECK(gf_plan_output(plan).width == 4 && gf_plan_output(plan).height == 4);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
}

/* Two types that no table has: `span` cuts to so many columns as `tell`, which measures for it, is told. */
struct tell {
    int64_t columns;
};

struct span {
    int64_t width; /* 0: not known */
    struct tell tell;
};

static void tell_finish(const gf_measured *measured, gf_result_builder *builder)
{
    uint64_t *columns = gf_result_u64(builder, "columns", 1, 1);
    if (columns) {
        *columns = (uint64_t)((const struct tell *)measured->params)->columns;
    }
}

static void tell_lower(gf_lowering *l, const void *params)
{
    const gf_value_id v = gf_lower_input(l), sums = gf_lower_stats(l, v);
    (void)params;
    gf_lower_result(l, v, &sums, 1, tell_finish);
}

static void mute_lower(gf_lowering *l, const void *params)
{
    (void)params;
    gf_lower_output(l, gf_lower_input(l));
}

static void span_lower(gf_lowering *l, const void *params)
{
    const gf_rect all = {0, 0, ((const struct span *)params)->width, 1};
    gf_lower_output(l, gf_lower_crop(l, gf_lower_input(l), all));
}

static int32_t span_waits(const void *params)
{
    return ((const struct span *)params)->width == 0;
}

static void span_store(void *params, const gf_result *found)
{
    ((struct span *)params)->width = (int64_t)((const uint64_t *)found->fields[0].values)[0];
}

#define ROW(struct_name, field)                                                                              \
    {                                                                                                        \
        .name = #field, .type = GF_PARAM_INT, .offset = offsetof(struct struct_name, field), .text = "0",    \
        .max = 100, .help = ""                                                                               \
    }

static const gf_param tell_params[] = {ROW(tell, columns), {0}};
static const gf_param long_params[] = {{.name = "all", .type = GF_PARAM_LIST, .text = "", .choices = "*x1"},
                                       {0}};
static const gf_param span_params[] = {ROW(span, width), ROW(span, tell.columns), {0}};

static gf_stage_type tell = {.struct_size = sizeof tell,
                             .name = "tell",
                             .group = "test",
                             .summary = "",
                             .formula = "",
                             .params = tell_params,
                             .params_size = sizeof(struct tell),
                             .flags = GF_STAGE_MEASURE,
                             .lower = tell_lower};

/* A stage of one's own settles by a measure of one's own; what is wrong with such a pair is said. */
static void own_types(void)
{
    gf_stage_settle settle_span = {"width", span_waits, &tell, offsetof(struct span, tell), span_store};
    gf_param params[] = {span_params[0], span_params[1], {0}};
    const gf_stage_type span = {.struct_size = sizeof span,
                                .name = "span",
                                .group = "test",
                                .summary = "",
                                .formula = "",
                                .params = params,
                                .params_size = sizeof(struct span),
                                .lower = span_lower,
                                .settle = &settle_span};
    const gf_stage_type *const types[] = {&span};
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_error error = GF_ERROR_INIT;
    uint8_t pixels[40] = {0};
    char printed[128];
    size_t length;
    const gf_image in = gf_image_view(pixels, 20, 2, 1, GF_U8, 0);
    params[1].name = "columns";
    REQUIRE(gf_context_create(NULL, &context, &error) == GF_OK);
    REQUIRE(gf_pipeline_parse("invert,span:columns=7", types, 1, &pipeline, &error) == GF_OK);
    CHECK(gf_pipeline_unsettled(pipeline) == 1);
    REQUIRE(settle(context, pipeline, &in, NULL, &error) == GF_OK);
    REQUIRE(gf_pipeline_print(pipeline, GF_PRINT_TEXT, printed, sizeof printed, &length, &error) == GF_OK);
    CHECK_STR(printed, "invert,span:width=7:columns=7");
    gf_pipeline_destroy(&pipeline);

    REQUIRE(gf_pipeline_parse("span:columns=7", types, 1, &pipeline, &error) == GF_OK);
    tell.lower = mute_lower;
    CHECK(settle(context, pipeline, &in, NULL, &error) == GF_ERROR_ARGUMENT);
    CHECK_STR(error.message, "stage 1 'span': the stage that measures for it has no result");
    tell.lower = tell_lower;
    gf_pipeline_destroy(&pipeline);

    settle_span.offset = sizeof(struct span);
    CHECK(gf_pipeline_parse("span", types, 1, &pipeline, &error) == GF_ERROR_ARGUMENT);
    CHECK_STR(error.message, "stage type 'span': settle->offset is outside params_size");
    settle_span.offset = 0;
    settle_span.store = NULL;
    CHECK(gf_pipeline_parse("span", types, 1, &pipeline, &error) == GF_ERROR_ARGUMENT);
    CHECK_STR(error.message, "stage type 'span': settle must have parameter, waits, measure and store");
    settle_span.store = span_store;
    tell.params = long_params;
    CHECK(gf_pipeline_parse("span", types, 1, &pipeline, &error) == GF_ERROR_ARGUMENT);
    CHECK_STR(error.message, "stage type 'span': settle->measure has a list of any length");
    tell.params = tell_params;
    gf_context_destroy(&context);
}

static const struct check_case cases[] = {{"boxes of random spots, CPU and CUDA", boxes},
                                          {"boxes by hand", by_hand},
                                          {"plans wait for them", plans},
                                          {"stages of one's own wait, too", own_types}};
CHECK_MAIN(cases)
