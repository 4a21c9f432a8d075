/* --table [NAME=]FILE: tables of results as CSV and NumPy files; --plot [NAME=]FILE: results as charts. */
#pragma once

#include "base/text_buffer.h"
#include "job/field_table.h"

enum { JOB_MOST_TABLES = 16 };

struct job_table {
    const char *path;          /* in the word of the command line */
    char name[64];             /* of a stage, or "" */
    bool is_plot;              /* --plot */
    bool is_response;          /* --plot of the gain of filters: job_response.h */
    bool is_npy;               /* --table; else CSV */
    const gf_result *from;     /* once the run is over: what was found, and its table; NULL: filters */
    const gf_table *table;     /* not of --plot */
    struct field_table values; /* what `table` is where the stage has none of its own */
    struct buffer bytes;       /* of the file */
};

/* "--table" or "--plot". */
const char *job_table_option(const struct job_table *table);

/* Reads the word of one option. GF_ERROR_ARGUMENT, said. */
gf_status job_table_take(const char *word, bool is_plot, struct job_table *table);
