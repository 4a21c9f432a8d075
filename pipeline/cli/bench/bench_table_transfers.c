/* `gpufilter bench transfers`: pictures of the host, filtered there or by a GPU that has to fetch them. In a
 * series, `primitive` is the text of --stages, and `words` are channels and depth, the memory that pictures
 * lie in, how many execs are at work, a thread each, and the CPU threads of each (0: as many as --threads).
 */
#include "bench/bench.h"

#define CHAIN "gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist"
#define SIZES "1920x1080 7680x4320"
#define QUICK "320x180 640x360"

static const struct bench_series pictures[] = {
    {"pageable, 1 in flight", CHAIN, "3 u8 pageable 1 0", BENCH_GPU, false, NULL},
    {"pageable, 2 in flight", CHAIN, "3 u8 pageable 2 0", BENCH_GPU, false, NULL},
    {"pageable, 3 in flight", CHAIN, "3 u8 pageable 3 0", BENCH_GPU, false, NULL},
    {"pageable, 4 of 2 threads", CHAIN, "3 u8 pageable 4 2", BENCH_GPU, false, NULL},
    {"pageable, 6 of 2 threads", CHAIN, "3 u8 pageable 6 2", BENCH_GPU, false, NULL},
    {"pageable, 8 of 1 thread", CHAIN, "3 u8 pageable 8 1", BENCH_GPU, false, NULL},
    {"pinned, 1 in flight", CHAIN, "3 u8 pinned 1 0", BENCH_GPU, false, NULL},
    {"pinned, 2 in flight", CHAIN, "3 u8 pinned 2 0", BENCH_GPU, false, NULL},
    {"pinned, 3 in flight", CHAIN, "3 u8 pinned 3 0", BENCH_GPU, false, NULL},
    {"on the CPU", CHAIN, "3 u8 pageable 1 0", BENCH_CPU, false, NULL},
    {0},
};

static const struct bench_panel transfers_panels[] = {
    {NULL, "RGB pictures of host memory, gray ones back", "chain", "", "size", SIZES, QUICK, NULL, pictures,
     BENCH_TIME, false},
    {0},
};
static const struct bench_claim transfers_claims[] = {
    {"(the GPU takes less time than the CPU, from pageable memory, three pictures in flight)", CLAIM_FASTER,
     0, "pageable, 3 in flight", "on the CPU", 1, 0},
    {"(a second picture in flight overlaps with the first: at most 0.8 of the time, from pinned memory)",
     CLAIM_RATIO_END, 0, "pinned, 2 in flight", "pinned, 1 in flight", 0, 0.8},
    {0},
};

const struct bench_experiment bench_table_transfers[] = {
    {"transfers", "ours", "pictures of host memory through a GPU, several at a time", transfers_panels,
     transfers_claims, bench_transfers_run, NULL},
    {0},
};
