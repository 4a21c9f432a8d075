#include "plan/sweeps.h"

#include "base/planted_fault.h"
#include "base/status.h"
#include "pixel/kernel_table.h"

#include <stdlib.h>

static int32_t later(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* ready[v]: the first sweep that can read the value. */
static void find_pass(const struct gf_op_list *list, struct gf_step *step, int32_t *ready)
{
    const struct gf_pass *pass = step->u.pass;
    int32_t second = pass->operand[GF_OPERAND_SECOND].value;
    step->sweep = second == GF_NONE ? ready[pass->in] : later(ready[pass->in], ready[second]);
    for (int32_t i = 0; i < pass->n_blocks; i++) {
        bool waits = !list->values[pass->blocks[i]].constant;
        step->sweep = waits ? later(step->sweep, ready[pass->blocks[i]]) : step->sweep;
    }
    if (pass->out != GF_NONE) {
        ready[pass->out] = step->sweep;
    }
    for (int32_t i = 0; i < pass->n_taps; i++) {
        ready[pass->taps[i].out] = step->sweep + 1;
    }
}

/* Blocks can be solved when the sweep before the one that reads them has ended. */
static void find_solve(struct gf_step *step, int32_t *ready)
{
    const struct gf_apply *solve = &step->u.apply;
    int32_t read = 1;
    for (int32_t i = 0; i < gf_operand_count(solve->in); i++) {
        read = later(read, ready[solve->in[i]]);
    }
    step->sweep = read - 1;
    for (int32_t i = 0; i < gf_operand_count(solve->out); i++) {
        ready[solve->out[i]] = read - GF_FAULT(sweep_early);
    }
}

gf_status gf_sweeps_find(const struct gf_op_list *list, struct gf_steps *steps, int32_t *count,
                         gf_error *error)
{
    int32_t *ready = calloc((size_t)list->n_values, sizeof *ready);
    if (!ready) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    }
    *count = 1;
    for (int32_t s = 0; s < steps->n; s++) {
        struct gf_step *step = &steps->step[s];
        if (step->kind == GF_STEP_PASS) {
            find_pass(list, step, ready);
        } else if (gf_step_solves(step)) {
            find_solve(step, ready);
        } else if (step->kind == GF_STEP_APPLY) { /* which has no bands, nor has a call */
            continue;
        } else {
            ready[step->u.call.out] = step->sweep = ready[step->u.call.in];
        }
        *count = later(*count, step->sweep + 1);
    }
    free(ready);
    return GF_OK;
}

static bool measures(const struct gf_step *step, int32_t sweep)
{
    return step->kind == GF_STEP_PASS && step->sweep == sweep && step->u.pass->n_taps > 0;
}

/* The last step of a sweep: nothing behind what is measured is needed, but in the last of `count`. */
static int32_t end_of(const struct gf_steps *steps, int32_t count, int32_t sweep)
{
    int32_t end = steps->n;
    while (sweep < count - 1 && --end > 0 && !measures(&steps->step[end], sweep)) {
    }
    return end;
}

static bool runs(const struct gf_step *step, int32_t index, int32_t end, int32_t sweep)
{
    return step->kind == GF_STEP_PASS && index <= end &&
           (step->u.pass->out != GF_NONE || step->sweep == sweep);
}

bool gf_sweep_runs(const struct gf_steps *steps, int32_t count, int32_t sweep, int32_t index)
{
    return runs(&steps->step[index], index, end_of(steps, count, sweep), sweep);
}

static void keep_pass(struct gf_step *step, bool stores, int32_t sweep)
{
    struct gf_pass *pass = step->u.pass;
    pass->n_taps = step->sweep == sweep ? pass->n_taps : 0;
    pass->out = stores ? pass->out : GF_NONE;
}

void gf_sweep_keep(struct gf_steps *steps, int32_t count, int32_t sweep)
{
    int32_t end = end_of(steps, count, sweep), kept = 0;
    for (int32_t s = 0; s < steps->n; s++) {
        struct gf_step step = steps->step[s];
        if (runs(&step, s, end, sweep)) {
            keep_pass(&step, s < end, sweep);
            steps->step[kept++] = step;
        } else if (step.kind == GF_STEP_PASS) {
            free(step.u.pass);
        }
    }
    steps->n = kept;
}
