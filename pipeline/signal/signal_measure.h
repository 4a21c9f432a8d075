/* Stages that measure, while a chain runs: what they have seen so far, and their results. */
#pragma once

#include "signal/signal_exec.h"

/* Makes room for what stages of the plan measure; exec->measures stays NULL where none does. */
gf_status gf_signal_measures_create(struct gf_signal_exec *exec, gf_error *error);
void gf_signal_measures_free(struct gf_signal_exec *exec);

/* Hands on what node i, which measures, gets, for all channels of the lane, and shows it to the stage. */
gf_status gf_signal_measures_run(struct gf_signal_exec *exec, const struct gf_signal_lane *lane, int32_t i,
                                 const struct gf_track *in, const struct gf_track *out, gf_error *error);

/* Shows the next frames of a channel, in host memory, to the stage of node i; GF_OK where it measures
 * nothing. */
gf_status gf_signal_measures_see(struct gf_signal_exec *exec, int32_t i, int32_t channel, const float *data,
                                 int64_t count, gf_error *error);

/* The signal has ended at node i: tells whether its stage, if it measures, is to be shown all once more. */
bool gf_signal_measures_again(struct gf_signal_exec *exec, int32_t i);

/* All has been seen: makes the results. */
gf_status gf_signal_measures_end(struct gf_signal_exec *exec, gf_error *error);
