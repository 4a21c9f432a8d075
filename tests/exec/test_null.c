/* NULL for every pointer of every call of pipeline.h, stage.h, device.h and compare.h (test_null_arrays.c: of
 * array.h and its neighbours): as types.h says, GF_ERROR_ARGUMENT with a text from what returns a status,
 * nothing from all else. That no call is missing here is a test, too. (io.h has a test of its own.) */
#define _DEFAULT_SOURCE /* glob */
#include "check.h"
#include "small_run.h"

#include <ctype.h>
#include <glob.h>

static void check_refused(gf_status status, const char *call)
{
    CHECK_MSG(status == GF_ERROR_ARGUMENT, "%s: %d %s", call, (int)status, e.message);
    CHECK_MSG(!strstr(call, "&e") || e.message[0], "%s: no text", call);
    e = (gf_error)GF_ERROR_INIT;
}

#define REFUSED(call)  check_refused((call), #call)
#define ACCEPTED(call) CHECK_MSG((call) == GF_OK, "%s: %s", #call, e.message)

static size_t n;

/* ---- pipeline.h ---- */

static void contexts_and_pipelines(void)
{
    gf_device_description d = {.struct_size = sizeof d};
    gf_pipeline *p = NULL;
    REQUIRE(open_small() == GF_OK);
    REFUSED(gf_context_create(NULL, NULL, &e));
    REFUSED(gf_context_create(NULL, NULL, NULL));
    REFUSED(gf_context_start(NULL, GF_DEVICE_CPU, &e));
    REFUSED(gf_device_describe(NULL, 0, 0, &d, &e));
    REFUSED(gf_device_describe(context, 0, 0, NULL, &e));
    ACCEPTED(gf_device_describe(context, 0, 0, &d, NULL));
    REFUSED(gf_pipeline_parse(NULL, NULL, 0, &p, &e));
    REFUSED(gf_pipeline_parse("invert", NULL, 0, NULL, &e));
    REFUSED(gf_pipeline_parse("invert", NULL, 1, &p, &e));
    REFUSED(gf_pipeline_parse("invert", (const gf_stage_type *const[]){NULL}, 1, &p, &e));
    REFUSED(gf_pipeline_create(NULL, &e));
    REFUSED(gf_pipeline_append(NULL, gf_stage_find("blur"), NULL, &e));
    REFUSED(gf_pipeline_append(pipeline, NULL, NULL, &e));
    REFUSED(gf_pipeline_print(NULL, GF_PRINT_TEXT, (char *)made, 8, &n, &e));
    REFUSED(gf_pipeline_print(pipeline, GF_PRINT_TEXT, NULL, 8, &n, &e));
    ACCEPTED(gf_pipeline_print(pipeline, GF_PRINT_TEXT, (char *)made, 8, NULL, &e));
    REFUSED(gf_pipeline_head(NULL, 0, &p, &e));
    REFUSED(gf_pipeline_head(pipeline, 0, NULL, &e));
    REFUSED(gf_pipeline_head(pipeline, -1, &p, &e));
    REFUSED(gf_pipeline_head(pipeline, gf_pipeline_stage_count(pipeline) + 1, &p, &e));
    CHECK(gf_pipeline_stage_count(NULL) == 0 && gf_pipeline_stage_type(NULL, 0) == NULL);
    gf_context_destroy(NULL), gf_pipeline_destroy(NULL), gf_plan_destroy(NULL), gf_exec_destroy(NULL);
    CHECK(gf_pipeline_input_count(NULL) == 0 && gf_pipeline_input_name(NULL, 0) == NULL &&
          gf_pipeline_saved_name(NULL, 0) == NULL);
    CHECK(gf_pipeline_file_count(NULL) == 0 && gf_pipeline_file_name(NULL, 0) == NULL);
    CHECK(gf_pipeline_file_param(NULL, 0) == NULL);
    REFUSED(gf_pipeline_set_file(NULL, 0, 1, 1, &(double){1}, &e));
    REFUSED(gf_pipeline_set_file(pipeline, 0, 1, 1, NULL, &e));
    REFUSED(gf_pipeline_refuse_input(NULL, 1, GF_ERROR_INPUT, "x", &e));
    REFUSED(gf_pipeline_refuse_input(pipeline, 1, GF_ERROR_INPUT, NULL, &e));
    REFUSED(gf_pipeline_refuse_file(NULL, 0, GF_ERROR_INPUT, NULL, &e));
    CHECK(gf_pipeline_unsettled(NULL) == -1);
    REFUSED(gf_pipeline_settle(NULL, pipeline, NULL, NULL, &e));
    REFUSED(gf_pipeline_settle(context, NULL, NULL, NULL, &e));
    REFUSED(gf_pipeline_fix_size(NULL, pipeline, &in.shape, &in.shape, &e));
    REFUSED(gf_pipeline_fix_size(context, pipeline, NULL, NULL, &e));
    close_small();
}

