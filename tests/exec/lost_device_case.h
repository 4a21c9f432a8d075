/* lost_device_case.h: one chain on the emulated device and on the CPU, with all memory counted, for
 * test_lost_device.c. */
#ifndef LOST_DEVICE_CASE_H
#define LOST_DEVICE_CASE_H

#include "base/device.h"
#include "check.h"
#include "emu_control.h"
#include "gpufilter/gpufilter.h"
#include "parity.h"
#include "plan_cases.h"

#include <stdlib.h>

enum { LOST = 719, REFUSED = 999, OUT_OF_MEMORY = 2, MOST_CALLS = 1000 };

int emu_last_error(void);

/* ---- host memory that is counted ---- */

static long blocks;

static void *counted_allocate(void *user, size_t bytes)
{
    (void)user;
    blocks++;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void counted_release(void *user, void *memory)
{
    (void)user;
    blocks--;
    free(memory);
}

/* ---- one chain on the device, and what must come out ---- */

static const char chain[] = "gray,blur:sigma=1,threshold:otsu,hist";
static const gf_shape shape = {37, 19, 3, GF_U8};

struct side {
    gf_plan *plan;
    gf_exec *exec;
    struct parity_picture out;
};

static struct {
    gf_context *context;
    gf_pipeline *pipeline;
    struct parity_picture in;
    struct side gpu, cpu;
    gf_error error;
    int warnings;
} now;

static gf_status plan_on(gf_device device, struct side *side)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = device;
    options.threads = 1;
    return gf_plan_create(now.context, now.pipeline, &shape, &options, &side->plan, &now.error);
}

/* Warnings, all in one: that the device is lost. */
static void hear(void *user, gf_log_level level, const char *message)
{
    (void)user;
    now.warnings += level == GF_LOG_WARNING;
    check_that(level != GF_LOG_WARNING || strstr(message, " is lost: ") != NULL, __FILE__, __LINE__, "%s",
               message);
}

/* A context, the picture, and a plan for the device. */
static bool set_up(void)
{
    const gf_context_options hooks = {sizeof hooks, hear, counted_allocate, counted_release, NULL};
    struct plan_random random;
    memset(&now, 0, sizeof now);
    now.error = (gf_error)GF_ERROR_INIT;
    gf_emu_reset();
    gf_emu_fail_call(0, 0, false);
    plan_random_seed(&random, 1, 1);
    if (gf_context_create(&hooks, &now.context, &now.error) != GF_OK ||
        gf_pipeline_parse(chain, NULL, 0, &now.pipeline, &now.error) != GF_OK ||
        !parity_picture_make(&now.in, &shape, 3) || plan_on(0, &now.gpu) != GF_OK) {
        return false;
    }
    plan_random_picture(&random, PLAN_SMOOTH, false, &now.in.image);
    return true;
}

static gf_status run(struct side *side)
{
    gf_shape out = gf_plan_output(side->plan);
    if (!side->out.memory && !parity_picture_make(&side->out, &out, 5)) {
        return GF_ERROR_MEMORY;
    }
    gf_status status = side->exec ? GF_OK : gf_exec_create(side->plan, &side->exec, &now.error);
    return status == GF_OK ? gf_exec_run(side->exec, &now.in.image, &side->out.image, &now.error) : status;
}

static void close_side(struct side *side)
{
    gf_exec_destroy(&side->exec);
    gf_plan_destroy(&side->plan);
    parity_picture_free(&side->out);
    memset(side, 0, sizeof *side);
}

/* After it nothing may be left, in CUDA's memory or the host's. */
static void tear_down(void)
{
    close_side(&now.gpu);
    close_side(&now.cpu);
    gf_pipeline_destroy(&now.pipeline);
    gf_context_destroy(&now.context);
    parity_picture_free(&now.in);
    CHECK_EQ_INT(gf_emu_leaked(), 0);
    CHECK_EQ_INT(blocks, 0);
    gf_emu_reset();
}

/* The CPU's picture and results, from the same context; `plan`, if given, is rebound. */
static void check_cpu(const gf_plan *plan)
{
    gf_status status = plan ? gf_plan_rebind(plan, GF_DEVICE_CPU, "because", &now.cpu.plan, &now.error)
                            : plan_on(GF_DEVICE_CPU, &now.cpu);
    status = status == GF_OK ? run(&now.cpu) : status;
    check_that(status == GF_OK, __FILE__, __LINE__, "the CPU: %s", now.error.message);
}

/* Both sides ran: the same bits. */
static void check_same(void)
{
    REQUIRE(now.gpu.exec && now.cpu.exec && gf_exec_result_count(now.gpu.exec) == 2 &&
            gf_exec_result_count(now.cpu.exec) == 2);
    CHECK_MEM(now.gpu.out.memory, now.cpu.out.memory, now.cpu.out.size);
    const gf_field *a = gf_result_field(gf_exec_result_named(now.gpu.exec, "hist"), "counts");
    const gf_field *b = gf_result_field(gf_exec_result_named(now.cpu.exec, "hist"), "counts");
    CHECK_MEM(a->values, b->values, (size_t)(b->channels * b->count) * sizeof(uint64_t));
}

#endif
