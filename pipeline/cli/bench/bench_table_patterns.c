/* The experiments on parallel patterns, G1 to G4 and exercises E1 to E3 (docs/primitives.md names the text),
 * and a sweep of every variant of every primitive. Claims are quoted; what stands in brackets is ours. */
#include "bench/bench.h"

/* ---- Reduction ------------------------------------------------------------------------------------ */

static const struct bench_series reductions[] = {
    BENCH_ALGO("basic"), BENCH_ALGO("two-per-thread"), BENCH_ALGO("shuffle"),
    BENCH_ALGO("cub"),   BENCH_ALGO("auto"),           {0},
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
     "2^16 2^18 2^20 2^22 2^24 2^26 2^28", "2^8 2^10 2^12", .series = reductions},
    {"operations", "Associative operations by shuffle, i32", "reduce", "--type i32", "n",
     "2^16 2^20 2^24 2^28", "2^8 2^12", .series = reduce_ops},
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
     "n", "2^20 2^22 2^24 2^26 2^28", "2^8 2^12", .series = reductions, .shows = BENCH_GBPS},
    {0},
};

static const struct bench_claim e1_claims[] = {
    {"implement and compare the performance of the three reduction algorithms (two per thread against basic)",
     CLAIM_FASTER, 0, "two-per-thread", "basic", 0.75, 0},
    {"(shuffle against basic)", CLAIM_FASTER, 0, "shuffle", "basic", 0.75, 0},
    {"(shuffle against two per thread)", CLAIM_FASTER, 0, "shuffle", "two-per-thread", 0.75, 0},
    {0},
};

/* ---- Scan ------------------------------------------------------------------------------------------- */

static const struct bench_series g2_series[] = {
    BENCH_ALGO("quadratic"),
    BENCH_ALGO("auto"),
    {"CPU", NULL, "--algo cpu-loop", BENCH_CPU, false, NULL},
    BENCH_CPU_AUTO,
    {0},
};
static const struct bench_panel g2_panels[] = {
    {NULL, "The scan of f32 in which each element adds all before it", "scan", "--type f32", "n",
     "2^8 2^9 2^10 2^11 2^12 2^13 2^14 2^15 2^16", "2^6 2^8 2^9", .series = g2_series},
    {0},
};
static const struct bench_claim g2_claims[] = {
    {"simple but inefficient approach", CLAIM_FASTER_END, 0, "auto", .b = "quadratic"},
    {"(O(n^2): towards the end, time grows with the square)", CLAIM_GROWTH, 0, "quadratic", NULL, 1.5, 2.3},
    {0},
};

static const struct bench_series g3_series[] = {
    BENCH_ALGO("hillis-steele"), BENCH_ALGO("blelloch"), BENCH_ALGO("cub"), BENCH_ALGO("auto"), {0},
};
static const struct bench_panel g3_panels[] = {
    {NULL, "Scans of f32 by blocks after Hillis and Steele, and after Blelloch", "scan", "--type f32", "n",
     "2^10 2^12 2^14 2^16 2^18 2^20 2^22 2^24 2^26", "2^8 2^10 2^12", .series = g3_series},
    {0},
};
static const struct bench_claim g3_claims[] = {
    {"Work-Efficient Scan (Hillis-Steele) (at most two additions an element)", CLAIM_WORK, 0, "hillis-steele",
     NULL, 0, 2},
    {"Blelloch Scan (Work-Efficient) (at most two additions an element)", CLAIM_WORK, 0, "blelloch", NULL, 0,
     2},
    {"(Blelloch's is then the faster at the end)", CLAIM_FASTER_END, 0, "blelloch", .b = "hillis-steele"},
    {"(its time is in proportion to n)", CLAIM_GROWTH, 0, "blelloch", NULL, 0.7, 1.2},
    {0},
};

static const struct bench_panel e2_panels[] = {
    {NULL, "Exercise 2: exclusive scan of arrays of different sizes", "scan", "--type i32 --kind exclusive",
     "n", "1000 2^12 2^14-1 2^16 1e5 2^18+1 2^20 1e6 2^22-3 2^24 1e8", "100 2^8 1000 2^11-3",
     .shows = BENCH_GBPS},
    {0},
};

static const struct bench_claim e2_claims[] = {
    {"implement an exclusive prefix sum algorithm and test it on arrays of different sizes (every variant is "
     "right)",
     CLAIM_CHECKED, 0, NULL, NULL, 0, 0},
    {0},
};

/* ---- Sort ------------------------------------------------------------------------------------------- */

static const struct bench_series g4_series[] = {
    BENCH_ALGO("bitonic"), BENCH_ALGO("radix-1bit"),
    BENCH_ALGO("merge"),   BENCH_ALGO("cub"),
    BENCH_ALGO("auto"),    {"CPU", NULL, "--algo cpu-loop", BENCH_CPU, false, NULL},
    BENCH_CPU_AUTO,        {0},
};
static const struct bench_panel g4_panels[] = {
    {"sort", "Bitonic sort, radix sort, merge sort of u32", "sort", "--type u32", "n",
     "2^10 2^12 2^14 2^16 2^18 2^20 2^22 2^24", "2^7 2^9", .series = g4_series},
    {"merge", "Merging two sorted arrays of f32", "merge", "--type f32", "n", "2^12 2^16 2^20 2^24",
     "2^8 2^10", .shows = BENCH_GBPS},
    {0},
};
static const struct bench_claim g4_claims[] = {
    {"bitonic sort is well-suited for GPU implementation (faster than a CPU's sort)", CLAIM_FASTER_END, 0,
     "bitonic", .b = "CPU"},
    {"(than our CPU's best)", CLAIM_FASTER_END, 0, "bitonic", .b = "CPU, auto"},
    {"radix sort is another efficient sorting algorithm for GPUs, especially for integer keys (than bitonic)",
     CLAIM_FASTER_END, 0, "radix-1bit", .b = "bitonic"},
    {"merge sort can also be parallelized (faster than a CPU's sort)", CLAIM_FASTER_END, 0, "merge",
     .b = "CPU"},
    {"(than our CPU's best)", CLAIM_FASTER_END, 0, "merge", .b = "CPU, auto"},
    {0},
};

