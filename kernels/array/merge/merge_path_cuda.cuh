/* Merging along merge paths (O. Green, R. McColl and D. Bader, "GPU Merge Path", 2012): the primitive "merge"
 * and the passes of the merge sort.
 *
 * The output is cut into tiles. Where a tile begins in both inputs is found beforehand, by binary search in
 * global memory; the block loads both parts into shared memory, and each thread finds its own few outputs
 * there in the same way. In shared memory, and between the passes of the merge sort, keys are codes
 * (sort_order.h): comparing them takes an instruction, whatever the type. */
#ifndef GF_ARRAY_MERGE_PATH_CUDA_CUH
#define GF_ARRAY_MERGE_PATH_CUDA_CUH

#include "array/sort/sort_cuda.h"
#include "array/sort/sort_key_cuda.cuh"
#include "base/planted_fault.h"

constexpr int GF_MERGE_ITEMS = 16; /* outputs of a thread */
constexpr uint32_t GF_MERGE_THREADS = 256, GF_MERGE_TILE = GF_MERGE_THREADS * GF_MERGE_ITEMS;

/* How many of the first k elements of the merge of n elements a and m elements b come from a. Equal elements
 * of a come first. first(i), second(i): the order of a[i], b[i]. */
template <class I, class A, class B> GF_DEVICE_FN I gf_merge_split(I n, I m, I k, A first, B second)
{
    I low = k > m ? k - m : 0, high = k < n ? k : n;
    while (low < high) {
        const I i = low + (high - low) / 2;
        const auto x = first(i), y = second(k - 1 - i);
        if (GF_FAULT(cuda_merge_unstable) ? !(x < y) : y < x) {
            high = i;
        } else {
            low = i + 1;
        }
    }
    return low;
}

/* The same of codes a and b. */
template <class T>
GF_DEVICE_FN uint32_t gf_merge_split_codes(const typename gf_sort_key<T>::bits *a, uint32_t n,
                                           const typename gf_sort_key<T>::bits *b, uint32_t m, uint32_t k)
{
    return gf_merge_split(
        n, m, k, [a](uint32_t i) { return gf_sort_key<T>::order(a[i]); },
        [b](uint32_t i) { return gf_sort_key<T>::order(b[i]); });
}

/* What is merged: a and b, or with width > 0 each two neighbouring runs of that width in a[0..a_count), the
 * last ones shorter. */
struct gf_merge_args {
    const void *a, *b, *a_values, *b_values;
    void *out, *values_out;
    int64_t a_count, b_count, width; /* width: 2^k, at least a tile */
    int64_t *splits;                 /* at the beginning of each tile */
    uint64_t flip;
    bool from_codes, to_codes; /* what is read, written: keys or codes */
};

template <class T>
GF_DEVICE_FN typename gf_sort_key<T>::bits gf_merge_code(const gf_merge_args &g,
                                                         typename gf_sort_key<T>::bits held)
{
    return g.from_codes ? held
                        : gf_sort_key<T>::code(held, static_cast<typename gf_sort_key<T>::bits>(g.flip));
}

/* The two runs that a place of the output is merged from. */
struct gf_merge_pair {
    int64_t first; /* of the output */
    int64_t a, b;  /* where the runs begin in their arrays */
    int64_t a_count, b_count;
};

GF_DEVICE_FN gf_merge_pair gf_merge_pair_at(const gf_merge_args &g, int64_t place)
{
    if (g.width == 0) {
        return {0, 0, 0, g.a_count, g.b_count};
    }
    const int64_t first = place & -2 * g.width, rest = g.a_count - first;
    const int64_t a_count = rest < g.width ? rest : g.width;
    const int64_t b_count = rest - a_count < g.width ? rest - a_count : g.width;
    return {first, first, first + a_count, a_count, b_count};
}

/* ---- Splits of tiles ----------------------------------------------------------------------------- */

