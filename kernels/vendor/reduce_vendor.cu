/* Reduction by CUB: cub::DeviceReduce. Float sums follow CUB's own order. */
#include "array/reduce/reduce_call.h"
#include "vendor/vendor_cuda.cuh"

#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>

static const uint32_t types = GF_TYPES_ALL & ~GF_TYPE_BIT(GF_S16);

/* The type of a sum: CUB adds up in it. */
template <class T> struct sum_of {
    using type = std::conditional_t<std::is_floating_point_v<T>, double,
                                    std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
};

/* Bits by CUB's own functions, and truth of elements as C has it. */
template <class T> struct is_not_zero {
    __device__ uint8_t operator()(T v) const { return v != T(0); }
};

template <class T>
static gf_status reduce_logical(const struct gf_reduce_call *c, void *rest, size_t *left, gf_error *error)
{
    const T *in = static_cast<const T *>(c->array.in);
    const int64_t n = c->array.n;
    const cudaStream_t stream = gf_vendor_stream(&c->array);
    uint8_t *truth = static_cast<uint8_t *>(c->array.out);
    if (c->op == GF_REDUCE_ANY) {
        GF_CUB_TRY(error, cub::DeviceReduce::TransformReduce, rest, left, in, truth, n,
                   ::cuda::std::bit_or<uint8_t>(), is_not_zero<T>(), uint8_t(0), stream);
        return GF_OK;
    }
    if (c->op == GF_REDUCE_ALL) {
        GF_CUB_TRY(error, cub::DeviceReduce::TransformReduce, rest, left, in, truth, n,
                   ::cuda::std::bit_and<uint8_t>(), is_not_zero<T>(), uint8_t(1), stream);
        return GF_OK;
    }
    if constexpr (!std::is_floating_point_v<T>) {
        T *value = static_cast<T *>(c->array.out);
        switch (c->op) {
        case GF_REDUCE_AND:
            GF_CUB_TRY(error, cub::DeviceReduce::Reduce, rest, left, in, value, n, ::cuda::std::bit_and<T>(),
                       static_cast<T>(~T(0)), stream);
            break;
        case GF_REDUCE_OR:
            GF_CUB_TRY(error, cub::DeviceReduce::Reduce, rest, left, in, value, n, ::cuda::std::bit_or<T>(),
                       T(0), stream);
            break;
        default:
            GF_CUB_TRY(error, cub::DeviceReduce::Reduce, rest, left, in, value, n, ::cuda::std::bit_xor<T>(),
                       T(0), stream);
            break;
        }
    }
    return GF_OK;
}

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
    case GF_REDUCE_ARGMAX:
        GF_CUB_TRY(error, cub::DeviceReduce::ArgMax, rest, &left, in, extreme, index, n, stream);
        break;
    default:
        GF_TRY(reduce_logical<T>(c, rest, &left, error));
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
    const bool bitwise = op == GF_REDUCE_AND || op == GF_REDUCE_OR || op == GF_REDUCE_XOR;
    if (op == GF_REDUCE_PRODUCT || op == GF_REDUCE_MEAN || op == GF_REDUCE_VAR) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "reduce, variant cub, takes sum, min, max, argmin, argmax, and, or, xor, any and all");
    }
    if (bitwise && (call->options.type == GF_F32 || call->options.type == GF_F64)) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "reduce: and, or and xor are for integers, not for %s",
                       gf_depth_name(call->options.type));
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
