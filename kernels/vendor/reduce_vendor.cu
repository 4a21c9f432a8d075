/* Reduction by CUB: cub::DeviceReduce. Float sums follow CUB's own order. */
#include "array/reduce_call.h"
#include "vendor/vendor_cuda.cuh"

#include <cub/device/device_reduce.cuh>

static const uint32_t types = GF_TYPES_ALL & ~GF_TYPE_BIT(GF_S16);

/* The type of a sum: CUB adds up in it. */
template <class T> struct sum_of {
    using type = std::conditional_t<std::is_floating_point_v<T>, double,
                                    std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
};

template <class T>
static gf_status reduce_type(const struct gf_reduce_call *c, char *storage, size_t *bytes, gf_error *error)
{
    const T *in = static_cast<const T *>(c->array.in);
    const int64_t n = c->array.n;
    cudaStream_t stream = gf_vendor_stream(&c->array);
    T *value = static_cast<T *>(c->array.out);
    int64_t *index = static_cast<int64_t *>(c->array.out);
    T *extreme = reinterpret_cast<T *>(storage); /* argmin finds it too: it lies in front of the storage */
    const size_t front = c->op == GF_REDUCE_ARGMIN || c->op == GF_REDUCE_ARGMAX ? GF_ARRAY_ALIGNMENT : 0;
    void *rest = storage ? storage + front : nullptr;
    size_t left = *bytes - front;
    switch (c->op) {
    case GF_REDUCE_SUM:
        GF_CUB_TRY(error, cub::DeviceReduce::Sum, rest, &left, in,
                   static_cast<typename sum_of<T>::type *>(c->array.out), n, stream);
        break;
    case GF_REDUCE_MIN:
        GF_CUB_TRY(error, cub::DeviceReduce::Min, rest, &left, in, value, n, stream);
        break;
    case GF_REDUCE_MAX:
        GF_CUB_TRY(error, cub::DeviceReduce::Max, rest, &left, in, value, n, stream);
        break;
    case GF_REDUCE_ARGMIN:
        GF_CUB_TRY(error, cub::DeviceReduce::ArgMin, rest, &left, in, extreme, index, n, stream);
        break;
    default:
        GF_CUB_TRY(error, cub::DeviceReduce::ArgMax, rest, &left, in, extreme, index, n, stream);
        break;
    }
    *bytes = left + front;
    return GF_OK;
}

static gf_status reduce(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *error)
{
    return gf_dispatch_type<types>(call->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return reduce_type<T>(gf_reduce_call_of(call), static_cast<char *>(storage), bytes, error);
    });
}

static gf_status check(const struct gf_array_call *call, gf_error *error)
{
    const gf_reduce_op op = gf_reduce_call_of(call)->op;
    if (op != GF_REDUCE_SUM && op != GF_REDUCE_MIN && op != GF_REDUCE_MAX && op != GF_REDUCE_ARGMIN &&
        op != GF_REDUCE_ARGMAX) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "reduce, variant cub, takes sum, min, max, argmin and argmax");
    }
    if (call->n == 0) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "reduce, variant cub, takes at least one element");
    }
    return GF_OK;
}

extern "C" const struct gf_array_variant gf_vendor_reduce[] = {
    {{"cub", "cub::DeviceReduce; sums of floats in its own order, NaN as its comparisons have it", "", 0,
      types, 1, 0, 1, 1, 0},
     check,
     gf_vendor_scratch<reduce>,
     gf_vendor_run<reduce>},
    {},
};
