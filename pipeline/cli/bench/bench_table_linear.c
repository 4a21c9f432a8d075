/* The experiments on matrices, stencils and histograms, G6, H1, G7 and exercise E5 (docs/primitives.md names
 * the text), and every variant of the primitives on matrices. Claims are quoted; what stands in brackets is
 * ours. The text names no sizes: they go from what a cache holds to what fills a device for a second. */
#include "bench/bench.h"

#define ANY 1e9

/* ---- G6: naive against shared memory -------------------------------------------------------------------- */

static const struct bench_series products[] = {
    BENCH_ALGO("naive"),  BENCH_ALGO("tiled"), BENCH_ALGO("register-tiled"),
    BENCH_ALGO("cublas"), BENCH_ALGO("auto"),  {0},
};
static const struct bench_series products_both[] = {
    BENCH_ALGO("naive"),
    BENCH_ALGO("tiled"),
    BENCH_ALGO("register-tiled"),
    BENCH_ALGO("cublas"),
    BENCH_ALGO("auto"),
    {"auto, CPU", NULL, "--algo auto", BENCH_CPU, false, NULL},
    {0},
};
static const struct bench_series stencils[] = {
    BENCH_ALGO("naive"), BENCH_ALGO("shared"), BENCH_ALGO("texture"), BENCH_ALGO("auto"), {0},
};
static const struct bench_series sparse[] = {
    BENCH_ALGO("scalar-row"), BENCH_ALGO("vector-row"), BENCH_ALGO("cusparse"), BENCH_ALGO("auto"), {0},
};
#define STENCIL_SIZES                                                                                        \
    "512x512 1024x1024 2048x2048 4096x4096 8192x8192" /* "sequential" takes half a minute beyond */
#define SPARSE_SIZES "64Kx64Kx32 256Kx256Kx32 1Mx1Mx32 4Mx4Mx32"
#define SPARSE_QUICK "1000x1000x9 3000x3000x9"

static const struct bench_panel g6_panels[] = {
    {"matmul", "Products of square matrices of f32", "matmul", "--type f32", "shape",
     "128x128x128 256x256x256 512x512x512 1024x1024x1024", "32x32x32 64x64x64", .series = products_both},
    {"matmul-large", "Products of large square matrices of f32, not checked here", "matmul", "--type f32",
     "shape", "2048x2048x2048 4096x4096x4096 8192x8192x8192 16384x16384x16384", "48x48x48 96x96x96", NULL,
     products, false, true},
    {"stencil", "Five points over square matrices of f32", "stencil", "--type f32", "shape", STENCIL_SIZES,
     "40x40 100x100", .series = stencils},
    {"spmv", "Sparse matrices times a vector, rows alike | 32 entries in each", "spmv", "--type f32", "shape",
     SPARSE_SIZES, SPARSE_QUICK, .series = sparse},
    {"spmv-zipf", "Sparse matrices times a vector, few rows with most entries", "spmv",
     "--type f32 --rows zipf", "shape", SPARSE_SIZES, SPARSE_QUICK, .series = sparse},
    {0},
};
static const struct bench_claim g6_claims[] = {
    {"Matrix operations and stencil computations are naturally suited for GPU acceleration (the text's "
     "product against the CPU's best here)",
     CLAIM_FASTER, 0, "tiled", "auto, CPU", 0.75, 0},
    {"Use shared memory for data reuse within thread blocks (products)", CLAIM_FASTER, 0, "tiled", "naive",
     0.75, 0},
    {"(the same with large ones)", CLAIM_FASTER, 1, "tiled", "naive", 0.75, 0},
    {"(the same with stencils)", CLAIM_FASTER, 2, "shared", "naive", 0.75, 0},
    {"(large products: ours against the text's)", CLAIM_FASTER, 1, "auto", "tiled", 1, 0},
    {"Balance work across threads and blocks (a warp a row against a thread a row, rows alike)", CLAIM_FASTER,
     3, "vector-row", "scalar-row", 0.75, 0},
    {"Consider dynamic work distribution for irregular workloads (ours, against a warp a row)", CLAIM_FASTER,
     4, "auto", "vector-row", 0.75, 0},
    {0},
};

/* ---- H1: the case study of histograms ------------------------------------------------------------------- */

