/* The experiments on nested loops, N1 to N9 (docs/primitives.md names the text). Claims are quoted; what
 * stands in brackets is ours. The text's k is --data skew:K here. What the text's sizes would make a run of
 * hours is capped, and its title says so. */
#include "bench/bench_ragged.h"

#define ALGO(name)                                                                                           \
    {                                                                                                        \
        name, NULL, "--algo " name, BENCH_GPU, false, NULL                                                   \
    }
#define AREA(value)                                                                                          \
    {                                                                                                        \
        "combined, area " value, NULL, "--algo combined --frame-area " value, BENCH_GPU, false, NULL         \
    }
#define AT_ALPHA(value)                                                                                      \
    {                                                                                                        \
        "combined, alpha " value, NULL, "--algo combined --alpha " value, BENCH_GPU, false, NULL             \
    }

static const struct bench_series five[] = {
    ALGO("simple"), ALGO("frame"), ALGO("combined"), ALGO("smart"), ALGO("auto"), {0},
};
static const struct bench_series two[] = {ALGO("simple"), ALGO("frame"), {0}};

/* ---- N1: the variants --------------------------------------------------------------------------------------- */

static const struct bench_series everywhere[] = {
    ALGO("simple"), ALGO("frame"), ALGO("combined"), ALGO("smart"), ALGO("auto"), BENCH_CPU_AUTO, {0},
};
static const struct bench_panel n1_panels[] = {
    {NULL, "Nested loops by every variant | nx = 10 000, k = 50", "ragged", "--nx 10000 --data skew:50",
     "ny-max", "10 100 1000 10000 100000", "10 100", "--nx 50", everywhere, BENCH_TIME, false},
    {0},
};
static const struct bench_claim n1_claims[] = {
    {"(every variant runs the body once for each (ix, iy))", CLAIM_CHECKED, 0, NULL, NULL, 0, 0},
    {0},
};

/* ---- N2: free parameters ------------------------------------------------------------------------------------ */

#define N2_WORDS "--nx 100000 --ny-max 10000 --data skew:50"
#define N2_QUICK "--nx 40 --ny-max 50"

static const struct bench_series with_frames[] = {ALGO("frame"), ALGO("combined"), {0}};
static const struct bench_series with_blocks[] = {ALGO("simple"), ALGO("frame"), ALGO("combined"), {0}};
static const struct bench_series with_alpha[] = {ALGO("combined"), {0}};
static const struct bench_series with_threshold[] = {
    ALGO("smart"),
    {"simple", NULL, "--algo simple", BENCH_GPU, true, NULL},
    {"combined", NULL, "--algo combined", BENCH_GPU, true, NULL},
    {0},
};
static const struct bench_panel n2_panels[] = {
    {"block", "Threads of a block along ix, of 1024 | nx = 10^5, ny-max = 10^4, k = 50", "ragged", N2_WORDS,
     "block-xy", "1x1024 4x256 8x128 16x64 32x32 64x16 128x8 256x4 1024x1", "8x8 32x2", N2_QUICK, with_blocks,
     BENCH_TIME, false},
    {"area", "The area of a frame | nx = 10^5, ny-max = 10^4, k = 50", "ragged", N2_WORDS, "frame-area",
     "2^12 2^14 2^16 2^18 2^20 2^22 2^24 2^26", "2^6 2^10", N2_QUICK, with_frames, BENCH_TIME, false},
    {"alpha", "alpha | nx = 10^5, ny-max = 10^4, k = 50", "ragged", N2_WORDS, "alpha",
     "0.55 0.6 0.65 0.7 0.75 0.8 0.85 0.9 0.95", "0.6 0.9", N2_QUICK, with_alpha, BENCH_TIME, false},
    {"threshold", "The threshold of smart | nx = 10^5, ny-max = 10^4, k = 50", "ragged", N2_WORDS, "ny-th",
     "1000 100000", "10 100", N2_QUICK, with_threshold, BENCH_TIME, false},
    {0},
};