static void plans(void)
{
    gf_plan *other = NULL;
    gf_band_info bands = {.struct_size = sizeof bands};
    gf_step_info step = {.struct_size = sizeof step};
    const gf_shape none = gf_plan_output(NULL);
    REQUIRE(open_small() == GF_OK);
    REFUSED(gf_plan_create(NULL, pipeline, &in.shape, NULL, &other, &e));
    REFUSED(gf_plan_create(context, NULL, &in.shape, NULL, &other, &e));
    REFUSED(gf_plan_create(context, pipeline, NULL, NULL, &other, &e));
    REFUSED(gf_plan_create(context, pipeline, &in.shape, NULL, NULL, &e));
    REFUSED(gf_plan_rebind(NULL, GF_DEVICE_CPU, NULL, &other, &e));
    REFUSED(gf_plan_rebind(plan, GF_DEVICE_CPU, NULL, NULL, &e));
    CHECK(gf_plan_device(NULL) == GF_DEVICE_AUTO && gf_plan_device_reason(NULL) == NULL);
    CHECK(gf_plan_input(NULL).width == 0 && gf_plan_input_at(NULL, 0).width == 0 && none.width == 0 &&
          none.channels == 0);
    CHECK(gf_plan_measures_only(NULL) == 0 && gf_plan_result_count(NULL) == 0);
    CHECK(gf_plan_result_channels(NULL, 0) == 0 && gf_plan_result_channels(plan, 99) == 0);
    CHECK(gf_plan_result_rows(NULL, 0) == -1 && gf_plan_result_rows(plan, 99) == -1);
    CHECK_STR(gf_plan_note(NULL), "");
    CHECK(gf_plan_memory(NULL) == 0 && gf_plan_step_count(NULL) == 0);
    REFUSED(gf_plan_bands(NULL, &bands));
    REFUSED(gf_plan_bands(plan, NULL));
    REFUSED(gf_plan_step(NULL, 0, &step));
    REFUSED(gf_plan_step(plan, 0, NULL));
    REFUSED(gf_plan_explain(NULL, GF_PRINT_TEXT, (char *)made, 8, &n, &e));
    REFUSED(gf_plan_explain(plan, GF_PRINT_TEXT, NULL, 8, &n, &e));
    REFUSED(gf_plan_explain(plan, (gf_print_format)7, (char *)made, 8, &n, &e));
    ACCEPTED(gf_plan_explain(plan, GF_PRINT_TEXT, (char *)made, 8, NULL, &e));
    CHECK_EQ_INT(gf_verify_judge(NULL), GF_DEVICE_AUTO);
    close_small();
}

