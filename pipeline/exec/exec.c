#define _GNU_SOURCE /* clock_gettime */
#include "exec/exec.h"

#include "exec/banding.h"

#include "base/planted_fault.h"
#include "base/team.h"
#include "lang/pipeline.h"
#include "pixel/reference.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double gf_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* What a call tells the caller; a lost device is remembered. */
static gf_status settle(const gf_exec *exec, gf_status status)
{
    return gf_context_settle(exec->plan->context, exec->own.device, status);
}

/* So that nothing may still write to the caller's memory. A lost device does not, and is not asked. */
static void wait_unless_lost(const gf_exec *exec)
{
    if (!gf_context_is_lost(exec->plan->context, exec->own.device)) {
        settle(exec, exec->backend->wait(exec->queue, NULL));
    }
}

/* ---- making ---- */

/* Memory of the exec: the context's on the CPU, the backend's on CUDA. */
static gf_status allocate_arena(gf_exec *exec, gf_error *error)
{
    uint64_t bytes = exec->plan->buffers.total;
    if (!bytes) {
        return GF_OK;
    }
    if (exec->own.device < 0) {
        exec->arena = gf_context_allocate(exec->plan->context, bytes);
        if (!exec->arena) {
            return gf_fail(error, GF_ERROR_MEMORY, "out of memory: the plan needs %llu bytes of buffers",
                           (unsigned long long)bytes);
        }
    } else {
        void *memory = NULL;
        GF_TRY(exec->backend->allocate(exec->own.device, bytes, &memory, error));
        exec->arena = memory;
    }
    exec->memory += bytes;
    return GF_OK;
}

static gf_status upload_constants(gf_exec *exec, gf_error *error)
{
    const struct gf_op_list *list = &exec->plan->lowered.list;
    for (int32_t v = 0; v < list->n_values; v++) {
        uint64_t offset = exec->plan->buffers.offset[v];
        if (list->values[v].constant && offset != GF_NO_BUFFER) {
            GF_TRY(exec->backend->copy(exec->own, GF_COPY_UPLOAD, exec->arena + offset, 0,
                                       list->values[v].constant, 0, gf_block_size(&list->values[v]), 1,
                                       error));
        }
    }
    return exec->backend->wait(exec->own, error);
}

gf_status gf_exec_need_block(gf_exec *exec, int32_t value, gf_error *error)
{
    void **block = &exec->host_blocks[value];
    *block = *block ? *block : calloc(1, gf_block_size(&exec->plan->lowered.list.values[value]));
    return *block ? GF_OK : gf_fail(error, GF_ERROR_MEMORY, "out of memory");
}

static gf_status allocate_host_blocks(gf_exec *exec, gf_error *error)
{
    const struct gf_lowered *lowered = &exec->plan->lowered;
    exec->memory += gf_plan_result_bytes(exec->plan, true);
    exec->host_blocks = calloc((size_t)lowered->list.n_values, sizeof *exec->host_blocks);
    exec->results = calloc((size_t)lowered->n_results + 1, sizeof *exec->results);
    if (!exec->host_blocks || !exec->results) {
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
            if (exec->own.device == GF_DEVICE_REFERENCE) { /* elsewhere when they are counted: rows.c */
                GF_TRY(gf_exec_need_block(exec, v, error));
            }
        }
    }
    return GF_OK;
}

static gf_status make_marks(gf_exec *exec, gf_error *error)
{
    int32_t n = exec->plan->steps.n + GF_MARK_FIRST_STEP + 1;
    exec->marks = calloc((size_t)n, sizeof *exec->marks);
    exec->step_stats = calloc((size_t)exec->plan->steps.n + 1, sizeof *exec->step_stats);
    if (!exec->marks || !exec->step_stats) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    }
    for (; exec->n_marks < n; exec->n_marks++) {
        GF_TRY(exec->backend->mark_create(exec->own.device, &exec->marks[exec->n_marks], error));
    }
    return GF_OK;
}

static gf_status set_up(gf_exec *exec, gf_error *error)
{
    GF_TRY(allocate_host_blocks(exec, error));
    if (exec->own.device == GF_DEVICE_REFERENCE) {
        return GF_OK;
    }
    if (exec->plan->bands.count > 1) {
        return gf_banding_create(exec, error);
    }
    exec->backend = gf_backend_for(exec->own.device);
    GF_TRY(gf_context_need_device(exec->plan->context, exec->own.device, error));
    GF_TRY(exec->backend->stream_create(exec->own.device, &exec->own.stream, error));
    GF_TRY(make_marks(exec, error));
    GF_TRY(allocate_arena(exec, error));
    return upload_constants(exec, error);
}