static const struct bench_claim n2_claims[] = {
    {"(the default block, 32 x 32: simple is fastest with it)", CLAIM_BEST_AT, 0, "simple", NULL, 32, 32},
    {"(the default area, 2^22: frame is fastest with it)", CLAIM_BEST_AT, 1, "frame", NULL, 4194304, 4194304},
    {"(the default alpha, 0.75: combined is fastest with it)", CLAIM_BEST_AT, 2, "combined", NULL, 0.75,
     0.75},
    {0},
};

/* ---- N3 to N5, N8, N9: the sampled grid --------------------------------------------------------------------- */

static const struct bench_series swept[] = {
    ALGO("simple"),   ALGO("frame"),    AREA("4096"),     AREA("16384"),
    AREA("65536"),    AREA("262144"),   AREA("1048576"),  AREA("4194304"),
    AREA("16777216"), AREA("67108864"), AT_ALPHA("0.55"), AT_ALPHA("0.65"),
    AT_ALPHA("0.75"), AT_ALPHA("0.85"), AT_ALPHA("0.95"), {0},
};
static const struct bench_panel n3_panels[] = {
    {NULL,
     "The parameters of combined, over the sampled grid | nx and ny-max from 10 to 10^7, capped at 10^10",
     "ragged", "", "grid", "1", "1", NULL, swept, BENCH_NO_AXIS, false},
    {0},
};
static const struct bench_claim n3_claims[] = {
    {"(the default area of a frame has a tau of at most 1.05 times the least)", CLAIM_OWN, 0,
     "combined, area 4194304", "area", RAGGED_DEFAULTS, 1.05},
    {"(and so has the default alpha)", CLAIM_OWN, 0, "combined, alpha 0.75", "alpha", RAGGED_DEFAULTS, 1.05},
    {0},
};

static const struct bench_series tuned[] = {ALGO("simple"), ALGO("combined"), {0}};
static const struct bench_panel n4_panels[] = {
    {NULL, "From which ny-max on combined pays | nx and ny-max from 10 to 10^7, capped at 10^10", "ragged",
     "", "grid", "3", "3", NULL, tuned, BENCH_NO_AXIS, false},
    {0},
};
static const struct bench_claim n4_claims[] = {
    {"for each value of Nx, the threshold is the value of Ny_max above which the combined algorithm has an "
     "execution time lower (which of the two is faster at 0.9 of the loops)",
     CLAIM_OWN, 0, NULL, NULL, RAGGED_THRESHOLD, 0.9},
    {0},
};

static const struct bench_claim n5_claims[] = {
    {"sampled uniformly on a logarithmic scale, from about 10 to about 10 million (every loop that is "
     "checked is "
     "right)",
     CLAIM_CHECKED, 0, NULL, NULL, 0, 0},
    {0},
};
static const struct bench_series ours[] = {ALGO("auto"), {0}};
static const struct bench_panel n5_panels[] = {
    {NULL, "The sampled grid | nx and ny-max from 10 to 10^7, capped at 10^10", "ragged", "", "grid", "1",
     "1", NULL, ours, BENCH_NO_AXIS, false},
    {0},
};

/* ---- N6: figures ---------------------------------------------------------------------------------------------- */

/* Areas and alpha are also those of bench_frames_study.c. */
static const struct bench_panel n6_panels[] = {
    {NULL, "Lengths, frames and regions", "ragged",
     "--nx 1000 --ny-max 1000 --data skew:20 --frame-area 4000 --alpha 0.75", "seed", "0", "0", NULL,
     everywhere, BENCH_NO_AXIS, false},
    {0},
};
static const struct bench_claim n6_claims[] = {
    {"if the frame area is sufficiently small, the sum of the rectangular frame areas will be approximately "
     "equal "
     "to the sum of Ny (at most 1.05 times it, with frames of 256)",
     CLAIM_OWN, 0, NULL, NULL, 0, 1.05},
    {"(every variant runs the body once for each (ix, iy))", CLAIM_CHECKED, 0, NULL, NULL, 0, 0},
    {0},
};

