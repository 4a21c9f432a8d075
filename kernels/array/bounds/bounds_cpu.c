/* Bounds on the CPU: a thread halves for eight keys at a time, without branches, so that eight reads of
 * memory are on their way at once. */
#include "array/bounds/bounds_call.h"
#include "array/sort/sort_order.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "base/team.h"

enum { LANES = 8, BOUNDS_PAYS = 1 << 13 };

/* The places of `count` keys, at most LANES. equal: elements that equal a key count, too. */
typedef void halve_fn(const struct gf_bounds_call *call, int64_t first, int count, bool equal,
                      int64_t place[LANES]);

/* After the loop one element is left, which the last comparison is for. */
#define HALVE(name, K)                                                                                       \
    static void halve_##name(const struct gf_bounds_call *call, int64_t first, int count, bool equal,        \
                             int64_t place[LANES])                                                           \
    {                                                                                                        \
        const K *sorted = call->sorted, *wanted = (const K *)call->array.in + first;                         \
        const K flip = (K)gf_sort_flip(call->array.options.type, call->descending);                          \
        K key[LANES];                                                                                        \
        for (int j = 0; j < LANES; j++) {                                                                    \
            key[j] = gf_rank_##name(wanted[j < count ? j : 0], flip);                                        \
            place[j] = 0;                                                                                    \
        }                                                                                                    \
        for (int64_t left = call->elements; left > 0;) {                                                     \
            const int64_t half = (left + 1) / 2;                                                             \
            for (int j = 0; j < LANES; j++) {                                                                \
                const K rank = gf_rank_##name(sorted[place[j] + half - 1], flip);                            \
                place[j] += (equal ? rank <= key[j] : rank < key[j]) ? half : 0;                             \
            }                                                                                                \
            left -= half;                                                                                    \
        }                                                                                                    \
    }
HALVE(8, uint8_t)
HALVE(16, uint16_t)
HALVE(32, uint32_t)
HALVE(64, uint64_t)
HALVE(f32, uint32_t)
HALVE(f64, uint64_t)

static halve_fn *const halve_of[] = {
    [GF_U8] = halve_8,   [GF_U16] = halve_16, [GF_S16] = halve_16,  [GF_U32] = halve_32,  [GF_S32] = halve_32,
    [GF_U64] = halve_64, [GF_S64] = halve_64, [GF_F32] = halve_f32, [GF_F64] = halve_f64,
};

static void work(void *argument, int thread, int threads)
{
    const struct gf_bounds_call *call = argument;
    halve_fn *halve = halve_of[call->array.options.type];
    const int64_t end = gf_array_share(call->array.n, thread + 1, threads);
    int64_t *out = call->array.out;
    for (int64_t i = gf_array_share(call->array.n, thread, threads); i < end; i += LANES) {
        const int count = (int)gf_least(end - i, LANES);
        int64_t upper[LANES], lower[LANES] = {0};
        halve(call, i, count, call->side != GF_BOUNDS_LOWER || GF_FAULT(bounds_side), upper);
        if (call->side == GF_BOUNDS_COUNT) {
            halve(call, i, count, false, lower);
        }
        for (int j = 0; j < count; j++) {
            out[i + j] = upper[j] - lower[j];
        }
    }
}

gf_status gf_bounds_cpu(const struct gf_array_call *array, gf_error *error)
{
    (void)error;
    gf_team_run_once(gf_array_threads(array, BOUNDS_PAYS), work, (void *)(uintptr_t)gf_bounds_call_of(array));
    return GF_OK;
}
