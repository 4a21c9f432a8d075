/* Frames of a channel that a measure holds, as only the end tells what they are. */
#ifndef GF_HELD_H
#define GF_HELD_H

#include "gpufilter/types.h"

#include <stdint.h>

struct gf_signal_held {
    float *data;
    int64_t n, room;
};

/* Appends; GF_ERROR_LIMIT beyond `most` frames. */
gf_status gf_signal_hold(struct gf_signal_held *held, const float *data, int64_t count, int64_t most,
                         gf_error *error);

/* The release() of a measure whose state is such a struct, or begins with one. */
void gf_signal_held_release(void *held);

#endif
