/* A primitive on the command line: its data, its oracle, its runs and what they measured.
 *
 *     prim_job_create    the data in host memory, what is asked of the primitive
 *     prim_device_open   a device, a stream of it, and memory for the copy that runs are compared with
 *     prim_measure       one variant on one device: checked against the job's oracle, and timed
 *
 * Its prim_driver says what a primitive is: one small file each, prim_NAME.c. */
#pragma once

#include "gpufilter/adjacent.h"
#include "gpufilter/bounds.h"
#include "gpufilter/compact.h"
#include "gpufilter/device.h"
#include "gpufilter/fft.h"
#include "gpufilter/graph.h"
#include "gpufilter/histogram_2d.h"
#include "gpufilter/keyed.h"
#include "gpufilter/matmul.h"
#include "gpufilter/ragged.h"
#include "gpufilter/reduce.h"
#include "gpufilter/scan.h"
#include "gpufilter/search.h"
#include "gpufilter/sort.h"
#include "gpufilter/spmv.h"
#include "gpufilter/stencil.h"
#include "gpufilter/top_k.h"
#include "prim/prim_array.h"

enum { PRIM_BLOCKS = 4 }; /* most inputs, and outputs, of a primitive */

/* What a run works on: memory of its device. */
struct prim_memory {
    void *in[PRIM_BLOCKS];
    void *out[PRIM_BLOCKS];
    void *scratch;
    size_t scratch_bytes;
};

/* An output: its type, and room for how many elements. */
struct prim_output {
    gf_depth type;
    int64_t n;
    enum prim_option file; /* PRIM_OUT and its like: where it is written; 0: nowhere */
    int64_t rows;          /* of a matrix, n = rows x columns; 0: it has one dimension */
};

struct prim_job {
    const struct prim_driver *driver;
    struct prim_options options;
    gf_depth type;
    int64_t n;         /* of the first input */
    int64_t size[3];   /* of drivers with a shape: those of --shape, or of the files */
    bool both_ways;    /* of a graph: every edge has one that leads back */
    uint64_t *ids;     /* of its vertices, in its file; NULL: 0, 1, 2... */
    gf_fft_plan *plan; /* of fft */
    gf_grid grid;      /* a picture in place of a graph; struct_size 0: none */
    char shape[72];    /* "512x300x1000"; "": n says it all */
    const char *file;  /* of the first input; NULL: it was made */
    uint64_t seed;
    struct prim_recipe recipe;
    struct prim_array in[PRIM_BLOCKS];       /* [0] always there */
    struct prim_output out[PRIM_BLOCKS];     /* type and n of those not there: 0 */
    struct prim_array expected[PRIM_BLOCKS]; /* of "sequential"; data NULL until prim_job_expect */

    /* The library's options, borrowing from the job; `array` points into the one that is used. */
    union {
        gf_reduce_options reduce;
        gf_scan_options scan;
        gf_compact_options compact;
        gf_sort_options sort;
        gf_top_k_options top_k;
        gf_histogram_options histogram;
        gf_histogram_2d_options histogram_2d;
        gf_search_options search;
        gf_bounds_options bounds;
        gf_adjacent_options adjacent;
        gf_unique_by_key_options unique;
        gf_matmul_options matmul;
        gf_spmv_options spmv;
        gf_stencil_options stencil;
        gf_fft_options fft;
        gf_run_length_options run_length;
        gf_bfs_options bfs;
        gf_sssp_options sssp;
        gf_components_options components;
        gf_ragged_options ragged;
    } call;
    gf_array_options *array;
    uint64_t value[2]; /* elements that the options point to */
    gf_ragged_threshold threshold[64];
    gf_histogram_axis axis[2]; /* of histogram_2d: of the columns, of the rows */
};

/* Options that not every primitive has: a set of those up to PRIM_KEYS_OUT; every primitive has the others.
 */
__extension__ typedef unsigned __int128 prim_option_set;
#define PRIM_TAKES(option) ((int)(option) < 128 ? (prim_option_set)1 << ((int)(option)&127) : 0)
_Static_assert(PRIM_KEYS_OUT < 128, "PRIM_TAKES has 128 bits");
#define RAGGED_BODIES    "sum|segment-sum|segment-min|segment-max|fill|expand|decode" /* as gf_ragged_body */
#define PRIM_TAKES_ARRAY (PRIM_TAKES(PRIM_N) | PRIM_TAKES(PRIM_IN))                   /* those of one array */

struct prim_driver {
    const char *name;
    prim_option_set takes;                                       /* of the options that some driver takes */
    const char *type;                                            /* of elements, where none is asked for */
    const char *data;                                            /* likewise; NULL: "random" */
    const char *(*data_for)(const struct prim_options *options); /* NULL: always that */

    /* Reads or makes the inputs, and sets type, n and shape: prim_job_read and prim_job_make help. NULL: one
     * array, of --in, or of --n elements. Says its own errors. */
    gf_status (*inputs)(struct prim_job *job);

    /* Reads its options into job->call, sets job->array and the outputs. The inputs, type and n are there; it
     * may add others, and change the first where it was made. Says its own errors. */
    gf_status (*prepare)(struct prim_job *job);

    /* The calls of the library; job->array says which variant. */
    gf_status (*scratch)(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error);
    gf_status (*run)(const struct prim_job *job, gf_queue queue, const struct prim_memory *memory,
                     gf_error *error);

    /* GF_ERROR_INPUT and why in `error`, unsaid, where the outputs say that the call refused what it was
     * given. NULL: it never does. */
    gf_status (*refusal)(const struct prim_job *job, const void *const out[PRIM_BLOCKS], gf_error *error);

