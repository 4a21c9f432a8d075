/* One quicksort by vectors, of keys of one width. Include it once for each:
 *
 *   GF_QUICK_BITS    32 or 64
 *   GF_QUICK_COUNT   lanes of the widest vector
 *   GF_QUICK_SMALL, GF_QUICK_MIDDLE  those of the networks for fewer keys
 *   GF_QUICK_T       int32_t or int64_t
 *
 * makes the functions of struct gf_sort_lines, which end in the bits, and undefines all. A partition reads
 * whole vectors and moves the lanes of each to two places, without a branch that depends on keys: codes up to
 * the pivot to the front of the buffer that they are in, over what has been read, the others to the back of a
 * second buffer. Short runs are sorted by a network (M. Blacher, J. Giesen, P. Sanders, J. Wassenberg,
 * "Vectorized and performance-portable Quicksort", 2022, has both ideas, but one buffer). */
#define GF_QUICK_PASTE(a, b)  a##_##b
#define GF_QUICK_EXPAND(a, b) GF_QUICK_PASTE(a, b)
#define QUICK(name)           GF_QUICK_EXPAND(name, GF_QUICK_BITS)
#define T                     GF_QUICK_T

typedef T QUICK(vector) __attribute__((vector_size(GF_QUICK_COUNT * sizeof(T))));
typedef T QUICK(unaligned) __attribute__((vector_size(GF_QUICK_COUNT * sizeof(T)), aligned(sizeof(T))));
#define V     QUICK(vector)
#define AT(p) (*(const QUICK(unaligned) *)(const void *)(p))
#define TO(p) (*(QUICK(unaligned) *)(void *)(p))
#define LEAST ((T)(GF_QUICK_BITS == 32 ? INT32_MIN : INT64_MIN)) /* of all codes */

#define GF_INTRO_T            T
#define GF_INTRO(word)        QUICK(intro_##word)
#define GF_INTRO_BEFORE(a, b) ((a) < (b))
#include "array/sort/sort_intro.h"

enum {
    QUICK(LANES) = GF_QUICK_COUNT,
    QUICK(SHORT) = 16 * GF_QUICK_COUNT, /* so many keys at most are sorted by a network */
};
#define LANES QUICK(LANES)
#define SHORT QUICK(SHORT)

/* ---- Codes ---------------------------------------------------------------------------------------------- */

/* struct gf_sort_code as numbers. */
struct QUICK(coding) {
    T flip, real; /* real: all bits but the sign, or none */
};

static struct QUICK(coding) QUICK(coding_of)(struct gf_sort_code code)
{
    return (struct QUICK(coding)){(T)code.flip, code.real ? ~LEAST : 0};
}

/* These take a key, or a vector of keys. */
#define FOLD(bits, c)   ((bits) ^ (((bits) >> (GF_QUICK_BITS - 1)) & (c).real))
#define CODE(bits, c)   (FOLD(bits, c) ^ (c).flip)
#define UNCODE(code, c) FOLD((code) ^ (c).flip, c)

/* The bits of infinity. */
#define INFINITE     ((T)(GF_QUICK_BITS == 32 ? 0x7f800000 : 0x7ff0000000000000))
#define IS_NAN(bits) (((bits) & ~LEAST) > INFINITE)

static void QUICK(uncode)(const T *codes, int64_t n, T *out, struct QUICK(coding) c)
{
    for (int64_t i = 0; i < n; i++) {
        const T code = codes[i] ^ c.flip;
        out[i] = code ^ ((code >> (GF_QUICK_BITS - 1)) & c.real);
    }
}

static void QUICK(fill)(T *out, int64_t n, T code, struct QUICK(coding) c)
{
    const T bits = UNCODE(code, c);
    for (int64_t i = 0; i < n; i++) {
        out[i] = bits;
    }
}

/* ---- Short runs ------------------------------------------------------------------------------------------ */

