/* The calls of fuzz_calls.c that run plans and that hold pictures. */
#include "fuzz_calls.h"
#include "image_rows.h"

#include <math.h>

/* ---- execs ---- */

static struct run *any_run(void)
{
    struct run *run = &world.runs[next() % SLOTS];
    return run->exec != NULL ? run : NULL;
}

void make_exec(void)
{
    struct run *run = &world.runs[next() % SLOTS];
    int plan = next() % SLOTS;
    gf_error error = GF_ERROR_INIT;
    end_exec(run);
    if (world.plans[plan] != NULL) {
        fuzz_status(gf_exec_create(world.plans[plan], &run->exec, &error), &error);
        run->from = gf_plan_input(world.plans[plan]);
        run->to = gf_plan_output(world.plans[plan]);
        run->device = gf_plan_device(world.plans[plan]);
        run->steps = gf_plan_step_count(world.plans[plan]);
    }
}

void drop_exec(void)
{
    end_exec(&world.runs[next() % SLOTS]);
}

static void fill(gf_picture *picture, uint32_t state)
{
    static const float floats[] = {0, 1, 0.5f, -1, 1e30f, -0.0f, 1e-40f, INFINITY, NAN, 0.25f, 3, 0.999f};
    const gf_image *image = &picture->image;
    for (int64_t y = 0; y < image->shape.height; y++) {
        uint8_t *row = (uint8_t *)image->data + y * image->pitch;
        for (size_t i = 0; i < fuzz_row_bytes(&image->shape); i++) {
            state = state * 1664525u + 1013904223u;
            if (image->shape.depth != GF_F32) {
                row[i] = (uint8_t)(state >> 24);
            } else if (i % 4 == 0) {
                memcpy(row + i, &floats[(state >> 16) % 12], 4);
            }
        }
    }
}

/* New pictures of the plan's shapes; 0: no memory. */
static int new_pictures(struct run *run, uint8_t content)
{
    gf_picture_destroy(&run->in);
    gf_picture_destroy(&run->out);
    run->ran = 0;
    if (gf_picture_create(&run->from, &run->in, NULL) != GF_OK ||
        gf_picture_create(&run->to, &run->out, NULL) != GF_OK) {
        return 0;
    }
    fill(run->in, content);
    return 1;
}

static void start(int wait)
{
    struct run *run = any_run();
    uint8_t content = next(), how = next();
    gf_error error = GF_ERROR_INIT;
    if (run == NULL) {
        return;
    }
    if (run->ran < 0) { /* under way: its pictures must stay */
        FUZZ_CHECK(gf_exec_run(run->exec, &run->in->image, &run->out->image, &error) == GF_ERROR_ARGUMENT,
                   "a second run was begun");
        return;
    }
    if (!new_pictures(run, content)) {
        return;
    }
    gf_image *out = how % 4 == 1 ? NULL : &run->out->image;
    gf_status status = wait ? gf_exec_run(run->exec, &run->in->image, out, &error)
                            : gf_exec_enqueue(run->exec, &run->in->image, out, NULL, &error);
    fuzz_status(status, &error);
    run->ran = status != GF_OK ? 0 : out == NULL ? 2 : 1;
    run->ran = !wait && run->device != GF_DEVICE_REFERENCE ? -run->ran : run->ran;
}

void run_now(void)
{
    start(1);
}

void enqueue(void)
{
    start(0);
}

void finish(void)
{
    struct run *run = any_run();
    gf_error error = GF_ERROR_INIT;
    if (run != NULL) {
        gf_status status = gf_exec_finish(run->exec, &error);
        fuzz_status(status, &error);
        run->ran = status == GF_OK ? abs(run->ran) : 0;
    }
}

/* Pictures that are not the plan's: refused, and nothing happens. */
void run_wrong(void)
{
    struct run *run = any_run();
    uint8_t how = next() % 8;
    gf_error error = GF_ERROR_INIT;
    if (run == NULL || run->ran < 0 || !new_pictures(run, how)) {
        return;
    }
    gf_image in = run->in->image, out = run->out->image;
    in.struct_size -= how == 1;
    in.shape.width += how == 2;
    out.pitch = how == 3 ? 0 : out.pitch;
    out.device = how == 4 ? 1 : out.device;
    in.data = how == 5 ? NULL : in.data;
    in.shape.depth = how == 6 ? (gf_depth)99 : in.shape.depth;
    out.data = how == 7 ? in.data : out.data;
    gf_status status = gf_exec_run(run->exec, how == 0 ? NULL : &in, &out, &error);
    fuzz_status(status, &error);
    FUZZ_CHECK(status == GF_ERROR_ARGUMENT || (how == 4 && status == GF_ERROR_UNSUPPORTED), "how %d: %d %s",
               how, (int)status, error.message);
}

