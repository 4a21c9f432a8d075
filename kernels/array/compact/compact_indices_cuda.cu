/* Indices of what stays: the compaction of one pass for every type. */
#include "array/compact/compact_pass_cuda.cuh"

extern "C" gf_status gf_compact_indices_cuda(const struct gf_compact_call *call, gf_error *error)
{
    return gf_keep_dispatch(call, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return call->out == GF_U32 ? gf_compact_launch<T, gf_put_index<T, uint32_t>>(call, error)
                                   : gf_compact_launch<T, gf_put_index<T, uint64_t>>(call, error);
    });
}
