/* The merge of keys with values on the CPU. Each thread has an equal share of the output, as in merge_cpu.c,
 * and cuts it into parts that it merges side by side: an element of one part waits for the comparison before
 * it, those of the others do not. Keys and values are chosen by masks: half of all branches would be guessed
 * wrong. */
#include "array/sort/sort_call.h"
#include "array/sort/sort_order.h"
#include "base/planted_fault.h"
#include "base/team.h"

enum {
    PARTS = 2,
    STEADY = 16 /* elements of every part that are merged without a look at the ends, at least */
};

/* One of them: where it reads, and what it still writes. */
struct part {
    int64_t i, j, k, end;
};

/* Returns how many steps no part can leave its inputs or its output in. */
static int64_t steady(const struct gf_merge_call *call, const struct part *p)
{
    int64_t steps = INT64_MAX;
    for (int s = 0; s < PARTS; s++) {
        const int64_t a = call->a_count - p[s].i, b = call->b_count - p[s].j, out = p[s].end - p[s].k;
        steps = a < steps ? a : steps;
        steps = b < steps ? b : steps;
        steps = out < steps ? out : steps;
    }
    return steps;
}

/* split: how many of the first k of the output are from the first array. step: element k of the output. */
#define MERGE_KEYS(name, K)                                                                                  \
    static int64_t split_##name(const struct gf_merge_call *call, uint64_t flip_bits, int64_t k)             \
    {                                                                                                        \
        const K *a = call->a, *b = call->b, flip = (K)flip_bits;                                             \
        int64_t low = k > call->b_count ? k - call->b_count : 0;                                             \
        int64_t high = k < call->a_count ? k : call->a_count;                                                \
        while (low < high) {                                                                                 \
            int64_t i = low + (high - low) / 2;                                                              \
            if (gf_rank_##name(b[k - 1 - i], flip) < gf_rank_##name(a[i], flip)) {                           \
                high = i;                                                                                    \
            } else {                                                                                         \
                low = i + 1; /* a[i] is among the first k: equal keys of a come first */                     \
            }                                                                                                \
        }                                                                                                    \
        return low;                                                                                          \
    }                                                                                                        \
    MERGE_PAIRS(name, K, 4, uint32_t)                                                                        \
    MERGE_PAIRS(name, K, 8, uint64_t)

#define MERGE_PAIRS(name, K, size, V)                                                                        \
    static void side_by_side_##name##size(const struct gf_merge_call *call, K flip, struct part *p,          \
                                          int64_t steps)                                                     \
    {                                                                                                        \
        const K *const a = call->a, *const b = call->b;                                                      \
        const V *const a_values = call->a_values, *const b_values = call->b_values;                          \
        K *const out = call->array.out;                                                                      \
        V *const values_out = call->values_out;                                                              \
        int64_t i[PARTS], j[PARTS];                                                                          \
        for (int s = 0; s < PARTS; s++) {                                                                    \
            i[s] = p[s].i;                                                                                   \
            j[s] = p[s].j;                                                                                   \
        }                                                                                                    \
        for (int64_t step = 0; step < steps; step++) {                                                       \
            _Pragma("GCC unroll 2") for (int s = 0; s < PARTS; s++)                                          \
            {                                                                                                \
                const K x = a[i[s]], y = b[j[s]];                                                            \
                const V v = a_values[i[s]], w = b_values[j[s]];                                              \
                const int64_t second = gf_rank_##name(y, flip) < gf_rank_##name(x, flip);                    \
                out[p[s].k + step] = (K)(x ^ ((x ^ y) & (K)-second));                                        \
                values_out[p[s].k + step] = v ^ ((v ^ w) & (V)-second);                                      \
                i[s] += 1 - second;                                                                          \
                j[s] += second;                                                                              \
            }                                                                                                \
        }                                                                                                    \
        for (int s = 0; s < PARTS; s++) {                                                                    \
            p[s] = (struct part){i[s], j[s], p[s].k + steps, p[s].end};                                      \
        }                                                                                                    \
    }                                                                                                        \
    static void finish_##name##size(const struct gf_merge_call *call, K flip, struct part p)                 \
    {                                                                                                        \
        const K *const a = call->a, *const b = call->b;                                                      \
        const V *const a_values = call->a_values, *const b_values = call->b_values;                          \
        K *const out = call->array.out;                                                                      \
        V *const values_out = call->values_out;                                                              \
        for (; p.k < p.end; p.k++) {                                                                         \
            const int second =                                                                               \
                p.i == call->a_count ||                                                                      \
                (p.j < call->b_count && gf_rank_##name(b[p.j], flip) < gf_rank_##name(a[p.i], flip));        \
            out[p.k] = second ? b[p.j] : a[p.i];                                                             \
            values_out[p.k] = second ? b_values[p.j] : a_values[p.i];                                        \
            p.i += !second;                                                                                  \
            p.j += second;                                                                                   \
        }                                                                                                    \
    }                                                                                                        \
    static void merge_##name##size(const struct gf_merge_call *call, uint64_t flip, int64_t from,            \
                                   int64_t to)                                                               \
    {                                                                                                        \
        struct part p[PARTS];                                                                                \
        for (int s = 0; s < PARTS; s++) {                                                                    \
            p[s].k = from + gf_array_share(to - from, s, PARTS);                                             \
            p[s].end = from + gf_array_share(to - from, s + 1, PARTS) - GF_FAULT(merge_pairs_part);          \
            p[s].i = split_##name(call, flip, p[s].k);                                                       \
            p[s].j = p[s].k - p[s].i;                                                                        \
        }                                                                                                    \
        for (int64_t steps; (steps = steady(call, p)) >= STEADY;) {                                          \
            side_by_side_##name##size(call, (K)flip, p, steps);                                              \
        }                                                                                                    \
        for (int s = 0; s < PARTS; s++) {                                                                    \
            finish_##name##size(call, (K)flip, p[s]);                                                        \
        }                                                                                                    \
    }

MERGE_KEYS(8, uint8_t)
MERGE_KEYS(16, uint16_t)
MERGE_KEYS(32, uint32_t)
MERGE_KEYS(64, uint64_t)
MERGE_KEYS(f32, uint32_t)
MERGE_KEYS(f64, uint64_t)

static void (*const merges[][2])(const struct gf_merge_call *, uint64_t, int64_t, int64_t) = {
    [GF_U8] = {merge_84, merge_88},      [GF_U16] = {merge_164, merge_168},
    [GF_S16] = {merge_164, merge_168},   [GF_U32] = {merge_324, merge_328},
    [GF_S32] = {merge_324, merge_328},   [GF_U64] = {merge_644, merge_648},
    [GF_S64] = {merge_644, merge_648},   [GF_F32] = {merge_f324, merge_f328},
    [GF_F64] = {merge_f644, merge_f648},
};

static void merge_share(void *argument, int thread, int threads)
{
    const struct gf_merge_call *call = argument;
    gf_depth type = call->array.options.type;
    merges[type][call->value_size == 8](call, gf_sort_flip(type, call->descending),
                                        gf_array_share(call->array.n, thread, threads),
                                        gf_array_share(call->array.n, thread + 1, threads));
}

gf_status gf_merge_pairs_cpu(const struct gf_array_call *array, gf_error *error)
{
    struct gf_merge_call call = *gf_merge_call_of(array);
    (void)error;
    gf_team_run_once(gf_array_threads(array, GF_ARRAY_PAYS), merge_share, &call);
    return GF_OK;
}
