/* A batch from within. What several threads share is changed under `lock`; a plan is made under `planning`,
 * too, which is taken first. The files in the order in which they need each other:
 *
 *   batch_limit   batch_plan   batch_space   batch_unit   batch_item   batch_threads   */
#pragma once

#include "gpufilter/batch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { GF_BATCH_PAGE = 4096 }; /* bytes: pictures have pages of their own, since whole pages are pinned */

/* A plan for a shape and a kind, as long as anybody uses it and some time after. */
struct gf_batch_plan {
    gf_shape shape;
    int32_t kind;
    gf_plan *plan;
    gf_plan **bound;            /* by unit: the same on its device; NULL: not asked for yet */
    bool on_gpu;                /* GPUs take part */
    bool in_bands;              /* by rows: it does not fit in memory as a whole */
    bool makes;                 /* another picture than the one that comes in */
    uint64_t bytes;             /* of a space for it */
    uint64_t whole_bytes;       /* as much as a whole */
    double cpu_ms, gpu_ms;      /* a run, lately; 0: not known */
    int32_t users;              /* items and spaces */
    struct gf_batch_plan *next; /* used less lately */
};

/* What a run needs: pictures, unless they come in bands, and execs; of one item at a time. */
struct gf_batch_space {
    struct gf_batch_plan *plan;   /* which it is a user of */
    gf_image in, out;             /* no data: not allocated */
    void *in_memory, *out_memory; /* in which they lie */
    int32_t gpu_runs;
    uint64_t held;               /* bytes that count beside it, for the item that has it */
    gf_device pinned_by;         /* the pictures are pinned; negative: they are not */
    gf_exec **execs;             /* by unit; NULL: not asked for yet */
    struct gf_batch_space *next; /* idle for longer */
};

/* A device that takes part. */
struct gf_batch_unit {
    gf_device device;
    int32_t running; /* runs at this moment */
    bool failed;     /* with GF_ERROR_DEVICE: it gets no more */
    int64_t runs;    /* that succeeded */
};

struct gf_batch {
    gf_context *context;         /* held */
    const gf_pipeline *pipeline; /* a copy; NULL: options.plan makes plans */
    gf_batch_options options;    /* defaults replaced by what they stand for */
    struct gf_batch_unit *units;
    int32_t n_units;
    bool choosing; /* no devices were named */

    pthread_mutex_t planning, lock;
    pthread_cond_t came, room, ended; /* items for workers; space, a unit or a place in the queue; items */
    gf_batch_item *queue;             /* a ring of options.queue items */
    int32_t first, waiting, running;
    bool closing;
    atomic_bool cancelled;
    struct gf_batch_plan *plans; /* the one used last comes first */
    struct gf_batch_space *idle;
    int32_t n_idle, n_busy;  /* spaces */
    int32_t at_once, begun;  /* items that may be under way, and that are */
    int32_t n_well;          /* that had all descriptors they asked for, since at_once has changed */
    int32_t n_hopeful;       /* items that wait for a unit */
    uint64_t pinned;         /* bytes */
    int64_t tickets, served; /* of those who want a space: drawn, and whose turn it is */
    gf_batch_numbers numbers;
    pthread_t *threads;
    int32_t n_threads;
};

/* batch_limit.c: bytes that the process may have: by the machine, by its container where that says so, and by
 * its own limits. */
uint64_t gf_batch_memory(void);

/* batch_plan.c: the plan for a shape, made where there is none; the caller becomes a user of it. */
gf_status gf_batch_plan_take(gf_batch *batch, int32_t kind, const gf_shape *shape,
                             struct gf_batch_plan **plan, gf_error *error);
/* One user less. The second: under the lock, and returns what is to be freed outside of it, or NULL. */
void gf_batch_plan_leave(gf_batch *batch, struct gf_batch_plan *plan);
struct gf_batch_plan *gf_batch_plan_drop(gf_batch *batch, struct gf_batch_plan *plan);
void gf_batch_plan_free(gf_batch *batch, struct gf_batch_plan *plan);
/* The plan on the unit's device. */
gf_status gf_batch_plan_bind(gf_batch *batch, struct gf_batch_plan *plan, int32_t unit, gf_plan **bound,
                             gf_error *error);

/* batch_space.c: waits for its turn and for memory, `held` bytes beside those of the space.
 * GF_ERROR_CANCELLED, GF_ERROR_MEMORY. */
gf_status gf_batch_space_take(gf_batch *batch, struct gf_batch_plan *plan, uint64_t held,
                              struct gf_batch_space **space, gf_error *error);
void gf_batch_space_leave(gf_batch *batch, struct gf_batch_space *space);
/* The exec of the space on the unit, made where there is none. */
gf_status gf_batch_space_exec(gf_batch *batch, struct gf_batch_space *space, int32_t unit, gf_exec **exec,
                              gf_error *error);
/* Pins, before a run on a GPU, the pictures of a space that is used there again and again, so that its copies
 * take no processor's time. Where that cannot be done they stay as they are, which is slower. */
void gf_batch_space_pin(gf_batch *batch, struct gf_batch_space *space, gf_device device);
/* Drops the exec, whose device failed. */
void gf_batch_space_drop_exec(struct gf_batch_space *space, int32_t unit);
void gf_batch_space_free_idle(gf_batch *batch);

/* batch_unit.c: which devices take part. */
gf_status gf_batch_units_find(gf_batch *batch, const gf_device *devices, int32_t n, gf_error *error);
/* The one that this plan runs on next; waits for it. -1: cancelled. */
int32_t gf_batch_unit_take(gf_batch *batch, const struct gf_batch_plan *plan);
/* Leaves the unit after a run that took so long. */
void gf_batch_unit_leave(gf_batch *batch, int32_t unit, struct gf_batch_plan *plan, double milliseconds,
                         gf_status status);
/* Tells whether a processor would end a run sooner than GPUs that are all busy with `runs` runs each, and for
 * which `ahead` others wait; times of one run, 0 where not known. */
bool gf_batch_cpu_is_sooner(double cpu_ms, double gpu_ms, int32_t gpus, int32_t runs, int32_t ahead);
/* The unit of the CPU; -1: it takes no part. */
int32_t gf_batch_unit_cpu(const gf_batch *batch);

/* batch_item.c: all of an item, to its `end`. */
void gf_batch_item_run(gf_batch *batch, const gf_batch_item *item);
