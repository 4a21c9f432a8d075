/* What the user asked of a filter job: options, environment, files. */
#pragma once

#include "base/arguments.h"
#include "gpufilter/io.h"
#include "gpufilter/signal_io.h"
#include "job/job_inputs.h"
#include "job/job_table.h"
#include "job/stages_text.h"

enum { JOB_NO_DEPTH = -1 };

/* A device that neither command line nor environment named; never seen outside. */
#define JOB_UNSET ((gf_device)-100)

enum job_palette { JOB_PALETTE_AUTO, JOB_PALETTE_ON, JOB_PALETTE_OFF };
enum job_print { JOB_PRINT_NONE, JOB_PRINT_TEXT, JOB_PRINT_JSON };

struct job_options {
    const char *in, *out;      /* borrowed; out NULL: results only */
    const char *stray;         /* the first word that is no file, but begins as stages do */
    const char *dashed;        /* the first file whose name begins with '-': it stood behind -- */
    struct stages_text stages; /* of the pipeline */
    bool has_stages;           /* --stages or --pipeline was given */
    const char *format;        /* of the output; NULL: by the suffix of `out` */
    const char *report;        /* path; NULL: none */
    struct job_table tables[JOB_MOST_TABLES];
    int n_tables;
    struct job_named named[JOB_MOST_INPUTS]; /* pictures beside IN */
    int n_named;
    enum job_print explain, print_pipeline;
    bool verify, no_fuse, no_clobber, compute_f32, fast_load, progressive, strip;
    int depth; /* a gf_depth or JOB_NO_DEPTH */
    gf_device device;
    gf_alpha alpha;  /* where has_alpha; else what IN says */
    int32_t threads; /* 0: one a processor */
    uint64_t memory; /* 0: no limit */
    int64_t runs;    /* that share the start of a device; 0: one */
    gf_io_limits limits;
    int32_t png_level;
    int palette; /* index of its word: enum job_palette */
    int32_t jpeg_quality;
    int32_t page;                                                                   /* 0: not given */
    bool has_png_level, has_palette, has_quality, has_device, has_limit, has_alpha; /* given */
    double rate;               /* of signals, in Hz; 0: not given */
    const char *raw, *columns; /* NULL: not given */
    gf_signal_sample sample;   /* GF_SIGNAL_DEFAULT: not given */
    gf_signal_matrix matrix;   /* GF_SIGNAL_NO_MATRIX: not given */
    bool picture;              /* --signal picture */
    bool help, version;        /* asked for: nothing else counts */
};

#define EXPLAIN_CHOICES "text|json"
#define ALPHA_CHOICES   "straight|premul|none"      /* in the order of gf_alpha */
#define DEPTH_CHOICES   "u8|u16|f32"                /* in the order of gf_depth */
#define SAMPLE_CHOICES  "u8|s8|s16|s24|s32|f32|f64" /* in the order of gf_signal_sample, from 1 */
#define PALETTE_CHOICES "auto|on|off"
#define SIGNAL_CHOICES  "rows|columns|picture" /* in the order of gf_signal_matrix, from 1 */

/* The table, for help and completion: job_options.def. */
extern const struct cli_option job_option_table[];

/* For commands that take some of these options. They set the defaults; take one option of the table, with a
 * value that is among its choices; take from the environment what is still not said. Errors as below. */
void job_options_begin(struct job_options *options);
gf_status job_options_take(struct job_options *options, const char *name, const char *value);
gf_status job_options_complete(struct job_options *options);

/* Reads the words after the program's name, and the environment where they are silent. Says its
 * own errors: GF_ERROR_ARGUMENT, GF_ERROR_INPUT (--pipeline), GF_ERROR_MEMORY. `options` is to be
 * freed in any case. */
gf_status job_options_read(int count, char **words, struct job_options *options);
void job_options_free(struct job_options *options);
