/* What the library does when its device fails, on the emulated device: every call of CUDA in turn,
 * recoverable errors and those after which the device is lost. */
#include "lost_device_case.h"
#include "plan/plan.h"

/* No use of a lost device calls CUDA, and each says so. */
static void check_lost(void)
{
    gf_device_description description = {.struct_size = sizeof description};
    struct side another = {0};
    long calls = gf_emu_calls();
    CHECK_EQ_INT(run(&now.gpu), GF_ERROR_DEVICE);
    CHECK_STR_HAS(now.error.message, "device emu:0 is lost");
    CHECK_EQ_INT(gf_device_describe(now.context, 1, 1, &description, &now.error), GF_ERROR_DEVICE);
    CHECK_STR_HAS(now.error.message, "device emu:0 is lost");
    CHECK_EQ_INT(plan_on(0, &another), GF_OK); /* needs no device */
    CHECK_EQ_INT(gf_exec_create(another.plan, &another.exec, &now.error), GF_ERROR_DEVICE);
    close_side(&another);
    CHECK_EQ_INT(plan_on(GF_DEVICE_AUTO, &another), GF_OK);
    CHECK_EQ_INT(gf_plan_device(another.plan), GF_DEVICE_CPU);
    CHECK_STR(gf_plan_device_reason(another.plan), "auto: emu:0 is lost");
    CHECK_EQ_INT(gf_verify_judge(another.plan), GF_DEVICE_REFERENCE);
    close_side(&another);
    CHECK_EQ_INT(gf_emu_calls(), calls);
    CHECK_EQ_INT(now.warnings, 1);
}

static void lost_at_every_call(void)
{
    long n = 1;
    for (bool failed = true; failed && n < MOST_CALLS; n++) {
        REQUIRE(set_up());
        gf_emu_fail_call(n, LOST, false);
        gf_status status = run(&now.gpu);
        failed = gf_emu_calls() >= n;
        CHECK_EQ_INT(status, failed ? GF_ERROR_DEVICE : GF_OK);
        if (failed) {
            CHECK_EQ_INT(now.error.code, GF_ERROR_DEVICE);
            CHECK_STR_HAS(now.error.message, ": unspecified launch failure (CUDA error 719)");
            if (now.gpu.exec) { /* the call that failed was the last; making an exec also releases */
                CHECK_EQ_INT(gf_emu_calls(), n);
            }
            check_lost();
        }
        check_cpu(now.gpu.plan);
        CHECK_STR(gf_plan_device_reason(now.cpu.plan), "because");
        if (!failed) {
            check_same();
        }
        tear_down();
    }
    check_that(n > 50 && n < MOST_CALLS, __FILE__, __LINE__, "%ld calls", n);
}

/* One failed call: its status, and the device still works, in the same exec where there is one. */
static void recovers_at_every_call(int code, gf_status expected)
{
    bool failed = true;
    for (long n = 1; failed && n < MOST_CALLS; n++) {
        REQUIRE(set_up());
        gf_emu_fail_call(n, code, false);
        gf_status status = run(&now.gpu);
        failed = gf_emu_calls() >= n;
        CHECK_EQ_INT(status, failed ? expected : GF_OK);
        CHECK_EQ_INT(emu_last_error(), 0);
        gf_emu_fail_call(0, 0, false);
        status = run(&now.gpu);
        check_that(status == GF_OK, __FILE__, __LINE__, "after call %ld failed: %s", n, now.error.message);
        check_cpu(NULL);
        check_same();
        CHECK_EQ_INT(now.warnings, 0);
        tear_down();
    }
}

static void memory_recovers(void)
{
    recovers_at_every_call(OUT_OF_MEMORY, GF_ERROR_MEMORY);
}

static void refusal_recovers(void)
{
    recovers_at_every_call(REFUSED, GF_ERROR_DEVICE);
}

/* Calls that go on failing, without the device being lost: each run says so, none crashes, nothing is left.
 */
static void refused_for_good(void)
{
    bool failed = true;
    for (long n = 1; failed && n < MOST_CALLS; n++) {
        REQUIRE(set_up());
        gf_emu_fail_call(n, REFUSED, true);
        gf_status status = run(&now.gpu);
        failed = gf_emu_calls() >= n;
        CHECK_EQ_INT(status, failed ? GF_ERROR_DEVICE : GF_OK);
        if (failed) {
            CHECK_EQ_INT(run(&now.gpu), GF_ERROR_DEVICE);
        }
        check_cpu(now.gpu.plan);
        tear_down();
    }
}

/* A launch in the middle of the chain fails with the error. */
static gf_status fail_a_launch(int code)
{
    for (long n = 1; n < MOST_CALLS; n++) {
        if (!set_up()) {
            return GF_ERROR_INTERNAL;
        }
        gf_emu_fail_call(n, code, false);
        gf_status status = run(&now.gpu);
        if (!strncmp(now.error.message, "kernel gf_otsu_kernel: ", 23)) {
            return status;
        }
        tear_down();
    }
    return GF_ERROR_INTERNAL;
}

