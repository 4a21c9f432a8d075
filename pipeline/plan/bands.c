#include "plan/bands.h"

#include "base/gf_num.h"
#include "base/status.h"
#include "lang/pipeline.h"
#include "pixel/ir/kernel_table.h"
#include "plan/band.h"
#include "plan/band_view.h"
#include "plan/sweeps.h"

#include <stdio.h>

/* ---- whether ---- */

static bool says(struct gf_bands *bands, const gf_plan *plan, int32_t stage, const char *why)
{
    snprintf(bands->reason, sizeof bands->reason, "stage %d '%s' %s", stage + 1,
             plan->pipeline->nodes[stage].type->name, why);
    return false;
}

/* The stage whose window is in the step. */
static int32_t stage_of_window(const gf_plan *plan, const struct gf_step *step)
{
    const struct gf_op_list *list = &plan->lowered.list;
    for (int32_t i = 0; i < list->n_ops; i++) {
        const struct gf_op *op = &list->ops[i];
        if (op->stage >= step->first_stage && op->stage <= step->last_stage && op->kind == GF_OP_WINDOW) {
            return op->stage;
        }
    }
    return step->last_stage;
}

static int32_t stage_of_tap(const gf_plan *plan, const struct gf_tap *tap)
{
    const struct gf_op *op = plan->lowered.list.ops;
    while (op->kind != GF_OP_TAP || op->out != tap->out) {
        op++;
    }
    return op->stage;
}

/* Bands advance by multiples of so many rows, too: or, in a picture that is lower, they do not all look
 * alike. */
static void align(const gf_plan *plan, int64_t rows, struct gf_bands *bands)
{
    bands->align = gf_common_rows(bands->align, rows);
    bands->steady = bands->steady && bands->align <= plan->input.height;
    bands->align = bands->steady ? bands->align : 1; /* before it grows beyond all numbers */
}

static bool window_allows(const gf_plan *plan, const struct gf_step *step, struct gf_bands *bands)
{
    const struct gf_window *window = &step->u.pass->window;
    struct gf_halo halo = {.align = 1};
    if (!window->kernel) {
        return true;
    }
    int32_t stage = stage_of_window(plan, step);
    window->kernel->window.halo(window, &halo);
    if (window->border == GF_BORDER_WRAP && (halo.up || halo.down)) {
        return says(bands, plan, stage, "wraps around from the last row to the first");
    }
    if (halo.turns_y > 0) {
        return says(bands, plan, stage, "reaches far beyond the picture from every row");
    }
    align(plan, halo.align, bands);
    return true;
}

static bool taps_allow(const gf_plan *plan, const struct gf_step *step, struct gf_bands *bands)
{
    const struct gf_pass *pass = step->u.pass;
    int8_t slots[GF_MAX_PASS_TAPS];
    align(plan, gf_pass_cell_rows(pass), bands);
    return gf_band_tap_slots(pass, slots) ||
           says(bands, plan, stage_of_tap(plan, pass->taps), "measures too many regions");
}

/* A map of one picture to one picture that says what it reaches for. */
static bool map_allows(const gf_plan *plan, const struct gf_apply *map)
{
    const struct gf_value *values = plan->lowered.list.values;
    const struct gf_value *in = &values[map->in[0]], *out = &values[map->out[0]];
    struct gf_rows need;
    for (int32_t i = 1; i < GF_MAX_OPERANDS; i++) {
        if (map->out[i] != GF_NONE || (map->in[i] != GF_NONE && !values[map->in[i]].is_block)) {
            return false;
        }
    }
    return map->kernel->map.reach &&
           map->kernel->map.reach(map, in, out, (struct gf_rows){0, out->height}, &need);
}

/* Its output is made of the same bands again, and of nothing beyond: so steps behind it read no other rows
 * than their own. */
