/* NULL for every pointer of every call of the array primitives: GF_ERROR_ARGUMENT with a text, as types.h
 * says. tests/exec/test_null.c sees that no call is missing. */
#include "check.h"

#include "gpufilter/fft.h"
#include "gpufilter/gpufilter.h"

static gf_error e = GF_ERROR_INIT;

static void check_refused(gf_status status, const char *call)
{
    CHECK_MSG(status == GF_ERROR_ARGUMENT, "%s: %d %s", call, (int)status, e.message);
    CHECK_MSG(!strstr(call, "&e") || e.message[0], "%s: no text", call);
    e = (gf_error)GF_ERROR_INIT;
}

#define REFUSED(call) check_refused((call), #call)

static size_t n;

/* A matrix and a window, each missing in turn. */
static void transforms(gf_queue queue)
{
    const gf_fft_options o = GF_FFT_OPTIONS_INIT;
    gf_fft_shape shape = GF_FFT_SHAPE_INIT;
    float x[8] = {0};
    gf_fft_plan *plan = NULL;
    REFUSED(gf_fft_plan_create(NULL, &plan, &e));
    REFUSED(gf_fft_plan_create(&shape, NULL, &e));
    shape.columns = 4;
    REQUIRE(gf_fft_plan_create(&shape, &plan, NULL) == GF_OK);
    REFUSED(gf_fft_scratch(GF_DEVICE_CPU, NULL, plan, &n, &e));
    REFUSED(gf_fft_scratch(GF_DEVICE_CPU, &o, NULL, &n, &e));
    REFUSED(gf_fft_scratch(GF_DEVICE_CPU, &o, plan, NULL, &e));
    REFUSED(gf_fft(queue, NULL, plan, x, x, x, 0, &e));
    REFUSED(gf_fft(queue, &o, NULL, x, x, x, 0, &e));
    REFUSED(gf_fft(queue, &o, plan, NULL, x, x, 0, &e));
    REFUSED(gf_fft(queue, &o, plan, x, NULL, x, 0, &e));
    REFUSED(gf_fft(queue, &o, plan, x, x, NULL, 0, &e));
    REFUSED(gf_fft_prepare(GF_DEVICE_CPU, NULL, &e));
    gf_fft_plan_destroy(plan);
    gf_fft_plan_destroy(NULL);
}

static void stencils(gf_queue queue)
{
    static const double weights[] = {1};
    static float in[4], out[4];
    const gf_stencil_options o = GF_STENCIL_OPTIONS_INIT;
    const gf_stencil_window window = {sizeof window, 1, 1, weights}, none = {sizeof none, 1, 1, NULL};
    REFUSED(gf_stencil_scratch(GF_DEVICE_CPU, NULL, &window, 2, 2, &n, &e));
    REFUSED(gf_stencil_scratch(GF_DEVICE_CPU, &o, NULL, 2, 2, &n, &e));
    REFUSED(gf_stencil_scratch(GF_DEVICE_CPU, &o, &window, 2, 2, NULL, &e));
    REFUSED(gf_stencil(queue, NULL, &window, in, 2, 2, out, NULL, 0, &e));
    REFUSED(gf_stencil(queue, &o, NULL, in, 2, 2, out, NULL, 0, &e));
    REFUSED(gf_stencil(queue, &o, &none, in, 2, 2, out, NULL, 0, &e));
    REFUSED(gf_stencil(queue, &o, &window, NULL, 2, 2, out, NULL, 0, &e));
    REFUSED(gf_stencil(queue, &o, &window, in, 2, 2, NULL, NULL, 0, &e));
}

