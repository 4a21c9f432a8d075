/* Pictures on their way through pieces when a call of CUDA fails, in any of the threads that copy: every call
 * in turn. What a failed run leaves behind must not disturb the next one, nor may anything be left in the
 * end. */
#include "check.h"
#include "emu_control.h"
#include "gpufilter/gpufilter.h"

enum { LOST = 719, REFUSED = 999, OUT_OF_MEMORY = 2, MOST_CALLS = 1000 };
enum { WIDTH = 256, HEIGHT = 513 }; /* of an emulated device a piece is 65536 bytes */

int emu_last_error(void);

static uint8_t in_samples[WIDTH * HEIGHT], out_samples[2][WIDTH * HEIGHT];

static struct {
    gf_context *context;
    gf_pipeline *pipeline;
    gf_plan *plan;
    gf_exec *exec[2];
    gf_image in, out[2];
    gf_error error;
} now;

/* Three pieces of rows there and back, by three threads. */
static gf_status set_up(void)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    now.error = (gf_error)GF_ERROR_INIT;
    now.in = gf_image_view(in_samples, WIDTH, HEIGHT, 1, GF_U8, 0);
    options.device = 0;
    options.threads = 3;
    gf_status status = gf_context_create(NULL, &now.context, &now.error);
    status = status == GF_OK ? gf_pipeline_parse("invert", NULL, 0, &now.pipeline, &now.error) : status;
    status = status == GF_OK
                 ? gf_plan_create(now.context, now.pipeline, &now.in.shape, &options, &now.plan, &now.error)
                 : status;
    for (int i = 0; i < 2; i++) {
        now.out[i] = gf_image_view(out_samples[i], WIDTH, HEIGHT, 1, GF_U8, 0);
        status = status == GF_OK ? gf_exec_create(now.plan, &now.exec[i], &now.error) : status;
    }
    for (int64_t i = 0; i < (int64_t)sizeof in_samples; i++) {
        in_samples[i] = (uint8_t)(i * 2654435761 >> 24);
    }
    return status;
}

static void tear_down(void)
{
    gf_exec_destroy(&now.exec[0]);
    gf_exec_destroy(&now.exec[1]);
    gf_plan_destroy(&now.plan);
    gf_pipeline_destroy(&now.pipeline);
    gf_context_destroy(&now.context);
    CHECK_EQ_INT((long long)gf_emu_leaked(), 0);
    gf_emu_fail_call(0, 0, false);
    gf_emu_reset();
}

/* Both execs, the second begun before the first is finished. */
static gf_status run_both(void)
{
    gf_status status[2], first = GF_OK;
    memset(out_samples, 0x5b, sizeof out_samples);
    for (int i = 0; i < 2; i++) {
        status[i] = gf_exec_submit(now.exec[i], &now.in, &now.out[i], &now.error);
        first = first == GF_OK ? status[i] : first;
    }
    for (int i = 0; i < 2; i++) {
        gf_status finished = status[i] == GF_OK ? gf_exec_finish(now.exec[i], &now.error) : GF_OK;
        first = first == GF_OK ? finished : first;
    }
    return first;
}

static void check_pictures(void)
{
    for (int i = 0; i < 2; i++) {
        int64_t at = 0;
        while (at < (int64_t)sizeof in_samples && out_samples[i][at] == 255 - in_samples[at]) {
            at++;
        }
        CHECK_EQ_INT(at, (long long)sizeof in_samples);
    }
}

static void fail_each(int code, gf_status expected)
{
    bool failed = true;
    long n = 1;
    for (; failed && n < MOST_CALLS; n++) {
        REQUIRE(set_up() == GF_OK);
        gf_emu_fail_call(n, code, false);
        gf_status status = run_both();
        failed = gf_emu_calls() >= n;
        CHECK_EQ_INT(status, failed ? expected : GF_OK);
        CHECK(!failed || (now.error.code == expected && strstr(now.error.message, "CUDA error")) ||
              code == LOST);
        gf_emu_fail_call(0, 0, false);
        if (code != LOST) {
            CHECK_EQ_INT(emu_last_error(), 0);
            status = run_both();
            CHECK_MSG(status == GF_OK, "after call %ld failed: %s", n, now.error.message);
            check_pictures();
        } else if (failed) {
            CHECK_EQ_INT(run_both(), GF_ERROR_DEVICE);
            CHECK_STR_HAS(now.error.message, "device emu:0 is lost");
        }
        tear_down();
    }
    CHECK_MSG(n > 60 && n < MOST_CALLS, "%ld calls", n);
}

static void refused(void)
{
    fail_each(REFUSED, GF_ERROR_DEVICE);
}

static void out_of_memory(void)
{
    fail_each(OUT_OF_MEMORY, GF_ERROR_MEMORY);
}

static void lost(void)
{
    fail_each(LOST, GF_ERROR_DEVICE);
}

/* What an exec gives back the next one takes: no pinned memory is made again. */
static void pieces_are_kept(void)
{
    REQUIRE(set_up() == GF_OK);
    CHECK_EQ_INT(run_both(), GF_OK);
    const uint64_t before = gf_emu_leaked();
    for (int i = 0; i < 10; i++) {
        gf_exec_destroy(&now.exec[i % 2]);
        CHECK_EQ_INT(gf_exec_create(now.plan, &now.exec[i % 2], &now.error), GF_OK);
        CHECK_EQ_INT(run_both(), GF_OK);
        CHECK_EQ_INT((long long)gf_emu_leaked(), (long long)before);
    }
    check_pictures();
    tear_down();
}

static const struct check_case cases[] = {
    {"calls are refused", refused},
    {"memory is short", out_of_memory},
    {"the device is lost", lost},
    {"pieces are kept", pieces_are_kept},
};
CHECK_MAIN(cases)