static void execs(void)
{
    gf_exec *other = NULL;
    gf_source source = {.struct_size = sizeof source, .shape = {8, 8, 1, GF_U8}};
    gf_mismatch mismatch = {.struct_size = sizeof mismatch};
    gf_step_stats step = {.struct_size = sizeof step};
    gf_run_stats stats = {.struct_size = sizeof stats};
    double x;
    REQUIRE(open_small() == GF_OK);
    REFUSED(gf_exec_create(NULL, &other, &e));
    REFUSED(gf_exec_create(plan, NULL, &e));
    REFUSED(gf_exec_run(NULL, &in, &out, &e));
    REFUSED(gf_exec_run(exec, NULL, &out, &e));
    ACCEPTED(gf_exec_run(exec, &in, NULL, &e));
    REFUSED(gf_exec_set_input(NULL, 1, &in, &e));
    REFUSED(gf_exec_set_input(exec, 1, NULL, &e)); /* there is none */
    REFUSED(gf_exec_stream(NULL, &source, NULL, &e));
    REFUSED(gf_exec_stream(exec, NULL, NULL, &e));
    REFUSED(gf_exec_stream(exec, &source, NULL, &e)); /* its rows are NULL */
    REFUSED(gf_exec_enqueue(NULL, &in, &out, NULL, &e));
    REFUSED(gf_exec_enqueue(exec, NULL, &out, NULL, &e));
    REFUSED(gf_exec_submit(NULL, &in, &out, &e));
    REFUSED(gf_exec_submit(exec, NULL, &out, &e));
    REFUSED(gf_exec_finish(NULL, &e));
    gf_exec_set_progress(NULL, NULL, NULL), gf_exec_set_times(NULL, 1);
    ACCEPTED(gf_exec_run(exec, &in, &out, &e));
    const gf_result *result = gf_exec_result(exec, 0);
    CHECK(gf_exec_result_count(NULL) == 0 && gf_exec_result(NULL, 0) == NULL);
    CHECK(gf_exec_result_named(NULL, "stats") == NULL && gf_exec_result_named(exec, NULL) == NULL);
    CHECK(gf_result_field(NULL, "mean") == NULL && gf_result_field(result, NULL) == NULL);
    REFUSED(gf_result_number(NULL, "mean", 0, &x, &e));
    REFUSED(gf_result_number(result, NULL, 0, &x, &e));
    REFUSED(gf_result_number(result, "mean", 0, NULL, &e));
    REFUSED(gf_result_print(NULL, GF_PRINT_TEXT, (char *)made, 8, &n, &e));
    REFUSED(gf_result_print(result, GF_PRINT_TEXT, NULL, 8, &n, &e));
    ACCEPTED(gf_result_print(result, GF_PRINT_TEXT, (char *)made, 8, NULL, &e));
    CHECK(gf_result_table(NULL, "points") == NULL && gf_result_table(result, NULL) == NULL);
    CHECK(gf_table_column(NULL, "x") == NULL);
    REFUSED(gf_table_print(NULL, GF_PRINT_CSV, (char *)made, 8, &n, &e));
    REFUSED(gf_exec_step_stats(NULL, 0, &step));
    REFUSED(gf_exec_step_stats(exec, 0, NULL));
    REFUSED(gf_exec_run_stats(NULL, &stats));
    REFUSED(gf_exec_run_stats(exec, NULL));
    REFUSED(gf_verify(NULL, &in, &out, GF_DEVICE_REFERENCE, &mismatch, &e));
    REFUSED(gf_verify(exec, NULL, &out, GF_DEVICE_REFERENCE, &mismatch, &e));
    REFUSED(gf_verify(exec, &in, &out, GF_DEVICE_REFERENCE, NULL, &e));
    ACCEPTED(gf_verify(exec, &in, NULL, GF_DEVICE_REFERENCE, &mismatch, &e));
    in.data = NULL;
    REFUSED(gf_exec_run(exec, &in, &out, &e));
    close_small();
}

/* ---- stage.h ---- */

static int step; /* what the stage below does wrong, and what it then says */

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    (void)m;
    CHECK(gf_result_u64(builder, step == 4 ? NULL : "x", 1, step == 5 ? -1 : 1) == NULL || step < 4);
    CHECK(gf_result_f64(builder, NULL, 1, 1) == NULL);
    gf_result_begin_table(builder, NULL, 1);
    CHECK(gf_result_column(builder, NULL, NULL, GF_U64) == NULL);
}