template <class T> __global__ void __launch_bounds__(128) gf_merge_partition(gf_merge_args g, int64_t tiles)
{
    using K = typename gf_sort_key<T>::bits;
    const int64_t tile = int64_t(blockIdx.x) * 128 + threadIdx.x;
    gf_pdl_wait();
    if (tile < tiles) {
        const gf_merge_pair p = gf_merge_pair_at(g, tile * GF_MERGE_TILE);
        const K *const a = static_cast<const K *>(g.a) + p.a;
        const K *const b = static_cast<const K *>(g.width ? g.a : g.b) + p.b;
        const auto order = [&g](K held) { return gf_sort_key<T>::order(gf_merge_code<T>(g, held)); };
        g.splits[tile] = gf_merge_split(
            p.a_count, p.b_count, int64_t(tile * GF_MERGE_TILE - p.first),
            [&](int64_t i) { return order(a[i]); }, [&](int64_t i) { return order(b[i]); });
    }
}

/* ---- In shared memory ------------------------------------------------------------------------------ */

/* ITEMS outputs of one thread from codes[i..i_end) and codes[j..j_end), which lies behind: take(s, code, at)
 * is told that output s is this one, and where it was. */
template <class T, int ITEMS, class F>
GF_DEVICE_FN void gf_merge_serial(const typename gf_sort_key<T>::bits *codes, uint32_t i, uint32_t i_end,
                                  uint32_t j, uint32_t j_end, F take)
{
    auto a = codes[i < i_end ? i : 0], b = codes[j < j_end ? j : 0];
    GF_UNROLL
    for (int s = 0; s < ITEMS; s++) {
        const bool less = gf_sort_key<T>::order(b) < gf_sort_key<T>::order(a);
        const bool second = j < j_end && (i >= i_end || less);
        take(s, second ? b : a, second ? j : i);
        const uint32_t next = (second ? j : i) + 1;
        const auto code = codes[next < j_end ? next : 0];
        if (second) {
            j = next;
            b = code;
        } else {
            i = next;
            a = code;
        }
    }
}

/* What a block merges: the runs' parts, and where they go. */
template <class T, int VALUE> struct gf_merge_part {
    using K = typename gf_sort_key<T>::bits;
    using V = typename gf_sort_value<VALUE>::type;
    const K *a, *b;
    const V *a_values, *b_values;
    K *out;
    V *values_out;
    uint32_t a_count, count; /* of both parts at most a tile */
    K flip;
    bool from_codes, to_codes; /* what is read, written: keys or codes */
};

/* All threads of a block call it. codes, from: shared memory for a tile. */
template <class T, int VALUE>
GF_DEVICE_FN void gf_merge_block(const gf_merge_part<T, VALUE> &p, typename gf_sort_key<T>::bits *codes,
                                 uint16_t *from)
{
    using K = typename gf_sort_key<T>::bits;
    using V = typename gf_sort_value<VALUE>::type;
    K loaded[GF_MERGE_ITEMS]; /* all loads under way at once */
    GF_UNROLL
    for (int s = 0; s < GF_MERGE_ITEMS; s++) {
        const uint32_t i = threadIdx.x + s * GF_MERGE_THREADS;
        const K *const from_part = i < p.a_count ? p.a + i : p.b + (i - p.a_count);
        loaded[s] = i < p.count ? *from_part : K(0);
    }
    GF_UNROLL
    for (int s = 0; s < GF_MERGE_ITEMS; s++) {
        codes[threadIdx.x + s * GF_MERGE_THREADS] =
            p.from_codes ? loaded[s] : gf_sort_key<T>::code(loaded[s], p.flip);
    }
    __syncthreads();
    const uint32_t mine = threadIdx.x * GF_MERGE_ITEMS;
    if (mine < p.count) {
        const uint32_t i =
            gf_merge_split_codes<T>(codes, p.a_count, codes + p.a_count, p.count - p.a_count, mine);
        uint32_t words[GF_MERGE_ITEMS / 2] = {};
        gf_merge_serial<T, GF_MERGE_ITEMS>(
            codes, i, p.a_count, p.a_count + mine - i, p.count,
            [&](int s, K, uint32_t at) { words[s / 2] |= at << (s % 2 * 16); });
        GF_UNROLL
        for (int w = 0; w < GF_MERGE_ITEMS / 2; w += 4) {
            gf_store16(from + mine + 2 * w, make_uint4(words[w], words[w + 1], words[w + 2], words[w + 3]));
        }
    }
    __syncthreads();
    gf_pdl_launch();
    V value[VALUE ? GF_MERGE_ITEMS : 1];
    if constexpr (VALUE != 0) { /* all loads under way at once, here too */
        const V *const b_values = p.b_values - int64_t(p.a_count) - GF_FAULT(cuda_merge_values);
        GF_UNROLL
        for (int s = 0; s < GF_MERGE_ITEMS; s++) {
            const uint32_t i = threadIdx.x + s * GF_MERGE_THREADS, at = i < p.count ? from[i] : 0;
            value[s] = i < p.count ? (at < p.a_count ? p.a_values : b_values)[at] : V(0);
        }
    }
    GF_UNROLL
    for (int s = 0; s < GF_MERGE_ITEMS; s++) {
        const uint32_t i = threadIdx.x + s * GF_MERGE_THREADS;
        if (i < p.count) {
            const uint32_t at = from[i];
            p.out[i] = p.to_codes ? codes[at] : gf_sort_key<T>::uncode(codes[at], p.flip);
            if (VALUE) {
                p.values_out[i] = value[VALUE ? s : 0];
            }
        }
    }
}

