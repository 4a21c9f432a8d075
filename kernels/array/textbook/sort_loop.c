/* The sort that a C programmer takes for one thread: introsort, as in libraries of C++, by comparing. What a
 * GPU is compared with where a text speaks of the CPU. Keys are sorted as ranks (sort_order.h), which are one
 * to one but for NaN; these keep their order, last. Pairs are sorted by rank and index, and so stay in order;
 * both go into one number where they fit. */
#include "array/textbook/sort_loop.h"

#include "array/sort/sort_call.h"
#include "array/sort/sort_order.h"

#include <stdbool.h>
#include <string.h>

#define LESS(a, b) ((a) < (b))

#define GF_INTRO_T      uint8_t
#define GF_INTRO(word)  word##_8
#define GF_INTRO_BEFORE LESS
#include "array/sort/sort_intro.h"
#define GF_INTRO_T      uint16_t
#define GF_INTRO(word)  word##_16
#define GF_INTRO_BEFORE LESS
#include "array/sort/sort_intro.h"
#define GF_INTRO_T      uint32_t
#define GF_INTRO(word)  word##_32
#define GF_INTRO_BEFORE LESS
#include "array/sort/sort_intro.h"
#define GF_INTRO_T      uint64_t
#define GF_INTRO(word)  word##_64
#define GF_INTRO_BEFORE LESS
#include "array/sort/sort_intro.h"
#define GF_INTRO_T            struct gf_sort_pair
#define GF_INTRO(word)        word##_pairs
#define GF_INTRO_BEFORE(a, b) ((a).key < (b).key || ((a).key == (b).key && (a).index < (b).index))
#include "array/sort/sort_intro.h"

void gf_sort_loop_pairs(struct gf_sort_pair *pairs, int64_t n)
{
    sort_pairs(pairs, n);
}

void gf_sort_loop_u64(uint64_t *keys, int64_t n)
{
    sort_64(keys, n);
}

/* ---- Keys alone ---------------------------------------------------------------------------------------- */

#define SORT_INTEGERS(BITS)                                                                                  \
    static void integers_##BITS(const struct gf_array_call *a, uint64_t flip)                                \
    {                                                                                                        \
        const uint##BITS##_t *in = a->in, turn = (uint##BITS##_t)flip;                                       \
        uint##BITS##_t *out = a->out;                                                                        \
        for (int64_t i = 0; i < a->n; i++) {                                                                 \
            out[i] = gf_rank_##BITS(in[i], turn);                                                            \
        }                                                                                                    \
        sort_##BITS(out, a->n);                                                                              \
        for (int64_t i = 0; i < a->n; i++) {                                                                 \
            out[i] ^= turn;                                                                                  \
        }                                                                                                    \
    }
SORT_INTEGERS(8)
SORT_INTEGERS(16)
SORT_INTEGERS(32)
SORT_INTEGERS(64)

