/* What bench_run.c (panels, series) and bench_point.c (one measurement) share. */
#pragma once

#include "bench/bench.h"

/* A device, opened when it is first needed, or why there is none. */
struct bench_opened {
    bool tried, ok;
    struct prim_device device;
    gf_error error;
};

struct bench_runner {
    const struct bench_options *options;
    struct bench_result *result;
    gf_device gpu; /* GF_DEVICE_CPU: none wanted */
    bool want_emulated;
    struct bench_opened places[2]; /* the CPU, the GPU */
    struct prim_job job;           /* kept while points ask for the same; driver NULL: none yet */
    char *job_text;                /* what its options point into */
};

/* One series of the panel that runs. */
struct bench_running {
    struct bench_series s;
    char words[128]; /* of a variant, when the table has none */
    int line;        /* index of its bench_line */
    bool absent;     /* it cannot run at all */
    int best;        /* its --k, where the table asks for the best */
};

/* One measurement: a job, a variant, and how. */
struct bench_shot {
    const char *primitive;
    const char *words; /* options of prim */
    int line;          /* whose device it is */
    int runs;          /* 0: as many as a second holds */
    bool brief;        /* one run to warm up is enough */
    bool same_job;     /* the runner's job as it stands, whatever the words say of data */
};

/* Makes the job of these words, unless the runner has it. Says its own errors. */
gf_status bench_job(struct bench_runner *r, const char *primitive, const char *words);

/* Measures it, for a job that is made unless it is the last one's. `row`: all but panel-specific values; its
 * primitive stays NULL where it did not run, and the line's note says why. Free `measured` in any case. */
gf_status bench_shoot(struct bench_runner *r, const struct bench_shot *shot, struct bench_row *row,
                      struct prim_measurement *measured);

/* Runs a series at one value (NULL: `runs` single ones) and keeps its rows; *least_us, if not NULL, takes the
 * time instead. */
gf_status bench_point(struct bench_runner *r, int p, const struct bench_running *series, const char *value,
                      int runs, double *least_us);

/* Runs all series of a panel at each value of its sweep. */
gf_status bench_run_panel(struct bench_runner *r, int p);

/* Opens nothing yet; ends what was opened. Both say their own errors. */
gf_status bench_begin(struct bench_result *result, const struct bench_options *options,
                      struct bench_runner *r);
void bench_end(struct bench_runner *r);

/* Begins, does `run` for each panel, and ends. */
gf_status bench_run_panels(struct bench_result *result, const struct bench_options *options,
                           gf_status (*run)(struct bench_runner *r, int p));

/* Tells whether a variant can run where the line is; else its note says why not. `words`: with --algo. */
bool bench_can_run(struct bench_runner *r, int line, const char *primitive, const char *words);

/* The lines of a panel's series that can run. */
enum { BENCH_SERIES = 48 };
struct bench_lines {
    const struct bench_series *series[BENCH_SERIES];
    int line[BENCH_SERIES], count;
};
gf_status bench_list_lines(struct bench_runner *r, int p, struct bench_lines *lines);

/* A row more of a result, which is also written to OUT/ID.csv, so that it is there whatever comes; a line and
 * its index. Both say their own errors. */
gf_status bench_keep(struct bench_result *result, const struct bench_row *row);
gf_status bench_add_line(struct bench_result *result, int panel, const char *label, bool cpu, int *index);

/* "2^10 2^12", "1-64" or "2^10,2^12" as single words; how many. */
enum { BENCH_VALUES = 256, BENCH_VALUE = 24 };
int bench_values(const char *text, char values[BENCH_VALUES][BENCH_VALUE]);

/* The device, threads, repetitions and memory that were asked for; threads and repetitions as words. */
gf_status bench_how(const struct bench_options *options, struct prim_how *how);
void bench_how_add(const struct bench_options *options, struct buffer *text);

/* Says what runs there, in words: the processor, the version of its driver where it has one, and ours. */
void bench_machine(const struct prim_device *device, char *text, size_t size);

/* The first reason why rows of a line are missing. */
void bench_note(struct bench_result *result, int line, const char *why);

/* Memory for one element more, and the array, which may have moved; NULL when there is none. */
void *bench_grow(void *array, int count, int *capacity, size_t size);
