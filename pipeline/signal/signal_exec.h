/* What a gf_signal_exec holds. */
#ifndef GF_SIGNAL_EXEC_H
#define GF_SIGNAL_EXEC_H

#include "base/device.h"
#include "base/team.h"
#include "signal/signal_plan.h"

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

/* The reference: the whole signal so far. */
struct gf_signal_whole {
    float *data; /* channel by channel, `room` frames each */
    int64_t room;
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
    struct gf_signal_measures *measures; /* NULL: no stage measures */
    bool ended, failed;
};

/* What a call works on: pieces of the caller's memory. */
struct gf_signal_call {
    struct gf_signal_exec *exec;
    const float *in;
    float *out;
    int64_t in_pitch, out_pitch;
    int64_t frames, tile; /* of the input; how many at a time */
    bool ends;
};

/* Runs the call on all lanes; exec->places are those behind it then. */
gf_status gf_signal_run(const struct gf_signal_call *call, gf_error *error);

/* Keeps what a feed brings, and makes all of the output. */
gf_status gf_signal_judge_feed(struct gf_signal_exec *exec, const float *in, int64_t pitch, int64_t frames,
                               gf_error *error);
gf_status gf_signal_judge_end(struct gf_signal_exec *exec, float *out, int64_t pitch, gf_error *error);

/* Frees what lanes hold. */
void gf_signal_lanes_free(struct gf_signal_exec *exec);

#endif
