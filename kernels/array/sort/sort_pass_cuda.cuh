/* One pass of the radix sort: reads each element once, writes it once (A. Adinets and D. Merrill, "Onesweep",
 * 2022).
 *
 * A tile counts its digits and publishes the counts; ranks its keys and puts them in order in shared memory;
 * adds up, digit by digit, what the tiles before it published, as far back as one that knows the sum of all
 * before it; and writes each digit's keys in one run. */
#ifndef GF_ARRAY_SORT_PASS_CUDA_CUH
#define GF_ARRAY_SORT_PASS_CUDA_CUH

#include "array/sort/sort_cuda.h"
#include "array/sort/sort_key_cuda.cuh"
#include "array/sort/sort_rank_cuda.cuh"

struct gf_radix_args {
    void *keys[3], *values[3]; /* by GF_SORT_IN, GF_SORT_OUT, GF_SORT_SCRATCH */
    int64_t first, end;        /* elements of this launch */
    uint64_t flip, ignored;
    int32_t pass;
    uint32_t tiles; /* of this launch */
    const uint32_t *schedule;
    uint32_t *ticket;
    uint32_t *states;     /* tiles x 256 */
    const uint64_t *base; /* where each digit's first element of this launch goes */
    uint64_t *base_next;  /* the same for the next launch; NULL: there is none */
};

/* ---- What a tile tells the others of a digit: a count, and whether it includes all tiles before -------- */

enum : uint32_t { GF_STATE_TILE = 1u << 30, GF_STATE_ALL = 2u << 30, GF_STATE_COUNT = (1u << 30) - 1 };

/* The count of one digit in all tiles of this launch before `tile`. states: of tile 0 and this digit. */
GF_DEVICE_FN uint32_t gf_radix_look_back(const uint32_t *states, uint32_t tile)
{
    constexpr uint32_t AHEAD = 4; /* loads in flight: each takes longer than tiles are apart */
    uint32_t sum = 0;
    for (uint32_t at = GF_FAULT(cuda_sort_look_back) && tile > 1 ? tile - 1 : tile; at > 0;
         at -= at < AHEAD ? at : AHEAD) {
        uint32_t word[AHEAD];
        GF_UNROLL
        for (uint32_t k = 0; k < AHEAD; k++) {
            word[k] = k < at ? gf_load_relaxed(states + int64_t(at - 1 - k) * GF_DIGITS) : GF_STATE_ALL;
        }
        GF_UNROLL
        for (uint32_t k = 0; k < AHEAD; k++) {
            while ((word[k] & ~GF_STATE_COUNT) == 0) {
                gf_poll();
                word[k] = gf_load_relaxed(states + int64_t(at - 1 - k) * GF_DIGITS);
            }
            sum += word[k] & GF_STATE_COUNT;
            if ((word[k] & GF_STATE_ALL) != 0) {
                return sum;
            }
        }
    }
    return sum;
}

/* ---- Elements of a tile, as warps take them: 32 neighbours at a time, each warp a stretch of its own --- */

template <int ITEMS, class E>
GF_DEVICE_FN void gf_radix_load(E (&items)[ITEMS], const E *tile, uint32_t count, E fill)
{
    const uint32_t at = gf_warp() * (ITEMS * GF_WARP) + gf_lane();
    if (count >= blockDim.x * ITEMS) {
        GF_UNROLL
        for (int i = 0; i < ITEMS; i++) {
            items[i] = gf_load_as<E>(tile + at + i * GF_WARP, GF_STREAM);
        }
    } else {
        GF_UNROLL
        for (int i = 0; i < ITEMS; i++) {
            items[i] = at + i * GF_WARP < count ? tile[at + i * GF_WARP] : fill;
        }
    }
}

/* A pass whose digit is the same everywhere. */
template <class E> GF_DEVICE_FN void gf_radix_copy(E *to, const E *from, int64_t first, int64_t end)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    for (int64_t i = first + gf_thread_index(); i < end; i += step) {
        to[i] = from[i];
    }
}

/* ---- One tile ------------------------------------------------------------------------------- */

/* What a block works with. */
template <class T, int VALUE> struct gf_radix_block {
    using K = typename gf_sort_key<T>::bits;
    using V = typename gf_sort_value<VALUE>::type;
    const K *keys_from; /* global memory */
    const V *values_from;
    K *keys_to;
    V *values_to;
    K *keys;          /* shared memory: of the tile, in order */
    V *values;        /* behind them */
    uint32_t *counts; /* rows of counters, one a warp */
    uint32_t *sums;
    uint64_t *runs; /* by digit: what to add to a place in the sorted tile, for one in the output */
    uint32_t *next; /* tile */
};

/* The first 256 threads call it, each for the digit of its number: looks back, publishes what the next tiles
 * may build on, and returns where in the output place 0 of the sorted tile would lie, if the tile were all of
 * this digit. */
