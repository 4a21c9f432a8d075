/* The experiments on search, S1 to S5 (docs/primitives.md names the text).
 *
 * Claims are quoted; what stands in brackets is ours. The text does not say where in the array the value
 * stands: here it is last, so that nothing stops early by luck. */
#include "bench/bench.h"

static const struct bench_series search_k[] = {
    BENCH_ALGO("strided"),
    BENCH_ALGO("coalesced"),
    BENCH_ALGO("unrolled"),
    {"full", NULL, "--algo full", BENCH_GPU, true, NULL},
    {"auto", NULL, "--algo auto", BENCH_GPU, true, NULL},
    {"thrust", NULL, "--algo thrust", BENCH_GPU, true, NULL},
    {0},
};
static const struct bench_panel s1_panels[] = {
    {NULL, "Search of integers by the elements a thread checks | 500 000 integers", "search",
     "--type i32 --data unique --at last --n 500000", "k", "1-64", "1 2 12 64", "--n 4000", search_k, false,
     false},
    {0},
};
static const struct bench_claim s1_claims[] = {
    {"the strided test runs were by far the worst", CLAIM_SLOWEST, 0, "strided", NULL, 0.9, 0},
    {"especially as we increase the number of the elements each thread checks", CLAIM_RISES, 0, "strided",
     NULL, 1.5, 0},
    {"coalesced and unrolled coalesced implementations are the next quickest algorithms (coalesced before "
     "strided)",
     CLAIM_FASTER, 0, "coalesced", "strided", 0.75, 0},
    {"the slight edge that the #pragma unroll command has", CLAIM_FASTER, 0, "unrolled", "coalesced", 0.75,
     0},
    {"the full coalesced method is consistently the fastest method", CLAIM_FASTEST, 0, "full", NULL, 0.9, 0},
    {0},
};

static const struct bench_series s2_series[] = {
    {"unrolled, k = 12", NULL, "--algo unrolled --k 12", BENCH_GPU, true, NULL},
    {"unrolled, best k", NULL, "--algo unrolled", BENCH_GPU, true, "1-64"},
    {"full", NULL, "--algo full", BENCH_GPU, true, NULL},
    {"auto", NULL, "--algo auto", BENCH_GPU, true, NULL},
    {0},
};
static const struct bench_panel s2_panels[] = {
    {NULL, "Runs of unrolled and full search, one after the other | 500 000 integers", "search",
     "--type i32 --data unique --at last --n 500000", "run", "1-50", "1-3", "--n 4000", s2_series, false,
     false},
    {0},
};
static const struct bench_claim s2_claims[] = {
    {"the unrolled method is actually the fastest method while the number of elements to search is near k=12",
     CLAIM_FASTER, 0, "unrolled, k = 12", "full", 0.9, 0},
    {"(the same with the k that is fastest here)", CLAIM_FASTER, 0, "unrolled, best k", "full", 0.9, 0},
    {0},
};

static const struct bench_series s3_series[] = {
    {"CPU, sequential", NULL, "--algo cpu-loop", BENCH_CPU, false, NULL},
    {"sort-bsearch", NULL, "--algo sort-bsearch", BENCH_EITHER, false, NULL},
    BENCH_CPU_AUTO,
    {"coalesced with transfer", NULL, "--algo coalesced --host", BENCH_GPU, false, NULL},
    {"auto with transfer", NULL, "--algo auto --host", BENCH_GPU, false, NULL},
    {"auto, data on device", NULL, "--algo auto", BENCH_GPU, false, NULL},
    {0},
};
static const struct bench_panel s3_panels[] = {
    {NULL, "Search on the CPU, and with the transfer to the GPU", "search",
     "--type i32 --data unique --at last", "n", "2^10 2^12 2^14 2^16 2^18 2^20 2^22 2^24", "2^8 2^10 2^12",
     .series = s3_series},
    {0},
};
static const struct bench_claim s3_claims[] = {
    {"we must pay the cost to transfer the array ... but this may still be faster than the sequential search "
     "of the CPU",
     CLAIM_OVERTAKES, 0, "coalesced with transfer", .b = "CPU, sequential"},
    {"(than our CPU's best)", CLAIM_OVERTAKES, 0, "coalesced with transfer", .b = "CPU, auto"},
    {"(ours, with the transfer)", CLAIM_OVERTAKES, 0, "auto with transfer", .b = "CPU, auto"},
    {"sort the array of elements so that searching can be performed by an algorithm with a more efficient "
     "complexity (for a single search, the sort counted)",
     CLAIM_OVERTAKES, 0, "sort-bsearch", .b = "CPU, sequential"},
    {"(O(n): time in proportion)", CLAIM_GROWTH, 0, "CPU, sequential", NULL, 0.8, 1.2},
    {0},
};

static const struct bench_panel s4_panels[] = {
    {NULL, "Bandwidth against the distance of neighbouring threads' elements", "search",
     "--type i32 --data unique --at last --n 2^26", "k", "1 2 3 4 6 8 12 16 24 32 48 64", "1 8 64",
     "--n 4096", search_k, true, false},
    {0},
};
static const struct bench_claim s4_claims[] = {
    {"the bandwidth of the GPU is slowed significantly by increasing the separation of the accessed memory "
     "elements",
     CLAIM_DROPS, 0, "strided", NULL, 0.5, 0},
    {0},
};

static const struct bench_panel s5_panels[] = {
    {NULL, "Where a value stands that is there many times", "search",
     "--type i32 --data twovalued --value 200 --verify --repeat 5 --n 500000", "seed", "1 2 3 4 5 6 7 8",
     "1 2 3", "--n 2000", NULL, BENCH_FOUND, false},
    {0},
};
static const struct bench_claim s5_claims[] = {
    {"(of the non-unique elements the text finds a random one; here it is always the lowest index, as of "
     "'sequential')",
     CLAIM_CHECKED, 0, NULL, NULL, 0, 0},
    {0},
};

const struct bench_experiment bench_table_search[] = {
    {"S1", "search", "strided, coalesced, unrolled search with 1 to 64 elements a thread, full 64 times",
     s1_panels, .claims = s1_claims},
    {"S2", "search", "runs of unrolled with k = 12, and with the best k found here, beside full | 50 of each",
     s2_panels, .claims = s2_claims},
    {"S3", "search", "sequential search, sort and binary search, and the GPU with the cost of the transfer",
     s3_panels, .claims = s3_claims},
    {"S4", "search", "bandwidth against the separation of accesses", s4_panels, .claims = s4_claims},
    {"S5", "search", "a value that is there many times: which index is found", s5_panels,
     .claims = s5_claims},
    {0},
};
