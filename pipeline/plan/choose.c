/* --device auto: the CPU unless the GPU is likely to finish sooner, start-up and copies included. */
#include "plan/plan.h"

#include "base/device.h"
#include "pixel/kernel_table.h"

#include <stdio.h>

/* Rates of the model (docs/decisions.md). Start and pageable copies are the backend's, rounded from
 * measurements; the rates of the CPU are estimates, up to twice too slow. Device time is left out: it is a
 * hundredth of the copies. */
static const double CPU_POINT_GBPS = 8, CPU_WINDOW_NS_TAP = 0.15;

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
    const struct gf_backend *gpu = gf_backend_for(0);
    plan->device = GF_DEVICE_CPU;
    if (!gpu) {
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
    if (!gf_context_lists_gpu(plan->context)) {
        snprintf(plan->reason, sizeof plan->reason,
                 gf_context_is_lost(plan->context, 0) ? "auto: %s:0 is lost" : "auto: no %s device",
                 gpu->name);
        return;
    }
    const struct gf_op_list *list = &plan->lowered.list;
    double copies = (double)(gf_picture_bytes(&list->values[list->input]) +
                             gf_picture_bytes(&list->values[list->output])) /
                    gpu->copy_gbps * 1e-6;
    double started = gpu->start_ms + copies;
    double cpu = cpu_milliseconds(plan);
    plan->device = started < cpu ? 0 : GF_DEVICE_CPU;
    snprintf(plan->reason, sizeof plan->reason,
             "auto: about %.0f ms on the CPU, %.0f ms on %s with its start", cpu, started, gpu->name);
}
