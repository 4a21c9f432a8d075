/* The merge sort on CUDA: blocks sort runs of 8192 elements, in registers and shared memory; then passes
 * along merge paths double the runs. Stable, and safe with NaN: it compares ranks. */
#include "array/merge/merge_path_cuda.cuh"
#include "base/device_scope_cuda.h"

constexpr int RUN_ITEMS = GF_MERGE_ITEMS;
constexpr uint32_t RUN_THREADS = 512, RUN = RUN_THREADS * RUN_ITEMS;

struct gf_merge_run_args {
    const void *keys, *values;
    void *keys_out, *values_out;
    int64_t n;
    uint64_t flip;
    bool to_codes; /* what is written: keys, or codes for the passes that follow */
};

/* Sorts a thread's own codes by exchanging neighbours, ITEMS rounds of them: stable. from: where they came
 * from. */
template <class T, int ITEMS>
GF_DEVICE_FN void gf_run_sort_own(typename gf_sort_key<T>::bits (&code)[ITEMS], uint32_t (&from)[ITEMS])
{
    GF_UNROLL
    for (int round = 0; round < ITEMS; round++) {
        GF_UNROLL
        for (int i = round % 2; i + 1 < ITEMS; i += 2) {
            const auto c = code[i];
            const uint32_t f = from[i];
            const bool swap = gf_sort_key<T>::order(code[i + 1]) < gf_sort_key<T>::order(c);
            code[i] = swap ? code[i + 1] : c;
            from[i] = swap ? from[i + 1] : f;
            code[i + 1] = swap ? c : code[i + 1];
            from[i + 1] = swap ? f : from[i + 1];
        }
    }
}

/* A thread's codes into shared memory, and with_places: where they came from. */
template <class K>
GF_DEVICE_FN void gf_run_put(K *codes, const K (&code)[RUN_ITEMS], uint16_t *places,
                             const uint32_t (&from)[RUN_ITEMS], bool with_places)
{
    GF_UNROLL
    for (int i = 0; i < RUN_ITEMS; i++) {
        codes[threadIdx.x * RUN_ITEMS + i] = code[i];
        if (with_places) {
            places[threadIdx.x * RUN_ITEMS + i] = static_cast<uint16_t>(from[i]);
        }
    }
}

/* One block sorts one run. With values it remembers where each key came from. */
template <class T, int VALUE> __global__ void __launch_bounds__(RUN_THREADS) gf_merge_run(gf_merge_run_args a)
{
    using K = typename gf_sort_key<T>::bits;
    using V = typename gf_sort_value<VALUE>::type;
    GF_SHARED_DYN(K, codes);
    uint16_t *const places = reinterpret_cast<uint16_t *>(codes + RUN);
    const int64_t first = int64_t(blockIdx.x) * RUN;
    const uint32_t count = a.n - first < RUN ? static_cast<uint32_t>(a.n - first) : RUN;
    const K flip = static_cast<K>(a.flip), *in = static_cast<const K *>(a.keys) + first;
    K code[RUN_ITEMS];
    uint32_t from[RUN_ITEMS];
    for (uint32_t i = threadIdx.x; i < RUN; i += RUN_THREADS) {
        codes[i] = i < count ? gf_sort_key<T>::code(in[i], flip)
                             : static_cast<K>(~K(0)); /* stays behind the others */
    }
    __syncthreads();
    GF_UNROLL
    for (int i = 0; i < RUN_ITEMS; i++) {
        from[i] = threadIdx.x * RUN_ITEMS + i;
        code[i] = codes[from[i]];
    }
    gf_run_sort_own<T>(code, from);
    for (uint32_t width = RUN_ITEMS; width < RUN; width *= 2) {
        __syncthreads();
        gf_run_put(codes, code, places, from, VALUE != 0);
        __syncthreads();
        const uint32_t mine = threadIdx.x * RUN_ITEMS, pair = mine / (2 * width) * (2 * width);
        const uint32_t i =
            gf_merge_split_codes<T>(codes + pair, width, codes + pair + width, width, mine - pair);
        gf_merge_serial<T, RUN_ITEMS>(codes, pair + i, pair + width, pair + width + (mine - pair - i),
                                      pair + 2 * width, [&](int s, K next, uint32_t at) {
                                          code[s] = next;
                                          from[s] = VALUE ? places[at] : 0;
                                      });
    }
    __syncthreads();
    gf_run_put(codes, code, places, from, VALUE != 0);
    __syncthreads();
    V value[VALUE ? RUN_ITEMS : 1];
    if constexpr (VALUE != 0) { /* all read before any is written: the output may be the input */
        GF_UNROLL
        for (int i = 0; i < RUN_ITEMS; i++) {
            const uint32_t at = threadIdx.x + i * RUN_THREADS;
            value[i] = at < count ? static_cast<const V *>(a.values)[first + places[at]] : V(0);
        }
        __syncthreads();
    }
    GF_UNROLL
    for (int i = 0; i < RUN_ITEMS; i++) {
        const uint32_t at = threadIdx.x + i * RUN_THREADS;
        if (at < count) {
            static_cast<K *>(a.keys_out)[first + at] =
                a.to_codes ? codes[at] : gf_sort_key<T>::uncode(codes[at], flip);
            if (VALUE) {
                static_cast<V *>(a.values_out)[first + at] = value[VALUE ? i : 0];
            }
        }
    }
}

