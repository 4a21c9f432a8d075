/* Chains over signals beside the judge, on every device. */
#ifndef CHAIN_CHECK_H
#define CHAIN_CHECK_H

#include "signal/signal_plan.h"

#include "context_check.h"
#include "signal_check.h"

static gf_error e;

static inline gf_signal_plan *plan_of(const char *stages, gf_signal_shape shape, gf_device device,
                                      int32_t threads)
{
    static const float beep[] = {0, 1, 0.5F, -1, 0.25F}; /* what stages read beside the signal */
    const gf_signal_input other = {{5, 1, shape.rate}, beep, 5};
    gf_signal_options options = GF_SIGNAL_OPTIONS_INIT;
    gf_pipeline *pipeline = NULL;
    gf_signal_plan *plan = NULL;
    options.other_inputs = &other;
    options.device = device;
    options.threads = threads;
    e = (gf_error)GF_ERROR_INIT;
    if (gf_pipeline_parse(stages, NULL, 0, &pipeline, &e) == GF_OK) {
        options.n_other_inputs = gf_pipeline_input_count(pipeline) > 1;
        gf_signal_plan_create(context, pipeline, &shape, &options, &plan, &e);
    }
    gf_pipeline_destroy(&pipeline);
    return plan;
}

/* Feeds x, pieces of at most `most` frames (0: all at once), and gives all that is made, *made frames of each
 * channel, *made apart. */
static inline float *run_all(const gf_signal_plan *plan, const float *x, int64_t frames, int64_t most,
                             uint64_t seed, int64_t *made)
{
    char text[8192];
    const bool waits = gf_signal_plan_explain(plan, GF_PRINT_TEXT, text, sizeof text, NULL, &e) == GF_OK &&
                       strstr(text, "waits for the whole signal");
    const bool judged = gf_signal_plan_device(plan) == GF_DEVICE_REFERENCE;
    const int32_t channels = plan->input.channels;
    const int64_t known = gf_signal_plan_output(plan).frames, length = known < 0 ? frames : known;
    float *y = signal_memory((size_t)(length * gf_signal_plan_output(plan).channels) * sizeof *y);
    gf_signal_exec *exec = NULL;
    gf_status status = gf_signal_exec_create(plan, &exec, &e);
    int64_t there = 0, some = 0;
    *made = 0;
    for (uint64_t i = 0; status == GF_OK && there < frames; i++) {
        int64_t piece = most ? (int64_t)(random_at(seed, i) % (uint64_t)(most + 1)) : frames;
        piece = piece < frames - there ? piece : frames - there;
        const int64_t ready = gf_signal_exec_ready(exec, piece);
        float *in = signal_memory((size_t)(piece * channels) * sizeof *in);
        for (int32_t c = 0; c < channels; c++) {
            memcpy(in + c * piece, x + c * frames + there, (size_t)piece * sizeof *in);
        }
        status = gf_signal_exec_feed(exec, in, piece, piece, y + *made, length, &some, &e);
        CHECK_MSG(some == ready, "%lld frames are made, %lld were ready", (long long)some, (long long)ready);
        free(in);
        *made += some;
        there += piece;
    }
    for (int64_t left = -1; status == GF_OK && left != 0;) {
        const int64_t room = gf_signal_exec_left(exec);
        status = gf_signal_exec_end(exec, y + *made, length, &some, &e);
        CHECK_MSG(status == GF_OK && (some == room || (judged && some < room)),
                  "%s: %lld frames at the end, %lld were left", e.message, (long long)some, (long long)room);
        *made += some;
        left = gf_signal_exec_left(exec);
        CHECK(waits || left == 0);
    }
    CHECK(gf_signal_exec_left(exec) == 0 && gf_signal_exec_ready(exec, 100) == 0);
    gf_signal_exec_destroy(&exec);
    return y;
}

/* The chain over frames of so many channels: pieces on each device beside the judge. */
static inline void same_as_judge(const char *stages, int64_t frames, int32_t channels, uint64_t seed)
{
    static const int64_t most[] = {0, 1, 9, 130, 5000};
    const gf_signal_shape shape = {frames, channels, 48000};
    float *x = signal_draw(frames * channels, seed, false);
    gf_signal_plan *judge = plan_of(stages, shape, GF_DEVICE_REFERENCE, 0);
    int64_t made = 0, others = 0;
    if (!check_that(judge != NULL, __FILE__, __LINE__, "%s: %s", stages, e.message)) {
        free(x);
        return;
    }
    const int64_t known = gf_signal_plan_output(judge).frames;
    float *right = run_all(judge, x, frames, 1000, seed, &made);
    const int32_t outputs = gf_signal_plan_output(judge).channels;
    const int64_t length = known < 0 ? made : known, pitch = known < 0 ? frames : length;
    CHECK_EQ_INT(made, length);
    for (int d = 0; d < (has_gpu() ? 2 : 1); d++) {
        for (int32_t threads = 1; threads < (d ? 2 : 4); threads += 2) {
            gf_signal_plan *plan = plan_of(stages, shape, d ? 0 : GF_DEVICE_CPU, threads);
            for (size_t m = 0; plan && m < sizeof most / sizeof *most; m++) {
                if (most[m] && frames / (most[m] + 1) > (d ? 12 : 2000)) {
                    continue;
                }
                float *y = run_all(plan, x, frames, most[m], seed + m, &others);
                bool same = others == length;
                for (int32_t c = 0; c < outputs && same; c++) {
                    same = !memcmp(y + c * pitch, right + c * pitch, (size_t)length * sizeof *y);
                }
                CHECK_MSG(same,
                          "%s, %lld frames of %d, pieces of %lld, %d threads, device %d: not as the judge",
                          stages, (long long)frames, channels, (long long)most[m], threads, d - 1);
                free(y);
            }
            CHECK_MSG(plan || e.code == GF_ERROR_UNSUPPORTED, "%s: %s", stages, e.message);
            gf_signal_plan_destroy(&plan);
        }
    }
    gf_signal_plan_destroy(&judge);
    free(right);
    free(x);
}

#endif
