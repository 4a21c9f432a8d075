/* Structs of other versions: smaller ones have defaults for what they lack and are filled in no further,
 * larger ones are accepted where what is unknown is zero, and sizes that no version has are refused. Each
 * struct ends where a page does that cannot be touched, so that one byte beyond it is a crash. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "check.h"
#include "gpufilter/io.h"
#include "gpufilter/matmul.h"
#include "small_run.h"

#include <sys/mman.h>
#include <unistd.h>

/* ---- memory with an end ---- */

enum { PAGE = 1 << 16 };

static unsigned char *fence; /* the first byte that cannot be touched */

/* `size` bytes of the struct, at least its struct_size, that end at the fence; aligned as the struct is where
 * `size` can be one of its sizes. */
static void *at_end(const void *whole, uint32_t whole_size, uint32_t size)
{
    uint32_t room = size < 8 ? 8 : (size + 7) / 8 * 8;
    unsigned char *place = fence - room;
    memset(place, 0, room);
    memcpy(place, whole, size < whole_size ? size : whole_size);
    memcpy(place, &size, sizeof size);
    return place;
}

static int make_fence(void)
{
    unsigned char *memory = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fence = memory == MAP_FAILED ? NULL : memory + PAGE;
    return fence && mprotect(fence, PAGE, PROT_NONE) == 0;
}

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
    munmap(fence - PAGE, 2 * PAGE);
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
    const gf_source source = {sizeof source, 0, in.shape, give, NULL, NULL};
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

static const gf_queue cpu = {GF_DEVICE_CPU, NULL};
static uint64_t array[8], result[1 << 12];
static _Alignas(256) uint64_t scratch[1 << 12];

static gf_status with_reduce(void *given)
{
    return gf_reduce(cpu, given, array, 4, result, scratch, sizeof scratch, &e);
}

static gf_status with_scan(void *given)
{
    return gf_scan(cpu, given, array, 4, result, scratch, sizeof scratch, &e);
}

static gf_status with_compact(void *given)
{
    return gf_compact(cpu, given, array, 4, result, 4, result + 8, scratch, sizeof scratch, &e);
}

static gf_status with_histogram(void *given)
{
    return gf_histogram(cpu, given, array, 4, result, scratch, sizeof scratch, &e);
}

static gf_status with_search(void *given)
{
    return gf_search(cpu, given, array, 4, (int64_t *)result, NULL, 0, scratch, sizeof scratch, &e);
}

static gf_status with_sort(void *given)
{
    return gf_sort(cpu, given, array, NULL, 4, result, NULL, scratch, sizeof scratch, &e);
}

static gf_status with_merge(void *given)
{
    return gf_merge(cpu, given, array, 2, array, 2, result, scratch, sizeof scratch, &e);
}

static gf_status with_matmul(void *given)
{
    return gf_matmul(cpu, given, array, array, 1, 2, 2, result, scratch, sizeof scratch, &e);
}

/* ---- every size of every struct ---- */

struct kind {
    const char *name;
    gf_status (*call)(void *given);
    uint32_t size, least; /* here, and that of the fields that every version has, with 8-byte pointers */
    int fills;            /* the call fills it in */
    const void *whole;    /* one that is right */
};

static void check_size(const struct kind *kind, uint32_t size)
{
    bool good = size >= kind->least && size % 8 == 0;
    unsigned char full[1024];
    memcpy(full, kind->whole, kind->size);
    memcpy(full, &kind->size, sizeof kind->size);
    if (kind->fills) { /* what a struct of today gets */
        CHECK_EQ_INT(kind->call(full), GF_OK);
    }
    unsigned char *given = at_end(kind->whole, kind->size, size);
    gf_status status = kind->call(given);
    uint32_t known = size < kind->size ? size : kind->size;
    CHECK_MSG((status == GF_OK) == good && (good || status == GF_ERROR_ARGUMENT), "%s of %u bytes: %d %s",
              kind->name, size, (int)status, e.message);
    CHECK_MSG(memcmp(given, &size, sizeof size) == 0, "%s: the size is changed", kind->name);
    if (good && kind->fills && kind->call != with_run_stats) {
        CHECK_MSG(memcmp(given + 4, full + 4, known - 4) == 0, "%s of %u bytes: other contents", kind->name,
                  size);
    }
}

