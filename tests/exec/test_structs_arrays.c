/* Structs of other versions, given to the calls on arrays. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "gpufilter/adjacent.h"
#include "gpufilter/bounds.h"
#include "gpufilter/compact.h"
#include "gpufilter/fft.h"
#include "gpufilter/graph.h"
#include "gpufilter/histogram_2d.h"
#include "gpufilter/keyed.h"
#include "gpufilter/matmul.h"
#include "gpufilter/ragged.h"
#include "gpufilter/reduce.h"
#include "gpufilter/scan.h"
#include "gpufilter/search.h"
#include "gpufilter/segmented.h"
#include "gpufilter/sort.h"
#include "gpufilter/spmv.h"
#include "gpufilter/stencil.h"
#include "gpufilter/top_k.h"

static gf_error e;
#include "struct_sizes.h"

static const gf_queue cpu = {GF_DEVICE_CPU, NULL};
static uint64_t array[8], result[1 << 12];
static _Alignas(256) uint64_t scratch[1 << 12];

static gf_status with_reduce(void *given)
{
    return gf_reduce(cpu, given, array, 4, result, scratch, sizeof scratch, &e);
}

static gf_status with_scan(void *given)
{
    return gf_scan(cpu, given, array, 4, result, scratch, sizeof scratch, &e);
}

static gf_status with_compact(void *given)
{
    return gf_compact(cpu, given, array, 4, result, 4, result + 8, scratch, sizeof scratch, &e);
}

static gf_status with_partition(void *given)
{
    return gf_partition(cpu, given, array, 4, result, result + 8, scratch, sizeof scratch, &e);
}

static gf_status with_histogram(void *given)
{
    return gf_histogram(cpu, given, array, 4, result, scratch, sizeof scratch, &e);
}

static gf_status with_search(void *given)
{
    return gf_search(cpu, given, array, 4, (int64_t *)result, NULL, 0, scratch, sizeof scratch, &e);
}

static gf_status with_sort(void *given)
{
    return gf_sort(cpu, given, array, NULL, 4, result, NULL, scratch, sizeof scratch, &e);
}

static gf_status with_merge(void *given)
{
    return gf_merge(cpu, given, array, NULL, 2, array, NULL, 2, result, NULL, scratch, sizeof scratch, &e);
}

static const int64_t two[] = {0, 1, 4};

static gf_status with_segmented_sort(void *given)
{
    return gf_segmented_sort(cpu, given, array, NULL, 4, two, 2, result, NULL, scratch, sizeof scratch, &e);
}

static gf_status with_top_k(void *given)
{
    return gf_top_k(cpu, given, array, 4, 2, result, NULL, scratch, sizeof scratch, &e);
}

static const int64_t segments[] = {0, 1, 4};

static gf_status with_segmented_reduce(void *given)
{
    return gf_segmented_reduce(cpu, given, array, 4, segments, 2, result, scratch, sizeof scratch, &e);
}

static gf_status with_run_length(void *given)
{
    return gf_run_length(cpu, given, array, 4, result, NULL, NULL, 4, result + 8, scratch, sizeof scratch,
                         &e);
}

static gf_status with_reduce_by_key(void *given)
{
    return gf_reduce_by_key(cpu, given, GF_U8, array, array, 4, NULL, result, 4, result + 8, scratch,
                            sizeof scratch, &e);
}

static gf_status with_scan_by_key(void *given)
{
    return gf_scan_by_key(cpu, given, GF_U8, array, array, 4, result, scratch, sizeof scratch, &e);
}

static gf_status with_segmented_scan(void *given)
{
    return gf_segmented_scan(cpu, given, array, 4, segments, 2, result, scratch, sizeof scratch, &e);
}

static gf_status with_matmul(void *given)
{
    return gf_matmul(cpu, given, array, array, 1, 2, 2, result, scratch, sizeof scratch, &e);
}

static const int64_t offsets[] = {0, 1};
static const uint32_t columns[] = {0};
static const gf_csr one_entry = {sizeof one_entry, 1, 1, 1, offsets, columns, array};

static gf_status with_spmv(void *given)
{
    return gf_spmv(cpu, given, &one_entry, array, result, scratch, sizeof scratch, &e);
}

static const gf_spmv_options plain_spmv = GF_SPMV_OPTIONS_INIT;

static gf_status with_csr(void *given)
{
    return gf_spmv(cpu, &plain_spmv, given, array, result, scratch, sizeof scratch, &e);
}

static gf_status with_checked_csr(void *given)
{
    return gf_csr_check(cpu, given, (int64_t *)result, &e);
}

static const double weights[] = {1, 2, 3};
static const gf_stencil_window three = {sizeof three, 1, 3, weights};

static gf_status with_stencil(void *given)
{
    return gf_stencil(cpu, given, &three, array, 2, 2, result, scratch, sizeof scratch, &e);
}

static const gf_stencil_options plain_stencil = GF_STENCIL_OPTIONS_INIT;

static gf_status with_stencil_window(void *given)
{
    return gf_stencil(cpu, &plain_stencil, given, array, 2, 2, result, scratch, sizeof scratch, &e);
}

static gf_status with_fft(void *given)
{
    gf_fft_shape shape = GF_FFT_SHAPE_INIT;
    gf_fft_plan *plan;
    shape.columns = 2;
    gf_status status = gf_fft_plan_create(&shape, &plan, &e);
    if (status == GF_OK) {
        status = gf_fft(cpu, given, plan, (const float *)(const void *)array, (float *)(void *)result,
                        scratch, sizeof scratch, &e);
    }
    gf_fft_plan_destroy(plan);
    return status;
}

static gf_status with_fft_shape(void *given)
{
    gf_fft_plan *plan;
    const gf_status status = gf_fft_plan_create(given, &plan, &e);
    gf_fft_plan_destroy(plan);
    return status;
}

static const gf_csr one_edge = {sizeof one_edge, 1, 1, 1, offsets, columns, array};

static gf_status with_bfs(void *given)
{
    return gf_bfs(cpu, given, &one_edge, (int32_t *)result, NULL, scratch, sizeof scratch, &e);
}

static gf_status with_sssp(void *given)
{
    return gf_sssp(cpu, given, &one_edge, result, (int64_t *)result + 8, scratch, sizeof scratch, &e);
}

static gf_status with_components(void *given)
{
    return gf_components(cpu, given, &one_edge, (uint32_t *)result, scratch, sizeof scratch, &e);
}

static gf_status with_ragged(void *given)
{
    static const int32_t one[] = {1};
    return gf_ragged(cpu, given, one, 1, NULL, result, NULL, 0, NULL, scratch, sizeof scratch, &e);
}

static gf_status with_grid(void *given)
{
    gf_components_options o = GF_COMPONENTS_OPTIONS_INIT;
    o.grid = given;
    return gf_components(cpu, &o, NULL, (uint32_t *)result, scratch, sizeof scratch, &e);
}

static gf_status with_bounds(void *given)
{
    return gf_bounds(cpu, given, array, 4, array, 4, (int64_t *)result, scratch, sizeof scratch, &e);
}

static gf_status with_adjacent(void *given)
{
    return gf_adjacent_difference(cpu, given, array, 4, result, scratch, sizeof scratch, &e);
}

static gf_status with_unique(void *given)
{
    return gf_unique_by_key(cpu, given, array, array, 4, NULL, result, 4, result + 8, scratch, sizeof scratch,
                            &e);
}

static const gf_histogram_axis plain_axis = {sizeof plain_axis, GF_U8, 4, 0, 0};

static gf_status with_histogram_2d(void *given)
{
    return gf_histogram_2d(cpu, given, array, array, NULL, 4, result, scratch, sizeof scratch, &e);
}

static gf_status with_axis(void *given)
{
    gf_histogram_2d_options o = GF_HISTOGRAM_2D_OPTIONS_INIT;
    o.x = given;
    return gf_histogram_2d(cpu, &o, array, NULL, NULL, 4, result, scratch, sizeof scratch, &e);
}

static void every_size(void)
{
    REQUIRE(sizeof(void *) == 8 && make_fence());
    const gf_reduce_options reduce = GF_REDUCE_OPTIONS_INIT;
    const gf_scan_options scan = GF_SCAN_OPTIONS_INIT;
    const gf_compact_options compact = GF_COMPACT_OPTIONS_INIT;
    const gf_histogram_options histogram = GF_HISTOGRAM_OPTIONS_INIT;
    const gf_top_k_options top_k = GF_TOP_K_OPTIONS_INIT;
    const gf_sort_options sort = GF_SORT_OPTIONS_INIT;
    const gf_matmul_options matmul = GF_MATMUL_OPTIONS_INIT;
    const gf_spmv_options spmv = GF_SPMV_OPTIONS_INIT;
    const gf_stencil_options stencil = GF_STENCIL_OPTIONS_INIT;
    const gf_fft_options fft = GF_FFT_OPTIONS_INIT;
    const gf_fft_shape fft_shape = {sizeof fft_shape, 1, 1, 2, 0, 0, 0};
    const gf_run_length_options runs = GF_RUN_LENGTH_OPTIONS_INIT;
    const gf_bfs_options bfs = GF_BFS_OPTIONS_INIT;
    const gf_sssp_options sssp = GF_SSSP_OPTIONS_INIT;
    const gf_components_options components = GF_COMPONENTS_OPTIONS_INIT;
    const gf_ragged_options ragged = GF_RAGGED_OPTIONS_INIT;
    const gf_bounds_options bounds = GF_BOUNDS_OPTIONS_INIT;
    const gf_adjacent_options adjacent = GF_ADJACENT_OPTIONS_INIT;
    const gf_unique_by_key_options unique = GF_UNIQUE_BY_KEY_OPTIONS_INIT;
    gf_histogram_2d_options histogram_2d = GF_HISTOGRAM_2D_OPTIONS_INIT;
    histogram_2d.x = histogram_2d.y = &plain_axis;
    gf_grid grid = GF_GRID_INIT;
    grid.width = grid.height = 1;
    gf_search_options search = GF_SEARCH_OPTIONS_INIT;
    search.value = array;
    const struct kind kinds[] = {
        {"gf_reduce_options", with_reduce, sizeof reduce, 24, 0, &reduce},
        {"gf_scan_options", with_scan, sizeof scan, 32, 0, &scan},
        {"gf_scan_options, by key", with_scan_by_key, sizeof scan, 32, 0, &scan},
        {"gf_scan_options, segmented", with_segmented_scan, sizeof scan, 32, 0, &scan},
        {"gf_compact_options", with_compact, sizeof compact, 48, 0, &compact},
        {"gf_compact_options, partition", with_partition, sizeof compact, 48, 0, &compact},
        {"gf_histogram_options", with_histogram, sizeof histogram, 56, 0, &histogram},
        {"gf_histogram_2d_options", with_histogram_2d, sizeof histogram_2d, 64, 0, &histogram_2d},
        {"gf_histogram_axis", with_axis, sizeof plain_axis, 32, 0, &plain_axis},
        {"gf_bounds_options", with_bounds, sizeof bounds, 32, 0, &bounds},
        {"gf_adjacent_options", with_adjacent, sizeof adjacent, 24, 0, &adjacent},
        {"gf_unique_by_key_options", with_unique, sizeof unique, 24, 0, &unique},
        {"gf_search_options", with_search, sizeof search, 40, 0, &search},
        {"gf_sort_options", with_sort, sizeof sort, 32, 0, &sort},
        {"gf_run_length_options", with_run_length, sizeof runs, 24, 0, &runs},
        {"gf_reduce_options, by key", with_reduce_by_key, sizeof reduce, 24, 0, &reduce},
        {"gf_reduce_options, segmented", with_segmented_reduce, sizeof reduce, 24, 0, &reduce},
        {"gf_sort_options, merge", with_merge, sizeof sort, 32, 0, &sort},
        {"gf_sort_options, segmented_sort", with_segmented_sort, sizeof sort, 32, 0, &sort},
        {"gf_top_k_options", with_top_k, sizeof top_k, 24, 0, &top_k},
        {"gf_matmul_options", with_matmul, sizeof matmul, 64, 0, &matmul},
        {"gf_spmv_options", with_spmv, sizeof spmv, 24, 0, &spmv},
        {"gf_csr", with_csr, sizeof one_entry, 56, 0, &one_entry},
        {"gf_csr, checked", with_checked_csr, sizeof one_entry, 56, 0, &one_entry},
        {"gf_stencil_options", with_stencil, sizeof stencil, 64, 0, &stencil},
        {"gf_fft_options", with_fft, sizeof fft, 48, 0, &fft},
        {"gf_fft_shape", with_fft_shape, sizeof fft_shape, 48, 0, &fft_shape},
        {"gf_bfs_options", with_bfs, sizeof bfs, 48, 0, &bfs},
        {"gf_sssp_options", with_sssp, sizeof sssp, 48, 0, &sssp},
        {"gf_components_options", with_components, sizeof components, 24, 0, &components},
        {"gf_ragged_options", with_ragged, sizeof ragged, 88, 0, &ragged},
        {"gf_grid", with_grid, sizeof grid, 56, 0, &grid},
        {"gf_stencil_window", with_stencil_window, sizeof three, 24, 0, &three},
    };
    check_kinds(kinds, sizeof kinds / sizeof *kinds);
    remove_fence();
}

static const struct check_case cases[] = {{"every size of every struct", every_size}};
CHECK_MAIN(cases)