gf_status gf_exec_create_on(const gf_plan *plan, struct gf_team *team, gf_exec **exec, gf_error *error)
{
    if (exec) {
        *exec = NULL;
    }
    if (!plan || !exec) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "plan and exec must not be NULL");
    }
    gf_exec *made = calloc(1, sizeof *made);
    if (!made) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    }
    *made = (gf_exec){.plan = gf_plan_hold(plan), .own.device = plan->device, .team = team};
    if (!team && plan->device == GF_DEVICE_CPU) {
        made->team = gf_team_create(plan->threads);
        made->has_team = true;
    }
    gf_status status = settle(made, set_up(made, error));
    if (status != GF_OK) {
        gf_exec_destroy(GF_FAULT(unwind_leak) ? NULL : &made);
        return status;
    }
    *exec = made;
    return GF_OK;
}

gf_status gf_exec_create(const gf_plan *plan, gf_exec **exec, gf_error *error)
{
    return gf_exec_create_on(plan, NULL, exec, error);
}

static void drop_results(gf_exec *exec)
{
    for (int32_t i = 0; i < exec->n_results; i++) {
        gf_result_free(&exec->results[i]);
    }
    exec->n_results = 0;
}

void gf_exec_destroy(gf_exec **pointer)
{
    gf_exec *exec = pointer ? *pointer : NULL;
    if (!exec) {
        return;
    }
    *pointer = NULL;
    if (exec->pending) {
        wait_unless_lost(exec);
    }
    for (int32_t i = 0; i < exec->n_marks; i++) {
        exec->backend->mark_destroy(exec->own.device, exec->marks[i]);
    }
    if (exec->backend && exec->own.device >= 0) {
        exec->backend->release(exec->own.device, exec->arena);
    } else {
        gf_context_release(exec->plan->context, exec->arena);
    }
    if (exec->backend && exec->own.stream) {
        exec->backend->stream_destroy(exec->own.device, exec->own.stream);
    }
    gf_banding_destroy(exec);
    if (exec->has_team) {
        gf_team_destroy(exec->team);
    }
    drop_results(exec);
    for (int32_t v = 0; exec->host_blocks && v < exec->plan->lowered.list.n_values; v++) {
        if (!gf_exec_borrows(exec, v)) {
            free(exec->host_blocks[v]);
        }
    }
    free(exec->host_blocks);
    free(exec->results);
    free(exec->marks);
    free(exec->step_stats);
    gf_plan_release(exec->plan);
    free(exec);
}

/* ---- running ---- */

/* Blocks that other runs have measured. */
static gf_status upload_given(gf_exec *exec, gf_error *error)
{
    const struct gf_value *values = exec->plan->lowered.list.values;
    for (int32_t s = 0; s < exec->plan->steps.n && exec->given; s++) {
        const struct gf_pass *pass = exec->plan->steps.step[s].u.pass; /* in bands there are only passes */
        for (int32_t i = 0; i < pass->n_blocks; i++) {
            int32_t v = pass->blocks[i];
            if (!values[v].constant) {
                GF_TRY(exec->backend->copy(exec->queue, GF_COPY_UPLOAD,
                                           exec->arena + exec->plan->buffers.offset[v], 0, exec->given[v], 0,
                                           gf_block_size(&values[v]), 1, error));
            }
        }
    }
    return GF_OK;
}

/* Blocks that are needed on the host. */
static gf_status download_blocks(gf_exec *exec, gf_error *error)
{
    const struct gf_op_list *list = &exec->plan->lowered.list;
    for (int32_t v = 0; v < list->n_values; v++) {
        if (exec->host_blocks[v] && !list->values[v].row) {
            GF_TRY(exec->backend->copy(exec->queue, GF_COPY_DOWNLOAD, exec->host_blocks[v], 0,
                                       exec->arena + exec->plan->buffers.offset[v], 0,
                                       gf_block_size(&list->values[v]), 1, error));
        }
    }
    return GF_OK;
}

/* Queues everything: uploads, steps, downloads. `out` may be NULL. */
static gf_status enqueue(gf_exec *exec, const gf_image *out, gf_error *error)
{
    const struct gf_op_list *list = &exec->plan->lowered.list;
    bool cuda = exec->own.device >= 0;
    struct gf_place host_out = out ? (struct gf_place){out->data, out->pitch} : (struct gf_place){0};
    bool stage_out = cuda && out && out->device < 0;
    struct gf_place device_out = stage_out ? gf_exec_arena_place(exec, list->output) : host_out;
    int32_t kept = gf_input_index(list, list->output); /* the input that leaves as it is */
    if (!out && exec->plan->buffers.output_is_read) {
        device_out = gf_exec_arena_place(exec, list->output);
    }
    GF_TRY(exec->backend->mark_record(exec->queue, exec->marks[GF_MARK_START], error));
    GF_TRY(gf_exec_place_inputs(exec, error));
    GF_TRY(upload_given(exec, error));
    GF_TRY(exec->backend->mark_record(exec->queue, exec->marks[GF_MARK_UPLOADED], error));
    GF_TRY(gf_exec_run_steps(exec, device_out, error));
    if (out && kept != GF_NONE) {
        bool on_device = exec->inputs[kept].device >= 0;
        enum gf_copy_kind kind = !cuda || on_device ? GF_COPY_DEVICE : GF_COPY_DOWNLOAD;
        kind = on_device && stage_out ? GF_COPY_DOWNLOAD : kind;
        GF_TRY(gf_exec_copy_picture(exec, kind, host_out, exec->places[kept], list->output, error));
    } else if (stage_out) {
        GF_TRY(gf_exec_copy_picture(exec, GF_COPY_DOWNLOAD, host_out, device_out, list->output, error));
    }
    GF_TRY(download_blocks(exec, error));
    return exec->backend->mark_record(exec->queue, exec->marks[exec->n_marks - 1], error);
}

