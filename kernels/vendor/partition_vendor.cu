/* The partition by CUB: cub::DevicePartition. It writes the others from the back, so a kernel behind it turns
 * them round. */
#include "array/common/grid_cuda.cuh"
#include "array/compact/compact_keep_cuda.cuh"
#include "vendor/vendor_cuda.cuh"

#include <cub/device/device_partition.cuh>
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

template <class B> __global__ void turn_round(B *out, int64_t n, const uint64_t *count)
{
    const int64_t first = static_cast<int64_t>(*count), step = int64_t(gridDim.x) * blockDim.x;
    for (int64_t i = gf_thread_index(); i < (n - first) / 2; i += step) {
        const B swap = out[first + i];
        out[first + i] = out[n - 1 - i];
        out[n - 1 - i] = swap;
    }
}

template <class B> static gf_status turn(const struct gf_compact_call *c, gf_error *error)
{
    int processors = 0;
    GF_TRY(gf_multiprocessors(&processors, error));
    turn_round<<<static_cast<unsigned>(processors) * 8, 256, 0, gf_vendor_stream(&c->array)>>>(
        static_cast<B *>(c->array.out), c->array.n, c->count);
    GF_CUDA_TRY(error, cudaGetLastError());
    return GF_OK;
}

/* Elements from an iterator, or indices, by a predicate. */
template <class OUT, class IN, class F>
static gf_status partition(const struct gf_compact_call *c, IN in, F predicate, void *storage, size_t *bytes,
                           gf_error *error)
{
    GF_CUB_TRY(error, cub::DevicePartition::If, storage, bytes, in, static_cast<OUT *>(c->array.out),
               c->count, c->array.n, predicate, gf_vendor_stream(&c->array));
    return storage ? turn<OUT>(c, error) : GF_OK;
}

template <class F>
static gf_status indices(const struct gf_compact_call *c, F predicate, void *storage, size_t *bytes,
                         gf_error *error)
{
    return c->out == GF_U32 ? partition<uint32_t>(c, thrust::counting_iterator<uint32_t>(0), predicate,
                                                  storage, bytes, error)
                            : partition<uint64_t>(c, thrust::counting_iterator<uint64_t>(0), predicate,
                                                  storage, bytes, error);
}

template <class B>
static gf_status flagged(const struct gf_compact_call *c, void *storage, size_t *bytes, gf_error *error)
{
    GF_CUB_TRY(error, cub::DevicePartition::Flagged, storage, bytes, static_cast<const B *>(c->array.in),
               c->flags, static_cast<B *>(c->array.out), c->count, c->array.n, gf_vendor_stream(&c->array));
    return storage ? turn<B>(c, error) : GF_OK;
}

static gf_status flagged_by_size(const struct gf_compact_call *c, void *storage, size_t *bytes,
                                 gf_error *error)
{
    switch (gf_depth_size(c->out)) {
    case 1:
        return flagged<uint8_t>(c, storage, bytes, error);
    case 2:
        return flagged<uint16_t>(c, storage, bytes, error);
    case 4:
        return flagged<uint32_t>(c, storage, bytes, error);
    default:
        return flagged<uint64_t>(c, storage, bytes, error);
    }
}

static gf_status work(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *error)
{
    const struct gf_compact_call *c = gf_compact_call_of(call);
    if (c->keep == GF_KEEP_FLAGS) {
        return c->indices ? indices(c, is_flagged_at{c->flags}, storage, bytes, error)
                          : flagged_by_size(c, storage, bytes, error);
    }
    return gf_keep_dispatch(c, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T *in = static_cast<const T *>(call->in);
        return c->indices ? indices(c, is_kept_at<T>{c->test, in}, storage, bytes, error)
                          : partition<T>(c, in, is_kept<T>{c->test}, storage, bytes, error);
    });
}

extern "C" const struct gf_array_variant gf_vendor_partition[] = {
    {{"cub", "cub::DevicePartition, which writes the others backwards; then they are turned round", "", 0,
      GF_TYPES_ALL, 1, 1, 1, 0, 0},
     nullptr,
     gf_vendor_scratch<work>,
     gf_vendor_run<work>},
    {},
};
