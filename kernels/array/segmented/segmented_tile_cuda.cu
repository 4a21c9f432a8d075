/* The segmented sort on CUDA, first part: a block sorts its tile. As in the merge sort, a thread sorts
 * elements of its own by exchanging neighbours, then runs are doubled along merge paths in shared memory; but
 * no two elements change places if a segment begins between them. So of two neighbouring runs only what is of
 * one segment is merged: the end of the first run and the beginning of the second. */
#include "array/segmented/segmented_sort_cuda.cuh"

constexpr int ITEMS = GF_MERGE_ITEMS;
constexpr uint32_t THREADS = GF_MERGE_THREADS, WARPS = THREADS / GF_WARP, TILE = GF_MERGE_TILE;

/* Shared memory of a block. before: the last place at or before a thread's first element where a segment
 * begins, 0 where there is none; behind: the first one after its first element, `count` where there is none.
 */
template <class K> struct segment_block {
    K *codes;
    uint16_t *places, *before, *behind, *warps;
};

/* Finds `before` and `behind` of all threads. heads: of the thread's own elements, the lowest bit its first.
 */
template <class K> GF_DEVICE_FN void find_heads(const segment_block<K> &s, uint32_t heads, uint32_t count)
{
    const uint32_t mine = threadIdx.x * ITEMS, later = heads >> 1;
    uint32_t last = heads != 0 ? mine + 31 - static_cast<uint32_t>(__clz(static_cast<int>(heads))) : 0;
    uint32_t next = later != 0 ? mine + static_cast<uint32_t>(__ffs(static_cast<int>(later))) : count;
    uint32_t at_first = heads != 0 ? mine + static_cast<uint32_t>(__ffs(static_cast<int>(heads))) - 1 : count;
    /* The greatest `last` of the threads before, and the least `at_first` of those behind. */
    for (unsigned step = 1; step < GF_WARP; step *= 2) {
        const uint32_t left = gf_shfl_up(last, step), right = gf_shfl_down(at_first, step);
        last = gf_lane() >= step && left > last ? left : last;
        at_first = gf_lane() + step < GF_WARP && right < at_first ? right : at_first;
    }
    if (gf_lane() == GF_WARP - 1) {
        s.warps[gf_warp()] = static_cast<uint16_t>(last);
    }
    if (gf_lane() == 0) {
        s.warps[WARPS + gf_warp()] = static_cast<uint16_t>(at_first);
    }
    const uint32_t left = gf_shfl_up(last, 1), right = gf_shfl_down(at_first, 1);
    uint32_t lowest = gf_lane() > 0 ? left : 0, highest = gf_lane() < GF_WARP - 1 ? right : count;
    __syncthreads();
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        const uint32_t before = s.warps[warp], behind = s.warps[WARPS + warp];
        lowest = warp < gf_warp() && before > lowest ? before : lowest;
        highest = warp > gf_warp() && behind < highest ? behind : highest;
    }
    s.before[threadIdx.x] = static_cast<uint16_t>((heads & 1u) != 0 ? mine : lowest);
    s.behind[threadIdx.x] = static_cast<uint16_t>(next < highest ? next : highest);
}

/* Sorts a thread's own by exchanging neighbours: stable. */
template <class T>
GF_DEVICE_FN void sort_own(typename gf_sort_key<T>::bits (&code)[ITEMS], uint32_t (&from)[ITEMS],
                           uint32_t heads)
{
    GF_UNROLL
    for (int round = 0; round < ITEMS; round++) {
        GF_UNROLL
        for (int i = round % 2; i + 1 < ITEMS; i += 2) {
            const auto c = code[i];
            const uint32_t f = from[i];
            const bool swap =
                (heads >> (i + 1) & 1u) == 0 && gf_sort_key<T>::order(code[i + 1]) < gf_sort_key<T>::order(c);
            code[i] = swap ? code[i + 1] : c;
            from[i] = swap ? from[i + 1] : f;
            code[i + 1] = swap ? c : code[i + 1];
            from[i + 1] = swap ? f : from[i + 1];
        }
    }
}

