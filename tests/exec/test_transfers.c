/* Pictures of the host on their way to a device and back: pageable, pinned and registered memory, of all
 * shapes, through pieces, by several threads, and several at a time. The judge is an exec on the CPU. */
#include "check.h"
#include "gpufilter/gpufilter.h"
#include "gpufilter/io.h"
#include "image_rows.h"
#include "parity.h"

#include <pthread.h>

enum { PIECE = 1 << 20, RUNS = 4, MOST_IN_FLIGHT = 4 };

/* ---- pictures ---- */

enum memory { PAGEABLE, PINNED, REGISTERED, MEMORIES };

/* Rows `slack` bytes longer than their samples, which nothing may write. */
struct picture {
    gf_image image;
    enum memory memory;
    size_t bytes;
};

static bool make_picture(gf_shape shape, int64_t slack, enum memory memory, struct picture *picture)
{
    gf_error error = GF_ERROR_INIT;
    const int64_t row = gf_image_row_bytes(shape.width, shape.channels, shape.depth);
    void *data = NULL;
    *picture = (struct picture){.memory = memory, .bytes = (size_t)((row + slack) * shape.height)};
    if (memory == PINNED) {
        CHECK_EQ_INT(gf_pinned_allocate(0, picture->bytes, &data, &error), GF_OK);
    } else {
        data = malloc(picture->bytes);
    }
    if (memory == REGISTERED && data) {
        CHECK_EQ_INT(gf_memory_pin(0, data, picture->bytes, &error), GF_OK);
    }
    if (data) {
        memset(data, 0x5b, picture->bytes);
    }
    picture->image = gf_image_view(data, shape.width, shape.height, shape.channels, shape.depth, row + slack);
    return data != NULL;
}

static void free_picture(struct picture *picture)
{
    if (picture->memory == PINNED) {
        gf_pinned_release(0, picture->image.data);
        return;
    }
    if (picture->memory == REGISTERED && picture->image.data) {
        CHECK_EQ_INT(gf_memory_unpin(0, picture->image.data, NULL), GF_OK);
    }
    free(picture->image.data);
}

/* Another picture for each seed, no two rows alike; f32 stays finite. */
static void fill(struct picture *picture, uint32_t seed)
{
    const gf_shape shape = picture->image.shape;
    const int64_t samples = shape.width * shape.channels;
    uint32_t state = seed * 2654435761U + 1;
    for (int64_t y = 0; y < shape.height; y++) {
        char *row = (char *)picture->image.data + y * picture->image.pitch;
        for (int64_t i = 0; i < samples; i++) {
            state = state * 1664525U + 1013904223U;
            const uint16_t half = (uint16_t)(state >> 16);
            const float fraction = (float)(state >> 20) / 4096;
            if (shape.depth == GF_U8) {
                row[i] = (char)(state >> 24);
            } else if (shape.depth == GF_U16) {
                memcpy(row + 2 * i, &half, sizeof half);
            } else {
                memcpy(row + 4 * i, &fraction, sizeof fraction);
            }
        }
    }
}

/* The first byte that differs, of samples or behind them; -1: none. */
static int64_t difference(const struct picture *is, const struct picture *right)
{
    const unsigned char *a = is->image.data, *b = right->image.data;
    const gf_shape *s = &is->image.shape;
    const int64_t row = gf_image_row_bytes(s->width, s->channels, s->depth);
    for (int64_t y = 0; y < s->height; y++) {
        for (int64_t i = 0; i < is->image.pitch; i++) {
            const unsigned char expected = i < row ? b[y * right->image.pitch + i] : 0x5b;
            if (a[y * is->image.pitch + i] != expected) {
                return y * is->image.pitch + i;
            }
        }
    }
    return -1;
}

/* ---- plans ---- */

struct bound {
    gf_context *context;
    gf_pipeline *pipeline;
    gf_plan *plan;
};

static gf_status bind(const char *stages, gf_shape shape, gf_device device, int32_t threads, uint64_t limit,
                      struct bound *b)
{
    gf_error error = GF_ERROR_INIT;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = device;
    options.threads = threads;
    options.memory_limit = limit;
    *b = (struct bound){0};
    gf_status status = gf_context_create(NULL, &b->context, &error);
    status = status == GF_OK ? gf_pipeline_parse(stages, NULL, 0, &b->pipeline, &error) : status;
    status = status == GF_OK ? gf_plan_create(b->context, b->pipeline, &shape, &options, &b->plan, &error)
                             : status;
    CHECK_MSG(status == GF_OK, "%s: %s", stages, error.message);
    return status;
}