static bool gathering_allows(const gf_plan *plan, int32_t index, struct gf_bands *bands)
{
    const int32_t out = plan->steps.step[index].u.apply.out[0];
    for (int32_t s = index + 1; s < plan->steps.n && !plan->lowered.list.values[out].is_block; s++) {
        const struct gf_step *step = &plan->steps.step[s];
        struct gf_halo halo = {.align = 1};
        if (step->kind == GF_STEP_PASS && step->u.pass->window.kernel) {
            step->u.pass->window.kernel->window.halo(&step->u.pass->window, &halo);
        }
        if (gf_step_map(step) || halo.up || halo.down || halo.align > 1 ||
            (step->kind == GF_STEP_PASS && gf_pass_cell_rows(step->u.pass) > 1)) {
            const int32_t stage = plan->steps.step[index].first_stage;
            char why[96];
            snprintf(why, sizeof why, "reads more rows of what stage %d '%s' makes than a band has",
                     stage + 1, plan->pipeline->nodes[stage].type->name);
            return says(bands, plan, gf_step_map(step) ? step->first_stage : stage_of_window(plan, step),
                        why);
        }
    }
    return true;
}

/* The first stage of the step whose map does not say what it reaches for: also where several have become
 * one. */
static int32_t stage_of_map(const gf_plan *plan, const struct gf_step *step)
{
    const struct gf_op_list *list = &plan->lowered.list;
    for (int32_t i = 0; i < list->n_ops; i++) {
        const struct gf_op *op = &list->ops[i];
        if (op->stage >= step->first_stage && op->stage <= step->last_stage && op->kind == GF_OP_APPLY &&
            op->u.apply.kernel->kind == GF_KERNEL_MAP && !map_allows(plan, &op->u.apply)) {
            return op->stage;
        }
    }
    return step->first_stage;
}

static bool step_allows(const gf_plan *plan, int32_t index, struct gf_bands *bands)
{
    const struct gf_step *step = &plan->steps.step[index];
    if (step->kind == GF_STEP_CALL) {
        return says(bands, plan, step->first_stage, "is a function over the whole picture");
    }
    const struct gf_apply *map = gf_step_map(step);
    bands->steady = bands->steady && !map;
    if (map && !map_allows(plan, map)) {
        return says(bands, plan, stage_of_map(plan, step), "works on the whole picture");
    }
    if (step->kind == GF_STEP_PASS) {
        return window_allows(plan, step, bands) && taps_allow(plan, step, bands);
    }
    if (gf_step_gathers(step)) {
        return gathering_allows(plan, index, bands);
    }
    return gf_step_solves(step) || map || says(bands, plan, step->first_stage, "works on the whole picture");
}

/* Tells whether the picture, of another height than the pipeline's, goes through maps alone to where it is a
 * second picture: then bands need of it what those maps reach for, and own none of its rows. */
static bool is_only_placed(const gf_plan *plan, int32_t value)
{
    if (value == plan->lowered.list.output) {
        return false;
    }
    for (int32_t s = 0; s < plan->steps.n; s++) {
        const struct gf_step *step = &plan->steps.step[s];
        const struct gf_apply *map = gf_step_map(step);
        if (gf_step_maps(step) && map->in[0] == value && !is_only_placed(plan, map->out[0])) {
            return false;
        }
        if ((step->kind == GF_STEP_PASS && step->u.pass->in == value) ||
            (step->kind == GF_STEP_APPLY && !gf_step_maps(step) && step->u.apply.in[0] == value) ||
            (step->kind == GF_STEP_CALL && step->u.call.in == value)) {
            return false;
        }
    }
    return true;
}

static bool steps_allow(const gf_plan *plan, struct gf_bands *bands)
{
    for (int32_t i = 1; i < plan->n_inputs && plan->lowered.reads_other != GF_NONE; i++) {
        if (plan->inputs[i].shape.height != plan->input.height && /* else the same rows are of both */
            !is_only_placed(plan, plan->lowered.list.others[i - 1])) {
            return says(bands, plan, plan->lowered.reads_other, "reads a picture of another height");
        }
    }
    for (int32_t s = plan->steps.n; s-- > 0;) {
        if (!step_allows(plan, s, bands)) {
            return false;
        }
    }
    return true;
}

