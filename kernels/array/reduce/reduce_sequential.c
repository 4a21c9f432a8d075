/* The definition of reduction, read element by element; speed is no aim. */
#include "array/common/element_at.h"
#include "array/reduce/reduce_call.h"
#include "array/reduce/reduce_forest.h"
#include "array/reduce/reduce_result.h"

#include <stdbool.h>

static uint64_t rank_at(const void *in, gf_depth type, int64_t i, int greatest)
{
    switch (type) {
    case GF_U8:
        return gf_rank_u8(((const uint8_t *)in)[i], greatest);
    case GF_U16:
        return gf_rank_u16(((const uint16_t *)in)[i], greatest);
    case GF_U32:
        return gf_rank_u32(((const uint32_t *)in)[i], greatest);
    case GF_U64:
        return gf_rank_u64(((const uint64_t *)in)[i], greatest);
    case GF_S16:
        return gf_rank_s16(((const int16_t *)in)[i], greatest);
    case GF_S32:
        return gf_rank_s32(((const int32_t *)in)[i], greatest);
    case GF_S64:
        return gf_rank_s64(((const int64_t *)in)[i], greatest);
    case GF_F32: {
        uint32_t rank = gf_rank_f32(((const float *)in)[i], greatest);
        return rank == UINT32_MAX ? UINT64_MAX : rank;
    }
    case GF_F64:
        return gf_rank_f64(((const double *)in)[i], greatest);
    }
    return 0;
}

/* lane[j] and lane[j + 64], then 32, ... down to one. */
static double fold(double lane[GF_REDUCE_LANES], gf_reduce_op op)
{
    for (int step = GF_REDUCE_LANES / 2; step > 0; step /= 2) {
        for (int j = 0; j < step; j++) {
            lane[j] = op == GF_REDUCE_PRODUCT ? lane[j] * lane[j + step] : lane[j] + lane[j + step];
        }
    }
    return lane[0];
}

/* Sum or product of n elements; with `mean`, the sum of the squared distances from it. */
static double leaf_number(const void *in, gf_depth type, int64_t first, int64_t n, gf_reduce_op op,
                          const double *mean)
{
    double lane[GF_REDUCE_LANES];
    for (int j = 0; j < GF_REDUCE_LANES; j++) {
        lane[j] = op == GF_REDUCE_PRODUCT ? 1.0 : 0.0;
    }
    for (int64_t i = 0; i < n; i++) {
        double v = (double)gf_element_at(in, type, first + i);
        double *to = &lane[i % GF_REDUCE_LANES];
        *to = op == GF_REDUCE_PRODUCT ? *to * v : mean ? *to + (v - *mean) * (v - *mean) : *to + v;
    }
    return fold(lane, op);
}

static struct gf_reduce_part ordered_leaf(const struct gf_reduce_call *call, int64_t first, int64_t n)
{
    const struct gf_array_call *a = &call->array;
    struct gf_reduce_part part = gf_reduce_empty(call->op);
    part.n = (uint64_t)n;
    part.number = leaf_number(a->in, a->options.type, first, n, call->op, NULL);
    if (call->op == GF_REDUCE_VAR) {
        double mean = part.number / (double)n;
        part.moments.n = (double)n;
        part.moments.mean = mean;
        part.moments.m2 = leaf_number(a->in, a->options.type, first, n, GF_REDUCE_SUM, &mean);
    }
    return part;
}

static struct gf_reduce_part element(const struct gf_reduce_call *call, int64_t i)
{
    const struct gf_array_call *a = &call->array;
    struct gf_reduce_part part = gf_reduce_empty(call->op);
    bool is_float = gf_reduce_is_float(a->options.type); /* has no sums of integers */
    gf_int128 v = is_float ? 0 : (gf_int128)gf_element_at(a->in, a->options.type, i);
    part.n = 1;
    part.bits = call->op == GF_REDUCE_ANY || call->op == GF_REDUCE_ALL
                    ? gf_element_at(a->in, a->options.type, i) != 0
                    : (uint64_t)v;
    part.sum = v;
    part.squares = (gf_uint128)v * (gf_uint128)v;
    part.rank = rank_at(a->in, a->options.type, i, call->op == GF_REDUCE_MAX || call->op == GF_REDUCE_ARGMAX);
    part.index = is_float && part.rank == UINT64_MAX ? -1 : i;
    return part;
}

gf_status gf_reduce_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_reduce_call *call = gf_reduce_call_of(array);
    bool ordered = gf_reduce_is_ordered(call->op, array->options.type);
    struct gf_reduce_part all = gf_reduce_empty(call->op);
    struct gf_reduce_forest forest = {.leaves = 0};
    (void)error;
    for (int64_t i = 0; i < array->n; i += ordered ? GF_REDUCE_LEAF : 1) {
        if (ordered) {
            int64_t rest = array->n - i;
            struct gf_reduce_part leaf = ordered_leaf(call, i, rest < GF_REDUCE_LEAF ? rest : GF_REDUCE_LEAF);
            gf_reduce_forest_add(&forest, call->op, leaf, 0);
        } else {
            all = gf_reduce_join(call->op, all, element(call, i));
        }
    }
    all = ordered ? gf_reduce_forest_join(&forest, call->op) : all;
    gf_reduce_write(call->op, array->options.type, &all, array->out);
    return GF_OK;
}
