/* Compaction as a C programmer writes it for one thread: a loop for each type and condition, nothing decided
 * within it. What a GPU is compared with where a text speaks of the CPU.
 *
 * Every element is stored, and the next place is the same or the one behind: a branch would be guessed wrong
 * half of the time where half is kept. That may store behind the last one that is kept, so it happens in a
 * block beside, which is then copied. */
#include "array/compact/compact_call.h"
#include "base/float_mode.h"
#include "base/planted_fault.h"

#include <string.h>

enum { BLOCK = 1024 };

/* Copies what a block holds to where it belongs, as far as there is room. */
static uint64_t flush(const struct gf_compact_call *call, uint64_t count, const void *block, int64_t kept,
                      size_t size)
{
    const uint64_t room = count < (uint64_t)call->capacity ? (uint64_t)call->capacity - count : 0;
    const uint64_t stored = (uint64_t)kept < room ? (uint64_t)kept : room;
    if (stored > 0) {
        memcpy((char *)call->array.out + count * size, block, stored * size);
    }
    return count + (uint64_t)kept;
}

/* All blocks, with WHAT of type T as results where KEEP holds; both of in, i and value. */
#define LOOP(T, WHAT, KEEP)                                                                                  \
    do {                                                                                                     \
        T block[BLOCK];                                                                                      \
        uint64_t count = 0;                                                                                  \
        for (int64_t first = 0; first < n; first += BLOCK) {                                                 \
            const int64_t end = n - first < BLOCK ? n : first + BLOCK;                                       \
            int64_t kept = 0;                                                                                \
            for (int64_t i = first; i < end - GF_FAULT(compact_loop_block); i++) {                           \
                block[kept] = WHAT;                                                                          \
                kept += KEEP;                                                                                \
            }                                                                                                \
            count = flush(call, count, block, kept, sizeof(T));                                              \
        }                                                                                                    \
        return count;                                                                                        \
    } while (0)

#define CONDITIONS(T, WHAT)                                                                                  \
    switch (call->keep) {                                                                                    \
    case GF_KEEP_EQ:                                                                                         \
        LOOP(T, WHAT, in[i] == value);                                                                       \
    case GF_KEEP_NE:                                                                                         \
        LOOP(T, WHAT, in[i] != value);                                                                       \
    case GF_KEEP_LT:                                                                                         \
        LOOP(T, WHAT, in[i] < value);                                                                        \
    case GF_KEEP_LE:                                                                                         \
        LOOP(T, WHAT, in[i] <= value);                                                                       \
    case GF_KEEP_GT:                                                                                         \
        LOOP(T, WHAT, in[i] > value);                                                                        \
    case GF_KEEP_GE:                                                                                         \
        LOOP(T, WHAT, in[i] >= value);                                                                       \
    case GF_KEEP_FLAGS:                                                                                      \
        LOOP(T, WHAT, flags[i] != 0);                                                                        \
    default:                                                                                                 \
        LOOP(T, WHAT, in[i] != 0);                                                                           \
    }

#define COMPACT(NAME, T)                                                                                     \
    static uint64_t compact_##NAME(const struct gf_compact_call *call)                                       \
    {                                                                                                        \
        const T *in = call->array.in;                                                                        \
        const uint8_t *flags = call->flags;                                                                  \
        const int64_t n = call->array.n;                                                                     \
        T value;                                                                                             \
        memcpy(&value, &call->value, sizeof value);                                                          \
        CONDITIONS(T, in[i])                                                                                 \
    }                                                                                                        \
    static uint64_t places_##NAME(const struct gf_compact_call *call)                                        \
    {                                                                                                        \
        const T *in = call->array.in;                                                                        \
        const uint8_t *flags = call->flags;                                                                  \
        const int64_t n = call->array.n;                                                                     \
        T value;                                                                                             \
        memcpy(&value, &call->value, sizeof value);                                                          \
        if (call->out == GF_U32) {                                                                           \
            CONDITIONS(uint32_t, (uint32_t)i)                                                                \
        }                                                                                                    \
        CONDITIONS(uint64_t, (uint64_t)i)                                                                    \
    }

COMPACT(u8, uint8_t)
COMPACT(u16, uint16_t)
COMPACT(u32, uint32_t)
COMPACT(u64, uint64_t)
COMPACT(s16, int16_t)
COMPACT(s32, int32_t)
COMPACT(s64, int64_t)
COMPACT(f32, float)
COMPACT(f64, double)

gf_status gf_compact_cpu_loop(const struct gf_array_call *array, gf_error *error)
{
    static uint64_t (*const loops[][2])(const struct gf_compact_call *) = {
        [GF_U8] = {compact_u8, places_u8},    [GF_U16] = {compact_u16, places_u16},
        [GF_U32] = {compact_u32, places_u32}, [GF_U64] = {compact_u64, places_u64},
        [GF_S16] = {compact_s16, places_s16}, [GF_S32] = {compact_s32, places_s32},
        [GF_S64] = {compact_s64, places_s64}, [GF_F32] = {compact_f32, places_f32},
        [GF_F64] = {compact_f64, places_f64},
    };
    const struct gf_compact_call *call = gf_compact_call_of(array);
    gf_float_mode saved;
    (void)error;
    gf_float_mode_set(&saved);
    *call->count = loops[array->options.type][call->indices](call);
    gf_float_mode_restore(&saved);
    return GF_OK;
}
