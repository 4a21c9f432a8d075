/* "auto" of spmv on CUDA: short rows 32 to a warp, which loads their entries together into shared memory,
 * where a lane sums its own; longer rows go into lists. A second kernel takes the chains of these, eight to a
 * warp, whatever rows they are of, a third folds the sums of rows of several chains. So one row of everything
 * is the work of all, and rows without entries cost their offsets. Nothing waits for the host: only the
 * device knows how long the lists are. */
#include "base/device_scope_cuda.h"
#include "linear/spmv/spmv_list_cuda.cuh"

constexpr int GF_SPMV_WINDOW = 256; /* entries of short rows that a warp has in shared memory */
constexpr int GF_SPMV_LOADS = GF_SPMV_WINDOW / GF_WARP;
constexpr int GF_SPMV_ROOM = GF_SPMV_WINDOW + GF_SPMV_WINDOW / GF_WARP + GF_WARP;

/* ---- Short rows ----------------------------------------------------------------------------------------- */

/* Loads entries `from` to `end`, at most a window of them. */
template <class T>
GF_DEVICE_FN void gf_spmv_load(const gf_spmv_args &g, int64_t from, int64_t end, T *factors, T *elements)
{
    const T *const values = static_cast<const T *>(g.values), *const x = static_cast<const T *>(g.x);
    uint32_t index[GF_SPMV_LOADS];
    T value[GF_SPMV_LOADS];
    GF_UNROLL
    for (int i = 0; i < GF_SPMV_LOADS; i++) {
        const int64_t e = from + i * GF_WARP + gf_lane();
        index[i] = e < end ? gf_load_as<uint32_t>(g.indices + e, GF_STREAM) : 0; /* so that x stays */
        value[i] = e < end ? gf_load_as<T>(values + e, GF_STREAM) : T(0);
    }
    GF_UNROLL
    for (int i = 0; i < GF_SPMV_LOADS; i++) {
        const int at = gf_spmv_place(i * GF_WARP + static_cast<int>(gf_lane()));
        if (from + i * GF_WARP + gf_lane() < end) {
            factors[at] = value[i];
            elements[at] = x[index[i]];
        }
    }
}

/* The sums of a warp's short rows; `pending`: lanes whose rows are longer, which are passed over. */
template <class T>
GF_DEVICE_FN T gf_spmv_short(const gf_spmv_args &g, int64_t start, int64_t stop, uint32_t pending, T *factors,
                             T *elements)
{
    const bool is_long = (pending >> gf_lane() & 1) != 0;
    const int64_t last = gf_shfl(stop, GF_WARP - 1);
    T sum = 0;
    for (int64_t from = gf_shfl(start, 0); from < last;) {
        const unsigned next = pending ? static_cast<unsigned>(__ffs(static_cast<int>(pending))) - 1 : 0;
        const int64_t limit = pending ? gf_shfl(start, next) : last;
        if (pending && from == limit) {
            from = gf_shfl(stop, next);
            pending &= pending - 1;
            continue;
        }
        const int64_t end = limit - from < GF_SPMV_WINDOW ? limit : from + GF_SPMV_WINDOW;
        gf_spmv_load<T>(g, from, end, factors, elements);
        if (!GF_FAULT(cuda_spmv_window)) {
            gf_syncwarp();
        }
        const int many = static_cast<int>(end - from);
        const int until = is_long ? 0 : gf_spmv_within(stop - from, many);
        sum = gf_spmv_add(factors, elements, gf_spmv_within(start - from, many), until, sum);
        gf_syncwarp(); /* before the next window overwrites this one */
        from = end;
    }
    return sum;
}

template <class T>
static __global__ void __launch_bounds__(GF_SPMV_WARPS *GF_WARP)
    gf_spmv_rows(const gf_spmv_args g, const gf_spmv_list list)
{
    GF_SHARED(T, factors, GF_SPMV_WARPS * GF_SPMV_ROOM);
    GF_SHARED(T, elements, GF_SPMV_WARPS * GF_SPMV_ROOM);
    const int64_t row = gf_thread_index();
    if (row - gf_lane() >= g.rows) {
        return; /* all of the warp */
    }
    const int64_t start = g.offsets[row < g.rows ? row : g.rows];
    const int64_t stop = g.offsets[row < g.rows ? row + 1 : g.rows];
    const bool is_short = stop - start <= GF_SPMV_SHORT;
    gf_spmv_enlist(list, row, stop - start);
    const unsigned at = gf_warp() * GF_SPMV_ROOM;
    const T sum = gf_spmv_short<T>(g, start, stop, gf_ballot(!is_short), factors + at, elements + at);
    if (row < g.rows && is_short) {
        static_cast<T *>(g.y)[row] = gf_matmul_finish(sum);
    }
}

