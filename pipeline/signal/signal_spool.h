/* Frames that wait until the signal has ended: in memory, and beyond that in a file without a name in TMPDIR,
 * or /tmp. They are put in once, in order, and read a block at a time. */
#pragma once

#include "gpufilter/types.h"

#include <stdbool.h>
#include <stdint.h>

struct gf_spool {
    int32_t channels;
    int64_t block;  /* frames of a block */
    int64_t frames; /* so far */
    float **held;   /* the first blocks */
    int64_t n_held;
    float *open; /* the block that is not full yet */
    float *read; /* that of the file which was read last */
    int fd;      /* of those behind `held`; -1: none yet */
};

/* A spool of nothing. One that is all zeros may be freed, too. */
struct gf_spool gf_spool_begin(int32_t channels, int64_t block);

/* Frame i of channel c is rows[c * pitch + i]. GF_ERROR_MEMORY, GF_ERROR_OUTPUT. */
gf_status gf_spool_append(struct gf_spool *spool, const float *rows, int64_t pitch, int64_t frames,
                          gf_error *error);

/* Block `index`, channels `block` frames apart, until the next call; the caller who writes to it does not ask
 * for it again. last: nor does it for any behind it. GF_ERROR_MEMORY, GF_ERROR_INPUT. */
gf_status gf_spool_take(struct gf_spool *spool, int64_t index, bool last, float **rows, gf_error *error);

void gf_spool_free(struct gf_spool *spool);
