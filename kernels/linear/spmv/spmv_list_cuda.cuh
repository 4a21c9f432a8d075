/* "auto" of spmv on CUDA: rows that are too long for the first kernel, in lists that it writes on the device,
 * and the kernels that work them off. */
#ifndef GF_LINEAR_SPMV_LIST_CUDA_CUH
#define GF_LINEAR_SPMV_LIST_CUDA_CUH

#include "array/common/expand_cuda.cuh"
#include "base/planted_fault.h"
#include "linear/spmv/spmv_cuda.cuh"

constexpr int GF_SPMV_WARPS = 8;          /* of a block */
constexpr int GF_SPMV_FINISHERS = 32;     /* of a block that adds the sums of chains */
constexpr int GF_SPMV_SHORT = 64;         /* entries of the longest row that a lane takes by itself */
constexpr int GF_SPMV_STEP = GF_WARP;     /* entries of a chain that a warp has in shared memory */
constexpr int GF_SPMV_STREAMS = 8;        /* chains that it takes at once */
constexpr int GF_SPMV_AT_ONCE = 4;        /* entries that a lane takes from there at once */
constexpr int GF_SPMV_MOST_BLOCKS = 1056; /* of the chains' kernel: eight on a processor of 132 */

/* A row of several chains. */
struct gf_spmv_long {
    int64_t row, base; /* base: its first chain among those of all */
};

/* Scratch memory. Rows and chains are counted in one word, the high and the low 32 bits, so that the list is
 * in the order of `base`. */
struct gf_spmv_list {
    uint64_t *counts; /* [0]: of `rows` and their chains; [1]: of `huge`; [2]: of `middling` */
    gf_spmv_long *rows;
    int64_t *huge;     /* where in `rows` those are that have more chains than are added at once */
    int64_t *middling; /* rows of one chain that is not short */
    void *sums;        /* of each chain, and of later levels of each row, at the same places */
    void *folded;      /* of every 256 of them; row i of the list begins at base / 256 + i */
};

GF_DEVICE_FN int64_t gf_spmv_count_rows(uint64_t counts)
{
    return static_cast<int64_t>(counts >> 32);
}

GF_DEVICE_FN int64_t gf_spmv_count_chains(uint64_t counts)
{
    return static_cast<int64_t>(counts & 0xffffffffU);
}

/* Puts the rows of a warp's lanes, of n entries each, into the lists that they belong to. All lanes. */
GF_DEVICE_FN void gf_spmv_enlist(const gf_spmv_list &list, int64_t row, int64_t n)
{
    const bool is_long = n > GF_SPMV_CHAIN, is_middling = n > GF_SPMV_SHORT && !is_long;
    if (gf_any(is_middling)) {
        const uint64_t at = gf_warp_take(list.counts + 2, is_middling);
        if (is_middling) {
            list.middling[at] = row;
        }
    }
    if (gf_any(is_long)) {
        const uint64_t chains = static_cast<uint64_t>((n + GF_SPMV_CHAIN - 1) / GF_SPMV_CHAIN);
        const uint64_t before = gf_warp_take(list.counts, is_long ? uint64_t(1) << 32 | chains : 0);
        if (is_long) {
            list.rows[gf_spmv_count_rows(before)] = {row, gf_spmv_count_chains(before)};
        }
        if (is_long && chains > GF_SPMV_FOLDED) {
            list.huge[gf_atomic_add(list.counts + 1, uint64_t(1))] = gf_spmv_count_rows(before);
        }
    }
}

/* ---- Entries in shared memory -------------------------------------------------------------------------------- */

/* An element is left out behind every 32, so that rows of equal length begin in different banks. */
GF_DEVICE_FN int gf_spmv_place(int i)
{
    return i + (i >> 5);
}

GF_DEVICE_FN int gf_spmv_within(int64_t i, int most)
{
    return i < 0 ? 0 : i < most ? static_cast<int>(i) : most;
}

/* Adds the products of entries `at` to `stop` - 1 of the window to a chain. Four are loaded at once, so that
 * the chain waits for shared memory once for them. */
