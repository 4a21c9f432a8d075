/* N1 to N9: loops in a loop, the inner of any length. What follows from numbers alone, which tests can give,
 * is here; bench_grid.c measures. */
#pragma once

#include "bench/bench.h"

/* ---- The sampled grid --------------------------------------------------------------------------------- */

/* A loop: nx inner ones, whose lengths are at most ny_max, and drawn with a density of exp(-skew x). */
struct bench_node {
    int64_t nx, ny_max;
    double skew;
    bool capped; /* nx times ny_max is beyond BENCH_NODE_CAP: not measured */
};

/* Threads that a grid over all of it has. 10^10 of them take an H200 some 40 ms; all of 10^7 x 10^7 would
 * take days. Results are compared with "sequential" up to BENCH_NODE_CHECK. */
#define BENCH_NODE_CAP   INT64_C(10000000000)
#define BENCH_NODE_CHECK INT64_C(1000000000)
#define QUICK_NODE_CAP   INT64_C(2000)

/* nx from 10 to 10^7 in steps of 10, ny_max in steps of the root of 10, and for each `skews` values of skew,
 * drawn evenly from 0 to 100: one from each of as many parts of it. Returns how many nodes. */
enum { BENCH_NODES = 7 * 13 * 3 };
int bench_nodes(bool quick, int skews, struct bench_node nodes[BENCH_NODES]);

/* Measures the panels: the series at each node where the panel's sweep is "grid" (`values`: how many skews),
 * else as bench_run does. */
gf_status bench_grid_run(struct bench_result *result, const struct bench_options *options);

/* The same, but first tunes "smart" on the device, as the text does: simple and combined over the grid, whose
 * rows go to OUT/ID-tuning.csv, and the thresholds to OUT/ID-ny_th.txt. */
gf_status bench_tuned_run(struct bench_result *result, const struct bench_options *options);

/* Takes the thresholds that the rows of simple and combined say into `table`, and adds them to the text as
 * lines for --ny-th @FILE; how many. */
enum { BENCH_THRESHOLDS = 7 };
int32_t bench_thresholds_take(const struct bench_result *result, gf_ragged_threshold table[BENCH_THRESHOLDS],
                              struct buffer *text);

/* Keeps the counts of the first panel's job for the study, and runs its series on them. */
gf_status bench_counts_run(struct bench_result *result, const struct bench_options *options);

/* The row of a line that measured the same loop; NULL: there is none with a time. */
const struct bench_row *bench_same_loop(const struct bench_result *result, int line,
                                        const struct bench_row *row);

/* ---- Parameters (N3, N4) ------------------------------------------------------------------------------- */

/* tau: the mean over all nodes of the time of a line and the lesser one of "simple" and "frame"; what it may
 * be by the quartiles. Returns how many nodes: 0 where there are none with all three. */
int bench_tau(const struct bench_result *result, int line, struct bench_span *tau);

/* The value, of n that ascend, from which on combined is to be taken so that the times are least; 2^31 where
 * it never pays. ratios: the logarithm of time(combined) / time(simple) at each. */
#define BENCH_NEVER INT64_C(2147483648)
int64_t bench_threshold(const int64_t *ny_max, const double *ratios, int n);

/* ---- Frames (N6) ---------------------------------------------------------------------------------------- */

/* Around sorted counts from..to - 1, above `low`: so high as the last of them. */
struct bench_frame {
    int64_t from, to, high;
};

/* The frames of the published program over ascending counts from `from` on, from right to left, at least
 * `area` each but the last; how many, at most `most` of them in `frames` (NULL: none). *sum: of their areas.
 */
int64_t bench_frames(const int32_t *sorted, int64_t nx, int64_t from, int64_t low, int64_t area,
                     struct bench_frame *frames, int64_t most, int64_t *sum);

/* ---- Cost (N8) ------------------------------------------------------------------------------------------ */

/* c[0] + c[1] u + c[2] v, fitted to the measured times so that the squares of relative errors are least. */
struct bench_cost {
    double c[3], error[3]; /* error: standard */
    int n;
};

/* u and v of a line's nodes are nx (max - mean) and nx mean for "simple", nx and nx mean for "frame". False:
 * there are too few nodes. */
bool bench_cost_fit(const struct bench_result *result, const char *label, struct bench_cost *cost);
double bench_cost_of(const struct bench_cost *cost, const char *label, const struct bench_row *row);

/* ---- Studies -------------------------------------------------------------------------------------------- */

extern const struct bench_study bench_loops, bench_parameters, bench_thresholds, bench_sample,
    bench_frames_study, bench_cost_study;

/* What they judge: bench_claim.low. `high` is a share or a factor. */
enum {
    RAGGED_LARGE,    /* frame is faster than simple where nx ny_max >= 10^9 and skew >= 50, of all panels */
    RAGGED_UNIFORM,  /* ... and not by more than 5 % at skew 0 */
    RAGGED_SMART,    /* smart takes at most 5 % more than the lesser of simple and frame */
    RAGGED_OURS,     /* auto takes at most 5 % more than any of the others */
    RAGGED_SKEW,     /* max / mean of the counts is within `high` of skew, where skew is at least 10 */
    RAGGED_DEFAULTS, /* tau of the default in the claim's panel is within `high` of the least */
    RAGGED_THRESHOLD /* combined is faster at and above the threshold, simple below */
};
