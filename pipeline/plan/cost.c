#include "plan/cost.h"

#include "base/device.h"
#include "pixel/ir/kernel_table.h"
#include "plan/staged.h"
#include "rates/cost_rates.h"

/* The GPU has to be better by this factor, as the model is not exact, and to save this part of all the time
 * that the caller spends, reading included: a GPU that gains little is better left to others. */
static const double CLEARLY = 1.25, WORTHWHILE = 0.1;

enum side { ON_CPU, ON_GPU };

static const double nanoseconds[GF_WORKS][2] = {
#define GF_COST(what, cpu, gpu) [GF_WORK_##what] = {cpu, gpu},
#define GF_RATE(what, value)
#include "rates/cost_model.def"
#undef GF_COST
#undef GF_RATE
};

/* ---- what a pass has to do: amounts of each kind of work ---- */

static void add_window(const struct gf_pass *pass, double pixels, double *amounts)
{
    const struct gf_window *window = &pass->window;
    double samples = pixels * window->channels_in;
    if (window->kernel) {
        struct gf_halo halo;
        window->kernel->window.halo(window, &halo);
        int64_t taps = halo.left + halo.right + 1 + halo.up + halo.down + 1;
        const double times =
            window->kernel->window.work_times ? window->kernel->window.work_times(window) : 1;
        double own[GF_WORKS] = {0};
        if (window->kernel->window.works) {
            window->kernel->window.works(window, own);
        } else if (window->kernel->window.work) {
            own[window->kernel->window.work] =
                times * (window->kernel->window.work_by_taps ? (double)taps : 1);
        }
        for (int w = 0; w < GF_WORKS; w++) {
            amounts[w] += samples * own[w];
        }
    }
}

static void add_program(const struct gf_program *program, double pixels, double *amounts)
{
    for (int32_t i = 0; i < program->n; i++) {
        const int code = program->insn[i].code;
        if (code == GF_INSN_POWER || code == GF_INSN_LINEAR || code == GF_INSN_SRGB) {
            amounts[GF_WORK_POWER] += pixels * program->channels_out;
        } else if (code == GF_INSN_LAB || code == GF_INSN_FROM_LAB) {
            amounts[GF_WORK_POWER] +=
                pixels * (code == GF_INSN_LAB ? 6 : 3); /* of each colour once or twice */
        }
    }
}

static void add_pass(const gf_plan *plan, const struct gf_pass *pass, double *amounts)
{
    const struct gf_value *values = plan->lowered.list.values;
    double pixels = (double)pass->width * (double)pass->height;
    amounts[GF_WORK_BYTE] += (double)(gf_pass_in_size(pass) + gf_pass_second_size(pass)) +
                             (pass->out == GF_NONE ? 0 : (double)gf_picture_bytes(&values[pass->out]));
    add_window(pass, pixels, amounts);
    add_program(&pass->pre, pixels, amounts);
    add_program(&pass->post, pixels, amounts);
    for (int32_t i = 0; i < pass->n_taps; i++) {
        int32_t channels = pass->post.channels_out;
        amounts[pass->taps[i].kernel->tap.work[pass->post.depth_out == GF_F32 ? 2 : channels > 1]] +=
            pixels * channels;
    }
}

static void add_apply(const gf_plan *plan, const struct gf_apply *apply, double *amounts)
{
    const struct gf_value *values = plan->lowered.list.values;
    const struct gf_view whole = gf_plan_view(plan);
    uint64_t bytes_read, bytes_written;
    gf_apply_bytes(&whole, apply, &bytes_read, &bytes_written);
    amounts[GF_WORK_BYTE] += (double)(bytes_read + bytes_written);
    if (apply->kernel->apply.works) {
        apply->kernel->apply.works(apply, &values[apply->in[0]], &values[apply->out[0]], amounts);
    }
}

/* Nothing is known of a call but its pictures; blocks are small. `launches`: those that a step costs. */
static double work_ms(const gf_plan *plan, enum side side, double launches)
{
    double amounts[GF_WORKS] = {0}, sum = 0;
    for (int32_t s = 0; s < plan->steps.n; s++) {
        const struct gf_step *step = &plan->steps.step[s];
        if (step->kind == GF_STEP_PASS) {
            add_pass(plan, step->u.pass, amounts);
        } else if (step->kind == GF_STEP_CALL) {
            const struct gf_value *values = plan->lowered.list.values;
            amounts[GF_WORK_BYTE] += (double)(gf_picture_bytes(&values[step->u.call.in]) +
                                              gf_picture_bytes(&values[step->u.call.out]));
        }
        if (step->kind == GF_STEP_APPLY) {
            add_apply(plan, &step->u.apply, amounts);
        }
        amounts[GF_WORK_STEP] += launches;
    }
    for (int w = 0; w < GF_WORKS; w++) {
        sum += amounts[w] * nanoseconds[w][side];
    }
    return sum * 1e-6;
}

