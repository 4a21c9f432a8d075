/* The experiments on scan, compaction and radix sort, C1 to C4 (docs/primitives.md names the text). Claims
 * are quoted; what stands in brackets is ours. The density of what is kept, which the text does not give, is
 * one half. */
#include "bench/bench.h"

#define ANY 1e9

static const struct bench_series c1_series[] = {
    {"scan", "scan", "--algo cpu-loop --type i32 --data ramp", BENCH_CPU, false, NULL},
    {"compact, no scan", "compact", "--algo cpu-loop --type i32", BENCH_CPU, false, NULL},
    {"compact by scan", "compact", "--algo cpu-scan --type i32", BENCH_CPU, false, NULL},
    {"scan, auto", "scan", "--algo auto --type i32 --data ramp", BENCH_CPU, false, NULL},
    {"compact, auto", "compact", "--algo auto --type i32", BENCH_CPU, false, NULL},
    {0},
};
static const struct bench_panel c1_panels[] = {
    {NULL, "Scan and compaction on the CPU, half of the elements not 0", "scan", "--threads 1", "n",
     "2^16 2^18 2^20 2^21 2^22 2^23 2^24", "2^10 2^12 2^14", .series = c1_series},
    {0},
};
static const struct bench_claim c1_claims[] = {
    {"Runtime: O(n) (scan)", CLAIM_GROWTH, 0, "scan", NULL, 0.8, 1.2},
    {"Runtime: O(n) (compaction without scan)", CLAIM_GROWTH, 0, "compact, no scan", NULL, 0.8, 1.2},
    {"Runtime: O(n) (compaction with scan)", CLAIM_GROWTH, 0, "compact by scan", NULL, 0.8, 1.2},
    {0},
};

static const struct bench_series c2_series[] = {
    {"naive", "scan", "--algo naive", BENCH_GPU, false, NULL},
    {"efficient", "scan", "--algo efficient", BENCH_GPU, false, NULL},
    {"thrust", "scan", "--algo thrust", BENCH_GPU, false, NULL},
    {"compact, naive", "compact", "--algo scatter-naive --data density:0.5", BENCH_GPU, false, NULL},
    {"compact, efficient", "compact", "--algo scatter-efficient --data density:0.5", BENCH_GPU, false, NULL},
    {"radix-1bit", "sort", "--algo radix-1bit", BENCH_GPU, false, NULL},
    {0},
};
static const struct bench_panel c2_panels[] = {
    {NULL, "The systems of the text: scans, compaction on them, radix sort", "scan", "--type i32 --block 128",
     "n", "2^16 2^18 2^20 2^22 2^24 2^26", "2^8 2^10", .series = c2_series},
    {0},
};
static const struct bench_claim c2_claims[] = {
    {"(each gives the right answer)", CLAIM_CHECKED, 0, NULL, NULL, 0, 0},
    {"Runtime: O(n log n) (naive)", CLAIM_GROWTH, 0, "naive", NULL, 0.95, 1.4},
    {"Runtime: O(n) (efficient)", CLAIM_GROWTH, 0, "efficient", NULL, 0.8, 1.2},
    {0},
};

