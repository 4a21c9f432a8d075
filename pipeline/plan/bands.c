#include "plan/bands.h"

#include "base/planted_fault.h"
#include "lang/pipeline.h"
#include "pixel/kernel_table.h"
#include "plan/plan.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- whether ---- */

/* Rows beyond its own that a picture must have on each side. */
struct reach {
    int64_t up, down;
};

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

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool window_allows(const gf_plan *plan, const struct gf_step *step, struct gf_bands *bands,
                          struct gf_halo *halo)
{
    const struct gf_window *window = &step->u.pass->window;
    *halo = (struct gf_halo){.align = 1};
    if (!window->kernel) {
        return true;
    }
    int32_t stage = stage_of_window(plan, step);
    window->kernel->halo(window, halo);
    if (window->border == GF_BORDER_WRAP && (halo->up || halo->down)) {
        return says(bands, plan, stage, "wraps around from the last row to the first");
    }
    if (halo->turns_y > 0) {
        return says(bands, plan, stage, "reaches far beyond the picture from every row");
    }
    bands->align = bands->align / greatest_common_divisor(bands->align, halo->align) * halo->align;
    return bands->align <= plan->input.height /* before it grows beyond all numbers */
           || says(bands, plan, stage, "adds in blocks that fall together too rarely");
}

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

/* Gives every tap a region of its own, but one to all that measure everywhere: in slots that programs do not
 * use. false: there are not so many. */
static bool place_taps(const struct gf_pass *pass, int8_t slots[GF_MAX_PASS_TAPS])
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

static bool taps_allow(const gf_plan *plan, const struct gf_step *step, struct gf_bands *bands)
{
    const struct gf_pass *pass = step->u.pass;
    int8_t slots[GF_MAX_PASS_TAPS];
    for (int32_t i = 0; i < pass->n_taps && pass->post.depth_out == GF_F32; i++) {
        int32_t stage = stage_of_tap(plan, &pass->taps[i]);
        if (pass->taps[i].kind == GF_TAP_STATS) {
            return says(bands, plan, stage, "adds f32 samples in one tree over the whole picture");
        }
        if (pass->taps[i].kind == GF_TAP_RANGE) { /* 0, 0 may be found or mean that there is none */
            return says(bands, plan, stage, "looks for the range of f32 samples of the whole picture");
        }
    }
    return place_taps(pass, slots) ||
           says(bands, plan, stage_of_tap(plan, pass->taps), "measures too many regions");
}

static bool pass_allows(const gf_plan *plan, const struct gf_step *step, struct gf_bands *bands,
                        struct reach *reach)
{
    const struct gf_pass *pass = step->u.pass;
    struct gf_halo halo;
    if (!window_allows(plan, step, bands, &halo) || !taps_allow(plan, step, bands)) {
        return false;
    }
    struct reach made = {0, 0};
    if (pass->out != GF_NONE) {
        made = reach[pass->out];
    }
    const int32_t reads[] = {pass->in, pass->operand[GF_OPERAND_SECOND].value};
    for (int i = 0; i < 2; i++) {
        if (reads[i] != GF_NONE) {
            struct reach *read = &reach[reads[i]];
            read->up = made.up + halo.up > read->up ? made.up + halo.up : read->up;
            read->down = made.down + halo.down > read->down ? made.down + halo.down : read->down;
        }
    }
    return true;
}

/* From the last step to the first: each needs around its input what is needed around its output, and its
 * halo. */
static bool steps_allow(const gf_plan *plan, struct gf_bands *bands, struct reach *reach)
{
    if (plan->lowered.reads_other != GF_NONE) {
        return says(bands, plan, plan->lowered.reads_other, "reads a second picture");
    }
    for (int32_t s = plan->steps.n; s-- > 0;) {
        const struct gf_step *step = &plan->steps.step[s];
        if (step->kind == GF_STEP_CALL) {
            return says(bands, plan, step->first_stage, "is a function over the whole picture");
        }
        if (step->kind == GF_STEP_APPLY && !gf_step_solves(step)) {
            return says(bands, plan, step->first_stage, "works on the whole picture");
        }
        if (step->kind == GF_STEP_PASS && !pass_allows(plan, step, bands, reach)) {
            return false;
        }
    }
    return true;
}

/* The first stage that waits for the end of a sweep. */
static void say_what_waits(gf_plan *plan)
{
    const struct gf_op_list *list = &plan->lowered.list;
    for (int32_t i = 0; i < list->n_ops; i++) {
        const struct gf_op *op = &list->ops[i];
        for (int32_t b = 0; b < GF_MAX_OP_BLOCKS && op->kind != GF_OP_APPLY; b++) {
            if (op->blocks[b] != GF_NONE && !list->values[op->blocks[b]].constant) {
                snprintf(plan->bands.waits, sizeof plan->bands.waits,
                         "stage %d '%s' needs what is measured of the whole picture first", op->stage + 1,
                         plan->pipeline->nodes[op->stage].type->name);
                return;
            }
        }
    }
}

