/* The words of `gpufilter prim`, and of one point of `gpufilter bench`. Every option keeps its text; whoever
 * uses it decides what it means: prim_how here, the data by prim_array.h, the rest by the driver of the
 * primitive. */
#pragma once

#include "base/arguments.h"

enum prim_option {
    /* the data */
    PRIM_N,
    PRIM_M,
    PRIM_SHAPE,
    PRIM_NX,
    PRIM_NY_MAX,
    PRIM_COUNTS,
    PRIM_TYPE,
    PRIM_DATA,
    PRIM_ROWS,
    PRIM_AT,
    PRIM_SEED,
    PRIM_IN,
    PRIM_IN2,
    PRIM_A,
    PRIM_B,
    PRIM_MATRIX,
    PRIM_X,
    PRIM_GRAPH,
    PRIM_UNDIRECTED,
    PRIM_SOURCE,
    PRIM_PICTURE,
    PRIM_CONNECT,
    PRIM_JOIN,
    PRIM_COST,
    PRIM_VALUES,
    PRIM_VALUES2,
    PRIM_FLAGS,
    PRIM_KEYS,
    PRIM_EDGES,
    PRIM_OFFSETS,
    PRIM_SEGMENTS,
    /* what to compute */
    PRIM_OP,
    PRIM_KIND,
    PRIM_OUT_TYPE,
    PRIM_KEEP,
    PRIM_INDICES,
    PRIM_UNIQUE,
    PRIM_ORDER,
    PRIM_BITS,
    PRIM_SIDE,
    PRIM_WEIGHTS,
    PRIM_BINS,
    PRIM_RANGE,
    PRIM_CHANNELS,
    PRIM_VALUE,
    PRIM_TO,
    PRIM_MODE,
    PRIM_BATCH,
    PRIM_TRANSPOSE,
    PRIM_ACCURACY,
    PRIM_SLICES,
    PRIM_WINDOW,
    PRIM_STEPS,
    PRIM_BORDER,
    PRIM_REAL,
    PRIM_INVERSE,
    PRIM_DIMENSIONS,
    PRIM_DELTA,
    PRIM_DEPTH,
    PRIM_BODY,
    PRIM_FRAME_AREA,
    PRIM_ALPHA,
    PRIM_NY_TH,
    PRIM_BLOCK_XY,
    PRIM_OPTIONS_OF_JOB, /* those before are the job's: the same ones mean the same result */
    /* how */
    PRIM_ALGO = PRIM_OPTIONS_OF_JOB,
    PRIM_VALUES_OUT,
    PRIM_PARENTS_OUT,
    PRIM_COUNTS_OUT,
    PRIM_KEYS_OUT, /* the last that PRIM_TAKES can name */
    PRIM_DEVICE,
    PRIM_THREADS,
    PRIM_BLOCK,
    PRIM_TILE,
    PRIM_K,
    PRIM_HOST,
    PRIM_REPEAT,
    PRIM_TIME,
    PRIM_VERIFY,
    PRIM_NO_CHECK,
    /* the answer */
    PRIM_OUT,
    PRIM_JSON,
    PRIM_QUIET,
    PRIM_HELP,
    PRIM_OPTION_COUNT
};

extern const struct cli_option prim_option_table[];

struct prim_options {
    const char *primitive; /* NULL: none named */
    /* As given, borrowed; NULL: not given. "" for those without a value. */
    const char *text[PRIM_OPTION_COUNT];
};

/* How to run it, and on what. */
struct prim_how {
    const char *algo;                /* never NULL */
    gf_device device;                /* GF_DEVICE_AUTO: none was asked for */
    bool emulated;                   /* --device emu */
    int32_t threads, block, tile, k; /* 0: the default */
    bool host;                       /* the time of copies from and to host memory counts */
    int32_t repeat;                  /* 0: as many as `seconds` hold, at most PRIM_REPEAT_MOST */
    int32_t seconds;
    bool verify, check;
    bool brief;      /* one run to warm up instead of PRIM_WARM */
    bool timed;      /* false: the result is all that is wanted */
    uint64_t memory; /* GPUFILTER_MEMORY: most bytes for copies; 0: no limit */
};
enum { PRIM_REPEAT_MOST = 50, PRIM_REPEAT_LEAST = 3, PRIM_WARM = 3, PRIM_SECONDS = 4, BENCH_SECONDS = 1 };

/* Adds the words to the options; later ones win. Says its own errors: GF_ERROR_ARGUMENT. */
gf_status prim_options_read(int count, char **words, struct prim_options *options);

/* Refuses options that are not for this primitive. */
gf_status prim_options_check(const struct prim_options *options);

/* The options of how, with GPUFILTER_DEVICE, GPUFILTER_THREADS and GPUFILTER_MEMORY where they are silent. */
gf_status prim_options_how(const struct prim_options *options, struct prim_how *how);

/* Tells whether both ask for the same data and the same result. */
bool prim_options_same_job(const struct prim_options *a, const struct prim_options *b);

/* Adds "op=sum block=128": what was asked of the computation, in the order of the table. */
void prim_options_add(struct buffer *text, const struct prim_options *options);

/* A number of elements, at least `least`: 500000, 16M (K, M, G: powers of 1024), 2^24, 1e6, each also with -3
 * or +3 behind. */
gf_status prim_count(const char *option, const char *text, int64_t least, int64_t *count);

/* Sizes like 512x300x1000, each as of prim_count; false: the text is none. Says nothing. */
bool prim_sizes(const char *text, int count, int64_t *sizes);

/* The sizes of --shape, like 512x300x1000, each as of prim_count. */
gf_status prim_shape(const char *text, int count, int64_t *sizes);

/* Tells whether the primitive has the option: its driver takes it (prim_driver.takes), or nobody's does. */
bool prim_option_fits(enum prim_option option, const char *primitive);
