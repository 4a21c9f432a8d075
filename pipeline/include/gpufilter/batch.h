/* gpufilter/batch.h: many pictures through one pipeline, on every processor and several devices at once.
 *
 *   gf_batch *batch = NULL;
 *   if (gf_batch_create(context, pipeline, NULL, &batch, &error) == GF_OK) {
 *       for (int i = 0; i < n; i++) {
 *           gf_batch_item item = GF_BATCH_ITEM_INIT;
 *           item.open = open_picture;
 *           item.output = open_output;
 *           item.done = keep_results;
 *           item.end = count_failures;
 *           item.user = &pictures[i];
 *           gf_batch_add(batch, &item, &error);
 *       }
 *       gf_batch_finish(batch, &error);
 *   }
 *   gf_batch_destroy(&batch);
 *
 * samples/batch.c is a whole program. An item is a picture on its way. A thread of the batch takes it from
 * one queue that all of them share, opens it, reads its rows, runs them through a plan for their shape and
 * writes them; many items are in different phases at the same time. So reading and writing of files, which
 * the functions of an item do, take all processors, and each device works for whoever is ready: nothing is
 * dealt out beforehand. Plans are made once a shape and kept, and so are execs and the memory of pictures.
 *
 * Results are those of gf_exec_run, bit for bit, on whatever device an item ran.
 *
 * Memory. Before its rows are read, an item waits until its picture, what becomes of it, its exec and what
 * its source holds (gf_source.held) fit into memory_limit beside those of the others. Items are let in in the
 * order in which they asked, so that a large one is not passed over for ever. One that would not fit even if
 * it were alone works in bands of rows (gf_exec_stream), where its chain allows that; what its source or sink
 * has only as a whole counts then, too. One whose source holds more than there may be runs alone.
 *
 * Threads. Any thread may call the functions below on one batch, but for gf_batch_destroy, which must be the
 * last. Functions of an item are called on threads of the batch, one at a time for one item, in the order
 * open, check, output, done, end; those of different items at the same time. The source of an item in bands
 * may be asked for rows while its sink takes others, as gf_exec_stream has it. All of them may call
 * gf_batch_cancel and gf_batch_stats, and gf_batch_add where the queue has room for certain (GF_ERROR_LIMIT
 * where it has none); not gf_batch_finish or gf_batch_destroy. The batch's threads take no signals.
 *
 * Lifetimes. A batch keeps its context and a copy of the pipeline. `user` and what it points to must live
 * until the item's `end` has returned. Otherwise lifetimes, NULL and struct_size are as pipeline.h and
 * types.h say. */
#ifndef GPUFILTER_BATCH_H
#define GPUFILTER_BATCH_H

#include "gpufilter/pipeline.h"
#include "gpufilter/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gf_batch gf_batch;

typedef struct gf_batch_options {
    uint32_t struct_size;
    int32_t workers; /* threads that take items, at most GF_MOST_THREADS; 0: half as many again as there are
                      * processors, since some wait for disks, and some more where GPUs work, for which they
                      * wait. Never changes a result */
    int32_t threads; /* of the CPU for one run; 0: 1, as there is a worker for every processor */
    int32_t queue;   /* items that may wait for a worker before gf_batch_add does; 0: twice the workers */
    int32_t plans;   /* shapes not in use whose plans are kept; 0: 16 */
    int32_t runs;    /* at once on each GPU, so that copies of one run overlap with kernels of another;
                      * 0: 3 */
    int32_t n_devices;
    /* Which devices take part: the CPU as GF_DEVICE_CPU, GPUs by their numbers; borrowed for the call. NULL:
     * the CPU, and where GF_DEVICE_AUTO would choose a GPU for the first picture of a shape, all GPUs, with
     * the CPU beside them while they are busy and it ends a run sooner than waiting for one. A GPU that fails
     * in a batch that may use the CPU, too, leaves its item to the CPU; one that fails with GF_ERROR_DEVICE
     * gets no more. */
    const gf_device *devices;
    uint64_t memory_limit; /* bytes of host memory for pictures and execs of items under way, and of such as
                            * are kept; 0: half of the memory that the process may have */
    int64_t expected;      /* about how many items there will be, for the choice of a device; 0: many */
    gf_alpha alpha;        /* of all pictures, as in gf_plan_options */
    int32_t no_fuse;
    /* Makes the plan for a shape, in place of gf_plan_create(context, pipeline, shape, options): the pipeline
     * may then depend on the shape and on the item's `kind`. `options` has device, threads, memory_limit,
     * stream_rows and runs as the batch needs them. One call at a time. NULL: that call. */
    gf_status (*plan)(void *user, int32_t kind, const gf_shape *shape, const gf_plan_options *options,
                      gf_plan **plan, gf_error *error);
    /* Called with each exec that is made, before its first run, to set its other inputs
     * (gf_exec_set_input). NULL: nothing is. */
    gf_status (*prepare)(void *user, gf_exec *exec, gf_error *error);
    void *user; /* of these two */
} gf_batch_options;

#define GF_BATCH_OPTIONS_INIT                                                                                \
    {                                                                                                        \
        sizeof(gf_batch_options), 0, 0, 0, 0, 0, 0, NULL, 0, 0, GF_ALPHA_PREMUL, 0, NULL, NULL, NULL         \
    }