/* Rows that a band reads beyond its own. Not steady: guessed from one in the middle. */
static gf_status find_around(const gf_plan *plan, struct gf_bands *bands, gf_error *error)
{
    struct gf_band band;
    struct gf_rows own = {bands->steady ? 0 : plan->input.height / 2, bands->align};
    GF_TRY(gf_band_create(plan, &band, error));
    for (int32_t sweep = 0; sweep < bands->sweeps; sweep++) {
        gf_band_find_around(plan, bands, sweep, own, &band);
        struct gf_rows read = band.rows[plan->lowered.list.input];
        if (read.count) {
            bands->above = gf_greatest(bands->above, own.first - read.first);
            bands->below = gf_greatest(bands->below, gf_rows_end(read) - gf_rows_end(own));
        }
    }
    gf_band_free(&band);
    bands->above = (bands->above + bands->align - 1) / bands->align * bands->align;
    return GF_OK;
}

/* A map of row to row, and behind it the plan's only other one; besides passes in which a row is made of the
 * same row alone. */
static int32_t find_keeping(const gf_plan *plan, const struct gf_bands *bands)
{
    const struct gf_value *values = plan->lowered.list.values;
    int32_t first = GF_NONE, maps = 0;
    for (int32_t s = 0; s < plan->steps.n; s++) {
        const struct gf_step *step = &plan->steps.step[s];
        struct gf_halo halo = {.align = 1};
        if (step->kind == GF_STEP_PASS && step->u.pass->window.kernel) {
            step->u.pass->window.kernel->window.halo(&step->u.pass->window, &halo);
        }
        if (halo.up || halo.down || halo.align > 1 ||
            (step->kind == GF_STEP_PASS && (step->u.pass->n_taps || gf_step_map(step))) ||
            (step->kind != GF_STEP_PASS && !gf_step_maps(step))) {
            return GF_NONE;
        }
        first = gf_step_maps(step) && first == GF_NONE ? s : first;
        maps += gf_step_maps(step);
    }
    if (maps != 2 || !gf_step_maps(&plan->steps.step[first + 1]) || bands->sweeps > 1) {
        return GF_NONE;
    }
    const struct gf_apply *map = &plan->steps.step[first].u.apply;
    const struct gf_value *in = &values[map->in[0]], *out = &values[map->out[0]];
    const int64_t middle = in->height / 2;
    struct gf_rows need = {0};
    return in->height == out->height && gf_input_index(&plan->lowered.list, map->in[0]) < 1 &&
                   map->out[0] == plan->steps.step[first + 1].u.apply.in[0] &&
                   map->kernel->map.reach(map, in, out, (struct gf_rows){middle, 1}, &need) &&
                   need.first == middle && need.count == 1
               ? first
               : GF_NONE;
}

/* The first stage that waits for the end of a sweep. */
static void say_what_waits(const gf_plan *plan, struct gf_bands *bands)
{
    const struct gf_op_list *list = &plan->lowered.list;
    for (int32_t i = 0; i < list->n_ops; i++) {
        const struct gf_op *op = &list->ops[i];
        if (op->kind == GF_OP_APPLY && op->u.apply.kernel->apply.by_bands &&
            !list->values[op->out].is_block) {
            snprintf(bands->waits, sizeof bands->waits,
                     "stage %d '%s' gathers from the whole picture what it makes of it", op->stage + 1,
                     plan->pipeline->nodes[op->stage].type->name);
            return;
        }
        for (int32_t b = 0; b < GF_MAX_OP_BLOCKS && op->kind != GF_OP_APPLY; b++) {
            if (op->blocks[b] != GF_NONE && !list->values[op->blocks[b]].constant) {
                snprintf(bands->waits, sizeof bands->waits,
                         "stage %d '%s' needs what is measured of the whole picture first", op->stage + 1,
                         plan->pipeline->nodes[op->stage].type->name);
                return;
            }
        }
    }
}

gf_status gf_bands_find(const gf_plan *plan, struct gf_steps *steps, struct gf_bands *bands, gf_error *error)
{
    *bands = (struct gf_bands){
        .align = 1, .count = 1, .every = 1, .height = plan->input.height, .steady = true, .keeps = GF_NONE};
    GF_TRY(gf_sweeps_find(&plan->lowered.list, steps, &bands->sweeps, error));
    if (steps_allow(plan, bands)) {
        GF_TRY(find_around(plan, bands, error));
        bands->keeps = find_keeping(plan, bands);
    }
    if (bands->sweeps > 1) {
        say_what_waits(plan, bands);
    }
    return GF_OK;
}
