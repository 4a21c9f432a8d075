/* Reduction by key by CUB: cub::DeviceReduce::ReduceByKey. It has no bound for what it writes; float sums
 * follow CUB's own order. */
#include "array/keyed/reduce_by_key_call.h"
#include "vendor/vendor_cuda.cuh"

#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>

static const uint32_t values =
    GF_TYPE_BIT(GF_U32) | GF_TYPE_BIT(GF_S32) | GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_F64);
static const uint32_t keys = GF_TYPE_BIT(GF_U32) | GF_TYPE_BIT(GF_U64);

/* The type of a sum: CUB adds up in that of the results. */
template <class T> struct sum_of {
    using type = std::conditional_t<std::is_floating_point_v<T>, double,
                                    std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
};

template <class K, class T, class O, class F>
static gf_status reduce(const struct gf_reduce_by_key_call *c, F join, void *storage, size_t *bytes,
                        gf_error *error)
{
    GF_CUB_TRY(error, cub::DeviceReduce::ReduceByKey, storage, bytes, static_cast<const K *>(c->keys),
               static_cast<K *>(c->unique), static_cast<const T *>(c->array.in),
               static_cast<O *>(c->array.out), c->runs, join, c->array.n, gf_vendor_stream(&c->array));
    return GF_OK;
}

static gf_status work(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *error)
{
    const struct gf_reduce_by_key_call *c = gf_reduce_by_key_call_of(call);
    if (storage && (c->capacity < call->n || !c->unique)) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "reduce_by_key, variant cub, writes keys and values, with room for all %lld",
                       static_cast<long long>(call->n));
    }
    return gf_dispatch_type<values>(call->options.type, error, [&](auto value) {
        return gf_dispatch_type<keys>(c->key, error, [&](auto key) {
            using T = typename decltype(value)::type;
            using K = typename decltype(key)::type;
            using O = typename sum_of<T>::type;
            return c->op == GF_REDUCE_SUM ? reduce<K, T, O>(c, ::cuda::std::plus<O>(), storage, bytes, error)
                   : c->op == GF_REDUCE_MIN ? reduce<K, T, T>(c, ::cuda::minimum<T>(), storage, bytes, error)
                                            : reduce<K, T, T>(c, ::cuda::maximum<T>(), storage, bytes, error);
        });
    });
}

static gf_status check(const struct gf_array_call *call, gf_error *error)
{
    const struct gf_reduce_by_key_call *c = gf_reduce_by_key_call_of(call);
    if (c->op != GF_REDUCE_SUM && c->op != GF_REDUCE_MIN && c->op != GF_REDUCE_MAX) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "reduce_by_key, variant cub, takes sum, min and max");
    }
    if ((keys & GF_TYPE_BIT(c->key)) == 0) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "reduce_by_key, variant cub, takes keys of u32 and u64, not %s",
                       gf_depth_name(c->key));
    }
    return GF_OK;
}

extern "C" const struct gf_array_variant gf_vendor_reduce_by_key[] = {
    {{"cub", "cub::DeviceReduce::ReduceByKey; sums of floats in its own order; needs room for all", "", 0,
      values, 1, 0, 1, 1, 0},
     check,
     gf_vendor_scratch<work>,
     gf_vendor_run<work>},
    {},
};
