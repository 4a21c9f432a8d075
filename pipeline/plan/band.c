#include "plan/band.h"

#include "base/planted_fault.h"
#include "base/status.h"
#include "pixel/ir/kernel_table.h"

#include <stdlib.h>

gf_status gf_band_create(const gf_plan *plan, struct gf_band *band, gf_error *error)
{
    size_t values = (size_t)plan->lowered.list.n_values, steps = (size_t)plan->steps.n;
    struct gf_rows *all = calloc(2 * values + steps, sizeof *all);
    *band = (struct gf_band){
        .own = all, .rows = all ? all + values : NULL, .runs = all ? all + 2 * values : NULL};
    return gf_need_memory(all != NULL, error);
}

void gf_band_free(struct gf_band *band)
{
    free(band->own);
    *band = (struct gf_band){0};
}

/* ---- rows ---- */

static void add(struct gf_rows *rows, struct gf_rows more)
{
    if (rows->count == 0 || more.count == 0) {
        *rows = rows->count == 0 ? more : *rows;
        return;
    }
    int64_t end = gf_rows_end(*rows) > gf_rows_end(more) ? gf_rows_end(*rows) : gf_rows_end(more);
    rows->first = rows->first < more.first ? rows->first : more.first;
    rows->count = end - rows->first;
}

static struct gf_rows within(struct gf_rows rows, int64_t height)
{
    int64_t first = rows.first > 0 ? rows.first : 0;
    int64_t end = gf_rows_end(rows) < height ? gf_rows_end(rows) : height;
    return (struct gf_rows){first, end > first ? end - first : 0};
}

