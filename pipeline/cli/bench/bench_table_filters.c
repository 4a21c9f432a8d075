/* The chains of `gpufilter bench filters`. In a series, `primitive` is the text of --stages, and `words` are
 * channels and depth of the picture, and "no-fuse" where each stage gets a pass of its own. */
#include "bench/bench.h"

#define CHAIN "gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist"
#define EIGHT_BYTES                                                                                          \
    "invert,contrast:1.3,brightness:0.1,gamma:1.2,invert,contrast:0.8,brightness:-0.1,threshold:0.4"
#define EIGHT_FLOATS                                                                                         \
    "invert,contrast:1.3,brightness:0.1,contrast:1.1,invert,contrast:0.8,brightness:-0.1,threshold:0.4"
#define SIZES "1920x1080 7680x4320 16384x16384"
#define QUICK "96x54 192x108"

static const struct bench_series chains[] = {
    {"chain, fused", CHAIN, "3 u8", BENCH_EITHER, false, NULL},
    {"chain, unfused", CHAIN, "3 u8 no-fuse", BENCH_EITHER, false, NULL},
    {"8 points u8, fused", EIGHT_BYTES, "1 u8", BENCH_EITHER, false, NULL},
    {"8 points u8, unfused", EIGHT_BYTES, "1 u8 no-fuse", BENCH_EITHER, false, NULL},
    {"8 points f32, fused", EIGHT_FLOATS, "1 f32", BENCH_EITHER, false, NULL},
    {"8 points f32, unfused", EIGHT_FLOATS, "1 f32 no-fuse", BENCH_EITHER, false, NULL},
    {0},
};
static const struct bench_series points[] = {
    {"gray of RGB u8", "gray", "3 u8", BENCH_EITHER, false, NULL},
    {"threshold u8", "threshold:0.5", "1 u8", BENCH_EITHER, false, NULL},
    {"otsu's threshold u8", "threshold:otsu", "1 u8", BENCH_EITHER, false, NULL},
    {"equalize u8", "equalize", "1 u8", BENCH_EITHER, false, NULL},
    {0},
};
static const struct bench_series windows[] = {
    {"gaussian radius 2 u8", "blur:sigma=1.1:radius=2", "1 u8", BENCH_EITHER, false, NULL},
    {"gaussian radius 6 u8", "blur:sigma=2:radius=6", "1 u8", BENCH_EITHER, false, NULL},
    {"gaussian radius 2 RGB u8", "blur:sigma=1.1:radius=2", "3 u8", BENCH_EITHER, false, NULL},
    {"gaussian radius 2 u16", "blur:sigma=1.1:radius=2", "1 u16", BENCH_EITHER, false, NULL},
    {"gaussian radius 2 f32", "blur:sigma=1.1:radius=2", "1 f32", BENCH_EITHER, false, NULL},
    {"gaussian radius 6 f32", "blur:sigma=2:radius=6", "1 f32", BENCH_EITHER, false, NULL},
    {"gaussian sigma 20 f32", "blur:sigma=20", "1 f32", BENCH_EITHER, false, NULL},
    {"gaussian sigma 20 u8", "blur:sigma=20", "1 u8", BENCH_EITHER, false, NULL},
    {"box radius 7 u8", "box:radius=7", "1 u8", BENCH_EITHER, false, NULL},
    {"sobel u8", "sobel", "1 u8", BENCH_EITHER, false, NULL},
    {"unsharp radius 2 u8", "unsharp:sigma=0.5", "1 u8", BENCH_EITHER, false, NULL},
    {"conv 3 x 3 u8", "conv:[1 2 1; 2 -4 0; 0 1 -2]", "1 u8", BENCH_EITHER, false, NULL},
    {0},
};
static const struct bench_series neighbours[] = {
    {"median 3 x 3 u8", "median:radius=1", "1 u8", BENCH_EITHER, false, NULL},
    {"erode 15 x 15 u8", "erode:radius=7", "1 u8", BENCH_EITHER, false, NULL},
    {"bilateral radius 2 u8", "bilateral:sigma=2:range=25u8:radius=2", "1 u8", BENCH_EITHER, false, NULL},
    {"threshold by means of 15 x 15 u8", "threshold:method=mean:radius=7", "1 u8", BENCH_EITHER, false, NULL},
    {"canny u8", "canny:100u8:high=200u8:sigma=0", "1 u8", BENCH_EITHER, false, NULL},
    {0},
};
static const struct bench_series measures[] = {
    {"hist u8", "hist", "1 u8", BENCH_EITHER, false, NULL},
    {"hist RGB u8", "hist", "3 u8", BENCH_EITHER, false, NULL},
    {"stats u8", "stats", "1 u8", BENCH_EITHER, false, NULL},
    {"stats f32", "stats", "1 f32", BENCH_EITHER, false, NULL},
    {"hist and stats u8", "hist,stats", "1 u8", BENCH_EITHER, false, NULL},
    {"hist and stats f32", "hist,stats", "1 f32", BENCH_EITHER, false, NULL},
    {0},
};

static const struct bench_panel filters_panels[] = {
    {"chains", "Chains, fused and one pass a stage", "chain", "", "size", SIZES, QUICK, .series = chains,
     .shows = BENCH_GBPS},
    {"points", "Single stages of points", "chain", "", "size", SIZES, QUICK, .series = points,
     .shows = BENCH_GBPS},
    {"windows", "Windows that are sums", "chain", "", "size", SIZES, QUICK, .series = windows,
     .shows = BENCH_GBPS},
    {"neighbours", "Windows that are no sum", "chain", "", "size", SIZES, QUICK, .series = neighbours,
     .shows = BENCH_GBPS},
    {"measures", "Measuring stages, which only read", "chain", "", "size", SIZES, QUICK, .series = measures,
     .shows = BENCH_GBPS},
    {0},
};
static const struct bench_claim filters_claims[] = {
    {"(the chain of five stages takes at most 0.6 of the time of one pass a stage, in the smallest picture)",
     CLAIM_RATIO, 0, "chain, fused", "chain, unfused", 0, 0.6},
    {"(it is faster at every size)", CLAIM_FASTER, 0, "chain, fused", "chain, unfused", 1, 0},
    {"(eight point stages of u8 are faster fused)", CLAIM_FASTER, 0, "8 points u8, fused",
     "8 points u8, unfused", 1, 0},
    {"(and of f32)", CLAIM_FASTER, 0, "8 points f32, fused", "8 points f32, unfused", 1, 0},
    {"(every chain gives the bits of its judge)", CLAIM_CHECKED, 0, NULL, NULL, 0, 0},
    {0},
};

const struct bench_experiment bench_table_filters[] = {
    {"filters", "ours", "chains of stages over pictures, beside a copy of memory", filters_panels,
     filters_claims, bench_filters_run, NULL},
    {0},
};