GF_DEVICE_FN uint64_t gf_radix_chain(const gf_radix_args &a, uint32_t tile, uint32_t total, uint32_t start)
{
    const uint32_t before = gf_radix_look_back(a.states + gf_thread(), tile), all = before + total;
    const uint64_t base = a.base[gf_thread()];
    if (tile > 0) {
        gf_store_relaxed(a.states + int64_t(tile) * GF_DIGITS + gf_thread(), all | GF_STATE_ALL);
    }
    if (a.base_next && tile == a.tiles - 1) {
        a.base_next[gf_thread()] = base + all;
    }
    return base + before - start;
}

/* Elements of a tile: all but the last one are full. */
GF_DEVICE_FN uint32_t gf_radix_count_of(const gf_radix_args &a, uint32_t tile, int size)
{
    const int64_t rest = a.end - a.first - int64_t(tile) * size;
    return rest < size ? static_cast<uint32_t>(rest) : static_cast<uint32_t>(size);
}

/* Loads a tile's keys; those that are missing at the end come after all others. */
template <class T, int VALUE, int ITEMS>
GF_DEVICE_FN void gf_radix_keys(typename gf_sort_key<T>::bits (&key)[ITEMS], const gf_radix_args &a,
                                uint32_t tile, const gf_radix_block<T, VALUE> &s)
{
    using K = typename gf_sort_key<T>::bits;
    const int size = static_cast<int>(blockDim.x) * ITEMS;
    if (tile < a.tiles) {
        gf_radix_load(key, s.keys_from + a.first + int64_t(tile) * size, gf_radix_count_of(a, tile, size),
                      gf_sort_key<T>::last(static_cast<K>(a.flip)));
    }
}

/* Sorts one tile, whose keys have been loaded. Loads those of the next one, as soon as there are registers
 * for them, and returns its number. */
template <class T, int VALUE, int THREADS, int ITEMS>
GF_DEVICE_FN uint32_t gf_radix_tile(const gf_radix_args &a, uint32_t tile,
                                    typename gf_sort_key<T>::bits (&key)[ITEMS],
                                    const gf_radix_block<T, VALUE> &s)
{
    using K = typename gf_sort_key<T>::bits;
    using V = typename gf_sort_value<VALUE>::type;
    constexpr int TILE = THREADS * ITEMS, WARPS = THREADS / GF_WARP;
    const bool has_digit = gf_thread() < GF_DIGITS;
    const uint32_t count = gf_radix_count_of(a, tile, TILE);
    const gf_sort_digit<T> digit = gf_sort_digit_at<T>(static_cast<K>(a.flip), a.ignored, 8 * a.pass);
    uint32_t *row = s.counts + gf_warp() * GF_DIGITS;

    gf_digits_clear(row);
    GF_UNROLL
    for (int i = 0; i < ITEMS; i++) {
        gf_atomic_add(row + gf_digit_of(digit, key[i]), 1u);
    }
    __syncthreads();
    const uint32_t total = gf_digits_add<WARPS>(s.counts);
    if (has_digit) {
        gf_store_relaxed(a.states + int64_t(tile) * GF_DIGITS + gf_thread(),
                         total | (tile == 0 ? GF_STATE_ALL : GF_STATE_TILE));
    }
    const uint32_t start = gf_digits_place<WARPS>(total, s.counts, s.sums);
    row = s.counts +
          gf_forget(gf_warp()) * GF_DIGITS; /* digits and places of counters are cheap to find again */

    if (gf_thread() == 0) {
        *s.next = gf_atomic_add(a.ticket, 1u);
    }
    const uint32_t first = gf_warp() * (ITEMS * GF_WARP) + gf_lane();
    const V *values = s.values_from + a.first + int64_t(tile) * TILE + first;
    GF_UNROLL
    for (int i = 0; i < ITEMS; i++) {
        const uint32_t place = gf_digit_rank(row, gf_digit_of(digit, key[i]));
        s.keys[place] = key[i];
        if constexpr (VALUE != 0) { /* on its way while the tile looks back, and in no register */
            if (first + i * GF_WARP < count) {
                gf_cp_async<VALUE>(s.values + place, values + i * GF_WARP);
            }
        }
    }
    if (has_digit) {
        s.runs[gf_thread()] = gf_radix_chain(a, tile, total, start);
    }
    if constexpr (VALUE != 0) {
        gf_cp_async_commit();
        gf_cp_async_wait<0>();
    }
    __syncthreads();
    const uint32_t next = *s.next;
    gf_radix_keys(key, a, next, s);
    GF_UNROLL
    for (int i = 0; i < ITEMS; i++) {
        const uint32_t place = gf_thread() + i * THREADS;
        if (place < count) {
            const K k = s.keys[place];
            const uint64_t at = s.runs[gf_digit_of(digit, k)] + place;
            s.keys_to[at] = k;
            if (VALUE) {
                s.values_to[at] = s.values[place];
            }
        }
    }
    return next;
}

/* ---- The kernel ------------------------------------------------------------------------------- */

/* One of three buffers; indexing them would put the arguments into local memory. */
GF_DEVICE_FN void *gf_radix_buffer(void *const (&buffers)[3], int which)
{
    return which == GF_SORT_IN    ? buffers[GF_SORT_IN]
           : which == GF_SORT_OUT ? buffers[GF_SORT_OUT]
                                  : buffers[GF_SORT_SCRATCH];
}