static void every_code(void)
{
    static const struct {
        int code;
        gf_status status;
        bool lost;
    } expected[] = {
        {1, GF_ERROR_INTERNAL, false},   {2, GF_ERROR_MEMORY, false},   {9, GF_ERROR_INTERNAL, false},
        {400, GF_ERROR_INTERNAL, false}, {35, GF_ERROR_DEVICE, false},  {46, GF_ERROR_DEVICE, false},
        {98, GF_ERROR_DEVICE, false},    {100, GF_ERROR_DEVICE, false}, {209, GF_ERROR_DEVICE, false},
        {701, GF_ERROR_DEVICE, false},   {801, GF_ERROR_DEVICE, false}, {999, GF_ERROR_DEVICE, false},
        {214, GF_ERROR_DEVICE, true},    {220, GF_ERROR_DEVICE, true},  {226, GF_ERROR_DEVICE, true},
        {700, GF_ERROR_DEVICE, true},    {702, GF_ERROR_DEVICE, true},  {710, GF_ERROR_DEVICE, true},
        {714, GF_ERROR_DEVICE, true},    {715, GF_ERROR_DEVICE, true},  {716, GF_ERROR_DEVICE, true},
        {717, GF_ERROR_DEVICE, true},    {718, GF_ERROR_DEVICE, true},  {719, GF_ERROR_DEVICE, true},
        {721, GF_ERROR_DEVICE, true},    {810, GF_ERROR_DEVICE, true},  {911, GF_ERROR_DEVICE, true},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char number[32];
        snprintf(number, sizeof number, "(CUDA error %d)", expected[i].code);
        check_int(fail_a_launch(expected[i].code), expected[i].status, number, __FILE__, __LINE__);
        CHECK_STR_HAS(now.error.message, number);
        CHECK_EQ_INT(now.error.stage, 2);
        if (expected[i].lost) {
            check_lost();
        } else {
            CHECK_EQ_INT(run(&now.gpu), GF_OK);
        }
        tear_down();
    }
}

/* The arena is one allocation: the message says how large. */
static void memory_says_how_much(void)
{
    bool seen = false;
    for (long n = 1; !seen && n < MOST_CALLS; n++) {
        REQUIRE(set_up());
        char expected[64];
        snprintf(expected, sizeof expected, "cudaMalloc of %llu bytes: out of memory",
                 (unsigned long long)now.gpu.plan->buffers.total);
        gf_emu_fail_call(n, 0, false);
        gf_status status = run(&now.gpu);
        seen = status == GF_ERROR_MEMORY;
        if (seen) {
            CHECK_STR_HAS(now.error.message, expected);
        }
        tear_down();
    }
    CHECK(seen);
}

/* A picture in memory of the device. */
static gf_image on_device(gf_shape of)
{
    gf_image image = {.struct_size = sizeof image, .shape = of, .pitch = 256, .device = 0};
    gf_backend_cuda.allocate(0, 256 * (size_t)of.height, &image.data, NULL);
    return image;
}

/* Work of two execs is under way when the device is lost: the first to finish hears it from CUDA as it brings
 * its results, the other from the context. */
static void lost_while_pending(void)
{
    REQUIRE(set_up());
    gf_exec *second = NULL;
    gf_image in = on_device(shape),
             out[2] = {on_device(gf_plan_output(now.gpu.plan)), on_device(gf_plan_output(now.gpu.plan))};
    REQUIRE(in.data && out[0].data && out[1].data);
    CHECK_EQ_INT(gf_exec_create(now.gpu.plan, &now.gpu.exec, &now.error), GF_OK);
    CHECK_EQ_INT(gf_exec_create(now.gpu.plan, &second, &now.error), GF_OK);
    CHECK_EQ_INT(gf_exec_enqueue(now.gpu.exec, &in, &out[0], NULL, &now.error), GF_OK);
    CHECK_EQ_INT(gf_exec_enqueue(second, &in, &out[1], NULL, &now.error), GF_OK);
    gf_emu_fail_call(2, LOST, false);
    CHECK_EQ_INT(gf_exec_finish(now.gpu.exec, &now.error), GF_ERROR_DEVICE);
    CHECK_STR_HAS(now.error.message, "cudaMemcpyAsync: unspecified launch failure");
    long calls = gf_emu_calls();
    CHECK_EQ_INT(gf_exec_enqueue(now.gpu.exec, &in, &out[0], NULL, &now.error), GF_ERROR_DEVICE);
    CHECK_EQ_INT(gf_exec_finish(second, &now.error), GF_ERROR_DEVICE);
    CHECK_STR_HAS(now.error.message, "device emu:0 is lost");
    CHECK_EQ_INT(gf_exec_finish(second, &now.error), GF_OK); /* nothing is under way any more */
    CHECK_EQ_INT(gf_emu_calls(), calls);
    gf_exec_destroy(&second);
    gf_backend_cuda.release(0, in.data);
    gf_backend_cuda.release(0, out[0].data);
    gf_backend_cuda.release(0, out[1].data);
    tear_down();
}

