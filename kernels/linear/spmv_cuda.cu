/* spmv on CUDA: "auto", where a warp loads the entries of 32 rows together, into shared memory, and a lane
 * sums one row; "scalar-row", where a thread walks along its row in memory, as published; "vector-row", where
 * a warp walks along one (N. Bell, M. Garland, "Implementing Sparse Matrix-Vector Multiplication on
 * Throughput-Oriented Processors", 2009). And the check of a matrix. */
#include "base/planted_fault.h"
#include "linear/matmul_cuda.cuh"
#include "linear/spmv_call.h"

#define SPMV_TYPES (GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_F64))

constexpr int GF_SPMV_WARPS = 8;    /* of a block of "auto" */
constexpr int GF_SPMV_WINDOW = 256; /* entries that a warp has in shared memory */
constexpr int GF_SPMV_LONG = 1024;  /* entries: rows of more are summed by all lanes, a chain each */

struct gf_spmv_args {
    int64_t rows, columns, entries;
    const int64_t *offsets;
    const uint32_t *indices;
    const void *values, *x;
    void *y;
};

static gf_spmv_args args_of(const struct gf_array_call *array)
{
    const gf_csr &m = gf_spmv_call_of(array)->matrix;
    gf_spmv_args g = {};
    g.rows = m.rows;
    g.columns = m.columns;
    g.entries = m.entries;
    g.offsets = m.offsets;
    g.indices = m.indices;
    g.values = m.values;
    g.x = array->in;
    g.y = array->out;
    return g;
}

/* ---- A row by one thread --------------------------------------------------------------------------------- */

template <class T> GF_DEVICE_FN T gf_spmv_chain(const gf_spmv_args &g, int64_t e, int64_t stop)
{
    const T *const values = static_cast<const T *>(g.values), *const x = static_cast<const T *>(g.x);
    stop = stop - e < GF_SPMV_CHAIN ? stop : e + GF_SPMV_CHAIN;
    T sum = 0;
    for (; e < stop; e++) {
        sum = gf_matmul_add(values[e], x[g.indices[e]], sum);
    }
    return sum;
}

template <class T> GF_DEVICE_FN T gf_spmv_sum(const gf_spmv_args &g, int64_t e, int64_t stop)
{
    T all = gf_spmv_chain<T>(g, e, stop);
    for (e += GF_SPMV_CHAIN; e < stop; e += GF_SPMV_CHAIN) {
        all += gf_spmv_chain<T>(g, e, stop);
    }
    return all;
}

template <class T> static __global__ void gf_spmv_scalar(const gf_spmv_args g)
{
    const int64_t row = gf_thread_index();
    if (row < g.rows) {
        static_cast<T *>(g.y)[row] = gf_matmul_finish(gf_spmv_sum<T>(g, g.offsets[row], g.offsets[row + 1]));
    }
}

/* ---- A row by a warp --------------------------------------------------------------------------------------- */

/* In an order of its own: a lane has every 32nd entry. */
template <class T> static __global__ void gf_spmv_vector(const gf_spmv_args g)
{
    const T *const values = static_cast<const T *>(g.values), *const x = static_cast<const T *>(g.x);
    const int64_t row = gf_thread_index() / GF_WARP;
    if (row >= g.rows) {
        return;
    }
    const int64_t stop = g.offsets[row + 1];
    T sum = 0;
    for (int64_t e = g.offsets[row] + gf_lane(); e < stop; e += GF_WARP) {
        sum = gf_matmul_add(values[e], x[g.indices[e]], sum);
    }
    for (unsigned step = GF_WARP / 2; step > 0; step /= 2) {
        sum += gf_shfl_down(sum, step);
    }
    if (gf_lane() == 0) {
        static_cast<T *>(g.y)[row] = gf_matmul_finish(sum);
    }
}

/* ---- 32 rows by a warp -------------------------------------------------------------------------------------- */

/* A long row: 32 chains at a time, and their sums in order. The same in all lanes. */
template <class T> GF_DEVICE_FN T gf_spmv_long(const gf_spmv_args &g, int64_t start, int64_t stop)
{
    const int64_t chains = (stop - start - 1) / GF_SPMV_CHAIN + 1;
    T all = 0;
    for (int64_t from = 0; from < chains; from += GF_WARP) {
        const int64_t mine = from + gf_lane();
        const T sum = mine < chains ? gf_spmv_chain<T>(g, start + mine * GF_SPMV_CHAIN, stop) : T(0);
        for (unsigned lane = 0; lane < GF_WARP; lane++) {
            const T next = gf_shfl(sum, lane);
            all = from + lane == 0 ? next : from + lane < chains ? all + next : all;
        }
    }
    return all;
}

/* Rows of which at least one is long: that by all lanes, each of the others by its own. */
template <class T> GF_DEVICE_FN T gf_spmv_uneven(const gf_spmv_args &g, int64_t start, int64_t stop)
{
    const bool is_long = stop - start > GF_SPMV_LONG;
    const uint32_t long_rows = gf_ballot(is_long);
    T mine = is_long ? T(0) : gf_spmv_sum<T>(g, start, stop);
    for (unsigned lane = 0; lane < GF_WARP; lane++) {
        if ((long_rows >> lane & 1) != 0) {
            const T sum = gf_spmv_long<T>(g, gf_shfl(start, lane), gf_shfl(stop, lane));
            mine = gf_lane() == lane ? sum : mine;
        }
    }
    return mine;
}

/* Short rows: what a window of their entries multiplies is loaded by neighbours, and a lane takes its row's.
 */
