#include "signal/signal_choose.h"

#include "base/device.h"
#include "base/text.h"
#include "rates/cost_rates.h"
#include "signal/stft.h"

#include <stdio.h>

/* Nanoseconds a frame of what a kernel makes, on one thread of the CPU and on a GPU, and for each of its
 * sections, taps or segments: "Signals on the CPU" and "Signals on an H200" in docs/benchmarks.md. */
struct rate {
    const struct gf_signal_kernel *kernel;
    double (*amount)(const void *args); /* 0: nobody has measured it so */
    double cpu, cpu_each, gpu, gpu_each;
};

static double one(const void *args)
{
    (void)args;
    return 1;
}

static double sections(const void *args)
{
    return ((const struct gf_signal_iir *)args)->count;
}

static double taps(const void *args)
{
    return ((const struct gf_signal_fir *)args)->taps;
}

static double phase_taps(const void *args)
{
    return ((const struct gf_signal_resample *)args)->taps;
}

static double near(const void *args)
{
    return ((const struct gf_signal_rank *)args)->size <= 7;
}

/* Powers of 2 alone have kernels of their own on the GPU. */
static double segment(const void *args)
{
    const struct gf_stft *stft = ((const struct gf_signal_spectrogram *)args)->stft;
    return (stft->size & (stft->size - 1)) == 0 ? stft->size : 0;
}

static const struct rate rates[] = {
    {&gf_signal_gain, one, 0.1, 0, 0.0021, 0},
    {&gf_signal_iir, sections, 0.28, 0.21, 0.0035, 0.0005},
    {&gf_signal_fir, taps, 0.1, 0.025, 0.001, 4.4e-5},
    {&gf_signal_overlap, one, 2.5, 0, 0.028, 0},
    {&gf_signal_resample, phase_taps, 0.3, 0.022, 0.0118, 6.6e-5},
    {&gf_signal_rank, near, 1.4, 0, 0.0032, 0},
    {&gf_signal_spectrogram, segment, 0, 4.4, 0, 0.0034},
};

static const struct rate *rate_of(const struct gf_signal_node *node)
{
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        if (rates[i].kernel == node->kernel) {
            return rates[i].amount(node->args) > 0 ? &rates[i] : NULL;
        }
    }
    return NULL;
}

/* Milliseconds of work; false: no rate is known of a node, whose stage the reason names. */
static bool add_up(gf_signal_plan *plan, double *cpu, double *gpu)
{
    int64_t frames = plan->input.frames;
    *cpu = *gpu = 0;
    for (int32_t i = 0; i < plan->chain.n; i++) {
        const struct gf_signal_node *node = &plan->chain.nodes[i].node;
        const struct rate *rate = rate_of(node);
        if (!rate) {
            snprintf(plan->reason, sizeof plan->reason, "auto: how fast a GPU is at stage %d is not measured",
                     plan->chain.nodes[i].stage + 1);
            return false;
        }
        frames = node->kernel->length(node->args, frames);
        const double amount = rate->amount(node->args);
        const double all = 1e-6 * (double)frames * gf_signal_channels(plan, i);
        *cpu += all * (rate->cpu + amount * rate->cpu_each);
        *gpu += all * (rate->gpu + amount * rate->gpu_each);
    }
    return true;
}

/* "auto: cpu 20.4 ms, cuda 335 ms (start 330 + copies 4.8 + work 0.183)" */
static void write_reason(gf_signal_plan *plan, double cpu, double start, double copies, double work)
{
    struct gf_text text = gf_text_begin(plan->reason, sizeof plan->reason);
    gf_text_string(&text, "auto: cpu ");
    gf_text_fixed(&text, 0, 1, cpu);
    gf_text_append(&text, " ms, %s ", gf_device_kind(0));
    gf_text_fixed(&text, 0, 1, start + copies + work);
    gf_text_string(&text, " ms (start ");
    gf_text_fixed(&text, 0, 0, start);
    gf_text_string(&text, " + copies ");
    gf_text_fixed(&text, 0, 1, copies);
    gf_text_string(&text, " + work ");
    gf_text_fixed(&text, 0, 3, work);
    gf_text_string(&text, ")");
}

gf_device gf_signal_choose_device(gf_signal_plan *plan, bool may_repeat)
{
    static const double CLEARLY = 1.25; /* as of pictures: the model is not exact */
    const struct gf_backend *backend = gf_backend_for(0);
    double cpu, gpu;
    const char *why = !backend                               ? "no CUDA backend"
                      : !gf_context_lists_gpu(plan->context) ? "there is no GPU that can be used"
                      : plan->input.frames < 0 ? "how long the signal is, only its end will tell"
                      : !may_repeat            ? "should a GPU fail, nobody could begin again"
                                               : NULL;
    if (why) {
        snprintf(plan->reason, sizeof plan->reason, "auto: %s", why);
        return GF_DEVICE_CPU;
    }
    if (!add_up(plan, &cpu, &gpu)) {
        return GF_DEVICE_CPU;
    }
    const int32_t lanes = plan->together ? 1 : plan->input.channels;
    const int32_t threads = plan->threads < lanes ? plan->threads : lanes;
    const bool starts = !backend->emulated && !gf_context_is_started(plan->context, 0);
    const double start = starts ? gf_cost_rate.START_MS : 0, bytes = 1e-6 * sizeof(float);
    const double copies =
        bytes * ((double)plan->input.frames * plan->input.channels / gf_cost_rate.UPLOAD_GBPS +
                 (double)plan->output.frames * plan->output.channels / gf_cost_rate.DOWNLOAD_GBPS);
    cpu /= 1 + (threads - 1) * gf_cost_rate.NEXT_THREAD;
    write_reason(plan, cpu, start, copies, gpu);
    return (start + copies + gpu) * CLEARLY < cpu ? 0 : GF_DEVICE_CPU;
}