/* Destroyed with work under way, without gf_exec_finish. */
static void destroyed_while_pending(void)
{
    for (int lost = 0; lost < 2; lost++) {
        REQUIRE(set_up());
        gf_image in = on_device(shape), out = on_device(gf_plan_output(now.gpu.plan));
        CHECK_EQ_INT(gf_exec_create(now.gpu.plan, &now.gpu.exec, &now.error), GF_OK);
        CHECK_EQ_INT(gf_exec_enqueue(now.gpu.exec, &in, &out, NULL, &now.error), GF_OK);
        gf_emu_fail_call(lost ? 1 : 0, LOST, false);
        gf_exec_destroy(&now.gpu.exec);
        gf_backend_cuda.release(0, in.data);
        gf_backend_cuda.release(0, out.data);
        tear_down();
    }
}

/* Another context of the process meets the same error, until the process ends; here gf_emu_reset stands for
 * that. */
static void another_context(void)
{
    CHECK_EQ_INT(fail_a_launch(LOST), GF_ERROR_DEVICE);
    gf_context *before = now.context;
    CHECK_EQ_INT(gf_context_create(NULL, &now.context, &now.error), GF_OK);
    struct side another = {0};
    CHECK_EQ_INT(plan_on(0, &another), GF_OK);
    CHECK_EQ_INT(gf_exec_create(another.plan, &another.exec, &now.error), GF_ERROR_DEVICE);
    CHECK_STR_HAS(now.error.message, "(CUDA error 719)");
    CHECK_EQ_INT(gf_exec_create(another.plan, &another.exec, &now.error), GF_ERROR_DEVICE);
    CHECK_STR_HAS(now.error.message, "device emu:0 is lost");
    close_side(&another);
    gf_context_destroy(&now.context);
    now.context = before;
    tear_down();
}

/* ---- verification ---- */

static gf_status copy_rows(const gf_image *in, gf_image *out)
{
    for (int64_t y = 0; y < in->shape.height; y++) {
        memcpy((char *)out->data + y * out->pitch, (const char *)in->data + y * in->pitch,
               (size_t)(in->shape.width * in->shape.channels));
    }
    return GF_OK;
}

static gf_status cheats(const gf_image *in, gf_image *out, const void *args, gf_error *error)
{
    (void)args;
    (void)error;
    copy_rows(in, out);
    ((unsigned char *)out->data)[3 * out->pitch + 5] ^= 1;
    return GF_OK;
}

/* The memory of the emulated device is the host's. */
static gf_status is_honest(const gf_image *in, gf_image *out, const void *args, void *stream, gf_error *error)
{
    (void)args;
    (void)stream;
    (void)error;
    return copy_rows(in, out);
}

static void lower_cheat(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id v = gf_lower_input(l);
    gf_shape of = gf_lower_shape(l, v);
    gf_lower_output(l, gf_lower_call(l, v, &of, cheats, is_honest, NULL));
}

/* A difference that was found stands, also when the device fails in the search for its stage. */
static void mismatch_stands(void)
{
    static const gf_stage_type cheat_type = {.struct_size = sizeof(gf_stage_type),
                                             .name = "cheat",
                                             .group = "own",
                                             .summary = "one wrong pixel, on the CPU only",
                                             .formula = "-",
                                             .lower = lower_cheat};
    static const gf_stage_type *const own[] = {&cheat_type};
    int found[3] = {0}; /* the device failed; a difference, its stage not sought to the end; and to the end */
    for (long n = 1; n < MOST_CALLS && !found[2]; n++) {
        REQUIRE(set_up());
        gf_pipeline_destroy(&now.pipeline);
        REQUIRE(gf_pipeline_parse("invert,cheat,invert", own, 1, &now.pipeline, &now.error) == GF_OK);
        REQUIRE(plan_on(GF_DEVICE_CPU, &now.cpu) == GF_OK && run(&now.cpu) == GF_OK);
        gf_mismatch mismatch = {.struct_size = sizeof mismatch};
        gf_emu_fail_call(n, LOST, false);
        gf_status status =
            gf_verify(now.cpu.exec, &now.in.image, &now.cpu.out.image, 0, &mismatch, &now.error);
        CHECK_EQ_INT(status, mismatch.count ? GF_ERROR_MISMATCH : GF_ERROR_DEVICE);
        if (mismatch.count) {
            CHECK_EQ_INT(mismatch.y, 3);
            CHECK(mismatch.stage == 1 || mismatch.stage == 2);
        }
        found[!mismatch.count ? 0 : mismatch.stage == 2 ? 1 : 2]++;
        tear_down();
    }
    CHECK(found[0] > 10 && found[1] > 10 && found[2] == 1);
}

static const struct check_case cases[] = {
    {"lost at every call", lost_at_every_call},
    {"out of memory at every call: it recovers", memory_recovers},
    {"refused at every call: it recovers", refusal_recovers},
    {"refused from every call on", refused_for_good},
    {"every CUDA error", every_code},
    {"out of device memory says how much was asked for", memory_says_how_much},
    {"lost while work is pending", lost_while_pending},
    {"destroyed while work is pending", destroyed_while_pending},
    {"another context", another_context},
    {"a mismatch stands when the device fails", mismatch_stands},
};
CHECK_MAIN(cases)