static void lower(gf_lowering *l, const void *params)
{
    gf_value_id v = gf_lower_input(l), block = gf_lower_stats(l, v);
    gf_shape shape = gf_lower_shape(l, v);
    CHECK(params == NULL && gf_lower_white(l, v) > 0);
    switch (step) {
    case 0:
        gf_lower_output(l, gf_lower_call(l, v, NULL, NULL, NULL, NULL));
        break;
    case 1:
        gf_lower_output(l, gf_lower_call(l, v, &shape, NULL, NULL, NULL));
        break;
    case 2:
        gf_lower_result(l, v, NULL, 1, finish);
        break;
    case 3:
        gf_lower_result(l, v, &block, 1, NULL);
        break;
    case 6:
        gf_lower_fail(l, GF_OK, NULL);
        break;
    case 9:
        gf_lower_output(l, gf_lower_picture(l, NULL));
        break;
    case 8:
        gf_lower_output(l, gf_lower_pad(l, v, NULL));
        break;
    case 10:
        gf_lower_output(l, gf_lower_matrix(l, v, NULL, 1, 1));
        break;
    case 11:
        gf_lower_output(l, gf_lower_blend(l, v, v, (gf_blend)9, 1));
        break;
    default:
        gf_lower_result(l, v, &block, 1, finish);
    }
}

/* The builders that take only numbers get a value that is none: the first failure stays. */
static void lower_nothing(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id none = 0, v = gf_lower_input(l);
    gf_lower_result_bytes(l, 0);
    CHECK_EQ_INT(gf_lower_affine(l, none, 1, 0), 0);
    const gf_value_id after_a_failure =
        gf_lower_power(l, v, 1) | gf_lower_threshold(l, none, 1) | gf_lower_threshold_block(l, v, none) |
        gf_lower_table(l, v, none, none) | gf_lower_convert(l, none, GF_U8) | gf_lower_gray(l, none) |
        gf_lower_gaussian(l, none, 1, 1) | gf_lower_box(l, none, 1) | gf_lower_sobel(l, none) |
        gf_lower_rank(l, none, 1, 0.5) | gf_lower_canny(l, none, 0.1, 0.2) | gf_lower_window(l, none, NULL) |
        gf_lower_unsharp(l, none, 1, 1, 0) | gf_lower_mask(l, none, v, 0) | gf_lower_mask(l, v, none, 0) |
        gf_lower_blend(l, none, v, GF_BLEND_ADD, 1) | gf_lower_blend(l, v, none, GF_BLEND_ADD, 1) |
        gf_lower_rgb(l, none) | gf_lower_add_alpha(l, none, 1) | gf_lower_drop_alpha(l, none) |
        gf_lower_gain(l, v, NULL, 1) | gf_lower_posterize(l, none, 2) | gf_lower_transfer(l, none, 0) |
        gf_lower_curve(l, v, NULL, 1, 2) | gf_lower_formula(l, v, NULL) | gf_lower_flatten(l, none, NULL, 1) |
        gf_lower_flatten(l, v, NULL, 1) | gf_lower_matrix(l, v, NULL, 1, 1) | gf_lower_lab(l, none, 0) |
        gf_lower_cube(l, v, NULL, 2, NULL, 1) | gf_lower_crop(l, none, (gf_rect){0}) |
        gf_lower_pad(l, none, NULL) | gf_lower_flip(l, none, 1, 1) | gf_lower_rotate(l, none, 1) |
        gf_lower_transpose(l, none) | gf_lower_resize(l, none, 1, 1, GF_FILTER_BOX, GF_LIGHT_STORED) |
        gf_lower_warp(l, v, NULL) | gf_lower_histogram(l, none, 1, 0, 1, 0) | gf_lower_range(l, none) |
        gf_lower_stats(l, none) | gf_lower_sums(l, none, 0) | gf_lower_otsu(l, none, 0) |
        gf_lower_equalize(l, none, 0);
    CHECK_EQ_INT(after_a_failure, 0);
    CHECK_EQ_INT(gf_lower_shape(l, none).width, 0);
    gf_lower_result_bytes(l, UINT64_MAX);
}

