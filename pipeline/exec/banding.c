#include "exec/banding.h"

#include "base/status.h"
#include "exec/fold.h"
#include "pixel/ir/kernel_table.h"

#include <stdlib.h>

/* ---- making ---- */

static int64_t out_pitch(const gf_exec *exec)
{
    const struct gf_op_list *list = &exec->plan->lowered.list;
    return gf_buffers_pitch(&list->values[list->output]);
}

static gf_status need_measured(gf_exec *exec, int32_t block, gf_error *error)
{
    for (int32_t i = 0; i < exec->n_runners; i++) {
        void **measured = &exec->banding->lanes[i].measured[block];
        *measured = calloc(1, gf_block_size(&exec->plan->lowered.list.values[block]));
        GF_TRY(gf_need_memory(*measured != NULL, error));
    }
    return gf_exec_need_block(exec, block, error);
}

static gf_status make_lane(gf_exec *exec, struct gf_banding_lane *lane, gf_error *error)
{
    const gf_plan *plan = exec->plan;
    lane->measured = calloc((size_t)plan->lowered.list.n_values, sizeof *lane->measured);
    GF_TRY(gf_need_memory(lane->measured != NULL, error));
    if (plan->lowered.list.input != plan->lowered.list.output) {
        size_t bytes = (size_t)out_pitch(exec) * (size_t)plan->bands.made;
        lane->made = gf_context_allocate(plan->context, bytes);
        if (!lane->made) {
            return gf_fail(error, GF_ERROR_MEMORY, "out of memory: a band needs %zu bytes", bytes);
        }
    }
    return GF_OK;
}

/* Room for all that the plan's steps measure, not only for what results need. */
static gf_status need_blocks(gf_exec *exec, gf_error *error)
{
    for (int32_t s = 0; s < exec->plan->steps.n; s++) {
        const struct gf_step *step = &exec->plan->steps.step[s];
        if (gf_step_gathers(step)) {
            GF_TRY(step->u.apply.kernel->apply.by_bands->create(&exec->banding->states[s], error));
        }
        for (int32_t i = 0; gf_step_solves(step) && i < gf_operand_count(step->u.apply.out); i++) {
            GF_TRY(gf_exec_need_block(exec, step->u.apply.out[i], error));
        }
        for (int32_t i = 0; step->kind == GF_STEP_PASS && i < step->u.pass->n_taps; i++) {
            GF_TRY(need_measured(exec, step->u.pass->taps[i].out, error));
        }
    }
    return GF_OK;
}

gf_status gf_banding_create(gf_exec *exec, gf_error *error)
{
    const gf_plan *plan = exec->plan;
    exec->banding = calloc(1, sizeof *exec->banding);
    GF_TRY(gf_need_memory(exec->banding != NULL, error));
    exec->banding->states = calloc((size_t)plan->steps.n + 1, sizeof *exec->banding->states);
    GF_TRY(gf_need_memory(exec->banding->states != NULL, error));
    for (int32_t i = 0; i < exec->n_runners; i++) {
        GF_TRY(make_lane(exec, &exec->banding->lanes[i], error));
    }
    return need_blocks(exec, error);
}

static void drop_view(struct gf_banding *banding)
{
    if (banding->has_view) {
        gf_band_view_free(&banding->view);
        banding->has_view = false;
    }
}

void gf_banding_destroy(gf_exec *exec)
{
    struct gf_banding *banding = exec->banding;
    if (!banding) {
        return;
    }
    for (int32_t i = 0; i < exec->n_runners; i++) {
        struct gf_banding_lane *lane = &banding->lanes[i];
        for (int32_t v = 0; lane->measured && v < exec->plan->lowered.list.n_values; v++) {
            free(lane->measured[v]);
        }
        free(lane->measured);
        gf_context_release(exec->plan->context, lane->made);
    }
    for (int32_t s = 0; banding->states && s < exec->plan->steps.n; s++) {
        if (banding->states[s]) {
            exec->plan->steps.step[s].u.apply.kernel->apply.by_bands->destroy(banding->states[s]);
        }
    }
    free(banding->states);
    drop_view(banding);
    free(banding);
    exec->banding = NULL;
}