int64_t gf_common_rows(int64_t a, int64_t b)
{
    int64_t divisor = a, rest = b;
    while (rest) {
        int64_t next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    return a / divisor * b;
}

static int64_t next_multiple(int64_t row, int64_t rows, int64_t height)
{
    int64_t next = (row + rows - 1) / rows * rows;
    return height && next > height ? height : next;
}

struct gf_rows gf_band_measured(const struct gf_pass *pass, struct gf_rows own, int64_t height)
{
    int64_t rows = gf_pass_cell_rows(pass);
    int64_t first = next_multiple(own.first, rows, height),
            end = next_multiple(gf_rows_end(own), rows, height);
    return (struct gf_rows){first, end - first};
}

/* The rows that a pass computes to make those wanted: at the edges of what it computes, where a border stands
 * in for rows that the picture has, rows are wrong. At the edges of the picture, of this height, a border
 * that mirrors reads as far inside as the window looks beyond; 0: where the edges are is not known. */
static struct gf_rows widened(const struct gf_pass *pass, struct gf_rows want, bool measures, int64_t height)
{
    struct gf_halo halo = {.align = 1};
    if (pass->window.kernel) {
        pass->window.kernel->window.halo(&pass->window, &halo);
    }
    halo.align = measures ? gf_common_rows(halo.align, gf_pass_cell_rows(pass)) : halo.align;
    int64_t first = want.first - halo.up;
    int64_t end = gf_rows_end(want) + halo.down - (GF_FAULT(band_reach) && halo.down > 0);
    if (height) {
        const int64_t above = first < 0 ? -first : 0, below = end > height ? end - height : 0;
        end = end > above + 1 ? end : above + 1;
        first = first < height - 1 - below ? first : height - 1 - below;
    }
    const int64_t past = first % halo.align;
    first -= past < 0 ? past + halo.align : past;
    return (struct gf_rows){first, end - first};
}

static struct gf_rows reach(const gf_plan *plan, const struct gf_apply *map, struct gf_rows want)
{
    const struct gf_value *in = &plan->lowered.list.values[map->in[0]];
    struct gf_rows need;
    if (!map->kernel->map.reach ||
        !map->kernel->map.reach(map, in, &plan->lowered.list.values[map->out[0]], want, &need)) {
        return (struct gf_rows){0, in->height};
    }
    return within(need, in->height);
}

/* ---- which of them are the band's own: from the input to what is made of it ---- */

/* Rows of a map's output that begin above row `cut` of its input. */
static int64_t rows_above(const gf_plan *plan, const struct gf_apply *map, int64_t cut)
{
    const struct gf_value *values = plan->lowered.list.values;
    int64_t from = 0, to = values[map->out[0]].height;
    if (cut <= 0 || cut >= values[map->in[0]].height) {
        return cut <= 0 ? 0 : to;
    }
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (reach(plan, map, (struct gf_rows){middle, 1}).first < cut) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/* Rows of a map's output that it has all input for, where it reads no row from `cut` on. */
static int64_t rows_made(const gf_plan *plan, const struct gf_apply *map, int64_t cut)
{
    int64_t from = 0, to = plan->lowered.list.values[map->out[0]].height;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (gf_rows_end(reach(plan, map, (struct gf_rows){middle, 1})) <= cut) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/* The map behind the one that keeps its rows. */
static const struct gf_apply *far_map(const gf_plan *plan, const struct gf_bands *bands)
{
    return &plan->steps.step[bands->keeps + 1].u.apply;
}

/* The rows of what is kept that are in memory while the band of rows [first, end) runs. */
static struct gf_rows kept_rows(const gf_plan *plan, const struct gf_bands *bands, int64_t first, int64_t end)
{
    const struct gf_apply *map = far_map(plan, bands);
    const int64_t next = rows_made(plan, map, first);
    if (next == plan->lowered.list.values[map->out[0]].height || first >= end) {
        return (struct gf_rows){0};
    }
    const int64_t need = reach(plan, map, (struct gf_rows){next, 1}).first;
    const int64_t from = need < first ? need : first;
    return (struct gf_rows){need < end ? from : 0, need < end ? end - from : 0};
}

static void find_own(const gf_plan *plan, const struct gf_bands *bands, struct gf_rows own,
                     struct gf_band *band)
{
    for (int32_t i = 0; i <= plan->lowered.list.n_others;
         i++) { /* all of one height: gf_bands_find sees to it */
        band->own[gf_input_value(&plan->lowered.list, i)] = own;
    }
    for (int32_t s = 0; s < plan->steps.n; s++) {
        const struct gf_step *step = &plan->steps.step[s];
        const struct gf_apply *map = gf_step_map(step);
        if (gf_step_gathers(step)) {
            band->own[step->u.apply.out[0]] = band->own[step->u.apply.in[0]];
        }
        if (map) {
            struct gf_rows from = band->own[map->in[0]];
            const bool is_far = bands->keeps != GF_NONE && s == bands->keeps + 1;
            int64_t first = (is_far ? rows_made : rows_above)(plan, map, from.first);
            int64_t end = (is_far ? rows_made : rows_above)(plan, map, gf_rows_end(from));
            band->own[map->out[0]] = (struct gf_rows){first, end - first};
        }
        if (step->kind == GF_STEP_PASS && step->u.pass->out != GF_NONE) {
            band->own[step->u.pass->out] = band->own[gf_pass_rows_of(step->u.pass)];
        }
    }
}

/* ---- what they need: from the last step to the first ---- */

static void find_pass(const gf_plan *plan, int32_t s, int32_t sweep, bool beyond, struct gf_band *band)
{
    const struct gf_pass *pass = plan->steps.step[s].u.pass;
    struct gf_rows want = pass->out == GF_NONE ? (struct gf_rows){0} : band->rows[pass->out];
    const struct gf_apply *map = gf_step_map(&plan->steps.step[s]);
    int64_t height = plan->lowered.list.values[gf_pass_rows_of(pass)].height;
    bool measures = pass->n_taps > 0 && plan->steps.step[s].sweep == sweep;
    if (measures) {
        add(&want, gf_band_measured(pass, band->own[gf_pass_rows_of(pass)], beyond ? 0 : height));
    }
    band->runs[s] = (struct gf_rows){0};
    if (want.count == 0) {
        return;
    }
    struct gf_rows run = widened(pass, want, measures, beyond ? 0 : height);
    run = beyond ? run : within(run, height);
    band->runs[s] = run;
    if (pass->out != GF_NONE && band->rows[pass->out].count) {
        band->rows[pass->out] = run;
    }
    add(&band->rows[pass->in], map ? reach(plan, map, run) : run);
    if (pass->operand[GF_OPERAND_SECOND].value != GF_NONE) {
        add(&band->rows[pass->operand[GF_OPERAND_SECOND].value], run);
    }
}

static void find_map(const gf_plan *plan, int32_t s, struct gf_band *band)
{
    const struct gf_apply *map = &plan->steps.step[s].u.apply;
    struct gf_rows want = band->rows[map->out[0]];
    band->runs[s] = want;
    if (want.count) {
        add(&band->rows[map->in[0]], reach(plan, map, want));
    }
}

/* The rows that it is to have from before the band's own are there. */
static void find_keeping(const gf_plan *plan, const struct gf_bands *bands, struct gf_band *band)
{
    const struct gf_apply *map = &plan->steps.step[bands->keeps].u.apply;
    const struct gf_rows own = band->own[map->in[0]];
    band->rows[map->out[0]] = kept_rows(plan, bands, own.first, gf_rows_end(own));
    if (band->rows[map->out[0]].count) {
        band->runs[bands->keeps] = own;
        add(&band->rows[map->in[0]], own);
    }
}

/* It reads the rows that the band answers for, and makes those. */
static void find_gathering(const gf_plan *plan, int32_t s, int32_t sweep, struct gf_band *band)
{
    const struct gf_apply *apply = &plan->steps.step[s].u.apply;
    if (plan->steps.step[s].sweep == sweep || band->rows[apply->out[0]].count) {
        band->runs[s] = band->own[apply->in[0]];
        add(&band->rows[apply->in[0]], band->runs[s]);
    }
}

/* In the last sweep the output is made. */
static void find(const gf_plan *plan, const struct gf_bands *bands, int32_t sweep, struct gf_rows own,
                 bool beyond, struct gf_band *band)
{
    const struct gf_op_list *list = &plan->lowered.list;
    for (int32_t v = 0; v < list->n_values; v++) {
        band->own[v] = band->rows[v] = (struct gf_rows){0};
    }
    band->before = (struct gf_rows){0};
    find_own(plan, bands, own, band);
    if (sweep == bands->sweeps - 1) {
        band->rows[list->output] = band->own[list->output];
    }
    for (int32_t s = plan->steps.n; s-- > 0;) {
        band->runs[s] = (struct gf_rows){0};
        if (plan->steps.step[s].kind == GF_STEP_PASS) {
            find_pass(plan, s, sweep, beyond, band);
        } else if (s == bands->keeps) {
            find_keeping(plan, bands, band);
        } else if (gf_step_maps(&plan->steps.step[s])) {
            find_map(plan, s, band);
        } else if (gf_step_gathers(&plan->steps.step[s])) {
            find_gathering(plan, s, sweep, band);
        }
    }
}

void gf_band_find_whole(const gf_plan *plan, const struct gf_bands *bands, int32_t sweep,
                        struct gf_band *band)
{
    find(plan, bands, sweep, (struct gf_rows){0, plan->input.height}, false, band);
}

void gf_band_find_around(const gf_plan *plan, const struct gf_bands *bands, int32_t sweep, struct gf_rows own,
                         struct gf_band *band)
{
    find(plan, bands, sweep, own, bands->steady, band);
}

/* Rows of the input above band `index`. */
static int64_t cut_at(const gf_plan *plan, const struct gf_bands *bands, int64_t index)
{
    return index <= 0 ? 0 : index >= bands->count ? plan->input.height : bands->lead + index * bands->stride;
}

void gf_band_find(const gf_plan *plan, const struct gf_bands *bands, int32_t sweep, int64_t index,
                  struct gf_band *band)
{
    int64_t first = cut_at(plan, bands, index), end = cut_at(plan, bands, index + 1);
    find(plan, bands, sweep, (struct gf_rows){first, end - first}, false, band);
    if (bands->keeps != GF_NONE) {
        band->before = kept_rows(plan, bands, cut_at(plan, bands, index - 1), first);
    }
}
