/* A file of a batch, on its way. */
#pragma once

#include "batch/batch_run.h"

struct batch_file {
    struct batch *batch;
    struct batch_input input;
    char *out;                     /* NULL: results only */
    char *tables[JOB_MOST_TABLES]; /* files of its own that --table and --plot make, once they are made */
    struct journal_entry entry;
    struct job job;
    gf_source rows;                /* of the job */
    int64_t rows_left;             /* to be read */
    bool is_finished;              /* the input, to its end */
    bool in_place;                 /* the output replaces the input */
    struct batch_variant *variant; /* NULL: the pipeline is that of all */
    int32_t kind;                  /* of its plan, once the input is open */
    bool stops;                    /* the journal cannot be written: nothing more is to be done */
    bool is_made;                  /* all of it went well */
    bool is_signal, is_done;       /* of a signal: it has been run to its end, in `ms` */
    double ms;
    struct buffer head; /* of a signal, for its line of the report */
    bool is_known;      /* the journal says already how it ended */
    struct buffer json, lines, report_line, journal_line,
        text; /* of results: members of an object; lines of CSV; as a job prints them */
};

/* batch_file.c: a job for it, nothing of which is done. */
void batch_file_begin(struct batch_file *file);
/* The item of the queue that it is; its last function frees it. */
gf_batch_item batch_file_item(struct batch_file *file);
/* batch_settle.c: finds the pipeline of a file whose input is open, and its kind, and leaves the input at its
 * first row. trim looks at the picture on the CPU: that costs less than to decode it. Says its own errors. */
gf_status batch_file_settle(struct batch_file *file);

/* Makes tables and results of what the job has measured, and makes the line of the report and the journal
 * ready: all that can fail before the output appears. */
gf_status batch_file_finish(struct batch_file *file);
/* batch_signal.c: looks whether it is a signal, and runs it if so, to its end. As the queue is to do nothing
 * more for it then, it fails with GF_ERROR_CANCELLED, and batch_file_outcome says how it really ended. */
gf_status batch_file_look(struct batch_file *file);
gf_status batch_file_run_signal(struct batch_file *file, gf_error *error);
gf_batch_outcome batch_file_outcome(const struct batch_file *file, const gf_batch_outcome *of_queue);
/* batch_report_line.c: its line of the report, or lines of CSV. */
gf_status batch_file_report(struct batch_file *file, const gf_batch_outcome *outcome);
void batch_file_add_signal_line(const struct batch_file *file, struct buffer *line); /* of the report */

/* A number of a file that is written, for signals, until it is left. */
int batch_file_number(struct batch *batch);
void batch_file_number_leave(struct batch *batch, int number);
void batch_file_free(struct batch_file *file);