static void unbind(struct bound *b)
{
    gf_plan_destroy(&b->plan);
    gf_pipeline_destroy(&b->pipeline);
    gf_context_destroy(&b->context);
}

/* What the CPU makes of `in`; of results the first one, printed. */
static bool judge(const char *stages, const struct picture *in, struct picture *out, char *text, size_t size)
{
    struct bound b;
    gf_exec *exec = NULL;
    gf_error error = GF_ERROR_INIT;
    size_t length = 0;
    gf_status status = bind(stages, in->image.shape, GF_DEVICE_CPU, 1, 0, &b);
    status = status == GF_OK && make_picture(gf_plan_output(b.plan), 0, PAGEABLE, out)
                 ? gf_exec_create(b.plan, &exec, &error)
                 : GF_ERROR_MEMORY;
    status = status == GF_OK ? gf_exec_run(exec, &in->image, &out->image, &error) : status;
    *text = '\0';
    if (status == GF_OK && gf_exec_result_count(exec) > 0) {
        status = gf_result_print(gf_exec_result(exec, 0), GF_PRINT_JSON, text, size, &length, &error);
    }
    CHECK_MSG(status == GF_OK, "%s on the CPU: %s", stages, error.message);
    gf_exec_destroy(&exec);
    unbind(&b);
    return status == GF_OK;
}

static void check_result(const gf_exec *exec, const char *right)
{
    static char text[1 << 16];
    size_t length = 0;
    if (*right) {
        CHECK_EQ_INT(
            gf_result_print(gf_exec_result(exec, 0), GF_PRINT_JSON, text, sizeof text, &length, NULL), GF_OK);
        CHECK_MSG(!strcmp(text, right), "results differ");
    }
}

static bool has_device(gf_device device)
{
    gf_context *context = NULL;
    gf_device_description description = {.struct_size = sizeof description};
    const bool has = gf_context_create(NULL, &context, NULL) == GF_OK &&
                     gf_device_describe(context, device + 1, 1, &description, NULL) == GF_OK;
    gf_context_destroy(&context);
    return has;
}

/* ---- all kinds of memory ---- */

static char right_text[1 << 16];

static void check_memories(const char *stages, const struct bound *b, enum memory from, enum memory to,
                           int64_t slack)
{
    struct picture in, out, right;
    gf_exec *exec = NULL;
    gf_error error = GF_ERROR_INIT;
    gf_run_stats stats = {.struct_size = sizeof stats};
    REQUIRE(make_picture(gf_plan_input(b->plan), slack, from, &in));
    REQUIRE(make_picture(gf_plan_output(b->plan), slack, to, &out));
    fill(&in, 1 + (uint32_t)from);
    REQUIRE(judge(stages, &in, &right, right_text, sizeof right_text));
    CHECK_EQ_INT(gf_exec_create(b->plan, &exec, &error), GF_OK);
    for (int run = 0; exec && run < 2; run++) {
        memset(out.image.data, 0x5b, out.bytes);
        gf_status status = gf_exec_run(exec, &in.image, &out.image, &error);
        CHECK_MSG(status == GF_OK, "%s", error.message);
        const int64_t at = difference(&out, &right);
        CHECK_MSG(at < 0, "%s, memory %d to %d, slack %d: byte %lld of run %d", stages, from, to, (int)slack,
                  (long long)at, run);
        check_result(exec, right_text);
    }
    CHECK_EQ_INT(gf_exec_run_stats(exec, &stats), GF_OK);
    CHECK_EQ_INT((long long)stats.peak_memory, (long long)gf_plan_memory(b->plan));
    gf_exec_destroy(&exec);
    free_picture(&right);
    free_picture(&out);
    free_picture(&in);
}

