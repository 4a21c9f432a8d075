#include "exec/banding.h"

#include "exec/fold.h"
#include "pixel/kernel_table.h"

#include <stdlib.h>
#include <string.h>

/* ---- making ---- */

static int64_t out_pitch(const gf_exec *exec)
{
    const struct gf_op_list *list = &exec->plan->lowered.list;
    return gf_buffers_pitch(&list->values[list->output]);
}

/* Room for all that the plan's steps measure, not only for what results need. */
static gf_status need_blocks(gf_exec *exec, gf_error *error)
{
    for (int32_t s = 0; s < exec->plan->steps.n; s++) {
        const struct gf_step *step = &exec->plan->steps.step[s];
        if (step->kind == GF_STEP_APPLY) { /* a solve */
            for (int32_t i = 0; i < gf_operand_count(step->u.apply.out); i++) {
                GF_TRY(gf_exec_need_block(exec, step->u.apply.out[i], error));
            }
            continue;
        }
        for (int32_t i = 0; i < step->u.pass->n_taps; i++) {
            GF_TRY(gf_exec_need_block(exec, step->u.pass->taps[i].out, error));
        }
    }
    return GF_OK;
}

/* What runs bands of so many rows in the sweep; what ran others is gone. */
static gf_status make_for(gf_exec *exec, int64_t rows, gf_error *error)
{
    struct gf_banding *banding = exec->banding;
    gf_exec_destroy(&banding->exec);
    gf_plan_destroy(&banding->plan);
    GF_TRY(gf_band_plan(exec->plan, banding->sweep, rows, &banding->plan, error));
    GF_TRY(gf_exec_create_on(banding->plan, exec->team, &banding->exec, error));
    banding->exec->given = exec->host_blocks;
    gf_status status = need_blocks(banding->exec, error);
    if (status != GF_OK) {
        gf_exec_destroy(&banding->exec);
    }
    return status;
}

gf_status gf_banding_create(gf_exec *exec, gf_error *error)
{
    const gf_plan *plan = exec->plan;
    exec->banding = calloc(1, sizeof *exec->banding);
    exec->step_stats = calloc((size_t)plan->steps.n + 1, sizeof *exec->step_stats);
    if (!exec->banding || !exec->step_stats) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    }
    if (plan->lowered.list.input != plan->lowered.list.output) {
        size_t bytes = (size_t)out_pitch(exec) * (size_t)plan->bands.height;
        exec->banding->made = gf_context_allocate(plan->context, bytes);
        if (!exec->banding->made) {
            return gf_fail(error, GF_ERROR_MEMORY, "out of memory: a band needs %zu bytes", bytes);
        }
    }
    exec->memory = plan->memory;
    GF_TRY(need_blocks(exec, error));
    return make_for(exec, plan->bands.height, error);
}

void gf_banding_destroy(gf_exec *exec)
{
    if (exec->banding) {
        gf_exec_destroy(&exec->banding->exec);
        gf_plan_destroy(&exec->banding->plan);
        gf_context_release(exec->plan->context, exec->banding->made);
        free(exec->banding);
        exec->banding = NULL;
    }
}

/* ---- running ---- */

/* Steps that a sweep runs on each band. */
static int32_t steps_of(const gf_plan *plan, int32_t sweep)
{
    int32_t n = 0;
    for (int32_t s = 0; s < plan->steps.n; s++) {
        n += gf_sweep_runs(&plan->steps, plan->bands.sweeps, sweep, s);
    }
    return n;
}

static int on_progress(void *user, int32_t done, int32_t steps)
{
    const gf_exec *exec = user;
    const gf_plan *plan = exec->plan;
    int64_t all = 0, before = exec->banding->index * steps + done;
    for (int32_t sweep = 0; sweep < plan->bands.sweeps; sweep++) {
        int64_t of_sweep = plan->bands.count * steps_of(plan, sweep);
        before += sweep < exec->banding->sweep ? of_sweep : 0;
        all += of_sweep;
    }
    int64_t unit = 1 + all / INT32_MAX; /* of more steps than can be said */
    return exec->progress(exec->progress_user, (int32_t)(before / unit), (int32_t)(all / unit));
}

static void add_times(gf_exec *exec)
{
    const gf_plan *plan = exec->plan;
    const gf_exec *part = exec->banding->exec;
    gf_run_stats *run = &exec->run_stats;
    run->upload_ms += part->run_stats.upload_ms;
    run->kernels_ms += part->run_stats.kernels_ms;
    run->download_ms += part->run_stats.download_ms;
    int32_t n = 0;
    for (int32_t s = 0; s < plan->steps.n; s++) {
        if (gf_sweep_runs(&plan->steps, plan->bands.sweeps, exec->banding->sweep, s)) {
            exec->step_stats[s].milliseconds += part->step_stats[n].milliseconds;
            exec->step_stats[s].bytes_read += part->step_stats[n].bytes_read;
            exec->step_stats[s].bytes_written += part->step_stats[n++].bytes_written;
        }
    }
}

static gf_image view_of(gf_shape shape, int64_t rows, struct gf_place place)
{
    shape.height = rows;
    return (gf_image){.struct_size = sizeof(gf_image),
                      .shape = shape,
                      .pitch = place.pitch,
                      .data = place.data,
                      .device = GF_DEVICE_CPU};
}

