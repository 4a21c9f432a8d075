/* Reduction by key on CUDA, in two passes. That of run_length writes the keys of runs and leaves a bit for
 * each key, 1 where a run begins, and what lies before each tile. The one here reads bits and values, and
 * needs to know nothing of the type of keys, nor to wait for other tiles: a block reduces the runs that begin
 * in its tile, and of those of more than a leaf the leaf that does. The bits behind the tile say where the
 * last of them ends. */
#include "array/common/clear_cuda.cuh"
#include "array/keyed/reduce_by_key_call.h"
#include "array/scan/tile_cuda.cuh"
#include "array/segmented/segment_leaf_cuda.cuh"
#include "base/device_scope_cuda.h"

enum {
    THREADS = 256,
    WARPS = THREADS / GF_WARP,
    WORDS = GF_RUNS_TILE / GF_WARP, /* of bits, of a tile */
    ROOM = GF_RUNS_TILE + WORDS,
    MOST_LONG = GF_RUNS_TILE / (GF_SEGMENT_SHORT + 1)
};
static_assert(int(GF_RUNS_TILE) == int(GF_REDUCE_LEAF), "at most one leaf of a long run begins in a tile");

struct keyed_params {
    const void *values;
    int64_t n, words; /* words: of bits, of whole tiles */
    const uint32_t *heads;
    const struct gf_runs_before *before;
    void *out;
    int64_t capacity;
    gf_leaf_slots slots;
    gf_reduce_how how;
};

struct gf_row_sum {
    using value = uint32_t;
    __device__ uint32_t none() const { return 0; }
    __device__ uint32_t join(uint32_t a, uint32_t b) const { return a + b; }
};

/* The values of a run from its first on; those of the tile lie in shared memory. */
template <class T> struct keyed_elements {
    const T *room, *values;
    int64_t base, tile; /* where the run and the tile begin */
    __device__ __forceinline__ T at(int64_t i) const
    {
        const int64_t k = base + i - tile;
        return k < GF_RUNS_TILE ? room[gf_segment_room_at(static_cast<int32_t>(k))] : values[base + i];
    }
};

/* The beginnings of the tile's runs, from their bits; how many, in all threads. counts: a number a word. */
GF_DEVICE_FN uint32_t keyed_starts(const uint32_t *bits, uint32_t *counts, uint16_t *starts)
{
    const uint32_t below = (1u << gf_lane()) - 1;
    if (gf_warp() == 0) {
        const uint32_t all = gf_rows_before<WORDS>(gf_row_sum(), counts, counts);
        if (gf_lane() == 0) {
            counts[WORDS] = all;
        }
    }
    __syncthreads();
    GF_UNROLL
    for (int r = 0; r < WORDS / WARPS; r++) {
        const uint32_t w = gf_warp() * (WORDS / WARPS) + r, word = bits[w];
        if ((word >> gf_lane() & 1) != 0) {
            starts[counts[w] + static_cast<uint32_t>(__popc(word & below))] =
                static_cast<uint16_t>(w * GF_WARP + gf_lane());
        }
    }
    return counts[WORDS];
}

/* The first beginning of a run from key `from` on, a multiple of 32, but `limit` or more if there is none
 * before. By a warp. */
GF_DEVICE_FN int64_t keyed_next_head(const keyed_params &p, int64_t from, int64_t limit)
{
    for (int64_t w = from / GF_WARP; w < p.words && w * GF_WARP < limit; w += GF_WARP) {
        const int64_t mine = w + gf_lane();
        const uint32_t word = mine < p.words ? p.heads[mine] : 0;
        const uint32_t any = gf_ballot(word != 0);
        if (any != 0) {
            const unsigned lane = static_cast<unsigned>(__ffs(static_cast<int>(any))) - 1;
            return (w + lane) * GF_WARP + __ffs(static_cast<int>(gf_shfl(word, lane))) - 1;
        }
    }
    return limit;
}