/* A matrix, each of its arrays missing in turn. */
static void matrices(gf_queue queue, const gf_spmv_options *spmv)
{
    static const int64_t offsets[] = {0, 1};
    static const uint32_t indices[] = {0};
    static float values[] = {1}, x[] = {1}, y[1];
    const gf_csr whole = {sizeof whole, 1, 1, 1, offsets, indices, values};
    gf_csr part = whole;
    int64_t bad;
    REFUSED(gf_spmv_scratch(GF_DEVICE_CPU, NULL, &whole, &n, &e));
    REFUSED(gf_spmv_scratch(GF_DEVICE_CPU, spmv, NULL, &n, &e));
    REFUSED(gf_spmv_scratch(GF_DEVICE_CPU, spmv, &whole, NULL, &e));
    REFUSED(gf_spmv(queue, NULL, &whole, x, y, NULL, 0, &e));
    REFUSED(gf_spmv(queue, spmv, NULL, x, y, NULL, 0, &e));
    REFUSED(gf_spmv(queue, spmv, &whole, NULL, y, NULL, 0, &e));
    REFUSED(gf_spmv(queue, spmv, &whole, x, NULL, NULL, 0, &e));
    REFUSED(gf_csr_check(queue, NULL, &bad, &e));
    REFUSED(gf_csr_check(queue, &whole, NULL, &e));
    part.values = NULL;
    CHECK_EQ_INT(gf_csr_check(queue, &part, &bad, &e), GF_OK); /* which reads no values */
    CHECK_EQ_INT(bad, -1);
    REFUSED(gf_spmv(queue, spmv, &part, x, y, NULL, 0, &e));
    part.indices = NULL;
    REFUSED(gf_csr_check(queue, &part, &bad, &e));
    part.offsets = NULL;
    REFUSED(gf_csr_check(queue, &part, &bad, &e));
    part = whole;
    for (uint32_t size = 0; size < sizeof part; size++) {
        part.struct_size = size;
        REFUSED(gf_csr_check(queue, &part, &bad, &e));
    }
}

/* A graph, each of its arrays and results missing in turn. */
static void graphs(gf_queue queue)
{
    static const int64_t offsets[] = {0, 1};
    static const uint32_t targets[] = {0};
    static float weights[] = {1}, distances[1];
    static int32_t levels[1];
    static uint32_t labels[1];
    static _Alignas(256) uint64_t room[64];
    const gf_bfs_options bfs = GF_BFS_OPTIONS_INIT;
    const gf_sssp_options sssp = GF_SSSP_OPTIONS_INIT;
    const gf_components_options components = GF_COMPONENTS_OPTIONS_INIT;
    const gf_csr whole = {sizeof whole, 1, 1, 1, offsets, targets, weights};
    const gf_csr bare = {sizeof bare, 1, 1, 1, offsets, targets, NULL};
    int64_t bad;
    REFUSED(gf_bfs_scratch(GF_DEVICE_CPU, NULL, &whole, &n, &e));
    REFUSED(gf_bfs_scratch(GF_DEVICE_CPU, &bfs, NULL, &n, &e));
    REFUSED(gf_bfs_scratch(GF_DEVICE_CPU, &bfs, &whole, NULL, &e));
    REFUSED(gf_bfs(queue, NULL, &whole, levels, NULL, room, sizeof room, &e));
    REFUSED(gf_bfs(queue, &bfs, NULL, levels, NULL, room, sizeof room, &e));
    REFUSED(gf_bfs(queue, &bfs, &whole, NULL, NULL, room, sizeof room, &e));
    REFUSED(gf_bfs(queue, &bfs, &whole, levels, NULL, NULL, 0, &e));
    CHECK_EQ_INT(gf_bfs(queue, &bfs, &bare, levels, NULL, room, sizeof room, &e),
                 GF_OK); /* which reads no weights */
    REFUSED(gf_sssp_scratch(GF_DEVICE_CPU, NULL, &whole, &n, &e));
    REFUSED(gf_sssp_scratch(GF_DEVICE_CPU, &sssp, NULL, &n, &e));
    REFUSED(gf_sssp_scratch(GF_DEVICE_CPU, &sssp, &whole, NULL, &e));
    REFUSED(gf_sssp(queue, NULL, &whole, distances, &bad, room, sizeof room, &e));
    REFUSED(gf_sssp(queue, &sssp, NULL, distances, &bad, room, sizeof room, &e));
    REFUSED(gf_sssp(queue, &sssp, &bare, distances, &bad, room, sizeof room, &e));
    REFUSED(gf_sssp(queue, &sssp, &whole, NULL, &bad, room, sizeof room, &e));
    REFUSED(gf_sssp(queue, &sssp, &whole, distances, NULL, room, sizeof room, &e));
    CHECK_EQ_INT(gf_sssp_type(GF_F64), GF_F64);
    CHECK_EQ_INT(gf_sssp_type(GF_S32), GF_S64);
    REFUSED(gf_components_scratch(GF_DEVICE_CPU, NULL, &whole, &n, &e));
    REFUSED(gf_components_scratch(GF_DEVICE_CPU, &components, NULL, &n, &e));
    REFUSED(gf_components_scratch(GF_DEVICE_CPU, &components, &whole, NULL, &e));
    REFUSED(gf_components(queue, NULL, &whole, labels, NULL, 0, &e));
    REFUSED(gf_components(queue, &components, NULL, labels, NULL, 0, &e));
    REFUSED(gf_components(queue, &components, &whole, NULL, NULL, 0, &e));
}