template <class T, int VALUE>
GF_DEVICE_FN void put_own(const segment_block<typename gf_sort_key<T>::bits> &s,
                          const typename gf_sort_key<T>::bits (&code)[ITEMS], const uint32_t (&from)[ITEMS])
{
    GF_UNROLL
    for (int i = 0; i < ITEMS; i++) {
        s.codes[threadIdx.x * ITEMS + i] = code[i];
        if (VALUE) {
            s.places[threadIdx.x * ITEMS + i] = static_cast<uint16_t>(from[i]);
        }
    }
}

/* Merges [low, middle) and [middle, high) as far as the outputs are the thread's own. */
template <class T, int VALUE>
GF_DEVICE_FN void merge_own(const segment_block<typename gf_sort_key<T>::bits> &s,
                            typename gf_sort_key<T>::bits (&code)[ITEMS], uint32_t (&from)[ITEMS],
                            uint32_t low, uint32_t middle, uint32_t high)
{
    const uint32_t mine = threadIdx.x * ITEMS, first = mine > low ? mine - low : 0;
    uint32_t i = gf_merge_split_codes<T>(s.codes + low, middle - low, s.codes + middle, high - middle, first);
    uint32_t j = middle + first - i;
    i += low;
    auto a = s.codes[i < middle ? i : 0], b = s.codes[j < high ? j : 0];
    GF_UNROLL
    for (int n = 0; n < ITEMS; n++) {
        const uint32_t place = mine + static_cast<uint32_t>(n);
        if (place >= low && place < high) {
            const bool less = gf_sort_key<T>::order(b) < gf_sort_key<T>::order(a);
            const bool second = j < high && (i >= middle || less);
            code[n] = second ? b : a;
            from[n] = VALUE ? s.places[second ? j : i] : 0;
            const uint32_t next = (second ? j : i) + 1;
            const auto held = s.codes[next < high ? next : 0];
            if (second) {
                j = next;
                b = held;
            } else {
                i = next;
                a = held;
            }
        }
    }
}

/* Where the elements of a tile go: its first segment, its last one, and those between, which are done. */
struct segment_sides {
    int64_t head_end, tail_begin;
    int head_left, tail_left; /* passes to come */
};

GF_DEVICE_FN int left_at(const segment_sides &w, int64_t place)
{
    return place < w.head_end ? w.head_left : place >= w.tail_begin ? w.tail_left : 0;
}

template <class T, int VALUE>
GF_DEVICE_FN void write_tile(const gf_segment_args &a, const segment_block<typename gf_sort_key<T>::bits> &s,
                             int64_t first, uint32_t count)
{
    using K = typename gf_sort_key<T>::bits;
    using V = typename gf_sort_value<VALUE>::type;
    const gf_segment_edge head = a.edges[blockIdx.x], tail = a.edges[blockIdx.x + 1];
    const segment_sides sides = {head.end, tail.begin, gf_segment_passes(head), gf_segment_passes(tail)};
    V value[VALUE ? ITEMS : 1];
    if constexpr (VALUE != 0) { /* all read before any is written: the output may be the input */
        GF_UNROLL
        for (int n = 0; n < ITEMS; n++) {
            const uint32_t i = threadIdx.x + n * THREADS;
            value[n] = i < count ? static_cast<const V *>(a.values)[first + s.places[i]] : V(0);
        }
        __syncthreads();
    }
    GF_UNROLL
    for (int n = 0; n < ITEMS; n++) {
        const uint32_t i = threadIdx.x + n * THREADS;
        if (i < count) {
            const int left = left_at(sides, first + i);
            const int to = gf_segment_place(left);
            const K code = s.codes[i];
            static_cast<K *>(to ? a.out[1] : a.out[0])[first + i] =
                left > 0 ? code : gf_sort_key<T>::uncode(code, static_cast<K>(a.flip));
            if (VALUE) {
                static_cast<V *>(to ? a.values_out[1] : a.values_out[0])[first + i] = value[VALUE ? n : 0];
            }
        }
    }
}

