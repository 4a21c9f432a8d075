/* Where the values of a plan live: one arena of pictures, blocks and scratch. */
#pragma once

#include "plan/view.h"

enum {
    GF_ARENA_ALIGN = 256, /* of all that is in the arena */
    GF_ROW_ALIGN = 64     /* of rows that are shorter than that */
};

struct gf_buffers {
    uint64_t *offset;    /* by value, in the arena; GF_NO_BUFFER: none */
    uint64_t scratch;    /* offset of the scratch of the running step */
    uint64_t total;      /* bytes of the arena */
    bool output_is_read; /* by a step or by taps: it has a buffer for runs that want results only */
};

#define GF_NO_BUFFER UINT64_MAX

/* Lays out every value that a step reads or writes, as many rows of it as the view has. Pictures share room
 * where their lives do not overlap; blocks live to the end, and behind them are `scratch` bytes. On the CPU
 * the pipeline's input and output, and constant blocks, need no room: they are used where they are. */
gf_status gf_buffers_make(const struct gf_view *view, gf_device device, uint64_t scratch,
                          struct gf_buffers *buffers, gf_error *error);

/* Bytes of scratch of the step that needs most. */
uint64_t gf_buffers_scratch(const struct gf_view *view, gf_device device);

void gf_buffers_free(struct gf_buffers *buffers);

/* Bytes from row to row of a picture in the arena. */
int64_t gf_buffers_pitch(const struct gf_value *picture);

/* Bytes of a picture's samples, without padding. */
uint64_t gf_picture_bytes(const struct gf_value *picture);

/* Those that an APPLY reads and makes of pictures; blocks are small. */
void gf_apply_bytes(const struct gf_view *view, const struct gf_apply *apply, uint64_t *bytes_read,
                    uint64_t *bytes_written);

/* Sets all of *run that does not depend on where operands lie. */
void gf_apply_run_values(const struct gf_view *view, const struct gf_apply *apply, struct gf_apply_run *run);

/* Bytes of a block. */
uint64_t gf_block_size(const struct gf_value *block);
