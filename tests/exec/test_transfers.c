/* Pictures of the host on their way to a device and back: pageable, pinned and registered memory, of all
 * shapes, through pieces, by several threads. The judge is an exec on the CPU. */
#include "transfers_case.h"

#ifdef GF_EMU
#include "emu_control.h"
#endif

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
        {"gray,hist", {SIDE * 9 / 10, SIDE * 8 / 10, 3, GF_U8}}, /* three pieces, and a part of one */
        {"invert", {SIDE, SIDE, 1, GF_U8}},                      /* one piece to the byte */
        {"invert", {SIDE - 1, SIDE + 2, 1, GF_U8}},              /* rows that are shorter than their pitch */
        {"invert,hist", {256, 256, 1, GF_U8}},                   /* the smallest that is staged */
        {"invert,hist", {255, 256, 1, GF_U8}},                   /* and one that is not */
        {"invert", {PIECE / 8 * 7 + 1, 2, 1, GF_U16}},           /* rows of more than a piece */
        {"invert", {PIECE / 3 * 2 + 3, 1, 1, GF_F32}},           /* a signal */
        {"gray", {PIECE / 4, 3, 4, GF_U8}},                      /* rows of a piece */
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
    static const gf_shape shape = {SIDE, SIDE * 9 / 10, 3, GF_U8};
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

/* ---- a thread that is held up ---- */

/* While one thread takes long to queue a copy, the other empties the queue of pieces that are filling. */
static void held_up(void)
{
#ifdef GF_EMU
    const gf_shape shape = {SIDE, 20 * SIDE, 1, GF_U8};
    struct bound b;
    REQUIRE(bind("invert", shape, 0, 2, 0, &b) == GF_OK);
    gf_emu_options.delay = 10;
    check_memories("invert", &b, PAGEABLE, PAGEABLE, 0);
    gf_emu_options.delay = 0;
    unbind(&b);
#else
    SKIP("only the emulated device holds a thread up");
#endif
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
    {"a thread is held up", held_up},
};
CHECK_MAIN(cases)
