/* What a stage measures of a signal, which passes unchanged: each channel by itself, its frames in order, on
 * the host. So a result cannot depend on pieces, threads or the device, as long as what is done with a frame
 * depends on its number alone. */
#pragma once

#include "base/gf_math.h"
#include "signal/signal_lowering.h"

/* What finish gets: states of all channels, one behind the other, after `frames` frames of each. */
struct gf_signal_measured {
    const void *args;
    void *states;
    int32_t channels;
    int64_t frames;
    double rate; /* Hz; 0: unknown */
};

struct gf_signal_measure {
    size_t state_bytes; /* of a channel; zeroed before its first frame */
    /* Takes the next frames of a channel. Different channels may be observed by different threads. What it
     * fails with has a reason without the stage's name. NULL: nothing is to be seen before the end. */
    gf_status (*observe)(const void *args, void *state, const float *data, int64_t count, gf_error *error);
    void (*finish)(const struct gf_signal_measured *measured, gf_result_builder *builder);
    void (*release)(void *state); /* what the state of a channel points to; NULL: nothing */
    /* NULL: one look is enough. Else, once a channel has been seen to its end: whether it is to be seen once
     * more from there on; the same of all channels. Frames wait in front of such a stage. */
    bool (*again)(const void *args, void *state);
};

/* The node of the stage: args are copied, `more`, which they may point to, becomes the chain's. */
void gf_signal_lower_measure(gf_signal_lowering *l, const struct gf_signal_measure *measure, const void *args,
                             size_t size, void *more);

/* The state, observe and release of a measure that holds its frames; GF_ERROR_LIMIT beyond that many. */
#define GF_SIGNAL_HELD ((int64_t)1 << 26)
struct gf_signal_held {
    float *data;
    int64_t n, room;
};
gf_status gf_signal_held_observe(const void *args, void *state, const float *data, int64_t count,
                                 gf_error *error);
void gf_signal_held_release(void *state);

/* Begins the help of fields and tables of a stage's results that only signals have; they are its last ones.
 */
#define GF_OF_SIGNALS "signals: "

/* Seconds of a frame, NaN where the rate is not known. */
static inline double gf_signal_seconds(double frame, double rate)
{
    return rate > 0 ? frame / rate : (double)__builtin_nanf("");
}

/* 10 log10 of a power; -inf for 0. */
#define GF_DECIBELS_OF_LOG2 0x1.8151824c7587fp+1 /* 10 log10(2) */
static inline double gf_signal_decibels(double power)
{
    const double infinity = (double)__builtin_inff();
    return power > 0 && power < infinity ? GF_DECIBELS_OF_LOG2 * gf_log2_core(power)
           : power == 0                  ? -infinity
                                         : power;
}
