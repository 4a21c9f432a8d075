/* The k greatest or least on CUDA. Few elements, or k that is a good part of them, are sorted. Else:
 *
 *   sample   elements from all over; one of them, in order, is beyond the k-th by all odds, but not by much
 *   pick     the places of what lies before it, in their order: one read
 *   sort     these, with the others' room filled up, stably; the first k are taken
 *
 * Where fewer than k were picked, or more than there is room for, as where many are equal, the k-th is found
 * by its digits, a read each, and two more reads pick what is before it, and the first that equal it.
 * Which way it goes is decided on the device: kernels that are not wanted return. */
#include "array/top_k/top_k_cuda.cuh"

#include "base/device_scope_cuda.h"

#include <math.h>

constexpr int64_t SAMPLES = int64_t(1) << 15, SELECTED_FROM = int64_t(1) << 17;
constexpr int DIGITS = 256, COUNT_THREADS = 512, GUESS_THREADS = 1024;

/* ---- Sampling ----------------------------------------------------------------------------------------- */

/* The upper 32 bits of a rank, which tell enough of it. */
template <class T> GF_DEVICE_FN uint32_t sample_of(const gf_top_k_args &a, int64_t i)
{
    using K = typename gf_sort_key<T>::bits;
    const K rank = gf_sort_key<T>::rank(static_cast<const K *>(a.in)[i], static_cast<K>(a.flip));
    return static_cast<uint32_t>(sizeof(K) == 8 ? uint64_t(rank) >> 32 : uint64_t(rank));
}

/* One element of each of as many equal parts of the array, somewhere in it: nothing regular escapes. */
template <class T> __global__ void __launch_bounds__(256) gf_top_k_sample(gf_top_k_args a)
{
    const int64_t i = gf_thread_index(), part = a.n / a.sampled;
    if (i < a.sampled) {
        const uint64_t hash = (static_cast<uint64_t>(i) + 1) * UINT64_C(0x9e3779b97f4a7c15);
        const int64_t aside = static_cast<int64_t>((hash ^ hash >> 29) >> 20) % part;
        a.samples[i] = sample_of<T>(a, i * part + aside);
    }
}

/* Finds the digit of element number `wanted`, from 0 on, of those counted; *wanted becomes its number among
 * those of this digit. One thread calls it. */
template <class C> GF_DEVICE_FN uint32_t digit_at(const C *counts, uint64_t *wanted)
{
    uint32_t digit = 0;
    for (; digit < DIGITS - 1 && *wanted >= counts[digit]; digit++) {
        *wanted -= counts[digit];
    }
    return digit;
}

/* One block: the sample that is number `order`, digit by digit. */
template <class T> __global__ void __launch_bounds__(GUESS_THREADS) gf_top_k_guess(gf_top_k_args a)
{
    GF_SHARED(uint32_t, counts, DIGITS);
    GF_SHARED(uint32_t, shared, 1);
    uint64_t wanted = static_cast<uint64_t>(a.order);
    uint32_t prefix = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        if (gf_thread() < DIGITS) {
            counts[gf_thread()] = 0;
        }
        __syncthreads();
        for (int64_t i = gf_thread(); i < a.sampled; i += GUESS_THREADS) {
            const uint32_t sample = a.samples[i];
            if (uint64_t(sample) >> (shift + 8) == uint64_t(prefix) >> (shift + 8)) {
                gf_atomic_add(counts + (sample >> shift & 255u), 1u);
            }
        }
        __syncthreads();
        if (gf_thread() == 0) {
            *shared = prefix | digit_at(counts, &wanted) << shift;
        }
        __syncthreads();
        prefix = *shared;
    }
    if (gf_thread() == 0) {
        const bool halves = sizeof(typename gf_sort_key<T>::bits) == 8;
        a.state->limit = halves ? uint64_t(prefix) << 32 | 0xffffffffu : prefix;
    }
}

/* ---- By digits ---------------------------------------------------------------------------------------- */

