/* What `gpufilter prim` prints of its runs. */
#ifndef GF_CLI_PRIM_REPORT_H
#define GF_CLI_PRIM_REPORT_H

#include "prim.h"

/* A variant that ran, or why it did not. */
struct prim_row {
    char algo[40];
    char device[24];
    gf_status status; /* not GF_OK: it did not run, and `why` says why */
    char why[480];
    bool untimed; /* its time was not asked for */
    struct prim_measurement measured;
};

/* Runs the variant of how->algo; the row is the caller's to free. */
void prim_row_run(struct prim_job *job, struct prim_device *device, const struct prim_how *how,
                  struct prim_row *row);
void prim_row_free(struct prim_row *row);

/* One run, in words. */
void prim_report_one(const struct prim_job *job, const struct prim_row *row, struct buffer *text);

/* All of them, a line each. */
void prim_report_table(const struct prim_job *job, const struct prim_row *rows, int count,
                       struct buffer *text);

/* One JSON object. */
void prim_report_json(const struct prim_job *job, const struct prim_row *row, struct buffer *text);

/* The primitives of this build, or the one called `name`: variants, their types and parameters. */
void prim_report_list(const char *name, struct buffer *text);

#endif