/* Sorts n codes in room for SHORT, aligned to a vector. */
static void QUICK(sort_short)(T *keys, int64_t n)
{
    const int64_t room = n <= 16 * GF_QUICK_SMALL    ? 16 * GF_QUICK_SMALL
                         : n <= 16 * GF_QUICK_MIDDLE ? 16 * GF_QUICK_MIDDLE
                                                     : SHORT;
    for (int64_t i = n; i < room; i++) {
        keys[i] = ~LEAST;
    }
    if (room == 16 * GF_QUICK_SMALL) {
        GF_NET_EXPAND(gf_network, GF_QUICK_BITS, GF_QUICK_SMALL)(keys);
    } else if (room == 16 * GF_QUICK_MIDDLE) {
        GF_NET_EXPAND(gf_network, GF_QUICK_BITS, GF_QUICK_MIDDLE)(keys);
    } else {
        GF_NET_EXPAND(gf_network, GF_QUICK_BITS, GF_QUICK_COUNT)(keys);
    }
}

/* ---- Pivots ---------------------------------------------------------------------------------------------- */

/* Draws where in equal parts of an array its samples lie: a number that looks random, below `bound`. */
static int64_t QUICK(draw)(uint64_t *state, int64_t bound)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (int64_t)((*state >> 32) * (uint64_t)bound >> 32);
}

/* The middle of a sample, one of each of equal parts: more of many keys. */
static T QUICK(pivot_of)(const T *in, int64_t n, struct QUICK(coding) c)
{
    T sample[SHORT] __attribute__((aligned(64)));
    const int64_t count = n < 64 * SHORT ? 16 * GF_QUICK_SMALL : SHORT, part = n / count;
    uint64_t state = (uint64_t)n;
    for (int64_t i = 0; i < count; i++) {
        sample[i] = in[part * i + QUICK(draw)(&state, part)];
    }
    for (int64_t i = 0; i < count; i++) {
        sample[i] = CODE(sample[i], c);
    }
    QUICK(sort_short)(sample, count);
    return sample[count / 2 - 1];
}

/* ---- Partitions ------------------------------------------------------------------------------------------ */

/* Codes up to the pivot come to the front of `codes`, whose number is returned, the others to the back of
 * `other`, which has room for n. */
static int64_t QUICK(part)(T *codes, int64_t n, T pivot, T *other)
{
    const V at_pivot = (V){0} + pivot;
    T *low = codes, *high = other + n;
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        const V v = AT(codes + i);
        const unsigned above = QUICK(gf_above)(v, at_pivot);
        const int64_t count = __builtin_popcount(above);
        QUICK(gf_part)(v, above, low, high);
        low += LANES - count;
        high -= count;
    }
    for (; i < n; i++) {
        const T code = codes[i];
        const bool above = code > pivot;
        *low = code;
        high[-1] = code;
        low += !above;
        high -= above;
    }
    return low - codes;
}

/* One by one: input with NaN, or whose halves both come into rooms that are nearly full. */
static void QUICK(split_few)(const T *in, int64_t n, T pivot, struct QUICK(coding) c, bool codes,
                             struct gf_sort_halves *to)
{
    T *low = to->low, *high = to->high_end, *nan = to->nan;
    for (int64_t i = 0; i < n; i++) {
        const T code = codes ? in[i] : CODE(in[i], c);
        if (!codes && c.real != 0 && IS_NAN(in[i])) {
            *nan++ = in[i];
        } else if (code > pivot) {
            *--high = code;
        } else {
            *low++ = code;
        }
    }
    to->low = low;
    to->high_end = high;
    to->nan = nan;
}