gf_status gf_exec_make_results(gf_exec *exec, gf_error *error)
{
    const struct gf_lowered *lowered = &exec->plan->lowered;
    for (int32_t i = 0; i < lowered->n_results; i++) {
        const struct gf_lowered_result *result = &lowered->results[i];
        const void *blocks[GF_MAX_RESULT_BLOCKS] = {0};
        for (int32_t b = 0; b < result->n_blocks; b++) {
            blocks[b] = exec->host_blocks[result->blocks[b]];
        }
        gf_status status = gf_result_make(result, &exec->plan->pipeline->nodes[result->stage], blocks,
                                          &exec->results[i], error);
        if (status != GF_OK) {
            drop_results(exec);
            return status;
        }
        exec->n_results = i + 1;
    }
    return GF_OK;
}

static gf_status read_marks(gf_exec *exec, gf_error *error)
{
    void **marks = exec->marks;
    int32_t last = exec->n_marks - 1;
    for (int32_t s = 0; s < exec->plan->steps.n; s++) {
        GF_TRY(exec->backend->mark_elapsed(marks[GF_MARK_UPLOADED + s], marks[GF_MARK_UPLOADED + s + 1],
                                           &exec->step_stats[s].milliseconds, error));
    }
    GF_TRY(exec->backend->mark_elapsed(marks[GF_MARK_START], marks[GF_MARK_UPLOADED],
                                       &exec->run_stats.upload_ms, error));
    GF_TRY(exec->backend->mark_elapsed(marks[GF_MARK_UPLOADED], marks[last - 1], &exec->run_stats.kernels_ms,
                                       error));
    return exec->backend->mark_elapsed(marks[last - 1], marks[last], &exec->run_stats.download_ms, error);
}

static gf_status complete(gf_exec *exec, gf_error *error)
{
    GF_TRY(gf_context_check_device(exec->plan->context, exec->own.device, error));
    GF_TRY(exec->backend->wait(exec->queue, error));
    GF_TRY(gf_exec_fetch_rows(exec, error));
    GF_TRY(read_marks(exec, error));
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
    return settle(exec, complete(exec, error));
}

void gf_exec_begin(gf_exec *exec)
{
    exec->started_ms = gf_now_ms();
    exec->run_stats = (gf_run_stats){.struct_size = sizeof(gf_run_stats), .peak_memory = exec->memory};
    drop_results(exec);
}

static gf_status start(gf_exec *exec, gf_queue queue, const gf_image *in, const gf_image *out,
                       gf_error *error)
{
    gf_exec_begin(exec);
    exec->inputs[0] = *in;
    if (exec->own.device == GF_DEVICE_REFERENCE) {
        GF_TRY(gf_reference_run(&exec->plan->lowered.list, exec->inputs, (gf_image *)(uintptr_t)out,
                                exec->host_blocks, error));
        GF_TRY(gf_exec_make_results(exec, error));
        exec->run_stats.total_ms = exec->run_stats.kernels_ms = gf_now_ms() - exec->started_ms;
        return GF_OK;
    }
    exec->queue = queue;
    gf_status status = settle(exec, enqueue(exec, out, error));
    exec->pending = status == GF_OK;
    if (status != GF_OK) {
        wait_unless_lost(exec);
    }
    return status;
}

gf_status gf_exec_run(gf_exec *exec, const gf_image *in, gf_image *out, gf_error *error)
{
    struct gf_views views;
    GF_TRY(gf_exec_check_run(exec, in, out, &views, error));
    out = out ? &views.out : NULL;
    if (exec->banding) {
        return gf_banding_run_images(exec, &views.in, out, error);
    }
    GF_TRY(start(exec, exec->own, &views.in, out, error));
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
    bool all_there = views.in.device >= 0 && (!out || views.out.device >= 0);
    for (int32_t i = 1; i < exec->plan->n_inputs; i++) {
        all_there = all_there && exec->inputs[i].device >= 0;
    }
    if (exec->own.device >= 0 && !all_there) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "enqueue takes pictures in memory of the device; use gf_exec_run");
    }
    return start(exec, (gf_queue){exec->own.device, stream}, &views.in, out ? &views.out : NULL, error);
}
