/* The experiments on parallel patterns, G1 to G4 and exercises E1 to E3 (docs/primitives.md names the text),
 * and a sweep of every variant of every primitive. Claims are quoted; what stands in brackets is ours. */
#include "bench/bench.h"

/* ---- Reduction ------------------------------------------------------------------------------------ */

static const struct bench_series reductions[] = {
    {"basic", NULL, "--algo basic", BENCH_GPU, false, NULL},
    {"two-per-thread", NULL, "--algo two-per-thread", BENCH_GPU, false, NULL},
    {"shuffle", NULL, "--algo shuffle", BENCH_GPU, false, NULL},
    {"cub", NULL, "--algo cub", BENCH_GPU, false, NULL},
    {"auto", NULL, "--algo auto", BENCH_GPU, false, NULL},
    {0},
};
static const struct bench_series reduce_ops[] = {
    {"sum", NULL, "--algo shuffle --op sum", BENCH_GPU, false, NULL},
    {"min", NULL, "--algo shuffle --op min", BENCH_GPU, false, NULL},
    {"max", NULL, "--algo shuffle --op max", BENCH_GPU, false, NULL},
    {"and", NULL, "--algo shuffle --op and", BENCH_GPU, false, NULL},
    {"or", NULL, "--algo shuffle --op or", BENCH_GPU, false, NULL},
    {"xor", NULL, "--algo shuffle --op xor", BENCH_GPU, false, NULL},
    {"any", NULL, "--algo shuffle --op any", BENCH_GPU, false, NULL},
    {"all", NULL, "--algo shuffle --op all", BENCH_GPU, false, NULL},
    {0},
};
static const struct bench_panel g1_panels[] = {
    {"sum", "Three reductions: sum of f32, in f32 as published", "reduce", "--type f32", "n",
     "2^16 2^18 2^20 2^22 2^24 2^26 2^28", "2^8 2^10 2^12", NULL, reductions, false, false},
    {"operations", "Associative operations by shuffle, i32", "reduce", "--type i32", "n",
     "2^16 2^20 2^24 2^28", "2^8 2^12", NULL, reduce_ops, false, false},
    {0},
};
static const struct bench_claim g1_claims[] = {
    {"the basic reduction has several inefficiencies; here's an optimized version (two per thread)",
     CLAIM_FASTER, 0, "two-per-thread", "basic", 0.75, 0},
    {"modern reduction with warp shuffle (against basic)", CLAIM_FASTER, 0, "shuffle", "basic", 0.75, 0},
    {"any associative operation: sum, min, max, logical operations (all are right)", CLAIM_CHECKED, 0, NULL,
     NULL, 0, 0},
    {0},
};

static const struct bench_panel e1_panels[] = {
    {NULL, "Exercise 1: three reductions of a large array of f32, in f32", "reduce", "--type f32 --op sum",
     "n", "2^20 2^22 2^24 2^26 2^28", "2^8 2^12", NULL, reductions, true, false},
    {0},
};

/* ---- Scan ------------------------------------------------------------------------------------------- */

static const struct bench_series g2_series[] = {
    {"quadratic", NULL, "--algo quadratic", BENCH_GPU, false, NULL},
    {"auto", NULL, "--algo auto", BENCH_GPU, false, NULL},
    {"CPU", NULL, "--algo cpu-loop", BENCH_CPU, false, NULL},
    {"CPU, auto", NULL, "--algo auto", BENCH_CPU, false, NULL},
    {0},
};
static const struct bench_panel g2_panels[] = {
    {NULL, "The scan of f32 in which each element adds all before it", "scan", "--type f32", "n",
     "2^8 2^9 2^10 2^11 2^12 2^13 2^14 2^15 2^16", "2^6 2^8 2^9", NULL, g2_series, false, false},
    {0},
};
static const struct bench_claim g2_claims[] = {
    {"simple but inefficient approach", CLAIM_FASTER_END, 0, "auto", "quadratic", 0, 0},
    {"(O(n^2): towards the end, time grows with the square)", CLAIM_GROWTH, 0, "quadratic", NULL, 1.5, 2.3},
    {0},
};