/* Rows from one picture into another; now and then either end fails, or takes all at once. */
void stream(void)
{
    struct run *run = any_run();
    uint8_t content = next(), how = next(), fail = next();
    gf_error error = GF_ERROR_INIT;
    if (run == NULL || run->ran < 0 || !new_pictures(run, content)) {
        return;
    }
    struct image_rows from = {.image = &run->in->image, .fail_at = how & 8 ? fail % 24 : 0};
    struct image_rows to = {.image = &run->out->image, .fail_at = how & 16 ? fail % 24 : 0};
    gf_source source = image_source(&from);
    gf_sink sink = image_sink(&to);
    source.whole = how & 1;
    source.again = how & 128 ? NULL : source.again;
    sink.whole = how & 2;
    source.shape.width += (how & 96) == 96;
    sink.struct_size -= (how & 96) == 64;
    gf_status status = gf_exec_stream(run->exec, &source, how & 4 ? NULL : &sink, &error);
    fuzz_status(status, &error);
    run->ran = status != GF_OK ? 0 : how & 4 ? 2 : 1;
    FUZZ_CHECK(run->ran != 1 || to.next == to.image->shape.height, "%lld rows came", (long long)to.next);
    FUZZ_CHECK(status != GF_ERROR_OUTPUT || from.fail_at || to.fail_at, "%s", error.message);
    FUZZ_CHECK((!source.whole || from.calls <= 1) && (!sink.whole || to.calls <= 1), "whole, and in parts");
}

static int stop_at(void *user, int32_t done, int32_t steps)
{
    FUZZ_CHECK(done >= 0 && done <= steps, "%d of %d", done, steps);
    return done >= (int32_t)(intptr_t)user;
}

void progress(void)
{
    struct run *run = any_run();
    int at = next() % 4;
    if (run != NULL) {
        gf_exec_set_progress(run->exec, at == 3 ? NULL : stop_at, (void *)(intptr_t)at);
    }
}

static void ask_result(const gf_result *result)
{
    static char text[1 << 16];
    gf_error error = GF_ERROR_INIT;
    size_t length = 0, capacity = next() % 2 ? sizeof text : 20;
    fuzz_status(gf_result_print(result, next() % 2, text, capacity, &length, &error), &error);
    FUZZ_CHECK(strlen(text) == (length < capacity ? length : capacity - 1), "%zu bytes", length);
    FUZZ_CHECK(gf_result_field(result, "no such field") == NULL, "a field that is none");
    for (int32_t f = 0; f < result->n_fields; f++) {
        FUZZ_CHECK(gf_result_field(result, result->fields[f].name) != NULL, "%s", result->fields[f].name);
    }
}

void ask_exec(void)
{
    struct run *run = any_run();
    if (run == NULL) {
        return;
    }
    int32_t count = gf_exec_result_count(run->exec), steps = run->steps;
    for (int32_t i = -1; i <= count; i++) {
        const gf_result *result = gf_exec_result(run->exec, i);
        FUZZ_CHECK((result != NULL) == (i >= 0 && i < count), "result %d of %d", i, count);
        if (result != NULL) {
            ask_result(result);
        }
    }
    gf_exec_result_named(run->exec, "x");
    int judge = run->device == GF_DEVICE_REFERENCE; /* which takes no steps */
    for (int32_t s = -1; s <= steps; s++) {
        gf_step_stats stats = {.struct_size = sizeof stats};
        gf_status status = gf_exec_step_stats(run->exec, s, &stats);
        FUZZ_CHECK(status == GF_OK || s < 0 || s == steps || judge, "step %d: %d", s, (int)status);
    }
    gf_run_stats stats = {.struct_size = sizeof stats};
    gf_exec_run_stats(run->exec, &stats);
}

/* Checks that what ran is right, by a judge that knows nothing of passes. */
void verify(void)
{
    struct run *run = any_run();
    gf_mismatch mismatch = {.struct_size = sizeof mismatch};
    gf_error error = GF_ERROR_INIT;
    static const gf_device judges[] = {GF_DEVICE_AUTO, GF_DEVICE_REFERENCE, GF_DEVICE_CPU};
    gf_device judge = judges[next() % 3];
    if (run != NULL && run->ran > 0) {
        gf_status status = gf_verify(run->exec, &run->in->image, run->ran == 2 ? NULL : &run->out->image,
                                     judge, &mismatch, &error);
        fuzz_status(status, &error);
        FUZZ_CHECK(status == GF_OK, "%s", error.message);
    }
}

