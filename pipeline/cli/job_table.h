/* --table [NAME=]FILE: tables of results as CSV and NumPy files. */
#ifndef GF_CLI_JOB_TABLE_H
#define GF_CLI_JOB_TABLE_H

#include "text_buffer.h"

enum { JOB_MOST_TABLES = 16 };

struct job_table {
    const char *path;      /* in the word of the command line */
    char name[64];         /* of a stage, or "" */
    bool is_npy;           /* else CSV */
    const gf_result *from; /* once the run is over: what was found, and its table */
    const gf_table *table;
    struct buffer bytes; /* of the file */
};

/* Reads the word of one option. GF_ERROR_ARGUMENT, said. */
gf_status job_table_take(const char *word, struct job_table *table);

#endif
