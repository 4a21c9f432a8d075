/* Lowering for signals: stages of a pipeline, bound to channels and a rate, become nodes that run along time.
 * The builders are what a stage's signal() is made of: each appends a node, and after a failure they do
 * nothing. */
#pragma once

#include "base/status.h"
#include "gpufilter/stage.h"
#include "signal/signal.h"
#include "signal/signal_args.h"
#include "stage_node.h"

/* The most frames that a parameter may name. */
#define GF_SIGNAL_SHIFT ((int64_t)1 << 48)

/* A flag of a gf_stage_type with lower() and signal(): the latter is asked only where what the former lowers
 * is no arithmetic on a sample alone. */
#define GF_STAGE_SAMPLES_FIRST (1U << 16)

enum { GF_SIGNAL_MARKS = 4, GF_SIGNAL_TAPS = 65535, GF_SIGNAL_NODES = 256 };

/* A node and whose it is. */
struct gf_lowered_node {
    struct gf_signal_node node;  /* args: the lowered chain's */
    void *more;                  /* what args point to: too */
    void (*release)(void *more); /* NULL: free */
    struct gf_lowered *points;   /* of a program what it was made of, else NULL */
    int32_t stage, joined;       /* the first one; how many behind it joined its program */
    int32_t channels;            /* of its input */
    /* Bits of the channels that it changes, 0: all; and so many first ones that it does not: others pass as
     * they are. */
    uint32_t acts;
    int32_t passes;
    double rate;                   /* in Hz, of its input; 0: unknown */
    double marks[GF_SIGNAL_MARKS]; /* of a filter the frequencies in Hz that it was designed for */
    int32_t n_marks;
    const struct gf_signal_measure *measure; /* measure.h: it looks at what it hands on; NULL: it does not */
};

static inline bool gf_signal_acts_on(const struct gf_lowered_node *node, int32_t channel)
{
    return channel >= node->passes &&
           (node->acts == 0 || (channel < GF_CHANNELS_NAMED && node->acts >> channel & 1));
}

struct gf_lowered_signal {
    struct gf_lowered_node *nodes;
    int32_t n;
    int32_t channels; /* of the output */
    double rate;      /* of the output */
};

/* Another signal that stages name, whole, each channel by itself; it lives as long as what was lowered. */
struct gf_signal_other {
    const char *name; /* as they name it */
    const float *data;
    int64_t pitch, frames;
    int32_t channels;
    double rate;
};

/* Lowers all stages in order, for a signal of so many channels at a rate in Hz, 0: unknown, and `n_others`
 * more. On failure the error names the stage and nothing is kept. */
gf_status gf_lower_signal(const struct gf_stage_node *nodes, int32_t first, int32_t n_nodes, int32_t channels,
                          double rate, const struct gf_signal_other *others, int32_t n_others,
                          struct gf_lowered_signal *lowered, gf_error *error);
void gf_lowered_signal_free(struct gf_lowered_signal *lowered);

/* ---- what signal() of a stage may call ---- */

/* The formula of stages that are sections. */
#define GF_SECTIONS_FORMULA                                                                                  \
    "Second-order sections, run in f64 from zeros before the first frame; rounded to f32 once."

/* The row of a stage whose sections may run without delay, in a field int32_t phase; GF_PHASE_FORMULA. */
#define GF_PHASE_ROW(owner)                                                                                  \
    {                                                                                                        \
        GF_ROW(CHOICE, owner, phase, "causal"),                                                              \
            .choices = "causal|zero",                                                                        \
            .help = "zero: once more backward, so that nothing is delayed and the gain counts twice; waits " \
                    "for the whole signal"                                                                   \
    }
#define GF_PHASE_FORMULA                                                                                     \
    "\nphase=zero is scipy.signal.sosfiltfilt with its ends, in f32 between the passes. Frames wait in "     \
    "memory,\nand beyond 32 MiB in a file in TMPDIR."
/* The channels where the stage stands. */
int32_t gf_signal_lower_channels(const gf_signal_lowering *l);

/* The rate where the stage stands, which it needs: without one it fails, and the rate is 0. */
double gf_signal_lower_rate(gf_signal_lowering *l);

/* The same, 0 where it is unknown. */
double gf_signal_lower_known_rate(const gf_signal_lowering *l);

/* The same as the first, where `frequency`, the value of that parameter, is to be below half of the rate. */
double gf_signal_lower_rate_for(gf_signal_lowering *l, const char *parameter, double frequency);

/* The signal of that name, at the rate where the stage stands, with one channel or as many; NULL on failure.
 */
const struct gf_signal_other *gf_signal_lower_other(gf_signal_lowering *l, const gf_picture_name *name);