/* ---- Host ------------------------------------------------------------------------------------------- */

/* Two buffers for keys and two for values, besides the input: the output, and scratch memory. */
struct merge_sort {
    const void *keys, *values;
    void *key_buffers[2], *value_buffers[2]; /* the first is the output */
    int64_t *splits;
    int64_t n;
    int32_t passes;
    uint64_t flip;
    cudaStream_t stream;
};

static size_t lay_out(const struct gf_sort_call *call, char *memory, merge_sort *s)
{
    const size_t n = static_cast<size_t>(call->array.n);
    size_t used = 0;
    s->passes = 0;
    for (int64_t width = RUN; width < call->array.n; width *= 2) {
        s->passes++;
    }
    s->splits = static_cast<int64_t *>(gf_scratch_take(memory, &used, gf_merge_splits_bytes(call->array.n)));
    s->key_buffers[1] = gf_scratch_take(memory, &used, n * gf_depth_size(call->array.options.type));
    s->value_buffers[1] = gf_scratch_take(memory, &used, n * static_cast<size_t>(call->value_size));
    return used;
}

template <class T, int VALUE> static gf_status sort_typed(const merge_sort *s, gf_error *error)
{
    int at = s->passes % 2; /* so that the last pass ends in the output */
    const gf_merge_run_args run = {s->keys, s->values, s->key_buffers[at], s->value_buffers[at],
                                   s->n,    s->flip,   s->passes > 0};
    gf_launch c = gf_launch_on(s->stream, gf_blocks(s->n, RUN), RUN_THREADS);
    c.shared = RUN * (sizeof(T) + (VALUE ? sizeof(uint16_t) : 0));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_merge_run<T, VALUE>), c, run));
    for (int64_t width = RUN; width < s->n; width *= 2) {
        gf_merge_args g = {};
        g.a = s->key_buffers[at];
        g.a_values = s->value_buffers[at];
        g.out = s->key_buffers[1 - at];
        g.values_out = s->value_buffers[1 - at];
        g.a_count = s->n;
        g.width = width;
        g.splits = s->splits;
        g.flip = s->flip;
        g.from_codes = true;
        g.to_codes = 2 * width < s->n;
        GF_TRY((gf_merge_launch<T, VALUE>(g, s->stream, error)));
        at = 1 - at;
    }
    return GF_OK;
}

size_t gf_sort_merge_cuda_scratch(const struct gf_array_call *array)
{
    merge_sort s;
    return lay_out(gf_sort_call_of(array), nullptr, &s);
}

gf_status gf_sort_merge_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_sort_call *call = gf_sort_call_of(array);
    merge_sort s = {};
    if (array->n == 0) {
        return GF_OK;
    }
    lay_out(call, static_cast<char *>(array->scratch), &s);
    s.keys = array->in;
    s.values = call->values;
    s.key_buffers[0] = array->out;
    s.value_buffers[0] = call->values_out;
    s.n = array->n;
    s.flip = gf_sort_flip(array->options.type, call->descending);
    s.stream = static_cast<cudaStream_t>(array->queue.stream);
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_key(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return call->value_size == 8   ? sort_typed<T, 8>(&s, error)
               : call->value_size == 4 ? sort_typed<T, 4>(&s, error)
                                       : sort_typed<T, 0>(&s, error);
    });
}
