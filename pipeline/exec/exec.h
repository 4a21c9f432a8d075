/* An exec: what it runs on, and what it tells of its runs. banding.h is above
 * it, then come the calls of exec.c, stream.c and verify.c. */
#pragma once

#include "exec/result.h"
#include "exec/runner.h"

struct gf_exec {
    const gf_plan *plan; /* held */
    /* One for a picture at once; in bands as many as work at the same time. None for the reference. */
    struct gf_runner *runners;
    int32_t n_runners;
    struct gf_banding *banding; /* banding.h; NULL: the whole picture at once */
    struct gf_view view;        /* which is this one */
    struct gf_errand errand;    /* of the run under way */
    bool pending;               /* work queued, not finished */
    bool times;                 /* runs that are queued are measured */
    void **host_blocks;         /* by value's number: a block that is needed on the host, or NULL */
    uint64_t memory;
    gf_step_stats *step_stats;
    gf_run_stats run_stats;
    double started_ms;
    struct gf_result_builder *results;
    int32_t n_results;
    gf_image inputs[GF_MAX_INPUTS]; /* of the pipeline; 0: that of the run under way; no data: not set */
    gf_progress progress;
    void *progress_user;
};

double gf_now_ms(void); /* by a clock that never goes back */

/* Returns what a call tells the caller; a lost device is remembered. */
gf_status gf_exec_settle(const gf_exec *exec, gf_status status);

/* Host room for a block, which every run fills if its steps make the block. */
gf_status gf_exec_need_block(gf_exec *exec, int32_t value, gf_error *error);

/* rows.c: after a run that has ended, the blocks of rows that results read, as many as were counted. */
gf_status gf_exec_fetch_rows(gf_exec *exec, gf_error *error);
/* Tells whether host_blocks[value] lies in the arena. */
bool gf_exec_borrows(const gf_exec *exec, int32_t value);

/* A new run: its clock starts, results of the last are gone. */
void gf_exec_begin(gf_exec *exec);
/* Makes results from the blocks on the host: all, or none. */
gf_status gf_exec_make_results(gf_exec *exec, gf_error *error);
void gf_exec_drop_results(gf_exec *exec);

/* The caller's pictures, whatever their version; no data: no output. */
struct gf_views {
    gf_image in, out;
};

/* stream.c: bytes that gf_exec_stream takes, with plan->memory, and whether it holds input and output as
 * wholes that the plan does not count. sink->rows NULL: results only. */
uint64_t gf_stream_memory(const gf_plan *plan, const gf_source *source, const gf_sink *sink, bool *in,
                          bool *out);

/* check.c: GF_ERROR_ARGUMENT and the like for a run that cannot be. `out` may be NULL. */
gf_status gf_exec_check_idle(const gf_exec *exec, gf_error *error);
gf_status gf_exec_check_shape(const gf_shape *is, gf_shape shape, const char *which, gf_error *error);
gf_status gf_exec_take_images(const gf_exec *exec, const gf_image *in, const gf_image *out,
                              struct gf_views *views, gf_error *error);
/* The exec, the pictures, and the two of them together. */
gf_status gf_exec_check_run(const gf_exec *exec, const gf_image *in, const gf_image *out,
                            struct gf_views *views, gf_error *error);

/* check.c: the samples of an image of that shape, which is called `which`. */
gf_status gf_exec_check_image(const gf_exec *exec, const gf_image *given, gf_shape shape, const char *which,
                              gf_image *image, gf_error *error);
bool gf_images_overlap(const gf_image *a, const gf_image *b);

/* inputs.c: whether all inputs but the first are set and `out` (or NULL) overlaps none. */
gf_status gf_exec_check_inputs(const gf_exec *exec, const gf_image *out, gf_error *error);

/* Another exec of the same pipeline, which lives no longer, gets the same ones. */
void gf_exec_share_inputs(const gf_exec *from, gf_exec *to);
