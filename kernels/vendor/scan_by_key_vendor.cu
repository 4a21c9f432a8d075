/* Scan by key by CUB: cub::DeviceScan::ExclusiveScanByKey and InclusiveScanByKey. Float sums follow CUB's own
 * order. */
#include "array/segmented/segmented_scan_call.h"
#include "vendor/vendor_cuda.cuh"

#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>

static const uint32_t values = GF_TYPE_BIT(GF_U32) | GF_TYPE_BIT(GF_S32) | GF_TYPE_BIT(GF_U64) |
                               GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_F64);
static const uint32_t keys = GF_TYPE_BIT(GF_U32) | GF_TYPE_BIT(GF_U64);

template <class K, class T, class F>
static gf_status scan(const struct gf_segmented_scan_call *c, T first, F join, void *storage, size_t *bytes,
                      gf_error *error)
{
    const struct gf_array_call *array = &c->scan.array;
    const K *by = static_cast<const K *>(c->keys);
    const T *in = static_cast<const T *>(array->in);
    T *out = static_cast<T *>(array->out);
    const cudaStream_t stream = gf_vendor_stream(array);
    if (c->scan.inclusive) {
        GF_CUB_TRY(error, cub::DeviceScan::InclusiveScanByKey, storage, bytes, by, in, out, join, array->n,
                   ::cuda::std::equal_to<>(), stream);
    } else {
        GF_CUB_TRY(error, cub::DeviceScan::ExclusiveScanByKey, storage, bytes, by, in, out, join, first,
                   array->n, ::cuda::std::equal_to<>(), stream);
    }
    return GF_OK;
}

static gf_status work(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *error)
{
    const struct gf_segmented_scan_call *c = gf_segmented_scan_call_of(call);
    return gf_dispatch_type<values>(call->options.type, error, [&](auto value) {
        return gf_dispatch_type<keys>(c->key, error, [&](auto key) {
            using T = typename decltype(value)::type;
            using K = typename decltype(key)::type;
            using limits = ::cuda::std::numeric_limits<T>;
            const T most = limits::has_infinity ? limits::infinity() : limits::max();
            const T least = limits::has_infinity ? -limits::infinity() : limits::lowest();
            return c->scan.op == GF_SCAN_SUM
                       ? scan<K, T>(c, T(0), ::cuda::std::plus<T>(), storage, bytes, error)
                   : c->scan.op == GF_SCAN_MIN
                       ? scan<K, T>(c, most, ::cuda::minimum<T>(), storage, bytes, error)
                       : scan<K, T>(c, least, ::cuda::maximum<T>(), storage, bytes, error);
        });
    });
}

static gf_status check(const struct gf_array_call *call, gf_error *error)
{
    const struct gf_segmented_scan_call *c = gf_segmented_scan_call_of(call);
    if (c->scan.out != call->options.type) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "scan_by_key, variant cub, has results of the values' type, %s, only",
                       gf_depth_name(call->options.type));
    }
    if ((keys & GF_TYPE_BIT(c->key)) == 0) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "scan_by_key, variant cub, takes keys of u32 and u64, not %s", gf_depth_name(c->key));
    }
    return GF_OK;
}

extern "C" const struct gf_array_variant gf_vendor_scan_by_key[] = {
    {{"cub", "cub::DeviceScan::ExclusiveScanByKey; sums of floats in its own order", "", 0, values, 1, 0, 1,
      1, 0},
     check,
     gf_vendor_scratch<work>,
     gf_vendor_run<work>},
    {},
};