static const struct bench_series g3_series[] = {
    {"hillis-steele", NULL, "--algo hillis-steele", BENCH_GPU, false, NULL},
    {"blelloch", NULL, "--algo blelloch", BENCH_GPU, false, NULL},
    {"cub", NULL, "--algo cub", BENCH_GPU, false, NULL},
    {"auto", NULL, "--algo auto", BENCH_GPU, false, NULL},
    {0},
};
static const struct bench_panel g3_panels[] = {
    {NULL, "Scans of f32 by blocks after Hillis and Steele, and after Blelloch", "scan", "--type f32", "n",
     "2^10 2^12 2^14 2^16 2^18 2^20 2^22 2^24 2^26", "2^8 2^10 2^12", NULL, g3_series, false, false},
    {0},
};
static const struct bench_claim g3_claims[] = {
    {"Work-Efficient Scan (Hillis-Steele) (at most two additions an element)", CLAIM_WORK, 0, "hillis-steele",
     NULL, 0, 2},
    {"Blelloch Scan (Work-Efficient) (at most two additions an element)", CLAIM_WORK, 0, "blelloch", NULL, 0,
     2},
    {"(Blelloch's is then the faster at the end)", CLAIM_FASTER_END, 0, "blelloch", "hillis-steele", 0, 0},
    {"(its time is in proportion to n)", CLAIM_GROWTH, 0, "blelloch", NULL, 0.7, 1.2},
    {0},
};

static const struct bench_panel e2_panels[] = {
    {NULL, "Exercise 2: exclusive scan of arrays of different sizes", "scan", "--type i32 --kind exclusive",
     "n", "1000 2^12 2^14-1 2^16 1e5 2^18+1 2^20 1e6 2^22-3 2^24 1e8", "100 2^8 1000 2^11-3", NULL, NULL,
     true, false},
    {0},
};

/* ---- Sort ------------------------------------------------------------------------------------------- */

static const struct bench_series g4_series[] = {
    {"bitonic", NULL, "--algo bitonic", BENCH_GPU, false, NULL},
    {"radix-1bit", NULL, "--algo radix-1bit", BENCH_GPU, false, NULL},
    {"merge", NULL, "--algo merge", BENCH_GPU, false, NULL},
    {"cub", NULL, "--algo cub", BENCH_GPU, false, NULL},
    {"auto", NULL, "--algo auto", BENCH_GPU, false, NULL},
    {"CPU", NULL, "--algo cpu-loop", BENCH_CPU, false, NULL},
    {"CPU, auto", NULL, "--algo auto", BENCH_CPU, false, NULL},
    {0},
};
static const struct bench_panel g4_panels[] = {
    {"sort", "Bitonic sort, radix sort, merge sort of u32", "sort", "--type u32", "n",
     "2^10 2^12 2^14 2^16 2^18 2^20 2^22 2^24", "2^7 2^9", NULL, g4_series, false, false},
    {"merge", "Merging two sorted arrays of f32", "merge", "--type f32", "n", "2^12 2^16 2^20 2^24",
     "2^8 2^10", NULL, NULL, true, false},
    {0},
};
static const struct bench_claim g4_claims[] = {
    {"bitonic sort is well-suited for GPU implementation (faster than a CPU's sort)", CLAIM_FASTER_END, 0,
     "bitonic", "CPU", 0, 0},
    {"(than our CPU's best)", CLAIM_FASTER_END, 0, "bitonic", "CPU, auto", 0, 0},
    {"radix sort is another efficient sorting algorithm for GPUs, especially for integer keys (than bitonic)",
     CLAIM_FASTER_END, 0, "radix-1bit", "bitonic", 0, 0},
    {"merge sort can also be parallelized (faster than a CPU's sort)", CLAIM_FASTER_END, 0, "merge", "CPU", 0,
     0},
    {"(than our CPU's best)", CLAIM_FASTER_END, 0, "merge", "CPU, auto", 0, 0},
    {0},
};

static const struct bench_series e3_series[] = {
    {"GPU, auto", NULL, "--algo auto", BENCH_GPU, false, NULL},
    {"GPU with transfer", NULL, "--algo auto --host", BENCH_GPU, false, NULL},
    {"CPU, auto", NULL, "--algo auto", BENCH_CPU, false, NULL},
    {"CPU, introsort", NULL, "--algo cpu-loop", BENCH_CPU, false, NULL},
    {0},
};
static const struct bench_panel e3_panels[] = {
    {NULL, "Exercise 3: a parallel sort against sorts of the CPU", "sort", "--type u32", "n",
     "2^8 2^10 2^12 2^14 2^16 2^18 2^20 2^22 2^24", "2^6 2^8 2^10", NULL, e3_series, false, false},
    {0},
};
static const struct bench_claim e3_claims[] = {
    {"compare its performance against a CPU-based sort (from some size on the GPU is faster than introsort)",
     CLAIM_OVERTAKES, 0, "GPU, auto", "CPU, introsort", 0, 0},
    {"(from some size on the GPU is faster, data in its memory)", CLAIM_OVERTAKES, 0, "GPU, auto",
     "CPU, auto", 0, 0},
    {"(from some size on the GPU is faster, the transfer counted)", CLAIM_OVERTAKES, 0, "GPU with transfer",
     "CPU, auto", 0, 0},
    {0},
};