static void stages(void)
{
    gf_stage_type type = {.struct_size = sizeof type, .name = "own", .lower = lower};
    REQUIRE(open_small() == GF_OK);
    for (step = 0; step < 12; step++) {
        gf_pipeline *p = NULL;
        gf_plan *q = NULL;
        gf_exec *x = NULL;
        type.lower = step == 7 ? lower_nothing : lower;
        ACCEPTED(gf_pipeline_create(&p, &e));
        ACCEPTED(gf_pipeline_append(p, &type, NULL, &e));
        if (step != 4 && step != 5) {
            REFUSED(gf_plan_create(context, p, &in.shape, NULL, &q, &e));
        } else {
            ACCEPTED(gf_plan_create(context, p, &in.shape, NULL, &q, &e));
            ACCEPTED(gf_exec_create(q, &x, &e));
            REFUSED(gf_exec_run(x, &in, NULL, &e));
        }
        gf_exec_destroy(&x), gf_plan_destroy(&q), gf_pipeline_destroy(&p);
    }
    CHECK(gf_stage_types(NULL) != NULL && gf_stage_find(NULL) == NULL);
    CHECK(gf_stage_known_as(NULL, 0) == NULL && gf_stage_known_as(NULL, 4) == NULL);
    CHECK(gf_stage_known_words(0, NULL) == NULL);
    CHECK(gf_stage_param(NULL, 0) == NULL && gf_stage_result(NULL, 0) == NULL);
    CHECK(gf_stage_result_table(NULL, 0) == NULL);
    close_small();
}

/* ---- signal.h ---- */

static void signals(void)
{
    const gf_signal_shape shape = {-1, 1, 48000};
    gf_signal_plan *q = NULL;
    gf_signal_exec *x = NULL;
    float frames[4] = {0};
    int64_t some;
    REQUIRE(open_small() == GF_OK);
    gf_pipeline *p = NULL;
    ACCEPTED(gf_pipeline_parse("gain:2", NULL, 0, &p, NULL));
    REFUSED(gf_signal_plan_create(NULL, p, &shape, NULL, &q, &e));
    REFUSED(gf_signal_plan_create(context, NULL, &shape, NULL, &q, &e));
    REFUSED(gf_signal_plan_create(context, p, NULL, NULL, &q, &e));
    REFUSED(gf_signal_plan_create(context, p, &shape, NULL, NULL, &e));
    ACCEPTED(gf_signal_plan_create(context, p, &shape, NULL, &q, NULL));
    CHECK(gf_signal_plan_output(NULL).channels == 0 && gf_signal_plan_device(NULL) == GF_DEVICE_AUTO);
    REFUSED(gf_signal_plan_explain(NULL, GF_PRINT_TEXT, (char *)made, 8, &n, &e));
    REFUSED(gf_signal_plan_explain(q, GF_PRINT_TEXT, NULL, 8, &n, &e));
    ACCEPTED(gf_signal_plan_explain(q, GF_PRINT_TEXT, (char *)made, 8, NULL, NULL));
    REFUSED(gf_signal_exec_create(NULL, &x, &e));
    REFUSED(gf_signal_exec_create(q, NULL, &e));
    ACCEPTED(gf_signal_exec_create(q, &x, NULL));
    CHECK(gf_signal_exec_ready(NULL, 4) == 0 && gf_signal_exec_left(NULL) == 0);
    CHECK(gf_signal_plan_effect(NULL, 0) == GF_SIGNAL_BENDS && gf_signal_plan_filters(NULL, NULL) == 0);
    CHECK(isnan(gf_signal_plan_gain(NULL, NULL, 0, 1)) && gf_signal_plan_turns(NULL, NULL, NULL, 1) == 0);
    CHECK(gf_signal_plan_result_count(NULL) == 0 && gf_signal_exec_result_count(NULL) == 0);
    CHECK(!gf_signal_exec_result(NULL, 0) && !gf_signal_exec_result_named(NULL, "stats"));
    REFUSED(gf_signal_exec_feed(NULL, frames, 4, 4, frames, 4, &some, &e));
    REFUSED(gf_signal_exec_feed(x, NULL, 4, 4, frames, 4, &some, &e));
    REFUSED(gf_signal_exec_feed(x, frames, 4, 4, NULL, 4, &some, &e));
    REFUSED(gf_signal_exec_feed(x, frames, 4, 4, frames, 4, NULL, &e));
    ACCEPTED(gf_signal_exec_feed(x, frames, 4, 4, frames, 4, &some, NULL));
    REFUSED(gf_signal_exec_end(NULL, frames, 4, &some, &e));
    REFUSED(gf_signal_exec_end(x, frames, 4, NULL, &e));
    gf_signal_exec_destroy(&x), gf_signal_exec_destroy(NULL);
    gf_signal_plan_destroy(&q), gf_signal_plan_destroy(NULL);
    gf_pipeline_destroy(&p);
    close_small();
}

