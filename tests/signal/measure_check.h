/* Stages that measure signals, run over frames in memory, and their results. */
#ifndef MEASURE_CHECK_H
#define MEASURE_CHECK_H

#include "context_check.h"
#include "signal_check.h"

static gf_error e;
static const gf_signal_input *other; /* what the stages name beside the signal; NULL: nothing */

/* Runs the stages over x, `frames` frames of each channel, in pieces of at most `most` (0: all at once);
 * NULL, with `e`: it failed. What passes is compared with x where the stages only measure. */
static inline gf_signal_exec *measure(const char *stages, const float *x, int64_t frames, int32_t channels,
                                      double rate, gf_device device, int32_t threads, int64_t most,
                                      bool passes)
{
    gf_signal_options options = GF_SIGNAL_OPTIONS_INIT;
    gf_pipeline *pipeline = NULL;
    gf_signal_plan *plan = NULL;
    gf_signal_exec *exec = NULL;
    const gf_signal_shape shape = {-1, channels, rate};
    float *y = signal_memory((size_t)(frames * channels) * 3 * sizeof *y);
    int64_t there = 0, made = 0, some = 0;
    options.device = device;
    options.threads = threads;
    options.other_inputs = other;
    options.n_other_inputs = other != NULL;
    e = (gf_error)GF_ERROR_INIT;
    gf_status status = gf_pipeline_parse(stages, NULL, 0, &pipeline, &e);
    status = status == GF_OK ? gf_signal_plan_create(context, pipeline, &shape, &options, &plan, &e) : status;
    status = status == GF_OK ? gf_signal_exec_create(plan, &exec, &e) : status;
    for (uint64_t i = 0; status == GF_OK && there < frames; i++) {
        int64_t piece = most ? (int64_t)(random_at(99, i) % (uint64_t)(most + 1)) : frames;
        piece = piece < frames - there ? piece : frames - there;
        CHECK(gf_signal_exec_result_count(exec) == 0 && !gf_signal_exec_result(exec, 0));
        status = gf_signal_exec_feed(exec, x + there, frames, piece, y + made, 3 * frames, &some, &e);
        made += some;
        there += piece;
    }
    for (bool left = true; status == GF_OK && left; left = gf_signal_exec_left(exec) > 0) {
        CHECK(gf_signal_exec_result_count(exec) == 0);
        status = gf_signal_exec_end(exec, y + made, 3 * frames, &some, &e);
        made += some;
    }
    for (int32_t c = 0; status == GF_OK && passes && c < channels; c++) {
        CHECK_MSG(!memcmp(y + 3 * c * frames, x + c * frames, (size_t)frames * sizeof *x),
                  "%s: channel %d does not pass unchanged", stages, c);
    }
    CHECK(status != GF_OK || gf_signal_plan_result_count(plan) == gf_signal_exec_result_count(exec));
    if (status != GF_OK) {
        gf_signal_exec_destroy(&exec);
    }
    gf_signal_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    free(y);
    return exec;
}

/* All results as one text; freed by the caller, with the exec. */
static inline char *text_of(gf_signal_exec *exec)
{
    size_t size = (size_t)1 << 24, used = 0, length = 0;
    char *text = signal_memory(size);
    for (int32_t i = 0; i < gf_signal_exec_result_count(exec); i++) {
        CHECK(gf_result_print(gf_signal_exec_result(exec, i), GF_PRINT_JSON, text + used, size - used,
                              &length, &e) == GF_OK);
        used += length < size - used ? length : 0;
    }
    gf_signal_exec_destroy(&exec);
    return text;
}

static inline double number(gf_signal_exec *exec, const char *stage, const char *field, int32_t channel)
{
    double value = NAN;
    const gf_status status =
        gf_result_number(gf_signal_exec_result_named(exec, stage), field, channel, &value, &e);
    CHECK_MSG(status == GF_OK, "%s", e.message);
    return value;
}

/* ---- the same however it runs ---- */

static inline void same(const char *stages, int64_t frames, int32_t channels, bool awkward, bool passes)
{
    static const int64_t most[] = {0, 1, 9, 130, 5000};
    float *x = signal_draw(frames * channels, 3, awkward);
    gf_signal_exec *judge = measure(stages, x, frames, channels, 8000, GF_DEVICE_REFERENCE, 0, 700, passes);
    REQUIRE(judge != NULL);
    char *right = text_of(judge);
    for (int d = 0; d < (has_gpu() ? 2 : 1); d++) {
        for (int32_t threads = 1; threads < (d ? 2 : 4); threads += 2) {
            for (size_t m = 0; m < sizeof most / sizeof *most; m++) {
                if (most[m] && frames / (most[m] + 1) > (d ? 12 : 3000)) {
                    continue;
                }
                gf_signal_exec *exec = measure(stages, x, frames, channels, 8000, d ? 0 : GF_DEVICE_CPU,
                                               threads, most[m], passes);
                if (!check_that(exec != NULL, __FILE__, __LINE__, "%s: %s", stages, e.message)) {
                    continue;
                }
                char *text = text_of(exec);
                CHECK_MSG(!strcmp(text, right),
                          "%s, %lld frames of %d, pieces of %lld, %d threads, device %d", stages,
                          (long long)frames, channels, (long long)most[m], threads, d - 1);
                free(text);
            }
        }
    }
    free(right);
    free(x);
}

#endif