/* A loop, each of its arrays and results missing in turn. */
static void loops(gf_queue queue)
{
    static const int32_t counts[] = {2, 1};
    static const int64_t values[3];
    static int64_t out[3];
    static uint32_t iy[3];
    static _Alignas(256) uint64_t room[1024];
    enum { bytes = sizeof room };
    gf_ragged_options o = GF_RAGGED_OPTIONS_INIT;
    gf_ragged_loop loop = GF_RAGGED_LOOP_INIT;
    REFUSED(gf_ragged_scratch(GF_DEVICE_CPU, NULL, 2, 3, &n, &e));
    REFUSED(gf_ragged_scratch(GF_DEVICE_CPU, &o, 2, 3, NULL, &e));
    REFUSED(gf_ragged(queue, NULL, counts, 2, NULL, out, NULL, 0, NULL, room, bytes, &e));
    REFUSED(gf_ragged(queue, &o, NULL, 2, NULL, out, NULL, 0, NULL, room, bytes, &e));
    REFUSED(gf_ragged(queue, &o, counts, 2, NULL, NULL, NULL, 0, NULL, room, bytes, &e));
    REFUSED(gf_ragged(queue, &o, counts, 2, NULL, out, NULL, 0, NULL, NULL, 0, &e));
    CHECK_EQ_INT(gf_ragged(queue, &o, counts, 2, NULL, out, NULL, 0, NULL, room, bytes, &e), GF_OK);
    o.body = GF_RAGGED_EXPAND;
    REFUSED(gf_ragged(queue, &o, counts, 2, NULL, out, NULL, 3, NULL, room, bytes, &e));
    CHECK_EQ_INT(gf_ragged(queue, &o, counts, 2, NULL, out, iy, 3, NULL, room, bytes, &e), GF_OK);
    o.body = GF_RAGGED_SEGMENT_SUM;
    REFUSED(gf_ragged(queue, &o, counts, 2, NULL, out, NULL, 3, NULL, room, bytes, &e));
    CHECK_EQ_INT(gf_ragged(queue, &o, counts, 2, values, out, NULL, 3, NULL, room, bytes, &e), GF_OK);
    CHECK_EQ_INT(gf_ragged_result(GF_RAGGED_SEGMENT_SUM, GF_F32), GF_F64);
    CHECK(gf_ragged_threshold_of(NULL, 5) > 0);
    REFUSED(gf_ragged_begin_scratch(0, NULL, 2, 0, &n, &e));
    REFUSED(gf_ragged_begin_scratch(0, &o, 2, 0, NULL, &e));
    REFUSED(gf_ragged_begin(queue, NULL, counts, 2, 0, &loop, room, bytes, &e));
    REFUSED(gf_ragged_begin(queue, &o, counts, 2, 0, NULL, room, bytes, &e));
}

