#include "exec/banding.h"

#include "base/planted_fault.h"
#include "base/status.h"
#include "pixel/judge/reference.h"
#include "plan/bands.h"
#include "plan/staged.h"

#include <stdlib.h>

/* ---- making ---- */

static gf_status allocate_host_blocks(gf_exec *exec, gf_error *error)
{
    const struct gf_lowered *lowered = &exec->plan->lowered;
    exec->memory += gf_plan_result_bytes(exec->plan, true);
    exec->host_blocks = calloc((size_t)lowered->list.n_values, sizeof *exec->host_blocks);
    exec->results = calloc((size_t)lowered->n_results + 1, sizeof *exec->results);
    exec->step_stats = exec->plan->device == GF_DEVICE_REFERENCE
                           ? NULL
                           : calloc((size_t)exec->plan->steps.n + 1, sizeof *exec->step_stats);
    if (!exec->host_blocks || !exec->results ||
        (!exec->step_stats && exec->plan->device != GF_DEVICE_REFERENCE)) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    }
    for (int32_t i = 0; i < lowered->n_results; i++) {
        for (int32_t b = 0; b < lowered->results[i].n_blocks; b++) {
            int32_t v = lowered->results[i].blocks[b];
            if (!lowered->list.values[v].row) {
                GF_TRY(gf_exec_need_block(exec, v, error));
                continue;
            }
            GF_TRY(gf_exec_need_block(exec, lowered->list.values[v].counted_by, error));
            if (exec->plan->device == GF_DEVICE_REFERENCE) { /* elsewhere when they are counted: rows.c */
                GF_TRY(gf_exec_need_block(exec, v, error));
            }
        }
    }
    return GF_OK;
}

static gf_status make_runners(gf_exec *exec, uint64_t bytes, gf_error *error)
{
    const int32_t n = exec->plan->bands.runners;
    exec->runners = calloc((size_t)n, sizeof *exec->runners);
    GF_TRY(gf_need_memory(exec->runners != NULL, error));
    for (; exec->n_runners < n; exec->n_runners++) {
        struct gf_runner *runner = &exec->runners[exec->n_runners];
        gf_status status = gf_runner_create(exec->plan, bytes, runner, error);
        if (status != GF_OK) {
            gf_runner_destroy(runner);
            return status;
        }
    }
    return GF_OK;
}

static gf_status set_up(gf_exec *exec, gf_error *error)
{
    const gf_plan *plan = exec->plan;
    GF_TRY(allocate_host_blocks(exec, error));
    if (plan->device == GF_DEVICE_REFERENCE) {
        return GF_OK;
    }
    bool banded = plan->bands.count > 1;
    GF_TRY(make_runners(exec, banded ? plan->bands.arena : plan->buffers.total, error));
    if (banded) {
        exec->memory = plan->memory;
        return gf_banding_create(exec, error);
    }
    exec->memory += plan->buffers.total + gf_plan_piece_bytes(plan);
    exec->view = gf_plan_view(plan);
    return gf_runner_load(&exec->runners[0], &exec->view, &plan->buffers, error);
}

gf_status gf_exec_create(const gf_plan *plan, gf_exec **exec, gf_error *error)
{
    if (exec) {
        *exec = NULL;
    }
    if (!plan || !exec) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "plan and exec must not be NULL");
    }
    gf_exec *made = calloc(1, sizeof *made);
    GF_TRY(gf_need_memory(made != NULL, error));
    made->plan = gf_plan_hold(plan);
    gf_status status = gf_exec_settle(made, set_up(made, error));
    if (status != GF_OK) {
        gf_exec_destroy(GF_FAULT(unwind_leak) ? NULL : &made);
        return status;
    }
    *exec = made;
    return GF_OK;
}

void gf_exec_destroy(gf_exec **pointer)
{
    gf_exec *exec = pointer ? *pointer : NULL;
    if (!exec) {
        return;
    }
    *pointer = NULL;
    if (exec->pending) {
        gf_runner_wait_unless_lost(&exec->runners[0], exec->errand.queue);
    }
    gf_banding_destroy(exec);
    gf_exec_drop_results(exec);
    for (int32_t v = 0; exec->host_blocks && v < exec->plan->lowered.list.n_values; v++) {
        if (!gf_exec_borrows(exec, v)) {
            free(exec->host_blocks[v]);
        }
    }
    for (int32_t i = 0; i < exec->n_runners; i++) {
        gf_runner_destroy(&exec->runners[i]);
    }
    free(exec->runners);
    free(exec->host_blocks);
    free(exec->results);
    free(exec->step_stats);
    gf_plan_release(exec->plan);
    free(exec);
}