template <class T, int VALUE, int THREADS, int ITEMS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) gf_radix_pass(gf_radix_args a)
{
    using K = typename gf_sort_key<T>::bits;
    using V = typename gf_sort_value<VALUE>::type;
    GF_SHARED(uint32_t, sums, GF_DIGITS / GF_WARP);
    GF_SHARED(uint64_t, runs, GF_DIGITS);
    GF_SHARED(uint32_t, next, 1);
    GF_SHARED_DYN(uint32_t, counts); /* and behind them the tile in order */
    uint32_t *const sorted = counts + (THREADS / GF_WARP) * GF_DIGITS;
    static_assert(THREADS >= GF_DIGITS && THREADS * ITEMS <= 65536,
                  "a thread for each digit; places of 16 bits");
    gf_pdl_wait();
    gf_pdl_launch();
    const uint32_t run = a.schedule[GF_RADIX_RUN];
    if ((run >> a.pass & 1u) == 0) {
        return;
    }
    const int source = gf_sort_source(run, a.pass), target = gf_sort_target(run, a.pass);
    const gf_radix_block<T, VALUE> block = {
        static_cast<const K *>(gf_radix_buffer(a.keys, source)),
        static_cast<const V *>(gf_radix_buffer(a.values, source)),
        static_cast<K *>(gf_radix_buffer(a.keys, target)),
        static_cast<V *>(gf_radix_buffer(a.values, target)),
        reinterpret_cast<K *>(sorted),
        reinterpret_cast<V *>(reinterpret_cast<K *>(sorted) + THREADS * ITEMS),
        counts,
        sums,
        runs,
        next};
    if ((a.schedule[GF_RADIX_DIFFERING] >> a.pass & 1u) == 0) {
        gf_radix_copy(block.keys_to, block.keys_from, a.first, a.end);
        if constexpr (VALUE != 0) {
            gf_radix_copy(block.values_to, block.values_from, a.first, a.end);
        }
        return;
    }
    K key[ITEMS];
    uint32_t tile = gf_ticket(a.ticket, next);
    gf_radix_keys(key, a, tile, block);
    while (tile < a.tiles) {
        tile = gf_radix_tile<T, VALUE, THREADS, ITEMS>(a, tile, key, block);
    }
}

/* ---- Host ---------------------------------------------------------------------------------------------- */

template <class T, int VALUE, int THREADS, int ITEMS, int BLOCKS>
static gf_status gf_radix_pass_shaped(const struct gf_radix *r, int pass, cudaStream_t stream,
                                      gf_error *error)
{
    using K = typename gf_sort_key<T>::bits;
    int processors = 0;
    GF_TRY(gf_multiprocessors(&processors, error));
    for (int64_t portion = 0; portion < r->portions; portion++) {
        gf_radix_args a = {};
        memcpy(a.keys, r->keys, sizeof a.keys);
        memcpy(a.values, r->values, sizeof a.values);
        a.first = portion * r->portion;
        a.end = a.first + r->portion < r->n ? a.first + r->portion : r->n;
        a.flip = r->flip;
        a.ignored = r->ignored;
        a.pass = pass;
        a.tiles = gf_blocks(a.end - a.first, r->tile);
        a.schedule = r->schedule;
        a.ticket = r->schedule + GF_RADIX_TICKETS + portion * r->passes + pass;
        a.states = r->states + (pass * gf_radix_tiles(r) + a.first / r->tile) * GF_DIGITS;
        uint64_t *base = r->bases + (portion * r->passes + pass) * GF_DIGITS;
        a.base = base;
        a.base_next = portion + 1 < r->portions ? base + int64_t(r->passes) * GF_DIGITS : nullptr;
        const int64_t resident = int64_t(processors) * BLOCKS;
        gf_launch c =
            gf_launch_on(stream, static_cast<unsigned>(a.tiles < resident ? a.tiles : resident), THREADS);
        c.shared = gf_digits_shared(THREADS, ITEMS, sizeof(K) + VALUE);
        c.programmatic = true;
        GF_CUDA_TRY(error, GF_LAUNCH((gf_radix_pass<T, VALUE, THREADS, ITEMS, BLOCKS>), c, a));
    }
    return GF_OK;
}

/* The body of gf_radix_pass_keys and its sisters. */
template <int VALUE>
static gf_status gf_radix_pass_typed(const struct gf_radix *r, gf_depth type, int pass, cudaStream_t stream,
                                     gf_error *error)
{
    return gf_dispatch_key(type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        constexpr int WIDE = gf_radix_items(sizeof(T), VALUE, true),
                      NARROW = gf_radix_items(sizeof(T), VALUE, false);
        return r->wide ? gf_radix_pass_shaped<T, VALUE, GF_RADIX_THREADS, WIDE, 2>(r, pass, stream, error)
                       : gf_radix_pass_shaped<T, VALUE, GF_RADIX_THREADS, NARROW, 2>(r, pass, stream, error);
    });
}

#endif
