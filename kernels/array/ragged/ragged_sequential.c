/* The definition of a ragged loop: the two loops as they stand. */
#include "array/ragged/ragged_call.h"
#include "array/reduce/reduce_call.h"

#include <string.h>

/* Element k of the output becomes `value` as one of its type. */
static void fill(const struct gf_ragged_call *call, int64_t k)
{
    const int64_t value = call->options.value;
    void *out = call->array.out;
    switch (call->array.options.type) {
    case GF_F32:
        ((float *)out)[k] = (float)value;
        break;
    case GF_F64:
        ((double *)out)[k] = (double)value;
        break;
    case GF_S32:
    case GF_U32:
        ((uint32_t *)out)[k] = (uint32_t)value;
        break;
    default:
        ((int64_t *)out)[k] = value;
        break;
    }
}

static void item(const struct gf_ragged_call *call, int64_t ix, int64_t iy, int64_t k)
{
    const size_t size = gf_depth_size(call->array.options.type);
    char *out = call->array.out;
    switch (call->options.body) {
    case GF_RAGGED_FILL:
        fill(call, k);
        break;
    case GF_RAGGED_EXPAND:
        ((uint32_t *)(void *)out)[k] = (uint32_t)ix;
        call->iy_out[k] = (uint32_t)iy;
        break;
    case GF_RAGGED_DECODE:
        memcpy(out + (size_t)k * size, (const char *)call->values + (size_t)ix * size, size);
        break;
    default:
        break;
    }
}

static uint64_t sum(const struct gf_ragged_call *call, int64_t count)
{
    uint64_t all = 0;
    for (int64_t iy = 0; iy < count; iy++) {
        all += (uint64_t)iy * (uint64_t)call->options.value;
    }
    return all;
}

/* Makes what the definition of gf_reduce makes of a segment. */
static gf_status segment(const struct gf_ragged_call *call, int64_t ix, int64_t k, int64_t n, gf_error *error)
{
    const gf_depth type = call->array.options.type;
    const size_t size = gf_depth_size(type),
                 result = gf_depth_size(gf_ragged_result(call->options.body, type));
    struct gf_reduce_call reduce = {.array = call->array, .op = gf_ragged_op(call->options.body)};
    reduce.array.in = n > 0 ? (const char *)call->values + (size_t)k * size : NULL;
    reduce.array.out = (char *)call->array.out + (size_t)ix * result;
    reduce.array.n = n;
    return gf_reduce_sequential(&reduce.array, error);
}

gf_status gf_ragged_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_ragged_call *call = gf_ragged_call_of(array);
    const int32_t *counts = array->in;
    int64_t k = 0;
    for (int64_t ix = 0; ix < array->n; ix++) {
        const int64_t count = counts[ix] > 0 ? counts[ix] : 0, there = gf_ragged_there(call->items, k, count);
        if (gf_ragged_is_segment(call->options.body)) {
            GF_TRY(segment(call, ix, k, there, error));
        } else if (call->options.body == GF_RAGGED_SUM) {
            ((uint64_t *)array->out)[ix] = sum(call, count);
        } else {
            for (int64_t iy = 0; iy < there; iy++) {
                item(call, ix, iy, k + iy);
            }
        }
        k += count;
    }
    if (call->total) {
        *call->total = k;
    }
    return GF_OK;
}

gf_depth gf_ragged_result(gf_ragged_body body, gf_depth type)
{
    return body == GF_RAGGED_SUM        ? GF_S64
           : body == GF_RAGGED_EXPAND   ? GF_U32
           : gf_ragged_is_segment(body) ? gf_reduce_result(gf_ragged_op(body), type)
                                        : type;
}