static const struct bench_series e3_series[] = {
    {"GPU, auto", NULL, "--algo auto", BENCH_GPU, false, NULL},
    {"GPU with transfer", NULL, "--algo auto --host", BENCH_GPU, false, NULL},
    BENCH_CPU_AUTO,
    {"CPU, introsort", NULL, "--algo cpu-loop", BENCH_CPU, false, NULL},
    {0},
};
static const struct bench_panel e3_panels[] = {
    {NULL, "Exercise 3: a parallel sort against sorts of the CPU", "sort", "--type u32", "n",
     "2^8 2^10 2^12 2^14 2^16 2^18 2^20 2^22 2^24", "2^6 2^8 2^10", .series = e3_series},
    {0},
};
static const struct bench_claim e3_claims[] = {
    {"compare its performance against a CPU-based sort (from some size on the GPU is faster than introsort)",
     CLAIM_OVERTAKES, 0, "GPU, auto", .b = "CPU, introsort"},
    {"(from some size on the GPU is faster, data in its memory)", CLAIM_OVERTAKES, 0, "GPU, auto",
     .b = "CPU, auto"},
    {"(from some size on the GPU is faster, the transfer counted)", CLAIM_OVERTAKES, 0, "GPU with transfer",
     .b = "CPU, auto"},
    {0},
};

/* ---- Every primitive -------------------------------------------------------------------------------- */

#define SIZES      "2^16 2^18 2^20 2^22 2^24 2^26 2^28"
#define SORT_SIZES "2^16 2^18 2^20 2^22 2^24 2^26"
#define QUICK      "2^8 2^12"

static const struct bench_panel reduce_panels[] = {
    {NULL, "Sum of f32", "reduce", "--type f32", "n", SIZES, QUICK, .shows = BENCH_GBPS},
    {0},
};
static const struct bench_panel scan_panels[] = {
    {NULL, "Exclusive scan of i32", "scan", "--type i32", "n", SIZES, QUICK, .shows = BENCH_GBPS},
    {0},
};
static const struct bench_panel compact_panels[] = {
    {NULL, "Compaction of u32, half kept", "compact", "--type u32 --data density:0.5", "n", SIZES, QUICK,
     .shows = BENCH_GBPS},
    {0},
};
static const struct bench_panel sort_panels[] = {
    {"u32", "Sort of u32", "sort", "--type u32", "n", SORT_SIZES, "2^8 2^10", .shows = BENCH_GBPS},
    {"pairs", "Sort of u32 with values of 4 bytes", "sort", "--type u32 --values index", "n", SORT_SIZES,
     "2^8 2^10", .shows = BENCH_GBPS},
    {0},
};
static const struct bench_panel histogram_panels[] = {
    {"uniform", "Histogram of u8, uniform", "histogram", "--type u8", "n", SIZES, QUICK, .shows = BENCH_GBPS},
    {"constant", "Histogram of u8, all alike", "histogram", "--type u8 --data constant", "n", SIZES, QUICK,
     .shows = BENCH_GBPS},
    {0},
};
static const struct bench_panel search_panels[] = {
    {"absent", "Search of i32, the value absent", "search", "--type i32 --data unique --at absent", "n",
     SIZES, QUICK, .shows = BENCH_GBPS},
    {0},
};
static const struct bench_claim auto_is_fastest[] = {
    {"(auto is the fastest variant on its device)", CLAIM_FASTEST, 0, "auto", NULL, 0.8, 0},
    {"(auto is the fastest variant on the CPU)", CLAIM_FASTEST, 0, "auto, CPU", NULL, 0.8, 0},
    {0},
};

const struct bench_experiment bench_table_patterns[] = {
    {"G1", "patterns", "basic, two-per-thread and shuffle reduction; sum, min, max, logical", g1_panels,
     .claims = g1_claims},
    {"G2", "patterns", "the quadratic scan", g2_panels, .claims = g2_claims},
    {"G3", "patterns", "Hillis-Steele and Blelloch scan", g3_panels, .claims = g3_claims},
    {"G4", "patterns", "bitonic, radix and merge sort; merge of two sorted arrays", g4_panels,
     .claims = g4_claims},
    {"E1", "patterns", "exercise 1: three reductions of a large array of floats", e1_panels,
     .claims = e1_claims},
    {"E2", "patterns", "exercise 2: exclusive scan of arrays of different sizes", e2_panels,
     .claims = e2_claims},
    {"E3", "patterns", "exercise 3: a parallel sort against a CPU's for various sizes", e3_panels,
     .claims = e3_claims},
    {"reduce", "ours", "every variant | 2^16 to 2^28", reduce_panels, .claims = auto_is_fastest},
    {"scan", "ours", "every variant | 2^16 to 2^28", scan_panels, .claims = auto_is_fastest},
    {"compact", "ours", "every variant | 2^16 to 2^28", compact_panels, .claims = auto_is_fastest},
    {"sort", "ours", "every variant, keys and pairs | 2^16 to 2^26", sort_panels, .claims = auto_is_fastest},
    {"histogram", "ours", "every variant, uniform and constant input | 2^16 to 2^28", histogram_panels,
     .claims = auto_is_fastest},
    {"search", "ours", "every variant, the value absent | 2^16 to 2^28", search_panels,
     .claims = auto_is_fastest},
    {0},
};
