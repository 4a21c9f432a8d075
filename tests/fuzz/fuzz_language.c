/* The --stages language: a text; after its first zero byte what it is bound to. A pipeline printed and parsed
 * again prints the same; whatever shape it is bound to, there is a plan or a reason. */
#include "fuzz.h"

#include "json_check.h"
#include "language_types.h"

enum { MOST_TEXT = 1 << 10, MOST_PRINT = 1 << 17 };

static char printed[MOST_PRINT], again[MOST_PRINT];

static void check_place(const char *text, const gf_error *error)
{
    FUZZ_CHECK(error->text_offset < 0 ||
                   (size_t)error->text_offset + (size_t)error->text_length <= strlen(text),
               "place %d, %d bytes", error->text_offset, error->text_length);
}

static void print(const gf_pipeline *pipeline, gf_print_format format, char *text)
{
    size_t length = 0;
    gf_error error = GF_ERROR_INIT;
    fuzz_status(gf_pipeline_print(pipeline, format, text, MOST_PRINT, &length, &error), &error);
    FUZZ_CHECK(length < MOST_PRINT && strlen(text) == length, "%zu bytes", length);
}

static void print_and_parse(const gf_pipeline *pipeline, const gf_stage_type *const *types, int32_t n_types)
{
    gf_error error = GF_ERROR_INIT;
    gf_pipeline *second = NULL;
    print(pipeline, GF_PRINT_TEXT, printed);
    gf_status status = gf_pipeline_parse(printed, types, n_types, &second, &error);
    FUZZ_CHECK(status == GF_OK, "%s: %s", printed, error.message);
    print(second, GF_PRINT_TEXT, again);
    FUZZ_CHECK(strcmp(printed, again) == 0, "%s becomes %s", printed, again);
    gf_pipeline_destroy(&second);
    print(pipeline, GF_PRINT_JSON, again);
    FUZZ_CHECK(is_json(again), "%s", again);
}

/* Shapes as binding sees them; nothing is as large as they say. */
static gf_shape any_shape(const uint8_t *choice, size_t size)
{
    static const int64_t sides[] = {16, 1, 2, 9, 64, 1000, 65537, INT32_MAX, INT64_MAX, 0, -1, 1 << 20};
    static const gf_depth depths[] = {GF_U8, GF_U16, GF_F32, GF_U64};
    uint8_t c[3] = {0, 3, 2};
    memcpy(c, choice, size < sizeof c ? size : sizeof c);
    return (gf_shape){sides[c[0] % 12], sides[c[1] % 12], 1 + c[2] % 5, depths[c[2] / 5 % 4]};
}

static void ask(const gf_plan *plan)
{
    gf_error error = GF_ERROR_INIT;
    size_t length = 0;
    for (int32_t s = 0; s < gf_plan_step_count(plan); s++) {
        gf_step_info info = {.struct_size = sizeof info};
        FUZZ_CHECK(gf_plan_step(plan, s, &info) == GF_OK, "step %d", s);
    }
    gf_band_info bands = {.struct_size = sizeof bands};
    FUZZ_CHECK(gf_plan_bands(plan, &bands) == GF_OK && bands.count >= 1, "%lld bands",
               (long long)bands.count);
    fuzz_status(gf_plan_explain(plan, GF_PRINT_TEXT, printed, MOST_PRINT, &length, &error), &error);
    fuzz_status(gf_plan_explain(plan, GF_PRINT_JSON, printed, MOST_PRINT, &length, &error), &error);
    FUZZ_CHECK(length < MOST_PRINT && is_json(printed), "%s", printed);
}

static void bind_to(const gf_pipeline *pipeline, const char *text, const uint8_t *choice, size_t size)
{
    gf_error error = GF_ERROR_INIT;
    gf_context *context = NULL;
    gf_plan *plan = NULL;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    gf_shape shape = any_shape(choice, size);
    options.device = size > 3 && choice[3] % 2 ? GF_DEVICE_AUTO : GF_DEVICE_CPU;
    options.no_fuse = size > 3 && choice[3] / 2 % 2;
    options.alpha = size > 3 ? choice[3] / 4 % 3 : 0;
    options.threads = 1;
    options.stream_rows = size > 5 ? fuzz_stream_rows[choice[5] % 8] : 0;
    options.memory_limit = size > 5 ? fuzz_memory_limits[choice[5] / 8 % 8] : 0;
    fuzz_status(gf_context_create(NULL, &context, &error), &error);
    gf_status status = gf_plan_create(context, pipeline, &shape, &options, &plan, &error);
    fuzz_status(status, &error);
    FUZZ_CHECK((status == GF_OK) == (plan != NULL), "status %d", (int)status);
    if (plan != NULL) {
        ask(plan);
    } else {
        check_place(text, &error);
    }
    gf_plan_destroy(&plan);
    gf_context_destroy(&context);
}

void fuzz_language(const uint8_t *data, size_t size)
{
    char text[MOST_TEXT + 1];
    const uint8_t *zero = size > 0 ? memchr(data, 0, size) : NULL;
    size_t length = zero != NULL ? (size_t)(zero - data) : size;
    size_t left = zero != NULL ? size - length - 1 : 0;
    const uint8_t *choice = zero != NULL ? zero + 1 : data;
    if (length > MOST_TEXT) {
        return;
    }
    memcpy(text, data, length);
    text[length] = '\0';
    int tests = left > 4 && choice[4] % 2; /* the tests' own types, which have every kind of parameter */
    gf_error error = GF_ERROR_INIT;
    gf_pipeline *pipeline = NULL;
    gf_status status = gf_pipeline_parse(text, test_types, tests ? N_TEST_TYPES : 0, &pipeline, &error);
    fuzz_status(status, &error);
    FUZZ_CHECK((status == GF_OK) == (pipeline != NULL), "status %d", (int)status);
    if (pipeline == NULL) {
        check_place(text, &error);
        return;
    }
    print_and_parse(pipeline, test_types, tests ? N_TEST_TYPES : 0);
    bind_to(pipeline, text, choice, left);
    gf_pipeline_destroy(&pipeline);
}
