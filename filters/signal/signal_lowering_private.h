/* What builders of signals and those who call stages share. */
#pragma once

#include "signal/signal_lowering.h"

struct gf_signal_lowering {
    struct gf_lowered_signal *out; /* its rate is that of the stage's input */
    const struct gf_stage_node *node;
    int32_t stage;
    uint32_t acts; /* gf_lowered_node has these */
    int32_t passes;
    const struct gf_signal_other *others;
    int32_t n_others;
    bool zero_phase;  /* of the sections that the stage lowers */
    gf_status status; /* first failure; builders do nothing after it */
    gf_error *error;
};

/* signal_points.c: appends a node for the first of n stages of pictures and for those behind it that join its
 * program; returns how many they are. Where the first one is no point, its signal() is called; without one it
 * fails with a sentence that says why it does not work on signals. */
int32_t gf_signal_lower_points(gf_signal_lowering *l, const struct gf_stage_node *nodes, int32_t n);
void gf_signal_points_free(struct gf_lowered *points); /* NULL is fine */
