/* Lowering for signals: stages of a pipeline, bound to channels and a rate, become nodes that run along time.
 * The builders are what a stage's signal() is made of: each appends a node, and after a failure they do
 * nothing. */
#ifndef GF_SIGNAL_LOWERING_H
#define GF_SIGNAL_LOWERING_H

#include "base/status.h"
#include "gpufilter/stage.h"
#include "signal/signal.h"
#include "signal/signal_args.h"
#include "stage_node.h"

enum { GF_SIGNAL_MARKS = 4, GF_SIGNAL_TAPS = 65535, GF_SIGNAL_NODES = 256 };

/* A node and whose it is. */
struct gf_lowered_node {
    struct gf_signal_node node; /* args: the lowered chain's */
    void *more;                 /* what args point to: too */
    int32_t stage;
    double rate;                   /* in Hz, of its input; 0: unknown */
    double marks[GF_SIGNAL_MARKS]; /* of a filter the frequencies in Hz that it was designed for */
    int32_t n_marks;
    const struct gf_signal_measure *measure; /* measure.h: it looks at what it hands on; NULL: it does not */
};

struct gf_lowered_signal {
    struct gf_lowered_node *nodes;
    int32_t n;
    int32_t channels;
    double rate; /* of the output */
};

/* Lowers all stages in order, for a signal of so many channels at a rate in Hz, 0: unknown. On failure the
 * error names the stage and nothing is kept. */
gf_status gf_lower_signal(const struct gf_stage_node *nodes, int32_t n_nodes, int32_t channels, double rate,
                          struct gf_lowered_signal *lowered, gf_error *error);
void gf_lowered_signal_free(struct gf_lowered_signal *lowered);

/* ---- what signal() of a stage may call ---- */

/* The formula of stages that are sections. */
#define GF_SECTIONS_FORMULA                                                                                  \
    "Second-order sections, run in f64 from zeros before the first frame; rounded to f32 once."

/* The rate where the stage stands, which it needs: without one it fails, and the rate is 0. */
double gf_signal_lower_rate(gf_signal_lowering *l);

/* The same, 0 where it is unknown. */
double gf_signal_lower_known_rate(const gf_signal_lowering *l);

/* The same as the first, where `frequency`, the value of that parameter, is to be below half of the rate. */
double gf_signal_lower_rate_for(gf_signal_lowering *l, const char *parameter, double frequency);

/* Fails at the value of a parameter, or, with NULL or one that is not given, at the stage. */
void gf_signal_lower_fail(gf_signal_lowering *l, const char *parameter, const char *format, ...)
    GF_PRINTF(3, 4);

/* Fails with what a design has refused. */
void gf_signal_lower_failed(gf_signal_lowering *l, gf_status status, const gf_error *why);

/* 1 where frames outside are the one at the edge (border=replicate), 0: zeros (border=constant, value=0);
 * fails for others. */
int32_t gf_signal_lower_border(gf_signal_lowering *l);

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

/* `up` frames for `down`, at the rate that follows; `phase`, up rows of `taps` f32, becomes the chain's in
 * any case, to be freed with free(). */
void gf_signal_lower_resample(gf_signal_lowering *l, int64_t up, int64_t down, int32_t taps, int32_t centre,
                              float *phase);

#endif