/* What came later, each of their arrays missing in turn. */
static void places(gf_queue queue)
{
    static uint64_t a[4], b[1 << 10], found;
    static _Alignas(256) uint64_t room[64];
    const gf_bounds_options bounds = GF_BOUNDS_OPTIONS_INIT;
    const gf_adjacent_options adjacent = GF_ADJACENT_OPTIONS_INIT;
    const gf_unique_by_key_options unique = GF_UNIQUE_BY_KEY_OPTIONS_INIT;
    const gf_histogram_axis axis = {sizeof axis, GF_U8, 4, 0, 0};
    gf_histogram_2d_options pairs = GF_HISTOGRAM_2D_OPTIONS_INIT;
    REFUSED(gf_histogram_2d_scratch(GF_DEVICE_CPU, &pairs, 4, &n, &e)); /* the axis of x is NULL */
    pairs.x = pairs.y = &axis;
    pairs.weighted = 1;
    REFUSED(gf_bounds_scratch(GF_DEVICE_CPU, NULL, 4, 4, &n, &e));
    REFUSED(gf_bounds_scratch(GF_DEVICE_CPU, &bounds, 4, 4, NULL, &e));
    REFUSED(gf_bounds(queue, NULL, a, 4, a, 4, (int64_t *)b, room, sizeof room, &e));
    REFUSED(gf_bounds(queue, &bounds, NULL, 4, a, 4, (int64_t *)b, room, sizeof room, &e));
    REFUSED(gf_bounds(queue, &bounds, a, 4, NULL, 4, (int64_t *)b, room, sizeof room, &e));
    REFUSED(gf_bounds(queue, &bounds, a, 4, a, 4, NULL, room, sizeof room, &e));
    REFUSED(gf_adjacent_difference_scratch(GF_DEVICE_CPU, NULL, 4, &n, &e));
    REFUSED(gf_adjacent_difference_scratch(GF_DEVICE_CPU, &adjacent, 4, NULL, &e));
    REFUSED(gf_adjacent_difference(queue, NULL, a, 4, b, room, sizeof room, &e));
    REFUSED(gf_adjacent_difference(queue, &adjacent, NULL, 4, b, room, sizeof room, &e));
    REFUSED(gf_adjacent_difference(queue, &adjacent, a, 4, NULL, room, sizeof room, &e));
    REFUSED(gf_unique_by_key_scratch(GF_DEVICE_CPU, NULL, 4, &n, &e));
    REFUSED(gf_unique_by_key_scratch(GF_DEVICE_CPU, &unique, 4, NULL, &e));
    REFUSED(gf_unique_by_key(queue, NULL, a, a, 4, b, b, 4, &found, room, sizeof room, &e));
    REFUSED(gf_unique_by_key(queue, &unique, NULL, a, 4, b, b, 4, &found, room, sizeof room, &e));
    REFUSED(gf_unique_by_key(queue, &unique, a, NULL, 4, b, b, 4, &found, room, sizeof room, &e));
    REFUSED(gf_unique_by_key(queue, &unique, a, a, 4, b, NULL, 4, &found, room, sizeof room, &e));
    REFUSED(gf_unique_by_key(queue, &unique, a, a, 4, b, b, 4, NULL, room, sizeof room, &e));
    REFUSED(gf_histogram_2d_scratch(GF_DEVICE_CPU, NULL, 4, &n, &e));
    REFUSED(gf_histogram_2d_scratch(GF_DEVICE_CPU, &pairs, 4, NULL, &e));
    REFUSED(gf_histogram_2d(queue, NULL, a, a, a, 4, b, room, sizeof room, &e));
    REFUSED(gf_histogram_2d(queue, &pairs, NULL, a, a, 4, b, room, sizeof room, &e));
    REFUSED(gf_histogram_2d(queue, &pairs, a, NULL, a, 4, b, room, sizeof room, &e));
    REFUSED(gf_histogram_2d(queue, &pairs, a, a, NULL, 4, b, room, sizeof room, &e));
    REFUSED(gf_histogram_2d(queue, &pairs, a, a, a, 4, NULL, room, sizeof room, &e));
}

