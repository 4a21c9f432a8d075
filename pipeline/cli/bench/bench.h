/* `gpufilter bench`: the experiments of the published texts, and sweeps of every primitive.
 *
 * An experiment is a row of a bench_table_*.c: panels, each a sweep of one option of `prim` over some series,
 * and claims that are judged from the measured rows. One runner (bench_run.c) and one judge (bench_claims.c)
 * serve all of those. An experiment that is more than series over an option measures by a `run` of its own,
 * and has a study, which makes of its rows what else there is to see. */
#pragma once

#include "bench/bench_fit.h"
#include "prim/prim_report.h"

#include <stdio.h>

enum bench_place {
    BENCH_GPU,    /* on a CUDA device, or the emulated one */
    BENCH_CPU,    /* on the CPU */
    BENCH_EITHER, /* on the CPU where the variant is there, else as BENCH_GPU */
    BENCH_BOTH    /* a series on each */
};

/* One line of a figure. */
struct bench_series {
    const char *label;     /* NULL ends a table */
    const char *primitive; /* NULL: the panel's */
    const char *words;     /* options of prim; "--algo x" among them */
    enum bench_place place;
    bool fixed;       /* does not take the swept option: measured again at each of its values */
    const char *best; /* "1-64": first finds the --k of this interval that is fastest, and takes it */
};

/* Variants under their own names, on the GPU; and the CPU's best. */
#define BENCH_ALGO(algo)                                                                                     \
    {                                                                                                        \
        algo, .words = "--algo " algo                                                                        \
    }
#define BENCH_CPU_AUTO                                                                                       \
    {                                                                                                        \
        "CPU, auto", .words = "--algo auto", .place = BENCH_CPU                                              \
    }

enum bench_shows {
    BENCH_TIME,
    BENCH_GBPS,
    BENCH_FOUND,  /* the index that a search found */
    BENCH_NO_AXIS /* no figure but those of the experiment's study */
};

/* One figure: series over the values of one option. A row without title ends a table. */
struct bench_panel {
    const char *name;  /* of its file, behind the experiment's; NULL: the only one */
    const char *title; /* what stands behind " | " is about `values`, and left out where others are swept */
    const char *primitive;
    const char *words;
    const char *sweep; /* an option: "n", "k", "shape", "graph", "skew" ("--data skew:K"); "run": single runs,
                          one after the other */
    const char *values; /* separated by blanks; "1-64": all between */
    const char *quick;  /* the same at reduced size */
    const char *quick_words;
    const struct bench_series *series; /* NULL: every variant there is, on every device */
    enum bench_shows shows;            /* on the figure's y axis */
    bool unchecked; /* results are checked at reduced size only: elsewhere "sequential" takes hours */
};

/* Each is judged by medians and quartiles: a verdict that turns on two that overlap is "too close to tell".
 */
enum bench_claim_kind {
    CLAIM_FASTER,     /* a takes less time than b at no less than `low` (a share) of the values; for single
                         runs, in all of them together */
    CLAIM_FASTER_END, /* ... at the last value */
    CLAIM_FASTEST,    /* a takes less time than each other series of its place at no less than `low` of the
                         values */
    CLAIM_SLOWEST,    /* a takes more */
    CLAIM_RISES,      /* a takes at least `low` times as long at the last value as at the first */
    CLAIM_BEST_AT,    /* a is fastest at a value from `low` to `high` */
    CLAIM_CROSSES,    /* a is faster than b at the first value, and slower at the last */
    CLAIM_OVERTAKES,  /* from some value on, at most `high` where that is not 0, a is faster than b */
    CLAIM_GROWTH,     /* the time of a grows, over the upper half, with a power of the swept value from `low`
                         to `high` */
    CLAIM_RATIO,      /* at the first value a takes from `low` to `high` times as long as b */
    CLAIM_RATIO_END,  /* ... at the last value */
    CLAIM_DROPS,      /* the bandwidth of a at the last value is at most `low` of that at the first */
    CLAIM_SLOW_END,   /* the bandwidth of a at the last value is at most `high` of that of a copy beside it */
    CLAIM_LAUNCHES,   /* a launches `low` times log2 n, rounded up, and `high` kernels at each value */
    CLAIM_WORK,       /* the scans that a is made of add at most `high` times an element; counted by the
                       * emulated device alone */
    CLAIM_CHECKED,    /* every row gave what "sequential" gives */
    CLAIM_OWN         /* by the experiment's study */
};