/* ---- pictures ---- */

static gf_shape small_shape(void)
{
    uint8_t a = next(), b = next(), c = next();
    return (gf_shape){a % 20, b % 20, c % 6, (gf_depth)(c / 6 % 11)};
}

void make_picture(void)
{
    int i = next() % SLOTS;
    gf_shape shape = small_shape();
    gf_error error = GF_ERROR_INIT;
    gf_picture_destroy(&world.pictures[i]);
    gf_status status = gf_picture_create(&shape, &world.pictures[i], &error);
    fuzz_status(status, &error);
    FUZZ_CHECK((status == GF_OK) == (world.pictures[i] != NULL), "status %d", (int)status);
    if (status == GF_OK) {
        memset(world.pictures[i]->image.data, 1,
               (size_t)world.pictures[i]->image.pitch * (size_t)shape.height);
    }
}

void picture_wrong(void)
{
    static const int64_t sides[] = {INT64_MAX, INT64_MIN, -1, 0, 1, 2};
    gf_shape shape = {sides[next() % 6], sides[next() % 6], 1 + next() % 4, (gf_depth)(next() % 9)};
    gf_picture *none = NULL;
    gf_error error = GF_ERROR_INIT;
    if (shape.width > 0 && shape.width < 3 && shape.height > 0 && shape.height < 3) {
        shape.channels = -1;
    }
    gf_status status = gf_picture_create(next() % 4 ? &shape : NULL, next() % 4 ? &none : NULL, &error);
    fuzz_status(status, &error);
    FUZZ_CHECK(status != GF_OK && none == NULL, "%lld x %lld", (long long)shape.width,
               (long long)shape.height);
}

void set_metadata(void)
{
    gf_picture *picture = world.pictures[next() % SLOTS];
    gf_picture *other = world.pictures[next() % SLOTS];
    uint8_t how = next(), value = next(), bytes[160];
    gf_metadata own = GF_METADATA_INIT;
    gf_error error = GF_ERROR_INIT;
    memset(bytes, value, sizeof bytes);
    memcpy(bytes + 36, "acsp", 4);
    memcpy(bytes, how & 1 ? "\0\0\0\xa0" : "II*\0\x08\0\0\0", how & 1 ? 4 : 8);
    own.icc = how & 1 ? bytes : NULL;
    own.icc_size = how / 16 == 10 ? sizeof bytes : how / 16 * 2u;
    own.exif = how & 2 ? bytes : NULL;
    own.exif_size = how / 16 * 3u;
    memset(own.icc_name, value, how / 16 * 5u);
    own.fields = value;
    own.gamma = value * 0x01010101u;
    memset(own.chromaticities, value, sizeof own.chromaticities);
    own.density[0] = value % 7 * 700000000u;
    own.density[1] = how;
    own.density_unit = value % 5;
    own.struct_size -= (how & 12) == 12;
    const gf_metadata *from = (how & 12) == 0 ? NULL : (how & 12) == 4 && other ? &other->metadata : &own;
    fuzz_status(gf_picture_set_metadata(picture, from, &error), &error);
}

/* What is written can be read. */
void write_picture(void)
{
    static const char *const formats[] = {"png", "jpeg", "npy", "pnm", "pfm",
                                          "bmp", "tga",  "hdr", "gif", NULL};
    const gf_picture *picture = world.pictures[next() % SLOTS];
    uint8_t how = next(), level = next();
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    const uint8_t *bytes;
    size_t size;
    options.format = formats[how % 10];
    options.png_level = level % 13 - 2;
    options.jpeg_quality = level % 103;
    options.threads = how / 10 == 25 ? -1 : 1;
    options.struct_size -= how / 10 == 24;
    if (picture == NULL) {
        return;
    }
    gf_metadata metadata = picture->metadata;
    metadata.struct_size -= how / 10 == 23;
    if (fuzz_write(how / 10 == 22 ? NULL : &picture->image, &metadata, &options, &bytes, &size, &error) ==
        GF_OK) {
        gf_picture *again = fuzz_read(bytes, size, 2);
        FUZZ_CHECK(again != NULL, "%s written by us is refused", options.format);
        gf_picture_destroy(&again);
    }
}

void drop_picture(void)
{
    gf_picture_destroy(&world.pictures[next() % SLOTS]);
}
