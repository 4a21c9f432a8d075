/* A runner: memory of a device, a stream, time marks and threads, on which a plan or one band of it runs. */
#pragma once

#include "base/device.h"
#include "exec/staging.h"

/* Time marks of a run, in this order; behind them one after each step, and one when all is downloaded. */
enum { GF_MARK_START, GF_MARK_UPLOADED, GF_MARK_FIRST_STEP };

struct gf_runner {
    const gf_plan *plan; /* borrowed */
    const struct gf_backend *backend;
    gf_queue own; /* its device and stream */
    uint8_t *arena;
    uint64_t bytes; /* of it */
    void **marks;
    int32_t n_marks;
    struct gf_team *team;         /* CPU: its threads */
    struct gf_prepared *prepared; /* by step of the plan */
    struct gf_staging staging;    /* GPU: for pictures of pageable memory */
    void **came_down; /* by value's number: where in staging a block is before it is on its place */
};

/* What a runner is sent to do once, and where it tells of it. */
struct gf_errand {
    const struct gf_view *view;
    const struct gf_buffers *buffers; /* of the view, in the arena */
    gf_queue queue;
    const gf_image *inputs;  /* as many as the pipeline reads: rows that the view has of each */
    struct gf_place out;     /* rows that the view has of the output; no data: none is wanted */
    bool out_host;           /* in the memory of the host, not of the device */
    void *const *given;      /* by number of the value, on the host: blocks that steps read and none of them
                              * makes; NULL: there are none */
    void *const *states;     /* by step of the plan, for what gathers from bands; NULL: nothing does */
    void *const *measured;   /* by number, on the host: room for blocks that are needed there, or NULL */
    gf_step_stats *stats;    /* by step of the plan: what is added to */
    gf_run_stats *run_stats; /* likewise */
    bool times;              /* whether to tell them */
    bool later;              /* blocks come to the host when the errand is finished */
    gf_progress progress;    /* done and all: steps of the view; NULL: nobody asks */
    void *progress_user;
};

/* Makes a runner for views of the plan of up to `bytes`. If it could not be made, destroy it all the same. */
gf_status gf_runner_create(const gf_plan *plan, uint64_t bytes, struct gf_runner *runner, gf_error *error);
void gf_runner_destroy(struct gf_runner *runner);

/* Brings constants of a view to the arena; to be called before the first errand with it. Waits. */
gf_status gf_runner_load(struct gf_runner *runner, const struct gf_view *view,
                         const struct gf_buffers *buffers, gf_error *error);

/* Queues everything: upload, steps, downloads, but of a large picture in pageable memory only the download's
 * beginning. Errand and pictures must live until it is finished. */
gf_status gf_runner_start(struct gf_runner *runner, const struct gf_errand *errand, gf_error *error);
/* Waits until the memory of the inputs has been read. */
gf_status gf_runner_wait_upload(struct gf_runner *runner, gf_error *error);
/* Brings the rest and what was to come later, waits, and tells the times where they are asked for. */
gf_status gf_runner_finish(struct gf_runner *runner, const struct gf_errand *errand, gf_error *error);
/* Waits after a failure, so that nothing may still write to the caller's memory. */
void gf_runner_wait_unless_lost(const struct gf_runner *runner, gf_queue queue);

/* run.c: prepares the passes of a view that were not yet, once its constants are there. */
gf_status gf_run_prepare(struct gf_runner *runner, const struct gf_view *view,
                         const struct gf_buffers *buffers, gf_error *error);

/* run.c: the steps of an errand, between copies; inputs and out lie in the memory of its queue's device. */
gf_status gf_run_steps(struct gf_runner *runner, const struct gf_errand *errand,
                       const struct gf_place *inputs, struct gf_place out, gf_error *error);

/* run.c: a SOLVE of the plan on the host; blocks by number of the value, but constants. */
gf_status gf_run_solve(struct gf_runner *runner, const struct gf_apply *solve, void *const *blocks,
                       gf_error *error);
