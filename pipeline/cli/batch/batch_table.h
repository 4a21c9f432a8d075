/* --table and --plot of a batch. A template makes a file for each input; a .csv that is none takes the rows
 * of all, behind the name of the input. */
#pragma once

#include "base/output_file.h"
#include "batch/batch_report.h"
#include "job/job_options.h"

struct batch_file;

struct batch_tables {
    struct batch_report files[JOB_MOST_TABLES]; /* of all; fd -1: the option is a template, or not given */
    struct buffer heads[JOB_MOST_TABLES];       /* the first line of each, once it is known */
    bool begun[JOB_MOST_TABLES];                /* it is in the file */
    pthread_mutex_t lock;                       /* of the last two */
};

void batch_tables_begin(struct batch_tables *tables);

/* Checks whether the options can be those of many pictures. Says its own error: GF_ERROR_ARGUMENT. */
gf_status batch_tables_check(const struct job_options *options);

/* The files that take rows of all, to be told apart from others. Returns how many, at most
 * JOB_MOST_TABLES. */
int batch_tables_common(const struct job_options *options, struct run_file *files);

/* Opens those files as batch_report_open does. */
gf_status batch_tables_open(struct batch_tables *tables, const struct job_options *options, bool resume);
void batch_tables_close(struct batch_tables *tables);

/* Tables of a file whose exec has run; these say their failures. They make what is to be written, write the
 * files of its own, and append rows to the files of all. */
gf_status batch_tables_make(struct batch_file *file);
gf_status batch_tables_write(struct batch_file *file);
gf_status batch_tables_append(struct batch_file *file);
void batch_tables_drop(struct batch_file *file);