struct bench_claim {
    const char *text; /* NULL ends a table; in the words of the text */
    enum bench_claim_kind kind;
    int panel;
    const char *a, *b; /* labels of series */
    double low, high;
};

struct bench_options;
struct bench_result;
struct bench_files;

/* What an experiment makes of its rows beyond figures of series. */
struct bench_study {
    /* Writes tables and figures by bench_file, and adds what is to be printed. */
    gf_status (*conclude)(const struct bench_result *result, struct bench_files *files, struct buffer *text);
    /* Judges a claim of kind CLAIM_OWN and says why; BENCH_NOT_JUDGED where rows are missing. */
    enum bench_verdict (*judge)(const struct bench_result *result, const struct bench_claim *claim, char *why,
                                size_t size);
};

struct bench_experiment {
    const char *id;      /* NULL ends the table */
    const char *source;  /* which text, by a word of docs/primitives.md */
    const char *summary; /* with " | " as in titles */
    const struct bench_panel *panels;
    const struct bench_claim *claims; /* NULL: the text makes none */
    /* Makes the rows of all panels; NULL: bench_run does. Says its own errors; missing variants are notes in
     * the lines, wrong ones rows. `result` is zero but for the experiment; free it in any case.
     */
    gf_status (*run)(struct bench_result *result, const struct bench_options *options);
    const struct bench_study *study; /* NULL: none */
};

/* The experiments of the texts, one for each primitive, "filters" and "transfers": by index from 0, NULL past
 * the last.
 */
const struct bench_experiment *bench_experiment_at(int index);

extern const struct bench_experiment bench_table_search[], bench_table_scan[], bench_table_patterns[],
    bench_table_linear[], bench_table_graphs[], bench_table_ragged[], bench_table_filters[],
    bench_table_transfers[];

/* ---- What was measured ----------------------------------------------------------------------- */

/* What a breadth-first search that stops at a level looks at, in the levels since the row before. */
struct bench_level {
    int32_t from, to;
    int64_t vertices, edges;
};

/* A ragged loop: what its lengths were asked to be, and what they are. */
struct bench_loop {
    int64_t ny_max, most, calls; /* calls: of the body, the sum of all lengths */
    double skew;
    int64_t area; /* of a frame, and alpha: what the series sets, 0: the default */
    double alpha;
};

struct bench_row {
    int panel, series;
    double x;        /* the swept value */
    char x_word[24]; /* as it was written */
    const char *primitive;
    char algo[40], device[24], data[40];
    int64_t n;
    gf_depth type;
    char parameters[160];
    enum prim_verdict verdict;
    bool timed;
    double time_us, q1_us, q3_us, gbps; /* median, quartiles; from the median */
    bool reads_only;                    /* compared with a sum that only reads, not with a copy */
    double fraction;                    /* of the bandwidth of that copy or sum in the same run */
    char result[48];                    /* in words, cut off; "": no single one */
    double found;                       /* of a search: the index, or -1 */
    int64_t launches, additions;        /* counted in one run; 0: they were not */
    struct bench_level level;           /* E4 */
    struct bench_loop loop;             /* ragged */
};

/* A series as it ran: that of the table, or of a variant. */
struct bench_line {
    int panel;
    char label[64];
    bool cpu;
    char note[256]; /* why rows are missing; "": none are */
};

struct bench_options {
    bool quick;
    const char *n;                         /* "2^16,2^20": instead of the panels' own; NULL */
    const char *size;                      /* "640x480,1920x1080": the same of pictures */
    const char *out;                       /* folder */
    const char *device, *threads, *repeat; /* as in prim; NULL */
};