static void all_memories(void)
{
    static const struct {
        const char *stages;
        gf_shape shape;
    } chains[] = {
        {"gray,hist", {900, 800, 3, GF_U8}},   /* three pieces, and a part of one */
        {"invert", {1024, 1024, 1, GF_U8}},    /* one piece to the byte */
        {"invert", {1023, 1026, 1, GF_U8}},    /* rows that are shorter than their pitch */
        {"invert,hist", {256, 256, 1, GF_U8}}, /* the smallest that is staged */
        {"invert,hist", {255, 256, 1, GF_U8}}, /* and one that is not */
        {"invert", {900001, 2, 1, GF_U16}},    /* rows of more than a piece */
        {"invert", {700003, 1, 1, GF_F32}},    /* a signal */
        {"gray", {PIECE / 4, 3, 4, GF_U8}},    /* rows of a piece */
    };
    if (!parity_has_cuda()) {
        SKIP("no CUDA device");
    }
    for (size_t c = 0; c < sizeof chains / sizeof *chains; c++) {
        for (int32_t threads = 1; threads <= 8; threads = threads == 1 ? 3 : threads + 5) {
            struct bound b;
            if (bind(chains[c].stages, chains[c].shape, 0, threads, 0, &b) == GF_OK) {
                for (int kinds = 0; kinds < MEMORIES * MEMORIES; kinds++) {
                    if (check_slice(kinds + (long)c, MEMORIES * MEMORIES) &&
                        (kinds == 0 || (kinds + (int)c + threads) % 3 == 0)) {
                        check_memories(chains[c].stages, &b, kinds / MEMORIES, kinds % MEMORIES,
                                       kinds % 2 ? 36 : 0);
                    }
                }
            }
            unbind(&b);
        }
    }
}

/* ---- with less memory ---- */

/* The limit takes piece after piece, and then bands; the bits stay. */
static void limits(void)
{
    static const gf_shape shape = {1000, 900, 3, GF_U8};
    struct bound b;
    if (!parity_has_cuda()) {
        SKIP("no CUDA device");
    }
    REQUIRE(bind("gray,hist", shape, 0, 2, 0, &b) == GF_OK);
    const uint64_t all = gf_plan_memory(b.plan);
    unbind(&b);
    for (int fewer = 0; fewer < 5; fewer++) {
        const uint64_t limit = all - (uint64_t)fewer * PIECE - (fewer > 0);
        REQUIRE(bind("gray,hist", shape, 0, 2, limit, &b) == GF_OK);
        CHECK(gf_plan_memory(b.plan) <= limit);
        CHECK(fewer > 0 || gf_plan_memory(b.plan) == all);
        check_memories("gray,hist", &b, PAGEABLE, PAGEABLE, 0);
        unbind(&b);
    }
}

/* ---- several at a time ---- */

struct flight {
    const struct bound *b;
    gf_exec *exec;
    struct picture in, out, right;
    char text[1 << 14];
    int seed;
    bool ready;
};

static bool prepare(const char *stages, const struct bound *b, enum memory memory, int seed, struct flight *f)
{
    gf_error error = GF_ERROR_INIT;
    *f = (struct flight){.b = b, .seed = seed};
    f->ready = make_picture(gf_plan_input(b->plan), 0, memory, &f->in) &&
               make_picture(gf_plan_output(b->plan), 0, memory, &f->out);
    fill(&f->in, 77 + (uint32_t)seed);
    f->ready = f->ready && judge(stages, &f->in, &f->right, f->text, sizeof f->text) &&
               gf_exec_create(b->plan, &f->exec, &error) == GF_OK;
    CHECK_MSG(f->ready, "%s", error.message);
    return f->ready;
}

static void finish(struct flight *f)
{
    gf_exec_destroy(&f->exec);
    free_picture(&f->in);
    free_picture(&f->out);
    free_picture(&f->right);
}

static void check_flight(const struct flight *f)
{
    CHECK_EQ_INT(difference(&f->out, &f->right), -1);
    check_result(f->exec, f->text);
}

static const char of_flights[] = "gray,blur:sigma=1,hist";
static const gf_shape in_flight = {640, 600, 3, GF_U8};