template <class T>
GF_DEVICE_FN T gf_spmv_staged(const gf_spmv_args &g, int64_t start, int64_t stop, T *factors, T *elements)
{
    const T *const values = static_cast<const T *>(g.values), *const x = static_cast<const T *>(g.x);
    const int64_t first = gf_shfl(start, 0), last = gf_shfl(stop, GF_WARP - 1);
    T all = 0, sum = 0;
    for (int64_t from = first; from < last; from += GF_SPMV_WINDOW) {
        const int64_t end = last - from < GF_SPMV_WINDOW ? last : from + GF_SPMV_WINDOW;
        for (int64_t e = from + gf_lane(); e < end; e += GF_WARP) {
            factors[e - from] = values[e];
            elements[e - from] = x[g.indices[e]];
        }
        if (!GF_FAULT(cuda_spmv_window)) {
            gf_syncwarp();
        }
        const int64_t until = stop < end ? stop : end;
        for (int64_t e = start > from ? start : from; e < until; e++) {
            if (e > start && (e - start) % GF_SPMV_CHAIN == 0) {
                all = e - start == GF_SPMV_CHAIN ? sum : all + sum;
                sum = 0;
            }
            sum = gf_matmul_add(factors[e - from], elements[e - from], sum);
        }
        gf_syncwarp(); /* before the next window overwrites this one */
    }
    return stop - start > GF_SPMV_CHAIN ? all + sum : sum;
}

template <class T>
static __global__ void __launch_bounds__(GF_SPMV_WARPS *GF_WARP) gf_spmv_rows(const gf_spmv_args g)
{
    GF_SHARED(T, factors, GF_SPMV_WARPS * GF_SPMV_WINDOW);
    GF_SHARED(T, elements, GF_SPMV_WARPS * GF_SPMV_WINDOW);
    const int64_t row = gf_thread_index();
    if (row - gf_lane() >= g.rows) {
        return; /* all of the warp */
    }
    const int64_t start = g.offsets[row < g.rows ? row : g.rows];
    const int64_t stop = g.offsets[row < g.rows ? row + 1 : g.rows];
    const unsigned at = gf_warp() * GF_SPMV_WINDOW;
    const T sum = gf_any(stop - start > GF_SPMV_LONG)
                      ? gf_spmv_uneven<T>(g, start, stop)
                      : gf_spmv_staged<T>(g, start, stop, factors + at, elements + at);
    if (row < g.rows) {
        static_cast<T *>(g.y)[row] = gf_matmul_finish(sum);
    }
}

/* ---- Launches ----------------------------------------------------------------------------------------------- */

static gf_launch launch_of(const struct gf_array_call *array, unsigned block, int64_t rows_a_block)
{
    gf_launch c = {};
    c.grid = dim3(gf_blocks(array->n, rows_a_block));
    c.block = dim3(block);
    c.stream = static_cast<cudaStream_t>(array->queue.stream);
    return c;
}

static unsigned block_of(const struct gf_array_call *array)
{
    return array->options.block > 0 ? static_cast<unsigned>(array->options.block) : 256;
}

gf_status gf_spmv_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_spmv_args g = args_of(array);
    const gf_launch c = launch_of(array, GF_SPMV_WARPS * GF_WARP, GF_SPMV_WARPS * GF_WARP);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_type<SPMV_TYPES>(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        GF_CUDA_TRY(error, GF_LAUNCH((gf_spmv_rows<T>), c, g));
        return GF_OK;
    });
}

gf_status gf_spmv_scalar_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_spmv_args g = args_of(array);
    const gf_launch c = launch_of(array, block_of(array), block_of(array));
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_type<SPMV_TYPES>(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        GF_CUDA_TRY(error, GF_LAUNCH((gf_spmv_scalar<T>), c, g));
        return GF_OK;
    });
}

gf_status gf_spmv_vector_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_spmv_args g = args_of(array);
    const gf_launch c = launch_of(array, block_of(array), block_of(array) / GF_WARP);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_type<SPMV_TYPES>(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        GF_CUDA_TRY(error, GF_LAUNCH((gf_spmv_vector<T>), c, g));
        return GF_OK;
    });
}

/* ---- The check ------------------------------------------------------------------------------------------------ */

/* -1, until a row is found to be wrong: as an unsigned number the greatest. */
static __global__ void gf_csr_begin(const gf_spmv_args g)
{
    uint64_t *const bad = static_cast<uint64_t *>(g.y);
    *bad = g.rows == 0 && g.offsets[0] != 0 ? 0 : ~uint64_t(0);
}

/* A thread a row. */
static __global__ void gf_csr_rows(const gf_spmv_args g)
{
    const int64_t row = gf_thread_index();
    if (row >= g.rows) {
        return;
    }
    uint64_t *const bad = static_cast<uint64_t *>(g.y);
    const int64_t start = g.offsets[row], stop = g.offsets[row + 1];
    bool right = start >= 0 && stop >= start && stop <= g.entries && (row > 0 || start == 0);
    for (int64_t e = start; right && e < stop; e++) {
        right = static_cast<int64_t>(g.indices[e]) < g.columns;
    }
    if (!right) {
        gf_atomic_min(bad, static_cast<uint64_t>(row));
    } else if (row == g.rows - 1 && stop != g.entries) {
        gf_atomic_min(bad, static_cast<uint64_t>(g.rows));
    }
}

gf_status gf_csr_check_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_spmv_args g = args_of(array);
    GF_ON_DEVICE(array->queue.device, error)
    gf_launch c = launch_of(array, 256, 256);
    gf_launch begin = c;
    begin.grid = begin.block = dim3(1);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_csr_begin, begin, g));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_csr_rows, c, g));
    return GF_OK;
}