/* Fails at the value of a parameter, or, with NULL or one that is not given, at the stage. */
void gf_signal_lower_fail(gf_signal_lowering *l, const char *parameter, const char *format, ...)
    GF_PRINTF(3, 4);

/* Fails with what a design has refused. */
void gf_signal_lower_failed(gf_signal_lowering *l, gf_status status, const gf_error *why);

/* 1 where frames outside are the one at the edge (border=replicate), 0: zeros (border=constant, value=0);
 * fails for others. */
int32_t gf_signal_lower_border(gf_signal_lowering *l);

/* The sections that the stage lowers from here on run forward and backward: without delay. 0: once. */
void gf_signal_lower_phase(gf_signal_lowering *l, int32_t zero);
/* Appends a node with a copy of its arguments; `more`, which these point to, becomes the chain's in any case.
 * NULL on failure. */
struct gf_lowered_node *gf_signal_lower_node(gf_signal_lowering *l, const struct gf_signal_kernel *kernel,
                                             const void *args, size_t size, void *more);

void gf_signal_lower_gain(gf_signal_lowering *l, double gain);

/* marks: frequencies in Hz at which --explain says the gain. */
void gf_signal_lower_iir(gf_signal_lowering *l, const struct gf_section *sections, int32_t count,
                         const double *marks, int32_t n_marks);

/* The same of a design, which may have been refused. */
void gf_signal_lower_design(gf_signal_lowering *l, gf_status status, const gf_error *why,
                            const struct gf_section *sections, int32_t count, const double *marks,
                            int32_t n_marks);

/* Returns so many taps, to be filled; NULL on failure. centre and border: as in struct gf_signal_fir. */
float *gf_signal_lower_fir(gf_signal_lowering *l, int64_t taps, int64_t centre, int32_t border);

/* The frame of that rank of `size`, an odd number. */
void gf_signal_lower_rank(gf_signal_lowering *l, int64_t size, int64_t rank);

/* What needs the whole signal: its arguments, of that size, are copied. */
void gf_signal_lower_barrier(gf_signal_lowering *l, const struct gf_signal_barrier *barrier, const void *args,
                             size_t size);

/* What a duration is in frames, where `frames` is not GF_AUTO that, else `seconds` of the rate, rounded; the
 * value of `parameter`, and at most `most`. 0 on failure. */
int64_t gf_signal_lower_duration(gf_signal_lowering *l, const char *parameter, double seconds, int64_t frames,
                                 int64_t most);

/* The row of the other way to give a duration. */
#define GF_SIGNAL_FRAMES_ROW(owner, most)                                                                    \
    {                                                                                                        \
        GF_ROW_IN(INT, owner, frames, "auto", 1, most),                                                      \
            .auto_word = "auto",                                                                             \
            .help = "the same in frames instead, where no rate is known; auto: of the time"                  \
    }

void gf_signal_lower_comb(gf_signal_lowering *l, const struct gf_signal_comb *comb);

/* Of the odd number of frames that is nearest above `frames`, or it. */
void gf_signal_lower_rms(gf_signal_lowering *l, int64_t frames, const struct gf_signal_rms *rms);

/* Returns room for the taps of the transformer, an odd number, the middle one being the frame itself. */
float *gf_signal_lower_envelope(gf_signal_lowering *l, int64_t taps);

/* The sum of so many taps, rounded to f32, by transforms where they are more than GF_SIGNAL_DIRECT; zeros
 * outside. envelope: the root of x^2 and its square. */
void gf_signal_lower_taps(gf_signal_lowering *l, const double *values, int64_t taps, int64_t centre,
                          int32_t envelope);

/* `up` frames for `down`, at the rate that follows; `phase`, up rows of `taps` f32, becomes the chain's in
 * any case, to be freed with free(). */
void gf_signal_lower_resample(gf_signal_lowering *l, int64_t up, int64_t down, int32_t taps, int32_t centre,
                              float *phase);

/* Channel d of `outputs` becomes the sum of m[d * channels + c] times channel c, those that are 0 left out; m
 * is NULL where there was no memory for it. */
void gf_signal_lower_mix(gf_signal_lowering *l, int32_t outputs, const double *m);

/* Each channel becomes what its formula makes of all, or what the only one makes; a text as expr has it. */
void gf_signal_lower_formula(gf_signal_lowering *l, const char *text);

/* What is lowered between these two changes a copy of the channels, which then takes its place: times `copy`,
 * 1 or -1, and the channels themselves times -copy. */
void gf_signal_lower_beside(gf_signal_lowering *l);
void gf_signal_lower_difference(gf_signal_lowering *l, int32_t copy);

/* A time in seconds, the value of that parameter, as the nearest number of frames, halves up; needs the rate
 * but for 0. */
int64_t gf_signal_lower_frames(gf_signal_lowering *l, const char *parameter, double seconds);