static double runs_of(const gf_plan *plan)
{
    return plan->options.runs ? (double)plan->options.runs : 1;
}

/* ---- the two sides ---- */

struct gf_cost gf_cost_cpu(const gf_plan *plan)
{
    double speed = 1 + (plan->threads - 1) * gf_cost_rate.NEXT_THREAD;
    struct gf_cost cost = {.work = runs_of(plan) * work_ms(plan, ON_CPU, 0) / speed};
    /* In a stream, all threads but the one that reads filter meanwhile; a second sweep comes after that. */
    bool streams = plan->options.stream_rows != 0 && !*plan->bands.reason && plan->bands.sweeps == 1;
    double beside = streams ? plan->options.busy_ms * (plan->threads - 1) / plan->threads : 0;
    cost.hidden = beside < cost.work ? beside : cost.work;
    return cost;
}

struct gf_cost gf_cost_gpu(const gf_plan *plan, bool emulated)
{
    const struct gf_op_list *list = &plan->lowered.list;
    double up = 0;
    for (int32_t i = 0; i <= list->n_others; i++) {
        up += (double)gf_picture_bytes(&list->values[gf_input_value(list, i)]);
    }
    double down = gf_input_index(list, list->output) != GF_NONE
                      ? 0
                      : (double)gf_picture_bytes(&list->values[list->output]);
    /* Copies cost as those of pictures in pageable memory: plan/staged.h. */
    const int32_t copiers = plan->threads < GF_STAGED_THREADS ? plan->threads : GF_STAGED_THREADS;
    const double speed = 1 + (copiers - 1) * gf_cost_rate.NEXT_COPY;
    bool starts = !emulated && !gf_context_is_started(plan->context, 0);
    struct gf_cost cost = {
        .start = starts ? gf_cost_rate.START_MS : 0,
        .copies = runs_of(plan) * (up / gf_cost_rate.UPLOAD_GBPS + down / gf_cost_rate.DOWNLOAD_GBPS) /
                  speed * 1e-6,
        .work = runs_of(plan) * work_ms(plan, ON_GPU, emulated ? 0 : 1),
    };
    /* Starting CUDA is work of the CPU too: one thread cannot do both at once. */
    double busy = plan->threads > 1 ? plan->options.busy_ms : 0;
    cost.hidden = busy < cost.start ? busy : cost.start;
    return cost;
}

double gf_cost_total(struct gf_cost cost)
{
    return cost.start - cost.hidden + cost.copies + cost.work;
}

bool gf_cost_prefers_gpu(const gf_plan *plan, struct gf_cost cpu, struct gf_cost gpu)
{
    double on_cpu = gf_cost_total(cpu), on_gpu = gf_cost_total(gpu);
    return on_gpu * CLEARLY < on_cpu && on_cpu - on_gpu > WORTHWHILE * (plan->options.busy_ms + on_cpu);
}

/* Tells whether a step's amounts are all that it costs, some of that, or nothing. */
static enum gf_cost_truth truth_of(const struct gf_step *step)
{
    const struct gf_kernel *window = step->kind == GF_STEP_PASS ? step->u.pass->window.kernel : NULL;
    if (step->kind == GF_STEP_CALL || (window && !window->window.work && !window->window.works)) {
        return GF_COST_UNKNOWN;
    }
    const struct gf_kernel *apply = step->kind == GF_STEP_APPLY ? step->u.apply.kernel : NULL;
    return apply && !apply->apply.light && !apply->apply.works ? GF_COST_LEAST : GF_COST_ABOUT;
}

enum gf_cost_truth gf_cost_expected(const gf_plan *plan, double *ms)
{
    const bool gpu = plan->device >= 0;
    const struct gf_cost cost = gpu ? gf_cost_gpu(plan, gf_backend_for(0)->emulated) : gf_cost_cpu(plan);
    enum gf_cost_truth truth = plan->device == GF_DEVICE_REFERENCE ? GF_COST_UNKNOWN : GF_COST_ABOUT;
    for (int32_t s = 0; s < plan->steps.n; s++) {
        const enum gf_cost_truth of_step = truth_of(&plan->steps.step[s]);
        truth = of_step < truth ? of_step : truth;
    }
    *ms = cost.start + (cost.copies + cost.work) / runs_of(plan);
    return truth;
}