/* The codes of numbers go to the front of the output, what is NaN beside it. The input may be the output. */
#define SORT_FLOATS(BITS, INFINITE)                                                                          \
    static void floats_##BITS(const struct gf_array_call *a, uint64_t flip)                                  \
    {                                                                                                        \
        const uint##BITS##_t *in = a->in, turn = (uint##BITS##_t)flip;                                       \
        uint##BITS##_t *out = a->out, *nans = a->scratch;                                                    \
        int64_t numbers = 0, apart = 0;                                                                      \
        for (int64_t i = 0; i < a->n; i++) {                                                                 \
            const uint##BITS##_t bits = in[i];                                                               \
            if ((bits & (((uint##BITS##_t)1 << (BITS - 1)) - 1)) > (INFINITE)) {                             \
                nans[apart++] = bits;                                                                        \
            } else {                                                                                         \
                out[numbers++] = gf_code_f##BITS(bits, turn);                                                \
            }                                                                                                \
        }                                                                                                    \
        sort_##BITS(out, numbers);                                                                           \
        for (int64_t i = 0; i < numbers; i++) {                                                              \
            out[i] = gf_uncode_f##BITS(out[i], turn);                                                        \
        }                                                                                                    \
        if (apart > 0) {                                                                                     \
            memcpy(out + numbers, nans, (size_t)apart * sizeof *nans);                                       \
        }                                                                                                    \
    }
SORT_FLOATS(32, 0x7f800000U)
SORT_FLOATS(64, 0x7ff0000000000000U)

/* ---- Keys with values ---------------------------------------------------------------------------------- */

/* The rank of key i: by switch, once an element and not once a comparison. */
static uint64_t rank_at(const struct gf_array_call *a, uint64_t flip, int64_t i)
{
    switch (a->options.type) {
    case GF_U8:
        return gf_rank_8(((const uint8_t *)a->in)[i], (uint8_t)flip);
    case GF_U16:
    case GF_S16:
        return gf_rank_16(((const uint16_t *)a->in)[i], (uint16_t)flip);
    case GF_U32:
    case GF_S32:
        return gf_rank_32(((const uint32_t *)a->in)[i], (uint32_t)flip);
    case GF_F32:
        return gf_rank_f32(((const uint32_t *)a->in)[i], (uint32_t)flip);
    case GF_F64:
        return gf_rank_f64(((const uint64_t *)a->in)[i], flip);
    default:
        return gf_rank_64(((const uint64_t *)a->in)[i], flip);
    }
}

/* Tells whether a rank and an index fit into 64 bits. */
static bool is_packed(const struct gf_array_call *a)
{
    return gf_depth_size(a->options.type) <= 4 && a->n <= INT64_C(1) << 32;
}

/* Elements of 1, 2, 4 or 8 bytes into the order found; `copy` takes them first, as `to` may be `from`. */
static void gather(const struct gf_array_call *a, const struct gf_sort_pair *pairs, const void *from,
                   size_t size, char *copy, void *to)
{
    const uint64_t *packed = (const void *)pairs;
    const bool is_small = is_packed(a);
    memcpy(copy, from, (size_t)a->n * size);
    for (int64_t i = 0; i < a->n; i++) {
        const size_t index = is_small ? (size_t)(uint32_t)packed[i] : (size_t)pairs[i].index;
        memcpy((char *)to + (size_t)i * size, copy + index * size, size);
    }
}

static void sort_with_values(const struct gf_sort_call *call, uint64_t flip)
{
    const struct gf_array_call *a = &call->array;
    struct gf_sort_pair *pairs = a->scratch;
    uint64_t *packed = a->scratch;
    char *copy = (char *)(pairs + a->n);
    if (is_packed(a)) {
        for (int64_t i = 0; i < a->n; i++) {
            packed[i] = rank_at(a, flip, i) << 32 | (uint64_t)i;
        }
        sort_64(packed, a->n);
    } else {
        for (int64_t i = 0; i < a->n; i++) {
            pairs[i] = (struct gf_sort_pair){rank_at(a, flip, i), i};
        }
        sort_pairs(pairs, a->n);
    }
    gather(a, pairs, a->in, gf_depth_size(a->options.type), copy, a->out);
    gather(a, pairs, call->values, (size_t)call->value_size, copy, call->values_out);
}

/* ---- The call -------------------------------------------------------------------------------------------- */

size_t gf_sort_cpu_loop_scratch(const struct gf_array_call *array)
{
    const gf_depth type = array->options.type;
    const size_t n = (size_t)array->n;
    return gf_sort_call_of(array)->value_size > 0 ? n * (sizeof(struct gf_sort_pair) + sizeof(uint64_t))
           : type == GF_F32 || type == GF_F64     ? n * gf_depth_size(type)
                                                  : 0;
}

gf_status gf_sort_cpu_loop(const struct gf_array_call *array, gf_error *error)
{
    static void (*const loops[])(const struct gf_array_call *, uint64_t) = {
        [GF_U8] = integers_8,   [GF_U16] = integers_16, [GF_U32] = integers_32,
        [GF_U64] = integers_64, [GF_S16] = integers_16, [GF_S32] = integers_32,
        [GF_S64] = integers_64, [GF_F32] = floats_32,   [GF_F64] = floats_64,
    };
    const struct gf_sort_call *call = gf_sort_call_of(array);
    const uint64_t flip = gf_sort_flip(array->options.type, call->descending);
    (void)error;
    if (array->n == 0) {
        return GF_OK;
    }
    if (call->value_size > 0) {
        sort_with_values(call, flip);
    } else {
        loops[array->options.type](array, flip);
    }
    return GF_OK;
}