/* Segments and runs, each of their arrays missing in turn. */
static void segments(gf_queue queue)
{
    static const int64_t offsets[] = {0, 1, 4};
    static uint64_t a[4], b[4];
    static _Alignas(256) uint64_t room[64];
    const gf_reduce_options reduce = GF_REDUCE_OPTIONS_INIT;
    const gf_run_length_options runs = GF_RUN_LENGTH_OPTIONS_INIT;
    const gf_scan_options scan = GF_SCAN_OPTIONS_INIT;
    uint64_t found;
    REFUSED(gf_run_length_scratch(GF_DEVICE_CPU, NULL, 4, &n, &e));
    REFUSED(gf_run_length_scratch(GF_DEVICE_CPU, &runs, 4, NULL, &e));
    REFUSED(gf_run_length(queue, NULL, a, 4, b, NULL, NULL, 4, &found, room, sizeof room, &e));
    REFUSED(gf_run_length(queue, &runs, NULL, 4, b, NULL, NULL, 4, &found, room, sizeof room, &e));
    REFUSED(gf_run_length(queue, &runs, a, 4, b, NULL, NULL, 4, NULL, room, sizeof room, &e));
    REFUSED(gf_reduce_by_key_scratch(GF_DEVICE_CPU, NULL, GF_U64, 4, &n, &e));
    REFUSED(gf_reduce_by_key_scratch(GF_DEVICE_CPU, &reduce, GF_U64, 4, NULL, &e));
    REFUSED(gf_reduce_by_key(queue, NULL, GF_U64, a, a, 4, b, b, 4, &found, room, sizeof room, &e));
    REFUSED(gf_reduce_by_key(queue, &reduce, GF_U64, NULL, a, 4, b, b, 4, &found, room, sizeof room, &e));
    REFUSED(gf_reduce_by_key(queue, &reduce, GF_U64, a, NULL, 4, b, b, 4, &found, room, sizeof room, &e));
    REFUSED(gf_reduce_by_key(queue, &reduce, GF_U64, a, a, 4, b, NULL, 4, &found, room, sizeof room, &e));
    REFUSED(gf_reduce_by_key(queue, &reduce, GF_U64, a, a, 4, b, b, 4, NULL, room, sizeof room, &e));
    REFUSED(gf_scan_by_key_scratch(GF_DEVICE_CPU, NULL, GF_U64, 4, &n, &e));
    REFUSED(gf_scan_by_key_scratch(GF_DEVICE_CPU, &scan, GF_U64, 4, NULL, &e));
    REFUSED(gf_scan_by_key(queue, NULL, GF_U64, a, a, 4, b, room, sizeof room, &e));
    REFUSED(gf_scan_by_key(queue, &scan, GF_U64, NULL, a, 4, b, room, sizeof room, &e));
    REFUSED(gf_scan_by_key(queue, &scan, GF_U64, a, NULL, 4, b, room, sizeof room, &e));
    REFUSED(gf_scan_by_key(queue, &scan, GF_U64, a, a, 4, NULL, room, sizeof room, &e));
    REFUSED(gf_segmented_scan_scratch(GF_DEVICE_CPU, NULL, 4, 2, &n, &e));
    REFUSED(gf_segmented_scan_scratch(GF_DEVICE_CPU, &scan, 4, 2, NULL, &e));
    REFUSED(gf_segmented_scan(queue, NULL, a, 4, offsets, 2, b, room, sizeof room, &e));
    REFUSED(gf_segmented_scan(queue, &scan, NULL, 4, offsets, 2, b, room, sizeof room, &e));
    REFUSED(gf_segmented_scan(queue, &scan, a, 4, NULL, 2, b, room, sizeof room, &e));
    REFUSED(gf_segmented_scan(queue, &scan, a, 4, offsets, 2, NULL, room, sizeof room, &e));
    REFUSED(gf_segmented_reduce_scratch(GF_DEVICE_CPU, NULL, 4, 2, &n, &e));
    REFUSED(gf_segmented_reduce_scratch(GF_DEVICE_CPU, &reduce, 4, 2, NULL, &e));
    REFUSED(gf_segmented_reduce(queue, NULL, a, 4, offsets, 2, b, room, sizeof room, &e));
    REFUSED(gf_segmented_reduce(queue, &reduce, NULL, 4, offsets, 2, b, room, sizeof room, &e));
    REFUSED(gf_segmented_reduce(queue, &reduce, a, 4, NULL, 2, b, room, sizeof room, &e));
    REFUSED(gf_segmented_reduce(queue, &reduce, a, 4, offsets, 2, NULL, room, sizeof room, &e));
}