/* How an item fared: what `end` gets. */
typedef struct gf_batch_outcome {
    uint32_t struct_size;
    gf_status status;                          /* of the item */
    const gf_error *error;                     /* why, unless GF_OK; for the call */
    gf_device device;                          /* that it ran on; GF_DEVICE_AUTO: it did not come to that */
    gf_shape in, out;                          /* zeros where they were not known yet */
    int32_t fell_back;                         /* non-zero: a GPU failed, and the CPU did it */
    double wait_ms, read_ms, run_ms, write_ms; /* by the wall clock. wait: for memory and a device. For a run
                                                * in bands all of it is run_ms */
} gf_batch_outcome;

/* A picture on its way. Functions return GF_OK, or what the item then fails with, for which they fill
 * `error`. */
typedef struct gf_batch_item {
    uint32_t struct_size;
    int32_t kind; /* any number: plans are kept by shape and kind */
    /* Says where the rows come from, and so the shape. The source's functions are called from then on until
     * `end`, all rows or not. NULL: `in` is the picture. */
    gf_status (*open)(void *user, gf_source *source, gf_error *error);
    /* Says where the rows go, whose shape is gf_plan_output(plan). A picture that is held as a whole has been
     * filtered by then, and read to its end; in bands nothing has been read. NULL: to `out`, or nowhere. */
    gf_status (*output)(void *user, const gf_plan *plan, gf_sink *sink, gf_error *error);
    /* After the last row: all went well, results are readable (gf_exec_result) until it returns. What must
     * appear at once, as a file, appears here. NULL: nothing is to be done. */
    gf_status (*done)(void *user, gf_exec *exec, gf_error *error);
    /* Once for each item that was added, whatever happened; the item is over. May be NULL. */
    void (*end)(void *user, const gf_batch_outcome *outcome);
    void *user;
    const gf_image *in;  /* where there is no `open`: a picture in host memory, which lives until `end` */
    const gf_image *out; /* where there is no `output`: for the plan's output, likewise; NULL: results only */
    /* What `kind` is once `open` has returned, where only the input tells; it lives until `end`. NULL: `kind`
     * is known before. */
    const int32_t *opened_kind;
    /* After the run, before `output`, with the picture and what became of it (NULL: the plan makes none, or
     * nobody takes it), as gf_verify wants them. So the picture is held as a whole, and as much memory
     * counts again for the check; where memory_limit has no room for both the item fails with
     * GF_ERROR_MEMORY. NULL: nothing is to be looked at. */
    gf_status (*check)(void *user, const gf_plan *plan, gf_exec *exec, const gf_image *in,
                       const gf_image *out, gf_error *error);
    /* The item has failed for want of file descriptors (gf_error.system is EMFILE or ENFILE) while others
     * were under way: it closes what it has, and begins with `open` again when fewer are. NULL: it fails. */
    void (*again)(void *user);
} gf_batch_item;

#define GF_BATCH_ITEM_INIT                                                                                   \
    {                                                                                                        \
        sizeof(gf_batch_item), 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL                 \
    }

/* Starts the threads. `pipeline` may be NULL where options->plan is given. GF_ERROR_ARGUMENT,
 * GF_ERROR_MEMORY (also where not one thread can be had), GF_ERROR_DEVICE: a GPU is named that is not
 * there. */
GF_API gf_status gf_batch_create(gf_context *context, const gf_pipeline *pipeline,
                                 const gf_batch_options *options, gf_batch **batch, gf_error *error);

/* Cancels, waits for all items to end, and frees. NULL-safe; sets *batch to NULL. */
GF_API void gf_batch_destroy(gf_batch **batch);

/* Queues an item, which is copied, and waits while the queue is full: so whoever reads names from somewhere
 * reads no faster than the work goes on. GF_ERROR_CANCELLED after gf_batch_cancel; after any failure the
 * item's functions are not called. */
GF_API gf_status gf_batch_add(gf_batch *batch, const gf_batch_item *item, gf_error *error);

/* Waits until every item that was added has ended. More may be added after that. GF_OK whatever became of
 * the items: their `end` has been told. */
GF_API gf_status gf_batch_finish(gf_batch *batch, gf_error *error);

/* Returns at once. Items that no thread has taken yet end with GF_ERROR_CANCELLED, and so do those under way,
 * between two portions of rows or two steps, unless they have reached `done`. Nothing can be added any
 * more. */
GF_API void gf_batch_cancel(gf_batch *batch);

typedef struct gf_batch_numbers {
    uint32_t struct_size;
    int32_t workers, waiting, running; /* threads; items in the queue; items that threads have */
    int64_t done, failed, cancelled;   /* items that ended with GF_OK, otherwise, with GF_ERROR_CANCELLED */
    int64_t plans, execs;              /* made so far */
    int64_t on_cpu, on_gpu, in_bands;  /* runs that succeeded there, and in bands of either */
    uint64_t memory, most_memory;      /* bytes that count against memory_limit: now, and at most so far */
    uint64_t memory_limit;             /* as it is, when none was given, too */
} gf_batch_numbers;

/* Tells how far the batch is. */
GF_API gf_status gf_batch_stats(gf_batch *batch, gf_batch_numbers *numbers);

/* Runs on device `index` of those that take part, and its number; GF_ERROR_DEVICE past the last. */
GF_API gf_status gf_batch_device(gf_batch *batch, int32_t index, gf_device *device, int64_t *runs);

#ifdef __cplusplus
}
#endif
#endif