/* ---- N7: the eight panels ---------------------------------------------------------------------------------- */

#define SKEWS      "0 10 20 30 40 50 60 70 80 90 100"
#define FEW_SKEWS  "0 25 50 75 100" /* where a run takes half a second */
#define QUICK_SKEW "0 50"

/* The emulator's are a thousandth. */
#define PANEL(name, title, nx, ny, skews, quick, unchecked)                                                  \
    {                                                                                                        \
        name, title " | nx = " nx ", ny-max = " ny, "ragged", "--nx " nx " --ny-max " ny, "skew", skews,     \
            QUICK_SKEW, quick, five, BENCH_TIME, unchecked                                                   \
    }

static const struct bench_panel n7_panels[] = {
    PANEL("4a", "Figure 4a", "1000", "1000", SKEWS, "--nx 30 --ny-max 10", false),
    PANEL("4b", "Figure 4b", "1000", "10000", SKEWS, "--nx 30 --ny-max 20", false),
    PANEL("4c", "Figure 4c", "1000", "100000", SKEWS, "--nx 30 --ny-max 40", false),
    PANEL("4d", "Figure 4d", "1000", "1000000", SKEWS, "--nx 30 --ny-max 80", false),
    PANEL("5a", "Figure 5a", "1000000", "1000", SKEWS, "--nx 200 --ny-max 5", false),
    PANEL("5b", "Figure 5b", "1000000", "10000", SKEWS, "--nx 200 --ny-max 10", true),
    PANEL("5c", "Figure 5c", "1000000", "100000", FEW_SKEWS, "--nx 200 --ny-max 15", true),
    {"5d",
     "Figure 5d, capped | nx = 100000 (the text: 1000000, which are 10^12 threads of simple and 5e11 calls "
     "at "
     "k = 0), ny-max = 1000000",
     "ragged", "--nx 100000 --ny-max 1000000", "skew", FEW_SKEWS, QUICK_SKEW, "--nx 100 --ny-max 30", five,
     BENCH_TIME, true},
    {0},
};
static const struct bench_claim n7_claims[] = {
    {"the frame nested loop algorithm is faster than the simple nested loop algorithm for large value of the "
     "area "
     "Nx*Ny_max and for large values of k (at least 10^9, and 50: at 0.9 of the points)",
     CLAIM_OWN, 0, NULL, NULL, RAGGED_LARGE, 0.9},
    {"more efficient only if max(Ny)>>mean(Ny) (at k = 0 simple takes at most 1.05 times as long as frame)",
     CLAIM_OWN, 0, NULL, NULL, RAGGED_UNIFORM, 0.9},
    {"the performance of the smart nested loop algorithms is always better or equal to that of the other two "
     "(at "
     "most 1.05 times the time of either)",
     CLAIM_OWN, 0, NULL, NULL, RAGGED_SMART, 1},
    {"(ours takes at most 1.05 times the time of the best of all)", CLAIM_OWN, 0, NULL, NULL, RAGGED_OURS, 1},
    {"k is approximately max(Ny)/mean(Ny) (within a factor of 1.1 from k = 10 on)", CLAIM_OWN, 0, NULL, NULL,
     RAGGED_SKEW, 1.1},
    {0},
};

/* ---- N8: cost ------------------------------------------------------------------------------------------------- */