/* n elements from element `first` of the run on, by the block: four warps have 32 of the accumulators each.
 * lanes: room for all of them. In warp 0's lane 0. */
template <class K, class E>
GF_DEVICE_FN typename K::part keyed_leaf(const K &kind, const E &elements, int64_t first, int32_t n,
                                         typename K::part *lanes)
{
    using part = typename K::part;
    enum { AT_ONCE = 8 };
    part sum = kind.none();
    if (gf_warp() < GF_REDUCE_LANES / GF_WARP) {
        for (int32_t i = static_cast<int32_t>(threadIdx.x); i < n; i += AT_ONCE * GF_REDUCE_LANES) {
            part v[AT_ONCE];
            GF_UNROLL
            for (int a = 0; a < AT_ONCE; a++) {
                const int32_t at = i + a * GF_REDUCE_LANES;
                v[a] = at < n ? kind.take(elements.at(first + at), first + at) : kind.none();
            }
            GF_UNROLL
            for (int a = 0; a < AT_ONCE; a++) {
                sum = kind.join(sum, v[a]);
            }
        }
        lanes[threadIdx.x] = sum;
    }
    __syncthreads();
    if (gf_warp() == 0) {
        const part *const own = lanes + gf_lane();
        sum = kind.join(kind.join(own[0], own[64]), kind.join(own[32], own[96]));
        GF_UNROLL
        for (unsigned step = GF_WARP / 2; step > 0; step /= 2) {
            sum = kind.join(sum, gf_part_lower(sum, step));
        }
    }
    __syncthreads(); /* before the room is used again */
    return sum;
}

/* The leaf of the run number `run` that begins at key `from` of the array, by the block. head: in shared
 * memory, where the first run behind the leaf begins, or beyond it. */
template <class K>
GF_DEVICE_FN void keyed_unit(const K &kind, const keyed_params &p,
                             const keyed_elements<typename K::type> &own, int64_t run, int64_t from,
                             int64_t head, typename K::part *lanes)
{
    const int64_t limit = p.n - from < GF_REDUCE_LEAF ? p.n : from + GF_REDUCE_LEAF;
    const int64_t end = head < limit ? head : limit;
    const bool is_last = head <= limit || limit == p.n;
    typename K::part sum = keyed_leaf(kind, own, from - own.base, static_cast<int32_t>(end - from), lanes);
    if (gf_warp() == 0) {
        const int64_t leaf = (from - own.base) / GF_REDUCE_LEAF;
        const gf_long_segment segment = {own.base};
        const bool done = gf_segment_arrive(kind, p.slots, segment, leaf, is_last, &sum);
        if (done && gf_lane() == 0) {
            static_cast<typename K::result *>(p.out)[run] = kind.get(sum, 1);
        }
    }
}

/* The runs of the tile that end in it: short ones by a lane each, the others by a warp each. */
template <class K>
GF_DEVICE_FN void keyed_whole(const K &kind, const keyed_params &p, const typename K::type *room,
                              const uint16_t *starts, uint32_t count, int64_t run, uint16_t *longs,
                              uint32_t *long_count)
{
    typename K::result *const out = static_cast<typename K::result *>(p.out);
    for (uint32_t first = gf_warp() * GF_WARP; first < count; first += THREADS) {
        const uint32_t i = first + gf_lane();
        const int32_t begin = starts[i < count ? i : 0], n = i < count ? starts[i + 1] - begin : 0;
        const bool is_short = i < count && n <= GF_SEGMENT_SHORT;
        const gf_staged_elements<typename K::type> own = {room, begin};
        const typename K::part sum = gf_segment_lanes(kind, own, n, is_short);
        if (is_short && run + i < p.capacity) {
            out[run + i] = kind.get(sum, n);
        }
        if (i < count && !is_short) {
            longs[gf_atomic_add(long_count, 1u)] = static_cast<uint16_t>(i);
        }
    }
    __syncthreads();
    const uint32_t all = *long_count;
    for (uint32_t k = gf_warp(); k < all; k += WARPS) {
        const uint32_t i = longs[k];
        const gf_staged_elements<typename K::type> own = {room, starts[i]};
        const int32_t n = starts[i + 1] - starts[i];
        const typename K::part sum = gf_segment_leaf(kind, own, 0, n);
        if (gf_lane() == 0 && run + i < p.capacity) {
            out[run + i] = kind.get(sum, n);
        }
    }
}

