#include "plan/sweeps.h"

#include "base/planted_fault.h"
#include "base/status.h"
#include "pixel/ir/kernel_table.h"

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

/* A map, or what gathers in one sweep what it makes in the next; other whole pictures have no bands. */
static void find_apply(struct gf_step *step, int32_t *ready)
{
    const struct gf_apply *apply = &step->u.apply;
    step->sweep = 0;
    for (int32_t i = 0; i < gf_operand_count(apply->in); i++) {
        step->sweep = later(step->sweep, ready[apply->in[i]]);
    }
    for (int32_t i = 0; i < gf_operand_count(apply->out); i++) {
        ready[apply->out[i]] = step->sweep + gf_step_gathers(step);
    }
}

gf_status gf_sweeps_find(const struct gf_op_list *list, struct gf_steps *steps, int32_t *count,
                         gf_error *error)
{
    int32_t *ready = calloc((size_t)list->n_values, sizeof *ready);
    GF_TRY(gf_need_memory(ready != NULL, error));
    *count = 1;
    for (int32_t s = 0; s < steps->n; s++) {
        struct gf_step *step = &steps->step[s];
        if (step->kind == GF_STEP_PASS) {
            find_pass(list, step, ready);
        } else if (gf_step_solves(step)) {
            find_solve(step, ready);
        } else if (step->kind == GF_STEP_APPLY) {
            find_apply(step, ready);
        } else { /* a call has no bands */
            ready[step->u.call.out] = step->sweep = ready[step->u.call.in];
        }
        *count = later(*count, step->sweep + 1);
    }
    *count = later(*count, ready[list->output] + 1);
    free(ready);
    return GF_OK;
}