/* Sets what runs the bands in the sweep, and makes empty blocks for what is measured in it. */
static gf_status begin_sweep(gf_exec *exec, int32_t sweep, gf_error *error)
{
    struct gf_banding *banding = exec->banding;
    if (!banding->has_view || banding->view.sweep != sweep) {
        drop_view(banding);
        GF_TRY(gf_band_view_create(exec->plan, &exec->plan->bands, sweep, &banding->view, error));
        banding->has_view = true;
        gf_status status = GF_OK;
        for (int32_t i = 0; status == GF_OK && i < exec->n_runners; i++) {
            status = gf_runner_load(&exec->runners[i], &banding->view.view, &banding->view.buffers, error);
        }
        if (status != GF_OK) {
            drop_view(banding);
        }
        GF_TRY(gf_exec_settle(exec, status));
    }
    gf_fold_clear(&banding->view, exec->host_blocks);
    return GF_OK;
}

/* ---- running ---- */

struct progress {
    const gf_exec *exec;
    int64_t before, all; /* steps of all bands of the sweeps before; of all sweeps */
};

static int on_progress(void *user, int32_t done, int32_t steps)
{
    const struct progress *p = user;
    int64_t now = p->before + p->exec->banding->index * steps + done;
    int64_t unit = 1 + p->all / INT32_MAX; /* of more steps than can be said */
    return p->exec->progress(p->exec->progress_user, (int32_t)(now / unit), (int32_t)(p->all / unit));
}

/* Steps that a sweep runs on each band. */
static gf_status count_steps(const gf_plan *plan, int32_t sweep, int64_t *steps, gf_error *error)
{
    struct gf_band band;
    *steps = 0;
    GF_TRY(gf_band_create(plan, &band, error));
    gf_band_find_whole(plan, &plan->bands, sweep, &band);
    for (int32_t s = 0; s < plan->steps.n; s++) {
        *steps += band.runs[s].count > 0;
    }
    gf_band_free(&band);
    return GF_OK;
}

/* The rows of the input that the source gave, and those that the band reads of the other inputs. */
static void place_inputs(const gf_exec *exec, struct gf_place rows, gf_image *inputs)
{
    const struct gf_op_list *list = &exec->plan->lowered.list;
    inputs[0] = (gf_image){.data = rows.data, .pitch = rows.pitch, .device = GF_DEVICE_CPU};
    for (int32_t i = 1; i <= list->n_others; i++) {
        inputs[i] = exec->inputs[i];
        inputs[i].data = (uint8_t *)inputs[i].data +
                         exec->banding->view.band.rows[gf_input_value(list, i)].first * inputs[i].pitch;
    }
}

/* A sweep over bands under way. */
struct sweep {
    gf_exec *exec;
    struct gf_flow *flow;
    struct progress *progress;
    bool stores;
};

static struct gf_runner *runner_of(const struct sweep *sweep, const struct gf_banding_lane *lane)
{
    return &sweep->exec->runners[lane - sweep->exec->banding->lanes];
}

/* Says what the lane's runner is to do with the band at which the view is. */
static void set_errand(const struct sweep *sweep, struct gf_banding_lane *lane)
{
    gf_exec *exec = sweep->exec;
    const struct gf_band_view *view = &exec->banding->view;
    place_inputs(exec, lane->rows, lane->inputs);
    lane->errand = (struct gf_errand){.view = &view->view,
                                      .times = true,
                                      .buffers = &view->buffers,
                                      .queue = runner_of(sweep, lane)->own,
                                      .inputs = lane->inputs,
                                      .out_host = true,
                                      .given = exec->host_blocks,
                                      .states = exec->banding->states,
                                      .measured = lane->measured,
                                      .stats = exec->step_stats,
                                      .run_stats = &exec->run_stats,
                                      .progress = exec->progress ? on_progress : NULL,
                                      .progress_user = sweep->progress};
    if (lane->made && (sweep->stores || view->uses_output)) {
        lane->errand.out = (struct gf_place){lane->made, out_pitch(exec)};
    }
}