static const struct bench_panel n8_panels[] = {
    {NULL, "Cost, predicted and measured | nx and ny-max from 10 to 10^7, capped at 10^10", "ragged", "",
     "grid", "1", "1", NULL, two, BENCH_NO_AXIS, false},
    {0},
};
static const struct bench_claim n8_claims[] = {
    {"the indirect access used in the frame nested loop algorithm is less efficient; for this reason, C4 is "
     "larger "
     "than the factor C2 (within two standard errors)",
     CLAIM_OWN, 0, NULL, NULL, 0, 0},
    {"(the formula of simple predicts 0.9 of the loops within a factor of two)", CLAIM_OWN, 0, "simple", NULL,
     0, 0.9},
    {"(and that of frame)", CLAIM_OWN, 0, "frame", NULL, 0, 0.9},
    {0},
};

/* ---- N9: the other claims -------------------------------------------------------------------------------------- */

static const struct bench_panel n9_panels[] = {
    {"grid", "All variants over the sampled grid | nx and ny-max from 10 to 10^7, capped at 10^10", "ragged",
     "", "grid", "1", "1", NULL, five, BENCH_NO_AXIS, false},
    {"pays", "From which length on frames pay | nx = 10 000, k = 50", "ragged", "--nx 10000 --data skew:50",
     "ny-max", "10 30 100 300 1000 3000 10000 30000 100000", "10 50", "--nx 40", two, BENCH_TIME, false},
    {"sorting", "What sorting costs | ny-max = 10, k = 50", "ragged", "--ny-max 10 --data skew:50", "nx",
     "1000 10000 100000 1000000 3000000 10000000", "10 100", NULL, two, BENCH_TIME, false},
    {0},
};
static const struct bench_claim n9_claims[] = {
    {"the frame nested loop algorithm is faster than the simple nested loop algorithm for large value of the "
     "area "
     "Nx*Ny_max and for large values of k (at least 10^9, and 50: at 0.9 of the points)",
     CLAIM_OWN, 0, NULL, NULL, RAGGED_LARGE, 0.9},
    {"the performance of the smart nested loop algorithms is always better or equal to that of the other two "
     "(at "
     "most 1.05 times the time of either)",
     CLAIM_OWN, 0, NULL, NULL, RAGGED_SMART, 1},
    {"(ours takes at most 1.05 times the time of the best of all)", CLAIM_OWN, 0, NULL, NULL, RAGGED_OURS, 1},
    {"for large values of Nx and Ny (10000 or more) a more efficient solution (frame is faster from at most "
     "10 000 "
     "on)",
     CLAIM_OVERTAKES, 1, "frame", "simple", 0, 10000},
    {"the computational cost of the sorting algorithm C3 is O(Nx)", CLAIM_GROWTH, 2, "frame", NULL, 0.7, 1.2},
    {0},
};

const struct bench_experiment bench_table_ragged[] = {
    {"N1", "nested-loop", "simple, frame, combined, smart, and ours", n1_panels, .claims = n1_claims},
    {"N2", "nested-loop", "free parameters: threads of a block, area of a frame, alpha, threshold", n2_panels,
     .claims = n2_claims},
    {"N3", "nested-loop", "tau against the area of a frame and against alpha", n3_panels, n3_claims,
     bench_grid_run, &bench_parameters},
    {"N4", "nested-loop", "tuning: the thresholds of smart, as a table for --ny-th @FILE", n4_panels,
     n4_claims, bench_grid_run, &bench_thresholds},
    {"N5", "nested-loop", "the sampled grid of loops", n5_panels, n5_claims, bench_grid_run, &bench_sample},
    {"N6", "nested-loop", "figures 1 to 3: lengths, frames, regions", n6_panels, n6_claims, bench_counts_run,
     &bench_frames_study},
    {"N7", "nested-loop", "figures 4a to 5d: time against k in eight panels", n7_panels, n7_claims,
     bench_tuned_run, &bench_loops},
    {"N8", "nested-loop", "the cost formulas, fitted and compared", n8_panels, n8_claims, bench_grid_run,
     &bench_cost_study},
    {"N9", "nested-loop", "the claims: where frames pay, whether smart is never worse", n9_panels, n9_claims,
     bench_tuned_run, &bench_loops},
    {0},
};
