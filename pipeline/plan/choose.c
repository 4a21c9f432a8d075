#include "plan/choose.h"

#include "base/device.h"
#include "base/text.h"
#include "pixel/ir/kernel_table.h"
#include "plan/cost.h"

#include <stdio.h>

bool gf_op_has_device(const struct gf_op *op)
{
    return op->kind == GF_OP_CALL     ? op->u.call.device != NULL
           : op->kind == GF_OP_APPLY  ? op->u.apply.kernel->apply.cuda != NULL
           : op->kind == GF_OP_WINDOW ? op->u.window.kernel->paths.cuda != NULL
           : op->kind == GF_OP_TAP    ? op->u.tap.kernel->tap.cuda != NULL
                                      : true;
}

/* Why the GPU cannot be chosen at all; false: it can. */
static bool is_ruled_out(const gf_plan *plan, char *reason, size_t size)
{
    const struct gf_backend *gpu = gf_backend_for(0);
    if (!gpu) {
        snprintf(reason, size, "auto: no CUDA backend");
        return true;
    }
    for (int32_t i = 0; i < plan->lowered.list.n_ops; i++) {
        const struct gf_op *op = &plan->lowered.list.ops[i];
        if (!gf_op_has_device(op)) {
            snprintf(reason, size, "auto: stage %d has no device function", op->stage + 1);
            return true;
        }
    }
    if (!gf_context_lists_gpu(plan->context)) {
        snprintf(reason, size,
                 gf_context_is_lost(plan->context, 0) ? "auto: %s:0 is lost" : "auto: no %s device",
                 gpu->name);
        return true;
    }
    return false;
}

static void add_ms(struct gf_text *text, double ms)
{
    gf_text_fixed(text, 0, ms == 0 || ms >= 100 ? 0 : ms >= 1 ? 1 : 3, ms);
}

static void add_hidden(struct gf_text *text, struct gf_cost cost)
{
    if (cost.hidden > 0) {
        gf_text_string(text, " - ");
        add_ms(text, cost.hidden);
        gf_text_string(text, " while reading");
    }
}

/* "auto: cpu 20.4 ms, cuda 213 ms (start 330 - 137 while reading + copies 20.0 + work 0.183)" */
static void write_reason(const gf_plan *plan, bool prefers_gpu, struct gf_cost cpu, struct gf_cost gpu,
                         char *reason, size_t size)
{
    struct gf_text text = gf_text_begin(reason, size);
    gf_text_string(&text, "auto");
    if (plan->options.runs > 1) {
        gf_text_append(&text, ", %lld runs", (long long)plan->options.runs);
    }
    gf_text_string(&text, ": cpu ");
    add_ms(&text, gf_cost_total(cpu));
    gf_text_string(&text, " ms");
    if (cpu.hidden > 0) {
        gf_text_string(&text, " (");
        add_ms(&text, cpu.work);
        add_hidden(&text, cpu);
        gf_text_string(&text, ")");
    }
    gf_text_append(&text, ", %s ", gf_device_kind(0));
    add_ms(&text, gf_cost_total(gpu));
    gf_text_string(&text, " ms (start ");
    add_ms(&text, gpu.start);
    add_hidden(&text, gpu);
    gf_text_string(&text, " + copies ");
    add_ms(&text, gpu.copies);
    gf_text_string(&text, " + work ");
    add_ms(&text, gpu.work);
    bool gains = !prefers_gpu && gf_cost_total(gpu) < gf_cost_total(cpu);
    gf_text_string(&text, gains ? "): gains too little" : ")");
}

gf_device gf_choose_device(const gf_plan *plan, char *reason, size_t size)
{
    if (is_ruled_out(plan, reason, size)) {
        return GF_DEVICE_CPU;
    }
    struct gf_cost cpu = gf_cost_cpu(plan), gpu = gf_cost_gpu(plan, gf_backend_for(0)->emulated);
    bool prefers_gpu = gf_cost_prefers_gpu(plan, cpu, gpu);
    write_reason(plan, prefers_gpu, cpu, gpu, reason, size);
    return prefers_gpu ? 0 : GF_DEVICE_CPU;
}