template <class T> GF_DEVICE_FN T gf_spmv_add(const T *factors, const T *elements, int at, int stop, T sum)
{
    for (; at < stop; at += GF_SPMV_AT_ONCE) {
        T factor[GF_SPMV_AT_ONCE], element[GF_SPMV_AT_ONCE];
        GF_UNROLL
        for (int k = 0; k < GF_SPMV_AT_ONCE; k++) {
            const int place = gf_spmv_place(at + k < stop ? at + k : stop - 1);
            factor[k] = factors[place];
            element[k] = elements[place];
        }
        GF_UNROLL
        for (int k = 0; k < GF_SPMV_AT_ONCE; k++) {
            if (at + k < stop) {
                sum = gf_matmul_add(factor[k], element[k], sum);
            }
        }
    }
    return sum;
}

/* ---- Chains --------------------------------------------------------------------------------------------------- */

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

/* The entries of the first lanes' chains, one each; other lanes have none. A warp loads 32 entries of a chain
 * together, from a place that is a multiple of 32 on: whole lines of memory, each once, as what many warps
 * read side by side does not stay in a cache for long. Then each lane adds those of its own. */
template <class T>
GF_DEVICE_FN T gf_spmv_chains_sum(const gf_spmv_args &g, int64_t start, int64_t stop, T *factors, T *elements)
{
    const T *const values = static_cast<const T *>(g.values), *const x = static_cast<const T *>(g.x);
    const int PITCH = GF_SPMV_STEP + 1, own = static_cast<int>(gf_lane());
    const int64_t base = start / GF_SPMV_STEP * GF_SPMV_STEP;
    const int first = static_cast<int>(start - base), last = static_cast<int>(stop - base);
    T sum = 0;
    for (int step = 0; gf_any(step < last); step += GF_SPMV_STEP) {
        uint32_t index[GF_SPMV_STREAMS];
        T value[GF_SPMV_STREAMS];
        bool has[GF_SPMV_STREAMS];
        GF_UNROLL
        for (int k = 0; k < GF_SPMV_STREAMS; k++) {
            const int64_t e = gf_shfl(base, static_cast<unsigned>(k)) + step + own;
            const int from = gf_shfl(first, static_cast<unsigned>(k));
            has[k] = step + own < gf_shfl(last, static_cast<unsigned>(k));
            has[k] = step + own >= from && has[k];
            index[k] = has[k] ? gf_load_as<uint32_t>(g.indices + e, GF_STREAM) : 0;
            value[k] = has[k] ? gf_load_as<T>(values + e, GF_STREAM) : T(0);
        }
        GF_UNROLL
        for (int k = 0; k < GF_SPMV_STREAMS; k++) {
            if (has[k]) {
                factors[k * PITCH + own] = value[k];
                elements[k * PITCH + own] = x[index[k]];
            }
        }
        gf_syncwarp();
        if (own < GF_SPMV_STREAMS) {
            sum = gf_spmv_add(factors + own * PITCH, elements + own * PITCH,
                              gf_spmv_within(first - step, GF_SPMV_STEP),
                              gf_spmv_within(last - step, GF_SPMV_STEP), sum);
        }
        gf_syncwarp();
    }
    return sum;
}

/* Chains of long rows, then middling rows, eight to a warp. */
template <class T>
static __global__ void __launch_bounds__(GF_SPMV_WARPS *GF_WARP)
    gf_spmv_chains(const gf_spmv_args g, const gf_spmv_list list)
{
    const unsigned ROOM = (GF_SPMV_STEP + 1) * GF_SPMV_STREAMS;
    GF_SHARED(T, factors, GF_SPMV_WARPS * ROOM);
    GF_SHARED(T, elements, GF_SPMV_WARPS * ROOM);
    const int64_t rows = gf_spmv_count_rows(list.counts[0]), chains = gf_spmv_count_chains(list.counts[0]);
    const int64_t all = chains + static_cast<int64_t>(list.counts[2]) - GF_FAULT(cuda_spmv_list);
    const int64_t step = int64_t(gridDim.x) * GF_SPMV_WARPS * GF_SPMV_STREAMS;
    const int64_t own = (int64_t(blockIdx.x) * GF_SPMV_WARPS + gf_warp()) * GF_SPMV_STREAMS;
    for (int64_t first = own; first < all; first += step) {
        const int64_t at = first + gf_lane();
        const bool has = gf_lane() < GF_SPMV_STREAMS && at < all, is_long = has && at < chains;
        int64_t start = 0, stop = 0;
        gf_spmv_long r = {0, at};
        if (has) {
            r = is_long ? gf_spmv_row_of(list, rows, at) : gf_spmv_long{list.middling[at - chains], at};
            const int64_t end = g.offsets[r.row + 1];
            start = g.offsets[r.row] + (at - r.base) * GF_SPMV_CHAIN;
            stop = end - start < GF_SPMV_CHAIN ? end : start + GF_SPMV_CHAIN;
            stop -= GF_FAULT(cuda_spmv_chain) && stop < end; /* an entry between two chains */
        }
        const T sum =
            gf_spmv_chains_sum<T>(g, start, stop, factors + gf_warp() * ROOM, elements + gf_warp() * ROOM);
        if (is_long) {
            static_cast<T *>(list.sums)[at] = sum;
        } else if (has) {
            static_cast<T *>(g.y)[r.row] = gf_matmul_finish(sum);
        }
    }
}

