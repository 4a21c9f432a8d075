/* Elements that stay: the compaction of one pass for every type, and by flags for every size of element. */
#include "array/compact/compact_pass_cuda.cuh"

extern "C" gf_status gf_compact_values_cuda(const struct gf_compact_call *call, gf_error *error)
{
    return gf_keep_dispatch(call, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (sizeof(T) == 1) {
            return gf_compact_bytes_cuda(call, error);
        } else {
            return gf_compact_launch<T, gf_put_own<T, T>>(call, error);
        }
    });
}

extern "C" gf_status gf_compact_flagged_cuda(const struct gf_compact_call *call, gf_error *error)
{
    switch (gf_depth_size(call->array.options.type)) {
    case 1:
        return gf_compact_launch<uint8_t, gf_put_other<uint8_t, uint8_t>>(call, error);
    case 2:
        return gf_compact_launch<uint8_t, gf_put_other<uint8_t, uint16_t>>(call, error);
    case 4:
        return gf_compact_launch<uint8_t, gf_put_other<uint8_t, uint32_t>>(call, error);
    default:
        return gf_compact_launch<uint8_t, gf_put_other<uint8_t, uint64_t>>(call, error);
    }
}