/* ---- Every primitive -------------------------------------------------------------------------------- */

#define SIZES      "2^16 2^18 2^20 2^22 2^24 2^26 2^28"
#define SORT_SIZES "2^16 2^18 2^20 2^22 2^24 2^26"
#define QUICK      "2^8 2^12"

static const struct bench_panel reduce_panels[] = {
    {NULL, "Sum of f32", "reduce", "--type f32", "n", SIZES, QUICK, NULL, NULL, true, false},
    {0},
};
static const struct bench_panel scan_panels[] = {
    {NULL, "Exclusive scan of i32", "scan", "--type i32", "n", SIZES, QUICK, NULL, NULL, true, false},
    {0},
};
static const struct bench_panel compact_panels[] = {
    {NULL, "Compaction of u32, half kept", "compact", "--type u32 --data density:0.5", "n", SIZES, QUICK,
     NULL, NULL, true, false},
    {0},
};
static const struct bench_panel sort_panels[] = {
    {"u32", "Sort of u32", "sort", "--type u32", "n", SORT_SIZES, "2^8 2^10", NULL, NULL, true, false},
    {"pairs", "Sort of u32 with values of 4 bytes", "sort", "--type u32 --values index", "n", SORT_SIZES,
     "2^8 2^10", NULL, NULL, true, false},
    {0},
};
static const struct bench_panel histogram_panels[] = {
    {"uniform", "Histogram of u8, uniform", "histogram", "--type u8", "n", SIZES, QUICK, NULL, NULL, true,
     false},
    {"constant", "Histogram of u8, all alike", "histogram", "--type u8 --data constant", "n", SIZES, QUICK,
     NULL, NULL, true, false},
    {0},
};
static const struct bench_panel search_panels[] = {
    {"absent", "Search of i32, the value absent", "search", "--type i32 --data unique --at absent", "n",
     SIZES, QUICK, NULL, NULL, true, false},
    {0},
};
static const struct bench_claim auto_is_fastest[] = {
    {"(auto is the fastest variant on its device)", CLAIM_FASTEST, 0, "auto", NULL, 0.8, 0},
    {"(auto is the fastest variant on the CPU)", CLAIM_FASTEST, 0, "auto, CPU", NULL, 0.8, 0},
    {0},
};

const struct bench_experiment bench_table_patterns[] = {
    {"G1", "patterns", "basic, two-per-thread and shuffle reduction; sum, min, max, logical", g1_panels,
     g1_claims, bench_run, NULL},
    {"G2", "patterns", "the quadratic scan", g2_panels, g2_claims, bench_run, NULL},
    {"G3", "patterns", "Hillis-Steele and Blelloch scan", g3_panels, g3_claims, bench_run, NULL},
    {"G4", "patterns", "bitonic, radix and merge sort; merge of two sorted arrays", g4_panels, g4_claims,
     bench_run, NULL},
    {"E1", "patterns", "exercise 1: three reductions of a large array of floats", e1_panels, NULL, bench_run,
     NULL},
    {"E2", "patterns", "exercise 2: exclusive scan of arrays of different sizes", e2_panels, NULL, bench_run,
     NULL},
    {"E3", "patterns", "exercise 3: a parallel sort against a CPU's for various sizes", e3_panels, e3_claims,
     bench_run, NULL},
    {"reduce", "ours", "every variant | 2^16 to 2^28", reduce_panels, auto_is_fastest, bench_run, NULL},
    {"scan", "ours", "every variant | 2^16 to 2^28", scan_panels, auto_is_fastest, bench_run, NULL},
    {"compact", "ours", "every variant | 2^16 to 2^28", compact_panels, auto_is_fastest, bench_run, NULL},
    {"sort", "ours", "every variant, keys and pairs | 2^16 to 2^26", sort_panels, auto_is_fastest, bench_run,
     NULL},
    {"histogram", "ours", "every variant, uniform and constant input | 2^16 to 2^28", histogram_panels,
     auto_is_fastest, bench_run, NULL},
    {"search", "ours", "every variant, the value absent | 2^16 to 2^28", search_panels, auto_is_fastest,
     bench_run, NULL},
    {0},
};
