/* What a gf_signal_plan holds. */
#pragma once

#include "base/refs.h"
#include "context/context.h"
#include "gpufilter/signal.h"
#include "signal/signal_lowering.h"

#define GF_SIGNAL_FRAMES ((int64_t)1 << 48)

enum { GF_SIGNAL_VALUES = GF_SIGNAL_NODES + 1 };

struct gf_signal_plan {
    struct gf_refs refs; /* the caller's hold, and its execs' */
    gf_context *context;
    gf_pipeline *pipeline; /* whose parameters nodes may point to */
    gf_device device;
    int32_t threads;
    char reason[160]; /* why it is the device */
    gf_signal_shape input, output;
    bool together;                  /* a node sees all channels, so that they are one lane */
    bool is_picture;                /* the output is one: its channels are rows, and no value behind */
    int32_t widest;                 /* the most channels of a value that is none */
    struct gf_signal_other *others; /* and behind them, if it was given, "in" */
    int32_t n_others;
    struct gf_lowered_signal chain;
};

/* Value i is what enters node i, value `chain.n` the output. Place: what exists of a value, of which the
 * frames from `base` on are held, and how many there will be, -1: unknown. */
struct gf_signal_place {
    int64_t base, have, total;
};

/* Channels of value i. */
static inline int32_t gf_signal_channels(const gf_signal_plan *plan, int32_t i)
{
    return i < plan->chain.n ? plan->chain.nodes[i].channels : plan->chain.channels;
}

/* The values of nodes [first, end) after so many more frames of what enters them, or at its end:
 * places[first].have grows by `frames`, and the others by what can be made, at the end of barriers the most
 * that can. Nothing is held less. */
void gf_signal_advance(const gf_signal_plan *plan, struct gf_signal_place *places, int32_t first, int32_t end,
                       int64_t frames, bool ends);

/* The first barrier from node i on, or the end of the chain. */
int32_t gf_signal_next_barrier(const gf_signal_plan *plan, int32_t i);