/* A newer program's fields: nothing where they are zero, refused where they are not. */
static void check_larger(const struct kind *kind)
{
    uint32_t size = kind->size + 16, absurd[] = {4096 + 8, 0x10000, 0xfffffff8u};
    for (uint32_t i = kind->size; i < size; i++) {
        unsigned char *given = at_end(kind->whole, kind->size, size);
        given[i] = 1;
        e.message[0] = '\0';
        CHECK_MSG(kind->call(given) == GF_ERROR_ARGUMENT, "%s: byte %u is 1 and unknown", kind->name, i);
        CHECK_MSG(!e.message[0] || strstr(e.message, "older than the header"), "%s: %s", kind->name,
                  e.message);
    }
    for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
        unsigned char *given = at_end(kind->whole, kind->size, kind->size);
        memcpy(given, &absurd[i], sizeof absurd[i]);
        e.message[0] = '\0';
        CHECK_MSG(kind->call(given) == GF_ERROR_ARGUMENT, "%s of %u bytes", kind->name, absurd[i]);
        CHECK_MSG(!e.message[0] || strstr(e.message, "must be sizeof("), "%s: %s", kind->name, e.message);
    }
}

static void every_size(void)
{
    REQUIRE(sizeof(void *) == 8 && open_all());
    const gf_context_options context_options = GF_CONTEXT_OPTIONS_INIT;
    const gf_plan_options plan_options = GF_PLAN_OPTIONS_INIT;
    const gf_stage_type type = {.struct_size = sizeof type, .name = "own", .lower = lower};
    const gf_window_function own_window = {.struct_size = sizeof own_window, .host = make_row};
    const gf_source source = {sizeof source, 0, in.shape, give, NULL, NULL};
    const gf_sink sink = {sizeof sink, 0, take, NULL};
    const gf_io_limits limits = GF_IO_LIMITS_INIT;
    const gf_metadata metadata = GF_METADATA_INIT;
    const gf_reduce_options reduce = GF_REDUCE_OPTIONS_INIT;
    const gf_scan_options scan = GF_SCAN_OPTIONS_INIT;
    const gf_compact_options compact = GF_COMPACT_OPTIONS_INIT;
    const gf_histogram_options histogram = GF_HISTOGRAM_OPTIONS_INIT;
    const gf_sort_options sort = GF_SORT_OPTIONS_INIT;
    const gf_matmul_options matmul = GF_MATMUL_OPTIONS_INIT;
    const gf_write_options write_options = GF_WRITE_OPTIONS_INIT;
    gf_search_options search = GF_SEARCH_OPTIONS_INIT;
    static const unsigned char zero[512];
    search.value = array;
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
        {"gf_step_info", with_step, sizeof(gf_step_info), 176, 1, zero},
        {"gf_step_stats", with_step_stats, sizeof(gf_step_stats), 24, 1, zero},
        {"gf_run_stats", with_run_stats, sizeof(gf_run_stats), 16, 1, zero},
        {"gf_mismatch", with_mismatch, sizeof(gf_mismatch), 184, 1, zero},
        {"gf_io_limits", with_limits, sizeof limits, 16, 0, &limits},
        {"gf_file_info", with_file_info, sizeof(gf_file_info), 40, 1, zero},
        {"gf_metadata", with_metadata, sizeof metadata, 24, 0, &metadata},
        {"gf_reduce_options", with_reduce, sizeof reduce, 24, 0, &reduce},
        {"gf_scan_options", with_scan, sizeof scan, 32, 0, &scan},
        {"gf_compact_options", with_compact, sizeof compact, 48, 0, &compact},
        {"gf_histogram_options", with_histogram, sizeof histogram, 56, 0, &histogram},
        {"gf_search_options", with_search, sizeof search, 40, 0, &search},
        {"gf_sort_options", with_sort, sizeof sort, 32, 0, &sort},
        {"gf_sort_options, merge", with_merge, sizeof sort, 32, 0, &sort},
        {"gf_matmul_options", with_matmul, sizeof matmul, 64, 0, &matmul},
        {"gf_write_options", with_write_options, sizeof write_options, 8, 0,
         &write_options}, /* last: a file */
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        for (uint32_t size = 0; size <= kinds[i].size + 16; size++) {
            check_size(&kinds[i], size);
        }
        check_larger(&kinds[i]);
    }
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