/* Computes a band; *core: the rows it made. */
static gf_status run_band(gf_exec *exec, const struct gf_band *at, struct gf_place rows, bool stores,
                          struct gf_place *core, gf_error *error)
{
    struct gf_banding *banding = exec->banding;
    if (!banding->exec ||
        at->rows != banding->plan->input.height) { /* none: it could not be made in the last run */
        GF_TRY(make_for(exec, at->rows, error));
    }
    gf_band_place(exec->plan, banding->sweep, at, banding->plan);
    gf_exec_set_progress(banding->exec, exec->progress ? on_progress : NULL, exec);
    struct gf_place made = {banding->made, out_pitch(exec)};
    gf_image in = view_of(exec->plan->input, at->rows, rows);
    gf_image out = view_of(gf_plan_output(exec->plan), at->rows, made);
    GF_TRY(gf_exec_run(banding->exec, &in, made.data && stores ? &out : NULL, error));
    gf_fold_blocks(exec->plan, banding->sweep, banding->exec->host_blocks, at->first, exec->host_blocks);
    add_times(exec);
    *core = made.data ? made : rows;
    core->data = (uint8_t *)core->data + (at->core - at->first) * core->pitch;
    return GF_OK;
}

static gf_status run_bands(gf_exec *exec, struct gf_flow *flow, gf_error *error)
{
    struct gf_banding *banding = exec->banding;
    bool gives = flow->give && banding->sweep == exec->plan->bands.sweeps - 1;
    for (banding->index = 0; banding->index < exec->plan->bands.count; banding->index++) {
        struct gf_band at = gf_band_at(exec->plan, banding->index);
        struct gf_place rows, core;
        GF_TRY(flow->take(flow, &at, &rows, error));
        GF_TRY(run_band(exec, &at, rows, gives, &core, error));
        if (banding->made) {
            flow->release(flow);
        }
        if (gives) {
            GF_TRY(flow->give(flow, &at, core, error));
        }
        if (!banding->made) { /* what is given is the input itself */
            flow->release(flow);
        }
    }
    return GF_OK;
}

/* A constant is used where it is: never written. */
static struct gf_place block_at(const void *from, int32_t value)
{
    const gf_exec *exec = from;
    const struct gf_value *v = &exec->plan->lowered.list.values[value];
    return (struct gf_place){v->constant ? (void *)(uintptr_t)v->constant : exec->host_blocks[value],
                             v->width * (int64_t)gf_depth_size(v->depth)};
}

/* What can be solved when the sweep has ended. */
static gf_status solve(gf_exec *exec, gf_error *error)
{
    for (int32_t s = 0; s < exec->plan->steps.n; s++) {
        const struct gf_step *step = &exec->plan->steps.step[s];
        if (!gf_step_solves(step) || step->sweep != exec->banding->sweep) {
            continue;
        }
        gf_status status =
            gf_run_apply(exec, &step->u.apply, block_at, exec, (gf_queue){.device = GF_DEVICE_CPU}, error);
        if (status != GF_OK) {
            gf_error_stage(error, step->first_stage);
        }
        GF_TRY(status);
    }
    return GF_OK;
}

static gf_status run_sweeps(gf_exec *exec, struct gf_flow *flow, gf_error *error)
{
    struct gf_banding *banding = exec->banding;
    for (int32_t sweep = 0; sweep < exec->plan->bands.sweeps; sweep++) {
        if (banding->sweep != sweep) {
            gf_exec_destroy(&banding->exec); /* the next band makes its own */
            banding->sweep = sweep;
        }
        GF_TRY(sweep && flow->again ? flow->again(flow, error) : GF_OK);
        GF_TRY(run_bands(exec, flow, error));
        GF_TRY(solve(exec, error));
    }
    return GF_OK;
}

gf_status gf_banding_run(gf_exec *exec, struct gf_flow *flow, gf_error *error)
{
    gf_exec_begin(exec);
    memset(exec->step_stats, 0, (size_t)exec->plan->steps.n * sizeof *exec->step_stats);
    for (int32_t s = 0; s < exec->plan->steps.n; s++) {
        exec->step_stats[s].struct_size = sizeof exec->step_stats[s];
    }
    GF_TRY(run_sweeps(exec, flow, error));
    GF_TRY(gf_exec_make_results(exec, error));
    exec->run_stats.total_ms = gf_now_ms() - exec->started_ms;
    return GF_OK;
}

/* ---- from picture to picture ---- */

struct image_flow {
    struct gf_flow flow; /* first */
    const gf_image *in, *out;
};

static gf_status take_rows(struct gf_flow *flow, const struct gf_band *at, struct gf_place *rows,
                           gf_error *error)
{
    (void)error;
    const gf_image *in = ((struct image_flow *)flow)->in;
    *rows = (struct gf_place){(uint8_t *)in->data + at->first * in->pitch, in->pitch};
    return GF_OK;
}

static void release_rows(struct gf_flow *flow)
{
    (void)flow;
}

static gf_status give_rows(struct gf_flow *flow, const struct gf_band *at, struct gf_place rows,
                           gf_error *error)
{
    (void)error;
    const gf_image *out = ((struct image_flow *)flow)->out;
    size_t row = (size_t)out->shape.width * (size_t)out->shape.channels * gf_depth_size(out->shape.depth);
    for (int64_t y = 0; y < at->core_rows; y++) {
        memcpy((uint8_t *)out->data + (at->core + y) * out->pitch, (uint8_t *)rows.data + y * rows.pitch,
               row);
    }
    return GF_OK;
}

gf_status gf_banding_run_images(gf_exec *exec, const gf_image *in, const gf_image *out, gf_error *error)
{
    struct image_flow flow = {
        .flow = {NULL, take_rows, release_rows, out ? give_rows : NULL}, .in = in, .out = out};
    return gf_banding_run(exec, &flow.flow, error);
}
