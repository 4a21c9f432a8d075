/* --report FILE of a batch: what its stages have measured, as JSON, a line a picture, or as CSV, a line a
 * number. Lines come as pictures are done. */
#pragma once

#include "base/text_buffer.h"
#include "job/job.h"

#include <pthread.h>

struct batch_report {
    int fd;                    /* -1: there is none */
    const char *option, *path; /* as messages call it */
    bool csv;
    pthread_mutex_t lock;
};

/* Opens the file, anew or, with `resume`, behind the whole lines that it has; "-" is standard output. Says
 * its own errors: GF_ERROR_OUTPUT. */
gf_status batch_report_open(struct batch_report *report, const char *path, bool resume);
/* The same for a file of another option, which begins with `head` (NULL: with nothing). */
gf_status batch_report_open_as(struct batch_report *report, const char *option, const char *head,
                               const char *path, bool resume);
void batch_report_close(struct batch_report *report);

/* Adds "results":[...] of a job to an object. */
gf_status batch_report_results(struct buffer *text, const struct job *job, gf_error *error);

/* Adds a line of CSV for each number of each field: input,stage,index,name,field,channel,place,value. */
void batch_report_rows(struct buffer *text, const char *input, const struct job *job);

/* Adds the name of a file as CSV has it: in quotes where it needs them. One that a spreadsheet would take for
 * a formula, as it begins with = + - @, a tab or a return, begins with "./", by which it is the same file. */
void batch_report_name(struct buffer *text, const char *path);

/* Writes whole lines at once. From any thread. GF_ERROR_OUTPUT, said. */
gf_status batch_report_write(struct batch_report *report, const struct buffer *lines);