template <class T, int VALUE> __global__ void __launch_bounds__(THREADS) gf_segment_tile(gf_segment_args a)
{
    using K = typename gf_sort_key<T>::bits;
    GF_SHARED(K, codes, TILE);
    GF_SHARED(uint16_t, places, VALUE ? TILE : 1);
    GF_SHARED(uint16_t, before, THREADS);
    GF_SHARED(uint16_t, behind, THREADS);
    GF_SHARED(uint16_t, warps, 2 * WARPS);
    const segment_block<K> s = {codes, places, before, behind, warps};
    const int64_t first = int64_t(blockIdx.x) * TILE;
    const uint32_t count = a.n - first < TILE ? static_cast<uint32_t>(a.n - first) : TILE;
    const uint32_t mine = threadIdx.x * ITEMS;
    const K *const in = static_cast<const K *>(a.keys) + first;
    K code[ITEMS];
    uint32_t from[ITEMS];
    GF_UNROLL
    for (int n = 0; n < ITEMS; n++) {
        const uint32_t i = threadIdx.x + n * THREADS;
        code[n] = i < count ? in[i] : K(0);
    }
    GF_UNROLL
    for (int n = 0; n < ITEMS; n++) {
        codes[threadIdx.x + n * THREADS] = gf_sort_key<T>::code(code[n], static_cast<K>(a.flip));
    }
    uint32_t heads =
        a.heads[blockIdx.x * int64_t(GF_SEGMENT_WORDS) + threadIdx.x / 2] >> threadIdx.x % 2 * 16;
    heads &= 0xffffu;
    if (GF_FAULT(cuda_segmented_head) && mine == 0) {
        heads &= heads - 1;
    }
    find_heads(s, heads, count);
    __syncthreads();
    GF_UNROLL
    for (int n = 0; n < ITEMS; n++) {
        from[n] = mine + static_cast<uint32_t>(n);
        code[n] = codes[from[n]];
    }
    /* What lies behind the array stays there. */
    sort_own<T>(code, from,
                mine + ITEMS <= count ? heads : heads | (mine < count ? ~0u << (count - mine) : ~0u));
    for (uint32_t width = ITEMS; width < TILE; width *= 2) {
        const uint32_t pair = mine / (2 * width) * (2 * width), middle = pair + width;
        const uint32_t starts = before[middle / ITEMS], ends = behind[middle / ITEMS];
        const uint32_t low = starts > pair ? starts : pair,
                       high = ends < pair + 2 * width ? ends : pair + 2 * width;
        const bool merges = low < middle && middle < high && mine + ITEMS > low && mine < high;
        __syncthreads();
        if (merges) {
            put_own<T, VALUE>(s, code, from);
        }
        __syncthreads();
        if (merges) {
            merge_own<T, VALUE>(s, code, from, low, middle, high);
        }
    }
    __syncthreads();
    put_own<T, VALUE>(s, code, from);
    __syncthreads();
    write_tile<T, VALUE>(a, s, first, count);
}

/* ---- Host ---------------------------------------------------------------------------------------------- */

gf_status gf_segment_tiles(const gf_segment_args &a, gf_depth type, int value_size, cudaStream_t stream,
                           gf_error *error)
{
    gf_launch c = gf_launch_on(stream, static_cast<unsigned>(a.tiles), THREADS);
    return gf_dispatch_key(type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        GF_CUDA_TRY(error, value_size == 8   ? GF_LAUNCH((gf_segment_tile<T, 8>), c, a)
                           : value_size == 4 ? GF_LAUNCH((gf_segment_tile<T, 4>), c, a)
                                             : GF_LAUNCH((gf_segment_tile<T, 0>), c, a));
        return GF_OK;
    });
}