/* ---- device.h and types.h ---- */

static void devices(void)
{
    gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_mark *mark = NULL;
    int64_t count;
    double ms;
    e = (gf_error)GF_ERROR_INIT;
    REFUSED(gf_memory_allocate(GF_DEVICE_CPU, 8, NULL, &e));
    REFUSED(gf_pinned_allocate(GF_DEVICE_CPU, 8, NULL, &e));
    REFUSED(gf_memory_pin(GF_DEVICE_CPU, NULL, 8, &e));
    REFUSED(gf_memory_unpin(GF_DEVICE_CPU, NULL, &e));
    REFUSED(gf_memory_copy(queue, GF_COPY_UPLOAD, NULL, pixels, 8, &e));
    REFUSED(gf_memory_copy(queue, GF_COPY_UPLOAD, made, NULL, 8, &e));
    ACCEPTED(gf_memory_copy(queue, GF_COPY_UPLOAD, NULL, NULL, 0, &e));
    REFUSED(gf_work_counted(GF_DEVICE_CPU, NULL, &count, &e));
    REFUSED(gf_work_counted(GF_DEVICE_CPU, &count, NULL, &e));
    REFUSED(gf_queue_create(GF_DEVICE_CPU, NULL, &e));
    REFUSED(gf_mark_create(GF_DEVICE_CPU, NULL, &e));
    ACCEPTED(gf_mark_create(GF_DEVICE_CPU, &mark, &e));
    REFUSED(gf_mark_record(queue, NULL, &e));
    ACCEPTED(gf_mark_record(queue, mark, &e));
    REFUSED(gf_mark_elapsed(GF_DEVICE_CPU, NULL, mark, &ms, &e));
    REFUSED(gf_mark_elapsed(GF_DEVICE_CPU, mark, NULL, &ms, &e));
    REFUSED(gf_mark_elapsed(GF_DEVICE_CPU, mark, mark, NULL, &e));
    ACCEPTED(gf_queue_wait(queue, NULL));
    gf_mark_destroy(GF_DEVICE_CPU, &mark), gf_mark_destroy(GF_DEVICE_CPU, NULL);
    gf_memory_release(GF_DEVICE_CPU, NULL), gf_pinned_release(GF_DEVICE_CPU, NULL), gf_queue_destroy(NULL);
    const gf_image none = gf_image_view(NULL, 1, 1, 1, GF_U8, 0);
    CHECK(none.data == NULL && none.pitch == 1);
}

/* ---- compare.h ---- */

