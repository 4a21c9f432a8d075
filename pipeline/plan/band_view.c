#include "plan/band_view.h"

#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "base/status.h"
#include "pixel/ir/kernel_table.h"

#include <stdlib.h>

/* ---- regions ---- */

/* Bit i: instructions of the pass act in region i. */
static uint32_t regions_of_programs(const struct gf_pass *pass)
{
    uint32_t used = 0;
    for (int32_t i = 0; i < pass->pre.n; i++) {
        used |= pass->pre.insn[i].roi == GF_NONE ? 0 : 1U << pass->pre.insn[i].roi;
    }
    for (int32_t i = 0; i < pass->post.n; i++) {
        used |= pass->post.insn[i].roi == GF_NONE ? 0 : 1U << pass->post.insn[i].roi;
    }
    return used;
}

bool gf_band_tap_slots(const struct gf_pass *pass, int8_t slots[GF_MAX_PASS_TAPS])
{
    uint32_t used = regions_of_programs(pass);
    int8_t everywhere = GF_NONE;
    for (int32_t i = 0; i < pass->n_taps; i++) {
        int8_t slot = 0;
        while (slot < GF_MAX_PASS_ROIS && used >> slot & 1) {
            slot++;
        }
        bool shares = pass->taps[i].roi == GF_NONE && everywhere != GF_NONE;
        slots[i] = shares ? everywhere : slot;
        if (slots[i] == GF_MAX_PASS_ROIS) {
            return false;
        }
        used |= 1U << slots[i];
        everywhere = pass->taps[i].roi == GF_NONE ? slots[i] : everywhere;
    }
    return true;
}

/* The part of a region that lies in rows `part` of the picture, as a pass with rows `run` sees it. Where
 * there is no such part it lies below them, since no width means everywhere. */
static struct gf_rect moved(struct gf_rect region, struct gf_rows part, struct gf_rows run)
{
    int64_t top = region.y > part.first ? region.y : part.first;
    int64_t bottom = region.y + region.h < gf_rows_end(part) ? region.y + region.h : gf_rows_end(part);
    if (top >= bottom) {
        return (struct gf_rect){region.x, run.count, region.w, 1};
    }
    return (struct gf_rect){region.x, top - run.first, region.w, bottom - top};
}

/* `whole`: the plan's pass; `own`: what its taps measure. */
static void place_pass(const struct gf_pass *whole, struct gf_rows run, struct gf_rows own, bool around,
                       struct gf_pass *pass)
{
    const struct gf_rect all = {0, 0, whole->width, whole->height};
    int8_t slots[GF_MAX_PASS_TAPS];
    own.count += GF_FAULT(band_tap);
    pass->height = run.count;
    pass->part = (struct gf_pass_part){.top = run.first,
                                       .own = {own.first - run.first, own.count},
                                       .continues = own.first > 0,
                                       .goes_on = own.count == 0 || gf_rows_end(own) < whole->height};
    pass->n_rois = whole->n_rois;
    for (int32_t i = 0; i < whole->n_rois; i++) {
        pass->rois[i] = whole->rois[i];
        pass->rois[i].y -= pass->rois[i].w ? run.first : 0; /* uncut, for its form */
        if (GF_FAULT(region_band) && pass->rois[i].w) {
            pass->rois[i] = moved(whole->rois[i], run, run);
        }
    }
    bool placed = around && gf_band_tap_slots(whole, slots);
    for (int32_t i = 0; i < pass->n_taps; i++) {
        int8_t roi = whole->taps[i].roi;
        pass->taps[i].roi = roi;
        if (placed) {
            struct gf_rect region = roi == GF_NONE || whole->rois[roi].w == 0 ? all : whole->rois[roi];
            pass->taps[i].roi = slots[i];
            pass->rois[slots[i]] = moved(region, own, run);
            pass->n_rois = slots[i] < pass->n_rois ? pass->n_rois : slots[i] + 1;
        }
    }
}

/* The rows that taps of the pass measure. */
static struct gf_rows measured_in(const struct gf_band_view *view, const struct gf_pass *pass)
{
    const int32_t value = gf_pass_rows_of(pass);
    return gf_band_measured(pass, view->band.own[value], view->plan->lowered.list.values[value].height);
}

static void place_steps(struct gf_band_view *view)
{
    for (int32_t s = 0; s < view->steps.n; s++) {
        const struct gf_step *whole = &view->plan->steps.step[view->of_plan[s]];
        struct gf_rows run = view->runs[s] = view->band.runs[view->of_plan[s]];
        if (whole->kind == GF_STEP_PASS) {
            struct gf_pass *pass = view->steps.step[s].u.pass;
            place_pass(whole->u.pass, run, measured_in(view, pass), view->around[s], pass);
            if (pass->out != GF_NONE) {
                view->band.rows[pass->out] = run;
            }
        }
    }
}

void gf_band_view_place(struct gf_band_view *view, int64_t index)
{
    gf_band_find(view->plan, view->bands, view->sweep, index, &view->band);
    view->view.before = view->band.before;
    place_steps(view);
}

/* ---- making ---- */

static bool uses(const struct gf_step *step, int32_t picture)
{
    return step->kind == GF_STEP_PASS
               ? step->u.pass->in == picture || step->u.pass->operand[GF_OPERAND_SECOND].value == picture ||
                     (step->u.pass->out == picture && step->u.pass->n_taps)
               : step->u.apply.in[0] == picture;
}