/* By one thread: all are begun before the first is finished. */
static void submitted(void)
{
    static struct flight flights[MOST_IN_FLIGHT];
    gf_error error = GF_ERROR_INIT;
    if (!parity_has_cuda()) {
        SKIP("no CUDA device");
    }
    for (int memory = 0; memory < MEMORIES; memory++) {
        struct bound b;
        REQUIRE(bind(of_flights, in_flight, 0, 2, 0, &b) == GF_OK);
        for (int i = 0; i < MOST_IN_FLIGHT; i++) {
            REQUIRE(prepare(of_flights, &b, (enum memory)memory, i, &flights[i]));
        }
        for (int run = 0; run < RUNS * MOST_IN_FLIGHT; run++) {
            struct flight *f = &flights[run % MOST_IN_FLIGHT];
            if (run >= MOST_IN_FLIGHT) {
                CHECK_EQ_INT(gf_exec_submit(f->exec, &f->in.image, &f->out.image, &error), GF_ERROR_ARGUMENT);
                CHECK_EQ_INT(gf_exec_finish(f->exec, &error), GF_OK);
                check_flight(f);
            }
            memset(f->out.image.data, 0x5b, f->out.bytes);
            CHECK_EQ_INT(gf_exec_submit(f->exec, &f->in.image, &f->out.image, &error), GF_OK);
        }
        CHECK_EQ_INT(gf_exec_finish(flights[1].exec, &error), GF_OK); /* the others are destroyed under way */
        check_flight(&flights[1]);
        for (int i = 0; i < MOST_IN_FLIGHT; i++) {
            finish(&flights[i]);
        }
        unbind(&b);
    }
}

static void *run_many(void *argument)
{
    struct flight *f = argument;
    for (int run = 0; f->ready && run < RUNS; run++) {
        gf_error error = GF_ERROR_INIT;
        memset(f->out.image.data, 0x5b, f->out.bytes);
        f->ready = gf_exec_run(f->exec, &f->in.image, &f->out.image, &error) == GF_OK &&
                   difference(&f->out, &f->right) < 0;
    }
    return NULL;
}

/* A thread an exec, all of one plan, and where there are two devices half of them on the other. */
static void threads_run(gf_device second)
{
    static struct flight flights[MOST_IN_FLIGHT];
    pthread_t threads[MOST_IN_FLIGHT];
    struct bound b, other;
    REQUIRE(bind(of_flights, in_flight, 0, 2, 0, &b) == GF_OK);
    REQUIRE(bind(of_flights, in_flight, second, 1, 0, &other) == GF_OK);
    for (int i = 0; i < MOST_IN_FLIGHT; i++) {
        REQUIRE(prepare(of_flights, i % 2 ? &other : &b, i == 3 ? PINNED : PAGEABLE, i, &flights[i]));
    }
    for (int i = 0; i < MOST_IN_FLIGHT; i++) {
        CHECK_EQ_INT(pthread_create(&threads[i], NULL, run_many, &flights[i]), 0);
    }
    for (int i = 0; i < MOST_IN_FLIGHT; i++) {
        pthread_join(threads[i], NULL);
        CHECK(flights[i].ready);
        check_flight(&flights[i]);
        finish(&flights[i]);
    }
    unbind(&other);
    unbind(&b);
}

static void in_threads(void)
{
    if (!parity_has_cuda()) {
        SKIP("no CUDA device");
    }
    threads_run(0);
}

static void on_two_devices(void)
{
    if (!has_device(1)) {
        SKIP("no second CUDA device (GF_EMU_DEVICES=2 emulates one)");
    }
    threads_run(1);
}

/* ---- in bands ---- */

/* What is left of the memory goes to pieces, which give way to a source that wants all held; and a picture in
 * bands has the bits of one at once, whatever its memory and however the bands come. */
static void in_bands(void)
{
    static const gf_shape shape = {900, 1500, 3, GF_U8};
    static const char stages[] = "gray,blur:sigma=2,hist";
    struct bound b;
    struct flight f;
    gf_error error = GF_ERROR_INIT;
    if (!parity_has_cuda()) {
        SKIP("no CUDA device");
    }
    REQUIRE(bind(stages, shape, 0, 2, 0, &b) == GF_OK);
    const uint64_t all = gf_plan_memory(b.plan);
    unbind(&b);
    for (int share = 3; share < 40; share = share * 3) { /* of the memory */
        gf_band_info bands = {.struct_size = sizeof bands};
        REQUIRE(bind(stages, shape, 0, 2, all / (uint64_t)share, &b) == GF_OK);
        CHECK(gf_plan_bands(b.plan, &bands) == GF_OK && bands.count > 1 &&
              gf_plan_memory(b.plan) <= all / (uint64_t)share);
        for (int memory = 0; memory < MEMORIES; memory++) {
            REQUIRE(prepare(stages, &b, (enum memory)memory, share, &f));
            for (int run = 0; run < 2; run++) {
                memset(f.out.image.data, 0x5b, f.out.bytes);
                CHECK_EQ_INT(gf_exec_run(f.exec, &f.in.image, &f.out.image, &error), GF_OK);
                check_flight(&f);
            }
            finish(&f);
        }
        unbind(&b);
    }
}

