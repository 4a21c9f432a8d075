/* Runs by CUB: cub::DeviceRunLengthEncode::Encode, and cub::DeviceSelect::Unique where nobody wants counts.
 * They have no bound for what they write, and do not say where runs begin. */
#include "array/keyed/run_length_call.h"
#include "vendor/vendor_cuda.cuh"

#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>

static gf_status work(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *error)
{
    const struct gf_run_length_call *c = gf_run_length_call_of(call);
    if (storage && (c->capacity < call->n || !call->out || c->starts)) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "run_length, variant cub, writes keys and perhaps counts, with room for all %lld",
                       static_cast<long long>(call->n));
    }
    return gf_dispatch_type<GF_TYPES_ALL>(call->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T *keys = static_cast<const T *>(call->in);
        T *unique = static_cast<T *>(call->out);
        size_t other = 0;
        if (!storage || c->counts) {
            GF_CUB_TRY(error, cub::DeviceRunLengthEncode::Encode, storage, bytes, keys, unique, c->counts,
                       c->runs, call->n, gf_vendor_stream(call));
        }
        if (!storage || !c->counts) {
            size_t *const room = storage ? bytes : &other;
            GF_CUB_TRY(error, cub::DeviceSelect::Unique, storage, room, keys, unique, c->runs, call->n,
                       gf_vendor_stream(call));
        }
        *bytes = other > *bytes ? other : *bytes;
        return GF_OK;
    });
}

extern "C" const struct gf_array_variant gf_vendor_run_length[] = {
    {{"cub",
      "cub::DeviceRunLengthEncode, cub::DeviceSelect::Unique; NaN is a run of its own; needs room for all",
      "", 0, GF_TYPES_ALL, 1, 1, 1, 0, 0},
     nullptr,
     gf_vendor_scratch<work>,
     gf_vendor_run<work>},
    {},
};