/* ---- The call ------------------------------------------------------------------------------------------------------- */

/* Lays out lists for as many rows as there are at most; bytes of it all. */
static size_t gf_spmv_lay_out(const struct gf_array_call *array, char *memory, struct gf_spmv_list *list)
{
    const int64_t entries = gf_spmv_call_of(array)->matrix.entries;
    const int64_t rows = entries / (GF_SPMV_CHAIN + 1), chains = entries / GF_SPMV_CHAIN + rows + 1;
    const int64_t middling = entries / (GF_SPMV_SHORT + 1);
    const size_t size = gf_depth_size(array->options.type);
    size_t at = 256;
    list->counts = reinterpret_cast<uint64_t *>(memory);
    list->rows = reinterpret_cast<gf_spmv_long *>(memory + at);
    at += (static_cast<size_t>(rows) * sizeof(gf_spmv_long) + 255) / 256 * 256;
    list->huge = reinterpret_cast<int64_t *>(memory + at);
    at += (static_cast<size_t>(entries / GF_SPMV_GROUP + 1) * sizeof(int64_t) + 255) / 256 * 256;
    list->middling = reinterpret_cast<int64_t *>(memory + at);
    at += (static_cast<size_t>(middling) * sizeof(int64_t) + 255) / 256 * 256;
    list->sums = memory + at;
    at += (static_cast<size_t>(chains) * size + 255) / 256 * 256;
    list->folded = memory + at;
    return at + (static_cast<size_t>(chains / GF_SPMV_FOLDED + rows + 1) * size + 255) / 256 * 256;
}

gf_status gf_spmv_cuda_check(const struct gf_array_call *array, gf_error *error)
{
    const int64_t entries = gf_spmv_call_of(array)->matrix.entries, most = INT64_C(1) << 38;
    return entries <= most ? GF_OK
                           : gf_fail(error, GF_ERROR_UNSUPPORTED,
                                     "spmv: %lld entries are too many, must be at most 2^38 on CUDA",
                                     static_cast<long long>(entries));
}

static bool gf_spmv_has_list(const struct gf_array_call *array)
{
    return gf_spmv_call_of(array)->matrix.entries > GF_SPMV_SHORT;
}

size_t gf_spmv_cuda_scratch(const struct gf_array_call *array)
{
    struct gf_spmv_list list;
    return gf_spmv_has_list(array) ? gf_spmv_lay_out(array, nullptr, &list) : 0;
}

gf_status gf_spmv_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_spmv_args g = gf_spmv_args_of(array);
    struct gf_spmv_list list = {};
    gf_launch c = {};
    c.block = dim3(GF_SPMV_WARPS * GF_WARP);
    c.stream = static_cast<cudaStream_t>(array->queue.stream);
    GF_ON_DEVICE(array->queue.device, error)
    if (gf_spmv_has_list(array)) {
        gf_spmv_lay_out(array, static_cast<char *>(array->scratch), &list);
        GF_CUDA_TRY(error, cudaMemsetAsync(list.counts, 0, 3 * sizeof *list.counts, c.stream));
    }
    return gf_dispatch_type<GF_SPMV_TYPES>(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        c.grid = dim3(gf_blocks(array->n, GF_SPMV_WARPS * GF_WARP));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_spmv_rows<T>), c, g, list));
        if (gf_spmv_has_list(array)) {
            const int64_t tasks = g.entries / (GF_SPMV_SHORT + 1) + 1;
            const unsigned blocks = gf_blocks(tasks, GF_SPMV_WARPS * GF_SPMV_STREAMS);
            c.grid = dim3(blocks < GF_SPMV_MOST_BLOCKS ? blocks : unsigned(GF_SPMV_MOST_BLOCKS));
            GF_CUDA_TRY(error, GF_LAUNCH((gf_spmv_chains<T>), c, g, list));
        }
        if (g.entries > GF_SPMV_CHAIN) {
            const unsigned blocks = gf_blocks(g.entries / GF_SPMV_CHAIN, GF_SPMV_FINISHERS);
            c.grid = dim3(blocks < GF_SPMV_MOST_BLOCKS / 4 ? blocks : unsigned(GF_SPMV_MOST_BLOCKS / 4));
            c.block = dim3(GF_SPMV_FINISHERS * GF_WARP);
            GF_CUDA_TRY(error, GF_LAUNCH((gf_spmv_finish<T>), c, g, list));
        }
        return GF_OK;
    });
}
