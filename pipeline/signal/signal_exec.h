/* What a gf_signal_exec holds. */
#pragma once

#include "base/device.h"
#include "base/team.h"
#include "signal/signal_plan.h"
#include "signal/signal_spool.h"

/* Some neighbouring channels, which go through all nodes together, on one thread or on a GPU. */
struct gf_signal_lane {
    int32_t first, channels;
    float *
        *held; /* a value each: frame `base` of the first channel; the last one is the caller's on the CPU */
    void **state;                   /* a node each; NULL: it has none */
    struct gf_signal_place *places; /* while a call is under way */
    gf_status status;
    gf_error error;
};

/* Channels of value i in a lane. */
static inline int32_t gf_signal_lane_channels(const gf_signal_plan *plan, const struct gf_signal_lane *lane,
                                              int32_t i)
{
    return plan->together ? gf_signal_channels(plan, i) : lane->channels;
}

/* Where node i runs: on the device of the plan, or on the host, if there is nothing for it there. */
static inline gf_device gf_signal_device(const gf_signal_plan *plan, int32_t i)
{
    return plan->chain.nodes[i].node.kernel->run_cuda ? plan->device : GF_DEVICE_CPU;
}

/* The reference: the whole signal so far. */
struct gf_signal_whole {
    float *data; /* channel by channel, `room` frames each */
    int64_t room;
};

/* The input of a barrier. */
struct gf_signal_wait {
    struct gf_spool spool;
    void *seen;                   /* a channel each; NULL: nothing */
    struct gf_signal_range range; /* once the input has ended */
    int64_t gone;                 /* frames of the range that have been taken */
};

struct gf_signal_exec {
    const gf_signal_plan *plan;
    const struct gf_backend *backend;
    gf_queue queue;
    struct gf_team *team;
    struct gf_signal_lane *lanes;
    int32_t n_lanes;
    struct gf_signal_place *places; /* after the last call; of each value */
    int64_t *room;                  /* frames of a channel that `held` has room for, by value */
    void *scratch;                  /* on CUDA */
    size_t scratch_bytes;
    struct gf_signal_whole whole;
    /* The chain runs in segments, which barriers part: nodes [first, end) now, then the next ones. */
    int32_t first, end;
    struct gf_signal_wait before, behind; /* what the segment reads, unless it is the first; what it makes */
    float *piece;                         /* of what it makes, on its way to `behind` */
    int64_t piece_room;
    struct gf_signal_measures *measures; /* NULL: no stage measures */
    bool ended, failed;
};

/* What a call works on: pieces of the caller's memory. */
struct gf_signal_call {
    struct gf_signal_exec *exec;
    const float *in;
    float *out;
    int64_t in_pitch, out_pitch;
    int64_t frames; /* of the input */
    bool ends;
};

/* How many frames of each of a lane's channels go through all nodes at a time. */
int64_t gf_signal_tile(const struct gf_signal_exec *exec);

/* Runs the call on all lanes; exec->places are those behind it then. */
gf_status gf_signal_run(const struct gf_signal_call *call, gf_error *error);

/* The segment that begins with node `first`. GF_ERROR_MEMORY. */
gf_status gf_signal_segment_begin(struct gf_signal_exec *exec, int32_t first, gf_error *error);
void gf_signal_segment_free(struct gf_signal_exec *exec);

/* How many frames the segment makes of so many more of its input. */
int64_t gf_signal_segment_makes(const struct gf_signal_exec *exec, int64_t frames, bool ends);

/* Runs the segment, into out. */
gf_status gf_signal_segment_run(struct gf_signal_exec *exec, const float *in, int64_t in_pitch,
                                int64_t frames, bool ends, float *out, int64_t out_pitch, gf_error *error);

/* The same into the spool behind the segment, whose barrier sees it. */
gf_status gf_signal_segment_absorb(struct gf_signal_exec *exec, const float *in, int64_t in_pitch,
                                   int64_t frames, bool ends, gf_error *error);

/* With a barrier: the first call ends the input, runs all segments but the last one, and makes nothing; each
 * later one makes the next gf_signal_segments_left frames, which are 0 before the first call. */
gf_status gf_signal_segments_end(struct gf_signal_exec *exec, float *out, int64_t out_pitch, int64_t *made,
                                 gf_error *error);
int64_t gf_signal_segments_left(const struct gf_signal_exec *exec);

/* Keeps what a feed brings, and makes all of the output. */
gf_status gf_signal_judge_feed(struct gf_signal_exec *exec, const float *in, int64_t pitch, int64_t frames,
                               gf_error *error);
int64_t gf_signal_judge_left(const struct gf_signal_exec *exec);
gf_status gf_signal_judge_end(struct gf_signal_exec *exec, float *out, int64_t pitch, int64_t *made,
                              gf_error *error);