static gf_status start_band(const struct sweep *sweep, struct gf_banding_lane *lane, int64_t index,
                            gf_error *error)
{
    gf_exec *exec = sweep->exec;
    struct gf_banding *banding = exec->banding;
    struct gf_runner *runner = runner_of(sweep, lane);
    banding->index = lane->index = index;
    gf_band_view_place(&banding->view, index);
    GF_TRY(sweep->flow->take(sweep->flow, banding->view.band.rows[exec->plan->lowered.list.input],
                             &lane->rows, error));
    set_errand(sweep, lane);
    lane->busy = true;
    GF_TRY(gf_exec_settle(exec, gf_runner_start(runner, &lane->errand, error)));
    if (lane->made && exec->plan->device >= 0) { /* else rows are read, or given, until the band ends */
        gf_status status = sweep->flow->stays ? GF_OK : gf_runner_wait_upload(runner, error);
        GF_TRY(gf_exec_settle(exec, status));
        sweep->flow->release(sweep->flow);
    }
    return GF_OK;
}

/* Waits for the band; gives the rows of the output that it answers for. */
static gf_status finish_band(const struct sweep *sweep, struct gf_banding_lane *lane, gf_error *error)
{
    gf_exec *exec = sweep->exec;
    struct gf_banding *banding = exec->banding;
    const struct gf_band *band = &banding->view.band;
    const int32_t output = exec->plan->lowered.list.output;
    const bool released = lane->made && exec->plan->device >= 0;
    struct gf_place own = lane->made ? (struct gf_place){lane->made, out_pitch(exec)} : lane->rows;
    gf_band_view_place(&banding->view, lane->index);
    GF_TRY(gf_exec_settle(exec, gf_runner_finish(runner_of(sweep, lane), &lane->errand, error)));
    lane->busy = false;
    gf_fold_blocks(&banding->view, lane->measured, exec->host_blocks);
    own.data = (uint8_t *)own.data + (band->own[output].first - band->rows[output].first) * own.pitch;
    if (lane->made && !released) {
        sweep->flow->release(sweep->flow);
    }
    if (sweep->stores && band->own[output].count) {
        GF_TRY(sweep->flow->give(sweep->flow, band->own[output], own, error));
    }
    if (!lane->made) { /* what is given is the input itself */
        sweep->flow->release(sweep->flow);
    }
    return GF_OK;
}

/* Bands are run in turns by all runners, or by one where a band's rows are needed until it ends. */
static gf_status run_in_turns(const struct sweep *sweep, gf_error *error)
{
    struct gf_banding_lane *lanes = sweep->exec->banding->lanes;
    const int64_t count = sweep->exec->plan->bands.count, n = lanes[0].made ? sweep->exec->n_runners : 1;
    for (int64_t index = 0; index < count + n; index++) {
        struct gf_banding_lane *lane = &lanes[index % n];
        GF_TRY(lane->busy ? finish_band(sweep, lane, error) : GF_OK);
        GF_TRY(index < count ? start_band(sweep, lane, index, error) : GF_OK);
    }
    return GF_OK;
}