/* ---- running ---- */

static gf_status complete(gf_exec *exec, gf_error *error)
{
    GF_TRY(gf_context_check_device(exec->plan->context, exec->plan->device, error));
    GF_TRY(gf_runner_finish(&exec->runners[0], &exec->errand, error));
    GF_TRY(gf_exec_fetch_rows(exec, error));
    GF_TRY(gf_exec_make_results(exec, error));
    exec->run_stats.total_ms = gf_now_ms() - exec->started_ms;
    return GF_OK;
}

gf_status gf_exec_finish(gf_exec *exec, gf_error *error)
{
    if (!exec) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "exec is NULL");
    }
    if (!exec->pending) {
        return GF_OK;
    }
    exec->pending = false;
    return gf_exec_settle(exec, complete(exec, error));
}

static gf_status start_reference(gf_exec *exec, const gf_image *out, gf_error *error)
{
    GF_TRY(gf_reference_run(&exec->plan->lowered.list, exec->inputs, (gf_image *)(uintptr_t)out,
                            exec->host_blocks, error));
    GF_TRY(gf_exec_make_results(exec, error));
    exec->run_stats.total_ms = exec->run_stats.kernels_ms = gf_now_ms() - exec->started_ms;
    return GF_OK;
}

/* Says whose stream it is: that of a caller who goes on meanwhile, or the exec's own. */
enum of_stream { CALLERS, OWN };

static gf_status start(gf_exec *exec, gf_queue queue, enum of_stream whose, const gf_image *in,
                       const gf_image *out, gf_error *error)
{
    gf_exec_begin(exec);
    exec->inputs[0] = *in;
    if (exec->plan->device == GF_DEVICE_REFERENCE) {
        return start_reference(exec, out, error);
    }
    exec->errand = (struct gf_errand){.view = &exec->view,
                                      .buffers = &exec->plan->buffers,
                                      .queue = queue,
                                      .inputs = exec->inputs,
                                      .measured = exec->host_blocks,
                                      .stats = exec->step_stats,
                                      .run_stats = &exec->run_stats,
                                      .times = whose == OWN || exec->times,
                                      .later = whose == CALLERS && exec->plan->device >= 0,
                                      .progress = exec->progress,
                                      .progress_user = exec->progress_user};
    if (out) {
        exec->errand.out = (struct gf_place){out->data, out->pitch};
        exec->errand.out_host = out->device < 0;
    }
    gf_status status = gf_exec_settle(exec, gf_runner_start(&exec->runners[0], &exec->errand, error));
    exec->pending = status == GF_OK;
    if (status != GF_OK) {
        gf_runner_wait_unless_lost(&exec->runners[0], queue);
    }
    return status;
}

gf_status gf_exec_submit(gf_exec *exec, const gf_image *in, gf_image *out, gf_error *error)
{
    struct gf_views views;
    GF_TRY(gf_exec_check_run(exec, in, out, &views, error));
    out = out ? &views.out : NULL;
    if (exec->banding) {
        return gf_banding_run_images(exec, &views.in, out, error);
    }
    const gf_queue none = {.device = exec->plan->device};
    return start(exec, exec->runners ? exec->runners[0].own : none, OWN, &views.in, out, error);
}

gf_status gf_exec_run(gf_exec *exec, const gf_image *in, gf_image *out, gf_error *error)
{
    GF_TRY(gf_exec_submit(exec, in, out, error));
    return gf_exec_finish(exec, error);
}

gf_status gf_exec_enqueue(gf_exec *exec, const gf_image *in, gf_image *out, void *stream, gf_error *error)
{
    struct gf_views views;
    GF_TRY(gf_exec_check_run(exec, in, out, &views, error));
    if (exec->banding) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "the plan works in bands to stay within its memory: use gf_exec_run");
    }
    gf_device device = exec->plan->device;
    bool all_there = views.in.device >= 0 && (!out || views.out.device >= 0);
    for (int32_t i = 1; i < exec->plan->n_inputs; i++) {
        all_there = all_there && exec->inputs[i].device >= 0;
    }
    if (device >= 0 && !all_there) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "enqueue takes pictures in memory of the device; use gf_exec_run");
    }
    return start(exec, (gf_queue){device, stream}, CALLERS, &views.in, out ? &views.out : NULL, error);
}
