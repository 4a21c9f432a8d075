/* Point programs along time: what stages do to the samples of a gray picture of f32, they do to each channel
 * of a signal (gf_signal_point of signal.h). */
#pragma once

#include "pixel/ir/op.h"
#include "signal/signal.h"

enum { GF_POINT_VALUES = 256 }; /* of a list, at most */

struct gf_signal_point {
    const struct gf_op_list *list; /* as it was lowered, which the judge runs */
    struct gf_pass pass; /* all of its ops as one program, `pre`; its blocks are constants of the list */
};

/* Makes *point of a list that begins with a picture of f32 with one channel; the list must outlive it. False:
 * it is not made of instructions on samples alone that read nothing but constants, or is too long; *odd is
 * the first op that is not so, or NULL. */
bool gf_signal_point_make(struct gf_signal_point *point, const struct gf_op_list *list,
                          const struct gf_op **odd);