static void comparisons(void)
{
    const gf_image image = gf_image_view(pixels, 2, 2, 1, GF_U8, 0), none = {0};
    const gf_source source = {0};
    gf_comparison c = GF_COMPARISON_INIT;
    gf_compare_shift_result shift = GF_COMPARE_SHIFT_RESULT_INIT;
    uint8_t hash[32];
    REFUSED(gf_compare(NULL, &image, NULL, NULL, &c, &e));
    REFUSED(gf_compare(&image, NULL, NULL, NULL, &c, &e));
    REFUSED(gf_compare(&image, &image, NULL, NULL, NULL, &e));
    REFUSED(gf_compare(&image, &none, NULL, NULL, &c, &e));
    ACCEPTED(gf_compare(&image, &image, NULL, NULL, &c, NULL));
    REFUSED(gf_compare_rows(NULL, &source, NULL, NULL, &c, &e));
    REFUSED(gf_compare_rows(&source, NULL, NULL, NULL, &c, &e));
    REFUSED(gf_compare_rows(&source, &source, NULL, NULL, &c, &e));
    REFUSED(gf_compare_shift(NULL, &image, NULL, 1, &shift, &e));
    REFUSED(gf_compare_shift(&image, NULL, NULL, 1, &shift, &e));
    REFUSED(gf_compare_shift(&image, &image, NULL, 1, NULL, &e));
    REFUSED(gf_compare_hash(NULL, hash, &e));
    REFUSED(gf_compare_hash(&image, NULL, &e));
    REFUSED(gf_compare_hash_rows(NULL, hash, &e));
    REFUSED(gf_compare_hash_rows(&source, NULL, &e));
}

/* ---- that no call is missing ---- */

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = file ? calloc(1, 1 << 17) : NULL;
    if (text) {
        text[fread(text, 1, (1 << 17) - 1, file)] = '\0';
    }
    if (file) {
        fclose(file);
    }
    return text;
}

static void all_calls(void)
{
    char *here = text_of(GF_SOURCE "/tests/exec/test_null.c");
    char *arrays = text_of(GF_SOURCE "/tests/exec/test_null_arrays.c");
    char *batches = text_of(GF_SOURCE "/tests/exec/test_batch_calls.c");
    glob_t headers = {0};
    int seen = 0;
    REQUIRE(here != NULL && arrays != NULL && batches != NULL);
    REQUIRE(glob(GF_SOURCE "/kernels/include/gpufilter/*.h", 0, NULL, &headers) == 0 &&
            glob(GF_SOURCE "/filters/include/gpufilter/*.h", GLOB_APPEND, NULL, &headers) == 0 &&
            glob(GF_SOURCE "/pipeline/include/gpufilter/*.h", GLOB_APPEND, NULL, &headers) == 0);
    for (size_t i = 0; i < headers.gl_pathc; i++) {
        const char *path = headers.gl_pathv[i];
        char *header = text_of(path), name[80];
        REQUIRE(header != NULL);
        if (strstr(path, "/io.h") || strstr(path, "/io_memory.h") || strstr(path, "/signal_io.h")) {
            header[0] = '\0';
        }
        for (char *at = header; (at = strstr(at, "\nGF_API ")) != NULL;) {
            at = strchr(at, '(');
            int length = 0, whole = -1;
            while (isalnum((unsigned char)at[-1 - length]) || at[-1 - length] == '_') {
                length++;
            }
            snprintf(name, sizeof name, "%.*s(", length, at - length);
            const bool takes_none = !memchr(at, '*', strcspn(at, ")")); /* pointers */
            bool named = takes_none || strstr(here, name) || strstr(arrays, name) || strstr(batches, name);
            if (!named && sscanf(name, "gf_%*[a-z]_scratch(%n", &whole) == 0 && whole == length + 1) {
                snprintf(name, sizeof name, "NO_OPTIONS(%.*s,", length - 11, at - length + 3);
                named = strstr(arrays, name) != NULL;
            }
            CHECK_MSG(named, "%s of %s is never given NULL", name, path);
            seen++;
        }
        free(header);
    }
    CHECK_MSG(seen > 150, "%d calls of %d headers", seen, (int)headers.gl_pathc);
    globfree(&headers);
    free(here);
    free(arrays);
    free(batches);
}

static const struct check_case cases[] = {{"contexts and pipelines", contexts_and_pipelines},
                                          {"plans", plans},
                                          {"execs and results", execs},
                                          {"stages and builders", stages},
                                          {"devices and views", devices},
                                          {"signals", signals},
                                          {"comparisons", comparisons},
                                          {"no call is missing", all_calls}};
CHECK_MAIN(cases)
