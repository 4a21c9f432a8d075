/* Several pictures on their way at a time: submitted by one thread, by threads, on two devices, and the bands
 * of one picture. The judge is an exec on the CPU. */
#include "image_rows.h"
#include "transfers_case.h"

#include <pthread.h>

enum { RUNS = 4, MOST_IN_FLIGHT = 4 };

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
static const gf_shape in_flight = {SIDE * 5 / 8, SIDE * 9 / 16, 3, GF_U8};

/* One thread submits: all are begun before the first is finished. */
static void submitted(void)
{
    static struct flight flights[MOST_IN_FLIGHT];
    gf_error error = GF_ERROR_INIT;
    if (!parity_has_cuda()) {
        SKIP("no CUDA device");
    }
    for (int memory = 0; memory < MEMORIES; memory++) {
        struct bound b;
        if (!check_slice(memory, MEMORIES)) {
            continue;
        }
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

static bool has_device(gf_device device)
{
    gf_context *context = NULL;
    gf_device_description description = {.struct_size = sizeof description};
    const bool has = gf_context_create(NULL, &context, NULL) == GF_OK &&
                     gf_device_describe(context, device + 1, 1, &description, NULL) == GF_OK;
    gf_context_destroy(&context);
    return has;
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
#ifdef GF_EMU
    static const gf_shape shape = {24, 2000, 3, GF_U8}; /* small, and yet many times the least band */
#else
    static const gf_shape shape = {900, 1500, 3, GF_U8};
#endif
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
            if (!check_slice(memory + share / 3, MEMORIES)) {
                continue;
            }
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

/* A source gives all rows at once, or some at a time, to a sink. */
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
        options.memory_limit = gf_plan_memory(b.plan) + (uint64_t)shape.width * 4 * (uint64_t)shape.height +
                               2 * PIECE; /* both pictures held */
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

static const struct check_case cases[] = {
    {"several submitted", submitted}, {"several threads", in_threads}, {"two devices", on_two_devices},
    {"in bands", in_bands},           {"streamed", streamed},
};
CHECK_MAIN(cases)