gf_status gf_bands_find(gf_plan *plan, gf_error *error)
{
    struct gf_bands *bands = &plan->bands;
    const struct gf_op_list *list = &plan->lowered.list;
    *bands = (struct gf_bands){.align = 1, .count = 1, .height = plan->input.height};
    struct reach *reach = calloc((size_t)list->n_values, sizeof *reach);
    if (!reach) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    }
    if (steps_allow(plan, bands, reach)) {
        bands->above = (reach[list->input].up + bands->align - 1) / bands->align * bands->align;
        bands->below = reach[list->input].down - (GF_FAULT(band_reach) && reach[list->input].down > 0);
    }
    free(reach);
    GF_TRY(gf_sweeps_find(list, &plan->steps, &bands->sweeps, error));
    if (bands->sweeps > 1) {
        say_what_waits(plan);
    }
    return GF_OK;
}

/* ---- one band ---- */

int64_t gf_bands_stride(const struct gf_bands *bands, int64_t height)
{
    return (height - bands->above - bands->below) / bands->align * bands->align;
}

struct gf_band gf_band_at(const gf_plan *plan, int64_t index)
{
    const struct gf_bands *bands = &plan->bands;
    int64_t stride = gf_bands_stride(bands, bands->height), left = plan->input.height - index * stride;
    struct gf_band at = {.first = index * stride, .rows = bands->height < left ? bands->height : left};
    bool last = index == bands->count - 1;
    int64_t skip = index > 0 ? bands->above : 0;
    at.core = at.first + skip;
    at.core_rows = at.rows - skip - (last ? 0 : bands->below);
    return at;
}

/* Makes the plan that of bands of `rows` rows in one sweep. */
static gf_status shorten(const gf_plan *plan, int32_t sweep, int64_t rows, gf_plan *band, gf_error *error)
{
    struct gf_op_list *list = &band->lowered.list;
    band->input.height = band->bands.height = rows;
    band->lowered.n_results = 0;
    for (int32_t v = 0; v < list->n_values; v++) {
        list->values[v].height = list->values[v].is_block ? list->values[v].height : rows;
    }
    gf_sweep_keep(&band->steps, plan->bands.sweeps, sweep);
    for (int32_t s = 0; s < band->steps.n; s++) {
        band->steps.step[s].u.pass->height = rows; /* there is nothing but passes */
    }
    struct gf_band whole = {.rows = rows, .core_rows = rows};
    gf_band_place(plan, sweep, &whole, band); /* taps of a region may take other scratch */
    gf_buffers_free(&band->buffers);
    GF_TRY(gf_buffers_make(list, &band->steps, band->device, band->threads, &band->buffers, error));
    band->memory = band->buffers.total;
    return GF_OK;
}

gf_status gf_band_plan(const gf_plan *plan, int32_t sweep, int64_t rows, gf_plan **band, gf_error *error)
{
    gf_plan_options options = plan->options;
    const struct gf_value *input = &plan->lowered.list.values[plan->lowered.list.input];
    int64_t worth = 1 + rows * gf_buffers_pitch(input) / GF_BAND_THREAD_BYTES;
    options.device = plan->device;
    options.threads = worth < plan->threads ? (int32_t)worth : plan->threads;
    options.memory_limit = 0;
    options.stream_rows = 0;
    GF_TRY(gf_plan_create_like(plan, plan->n_stages, &options, band, error));
    gf_status status = shorten(plan, sweep, rows, *band, error);
    if (status != GF_OK) {
        gf_plan_destroy(band);
    }
    return status;
}

/* The part of a region that lies in rows [from, to) of the picture, as a band sees it that begins at row
 * first. Without such a part: below the band, since no width means everywhere. */
static struct gf_rect moved(struct gf_rect region, int64_t from, int64_t to, const struct gf_band *at)
{
    int64_t top = region.y > from ? region.y : from;
    int64_t bottom = region.y + region.h < to ? region.y + region.h : to;
    if (top >= bottom) {
        return (struct gf_rect){region.x, at->rows, region.w, 1};
    }
    return (struct gf_rect){region.x, top - at->first, region.w, bottom - top};
}

/* `around`: bands read rows that they do not make, so that taps must be told. */
static void place_pass(const struct gf_pass *whole, const struct gf_band *at, bool around,
                       struct gf_pass *pass)
{
    const struct gf_rect all = {0, 0, whole->width, whole->height};
    int64_t end = at->core + at->core_rows + GF_FAULT(band_tap);
    int8_t slots[GF_MAX_PASS_TAPS];
    pass->n_rois = whole->n_rois;
    for (int32_t i = 0; i < whole->n_rois; i++) {
        pass->rois[i] =
            whole->rois[i].w ? moved(whole->rois[i], at->first, at->first + at->rows, at) : whole->rois[i];
    }
    bool placed = around && place_taps(whole, slots);
    for (int32_t i = 0; i < pass->n_taps; i++) {
        int8_t roi = whole->taps[i].roi;
        pass->taps[i].roi = roi;
        if (placed) {
            struct gf_rect region = roi == GF_NONE || whole->rois[roi].w == 0 ? all : whole->rois[roi];
            pass->taps[i].roi = slots[i];
            pass->rois[slots[i]] = moved(region, at->core, end, at);
            pass->n_rois = slots[i] < pass->n_rois ? pass->n_rois : slots[i] + 1;
        }
    }
}

void gf_band_place(const gf_plan *plan, int32_t sweep, const struct gf_band *at, gf_plan *band)
{
    int32_t n = 0;
    for (int32_t s = 0; s < plan->steps.n; s++) {
        if (gf_sweep_runs(&plan->steps, plan->bands.sweeps, sweep, s)) {
            place_pass(plan->steps.step[s].u.pass, at, plan->bands.above || plan->bands.below,
                       band->steps.step[n++].u.pass);
        }
    }
}