    /* Returns how many elements of output i a call wrote, known from the outputs; NULL: all. */
    int64_t (*extent)(const struct prim_job *job, const void *const out[PRIM_BLOCKS], int i);

    /* Bytes that no way of computing it can do without reading or writing, known from the outputs. NULL:
     * every input once and every output. */
    double (*traffic)(const struct prim_job *job, const void *const out[PRIM_BLOCKS]);

    /* Operations of arithmetic; NULL: of no interest. */
    double (*work)(const struct prim_job *job);

    /* For loose variants: tells whether output 0, of floats, is as near to the expected as rounding in
     * another order lets one expect; *worst is the largest difference. NULL: the bits must agree.
     */
    bool (*near)(const struct prim_job *job, const void *expected, const void *found, double *worst);

    /* Adds the result as text, or as one JSON value. */
    void (*result)(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                   bool json);
};

/* For drivers: reads --op, one of `ops` in the order of gf_reduce_op, into the call; output 0 is of one
 * element. */
#define PRIM_REDUCTIONS "sum|product|min|max|argmin|argmax|and|or"
gf_status prim_reduce_prepare(struct prim_job *job, const char *ops);

/* prim_driver.result: the first and the last element of output 0. */
void prim_result_ends(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                      bool json);

/* For prim_driver.near. The rounding of a type; whether `found` is as near to the expected as `bound`, or the
 * same, where *worst grows to their difference. */
double prim_epsilon(gf_depth type);
bool prim_is_near(double expected, double found, double bound, double *worst);

/* The driver of a primitive of this build, or NULL. */
const struct prim_driver *prim_driver_find(const char *name);

/* ---- Jobs ------------------------------------------------------------------------------------ */

/* Says its own errors. Destroy in any case. */
gf_status prim_job_create(const struct prim_options *options, struct prim_job *job);
void prim_job_destroy(struct prim_job *job);

/* For drivers. Reads input i from the file that the option names, of one dimension or, with `matrix`, of two;
 * refuses options that only make data. The first one read sets the job's type, and the others must be of it.
 */
gf_status prim_job_read(struct prim_job *job, int i, enum prim_option option, bool matrix);

/* Reads --type, --seed and --data, for inputs that are made. */
gf_status prim_job_recipe(struct prim_job *job);

/* Makes input i by the job's recipe: a matrix, or with rows 0 `columns` elements. */
gf_status prim_job_make(struct prim_job *job, int i, int64_t rows, int64_t columns);

/* Computes what "sequential" gives on the CPU, once. */
gf_status prim_job_expect(struct prim_job *job, gf_error *error);

/* Forgets it: the call was changed. */
void prim_job_forget(struct prim_job *job);

/* Elements of output i that were written; bytes of them. */
int64_t prim_job_extent(const struct prim_job *job, const void *const out[PRIM_BLOCKS], int i);
size_t prim_job_bytes(const struct prim_job *job, const void *const out[PRIM_BLOCKS], int i);

/* Bytes of prim_driver.traffic. */
double prim_job_traffic(const struct prim_job *job, const void *const out[PRIM_BLOCKS]);

/* ---- Devices --------------------------------------------------------------------------------- */

struct prim_device {
    gf_queue queue;
    char word[24];   /* "cpu", "cuda:0", "emu" */
    bool emulated;   /* its times say nothing */
    int32_t threads; /* of a copy on the CPU; 0: one a processor */
    void *copy[2];
    size_t copy_bytes; /* of each; 0: not yet allocated */
};

/* `emulated`: only the emulated device will do. GF_ERROR_DEVICE and others with the reason in `error`;
 * nothing is said. */
gf_status prim_device_open(gf_device device, bool emulated, struct prim_device *opened, gf_error *error);
void prim_device_close(struct prim_device *opened);

/* The memory for copies, for comparison with work of that many bytes, in all at most `limit` (0: none);
 * again: keeps what it has if it is enough. */
gf_status prim_copy_prepare(struct prim_device *device, double bytes, uint64_t limit, gf_error *error);
gf_status prim_copy_run(struct prim_device *device, gf_error *error);

/* ---- Runs ------------------------------------------------------------------------------------ */

enum prim_verdict { PRIM_UNCHECKED, PRIM_RIGHT, PRIM_NEAR, PRIM_WRONG };

struct prim_measurement {
    enum prim_verdict verdict;
    double worst;         /* PRIM_NEAR: the largest difference */
    char difference[160]; /* PRIM_WRONG: the first */
    bool timed;
    int64_t launches, additions;                    /* of a run, as gf_work_counted has them */
    double time_us, gbps, copy_gbps, copy_fraction; /* medians */
    double q1_us, q3_us;                            /* quartiles */
    int32_t repeat;
    double *times_us;                   /* of every run, in order; NULL: not timed */
    struct prim_array out[PRIM_BLOCKS]; /* what the run gave */
};

/* Runs the variant that how->algo names. Failures, as that of a variant that does not take the job, stand in
 * `error` unsaid. */
gf_status prim_measure(struct prim_job *job, struct prim_device *device, const struct prim_how *how,
                       struct prim_measurement *measured, gf_error *error);
void prim_measurement_free(struct prim_measurement *measured);

/* Chooses as many timed runs as were asked for, or as fit into the seconds that were, with what they are
 * compared with, if a run takes so long. */
int32_t prim_choose_repeat(const struct prim_how *how, double each_us);

/* Compares outputs with the job's expected ones. */
void prim_check(const struct prim_job *job, bool exact, struct prim_measurement *measured);
