/* Copies between pageable memory of the host and a GPU. CUDA would make them one after the other, by one
 * thread, while everybody waits. Here several threads copy rows to or from pinned pieces (context/pieces.h),
 * while the GPU works on other pieces: an upload takes about as long as the slower of the two. */
#pragma once

#include "context/pieces.h"
#include "plan/plan.h"

struct gf_backend;

/* The place of a value's samples during a run. */
struct gf_place {
    void *data;
    int64_t pitch;
};

/* Rows of a picture on their way. The device's side is one of the arena, where what lies behind the rows
 * may be written. */
struct gf_transfer {
    struct gf_place host, device;
    int64_t row, rows; /* bytes of a row */
};

/* First come, first served. */
struct gf_piece_queue {
    struct gf_piece *piece[GF_MOST_PIECES];
    int32_t first, n;
};

struct gf_staging {
    gf_context *context; /* NULL: nothing is staged */
    const struct gf_backend *backend;
    struct gf_team *team;
    struct gf_piece *pieces[GF_MOST_PIECES]; /* the first is for blocks, the others for pictures */
    int32_t most, held;                      /* pieces that it may take, that it has */
    /* During a transfer, used by several threads: */
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t came;  /* a piece is filling, or a failure ends all */
    struct gf_piece_queue idle, filling;
    gf_queue queue;
    struct gf_transfer transfer;
    int64_t next; /* the first piece of rows that nobody brings yet */
    gf_status status;
    gf_error error;
    bool downloads;     /* a download is queued, not finished */
    size_t block_bytes; /* of the piece for blocks, that are given away */
};

/* Begins it for an exec of the plan; takes nothing yet. One that was never begun may be ended. */
void gf_staging_begin(const gf_plan *plan, struct gf_staging *staging);
void gf_staging_end(struct gf_staging *staging);
/* Works without pieces from now on. */
void gf_staging_stop(struct gf_staging *staging);

/* Tells whether rows go through pieces: they are many, in pageable memory, and there are pieces. */
gf_status gf_staging_wants(const struct gf_staging *staging, const struct gf_transfer *transfer, bool *wants,
                           gf_error *error);

/* Queues an upload; when this returns the host's memory has been read. */
gf_status gf_staging_upload(struct gf_staging *staging, gf_queue queue, const struct gf_transfer *transfer,
                            gf_error *error);

/* Queues the beginning of a download, and does the rest of it, which waits. */
gf_status gf_staging_download(struct gf_staging *staging, gf_queue queue, const struct gf_transfer *transfer,
                              gf_error *error);
gf_status gf_staging_finish(struct gf_staging *staging, gf_error *error);

/* Room for a block that comes down, until the next gf_staging_drop; NULL: there is none. */
gf_status gf_staging_block(struct gf_staging *staging, size_t bytes, void **room, gf_error *error);
/* Blocks, and a download that will not be finished, are done with. */
void gf_staging_drop(struct gf_staging *staging);
