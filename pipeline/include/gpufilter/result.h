/* gpufilter/result.h: what a run makes beside a picture: results and their tables, as numbers and printed,
 * and whether all of it is right. It comes with pipeline.h, whose lifetimes, threads and errors hold here,
 * too. */
#ifndef GPUFILTER_RESULT_H
#define GPUFILTER_RESULT_H

#include "gpufilter/stage.h"
#include "gpufilter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gf_plan gf_plan; /* pipeline.h makes both */
typedef struct gf_exec gf_exec;

/* ---- results and tables ---------------------------------------------------------------------- */

/* Results of the last run, owned by the exec, valid until its next run or gf_exec_destroy; after a run that
 * failed there are none. By index, or by the stage's name= or type name; NULL when there is none.
 * gf_stage_result (stage.h) and docs/stages.md list the fields of each stage with their units. */
GF_API int32_t gf_exec_result_count(const gf_exec *exec);
GF_API const gf_result *gf_exec_result(const gf_exec *exec, int32_t index);
GF_API const gf_result *gf_exec_result_named(const gf_exec *exec, const char *name);
GF_API const gf_field *gf_result_field(const gf_result *result, const char *name);
/* A table of a result by its name, and a column of a table; NULL when there is none. */
GF_API const gf_table *gf_result_table(const gf_result *result, const char *name);
GF_API const gf_column *gf_table_column(const gf_table *table, const char *name);

/* One number of a result, whatever its depth: the field's value of the channel, counted from 0 among those
 * that were measured. GF_ERROR_ARGUMENT where there is no such field or channel, with a text that lists the
 * fields, and for a field of several values a channel. A u64 beyond 2^53 is rounded. */
GF_API gf_status gf_result_number(const gf_result *result, const char *field, int32_t channel, double *number,
                                  gf_error *error);

/* ---- printing -------------------------------------------------------------------------------- */

/* Printing functions work like snprintf: they write at most `capacity` bytes with a terminating zero and set
 * *length (NULL: nobody asks) to the bytes that the whole needs without it. `buffer` may be NULL where
 * capacity is 0. BRIEF and CSV are of results alone. */
typedef enum gf_print_format {
    GF_PRINT_TEXT = 0,
    GF_PRINT_JSON = 1,
    GF_PRINT_BRIEF = 2, /* text with the first rows of a table, and how many more there are */
    GF_PRINT_CSV = 3    /* of a table: a line of names, then a line a row */
} gf_print_format;

/* Text (a chart, a table; TEXT or BRIEF) or a JSON object of one result. In JSON a table is an array of
 * objects, one a row. */
GF_API gf_status gf_result_print(const gf_result *result, gf_print_format format, char *buffer,
                                 size_t capacity, size_t *length, gf_error *error);

/* One table alone, in any of the formats. Columns of several numbers have a name for each in CSV and text,
 * as box_x; f32 and f64 are written so that they read back as the same number. */
GF_API gf_status gf_table_print(const gf_table *table, gf_print_format format, char *buffer, size_t capacity,
                                size_t *length, gf_error *error);

/* ---- verification ---------------------------------------------------------------------------- */

/* The first difference found, in raster order, and the stage that first makes one. */
typedef struct gf_mismatch {
    uint32_t struct_size;
    int32_t stage; /* index in the pipeline, -1: no difference */
    char stage_name[64];
    char what[64]; /* "picture", or the field of a result that differs; where it has more or fewer numbers,
                    * those are counted below */
    int64_t x, y;  /* pixel (0, 0 for results) */
    int32_t channel;
    double expected, got; /* the judge's value and the plan's */
    uint64_t count;       /* samples that differ */
} gf_mismatch;

/* Recomputes the plan's pipeline on `judge` (the CPU, the reference, or a CUDA device; AUTO: the
 * other backend, or the reference where there is none) and compares picture and results bit for
 * bit with `out` and the results of the exec that made it. GF_OK: equal. GF_ERROR_MISMATCH:
 * *mismatch tells where. Host pictures only; `out` may be NULL: results only. GF_ERROR_ARGUMENT where the
 * plan has results and the exec none, as its last run failed or there was none. */
GF_API gf_status gf_verify(gf_exec *exec, const gf_image *in, const gf_image *out, gf_device judge,
                           gf_mismatch *mismatch, gf_error *error);

/* The judge that AUTO chooses for this plan. */
GF_API gf_device gf_verify_judge(const gf_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