struct bench_result {
    const struct bench_experiment *experiment;
    const char *out; /* folder */
    FILE *csv;       /* NULL: no row yet */
    char csv_path[4096];
    struct bench_row *rows;
    int n_rows, row_capacity;
    struct bench_line *lines;
    int n_lines, line_capacity;
    bool emulated;                      /* rows of an emulated device: no times */
    bool reduced;                       /* sizes are not the experiment's own: nothing is judged */
    int32_t *counts;                    /* N6: the lengths of the inner loops */
    gf_ragged_threshold thresholds[16]; /* N7, N9: of smart, as tuned on this device; none: the library's */
    int32_t n_thresholds;
    int64_t n_counts;
    char machine[2][224]; /* what ran the CPU's rows, the GPU's; "": there are none */
};

/* The index-th row of a line that has a time, in the order of the sweep; NULL past the last. */
const struct bench_row *bench_row_at(const struct bench_result *result, int line, int index);
int bench_row_count(const struct bench_result *result, int line);

/* The row of a line at the same value as another's. */
const struct bench_row *bench_row_beside(const struct bench_result *result, int line,
                                         const struct bench_row *other);

/* The panel's line of that label, or -1. */
int bench_line_of(const struct bench_result *result, int panel, const char *label);

/* Adds a title or summary; without what it says of sizes where others were measured. */
void bench_words_add(const char *words, bool reduced, struct buffer *text);
void bench_title_add(const struct bench_result *result, int panel, struct buffer *text);

/* What a text itself measured at one value, in milliseconds. */
struct bench_published {
    const char *x, *series; /* as written in our sweep; label of our series. x NULL ends a table */
    double ms;
};

/* Returns what the text printed for a panel; NULL: nothing. `machine` takes what it was measured on. */
const struct bench_published *bench_published(const char *id, int panel, const char **machine);

/* Adds a panel's series with their last values, or where the text has a table, all of them beside it; and the
 * notes on what is missing. */
void bench_panel_add(const struct bench_result *result, int panel, struct buffer *text);

/* Each series as `gpufilter prim` would, chains of stages over pictures of the device, and of the host. */
gf_status bench_run(struct bench_result *result, const struct bench_options *options);
gf_status bench_filters_run(struct bench_result *result, const struct bench_options *options);
gf_status bench_transfers_run(struct bench_result *result, const struct bench_options *options);
void bench_result_free(struct bench_result *result);

/* The files of an experiment, as they are written. */
struct bench_files {
    const char *out, *id;
    struct buffer names;
    int missing; /* figures that would have shown nothing */
};

/* Writes OUT/ID-NAME.SUFFIX, or OUT/ID.SUFFIX where the name is NULL. Says its own errors. */
gf_status bench_file(struct bench_files *files, const char *name, const char *suffix,
                     const struct buffer *contents);

/* Writes a chart; its subtitles say on what the panel's rows were measured, behind `what` (NULL: nothing
 * more). A chart without points is no file. */
struct svg_chart;
gf_status bench_chart(struct bench_files *files, const struct bench_result *result, int panel,
                      const char *name, const char *what, struct svg_chart *chart);

/* Says what is being measured: on a terminal in a passing line, with -v in lines. */
void bench_tell(const struct bench_result *result, const char *what, const char *how);

/* Writes OUT/ID.svg or an OUT/ID-NAME.svg for each panel that has something to show, and adds the names of
 * all files to the text, and why there is no figure. */
gf_status bench_write(const struct bench_result *result, const struct bench_options *options,
                      struct buffer *text);

/* Adds what was measured, and on what: the lines below a figure's title. */
void bench_subtitles_add(const struct bench_result *result, int panel, const char *what, struct buffer *first,
                         struct buffer *second);

/* Adds the panel's figure; false: it has nothing to show. */
bool bench_figure_add(const struct bench_result *result, int panel, struct buffer *text);

/* Adds each claim with "holds on this device", "does not hold on this device", "too close to tell", or why it
 * was not judged. */
void bench_judge(const struct bench_result *result, struct buffer *text);
