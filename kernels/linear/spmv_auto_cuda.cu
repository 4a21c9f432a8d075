/* "auto" of spmv on CUDA: short rows 32 to a warp, which loads their entries together into shared memory,
 * where a lane sums its own; rows of more than one chain go into a list, with room for the sums of their
 * chains. A second kernel takes these chains, 32 to a warp, whatever rows they are of, a third folds the sums
 * of each row. So one row of everything is the work of all, and rows without entries cost their offsets.
 * Nothing waits for the host: how long the list is only the device knows. */
#include "base/device_scope_cuda.h"
#include "base/gf_atomic.h"
#include "base/planted_fault.h"
#include "linear/spmv_cuda.cuh"

constexpr int GF_SPMV_WARPS = 8;    /* of a block */
constexpr int GF_SPMV_WINDOW = 256; /* entries of short rows that a warp has in shared memory */
constexpr int GF_SPMV_STEP = 8;     /* entries of a chain that it has there */
constexpr int GF_SPMV_LOADS = GF_SPMV_WINDOW / GF_WARP;
constexpr int GF_SPMV_MOST_BLOCKS =
    1056; /* of the kernels that go through the list: eight on a processor of 132 */
/* Rows of equal length begin in different banks: an element is left out behind every 32. */
constexpr int GF_SPMV_ROOM = GF_SPMV_WINDOW + GF_SPMV_WINDOW / GF_WARP + GF_WARP;

/* A row of several chains. */
struct gf_spmv_long {
    int64_t row, base; /* base: its first chain among those of all */
};

/* Scratch memory. Rows and chains are counted in one word, the high and the low 32 bits, so that the list is
 * in the order of `base`. */
struct gf_spmv_list {
    uint64_t *counts;
    gf_spmv_long *rows;
    void *sums;   /* of each chain, and of later levels of each row, at the same places */
    void *folded; /* of every 256 of them; row i of the list begins at base / 256 + i */
};

GF_DEVICE_FN int64_t gf_spmv_count_rows(uint64_t counts)
{
    return static_cast<int64_t>(counts >> 32);
}

GF_DEVICE_FN int64_t gf_spmv_count_chains(uint64_t counts)
{
    return static_cast<int64_t>(counts & 0xffffffffU);
}

/* ---- Rows of one chain ----------------------------------------------------------------------------------------- */

GF_DEVICE_FN int gf_spmv_place(int64_t i)
{
    return static_cast<int>(i + i / GF_WARP);
}

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
        index[i] = e < end ? g.indices[e] : 0;
        value[i] = e < end ? values[e] : T(0);
    }
    GF_UNROLL
    for (int i = 0; i < GF_SPMV_LOADS; i++) {
        const int at = gf_spmv_place(i * GF_WARP + gf_lane());
        if (from + i * GF_WARP + gf_lane() < end) {
            factors[at] = value[i];
            elements[at] = x[index[i]];
        }
    }
}

/* The sums of a warp's rows of one chain each; `pending`: lanes whose rows are longer, which are passed over.
 */
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
        const int64_t until = stop < end ? stop : end;
        for (int64_t e = start > from ? start : from; e < until && !is_long; e++) {
            const int at = gf_spmv_place(e - from);
            sum = gf_matmul_add(factors[at], elements[at], sum);
        }
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
    const bool is_long = stop - start > GF_SPMV_CHAIN;
    if (is_long) {
        const uint64_t chains = static_cast<uint64_t>((stop - start + GF_SPMV_CHAIN - 1) / GF_SPMV_CHAIN);
        const uint64_t before = gf_atomic_add(list.counts, uint64_t(1) << 32 | chains);
        list.rows[gf_spmv_count_rows(before)] = {row, gf_spmv_count_chains(before)};
    }
    const unsigned at = gf_warp() * GF_SPMV_ROOM;
    const T sum = gf_spmv_short<T>(g, start, stop, gf_ballot(is_long), factors + at, elements + at);
    if (row < g.rows && !is_long) {
        static_cast<T *>(g.y)[row] = gf_matmul_finish(sum);
    }
}

