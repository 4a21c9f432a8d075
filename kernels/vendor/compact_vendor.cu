/* Compaction by CUB: cub::DeviceSelect. It has no bound for what it writes. */
#include "array/compact/compact_keep_cuda.cuh"
#include "vendor/vendor_cuda.cuh"

#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

template <class T> struct is_kept {
    struct gf_keep_test test;
    __device__ bool operator()(T v) const { return gf_is_kept(test, v); }
};

template <class T> struct is_kept_at {
    struct gf_keep_test test;
    const T *in;
    __device__ bool operator()(uint64_t i) const { return gf_is_kept(test, in[i]); }
};

struct is_flagged_at {
    const uint8_t *flags;
    __device__ bool operator()(uint64_t i) const { return flags[i] != 0; }
};

/* Indices I that the predicate keeps. */
template <class I, class F>
static gf_status select_indices(const struct gf_compact_call *c, F predicate, void *storage, size_t *bytes,
                                gf_error *error)
{
    GF_CUB_TRY(error, cub::DeviceSelect::If, storage, bytes, thrust::counting_iterator<I>(0),
               static_cast<I *>(c->array.out), c->count, c->array.n, predicate, gf_vendor_stream(&c->array));
    return GF_OK;
}

template <class F>
static gf_status select_index_type(const struct gf_compact_call *c, F predicate, void *storage, size_t *bytes,
                                   gf_error *error)
{
    return c->out == GF_U32 ? select_indices<uint32_t>(c, predicate, storage, bytes, error)
                            : select_indices<uint64_t>(c, predicate, storage, bytes, error);
}

template <class B>
static gf_status select_flagged(const struct gf_compact_call *c, void *storage, size_t *bytes,
                                gf_error *error)
{
    GF_CUB_TRY(error, cub::DeviceSelect::Flagged, storage, bytes, static_cast<const B *>(c->array.in),
               c->flags, static_cast<B *>(c->array.out), c->count, c->array.n, gf_vendor_stream(&c->array));
    return GF_OK;
}

static gf_status flagged(const struct gf_compact_call *c, void *storage, size_t *bytes, gf_error *error)
{
    switch (gf_depth_size(c->out)) {
    case 1:
        return select_flagged<uint8_t>(c, storage, bytes, error);
    case 2:
        return select_flagged<uint16_t>(c, storage, bytes, error);
    case 4:
        return select_flagged<uint32_t>(c, storage, bytes, error);
    default:
        return select_flagged<uint64_t>(c, storage, bytes, error);
    }
}

static gf_status work(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *error)
{
    const struct gf_compact_call *c = gf_compact_call_of(call);
    if (storage && c->capacity < call->n) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "compact, variant cub, needs room for all %lld elements, not %lld",
                       static_cast<long long>(call->n), static_cast<long long>(c->capacity));
    }
    if (c->keep == GF_KEEP_FLAGS) {
        return c->indices ? select_index_type(c, is_flagged_at{c->flags}, storage, bytes, error)
                          : flagged(c, storage, bytes, error);
    }
    return gf_keep_dispatch(c, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if (c->indices) {
            return select_index_type(c, is_kept_at<T>{c->test, static_cast<const T *>(call->in)}, storage,
                                     bytes, error);
        }
        GF_CUB_TRY(error, cub::DeviceSelect::If, storage, bytes, static_cast<const T *>(call->in),
                   static_cast<T *>(call->out), c->count, call->n, is_kept<T>{c->test},
                   gf_vendor_stream(call));
        return GF_OK;
    });
}

extern "C" const struct gf_array_variant gf_vendor_compact[] = {
    {{"cub", "cub::DeviceSelect; needs room for all elements", "", 0, GF_TYPES_ALL, 1, 1, 1, 0, 0},
     nullptr,
     gf_vendor_scratch<work>,
     gf_vendor_run<work>},
    {},
};
