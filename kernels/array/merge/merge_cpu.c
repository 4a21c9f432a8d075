/* The merge on the CPU: each thread writes an equal share of the output. Where its share begins in the two
 * inputs is found by binary search along the merge path (O. Green, R. McColl and D. Bader, 2012): among the
 * first k elements of the output, as many come from `a` as the ranks and stability say. In the same way a
 * share is cut into pieces; a thread merges four of them at a time, an element of each in turn: which element
 * comes next is known only when the one before has been compared, and meanwhile the others go on. NaN, which
 * end both inputs and are equal, are left to the end. */
#include "array/sort/sort_call.h"
#include "array/sort/sort_order.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { PIECES = 4, PIECE = 2048, SMALL_PIECE = 128 /* elements of the output */ };

/* Sorted inputs without their NaN. */
struct inputs {
    const void *a, *b;
    int64_t a_count, b_count;
    void *out;
};

/* Piece p of four: from a, from[p] + p * length + ..., so that one number is enough for its place in a and,
 * less k, in b. An element without a branch: which one it is cannot be guessed. */
#define MERGE_STEP(K, before, p)                                                                             \
    do {                                                                                                     \
        const K x = a[i##p + (p)*length], y = b[k - i##p];                                                   \
        const int second = before(y, x);                                                                     \
        out[k + (p)*length] = second ? y : x;                                                                \
        i##p += !second;                                                                                     \
    } while (0)

/* How many elements of four pieces can be merged before an input of one of them ends. */
#define MERGE_LEFT(p)                                                                                        \
    gf_least(end[(p) + 1] - (i##p + (p)*length), (p + 1) * length - end[(p) + 1] - (k - i##p))

/* split: how many of the first k of the output are from a: at least low, at most high. one: merges [k, to); a
 * has what lies in front of i_end of it. four: pieces of `length`, whose parts of a end at end[1] and so on;
 * a, b and out begin with the first. merge: writes out[from, to). */
#define MERGE(name, K, before)                                                                               \
    static int64_t split_##name(const struct inputs *in, int64_t k, int64_t low, int64_t high)               \
    {                                                                                                        \
        const K *a = in->a, *b = in->b;                                                                      \
        low = k - in->b_count > low ? k - in->b_count : low;                                                 \
        high = gf_least(high, gf_least(k, in->a_count));                                                     \
        while (low < high) {                                                                                 \
            int64_t i = low + (high - low) / 2;                                                              \
            if (before(b[k - 1 - i], a[i])) {                                                                \
                high = i;                                                                                    \
            } else {                                                                                         \
                low = i + 1; /* a[i] is among the first k: equal elements of a come first */                 \
            }                                                                                                \
        }                                                                                                    \
        return low;                                                                                          \
    }                                                                                                        \
    static void one_##name(const K *a, int64_t a_count, const K *b, int64_t b_count, K *to)                  \
    {                                                                                                        \
        int64_t i = 0, j = 0;                                                                                \
        for (int64_t n; (n = gf_least(a_count - i, b_count - j)) > 0;) {                                     \
            for (; n > 0; n--) {                                                                             \
                const K x = a[i], y = b[j];                                                                  \
                const int second = before(y, x);                                                             \
                to[i + j] = second ? y : x;                                                                  \
                i += !second;                                                                                \
                j += second;                                                                                 \
            }                                                                                                \
        }                                                                                                    \
        if (i < a_count) {                                                                                   \
            memcpy(to + i + j, a + i, (size_t)(a_count - i) * sizeof(K));                                    \
        } else if (j < b_count) {                                                                            \
            memcpy(to + i + j, b + j, (size_t)(b_count - j) * sizeof(K));                                    \
        }                                                                                                    \
    }                                                                                                        \
    static inline __attribute__((always_inline)) void four_##name(                                           \
        const K *a, const K *b, K *out, const int64_t end[PIECES + 1], const int64_t length)                 \
    {                                                                                                        \
        int64_t k = 0, i0 = 0, i1 = end[1] - length, i2 = end[2] - 2 * length, i3 = end[3] - 3 * length;     \
        for (int64_t n; (n = gf_least(gf_least(MERGE_LEFT(0), MERGE_LEFT(1)),                                \
                                      gf_least(MERGE_LEFT(2), MERGE_LEFT(3)))) > 0;) {                       \
            for (n += k; k < n; k++) {                                                                       \
                MERGE_STEP(K, before, 0);                                                                    \
                MERGE_STEP(K, before, 1);                                                                    \
                MERGE_STEP(K, before, 2);                                                                    \
                MERGE_STEP(K, before, 3);                                                                    \
            }                                                                                                \
        }                                                                                                    \
        const int64_t at[PIECES] = {i0, i1, i2, i3};                                                         \
        for (int p = 0; p < PIECES - GF_FAULT(merge_piece); p++) {                                           \
            const int64_t i = at[p] + p * length, j = k - at[p];                                             \
            one_##name(a + i, end[p + 1] - i, b + j, (p + 1) * length - end[p + 1] - j,                      \
                       out + k + p * length);                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static void merge_##name(const struct inputs *in, int64_t from, int64_t to)                              \
    {                                                                                                        \
        const K *a = in->a, *b = in->b;                                                                      \
        K *out = in->out;                                                                                    \
        int64_t i = split_##name(in, from, 0, INT64_MAX);                                                    \
        for (int64_t k = from; k < to;) {                                                                    \
            const int64_t length = to - k >= PIECES * PIECE ? PIECE : SMALL_PIECE;                           \
            int64_t end[PIECES + 1] = {0};                                                                   \
            if (to - k < PIECES * SMALL_PIECE) {                                                             \
                const int64_t i_end = split_##name(in, to, i, INT64_MAX);                                    \
                one_##name(a + i, i_end - i, b + (k - i), to - i_end - (k - i), out + k);                    \
                break;                                                                                       \
            }                                                                                                \
            for (int p = 1; p <= PIECES; p++) {                                                              \
                const int64_t least = i + end[p - 1];                                                        \
                end[p] = split_##name(in, k + p * length, least, least + length) - i;                        \
            }                                                                                                \
            if (length == PIECE) {                                                                           \
                four_##name(a + i, b + (k - i), out + k, end, PIECE);                                        \
            } else {                                                                                         \
                four_##name(a + i, b + (k - i), out + k, end, SMALL_PIECE);                                  \
            }                                                                                                \
            i += end[PIECES];                                                                                \
            k += PIECES * length;                                                                            \
        }                                                                                                    \
    }

/* Keys whose order is that of numbers of type K; floats as in gf_order.h, without NaN. */
#define LESS(y, x)    ((y) < (x))
#define GREATER(y, x) ((y) > (x))
#define BOTH(name, K) MERGE(name, K, LESS) MERGE(name##_down, K, GREATER)

/* Of two negative numbers the one with the greater bits is less. Equal ones have equal bits: any goes first.
 */
#define FLOATS(name, K, sign)                                                                                \
    static inline int less_##name(K y, K x)                                                                  \
    {                                                                                                        \
        const K negative = (y & x) >> sign;                                                                  \
        return (y ^ negative) < (x ^ negative);                                                              \
    }                                                                                                        \
    static inline int greater_##name(K y, K x)                                                               \
    {                                                                                                        \
        return less_##name(x, y);                                                                            \
    }                                                                                                        \
    MERGE(name, K, less_##name)                                                                              \
    MERGE(name##_down, K, greater_##name)

BOTH(u8, uint8_t)
BOTH(u16, uint16_t)
BOTH(s16, int16_t)
BOTH(u32, uint32_t)
BOTH(s32, int32_t)
BOTH(u64, uint64_t)
BOTH(s64, int64_t)
FLOATS(f32, int32_t, 31)
FLOATS(f64, int64_t, 63)

/* Indexed by type and direction. */
static void (*const merges[][2])(const struct inputs *, int64_t, int64_t) = {
    [GF_U8] = {merge_u8, merge_u8_down},    [GF_U16] = {merge_u16, merge_u16_down},
    [GF_S16] = {merge_s16, merge_s16_down}, [GF_U32] = {merge_u32, merge_u32_down},
    [GF_S32] = {merge_s32, merge_s32_down}, [GF_U64] = {merge_u64, merge_u64_down},
    [GF_S64] = {merge_s64, merge_s64_down}, [GF_F32] = {merge_f32, merge_f32_down},
    [GF_F64] = {merge_f64, merge_f64_down},
};

/* Returns how many of n elements in order are no NaN. */
static int64_t numbers_of(const void *elements, int64_t n, gf_depth type)
{
    int64_t low = 0;
    for (int64_t high = type == GF_F32 || type == GF_F64 ? n : (low = n); low < high;) {
        const int64_t i = low + (high - low) / 2;
        const bool nan =
            type == GF_F32 ? isnan(((const float *)elements)[i]) : isnan(((const double *)elements)[i]);
        low = nan ? low : i + 1;
        high = nan ? i : high;
    }
    return low;
}

struct job {
    const struct gf_merge_call *call;
    struct inputs in;
};

static void merge_share(void *argument, int thread, int threads)
{
    const struct job *job = argument;
    const int64_t n = job->in.a_count + job->in.b_count;
    merges[job->call->array.options.type][job->call->descending](&job->in, gf_array_share(n, thread, threads),
                                                                 gf_array_share(n, thread + 1, threads));
}

/* Behind the numbers: those of a, then those of b. */
static void copy_nan(const struct gf_merge_call *call, const struct inputs *in)
{
    const size_t size = gf_depth_size(call->array.options.type);
    const size_t a = (size_t)(call->a_count - in->a_count) * size,
                 b = (size_t)(call->b_count - in->b_count) * size;
    char *to = (char *)call->array.out + (size_t)(in->a_count + in->b_count) * size;
    if (a > 0) {
        memcpy(to, (const char *)call->a + (size_t)in->a_count * size, a);
    }
    if (b > 0) {
        memcpy(to + a, (const char *)call->b + (size_t)in->b_count * size, b);
    }
}

gf_status gf_merge_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_merge_call *call = gf_merge_call_of(array);
    if (call->value_size > 0) {
        return gf_merge_pairs_cpu(array, error);
    }
    const gf_depth type = array->options.type;
    struct job job = {call,
                      {call->a, call->b, numbers_of(call->a, call->a_count, type),
                       numbers_of(call->b, call->b_count, type), array->out}};
    gf_team_run_once(gf_array_threads(array, GF_ARRAY_PAYS), merge_share, &job);
    copy_nan(call, &job.in);
    return GF_OK;
}