/* Brings the tile's values from `from` on into the room. */
template <class T> GF_DEVICE_FN void keyed_stage(const keyed_params &p, int64_t tile, int32_t from, T *room)
{
    enum { AT_ONCE = GF_RUNS_TILE / THREADS };
    const T *in = static_cast<const T *>(p.values) + tile;
    const int32_t n = p.n - tile < GF_RUNS_TILE ? static_cast<int32_t>(p.n - tile) : int32_t(GF_RUNS_TILE);
    T v[AT_ONCE];
    GF_UNROLL
    for (int k = 0; k < AT_ONCE; k++) {
        const int32_t i = static_cast<int32_t>(threadIdx.x) + k * THREADS;
        v[k] = i >= from && i < n ? gf_load_as<T>(in + i, GF_STREAM) : T(0);
    }
    GF_UNROLL
    for (int k = 0; k < AT_ONCE; k++) {
        room[gf_segment_room_at(static_cast<int32_t>(threadIdx.x) + k * THREADS)] = v[k];
    }
}

template <class K>
static __global__ void __launch_bounds__(THREADS, gf_segment_blocks<K>::COUNT)
    gf_reduce_by_key_tiles(const keyed_params p)
{
    using T = typename K::type;
    GF_SHARED(T, room, ROOM);
    GF_SHARED(uint16_t, starts, GF_RUNS_TILE + 1);
    GF_SHARED(uint32_t, bits, WORDS);
    GF_SHARED(uint32_t, counts, WORDS + 1);
    GF_SHARED(uint16_t, longs, MOST_LONG);
    GF_SHARED(uint32_t, long_count, 1);
    GF_SHARED(int64_t, behind, 1);
    GF_SHARED(typename K::part, lanes, GF_REDUCE_LANES);
    const K kind(p.how);
    const int64_t tile = int64_t(blockIdx.x) * GF_RUNS_TILE;
    gf_pdl_wait();
    if (threadIdx.x < WORDS) {
        const uint32_t word = p.heads[int64_t(blockIdx.x) * WORDS + threadIdx.x];
        bits[threadIdx.x] = word;
        counts[threadIdx.x] = static_cast<uint32_t>(__popc(word));
    }
    if (threadIdx.x == 0) {
        *long_count = 0;
    }
    const struct gf_runs_before before = p.before[blockIdx.x];
    const int64_t run = static_cast<int64_t>(before.runs);
    __syncthreads();
    const uint32_t count = keyed_starts(bits, counts, starts);
    __syncthreads();
    const int64_t end = p.n - tile < GF_RUNS_TILE ? p.n : tile + GF_RUNS_TILE;
    /* The run that goes on here: where its next leaf begins. */
    const int64_t open = count > 0 ? tile + starts[0] : end;
    const int64_t leaves = (tile - before.last + GF_REDUCE_LEAF - 1) / GF_REDUCE_LEAF;
    const int64_t next = run > 0 ? before.last + leaves * GF_REDUCE_LEAF : end;
    keyed_stage(p, tile, static_cast<int32_t>((next < open ? next : open) - tile), room);
    const int64_t last = count > 0 ? tile + starts[count - 1] : next; /* the unit that may leave the tile */
    if (gf_warp() == 0 && last < end) {
        const int64_t head = GF_FAULT(cuda_keyed_tail) && end < p.n
                                 ? end
                                 : keyed_next_head(p, tile + GF_RUNS_TILE, last + GF_REDUCE_LEAF + 1);
        if (gf_lane() == 0) {
            *behind = head;
        }
    }
    __syncthreads();
    if (count > 0) {
        keyed_whole(kind, p, room, starts, count - 1, run, longs, long_count);
        if (next < open && run <= p.capacity) { /* ends here */
            const keyed_elements<T> own = {room, static_cast<const T *>(p.values), before.last, tile};
            keyed_unit(kind, p, own, run - 1, next, open, lanes);
        }
    }
    if (last < end) {
        const int64_t mine = run + (count > 0 ? count : 0) - 1;
        const keyed_elements<T> own = {room, static_cast<const T *>(p.values), count > 0 ? last : before.last,
                                       tile};
        if (mine < p.capacity) {
            keyed_unit(kind, p, own, mine, last, *behind, lanes);
        }
    }
}

