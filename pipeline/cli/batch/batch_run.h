/* A batch of the program: its parts, and the files on their way through it. */
#pragma once

#include "batch/batch_journal.h"
#include "batch/batch_ledger.h"
#include "batch/batch_list.h"
#include "batch/batch_output.h"
#include "batch/batch_report.h"
#include "batch/batch_table.h"
#include "batch/batch_variant.h"
#include "gpufilter/batch.h"
#include "job/job.h"
#include "job/signals.h"

#include <stdatomic.h>

/* A file that failed. */
struct batch_failure {
    char *input, *why;
};

/* A member of a tar on its way; the last two under the lock of the batch. */
struct batch_member {
    struct job_memory bytes;
    char *out; /* the name of its output, once it is over; NULL: none */
    int64_t mtime;
    bool is_over, is_done;
};

struct batch {
    struct batch_options options;
    struct job
        base; /* the pipeline as the user wrote it, and the pictures that stages read beside each input */
    gf_batch *queue;
    struct batch_list list;
    struct batch_ledger ledger; /* until the files of the list are known; with --from - to the end */
    struct journal journal;
    struct batch_report report;
    struct batch_tables tables;
    bool waits; /* a stage for what only pixels tell, for each picture */
    struct batch_variants variants;
    char *journal_path, *report_path;    /* with the shard's number */
    bool tells_json, tells_line, prints; /* a line a file; a passing line; results as text */
    double began;                        /* by now_ms() */

    pthread_mutex_t looking;                /* taken to look at a large picture before the queue lets it in */
    pthread_mutex_t lock;                   /* of all below */
    int64_t files;                          /* that there are, in this shard; -1: not known yet */
    int64_t done, failed, skipped, dropped; /* of them: dropped when the batch was ended */
    int64_t verified;                       /* of those that are done */
    int64_t pixels, bytes;                  /* of inputs that are done; bytes of their files */
    int64_t read;                           /* names of --from - so far */
    struct batch_failure *failures;
    int64_t n_failures, failure_room;
    gf_status fatal;            /* what ends the batch as a whole, said; GF_OK: nothing has */
    bool too_many;              /* --max-failures */
    bool is_mute;               /* standard output has failed */
    bool in_use[SIGNALS_FILES]; /* files that are written: signals.h */

    pthread_cond_t member_over; /* of a tar, with the lock */
    atomic_int signal;          /* that ends the batch; 0: none */
    pthread_cond_t wake;        /* of the watcher, with the lock */
    pthread_t watcher;
    bool is_watched;
    atomic_bool closing;
};

/* batch_queue.c: what the queue asks for. */
gf_status batch_make_plan(void *user, int32_t kind, const gf_shape *shape, const gf_plan_options *options,
                          gf_plan **plan, gf_error *error);
gf_status batch_prepare_exec(void *user, gf_exec *exec, gf_error *error);
/* Decides which GPUs take part, or all devices. */
gf_status batch_make_queue(struct batch *batch);
/* A hash of all that decides on the bytes of outputs, but for the input. */
gf_status batch_plan_hash(struct batch *batch, uint64_t *hash);

/* batch_give.c: gives a file to the queue, or counts it as what it is already. Takes the input over.
 * GF_ERROR_CANCELLED: nothing more is taken. */
gf_status batch_give(struct batch *batch, struct batch_input *input);

/* batch_tar.c: gives the members of a tar, and writes what they make. Says its own errors. */
gf_status batch_give_tar(struct batch *batch);

/* batch_tell.c: a file is over. `line`: more members of its object in JSON, or NULL. */
struct batch_end {
    const char *input, *output; /* output NULL: none */
    const char *status;         /* "done", "failed", "skipped", "dropped" */
    const char *why;            /* of "failed" and "skipped" */
    gf_status code;             /* of "failed" */
    const struct buffer *more;  /* members for its object in JSON: ",\"results\":[...]"; NULL: none */
    int64_t pixels, bytes;      /* of "done" */
    gf_device device;           /* likewise */
    bool verified;              /* likewise, and by whom */
    gf_device judge;
    double ms;
};
void batch_tell(struct batch *batch, const struct batch_end *end);
/* The whole cannot go on: `status`, which is said. Returns whether nothing had ended it before. */
bool batch_stop(struct batch *batch, gf_status status);
bool batch_is_stopped(struct batch *batch);
/* Tells whether nothing more is to be begun. */
bool batch_has_ended(struct batch *batch);
/* Hands a member of a tar, and the name of its output, to whoever writes them; it is not to be used then. */
void batch_leave_member(struct batch *batch, struct batch_member *member, char *out, bool is_done);
/* Text on standard output; after a failure, which ends the batch, no more. */
void batch_print(struct batch *batch, const struct buffer *text);
/* The passing line, as of now. */
void batch_tell_line(struct batch *batch);
/* Tells which files of folders were not taken, where nobody asked for that. */
void batch_tell_others(const struct batch *batch);
/* Tells at the end what failed, and how much was done. */
void batch_tell_end(struct batch *batch);

/* batch_watch.c: a thread that shows how far it is, brings the journal to the disk, and ends the batch when a
 * signal came. */
void batch_watch_begin(struct batch *batch);
void batch_watch_end(struct batch *batch);