/* The steps that the sweep runs, with the taps that measure in it and the pictures that it needs. */
static gf_status copy_steps(struct gf_band_view *view, gf_error *error)
{
    const struct gf_steps *whole = &view->plan->steps;
    gf_band_find_whole(view->plan, view->bands, view->sweep, &view->band);
    for (int32_t s = 0; s < whole->n; s++) {
        if (view->band.runs[s].count == 0) {
            continue;
        }
        struct gf_step *step = &view->steps.step[view->steps.n];
        GF_TRY(gf_step_copy(&whole->step[s], step, error));
        if (step->kind == GF_STEP_PASS) {
            struct gf_pass *pass = step->u.pass;
            pass->n_taps = step->sweep == view->sweep ? pass->n_taps : 0;
            pass->out = pass->out != GF_NONE && view->band.rows[pass->out].count ? pass->out : GF_NONE;
        }
        if (gf_step_gathers(step)) { /* its state has the blocks */
            step->u.apply.out[0] = step->sweep == view->sweep ? GF_NONE : step->u.apply.out[0];
            for (int32_t i = 1; i < GF_MAX_OPERANDS; i++) {
                step->u.apply.out[i] = GF_NONE;
            }
        }
        view->of_plan[view->steps.n++] = s;
        view->uses_output = view->uses_output || uses(step, view->plan->lowered.list.output);
    }
    return GF_OK;
}

/* The next band whose rows may differ from those of all before. */
static int64_t next_other(const struct gf_bands *bands, int64_t index)
{
    int64_t next = index + bands->every, last = bands->count - 1;
    next = next > last && index < last ? last : next;
    return bands->steady && index == 1 && bands->count > 4 ? bands->count - 2 : next;
}

/* The most rows of every value that some band has, to `most`, and what depends on it. */
static void find_most(struct gf_band_view *view, struct gf_rows *most)
{
    const struct gf_op_list *list = &view->plan->lowered.list;
    struct gf_rows last = {0};
    for (int64_t i = 0; i < view->bands->count; i = next_other(view->bands, i)) {
        gf_band_view_place(view, i);
        for (int32_t v = 0; v < list->n_values; v++) {
            most[v].count = gf_greatest(most[v].count, view->band.rows[v].count);
        }
        for (int32_t s = 0; s < view->steps.n; s++) {
            const struct gf_step *step = &view->steps.step[s];
            if (step->kind == GF_STEP_PASS && view->runs[s].count) {
                struct gf_rows own = measured_in(view, step->u.pass);
                view->around[s] =
                    view->around[s] || own.first != view->runs[s].first || own.count != view->runs[s].count;
            }
        }
        struct gf_rows own = view->band.own[list->input], read = view->band.rows[list->input];
        if (read.count) {
            view->falls = view->falls || read.first < last.first || gf_rows_end(read) < gf_rows_end(last);
            view->above = gf_greatest(view->above, own.first - read.first);
            view->below = gf_greatest(view->below, gf_rows_end(read) - gf_rows_end(own));
            last = read;
        }
    }
    view->read = most[list->input].count;
    view->stored = most[list->output].count;
}

/* Room for all that any band has, and for the scratch of each. */
static gf_status make_buffers(struct gf_band_view *view, gf_error *error)
{
    const gf_plan *plan = view->plan;
    struct gf_rows *most = calloc((size_t)plan->lowered.list.n_values, sizeof *most);
    GF_TRY(gf_need_memory(most != NULL, error));
    find_most(view, most);
    int64_t worth = 1 + view->read * gf_buffers_pitch(&plan->lowered.list.values[plan->lowered.list.input]) /
                            GF_BAND_THREAD_BYTES;
    view->view.threads = worth < plan->threads ? (int32_t)worth : plan->threads;
    uint64_t scratch = 0;
    for (int64_t i = 0; i < view->bands->count; i = next_other(view->bands, i)) {
        gf_band_view_place(view, i);
        uint64_t bytes = gf_buffers_scratch(&view->view, plan->device);
        scratch = bytes > scratch ? bytes : scratch;
    }
    struct gf_view room = view->view;
    room.rows = most;
    gf_status status = gf_buffers_make(&room, plan->device, scratch, &view->buffers, error);
    free(most);
    gf_band_view_place(view, 0);
    return status;
}

gf_status gf_band_view_create(const gf_plan *plan, const struct gf_bands *bands, int32_t sweep,
                              struct gf_band_view *view, gf_error *error)
{
    size_t n = (size_t)plan->steps.n + 1;
    *view = (struct gf_band_view){.plan = plan, .bands = bands, .sweep = sweep};
    view->steps.step = calloc(n, sizeof *view->steps.step);
    view->runs = calloc(n, sizeof *view->runs);
    view->of_plan = calloc(n, sizeof *view->of_plan);
    view->around = calloc(n, sizeof *view->around);
    gf_status status = view->steps.step && view->runs && view->of_plan && view->around
                           ? gf_band_create(plan, &view->band, error)
                           : gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    status = status == GF_OK ? copy_steps(view, error) : status;
    view->view = (struct gf_view){
        .list = &plan->lowered.list,
        .steps = &view->steps,
        .rows = view->band.rows,
        .runs = view->runs,
        .of_plan = view->of_plan,
        .keeps = bands->keeps != GF_NONE,
        .kept = bands->keeps == GF_NONE ? GF_NONE : plan->steps.step[bands->keeps].u.apply.out[0]};
    status = status == GF_OK ? make_buffers(view, error) : status;
    if (status != GF_OK) {
        gf_band_view_free(view);
    }
    return status;
}

void gf_band_view_free(struct gf_band_view *view)
{
    gf_buffers_free(&view->buffers);
    gf_steps_free(&view->steps);
    gf_band_free(&view->band);
    free(view->runs);
    free(view->of_plan);
    free(view->around);
    *view = (struct gf_band_view){0};
}
