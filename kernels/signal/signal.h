/* What runs along time. A signal is frames x channels of f32, each channel by itself in memory; a chain is a
 * list of nodes, each of which makes a signal of the one before it. Frames are counted from the beginning of
 * the signal, 0, and every definition says what a frame of the output is by the frames of the whole input, so
 * that it cannot matter in which pieces of time a signal comes.
 *
 * Whoever runs a chain (pipeline/signal) asks a node how many frames it can make of those that are there
 * (ready), has it make the next ones, in order and each once (run), and keeps those frames of the input that
 * later ones still read (needs). What else a node must remember, as the state of a recursive filter, lies in
 * memory of that size (state_bytes), zeroed before the first frame. */
#pragma once

#include "gpufilter/device.h"
#include "gpufilter/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GF_SIGNAL_CHANNELS 1024

/* Frames [first, first + count) of a signal in memory: that of channel c and frame i is
 * data[c * pitch + i - first]. */
struct gf_track {
    float *data;
    int64_t first, count, pitch;
};

/* Frames [first, first + count). */
struct gf_signal_range {
    int64_t first, count;
};

struct gf_signal_kernel {
    const char *name;
    /* Frames of the output where the whole input has so many. */
    int64_t (*length)(const void *args, int64_t frames);
    /* Frames of the output that can be made of the input's first `frames`, with more to come. */
    int64_t (*ready)(const void *args, int64_t frames);
    /* The first frame of the input that is read, beside the state, to make the output from `frame` on. */
    int64_t (*needs)(const void *args, int64_t frame);
    /* Of one channel, a multiple of 16; the same for the CPU and CUDA, though what lies in it may differ. */
    size_t (*state_bytes)(const void *args);
    /* The definition, as a plain loop: all frames of one channel. in, out: of the whole signal. */
    void (*judge)(const void *args, const float *in, int64_t frames, float *out);
    /* The same of a kernel that needs memory for it, and has no `judge`; false: there was none. */
    bool (*judge_whole)(const void *args, const float *in, int64_t frames, float *out);
    /* Makes frames [out->first, out->first + out->count) of `channels` channels, which follow those of the
     * call before. `in` has at least those that are read; `frames`: of the whole input where it has ended,
     * else -1. `state`: of channel 0; that of channel c lies c * state_bytes behind it. On the CPU a call is
     * one thread's; different channels may be run by different threads. */
    void (*run_cpu)(const void *args, void *state, const struct gf_track *in, int64_t frames,
                    const struct gf_track *out, int32_t channels);
    /* The same of a kernel that can fail there, and has no `run_cpu`. */
    gf_status (*try_cpu)(const void *args, void *state, const struct gf_track *in, int64_t frames,
                         const struct gf_track *out, int32_t channels, gf_error *error);
    /* The same on a CUDA device, queued: data and state lie in its memory, `scratch` too, of scratch_bytes.
     * `args` and what it points to are the host's, and are read before the call returns. NULL: there, too,
     * the host runs it, and frames are copied. */
    size_t (*scratch_bytes)(const void *args, int64_t most,
                            int32_t channels); /* of a call for `most` frames */
    gf_status (*run_cuda)(gf_queue queue, const void *args, void *state, void *scratch,
                          const struct gf_track *in, int64_t frames, const struct gf_track *out,
                          int32_t channels, gf_error *error);
    /* NULL: 0. On a CUDA device that many bytes more lie behind the states of all `channels`, which are the
     * same in each call: there the call for frame 0 puts what later ones read of args. */
    size_t (*table_bytes)(const void *args);
    /* NULL: as many channels as come in, each by itself. Else how many it makes of so many, of which it sees
     * all in each call that runs it, whose `channels` are those of the input; judge gets channel c
     * at in + c * frames, and has channel d at out + d times the length. */
    int32_t (*outputs)(const void *args, int32_t channels);
};

/* A node; args are the kernel's own struct (args_iir.h and others), and the chain's owner has them. */
struct gf_signal_node {
    const struct gf_signal_kernel *kernel;
    const void *args;
};

/* A node that needs its whole input before it makes anything. What comes in goes into a spool, and is looked
 * at on its way; when it has ended, the output is read from there, once. All of it is the host's on any
 * device. */
struct gf_signal_barrier {
    /* Has name and length alone: that nothing runs it is what a barrier is known by. */
    struct gf_signal_kernel kernel;
    bool backward;     /* the last frame of the range comes first */
    bool open;         /* length is the most that there can be: frames decide */
    size_t seen_bytes; /* of a channel, a multiple of 8, zeroed before the first frame */
    /* Frames [first, first + count) of a channel, which follow those of the call before. NULL: nothing is
     * seen */
    void (*observe)(const void *args, void *seen, const float *x, int64_t first, int64_t count);
    /* The input has ended with so many frames: returns the range of them that the output has. `seen` of
     * channel c lies c * seen_bytes behind that of channel 0, and may become what `apply` reads. */
    struct gf_signal_range (*settle)(const void *args, void *seen, int32_t channels, int64_t frames);
    /* Makes frames of the output, in place, of frames [first, first + count) of the input's channel. NULL: as
     * they are. */
    void (*apply)(const void *args, const void *seen, float *x, int64_t first, int64_t count);
};

static inline const struct gf_signal_barrier *gf_signal_barrier_of(const struct gf_signal_node *node)
{
    return node->kernel->run_cpu || node->kernel->try_cpu
               ? NULL
               : (const struct gf_signal_barrier *)(const void *)node->kernel;
}

/* Runs a kernel on the CPU. */
static inline gf_status gf_signal_run_cpu(const struct gf_signal_node *node, void *state,
                                          const struct gf_track *in, int64_t frames,
                                          const struct gf_track *out, int32_t channels, gf_error *error)
{
    if (node->kernel->try_cpu) {
        return node->kernel->try_cpu(node->args, state, in, frames, out, channels, error);
    }
    node->kernel->run_cpu(node->args, state, in, frames, out, channels);
    return GF_OK;
}

/* length, ready and needs of kernels whose frame n is made of frame n alone, and state_bytes of those without
 * a state. */
int64_t gf_signal_same(const void *args, int64_t frames);
size_t gf_signal_no_state(const void *args);

/* The kernels. On CUDA out->count is a multiple of this, but where the input has ended. */
#define GF_SIGNAL_STEP 128
extern const struct gf_signal_kernel gf_signal_gain, gf_signal_iir, gf_signal_fir, gf_signal_resample,
    gf_signal_rank, gf_signal_extend, gf_signal_iir_settled, gf_signal_point, gf_signal_shift, gf_signal_fade,
    gf_signal_dither, gf_signal_mix, gf_signal_comb, gf_signal_rms, gf_signal_envelope, gf_signal_pass,
    gf_signal_spectrogram, gf_signal_mel, gf_signal_overlap;
extern const struct gf_signal_barrier gf_signal_reverse, gf_signal_normalize, gf_signal_detrend,
    gf_signal_trim, gf_signal_hold;