static const struct bench_series counters[] = {
    BENCH_ALGO("naive"),
    BENCH_ALGO("naive-wide"),
    BENCH_ALGO("shared"),
    BENCH_ALGO("shared-skip"),
    BENCH_ALGO("cub"),
    BENCH_ALGO("auto"),
    {0},
};
static const struct bench_series conflicts[] = {
    {"naive, uniform", NULL, "--algo naive", BENCH_GPU, false, NULL},
    {"naive, all alike", NULL, "--algo naive --data constant", BENCH_GPU, false, NULL},
    {"shared, uniform", NULL, "--algo shared", BENCH_GPU, false, NULL},
    {"shared, all alike", NULL, "--algo shared --data constant", BENCH_GPU, false, NULL},
    {0},
};
#define COUNTED "2^16 2^18 2^20 2^22 2^24 2^26"
static const struct bench_panel h1_panels[] = {
    {"uniform", "Histogram of u8, uniform", "histogram", "--type u8", "n", COUNTED, "2^8 2^12",
     .series = counters},
    {"constant", "Histogram of u8, all alike", "histogram", "--type u8 --data constant", "n", COUNTED,
     "2^8 2^12", .series = counters},
    {"conflicts", "Histogram of u8: what conflicts cost", "histogram", "--type u8", "n", COUNTED, "2^8 2^12",
     .series = conflicts},
    {0},
};
static const struct bench_claim h1_claims[] = {
    {"requires careful handling on GPUs due to potential atomic operation conflicts (a tenth longer, at the "
     "end, where all elements are alike: counters in global memory)",
     CLAIM_RATIO_END, 2, "naive, all alike", "naive, uniform", 1.1, ANY},
    {"(the same of counters in shared memory)", CLAIM_RATIO_END, 2, "shared, all alike", "shared, uniform",
     1.1, ANY},
    {"(counters in shared memory, added up in the end, are faster than those in global memory)", CLAIM_FASTER,
     0, "shared", "naive", 0.75, 0},
    {"(the same where all elements conflict)", CLAIM_FASTER, 1, "shared", "naive", 0.75, 0},
    {"(ours: a block that adds no zeros is faster where all are alike)", CLAIM_FASTER, 1, "shared-skip",
     "shared", 0.75, 0},
    {0},
};

/* ---- G7: textures --------------------------------------------------------------------------------------- */

static const struct bench_panel g7_panels[] = {
    {NULL, "Five points through a texture", "stencil", "--type f32", "shape", STENCIL_SIZES, "40x40 100x100",
     .series = stencils},
    {0},
};
static const struct bench_claim g7_claims[] = {
    {"Consider using texture memory for read-only data with spatial locality (against plain loads)",
     CLAIM_FASTER, 0, "texture", "naive", 0.75, 0},
    {"(against a tile in shared memory)", CLAIM_FASTER, 0, "texture", "shared", 0.75, 0},
    {0},
};

/* ---- E5: the stencil, tiled, and what it gains ------------------------------------------------------------ */

static const struct bench_panel e5_panels[] = {
    {"sizes", "Exercise 5: a small blur, one step", "stencil", "--type f32", "shape", STENCIL_SIZES,
     "40x40 100x100", .series = stencils},
    {"steps", "Exercise 5: a small blur, several steps, not checked here | 4096 x 4096", "stencil",
     "--type f32 --shape 4096x4096", "steps", "1 2 4 6 8 10 16", "1 2 5", "--shape 60x60", stencils, false,
     true},
    {0},
};
static const struct bench_claim e5_claims[] = {
    {"using shared memory tiling and measure the performance improvement over a naive implementation",
     CLAIM_FASTER, 0, "shared", "naive", 0.75, 0},
    {"(several steps)", CLAIM_FASTER, 1, "shared", "naive", 0.75, 0},
    {"(ours, of several steps in one pass)", CLAIM_FASTER, 1, "auto", "naive", 1, 0},
    {0},
};

/* ---- Every variant ---------------------------------------------------------------------------------------- */

static const struct bench_panel matmul_panels[] = {
    {NULL, "Products of square matrices of f32", "matmul", "--type f32", "shape",
     "64x64x64 128x128x128 256x256x256 512x512x512 1024x1024x1024", "16x16x16 33x33x33", .series = NULL},
    {0},
};
static const struct bench_panel stencil_panels[] = {
    {NULL, "Five points over square matrices of f32", "stencil", "--type f32", "shape",
     "256x256 512x512 1024x1024 2048x2048 4096x4096", "20x20 40x40", .series = NULL},
    {0},
};
static const struct bench_panel spmv_panels[] = {
    {NULL, "Sparse matrices times a vector, rows alike | 32 entries in each", "spmv", "--type f32", "shape",
     "4Kx4Kx32 16Kx16Kx32 64Kx64Kx32 256Kx256Kx32", "500x500x5 1000x1000x5", .series = NULL},
    {0},
};
static const struct bench_claim auto_is_fastest[] = {
    {"(auto is the fastest variant on its device)", CLAIM_FASTEST, 0, "auto", NULL, 0.8, 0},
    {"(auto is the fastest variant on the CPU)", CLAIM_FASTEST, 0, "auto, CPU", NULL, 0.8, 0},
    {0},
};

const struct bench_experiment bench_table_linear[] = {
    {"G6", "patterns", "products, stencils and sparse products, naive and by shared memory", g6_panels,
     .claims = g6_claims},
    {"H1", "patterns", "case study: histograms by counters in global and in shared memory", h1_panels,
     .claims = h1_claims},
    {"G7", "patterns", "stencils through textures", g7_panels, .claims = g7_claims},
    {"E5", "patterns", "exercise 5: a stencil by tiles in shared memory against a naive one", e5_panels,
     .claims = e5_claims},
    {"matmul", "ours", "every variant | 64 x 64 to 1024 x 1024", matmul_panels, .claims = auto_is_fastest},
    {"stencil", "ours", "every variant | 256 x 256 to 4096 x 4096", stencil_panels,
     .claims = auto_is_fastest},
    {"spmv", "ours", "every variant | 4 K to 256 K rows of 32 entries", spmv_panels,
     .claims = auto_is_fastest},
    {0},
};