/* Of a source that gives all rows at once, or some at a time, to a sink. */
static void streamed(void)
{
    static const gf_shape shape = {1500, 4000, 3, GF_U8}; /* more than a band of a GPU */
    static const char stages[] = "gray,hist";
    struct flight f;
    gf_error error = GF_ERROR_INIT;
    if (!parity_has_cuda()) {
        SKIP("no CUDA device");
    }
    for (int whole = 0; whole < 2; whole++) {
        struct bound b;
        gf_band_info bands = {.struct_size = sizeof bands};
        gf_plan_options options = GF_PLAN_OPTIONS_INIT;
        REQUIRE(bind(stages, shape, 0, 2, 0, &b) == GF_OK);
        options.device = 0;
        options.threads = 2;
        options.stream_rows = whole ? 0 : GF_STREAM_CHOSEN;
        options.memory_limit =
            gf_plan_memory(b.plan) + (uint64_t)shape.width * 3 * (uint64_t)shape.height + PIECE;
        gf_plan_destroy(&b.plan);
        CHECK_EQ_INT(gf_plan_create(b.context, b.pipeline, &shape, &options, &b.plan, &error), GF_OK);
        CHECK(gf_plan_bands(b.plan, &bands) == GF_OK && (bands.count > 1) == !whole);
        REQUIRE(prepare(stages, &b, PAGEABLE, whole, &f));
        struct image_rows from = {.image = &f.in.image}, to = {.image = &f.out.image};
        gf_source source = image_source(&from);
        gf_sink sink = image_sink(&to);
        source.whole = whole;
        memset(f.out.image.data, 0x5b, f.out.bytes);
        gf_status status = gf_exec_stream(f.exec, &source, &sink, &error);
        CHECK_MSG(status == GF_OK, "%s", error.message);
        check_flight(&f);
        finish(&f);
        unbind(&b);
    }
}

/* ---- the calls ---- */

static void pinning(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *picture = NULL;
    const gf_shape shape = {50, 40, 3, GF_U16};
    static char memory[1 << 16];
    void *made = NULL;
    for (gf_device device = GF_DEVICE_CPU; device < (parity_has_cuda() ? 1 : 0); device++) {
        CHECK_EQ_INT(gf_pinned_allocate(device, 0, &made, &error), GF_ERROR_ARGUMENT);
        CHECK_EQ_INT(gf_pinned_allocate(device, 1000, &made, &error), GF_OK);
        CHECK(made && (uintptr_t)made % 256 == 0);
        gf_pinned_release(device, made);
        CHECK_EQ_INT(gf_memory_pin(device, memory, sizeof memory, &error), GF_OK);
        if (device >= 0) {
            CHECK_EQ_INT(gf_memory_pin(device, memory, sizeof memory, &error), GF_ERROR_ARGUMENT);
            CHECK_STR_HAS(error.message, "some of it is pinned already");
        }
        CHECK_EQ_INT(gf_memory_unpin(device, memory, &error), GF_OK);
        if (device >= 0) {
            CHECK_EQ_INT(gf_memory_unpin(device, memory, &error), GF_ERROR_ARGUMENT);
            CHECK_STR_HAS(error.message, "was not pinned by gf_memory_pin");
        }
        CHECK_EQ_INT(gf_picture_create_pinned(&shape, device, &picture, &error), GF_OK);
        CHECK(picture && picture->image.pitch % 64 == 0 && picture->image.device == GF_DEVICE_CPU);
        for (int64_t i = 0; picture && i < picture->image.pitch * shape.height; i++) {
            CHECK(((char *)picture->image.data)[i] == 0);
        }
        gf_picture_destroy(&picture);
    }
    if (!gf_has_cuda()) {
        CHECK_EQ_INT(gf_pinned_allocate(0, 8, &made, &error), GF_ERROR_UNSUPPORTED);
        CHECK_EQ_INT(gf_picture_create_pinned(&shape, 0, &picture, &error), GF_ERROR_UNSUPPORTED);
        CHECK(!picture);
    }
}

static const struct check_case cases[] = {
    {"pinning", pinning},
    {"all kinds of memory, there and back", all_memories},
    {"memory limits", limits},
    {"several submitted", submitted},
    {"several threads", in_threads},
    {"two devices", on_two_devices},
    {"in bands", in_bands},
    {"streamed", streamed},
};
CHECK_MAIN(cases)
