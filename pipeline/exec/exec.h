/* Running a plan: memory, a stream, marks, results. */
#ifndef GF_EXEC_EXEC_H
#define GF_EXEC_EXEC_H

#include "base/device.h"
#include "exec/result.h"
#include "plan/plan.h"

/* Time marks of a run, in this order; one more than steps + 3 intervals. */
enum { GF_MARK_START, GF_MARK_UPLOADED, GF_MARK_FIRST_STEP };

/* Where the samples of a value are during a run. */
struct gf_place {
    void *data;
    int64_t pitch;
};

struct gf_exec {
    const gf_plan *plan;              /* held */
    const struct gf_backend *backend; /* NULL for the reference */
    gf_queue own;                     /* the exec's device and stream */
    gf_queue queue;                   /* of the run under way */
    uint8_t *arena;                   /* plan->buffers.total bytes on the device */
    void **host_blocks;               /* by value: host copy of a block that is needed there, or NULL */
    void *const *given;               /* by value, on the host: what passes read and none makes; or NULL */
    void **marks;                     /* steps + 4: start, uploaded, after each step, downloaded */
    int32_t n_marks;
    bool pending; /* work queued, not finished */
    uint64_t memory;
    gf_step_stats *step_stats;
    gf_run_stats run_stats;
    double started_ms;
    struct gf_team *team;       /* of the CPU: its own, or of the exec whose band this one works on */
    bool has_team;              /* its own */
    struct gf_banding *banding; /* banding.h; NULL: the whole picture at once */
    struct gf_result_builder *results;
    int32_t n_results;
    gf_image inputs[GF_MAX_INPUTS];        /* of the pipeline; 0: of the run under way; no data: not set */
    struct gf_place places[GF_MAX_INPUTS]; /* where that run has them */
    gf_progress progress;
    void *progress_user;
};

double gf_now_ms(void); /* by a clock that never goes back */

/* gf_exec_create with the threads of another exec, which lives longer and works only through this one. */
gf_status gf_exec_create_on(const gf_plan *plan, struct gf_team *team, gf_exec **exec, gf_error *error);

/* Host room for a block, which every run fills if its steps make the block. */
gf_status gf_exec_need_block(gf_exec *exec, int32_t value, gf_error *error);

/* rows.c: after a run that has ended, the blocks of rows that results read, as many as were counted. */
gf_status gf_exec_fetch_rows(gf_exec *exec, gf_error *error);
/* Whether host_blocks[value] lies in the arena. */
bool gf_exec_borrows(const gf_exec *exec, int32_t value);

/* A new run: its clock starts, results of the last are gone. */
void gf_exec_begin(gf_exec *exec);
/* From the blocks on the host: all, or none. */
gf_status gf_exec_make_results(gf_exec *exec, gf_error *error);

/* The caller's pictures, whatever their version; no data: no output. */
struct gf_views {
    gf_image in, out;
};

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

/* inputs.c: whether all inputs but the first are set, none of which `out` (or NULL) overlaps. */
gf_status gf_exec_check_inputs(const gf_exec *exec, const gf_image *out, gf_error *error);

/* Another exec of the same pipeline, which lives no longer, gets the same ones. */
void gf_exec_share_inputs(const gf_exec *from, gf_exec *to);

/* Queues uploads of what is to be in the device's memory and is not, and says where all inputs are. */
gf_status gf_exec_place_inputs(gf_exec *exec, gf_error *error);

/* The place of a value in the arena; no data: it has none there. */
struct gf_place gf_exec_arena_place(const gf_exec *exec, int32_t value);
/* Copies all samples of a picture. */
gf_status gf_exec_copy_picture(gf_exec *exec, enum gf_copy_kind kind, struct gf_place to,
                               struct gf_place from, int32_t value, gf_error *error);

/* The executor of all steps on exec->queue (run.c), once inputs are placed. out.data may be NULL. */
gf_status gf_exec_run_steps(gf_exec *exec, struct gf_place out, gf_error *error);

/* An APPLY step alone, over whole pictures: `at` says where `from` has a value, in memory of the queue's
 * device. exec gives threads and scratch. */
gf_status gf_run_apply(const gf_exec *exec, const struct gf_apply *apply,
                       struct gf_place (*at)(const void *from, int32_t value), const void *from,
                       gf_queue queue, gf_error *error);

#endif
