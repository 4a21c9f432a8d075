/* Structs of other versions, given to the calls on pictures and files. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "gpufilter/compare.h"
#include "gpufilter/io.h"
#include "gpufilter/signal_io.h"
#include "small_run.h"

#include "struct_sizes.h"

#include <unistd.h>

/* ---- what the calls below need ---- */

static gf_picture *picture;
static char file[] = "/tmp/gpufilter-structs-XXXXXX";

static gf_status give(void *user, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    (void)user, (void)error;
    memset(data, 3, (size_t)(pitch * count));
    return GF_OK;
}

static gf_status take(void *user, const void *data, int64_t pitch, int64_t count, gf_error *error)
{
    (void)user, (void)data, (void)pitch, (void)count, (void)error;
    return GF_OK;
}

static void lower(gf_lowering *l, const void *params)
{
    (void)l, (void)params;
}

static int open_all(void)
{
    int descriptor = mkstemp(file);
    if (descriptor >= 0) {
        close(descriptor);
    }
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    options.format = "png";
    return make_fence() && open_small() == GF_OK && gf_picture_create(&in.shape, &picture, &e) == GF_OK &&
           gf_io_write(file, &in, NULL, &options, &e) == GF_OK;
}

static void close_all(void)
{
    gf_picture_destroy(&picture);
    close_small();
    remove_fence();
    unlink(file);
    strcpy(file + strlen(file) - 6, "XXXXXX");
}

/* ---- a call for each struct ---- */

static gf_status with_context_options(void *given)
{
    gf_context *other = NULL;
    gf_status status = gf_context_create(given, &other, &e);
    gf_context_destroy(&other);
    return status;
}

static gf_status with_plan_options(void *given)
{
    gf_plan *other = NULL;
    gf_status status = gf_plan_create(context, pipeline, &in.shape, given, &other, &e);
    gf_plan_destroy(&other);
    return status;
}

static gf_status with_stage_type(void *given)
{
    gf_pipeline *other = NULL;
    gf_plan *bound = NULL;
    const gf_stage_type *const types[] = {given};
    gf_status status = gf_pipeline_parse("own", types, 1, &other, &e);
    if (status == GF_OK) {
        status = gf_plan_create(context, other, &in.shape, NULL, &bound, &e);
        CHECK(gf_stage_result(given, 0) == NULL);
    }
    gf_plan_destroy(&bound);
    gf_pipeline_destroy(&other);
    return status;
}

static gf_status with_input(void *given)
{
    return gf_exec_run(exec, given, &out, &e);
}

static gf_status with_output(void *given)
{
    return gf_exec_run(exec, &in, given, &e);
}

static gf_status with_source(void *given)
{
    return gf_exec_stream(exec, given, NULL, &e);
}

static gf_status with_sink(void *given)
{
    const gf_source source = {sizeof source, 0, in.shape, give, NULL, NULL, 0};
    return gf_exec_stream(exec, &source, given, &e);
}

static gf_status with_description(void *given)
{
    return gf_device_describe(context, 0, 0, given, &e);
}

static gf_status with_bands(void *given)
{
    return gf_plan_bands(plan, given);
}

static gf_status with_step(void *given)
{
    return gf_plan_step(plan, 0, given);
}

static void *window; /* that the stage below is given */

static gf_status make_row(const gf_window_row *row, const void *args, gf_error *error)
{
    (void)row, (void)args, (void)error;
    return GF_OK;
}

static void lower_window(gf_lowering *l, const void *params)
{
    (void)params;
    gf_lower_output(l, gf_lower_window(l, gf_lower_input(l), window));
}

static gf_status with_window(void *given)
{
    const gf_stage_type type = {.struct_size = sizeof type, .name = "own", .lower = lower_window};
    window = given;
    return with_stage_type((void *)(uintptr_t)&type);
}

static gf_status with_step_stats(void *given)
{
    return gf_exec_step_stats(exec, 0, given);
}

static gf_status with_run_stats(void *given)
{
    return gf_exec_run_stats(exec, given);
}

static gf_status with_mismatch(void *given)
{
    gf_status status = gf_exec_run(exec, &in, NULL, &e); /* whose results are judged */
    return status == GF_OK ? gf_verify(exec, &in, NULL, GF_DEVICE_REFERENCE, given, &e) : status;
}

static gf_status with_limits(void *given)
{
    gf_picture *read = NULL;
    gf_status status = gf_io_read(file, given, &read, &e);
    gf_picture_destroy(&read);
    return status;
}

static gf_status with_file_info(void *given)
{
    return gf_io_probe(file, NULL, given, &e);
}

static gf_status with_write_options(void *given)
{
    return gf_io_write_bytes(file, pixels, 8, given, &e);
}

static gf_status with_metadata(void *given)
{
    return gf_picture_set_metadata(picture, given, &e);
}

static gf_status with_signal_read_options(void *given)
{
    gf_signal_reader *reader = NULL;
    gf_status status = gf_signal_reader_open_memory("1", 1, NULL, given, &reader, &e);
    gf_signal_reader_close(&reader);
    return status;
}

static gf_status take_bytes(void *user, const void *bytes, size_t size, gf_error *error)
{
    (void)user, (void)bytes, (void)size, (void)error;
    return GF_OK;
}

