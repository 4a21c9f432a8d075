/* The published compaction, corrected (docs/primitives/compact.md): flags of 0 and 1, their exclusive scan,
 * which says where each kept element goes, and a scatter. "scatter-naive" and "scatter-efficient" by the scan
 * that they use. */
#include "array/compact/compact_keep_cuda.cuh"
#include "array/textbook/scan_plain_cuda.cuh"

struct gf_scatter {
    const void *in;
    const uint8_t *chosen; /* flags of KEEP_FLAGS, or NULL */
    void *out;
    uint32_t *flags, *places;
    uint64_t *count;
    int64_t n, capacity;
    struct gf_keep_test test;
};

template <class T> static __global__ void gf_scatter_flags(const struct gf_scatter s)
{
    const int64_t i = gf_thread_index();
    if (i < s.n) {
        s.flags[i] = s.chosen ? s.chosen[i] != 0 : gf_is_kept(s.test, static_cast<const T *>(s.in)[i]);
    }
}

/* OUT: the element's bits, or with INDEX the type of indices. */
template <class OUT, bool INDEX> static __global__ void gf_scatter_kept(const struct gf_scatter s)
{
    const int64_t i = gf_thread_index();
    if (i >= s.n) {
        return;
    }
    if (s.flags[i] != 0 && s.places[i] < s.capacity) {
        static_cast<OUT *>(s.out)[s.places[i]] =
            INDEX ? static_cast<OUT>(i) : static_cast<const OUT *>(s.in)[i];
    }
    if (i == s.n - 1) {
        *s.count = uint64_t(s.places[i]) + s.flags[i];
    }
}

/* Lays out flags, places and the scan's own scratch, and makes the scan's call; returns the bytes of all. */
static size_t layout(const struct gf_compact_call *call, struct gf_scatter *s, struct gf_scan_call *scan,
                     size_t (*scan_scratch)(const struct gf_array_call *))
{
    const struct gf_array_call *a = &call->array;
    size_t used = 0;
    *s = {a->in, call->flags, a->out, nullptr, nullptr, call->count, a->n, call->capacity, call->test};
    s->flags = static_cast<uint32_t *>(gf_scratch_take(a->scratch, &used, static_cast<size_t>(a->n) * 4));
    s->places = static_cast<uint32_t *>(gf_scratch_take(a->scratch, &used, static_cast<size_t>(a->n) * 4));
    *scan = {*a, GF_SCAN_SUM, false, GF_U32};
    scan->array.options.type = GF_U32;
    scan->array.in = s->flags;
    scan->array.out = s->places;
    scan->array.scratch_bytes = scan_scratch(&scan->array);
    scan->array.scratch = gf_scratch_take(a->scratch, &used, scan->array.scratch_bytes);
    return used;
}

template <class OUT, bool INDEX>
static gf_status scatter(const struct gf_compact_call *call, const struct gf_scatter &s,
                         const struct gf_scan_call *scan, gf_error *error)
{
    GF_CUDA_TRY(error, GF_LAUNCH((gf_scatter_kept<OUT, INDEX>), gf_scan_launch_for(scan, call->array.n), s));
    return GF_OK;
}

static gf_status run(const struct gf_array_call *array, size_t (*scan_scratch)(const struct gf_array_call *),
                     gf_status (*scan_run)(const struct gf_array_call *, gf_error *), gf_error *error)
{
    const struct gf_compact_call *call = gf_compact_call_of(array);
    struct gf_scatter s;
    struct gf_scan_call scan;
    (void)layout(call, &s, &scan, scan_scratch);
    GF_ON_DEVICE(array->queue.device, error)
    if (array->n == 0) {
        GF_CUDA_TRY(error, cudaMemsetAsync(call->count, 0, sizeof *call->count,
                                           static_cast<cudaStream_t>(array->queue.stream)));
        return GF_OK;
    }
    GF_TRY(gf_keep_dispatch(call, [&](auto tag) {
        using T = typename decltype(tag)::type;
        GF_CUDA_TRY(error, GF_LAUNCH((gf_scatter_flags<T>), gf_scan_launch_for(&scan, array->n), s));
        return GF_OK;
    }));
    GF_TRY(scan_run(&scan.array, error));
    if (call->indices) {
        return call->out == GF_U32 ? scatter<uint32_t, true>(call, s, &scan, error)
                                   : scatter<uint64_t, true>(call, s, &scan, error);
    }
    switch (gf_depth_size(array->options.type)) {
    case 1:
        return scatter<uint8_t, false>(call, s, &scan, error);
    case 2:
        return scatter<uint16_t, false>(call, s, &scan, error);
    case 4:
        return scatter<uint32_t, false>(call, s, &scan, error);
    default:
        return scatter<uint64_t, false>(call, s, &scan, error);
    }
}

static size_t scratch(const struct gf_array_call *array, size_t (*scan_scratch)(const struct gf_array_call *))
{
    struct gf_scatter s;
    struct gf_scan_call scan;
    return layout(gf_compact_call_of(array), &s, &scan, scan_scratch);
}

extern "C" size_t gf_compact_scatter_naive_scratch(const struct gf_array_call *call)
{
    return scratch(call, gf_scan_naive_scratch);
}

extern "C" gf_status gf_compact_scatter_naive(const struct gf_array_call *call, gf_error *error)
{
    return run(call, gf_scan_naive_scratch, gf_scan_naive_cuda, error);
}

extern "C" size_t gf_compact_scatter_efficient_scratch(const struct gf_array_call *call)
{
    return scratch(call, gf_scan_efficient_scratch);
}

extern "C" gf_status gf_compact_scatter_efficient(const struct gf_array_call *call, gf_error *error)
{
    return run(call, gf_scan_efficient_scratch, gf_scan_efficient_cuda, error);
}
