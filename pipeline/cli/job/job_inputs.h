/* What stages read beside IN: pictures, and files of numbers. */
#pragma once

#include "base/output_file.h"
#include "gpufilter/io.h"

enum { JOB_MOST_INPUTS = 255 };

/* --input NAME=FILE */
struct job_named {
    char name[64];
    const char *path; /* borrowed */
};

/* Takes the option's value as the next of n. Says its own error: GF_ERROR_ARGUMENT. */
gf_status job_named_take(const char *value, struct job_named named[JOB_MOST_INPUTS], int *n);

/* A picture that a stage names; [i] is input i + 1 of the pipeline. */
struct job_other {
    int same;   /* an earlier one that is the same file, whose picture counts; -1: none */
    bool is_in; /* it is IN, which is held for that; standard input: of several pictures the one before */
    const char *path;
    gf_reader *reader;
    gf_file_info info;
    gf_picture *picture; /* NULL: not read yet, or another's */
};

struct job;

/* Checks whether all names that stages use are known, and none of the files of a run replaces another: the
 * first n, two of which may be IN and OUT, those of --pipeline, and what stages read. `all` gets them, in new
 * memory; or NULL.
 */
gf_status job_check_files(const struct job *job, const struct run_file *first, int n, struct run_file **all,
                          int *count);

/* Reads the files of numbers into job->pipeline. */
gf_status job_read_lists(struct job *job);

/* How many pictures or signals stages name beside IN. */
int job_other_count(const struct job *job);

/* The file of input i + 1; NULL: nothing has its name. */
const char *job_other_path(const struct job *job, int i);

/* Says what a file failed with, at the stage that names it; a limit as the option calls it. */
gf_status job_other_fail(const struct job *job, int i, gf_status status, const gf_error *error);

/* Opens what stages name beside IN, which is open: shapes are known then. */
gf_status job_open_others(struct job *job);

/* Reads the pictures, but for IN. */
gf_status job_read_others(struct job *job);

/* Gives the exec all of them, before it runs. */
gf_status job_set_others(const struct job *job, gf_error *error);

/* Tells whether IN has to be held because a stage names it by its file, too. */
bool job_names_in(const struct job *job);

/* Their part of the report. */
void job_add_others(struct buffer *text, const struct job *job);

void job_close_others(struct job *job);
