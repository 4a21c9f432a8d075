/* Pinned pieces of host memory, in which pictures of pageable memory travel to a GPU and back. A context
 * keeps those that no exec holds, for the next one that asks. */
#pragma once

#include "context/context.h"

/* Large enough that a copy takes longer than what it costs to begin one, small enough that those of an exec
 * stay in the caches between the thread that fills them and the GPU that reads them. The emulated device,
 * which is slow, has a sixteenth, so that small pictures have many of them, too. */
#ifdef GF_EMU
#define GF_PIECE_BYTES ((int64_t)1 << 16)
#else
#define GF_PIECE_BYTES ((int64_t)1 << 20)
#endif
#define GF_MOST_PIECES 19 /* of an exec: plan/staged.c */

struct gf_piece {
    struct gf_piece *next; /* in the context's list */
    gf_device device;      /* whose mark it is */
    uint8_t *memory;
    void *mark;   /* behind the latest copy from it or to it */
    bool used;    /* the mark was recorded */
    int64_t item; /* what a download brings to it: staging.c */
};

/* Fills pieces[0] to pieces[n - 1]; on failure none is taken. Thread-safe. */
gf_status gf_pieces_take(gf_context *context, gf_device device, int32_t n, struct gf_piece **pieces,
                         gf_error *error);
/* Gives back pieces that no copy uses any more. If they are many, some are freed. Thread-safe. */
void gf_pieces_give(gf_context *context, struct gf_piece **pieces, int32_t n);
/* Frees all that are kept; the last user of the context does. */
void gf_pieces_free(gf_context *context);
