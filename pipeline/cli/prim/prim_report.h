/* What `gpufilter prim` prints of its runs. */
#pragma once

#include "prim/prim.h"

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

/* Adds all rows, a line each. */
void prim_report_table(const struct prim_job *job, const struct prim_row *rows, int count,
                       struct buffer *text);

/* One JSON object. */
void prim_report_json(const struct prim_job *job, const struct prim_row *row, struct buffer *text);

/* The primitives of this build, or the one called `name`: variants, their types and parameters. */
void prim_report_list(const char *name, struct buffer *text);

/* Adds the types of elements that any of its variants takes. */
void prim_report_types(const char *primitive, struct buffer *text);

/* The answer to --help and to no name. Says its own errors, as the next two do. */
struct cli_command;
gf_status prim_print_help(const struct cli_command *prim, const struct prim_options *options);
gf_status prim_fail_unknown(const char *primitive);
/* vendor: why there is no module; code GF_OK: there is one. */
gf_status prim_fail_unknown_algo(const char *primitive, const char *algo, const gf_error *vendor);
/* Where variants of CUDA are that are not here; and that none are, with gf_cuda_missing(). */
#define PRIM_ELSEWHERE                                                                                       \
    "A build with nvcc, or with -DGPUFILTER_CUDA=EMU, which runs them on the CPU, has these"
#define PRIM_NO_CUDA "no variants for CUDA: %s; a build with -DGPUFILTER_CUDA=EMU runs them on the CPU"

/* Tells whether there is such a variant for this kind of device. */
bool prim_has_variant(const char *primitive, const char *algo, bool cuda);