/* Nothing is written outside the rooms. */
static inline __attribute__((always_inline)) void QUICK(split_all)(const T *in, int64_t n, T pivot,
                                                                   struct QUICK(coding) c, bool codes,
                                                                   bool real, struct gf_sort_halves *to)
{
    const V at_pivot = (V){0} + pivot, infinite = (V){0} + INFINITE;
    struct gf_sort_halves now = *to;
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        const V bits = AT(in + i);
        T *low = now.low, *high = now.high_end;
        if (real &&
            __builtin_expect(QUICK(gf_above)(bits & ~LEAST, infinite) != 0 && !GF_FAULT(sort_nan), 0)) {
            QUICK(split_few)(in + i, LANES, pivot, c, codes, &now);
            continue;
        }
        const V v = codes ? bits : real ? CODE(bits, c) : bits ^ c.flip;
        const unsigned above = QUICK(gf_above)(v, at_pivot);
        const int64_t count = __builtin_popcount(above);
        if (__builtin_expect((T *)now.low_end - low >= LANES && high - (T *)now.high >= LANES, 1)) {
            QUICK(gf_part)(v, above, low, high);
        } else if (count == 0) {
            TO(low) = v;
        } else if (count == LANES) {
            TO(high - LANES) = v;
        } else {
            QUICK(split_few)(in + i, LANES, pivot, c, codes, &now);
            continue;
        }
        now.low = low + (LANES - count);
        now.high_end = high - count;
    }
    QUICK(split_few)(in + i, n - i, pivot, c, codes, &now);
    *to = now;
}

static void QUICK(split)(const void *in, int64_t n, int64_t pivot, struct gf_sort_code code, bool codes,
                         struct gf_sort_halves *to)
{
    const struct QUICK(coding) c = QUICK(coding_of)(code);
    if (codes) {
        QUICK(split_all)(in, n, (T)pivot, c, true, false, to);
    } else if (code.real) {
        QUICK(split_all)(in, n, (T)pivot, c, false, true, to);
    } else {
        QUICK(split_all)(in, n, (T)pivot, c, false, false, to);
    }
}

static inline __attribute__((always_inline)) struct gf_sort_counts
QUICK(count_all)(const T *in, int64_t n, T pivot, struct QUICK(coding) c, bool codes, bool real)
{
    const V at_pivot = (V){0} + pivot, infinite = (V){0} + INFINITE;
    int64_t high = 0, nan = 0, i = 0;
    for (; i + LANES <= n; i += LANES) {
        const V bits = AT(in + i);
        const V v = codes ? bits : real ? CODE(bits, c) : bits ^ c.flip;
        const unsigned none = real ? QUICK(gf_above)(bits & ~LEAST, infinite) : 0;
        nan += __builtin_popcount(none);
        high += __builtin_popcount(QUICK(gf_above)(v, at_pivot) & ~none);
    }
    for (; i < n; i++) {
        const bool none = real && IS_NAN(in[i]);
        nan += none;
        high += !none && (codes ? in[i] : CODE(in[i], c)) > pivot;
    }
    return (struct gf_sort_counts){n - high - nan, nan};
}

static struct gf_sort_counts QUICK(count)(const void *in, int64_t n, int64_t pivot, struct gf_sort_code code,
                                          bool codes)
{
    const struct QUICK(coding) c = QUICK(coding_of)(code);
    return codes       ? QUICK(count_all)(in, n, (T)pivot, c, true, false)
           : code.real ? QUICK(count_all)(in, n, (T)pivot, c, false, true)
                       : QUICK(count_all)(in, n, (T)pivot, c, false, false);
}

/* ---- The sort -------------------------------------------------------------------------------------------- */