/* Counts the digit of 8 bits from `shift` on of the ranks whose higher digits are the k-th's; the last block
 * then knows this digit of the k-th. */
template <class T> __global__ void __launch_bounds__(COUNT_THREADS) gf_top_k_count(gf_top_k_args a, int shift)
{
    using K = typename gf_sort_key<T>::bits;
    GF_SHARED(uint32_t, counts, DIGITS);
    GF_SHARED(uint32_t, slot, 1);
    if (gf_top_k_sampled(a)) {
        return;
    }
    const uint64_t kth = a.state->kth;
    const bool first = shift + 8 == a.bits;
    if (gf_thread() < DIGITS) {
        counts[gf_thread()] = 0;
    }
    __syncthreads();
    const int64_t step = int64_t(gridDim.x) * COUNT_THREADS;
    for (int64_t i = gf_thread_index(); i < a.n; i += step) {
        const uint64_t rank = gf_sort_key<T>::rank(static_cast<const K *>(a.in)[i], static_cast<K>(a.flip));
        if (first || (rank ^ kth) >> (shift + 8) == 0) {
            gf_atomic_add(counts + (rank >> shift & 255u), 1u);
        }
    }
    __syncthreads();
    if (gf_thread() < DIGITS && counts[gf_thread()] != 0) {
        gf_atomic_add(a.state->bins + gf_thread(), static_cast<uint64_t>(counts[gf_thread()]));
    }
    if (gf_last_block(&a.state->done, gridDim.x, slot)) {
        if (gf_thread() == 0) {
            const uint64_t wanted = static_cast<uint64_t>(a.k) - 1 - a.state->passed;
            uint64_t left = wanted;
            const uint32_t digit = digit_at(a.state->bins, &left);
            a.state->kth = kth | uint64_t(digit) << shift;
            a.state->passed += wanted - left;
        }
        __syncthreads();
        if (gf_thread() < DIGITS) {
            a.state->bins[gf_thread()] = 0;
        }
    }
}

/* ---- The list ----------------------------------------------------------------------------------------- */

/* The keys of what is taken, in the order of the places but for the ties, which come last and are the
 * greatest. The room behind them is filled with keys that nothing comes after. */
template <class T, class I> __global__ void __launch_bounds__(256) gf_top_k_gather(gf_top_k_args a)
{
    using K = typename gf_sort_key<T>::bits;
    const int64_t i = gf_thread_index();
    if (i >= a.room) {
        return;
    }
    const bool sampled = gf_top_k_sampled(a);
    const int64_t below = static_cast<int64_t>(a.state->passed);
    const int64_t taken =
        sampled ? static_cast<int64_t>(a.state->found) : a.k - (GF_FAULT(cuda_top_k_tie) && a.k > 1);
    const I *const list = static_cast<const I *>(a.list), *const ties = static_cast<const I *>(a.ties);
    const I place = i >= taken ? I(0) : sampled || i < below ? list[i] : ties[i - below];
    static_cast<I *>(a.places)[i] = place;
    static_cast<K *>(a.keys)[i] =
        i < taken ? static_cast<const K *>(a.in)[place] : gf_sort_key<T>::last(static_cast<K>(a.flip));
}

/* Numbers all places, for a sort of all elements. */
template <class I> __global__ void __launch_bounds__(256) gf_top_k_number(I *places, int64_t n)
{
    const int64_t i = gf_thread_index();
    if (i < n) {
        places[i] = static_cast<I>(i);
    }
}

/* The first k of the sorted keys and places. */
template <class K, class I>
__global__ void __launch_bounds__(256)
    gf_top_k_take(const K *keys, const I *places, int64_t k, K *out, I *places_out)
{
    const int64_t i = gf_thread_index();
    if (i < k) {
        out[i] = keys[i];
        if (places_out) {
            places_out[i] = places[i];
        }
    }
}

/* ---- Host --------------------------------------------------------------------------------------------- */

