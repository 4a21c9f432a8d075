/* The partition as it is defined: one element after the other, first of one side, then of the other. */
#include "array/compact/compact_call.h"

#include <string.h>

static void write_one(const struct gf_compact_call *call, int64_t i, int64_t at)
{
    const size_t size = gf_depth_size(call->out);
    const uint32_t narrow = (uint32_t)i;
    const void *from = !call->indices        ? (const void *)((const char *)call->array.in + (size_t)i * size)
                       : call->out == GF_U32 ? (const void *)&narrow
                                             : (const void *)&i;
    memcpy((char *)call->array.out + (size_t)at * size, from, size);
}

gf_status gf_partition_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_compact_call *call = gf_compact_call_of(array);
    int64_t at = 0;
    (void)error;
    for (int side = 1; side >= 0; side--) {
        for (int64_t i = 0; i < array->n; i++) {
            if (gf_compact_is_kept(call, i) == (side == 1)) {
                write_one(call, i, at++);
            }
        }
        *call->count = side == 1 ? (uint64_t)at : *call->count;
    }
    return GF_OK;
}
