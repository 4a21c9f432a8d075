/* Bands of a source, made ahead by a thread: while one is worked on, rows of the next come in. Either a few
 * bands are held, or the whole picture, as it grows. */
#pragma once

#include "exec/exec.h"
#include "plan/band.h"

enum { GF_FEED_DEPTH = 2 }; /* bands that are held */

struct gf_feed {
    const gf_plan *plan;
    const gf_source *source;
    struct gf_place whole; /* the caller's, for the picture; no data: bands */
    int64_t pitch;
    uint8_t *buffer[GF_FEED_DEPTH];
    struct gf_band band;   /* the one that is made */
    struct gf_rows before; /* of the last one that had rows, */
    struct gf_place from;  /* and where they lie */
    int64_t read;          /* rows that the source has given in this sweep */
    int32_t sweep;
    bool threaded;
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    int64_t filled,
        released; /* bands, since the beginning of the sweep; behind the last, the rows below it */
    bool stop;
    gf_status status; /* of the source; of the band `filled` where it is not GF_OK */
    gf_error error;
};

/* The next rows of a source, and its rewinding (`again` is not NULL). What fails has a text. */
gf_status gf_source_rows(const gf_source *source, struct gf_place to, int64_t count, gf_error *error);
gf_status gf_source_again(const gf_source *source, gf_error *error);

/* Takes memory and starts; with whole.data NULL for bands. On failure nothing is left. */
gf_status gf_feed_begin(struct gf_feed *feed, const gf_plan *plan, const gf_source *source,
                        struct gf_place whole, gf_error *error);

/* Waits for the next band, which has those rows; they stay until gf_feed_release. */
gf_status gf_feed_take(struct gf_feed *feed, struct gf_rows rows, struct gf_place *place, gf_error *error);
void gf_feed_release(struct gf_feed *feed);

/* After the last band: waits until the source has given its last row, needed or not. */
gf_status gf_feed_drain(struct gf_feed *feed, gf_error *error);

/* Comes after that: the next band is the first of another sweep. */
gf_status gf_feed_again(struct gf_feed *feed, int32_t sweep, gf_error *error);

/* Lets the source finish the call it is in, and frees everything. */
void gf_feed_end(struct gf_feed *feed);