/* Sorts n codes in `codes`; out is `codes` or `other`. */
static void QUICK(quick)(T *codes, T *other, int64_t n, T *out, struct QUICK(coding) c, int depth)
{
    const struct QUICK(coding) none = {0, 0};
    while (n > SHORT) {
        if (depth-- <= 0) {
            QUICK(intro_sort)(codes, n);
            QUICK(uncode)(codes, n, out, c);
            return;
        }
        const T pivot = QUICK(pivot_of)(codes, n, none);
        int64_t low = QUICK(part)(codes, n, pivot, other);
        if (low < n) {
            QUICK(quick)(other + low, codes + low, n - low, out + low, c, depth);
        } else { /* the pivot is the greatest: all that are like it are in their places */
            low = pivot == LEAST || GF_FAULT(sort_pivot) ? 0 : QUICK(part)(codes, n, pivot - 1, other);
            QUICK(fill)(out + low, n - low, pivot, c);
        }
        n = low;
    }
    T keys[SHORT] __attribute__((aligned(64)));
    memcpy(keys, codes, (size_t)n * sizeof(T));
    QUICK(sort_short)(keys, n);
    QUICK(uncode)(keys, n, out, c);
}

static void QUICK(finish)(void *from, int64_t n, void *out, void *scratch, struct gf_sort_code code,
                          int depth)
{
    QUICK(quick)(from, from == out ? scratch : out, n, out, QUICK(coding_of)(code), depth);
}

/* The middle of many keys, one each from equal parts. */
static int64_t QUICK(pivot)(const void *in, int64_t n, struct gf_sort_code code, bool codes)
{
    enum { MOST = 2048 };
    T sample[MOST], other[MOST];
    const struct QUICK(coding) c = QUICK(coding_of)(code), none = {0, 0};
    const int64_t count = n < MOST ? n : MOST;
    uint64_t state = (uint64_t)n;
    for (int64_t i = 0; i < count; i++) {
        const T key = ((const T *)in)[n / count * i + QUICK(draw)(&state, n / count)];
        sample[i] = codes ? key : CODE(key, c);
    }
    QUICK(quick)(sample, other, count, sample, none, gf_sort_depth(count));
    return sample[(count - 1) / 2];
}

/* Keys that one network sorts, or none. */
static void QUICK(sort_few)(const T *in, int64_t n, T *out, T *scratch, struct QUICK(coding) c)
{
    T keys[SHORT] __attribute__((aligned(64)));
    int64_t count = 0, nan = 0;
    for (int64_t i = 0; i < n; i++) {
        if (c.real != 0 && IS_NAN(in[i])) {
            scratch[nan++] = in[i];
        } else {
            keys[count++] = CODE(in[i], c);
        }
    }
    QUICK(sort_short)(keys, count);
    QUICK(uncode)(keys, count, out, c);
    memcpy(out + count, scratch, (size_t)nan * sizeof(T));
}

static void QUICK(sort)(const void *in, int64_t n, void *out, void *scratch, struct gf_sort_code code,
                        int depth)
{
    const struct QUICK(coding) c = QUICK(coding_of)(code);
    T *to = out, *more = scratch;
    if (n <= SHORT) {
        QUICK(sort_few)(in, n, to, more, c);
        return;
    }
    struct gf_sort_halves halves = {to, to + n, more, more + n, more};
    QUICK(split)(in, n, QUICK(pivot_of)(in, n, c), code, false, &halves);
    const int64_t low = (T *)halves.low - to, nan = (T *)halves.nan - more, high = n - low - nan;
    memcpy(to + n - nan, more, (size_t)nan * sizeof(T));
    if (nan > 0) {
        memmove(more + low, more + n - high, (size_t)high * sizeof(T));
    }
    QUICK(quick)(to, more, low, to, c, depth);
    QUICK(quick)(more + low, to + low, high, to + low, c, depth);
}

#undef V
#undef AT
#undef TO
#undef T
#undef LEAST
#undef LANES
#undef SHORT
#undef FOLD
#undef CODE
#undef UNCODE
#undef INFINITE
#undef IS_NAN
#undef QUICK
#undef GF_QUICK_PASTE
#undef GF_QUICK_EXPAND
#undef GF_QUICK_BITS
#undef GF_QUICK_COUNT
#undef GF_QUICK_SMALL
#undef GF_QUICK_MIDDLE
#undef GF_QUICK_T