/* ---- Their sums ------------------------------------------------------------------------------------------------- */

/* The sum of 1 to 256 sums in order, by a warp. */
template <class T> GF_DEVICE_FN T gf_spmv_fold_group(const T *from, int n)
{
    const int LOADS = GF_SPMV_FOLDED / GF_WARP;
    T value[LOADS];
    GF_UNROLL
    for (int i = 0; i < LOADS; i++) {
        const int at = i * GF_WARP + static_cast<int>(gf_lane());
        value[i] = at < n ? from[at] : T(0);
    }
    T sum = gf_shfl(value[0], 0);
    GF_UNROLL
    for (int i = 0; i < LOADS; i++) {
        if (i * GF_WARP >= n) {
            break;
        }
        GF_UNROLL
        for (int lane = 0; lane < GF_WARP; lane++) {
            const T next = gf_shfl(value[i], static_cast<unsigned>(lane));
            if (i + lane > 0 && i * GF_WARP + lane < n) {
                sum += next;
            }
        }
    }
    return sum;
}

/* The sum of row i of the list, by a block: its warps add 256 sums each, until one is left. */
template <class T>
GF_DEVICE_FN void gf_spmv_fold_huge(const gf_spmv_args &g, const gf_spmv_list &list, int64_t i)
{
    const gf_spmv_long r = list.rows[i];
    T *from = static_cast<T *>(list.sums) + r.base;
    T *to = static_cast<T *>(list.folded) + r.base / GF_SPMV_FOLDED + i;
    int64_t n = (g.offsets[r.row + 1] - g.offsets[r.row] + GF_SPMV_CHAIN - 1) / GF_SPMV_CHAIN;
    while (n > 1) {
        const int64_t groups = (n + GF_SPMV_FOLDED - 1) / GF_SPMV_FOLDED;
        for (int64_t group = gf_warp(); group < groups; group += GF_SPMV_FINISHERS) {
            const int64_t begin = group * GF_SPMV_FOLDED;
            const T sum = gf_spmv_fold_group(from + begin, gf_spmv_within(n - begin, GF_SPMV_FOLDED));
            if (gf_lane() == 0) {
                to[group] = sum;
            }
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

/* A warp a row; a block those that have more sums than a warp adds at once. */
template <class T>
static __global__ void __launch_bounds__(GF_SPMV_FINISHERS *GF_WARP, 1)
    gf_spmv_finish(const gf_spmv_args g, const gf_spmv_list list)
{
    const int64_t rows = gf_spmv_count_rows(list.counts[0]), huge = static_cast<int64_t>(list.counts[1]);
    const int64_t warps = int64_t(gridDim.x) * GF_SPMV_FINISHERS;
    for (int64_t i = int64_t(blockIdx.x) * GF_SPMV_FINISHERS + gf_warp(); i < rows; i += warps) {
        const gf_spmv_long r = list.rows[i];
        const int64_t n = (g.offsets[r.row + 1] - g.offsets[r.row] + GF_SPMV_CHAIN - 1) / GF_SPMV_CHAIN;
        if (n <= GF_SPMV_FOLDED) {
            const T sum = gf_spmv_fold_group(static_cast<T *>(list.sums) + r.base, static_cast<int>(n));
            if (gf_lane() == 0) {
                static_cast<T *>(g.y)[r.row] = gf_matmul_finish(sum);
            }
        }
    }
    for (int64_t i = blockIdx.x; i < huge; i += gridDim.x) {
        gf_spmv_fold_huge<T>(g, list, list.huge[i]);
    }
}

#endif
