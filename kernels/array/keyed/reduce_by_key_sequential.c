/* The definition: the values of each run are reduced by themselves. */
#include "array/common/element_at.h"
#include "array/keyed/reduce_by_key_call.h"

#include <string.h>

static gf_status reduce_run(const struct gf_reduce_by_key_call *call, int64_t first, int64_t end, int64_t run,
                            gf_error *error)
{
    const size_t key = gf_depth_size(call->key), size = gf_depth_size(call->array.options.type);
    struct gf_reduce_call alone = {.array = call->array, .op = call->op};
    alone.array.in = (const char *)call->array.in + (size_t)first * size;
    alone.array.n = end - first;
    alone.array.out = (char *)call->array.out +
                      (size_t)run * gf_depth_size(gf_reduce_result(call->op, call->array.options.type));
    if (call->unique) {
        memcpy((char *)call->unique + (size_t)run * key, (const char *)call->keys + (size_t)first * key, key);
    }
    return gf_reduce_sequential(&alone.array, error);
}

gf_status gf_reduce_by_key_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_reduce_by_key_call *call = gf_reduce_by_key_call_of(array);
    int64_t runs = 0, end;
    for (int64_t first = 0; first < array->n; first = end, runs++) {
        for (end = first + 1; end < array->n && gf_elements_are_equal(call->keys, call->key, first, end);) {
            end++;
        }
        if (runs < call->capacity) {
            GF_TRY(reduce_run(call, first, end, runs, error));
        }
    }
    *call->runs = (uint64_t)runs;
    return GF_OK;
}
