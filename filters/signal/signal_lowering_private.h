/* What builders of signals and those who call stages share. */
#ifndef GF_FILTERS_SIGNAL_LOWERING_PRIVATE_H
#define GF_FILTERS_SIGNAL_LOWERING_PRIVATE_H

#include "signal/signal_lowering.h"

struct gf_signal_lowering {
    struct gf_lowered_signal *out; /* its rate is that of the stage's input */
    const struct gf_stage_node *node;
    int32_t stage;
    gf_status status; /* first failure; builders do nothing after it */
    gf_error *error;
};

/* Appends a node with a copy of its arguments; `more`, which these point to, becomes the chain's in any case.
 * NULL on failure. */
struct gf_lowered_node *gf_signal_lower_node(gf_signal_lowering *l, const struct gf_signal_kernel *kernel,
                                             const void *args, size_t size, void *more);

#endif
