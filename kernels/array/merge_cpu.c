/* The merge on the CPU: each thread writes an equal share of the output. Where its share begins in the two
 * inputs is found by binary search along the merge path (O. Green, R. McColl and D. Bader, 2012): of the
 * first k elements of the output, as many come from `a` as the ranks and stability say. */
#include "array/sort_call.h"
#include "array/sort_order.h"
#include "base/team.h"

/* split: how many of the first k of the output are from a. merge: writes out[from, to). */
#define MERGE(name, K)                                                                                       \
    static int64_t split_##name(const struct gf_merge_call *call, K flip, int64_t k)                         \
    {                                                                                                        \
        const K *a = call->a, *b = call->b;                                                                  \
        int64_t low = k > call->b_count ? k - call->b_count : 0;                                             \
        int64_t high = k < call->a_count ? k : call->a_count;                                                \
        while (low < high) {                                                                                 \
            int64_t i = low + (high - low) / 2;                                                              \
            if (gf_rank_##name(b[k - 1 - i], flip) < gf_rank_##name(a[i], flip)) {                           \
                high = i;                                                                                    \
            } else {                                                                                         \
                low = i + 1; /* a[i] is among the first k: equal elements of a come first */                 \
            }                                                                                                \
        }                                                                                                    \
        return low;                                                                                          \
    }                                                                                                        \
    static void merge_##name(const struct gf_merge_call *call, uint64_t flip_bits, int64_t from, int64_t to) \
    {                                                                                                        \
        const K *a = call->a, *b = call->b;                                                                  \
        K *out = call->array.out, flip = (K)flip_bits;                                                       \
        int64_t i = split_##name(call, flip, from), j = from - i, k = from;                                  \
        while (k < to && i < call->a_count && j < call->b_count) {                                           \
            K x = a[i], y = b[j];                                                                            \
            int second = gf_rank_##name(y, flip) < gf_rank_##name(x, flip);                                  \
            out[k++] = second ? y : x;                                                                       \
            i += !second;                                                                                    \
            j += second;                                                                                     \
        }                                                                                                    \
        for (; k < to && i < call->a_count; i++) {                                                           \
            out[k++] = a[i];                                                                                 \
        }                                                                                                    \
        for (; k < to; j++) {                                                                                \
            out[k++] = b[j];                                                                                 \
        }                                                                                                    \
    }

MERGE(8, uint8_t)
MERGE(16, uint16_t)
MERGE(32, uint32_t)
MERGE(64, uint64_t)
MERGE(f32, uint32_t)
MERGE(f64, uint64_t)

static void (*const merges[])(const struct gf_merge_call *, uint64_t, int64_t, int64_t) = {
    [GF_U8] = merge_8,   [GF_U16] = merge_16, [GF_S16] = merge_16,  [GF_U32] = merge_32,  [GF_S32] = merge_32,
    [GF_U64] = merge_64, [GF_S64] = merge_64, [GF_F32] = merge_f32, [GF_F64] = merge_f64,
};

static void merge_share(void *argument, int thread, int threads)
{
    const struct gf_merge_call *call = argument;
    gf_depth type = call->array.options.type;
    merges[type](call, gf_sort_flip(type, call->descending), gf_array_share(call->array.n, thread, threads),
                 gf_array_share(call->array.n, thread + 1, threads));
}

gf_status gf_merge_cpu(const struct gf_array_call *array, gf_error *error)
{
    struct gf_merge_call call = *gf_merge_call_of(array);
    if (call.value_size > 0) {
        return gf_merge_pairs_cpu(array, error);
    }
    gf_team_run_once(gf_array_threads(array, GF_ARRAY_PAYS), merge_share, &call);
    return GF_OK;
}