static gf_status run_bands(gf_exec *exec, struct progress *progress, struct gf_flow *flow, gf_error *error)
{
    const struct sweep sweep = {.exec = exec,
                                .flow = flow,
                                .progress = progress,
                                .stores =
                                    flow->give && exec->banding->view.sweep == exec->plan->bands.sweeps - 1};
    gf_status status = run_in_turns(&sweep, error);
    for (int32_t i = 0; i < exec->n_runners; i++) { /* after a failure */
        struct gf_banding_lane *lane = &exec->banding->lanes[i];
        if (lane->busy) {
            gf_runner_wait_unless_lost(&exec->runners[i], lane->errand.queue);
            lane->busy = false;
        }
    }
    GF_TRY(status);
    return flow->end ? flow->end(flow, error) : GF_OK;
}

static gf_status solve_gathered(gf_exec *exec, int32_t s, gf_error *error)
{
    const struct gf_apply *apply = &exec->plan->steps.step[s].u.apply;
    const int32_t n = gf_operand_count(apply->out);
    void *blocks[GF_MAX_OPERANDS] = {NULL};
    for (int32_t i = 0; i < n; i++) {
        blocks[i] = exec->host_blocks[apply->out[i]];
    }
    GF_TRY(apply->kernel->apply.by_bands->solve(exec->banding->states[s], apply, blocks, error));
    for (int32_t i = 0; i < n; i++) {
        exec->host_blocks[apply->out[i]] = blocks[i];
    }
    return GF_OK;
}

/* Solves what can be solved when the sweep has ended. */
static gf_status solve(gf_exec *exec, int32_t sweep, gf_error *error)
{
    for (int32_t s = 0; s < exec->plan->steps.n; s++) {
        const struct gf_step *step = &exec->plan->steps.step[s];
        const bool gathers = gf_step_gathers(step);
        if ((!gf_step_solves(step) && !gathers) || step->sweep != sweep) {
            continue;
        }
        gf_status status = gathers
                               ? solve_gathered(exec, s, error)
                               : gf_run_solve(&exec->runners[0], &step->u.apply, exec->host_blocks, error);
        if (status != GF_OK) {
            gf_error_stage(error, step->first_stage);
        }
        GF_TRY(status);
    }
    return GF_OK;
}

/* Counts the sweeps that are needed. The last one measures nothing: results alone do without it. */
static int32_t sweeps_of(const gf_plan *plan, const struct gf_flow *flow)
{
    int32_t sweeps = flow->give ? plan->bands.sweeps : 1;
    for (int32_t s = 0; s < plan->steps.n; s++) {
        const struct gf_step *step = &plan->steps.step[s];
        const bool measures =
            gf_step_gathers(step) || (step->kind == GF_STEP_PASS && step->u.pass->n_taps > 0);
        sweeps = measures && step->sweep >= sweeps ? step->sweep + 1 : sweeps;
    }
    return sweeps;
}

static gf_status run_sweeps(gf_exec *exec, struct gf_flow *flow, gf_error *error)
{
    const struct gf_bands *bands = &exec->plan->bands;
    const int32_t sweeps = sweeps_of(exec->plan, flow);
    struct progress progress = {.exec = exec};
    for (int32_t sweep = 0; sweep < sweeps; sweep++) {
        int64_t steps;
        GF_TRY(count_steps(exec->plan, sweep, &steps, error));
        progress.all += bands->count * steps;
    }
    for (int32_t sweep = 0; sweep < sweeps; sweep++) {
        GF_TRY(begin_sweep(exec, sweep, error));
        GF_TRY(sweep && flow->again ? flow->again(flow, sweep, error) : GF_OK);
        GF_TRY(run_bands(exec, &progress, flow, error));
        GF_TRY(solve(exec, sweep, error));
        progress.before += bands->count * exec->banding->view.steps.n;
    }
    return GF_OK;
}

gf_status gf_banding_run(gf_exec *exec, struct gf_flow *flow, gf_error *error)
{
    gf_exec_begin(exec);
    GF_TRY(run_sweeps(exec, flow, error));
    GF_TRY(gf_exec_make_results(exec, error));
    exec->run_stats.total_ms = gf_now_ms() - exec->started_ms;
    return GF_OK;
}
