/* Search as a C programmer writes it for one thread: a loop for each type, nothing decided within it. What a
 * GPU is compared with where a text speaks of the CPU. */
#include "array/search/search_call.h"
#include "base/float_mode.h"

#include <math.h>
#include <string.h>

static void put_index(const struct gf_search_call *call, int64_t at, int64_t i)
{
    if (at >= call->capacity) {
        return;
    }
    if (call->array.n <= INT64_C(1) << 32) {
        ((uint32_t *)call->indices)[at] = (uint32_t)i;
    } else {
        ((uint64_t *)call->indices)[at] = (uint64_t)i;
    }
}

/* The answer of a call over `in`, where MATCH is a condition on in[i]. */
#define LOOPS(MATCH)                                                                                         \
    do {                                                                                                     \
        if (call->mode == GF_SEARCH_FIRST) {                                                                 \
            for (int64_t i = 0; i < n; i++) {                                                                \
                if (MATCH) {                                                                                 \
                    return i;                                                                                \
                }                                                                                            \
            }                                                                                                \
            return -1;                                                                                       \
        }                                                                                                    \
        if (call->mode == GF_SEARCH_COUNT) {                                                                 \
            for (int64_t i = 0; i < n; i++) {                                                                \
                matched += MATCH;                                                                            \
            }                                                                                                \
            return matched;                                                                                  \
        }                                                                                                    \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            if (MATCH) {                                                                                     \
                put_index(call, matched++, i);                                                               \
            }                                                                                                \
        }                                                                                                    \
        return matched;                                                                                      \
    } while (0)

/* NaN finds NaN, of whatever bits, but lies in no range. */
#define SEARCH(NAME, T, IS_NAN)                                                                              \
    static int64_t search_##NAME(const struct gf_search_call *call)                                          \
    {                                                                                                        \
        const T *in = call->array.in;                                                                        \
        const int64_t n = call->array.n;                                                                     \
        int64_t matched = 0;                                                                                 \
        T from, to;                                                                                          \
        memcpy(&from, &call->value, sizeof from);                                                            \
        memcpy(&to, &call->to, sizeof to);                                                                   \
        if (call->is_range) {                                                                                \
            LOOPS((in[i] >= from) & (in[i] <= to));                                                          \
        }                                                                                                    \
        if (IS_NAN(from)) {                                                                                  \
            LOOPS(IS_NAN(in[i]));                                                                            \
        }                                                                                                    \
        LOOPS(in[i] == from);                                                                                \
    }
#define NEVER(x)  ((x) != (x))
#define IS_NAN(x) (isnan(x) != 0)

SEARCH(u8, uint8_t, NEVER)
SEARCH(u16, uint16_t, NEVER)
SEARCH(u32, uint32_t, NEVER)
SEARCH(u64, uint64_t, NEVER)
SEARCH(s16, int16_t, NEVER)
SEARCH(s32, int32_t, NEVER)
SEARCH(s64, int64_t, NEVER)
SEARCH(f32, float, IS_NAN)
SEARCH(f64, double, IS_NAN)

gf_status gf_search_cpu_loop(const struct gf_array_call *array, gf_error *error)
{
    static int64_t (*const loops[])(const struct gf_search_call *) = {
        [GF_U8] = search_u8,   [GF_U16] = search_u16, [GF_U32] = search_u32,
        [GF_U64] = search_u64, [GF_S16] = search_s16, [GF_S32] = search_s32,
        [GF_S64] = search_s64, [GF_F32] = search_f32, [GF_F64] = search_f64,
    };
    const struct gf_search_call *call = gf_search_call_of(array);
    gf_float_mode saved;
    (void)error;
    gf_float_mode_set(&saved);
    *call->found = loops[array->options.type](call);
    gf_float_mode_restore(&saved);
    return GF_OK;
}