struct plan {
    bool all; /* all elements are sorted */
    gf_top_k_args args;
    void *look_back; /* of the compactions */
    struct gf_sort_call sort;
};

/* Plans how many samples to take, which, and for how many elements there is room. A sample stands for `part`
 * elements, so the k-th is likely before sample k / part, and by all odds before six deviations more. */
static void plan_sample(const struct gf_array_call *array, gf_top_k_args *a)
{
    const int64_t asked = array->options.tile;
    a->sampled = asked > 0 ? asked : SAMPLES;
    const double part = static_cast<double>(a->n / a->sampled), at = static_cast<double>(a->k) / part;
    const double order = at + 6 * sqrt(at) + 8, most = order + 6 * sqrt(order) + 8;
    a->order = order < static_cast<double>(a->sampled - 1) ? static_cast<int64_t>(order) : a->sampled - 1;
    a->room = most * part < static_cast<double>(a->n) ? static_cast<int64_t>(most * part) : a->n;
    a->room = a->room < a->k ? a->k : a->room;
}

static size_t lay_out(const struct gf_array_call *array, void *memory, plan *p)
{
    const struct gf_top_k_call *call = gf_top_k_call_of(array);
    const gf_depth type = array->options.type;
    const size_t size = gf_depth_size(type), place = static_cast<size_t>(call->places_size);
    size_t used = 0;
    const auto take = [&](size_t bytes) { return gf_scratch_take(memory, &used, bytes); };
    *p = {};
    gf_top_k_args *const a = &p->args;
    a->in = array->in;
    a->n = array->n;
    a->k = call->k;
    a->flip = gf_sort_flip(type, call->descending);
    a->is_float = type == GF_F32 || type == GF_F64;
    a->bits = static_cast<int32_t>(size) * 8;
    a->room = a->n;
    p->all = array->options.tile > 0 ? a->n < array->options.tile : a->n < SELECTED_FROM || a->k > a->n / 16;
    if (!p->all) {
        struct gf_lookback_state state;
        const int64_t tile = GF_SCAN_TILE_BYTES / static_cast<int64_t>(size);
        plan_sample(array, a);
        a->state = static_cast<gf_top_k_state *>(take(sizeof *a->state));
        a->samples = static_cast<uint32_t *>(take(static_cast<size_t>(a->sampled) * sizeof(uint32_t)));
        a->list = take(static_cast<size_t>(a->room) * place);
        a->ties = take(static_cast<size_t>(a->k) * place);
        p->look_back =
            take(gf_lookback_layout(nullptr, (a->n + tile - 1) / tile, gf_slot_count::WORDS, false, &state));
        a->keys = take(static_cast<size_t>(a->room) * size);
    }
    a->places = take(static_cast<size_t>(a->room) * place);
    p->sort.array.queue = array->queue;
    p->sort.array.options.type = type;
    p->sort.array.n = a->room;
    p->sort.array.in = p->all ? array->in : a->keys;
    p->sort.array.out = take(static_cast<size_t>(a->room) * size);
    p->sort.values = a->places;
    p->sort.values_out = take(static_cast<size_t>(a->room) * place);
    p->sort.descending = call->descending;
    p->sort.value_size = call->places_size;
    p->sort.array.scratch_bytes = gf_sort_cuda_scratch(&p->sort.array);
    p->sort.array.scratch = take(p->sort.array.scratch_bytes);
    return used;
}

/* One of the compactions: the places of a part of the array, in their order. */
template <class T, class I, int PART>
static gf_status pick(const plan &p, void *out, int64_t capacity, uint64_t *count, cudaStream_t stream,
                      gf_error *error)
{
    struct gf_compact_call call = {};
    gf_top_k_params<PART> params = {};
    call.array.queue.stream = stream;
    call.array.in = p.args.in;
    call.array.n = p.args.n;
    call.array.out = out;
    call.array.scratch = p.look_back;
    call.capacity = capacity;
    call.count = count;
    params.top = p.args;
    return gf_compact_launch<T, gf_put_place<T, I, PART>>(&call, error, params);
}

