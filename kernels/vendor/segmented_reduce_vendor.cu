/* Segmented reduction by CUB: cub::DeviceSegmentedReduce. Float sums follow CUB's own order. */
#include "array/segmented/segmented_reduce_call.h"
#include "vendor/vendor_cuda.cuh"

#include <cub/device/device_segmented_reduce.cuh>

static const uint32_t types = GF_TYPES_ALL & ~GF_TYPE_BIT(GF_S16);

/* The type of a sum: CUB adds up in it. */
template <class T> struct sum_of {
    using type = std::conditional_t<std::is_floating_point_v<T>, double,
                                    std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
};

static gf_status reduce(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *error)
{
    const struct gf_segmented_reduce_call *c = gf_segmented_reduce_call_of(call);
    return gf_dispatch_type<types>(call->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T *in = static_cast<const T *>(call->in);
        T *out = static_cast<T *>(call->out);
        cudaStream_t stream = gf_vendor_stream(call);
        if (c->op == GF_REDUCE_SUM) {
            GF_CUB_TRY(error, cub::DeviceSegmentedReduce::Sum, storage, bytes, in,
                       static_cast<typename sum_of<T>::type *>(call->out), c->segments, c->offsets,
                       c->offsets + 1, stream);
        } else if (c->op == GF_REDUCE_MIN) {
            GF_CUB_TRY(error, cub::DeviceSegmentedReduce::Min, storage, bytes, in, out, c->segments,
                       c->offsets, c->offsets + 1, stream);
        } else {
            GF_CUB_TRY(error, cub::DeviceSegmentedReduce::Max, storage, bytes, in, out, c->segments,
                       c->offsets, c->offsets + 1, stream);
        }
        return GF_OK;
    });
}

static gf_status check(const struct gf_array_call *call, gf_error *error)
{
    const gf_reduce_op op = gf_segmented_reduce_call_of(call)->op;
    if (op != GF_REDUCE_SUM && op != GF_REDUCE_MIN && op != GF_REDUCE_MAX) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "segmented_reduce, variant cub, takes sum, min and max");
    }
    return GF_OK;
}

extern "C" const struct gf_array_variant gf_vendor_segmented_reduce[] = {
    {{"cub",
      "cub::DeviceSegmentedReduce; sums of floats in its own order, empty segments and NaN as it has them",
      "", 0, types, 1, 0, 1, 1, 0},
     check,
     gf_vendor_scratch<reduce>,
     gf_vendor_run<reduce>},
    {},
};