/* ---- The call ------------------------------------------------------------------------------------------------ */

/* run_length's scratch, counters of leaves, which are cleared with it, their parts, bits, what lies before.
 */
static size_t layout(const struct gf_reduce_by_key_call *call, struct gf_run_length_call *runs,
                     keyed_params *p)
{
    const struct gf_array_call *a = &call->array;
    const size_t tiles = static_cast<size_t>((a->n + GF_RUNS_TILE - 1) / GF_RUNS_TILE);
    const size_t slots = static_cast<size_t>(gf_segment_slots(a->n));
    size_t used = 0;
    *runs = {};
    runs->array = *a;
    runs->array.options.type = call->key;
    runs->array.in = call->keys;
    runs->array.out = call->unique;
    runs->capacity = call->capacity;
    runs->runs = call->runs;
    (void)gf_scratch_take(nullptr, &used, gf_run_length_cuda_scratch(&runs->array));
    const size_t cleared = used;
    p->slots.counters = static_cast<uint32_t *>(gf_scratch_take(a->scratch, &used, slots * sizeof(uint32_t)));
    runs->behind = used - cleared;
    p->slots.parts = gf_scratch_take(a->scratch, &used, slots * sizeof(gf_place));
    runs->heads =
        static_cast<uint32_t *>(gf_scratch_take(a->scratch, &used, tiles * WORDS * sizeof(uint32_t)));
    runs->before = static_cast<struct gf_runs_before *>(
        gf_scratch_take(a->scratch, &used, tiles * sizeof *runs->before));
    p->words = static_cast<int64_t>(tiles) * WORDS;
    return used;
}

extern "C" size_t gf_reduce_by_key_cuda_scratch(const struct gf_array_call *call)
{
    struct gf_run_length_call runs;
    keyed_params p;
    return call->n > 0 ? layout(gf_reduce_by_key_call_of(call), &runs, &p) : 0;
}

extern "C" gf_status gf_reduce_by_key_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_reduce_by_key_call *call = gf_reduce_by_key_call_of(array);
    struct gf_run_length_call runs;
    keyed_params p = {};
    GF_ON_DEVICE(array->queue.device, error)
    (void)layout(call, &runs, &p);
    GF_TRY(gf_run_length_cuda(&runs.array, error));
    if (array->n == 0) {
        return GF_OK;
    }
    p.values = array->in;
    p.n = array->n;
    p.heads = runs.heads;
    p.before = runs.before;
    p.out = array->out;
    p.capacity = call->capacity;
    p.how = gf_reduce_how_make(call->op, array->options.type);
    gf_launch launch = gf_launch_on(array->queue.stream, gf_blocks(array->n, GF_RUNS_TILE), THREADS);
    launch.programmatic = true;
    return gf_segment_dispatch(call->op, array->options.type, error, [&](auto tag) {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_reduce_by_key_tiles<typename decltype(tag)::type>), launch, p));
        return GF_OK;
    });
}