static const struct bench_series c3_scan[] = {
    {"CPU", NULL, "--algo cpu-loop", BENCH_CPU, false, NULL},
    BENCH_CPU_AUTO,
    {"naive", NULL, "--algo naive --block 128", BENCH_GPU, false, NULL},
    {"efficient", NULL, "--algo efficient --block 128", BENCH_GPU, false, NULL},
    BENCH_ALGO("thrust"),
    BENCH_ALGO("auto"),
    {0},
};
static const struct bench_series c3_compact[] = {
    {"CPU", NULL, "--algo cpu-loop", BENCH_CPU, false, NULL},
    {"CPU, by scan", NULL, "--algo cpu-scan", BENCH_CPU, false, NULL},
    BENCH_CPU_AUTO,
    {"efficient", NULL, "--algo scatter-efficient --block 128", BENCH_GPU, false, NULL},
    BENCH_ALGO("auto"),
    {0},
};
static const struct bench_series c3_radix[] = {
    {"radix", NULL, "--algo radix-1bit --block 128", BENCH_GPU, false, NULL},
    BENCH_ALGO("auto"),
    {0},
};
#define C3_SIZES "2^21 2^22 2^23 2^24"
#define C3_QUICK "2^8 2^9 2^10 2^11"
static const struct bench_panel c3_panels[] = {
    {"scan-power-of-2", "Size of array and time of scan, 128 threads a block | powers of 2", "scan",
     "--type i32", "n", C3_SIZES, C3_QUICK, .series = c3_scan},
    {"scan-other", "Size of array and time of scan, 128 threads a block, again | not powers of 2", "scan",
     "--type i32", "n", "2^21-3 2^22-3 2^23-3 2^24-3", "2^8-3 2^9-3 2^10-3 2^11-3", .series = c3_scan},
    {"compact", "Size of array and time of compaction, half of the elements not 0", "compact",
     "--type i32 --data density:0.5", "n", C3_SIZES, C3_QUICK, .series = c3_compact},
    {"radix", "Size of array and time of radix sort by 1-bit splits", "sort", "--type i32", "n", C3_SIZES,
     C3_QUICK, .series = c3_radix},
    {0},
};
static const struct bench_claim c3_claims[] = {
    {"the timing for the CPU methodology increases exponentially as the array size increases (scan)",
     CLAIM_GROWTH, 0, "CPU", NULL, 2, ANY},
    {"CPU runtime will increase exponentially with the increase in array size (compaction by scan)",
     CLAIM_GROWTH, 2, "CPU, by scan", NULL, 2, ANY},
    {"efficient implementation runtime will ultimately trump both CPU ... for larger array sizes",
     CLAIM_FASTER_END, 0, "efficient", .b = "CPU"},
    {"(and our CPU's best)", CLAIM_FASTER_END, 0, "efficient", .b = "CPU, auto"},
    {"... and naive", CLAIM_FASTER_END, 0, "efficient", .b = "naive"},
    {"compared to efficient, naive actually beats it for smaller array sizes", CLAIM_CROSSES, 0, "naive",
     .b = "efficient"},
    {"(efficient trumps naive where the size is no power of 2)", CLAIM_FASTER_END, 1, "efficient",
     .b = "naive"},
    {"efficient's timing increase remains much faster [than the CPU's, compaction by scan]", CLAIM_FASTER, 2,
     "efficient", "CPU, by scan", 1, 0},
    {"(than a loop without a scan)", CLAIM_FASTER, 2, "efficient", "CPU", 1, 0},
    {"(than our CPU's best)", CLAIM_FASTER, 2, "efficient", "CPU, auto", 1, 0},
    {"the runtime is O(n * k), where k = 32 (radix)", CLAIM_GROWTH, 3, "radix", NULL, 0.7, 1.3},
    {0},
};

static const struct bench_series c4_series[] = {
    BENCH_ALGO("naive"),
    BENCH_ALGO("efficient"),
    {0},
};
static const struct bench_panel c4_panels[] = {
    {NULL, "Naive and efficient scan, from small arrays on", "scan", "--type i32 --block 128", "n",
     "2^8 2^10 2^12 2^14 2^16 2^18 2^20 2^22 2^24", "2^4 2^8 2^11", .series = c4_series},
    {0},
};
static const struct bench_claim c4_claims[] = {
    {"naive actually beats it for smaller array sizes", CLAIM_CROSSES, 0, "naive", .b = "efficient"},
    {"Naive will launch in total log(n) kernels", CLAIM_LAUNCHES, 0, "naive", NULL, 1, 0},
    {"in total, 2 * log(n) kernels are launched (and two of ours, which fill the tree and copy it out)",
     CLAIM_LAUNCHES, 0, "efficient", NULL, 2, 2},
    {"(where the launch is all, efficient takes twice the time of naive)", CLAIM_RATIO, 0, "efficient",
     "naive", 1.6, 2.6},
    {0},
};

const struct bench_experiment bench_table_scan[] = {
    {"C1", "compaction", "CPU scan, compaction without scan and with it", c1_panels, .claims = c1_claims},
    {"C2", "compaction", "naive and efficient scan, compaction on them, Thrust, radix sort", c2_panels,
     .claims = c2_claims},
    {"C3", "compaction", "four tables: scan of powers of 2 and of others, compaction, radix sort", c3_panels,
     .claims = c3_claims},
    {"C4", "compaction", "naive against efficient, from small arrays on", c4_panels, .claims = c4_claims},
    {0},
};
