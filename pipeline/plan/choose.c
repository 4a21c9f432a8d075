/* --device auto: the CPU unless CUDA is likely to finish sooner, start-up and copies included. */
#include "plan/plan.h"

#include "pixel/kernel_table.h"

#include <stdio.h>

/* Rates of the model (docs/decisions.md). Start and pageable copies are rounded from measurements; the rates
 * of the CPU are estimates, up to twice too slow. Device time is left out: it is a hundredth of the copies.
 */
static const double CUDA_START_MS = 330, COPY_GBPS = 7.5, CPU_POINT_GBPS = 8, CPU_WINDOW_NS_TAP = 0.15;

static double cpu_milliseconds(const gf_plan *plan)
{
    double ms = 0;
    for (int32_t s = 0; s < plan->steps.n; s++) {
        const struct gf_step *step = &plan->steps.step[s];
        if (step->kind != GF_STEP_PASS) {
            continue;
        }
        const struct gf_pass *pass = step->u.pass;
        double samples = (double)pass->width * (double)pass->height * pass->pre.channels_out;
        ms += (double)gf_picture_bytes(&plan->lowered.list.values[pass->in]) / CPU_POINT_GBPS * 1e-6;
        if (pass->window.kernel) {
            struct gf_halo halo;
            pass->window.kernel->halo(&pass->window.args, &halo);
            ms += samples * (double)(halo.left + halo.right + halo.up + halo.down + 2) * CPU_WINDOW_NS_TAP *
                  1e-6;
        }
    }
    return ms / plan->threads;
}

void gf_choose_device(gf_plan *plan)
{
    char names[1][128];
    plan->device = GF_DEVICE_CPU;
    if (!gf_has_cuda()) {
        snprintf(plan->reason, sizeof plan->reason, "auto: this build has no CUDA backend");
        return;
    }
    for (int32_t i = 0; i < plan->lowered.list.n_ops; i++) {
        const struct gf_op *op = &plan->lowered.list.ops[i];
        if (op->kind == GF_OP_CALL && !op->u.call.device) {
            snprintf(plan->reason, sizeof plan->reason, "auto: stage %d has no device function",
                     op->stage + 1);
            return;
        }
    }
    if (!gf_context_listed_gpus(names, 1)) {
        snprintf(plan->reason, sizeof plan->reason, "auto: no CUDA device");
        return;
    }
    const struct gf_op_list *list = &plan->lowered.list;
    double copies = (double)(gf_picture_bytes(&list->values[list->input]) +
                             gf_picture_bytes(&list->values[list->output])) /
                    COPY_GBPS * 1e-6;
    double cuda = CUDA_START_MS + copies;
    double cpu = cpu_milliseconds(plan);
    plan->device = cuda < cpu ? 0 : GF_DEVICE_CPU;
    snprintf(plan->reason, sizeof plan->reason,
             "auto: about %.0f ms on the CPU, %.0f ms on CUDA with its start", cpu, cuda);
}