/* One tile: keys and, with VALUE bytes, values. */
template <class T, int VALUE>
__global__ void __launch_bounds__(GF_MERGE_THREADS) gf_merge_tile(gf_merge_args g)
{
    using K = typename gf_sort_key<T>::bits;
    using V = typename gf_sort_value<VALUE>::type;
    GF_SHARED(K, codes, GF_MERGE_TILE);
    GF_SHARED(uint16_t, from, GF_MERGE_TILE); /* which of them each output is */
    gf_pdl_wait();
    const int64_t place = int64_t(blockIdx.x) * GF_MERGE_TILE;
    const gf_merge_pair p = gf_merge_pair_at(g, place);
    const int64_t k = place - p.first, total = p.a_count + p.b_count;
    const bool ends = k + GF_MERGE_TILE >= total;
    const int64_t a_at = g.splits[blockIdx.x], a_end = ends ? p.a_count : g.splits[blockIdx.x + 1];
    const int64_t a = p.a + a_at, b = p.b + (k - a_at);
    const gf_merge_part<T, VALUE> part = {static_cast<const K *>(g.a) + a,
                                          static_cast<const K *>(g.width ? g.a : g.b) + b,
                                          static_cast<const V *>(g.a_values) + (VALUE ? a : 0),
                                          static_cast<const V *>(g.width ? g.a_values : g.b_values) +
                                              (VALUE ? b : 0),
                                          static_cast<K *>(g.out) + place,
                                          static_cast<V *>(g.values_out) + (VALUE ? place : 0),
                                          static_cast<uint32_t>(a_end - a_at),
                                          static_cast<uint32_t>(ends ? total - k : GF_MERGE_TILE),
                                          static_cast<K>(g.flip),
                                          g.from_codes,
                                          g.to_codes};
    gf_merge_block<T, VALUE>(part, codes, from);
}

/* ---- Host --------------------------------------------------------------------------------------------- */

/* Bytes for the splits of n outputs. */
static inline size_t gf_merge_splits_bytes(int64_t n)
{
    return static_cast<size_t>((n + GF_MERGE_TILE - 1) / GF_MERGE_TILE) * sizeof(int64_t);
}

template <class T, int VALUE>
static gf_status gf_merge_launch(const gf_merge_args &g, cudaStream_t stream, gf_error *error)
{
    const int64_t total = g.a_count + g.b_count;
    gf_launch c = gf_launch_on(stream, gf_blocks(gf_blocks(total, GF_MERGE_TILE), 128), 128);
    c.programmatic = true;
    GF_CUDA_TRY(error, GF_LAUNCH((gf_merge_partition<T>), c, g, int64_t(gf_blocks(total, GF_MERGE_TILE))));
    c.grid = dim3(gf_blocks(total, GF_MERGE_TILE));
    c.block = dim3(GF_MERGE_THREADS);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_merge_tile<T, VALUE>), c, g));
    return GF_OK;
}

#endif
