/* Scans by CUB and Thrust: cub::DeviceScan, thrust::exclusive_scan and inclusive_scan. Float sums follow
 * their own order. */
#include "array/scan/scan_call.h"
#include "vendor/vendor_cuda.cuh"

#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

/* ---- CUB ------------------------------------------------------------------------------------- */

/* The result begins with `first` in both kinds, which also makes the inclusive one add in the type of
 * `first`. */
template <class T, class O, class F>
static gf_status cub_scan(const struct gf_scan_call *c, O first, F join, void *storage, size_t *bytes,
                          gf_error *error)
{
    const T *in = static_cast<const T *>(c->array.in);
    O *out = static_cast<O *>(c->array.out);
    const cudaStream_t stream = gf_vendor_stream(&c->array);
    if (c->inclusive) {
        GF_CUB_TRY(error, cub::DeviceScan::InclusiveScanInit, storage, bytes, in, out, join, first,
                   c->array.n, stream);
    } else {
        GF_CUB_TRY(error, cub::DeviceScan::ExclusiveScan, storage, bytes, in, out, join, first, c->array.n,
                   stream);
    }
    return GF_OK;
}

template <class T, class O>
static gf_status cub_sum(const struct gf_scan_call *c, void *storage, size_t *bytes, gf_error *error)
{
    return cub_scan<T, O>(c, O(0), ::cuda::std::plus<O>(), storage, bytes, error);
}

/* Results as wide as the elements, 4 or 8 bytes wide; a sign does not show in the bits of a sum. */
template <class T, class O32, class O64>
static gf_status cub_sum_to(const struct gf_scan_call *c, void *storage, size_t *bytes, gf_error *error)
{
    const size_t size = gf_depth_size(c->out);
    if (size == sizeof(T)) {
        return cub_sum<T, T>(c, storage, bytes, error);
    }
    if constexpr (sizeof(T) < 4) {
        if (size == 4) {
            return cub_sum<T, O32>(c, storage, bytes, error);
        }
    }
    return cub_sum<T, O64>(c, storage, bytes, error);
}

static gf_status cub_sums(const struct gf_scan_call *c, void *storage, size_t *bytes, gf_error *error)
{
    const bool same = gf_depth_size(c->out) == gf_depth_size(c->array.options.type);
    switch (c->array.options.type) {
    case GF_U8:
        return cub_sum_to<uint8_t, uint32_t, uint64_t>(c, storage, bytes, error);
    case GF_U16:
        return cub_sum_to<uint16_t, uint32_t, uint64_t>(c, storage, bytes, error);
    case GF_S16:
        return same ? cub_sum<uint16_t, uint16_t>(c, storage, bytes, error)
                    : cub_sum_to<int16_t, int32_t, int64_t>(c, storage, bytes, error);
    case GF_U32:
        return cub_sum_to<uint32_t, uint32_t, uint64_t>(c, storage, bytes, error);
    case GF_S32:
        return same ? cub_sum<uint32_t, uint32_t>(c, storage, bytes, error)
                    : cub_sum<int32_t, int64_t>(c, storage, bytes, error);
    case GF_F32:
        return cub_sum_to<float, double, double>(c, storage, bytes, error);
    case GF_F64:
        return cub_sum<double, double>(c, storage, bytes, error);
    default:
        return cub_sum<uint64_t, uint64_t>(c, storage, bytes, error);
    }
}

/* The lesser or greater of two numbers that are there; NaN is not, -0 is less than +0. */
template <class T> struct extreme {
    bool greatest;
    __device__ T operator()(T a, T b) const
    {
        const auto p = gf_order<T>::to(a), q = gf_order<T>::to(b);
        return a != a ? b : b != b ? a : (greatest ? q > p : q < p) ? b : a;
    }
};

static gf_status cub_extremes(const struct gf_scan_call *c, void *storage, size_t *bytes, gf_error *error)
{
    return gf_dispatch_type<GF_TYPES_ALL>(c->out, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        using limits = ::cuda::std::numeric_limits<T>;
        const bool greatest = c->op == GF_SCAN_MAX;
        T first = greatest ? limits::lowest() : limits::max();
        if constexpr (std::is_floating_point_v<T>) {
            first = greatest ? -limits::infinity() : limits::infinity();
        }
        return cub_scan<T, T>(c, first, extreme<T>{greatest}, storage, bytes, error);
    });
}

static gf_status cub_work(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *error)
{
    const struct gf_scan_call *c = gf_scan_call_of(call);
    return c->op == GF_SCAN_SUM ? cub_sums(c, storage, bytes, error) : cub_extremes(c, storage, bytes, error);
}

/* ---- Thrust ---------------------------------------------------------------------------------- */

static gf_status check_thrust(const struct gf_array_call *call, gf_error *error)
{
    const struct gf_scan_call *c = gf_scan_call_of(call);
    if (c->op != GF_SCAN_SUM || c->out != call->options.type) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "scan, variant thrust, has sums of the input's type only");
    }
    return GF_OK;
}

template <class T> static void thrust_sum(const struct gf_scan_call *c, struct gf_vendor_memory memory)
{
    const auto policy = thrust::cuda::par_nosync(memory).on(gf_vendor_stream(&c->array));
    const T *in = static_cast<const T *>(c->array.in);
    T *out = static_cast<T *>(c->array.out);
    if (c->inclusive) {
        thrust::inclusive_scan(policy, in, in + c->array.n, out, ::cuda::std::plus<T>());
    } else {
        thrust::exclusive_scan(policy, in, in + c->array.n, out, T(0), ::cuda::std::plus<T>());
    }
}

/* Thrust does not say what it needs: some bytes for each of its tiles, of more than a thousand elements. */
static gf_status thrust_work(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *)
{
    if (!storage) {
        *bytes = static_cast<size_t>(call->n) / 16 + (1 << 16);
        return GF_OK;
    }
    size_t used = 0;
    const struct gf_scan_call *c = gf_scan_call_of(call);
    const struct gf_vendor_memory memory = {static_cast<char *>(storage), *bytes, &used};
    switch (call->options.type) {
    case GF_F32:
        thrust_sum<float>(c, memory);
        break;
    case GF_F64:
        thrust_sum<double>(c, memory);
        break;
    case GF_U8:
        thrust_sum<uint8_t>(c, memory);
        break;
    case GF_U16:
    case GF_S16:
        thrust_sum<uint16_t>(c, memory);
        break;
    case GF_U32:
    case GF_S32:
        thrust_sum<uint32_t>(c, memory);
        break;
    case GF_U64:
    case GF_S64:
        thrust_sum<uint64_t>(c, memory);
        break;
    }
    return GF_OK;
}

extern "C" const struct gf_array_variant gf_vendor_scan[] = {
    {{"cub", "cub::DeviceScan; sums of floats in its own order", "", 0, GF_TYPES_ALL, 1, 0, 1, 1, 0},
     nullptr,
     gf_vendor_scratch<cub_work>,
     gf_vendor_run<cub_work>},
    {{"thrust", "thrust::exclusive_scan and inclusive_scan; sums of floats in its own order", "", 0,
      GF_TYPES_ALL, 1, 0, 1, 1, 0},
     check_thrust,
     gf_vendor_scratch<thrust_work>,
     gf_vendor_run<thrust_work>},
    {},
};