/* The calls of one primitive, with a type in its options, and sizes. */
#define NO_OPTIONS(primitive, type, ...)                                                                     \
    REFUSED(gf_##primitive##_scratch(GF_DEVICE_CPU, NULL, __VA_ARGS__, &n, &e));                             \
    REFUSED(gf_##primitive##_scratch(GF_DEVICE_CPU, &type, __VA_ARGS__, NULL, &e))

static void selections(const gf_queue queue)
{
    static const int64_t all[] = {0, 4};
    static uint64_t a[8], b[8];
    static _Alignas(256) uint64_t scratch[1 << 15];
    enum { room = sizeof scratch };
    gf_compact_options compact = GF_COMPACT_OPTIONS_INIT;
    gf_sort_options sort = GF_SORT_OPTIONS_INIT;
    gf_top_k_options top_k = GF_TOP_K_OPTIONS_INIT;
    REFUSED(gf_segmented_sort_scratch(GF_DEVICE_CPU, NULL, 4, 1, &n, &e));
    REFUSED(gf_segmented_sort_scratch(GF_DEVICE_CPU, &sort, 4, 1, NULL, &e));
    REFUSED(gf_top_k_scratch(GF_DEVICE_CPU, NULL, 4, 2, &n, &e));
    REFUSED(gf_top_k_scratch(GF_DEVICE_CPU, &top_k, 4, 2, NULL, &e));
    REFUSED(gf_partition(queue, NULL, a, 4, b, a, scratch, room, &e));
    REFUSED(gf_partition(queue, &compact, NULL, 4, b, a, scratch, room, &e));
    REFUSED(gf_partition(queue, &compact, a, 4, NULL, a, scratch, room, &e));
    REFUSED(gf_partition(queue, &compact, a, 4, b, NULL, scratch, room, &e));
    REFUSED(gf_segmented_sort(queue, NULL, a, NULL, 4, all, 1, b, NULL, scratch, room, &e));
    REFUSED(gf_segmented_sort(queue, &sort, NULL, NULL, 4, all, 1, b, NULL, scratch, room, &e));
    REFUSED(gf_segmented_sort(queue, &sort, a, NULL, 4, NULL, 1, b, NULL, scratch, room, &e));
    REFUSED(gf_segmented_sort(queue, &sort, a, NULL, 4, all, 1, NULL, NULL, scratch, room, &e));
    REFUSED(gf_top_k(queue, NULL, a, 4, 2, b, NULL, scratch, room, &e));
    REFUSED(gf_top_k(queue, &top_k, NULL, 4, 2, b, NULL, scratch, room, &e));
    REFUSED(gf_top_k(queue, &top_k, a, 4, 2, NULL, NULL, scratch, room, &e));
    CHECK_EQ_INT(gf_top_k_places(4), GF_U32); /* which takes no pointer */
    compact.keep = GF_KEEP_FLAGS;
    REFUSED(gf_partition(queue, &compact, a, 4, b, a, scratch, room, &e));
}

static void primitives(void)
{
    const gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_reduce_options reduce = GF_REDUCE_OPTIONS_INIT;
    gf_scan_options scan = GF_SCAN_OPTIONS_INIT;
    gf_compact_options compact = GF_COMPACT_OPTIONS_INIT;
    gf_histogram_options histogram = GF_HISTOGRAM_OPTIONS_INIT;
    gf_search_options search = GF_SEARCH_OPTIONS_INIT;
    gf_sort_options sort = GF_SORT_OPTIONS_INIT;
    gf_matmul_options matmul = GF_MATMUL_OPTIONS_INIT;
    gf_spmv_options spmv = GF_SPMV_OPTIONS_INIT;
    static uint64_t a[8], b[8];
    static _Alignas(256) uint64_t scratch[1 << 15];
    enum { room = sizeof scratch };
    e = (gf_error)GF_ERROR_INIT;
    NO_OPTIONS(reduce, reduce, 4);
    NO_OPTIONS(scan, scan, 4);
    NO_OPTIONS(compact, compact, 4);
    NO_OPTIONS(partition, compact, 4);
    NO_OPTIONS(histogram, histogram, 4);
    REFUSED(gf_search_scratch(GF_DEVICE_CPU, &search, 4, &n, &e)); /* the value to look for is NULL */
    search.value = a;
    NO_OPTIONS(search, search, 4);
    NO_OPTIONS(sort, sort, 4);
    NO_OPTIONS(merge, sort, 2, 2);
    NO_OPTIONS(matmul, matmul, 2, 2, 2);
    REFUSED(gf_reduce(queue, NULL, a, 4, b, scratch, room, &e));
    REFUSED(gf_reduce(queue, &reduce, NULL, 4, b, scratch, room, &e));
    REFUSED(gf_reduce(queue, &reduce, a, 4, NULL, scratch, room, &e));
    REFUSED(gf_scan(queue, NULL, a, 4, b, scratch, room, &e));
    REFUSED(gf_scan(queue, &scan, NULL, 4, b, scratch, room, &e));
    REFUSED(gf_scan(queue, &scan, a, 4, NULL, scratch, room, &e));
    REFUSED(gf_compact(queue, NULL, a, 4, b, 4, a, scratch, room, &e));
    REFUSED(gf_compact(queue, &compact, NULL, 4, b, 4, a, scratch, room, &e));
    REFUSED(gf_compact(queue, &compact, a, 4, NULL, 4, a, scratch, room, &e));
    REFUSED(gf_compact(queue, &compact, a, 4, b, 4, NULL, scratch, room, &e));
    compact.keep = GF_KEEP_FLAGS;
    REFUSED(gf_compact(queue, &compact, a, 4, b, 4, a, scratch, room, &e));
    REFUSED(gf_histogram(queue, NULL, a, 4, scratch, scratch, room, &e));
    REFUSED(gf_histogram(queue, &histogram, NULL, 4, scratch, scratch, room, &e));
    REFUSED(gf_histogram(queue, &histogram, a, 4, NULL, scratch, room, &e));
    REFUSED(gf_search(queue, NULL, a, 4, (int64_t *)b, NULL, 0, scratch, room, &e));
    REFUSED(gf_search(queue, &search, NULL, 4, (int64_t *)b, NULL, 0, scratch, room, &e));
    REFUSED(gf_search(queue, &search, a, 4, NULL, NULL, 0, scratch, room, &e));
    search.mode = GF_SEARCH_ALL;
    REFUSED(gf_search(queue, &search, a, 4, (int64_t *)b, NULL, 4, scratch, room, &e));
    REFUSED(gf_sort(queue, NULL, a, NULL, 4, b, NULL, scratch, room, &e));
    REFUSED(gf_sort(queue, &sort, NULL, NULL, 4, b, NULL, scratch, room, &e));
    REFUSED(gf_sort(queue, &sort, a, NULL, 4, NULL, NULL, scratch, room, &e));
    REFUSED(gf_merge(queue, NULL, a, NULL, 2, a, NULL, 2, b, NULL, scratch, room, &e));
    REFUSED(gf_merge(queue, &sort, NULL, NULL, 2, a, NULL, 2, b, NULL, scratch, room, &e));
    REFUSED(gf_merge(queue, &sort, a, NULL, 2, NULL, NULL, 2, b, NULL, scratch, room, &e));
    REFUSED(gf_merge(queue, &sort, a, NULL, 2, a, NULL, 2, NULL, NULL, scratch, room, &e));
    CHECK_EQ_INT(gf_reduce_result(GF_REDUCE_SUM, GF_U8), GF_U64); /* which takes no pointer */
    REFUSED(gf_matmul(queue, NULL, a, a, 2, 2, 2, b, scratch, room, &e));
    REFUSED(gf_matmul(queue, &matmul, NULL, a, 2, 2, 2, b, scratch, room, &e));
    REFUSED(gf_matmul(queue, &matmul, a, NULL, 2, 2, 2, b, scratch, room, &e));
    REFUSED(gf_matmul(queue, &matmul, a, a, 2, 2, 2, NULL, scratch, room, &e));
    selections(queue);
    stencils(queue);
    transforms(queue);
    graphs(queue);
    loops(queue);
    segments(queue);
    places(queue);
    matrices(queue, &spmv);
    sort.value_size = 4;
    REFUSED(gf_sort(queue, &sort, a, NULL, 4, b, b, scratch, room, &e));
    REFUSED(gf_sort(queue, &sort, a, a, 4, b, NULL, scratch, room, &e));
    REFUSED(gf_merge(queue, &sort, a, NULL, 2, a, a, 2, b, b, scratch, room, &e));
    REFUSED(gf_merge(queue, &sort, a, a, 2, a, NULL, 2, b, b, scratch, room, &e));
    REFUSED(gf_merge(queue, &sort, a, a, 2, a, a, 2, b, NULL, scratch, room, &e));
    CHECK(gf_primitive_variant(NULL, 0) == NULL && gf_primitive_missing_variant(NULL, 0) == NULL &&
          gf_primitive_at(1000) == NULL);
    CHECK(gf_compact_result(NULL, 4) == GF_U8 && gf_matmul_result(GF_U8) == GF_S32);
    gf_vendor_load(NULL, NULL); /* the file beside the library, or none */
}

static const struct check_case cases[] = {{"array primitives", primitives}};
CHECK_MAIN(cases)