static gf_status with_signal_write_options(void *given)
{
    const gf_byte_sink sink = {sizeof sink, NULL, take_bytes, NULL};
    gf_signal_writer *writer = NULL;
    gf_status status = gf_signal_writer_open_callback(&sink, 1, 1, given, &writer, &e);
    gf_signal_writer_abort(&writer);
    return status;
}

static gf_status with_compare_options(void *given)
{
    gf_comparison found = GF_COMPARISON_INIT;
    return gf_compare(&in, &in, NULL, given, &found, &e);
}

static gf_status with_comparison(void *given)
{
    return gf_compare(&in, &in, NULL, NULL, given, &e);
}

static gf_status with_shift(void *given)
{
    return gf_compare_shift(&in, &in, NULL, 1, given, &e);
}

static void every_size(void)
{
    REQUIRE(sizeof(void *) == 8 && open_all());
    const gf_context_options context_options = GF_CONTEXT_OPTIONS_INIT;
    const gf_plan_options plan_options = GF_PLAN_OPTIONS_INIT;
    const gf_stage_type type = {.struct_size = sizeof type, .name = "own", .lower = lower};
    const gf_window_function own_window = {.struct_size = sizeof own_window, .host = make_row};
    const gf_source source = {sizeof source, 0, in.shape, give, NULL, NULL, 0};
    const gf_sink sink = {sizeof sink, 0, take, NULL};
    const gf_io_limits limits = GF_IO_LIMITS_INIT;
    const gf_metadata metadata = GF_METADATA_INIT;
    const gf_write_options write_options = GF_WRITE_OPTIONS_INIT;
    const gf_signal_read_options signal_read = GF_SIGNAL_READ_OPTIONS_INIT;
    gf_signal_write_options signal_write = GF_SIGNAL_WRITE_OPTIONS_INIT;
    signal_write.format = "wav";
    const gf_compare_options compare_options = GF_COMPARE_OPTIONS_INIT;
    static const unsigned char zero[512];
    const struct kind kinds[] = {
        {"gf_context_options", with_context_options, sizeof context_options, 16, 0, &context_options},
        {"gf_plan_options", with_plan_options, sizeof plan_options, 8, 0, &plan_options},
        {"gf_stage_type", with_stage_type, sizeof type, offsetof(gf_stage_type, lower) + 8, 0, &type},
        {"gf_window_function", with_window, sizeof own_window, 80, 0, &own_window},
        {"gf_image, read", with_input, sizeof in, 48, 0, &in},
        {"gf_image, written", with_output, sizeof out, 48, 0, &out},
        {"gf_source", with_source, sizeof source, 40, 0, &source},
        {"gf_sink", with_sink, sizeof sink, 16, 0, &sink},
        {"gf_device_description", with_description, sizeof(gf_device_description), 136, 1, zero},
        {"gf_band_info", with_bands, sizeof(gf_band_info), 24, 1, zero},
        {"gf_step_info", with_step, sizeof(gf_step_info), 168, 1, zero},
        {"gf_step_stats", with_step_stats, sizeof(gf_step_stats), 24, 1, zero},
        {"gf_run_stats", with_run_stats, sizeof(gf_run_stats), 16, 2, zero},
        {"gf_mismatch", with_mismatch, sizeof(gf_mismatch), 184, 1, zero},
        {"gf_io_limits", with_limits, sizeof limits, 16, 0, &limits},
        {"gf_file_info", with_file_info, sizeof(gf_file_info), 40, 1, zero},
        {"gf_metadata", with_metadata, sizeof metadata, 24, 0, &metadata},
        {"gf_signal_read_options", with_signal_read_options, sizeof signal_read, sizeof signal_read, 0,
         &signal_read},
        {"gf_signal_write_options", with_signal_write_options, sizeof signal_write, sizeof signal_write, 0,
         &signal_write},
        {"gf_compare_options", with_compare_options, sizeof compare_options, sizeof compare_options, 0,
         &compare_options},
        {"gf_comparison", with_comparison, sizeof(gf_comparison), sizeof(gf_comparison), 1, zero},
        {"gf_compare_shift_result", with_shift, sizeof(gf_compare_shift_result),
         sizeof(gf_compare_shift_result), 1, zero},
        {"gf_write_options", with_write_options, sizeof write_options, 8, 0,
         &write_options}, /* last: a file */
    };
    check_kinds(kinds, sizeof kinds / sizeof *kinds);
    close_all();
}

/* What a smaller struct lacks has its default, whatever lies behind it. */
static void defaults(void)
{
    REQUIRE(open_all());
    gf_plan *small = NULL;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    memset((char *)&options + 8, 0x7f, sizeof options - 8);
    options.struct_size = 8;
    options.device = GF_DEVICE_REFERENCE;
    CHECK_EQ_INT(gf_plan_create(context, pipeline, &in.shape, &options, &small, &e), GF_OK);
    CHECK_EQ_INT(gf_plan_device(small), GF_DEVICE_REFERENCE);
    gf_plan_destroy(&small);
    in.struct_size = 48;
    in.device = 5; /* beyond the size: the CPU, as ever */
    CHECK_EQ_INT(gf_exec_run(exec, &in, &out, &e), GF_OK);
    in.struct_size = sizeof in;
    CHECK_EQ_INT(gf_exec_run(exec, &in, &out, &e), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(e.message, ":5 (its gf_image.device is 5), the plan runs on cpu");
    close_all();
}

static const struct check_case cases[] = {{"every size of every struct", every_size},
                                          {"what a smaller struct lacks", defaults}};
CHECK_MAIN(cases)