template <class T, class I> static gf_status select(const plan &p, cudaStream_t stream, gf_error *error)
{
    using K = typename gf_sort_key<T>::bits;
    const gf_top_k_args &a = p.args;
    int processors = 0;
    gf_launch c = {};
    c.stream = stream;
    GF_TRY(gf_multiprocessors(&processors, error));
    GF_CUDA_TRY(error, cudaMemsetAsync(a.state, 0, sizeof *a.state, stream));
    if constexpr (sizeof(K) > 1) { /* of 256 different ones far too many are equal */
        c.grid = dim3(gf_blocks(a.sampled, 256));
        c.block = dim3(256);
        GF_CUDA_TRY(error, GF_LAUNCH((gf_top_k_sample<T>), c, a));
        c.grid = dim3(1);
        c.block = dim3(GUESS_THREADS);
        GF_CUDA_TRY(error, GF_LAUNCH((gf_top_k_guess<T>), c, a));
        GF_TRY((pick<T, I, GF_TOP_K_LIMIT>(p, a.list, a.room, &a.state->found, stream, error)));
    }
    c.block = dim3(COUNT_THREADS);
    const unsigned most = static_cast<unsigned>(processors) * 4, blocks = gf_blocks(a.n, COUNT_THREADS * 8);
    c.grid = dim3(blocks < most ? blocks : most);
    for (int shift = a.bits - 8; shift >= 0; shift -= 8) {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_top_k_count<T>), c, a, shift));
    }
    GF_TRY((pick<T, I, GF_TOP_K_BELOW>(p, a.list, a.k, &a.state->below, stream, error)));
    GF_TRY((pick<T, I, GF_TOP_K_TIES>(p, a.ties, a.k, &a.state->below, stream, error)));
    c.grid = dim3(gf_blocks(a.room, 256));
    c.block = dim3(256);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_top_k_gather<T, I>), c, a));
    return GF_OK;
}

template <class T, class I>
static gf_status run(const struct gf_top_k_call *call, const plan &p, gf_error *error)
{
    using K = typename gf_sort_key<T>::bits;
    const cudaStream_t stream = static_cast<cudaStream_t>(call->array.queue.stream);
    gf_launch c = {};
    c.block = dim3(256);
    c.stream = stream;
    if (p.all) {
        c.grid = dim3(gf_blocks(p.args.n, 256));
        GF_CUDA_TRY(error, GF_LAUNCH(gf_top_k_number<I>, c, static_cast<I *>(p.args.places), p.args.n));
    } else {
        GF_TRY((select<T, I>(p, stream, error)));
    }
    GF_TRY(gf_sort_cuda(&p.sort.array, error));
    c.grid = dim3(gf_blocks(call->k, 256));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_top_k_take<K, I>), c, static_cast<const K *>(p.sort.array.out),
                                 static_cast<const I *>(p.sort.values_out), call->k,
                                 static_cast<K *>(call->array.out), static_cast<I *>(call->places)));
    return GF_OK;
}

gf_status gf_top_k_cuda_check(const struct gf_array_call *array, gf_error *error)
{
    const int32_t tile = array->options.tile;
    if (tile != 0 && (tile < 16 || tile > SAMPLES)) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "top_k: tile, the number of samples, is %d, must be 16 to %d", tile,
                       static_cast<int>(SAMPLES));
    }
    return GF_OK;
}

size_t gf_top_k_cuda_scratch(const struct gf_array_call *array)
{
    plan p;
    return lay_out(array, nullptr, &p);
}

gf_status gf_top_k_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_top_k_call *call = gf_top_k_call_of(array);
    plan p;
    if (call->k == 0) {
        return GF_OK;
    }
    GF_ON_DEVICE(array->queue.device, error)
    lay_out(array, array->scratch, &p);
    return gf_dispatch_key(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return call->places_size == 4 ? run<T, uint32_t>(call, p, error) : run<T, uint64_t>(call, p, error);
    });
}