/* ---- Chains of longer rows ---------------------------------------------------------------------------------------- */

/* The row of the list that has the chain: the last whose base is not above it. */
GF_DEVICE_FN gf_spmv_long gf_spmv_row_of(const gf_spmv_list &list, int64_t rows, int64_t chain)
{
    int64_t low = 0, high = rows - 1;
    while (low < high) {
        const int64_t middle = low + (high - low + 1) / 2;
        if (list.rows[middle].base <= chain) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return list.rows[low];
}

/* Eight lanes load eight entries of a chain, next to each other; then each lane adds those of its own. Chains
 * of a warp are as far apart in shared memory as puts them into different banks. */
template <class T>
GF_DEVICE_FN T gf_spmv_chains_sum(const gf_spmv_args &g, int64_t start, int64_t stop, T *factors, T *elements)
{
    const T *const values = static_cast<const T *>(g.values), *const x = static_cast<const T *>(g.x);
    const int PITCH = GF_SPMV_STEP + 1, AT_ONCE = GF_WARP / GF_SPMV_STEP;
    const int own = static_cast<int>(gf_lane());
    T sum = 0;
    for (int64_t step = 0; gf_any(start + step < stop); step += GF_SPMV_STEP) {
        uint32_t index[GF_SPMV_STEP];
        T value[GF_SPMV_STEP];
        bool has[GF_SPMV_STEP];
        GF_UNROLL
        for (int k = 0; k < GF_SPMV_STEP; k++) {
            const unsigned chain = static_cast<unsigned>(k * AT_ONCE + own / GF_SPMV_STEP);
            const int64_t e = gf_shfl(start, chain) + step + own % GF_SPMV_STEP;
            has[k] = e < gf_shfl(stop, chain);
            index[k] = has[k] ? g.indices[e] : 0;
            value[k] = has[k] ? values[e] : T(0);
        }
        GF_UNROLL
        for (int k = 0; k < GF_SPMV_STEP; k++) {
            const int at = (k * AT_ONCE + own / GF_SPMV_STEP) * PITCH + own % GF_SPMV_STEP;
            if (has[k]) {
                factors[at] = value[k];
                elements[at] = x[index[k]];
            }
        }
        gf_syncwarp();
        for (int i = 0; i < GF_SPMV_STEP && start + step + i < stop; i++) {
            sum = gf_matmul_add(factors[own * PITCH + i], elements[own * PITCH + i], sum);
        }
        gf_syncwarp();
    }
    return sum;
}

template <class T>
static __global__ void __launch_bounds__(GF_SPMV_WARPS *GF_WARP)
    gf_spmv_chains(const gf_spmv_args g, const gf_spmv_list list)
{
    GF_SHARED(T, factors, GF_SPMV_WARPS * (GF_SPMV_STEP + 1) * GF_WARP);
    GF_SHARED(T, elements, GF_SPMV_WARPS * (GF_SPMV_STEP + 1) * GF_WARP);
    const uint64_t counts = *list.counts;
    const int64_t rows = gf_spmv_count_rows(counts), chains = gf_spmv_count_chains(counts);
    const unsigned at = gf_warp() * (GF_SPMV_STEP + 1) * GF_WARP;
    for (int64_t first = gf_thread_index() - gf_lane(); first < chains;
         first += int64_t(gridDim.x) * blockDim.x) {
        const int64_t chain = first + gf_lane();
        int64_t start = 0, stop = 0;
        if (chain < chains) {
            const gf_spmv_long r = gf_spmv_row_of(list, rows, chain);
            const int64_t end = g.offsets[r.row + 1];
            start = g.offsets[r.row] + (chain - r.base) * GF_SPMV_CHAIN;
            stop = end - start < GF_SPMV_CHAIN ? end : start + GF_SPMV_CHAIN;
            stop -= GF_FAULT(cuda_spmv_chain) && stop < end; /* an entry between two chains */
        }
        const T sum = gf_spmv_chains_sum<T>(g, start, stop, factors + at, elements + at);
        if (chain < chains) {
            static_cast<T *>(list.sums)[chain] = sum;
        }
    }
}

/* ---- Their sums ----------------------------------------------------------------------------------------------------- */

/* A block a row: each thread adds 256 sums in order, until one is left. */
template <class T>
static __global__ void __launch_bounds__(GF_SPMV_WARPS *GF_WARP)
    gf_spmv_finish(const gf_spmv_args g, const gf_spmv_list list)
{
    const int64_t rows = gf_spmv_count_rows(*list.counts);
    for (int64_t i = blockIdx.x; i < rows; i += gridDim.x) {
        const gf_spmv_long r = list.rows[i];
        T *from = static_cast<T *>(list.sums) + r.base;
        T *to = static_cast<T *>(list.folded) + r.base / GF_SPMV_FOLDED + i;
        int64_t n = (g.offsets[r.row + 1] - g.offsets[r.row] + GF_SPMV_CHAIN - 1) / GF_SPMV_CHAIN;
        while (n > 1) {
            const int64_t groups = (n + GF_SPMV_FOLDED - 1) / GF_SPMV_FOLDED;
            for (int64_t group = threadIdx.x; group < groups; group += blockDim.x) {
                const int64_t begin = group * GF_SPMV_FOLDED;
                const int64_t end = n - begin < GF_SPMV_FOLDED ? n : begin + GF_SPMV_FOLDED;
                T sum = from[begin];
                for (int64_t k = begin + 1; k < end; k++) {
                    sum += from[k];
                }
                to[group] = sum;
            }
            __syncthreads();
            T *const before = from;
            from = to;
            to = before;
            n = groups;
        }
        if (threadIdx.x == 0) {
            static_cast<T *>(g.y)[r.row] = gf_matmul_finish(from[0]);
        }
        __syncthreads();
    }
}

/* ---- The call ------------------------------------------------------------------------------------------------------- */

/* Rows of several chains that there are at most, and their chains: lays them out; bytes of it all. */
static size_t gf_spmv_lay_out(const struct gf_array_call *array, char *memory, struct gf_spmv_list *list)
{
    const int64_t entries = gf_spmv_call_of(array)->matrix.entries;
    const int64_t rows = entries / (GF_SPMV_CHAIN + 1), chains = entries / GF_SPMV_CHAIN + rows + 1;
    const size_t size = gf_depth_size(array->options.type);
    size_t at = 256;
    list->counts = reinterpret_cast<uint64_t *>(memory);
    list->rows = reinterpret_cast<gf_spmv_long *>(memory + at);
    at += (static_cast<size_t>(rows) * sizeof(gf_spmv_long) + 255) / 256 * 256;
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
    return gf_spmv_call_of(array)->matrix.entries > GF_SPMV_CHAIN;
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
        GF_CUDA_TRY(error, cudaMemsetAsync(list.counts, 0, sizeof *list.counts, c.stream));
    }
    return gf_dispatch_type<GF_SPMV_TYPES>(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        c.grid = dim3(gf_blocks(array->n, GF_SPMV_WARPS * GF_WARP));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_spmv_rows<T>), c, g, list));
        if (gf_spmv_has_list(array)) {
            const unsigned blocks = gf_blocks(g.entries / GF_SPMV_CHAIN + 1, GF_SPMV_WARPS * GF_WARP);
            c.grid = dim3(blocks < GF_SPMV_MOST_BLOCKS ? blocks : unsigned(GF_SPMV_MOST_BLOCKS));
            GF_CUDA_TRY(error, GF_LAUNCH((gf_spmv_chains<T>), c, g, list));
            GF_CUDA_TRY(error, GF_LAUNCH((gf_spmv_finish<T>), c, g, list));
        }
        return GF_OK;
    });
}
