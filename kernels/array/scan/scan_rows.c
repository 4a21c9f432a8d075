/* One SIMD level of the scan's inner loops: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its
 * machine options. Vectors are 16 bytes on every level: wider ones would pay for the way across their halves.
 */
#include "array/scan/scan_rows.h"

#include "base/cpu_level.h"
#include "base/gf_num.h"

#include <string.h>

/* ---- Vectors ----------------------------------------------------------------------------- */

/* Lanes moved up by 1, 2, 4, 8, as far as there are that many; lanes of z come in. */
#define UP2_1(v, z)  __builtin_shufflevector(v, z, 2, 0)
#define UP4_1(v, z)  __builtin_shufflevector(v, z, 4, 0, 1, 2)
#define UP4_2(v, z)  __builtin_shufflevector(v, z, 4, 4, 0, 1)
#define UP8_1(v, z)  __builtin_shufflevector(v, z, 8, 0, 1, 2, 3, 4, 5, 6)
#define UP8_2(v, z)  __builtin_shufflevector(v, z, 8, 8, 0, 1, 2, 3, 4, 5)
#define UP8_4(v, z)  __builtin_shufflevector(v, z, 8, 8, 8, 8, 0, 1, 2, 3)
#define UP16_1(v, z) __builtin_shufflevector(v, z, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)
#define UP16_2(v, z) __builtin_shufflevector(v, z, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
#define UP16_4(v, z) __builtin_shufflevector(v, z, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
#define UP16_8(v, z) __builtin_shufflevector(v, z, 16, 16, 16, 16, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7)
#define LAST2(v)     __builtin_shufflevector(v, v, 1, 1)
#define LAST4(v)     __builtin_shufflevector(v, v, 3, 3, 3, 3)
#define LAST8(v)     __builtin_shufflevector(v, v, 7, 7, 7, 7, 7, 7, 7, 7)
#define LAST16(v)                                                                                            \
    __builtin_shufflevector(v, v, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15)

/* All prefixes of v by `op`, a doubling of the distance a step. */
#define PREFIX2(v, z, op) v = op(v, UP2_1(v, z))
#define PREFIX4(v, z, op) v = op(v, UP4_1(v, z)), v = op(v, UP4_2(v, z))
#define PREFIX8(v, z, op) v = op(v, UP8_1(v, z)), v = op(v, UP8_2(v, z)), v = op(v, UP8_4(v, z))
#define PREFIX16(v, z, op)                                                                                   \
    v = op(v, UP16_1(v, z)), v = op(v, UP16_2(v, z)), v = op(v, UP16_4(v, z)), v = op(v, UP16_8(v, z))

#define ADD(a, b)   ((a) + (b))
#define LEAST(a, b) (((a) & ((a) < (b))) | ((b) & ~((a) < (b))))

/* A scan of elements T (vectors V, L lanes). Whole vectors, then what is left through a vector of its own.
 * The carry depends on the carry before and one operation. */
#define SCAN(name, T, V, L, op, none, flip)                                                                  \
    static V name##_vector(V v, V *carry, V z, bool inclusive)                                               \
    {                                                                                                        \
        PREFIX##L(v, z, op);                                                                                 \
        V out = op(v, *carry);                                                                               \
        if (!inclusive) {                                                                                    \
            out = UP##L##_1(out, *carry);                                                                    \
        }                                                                                                    \
        V last = LAST##L(v);                                                                                 \
        *carry = op(*carry, last);                                                                           \
        return out;                                                                                          \
    }                                                                                                        \
    static void name(const void *in, int64_t n, T flip, uint64_t *carry, bool inclusive, void *out)          \
    {                                                                                                        \
        V c = (V){0} + (T)*carry, z = (V){0} + (T)(none), v;                                                 \
        int64_t i = 0;                                                                                       \
        for (; i + L <= n; i += L) {                                                                         \
            memcpy(&v, (const T *)in + i, sizeof v);                                                         \
            v = name##_vector(v ^ flip, &c, z, inclusive) ^ flip;                                            \
            memcpy((T *)out + i, &v, sizeof v);                                                              \
        }                                                                                                    \
        if (i < n) {                                                                                         \
            v = z ^ flip;                                                                                    \
            memcpy(&v, (const T *)in + i, (size_t)(n - i) * sizeof(T));                                      \
            v = name##_vector(v ^ flip, &c, z, inclusive) ^ flip;                                            \
            memcpy((T *)out + i, &v, (size_t)(n - i) * sizeof(T));                                           \
        }                                                                                                    \
        *carry = (uint64_t)c[0];                                                                             \
    }

#define SUM(bits, L)                                                                                         \
    typedef uint##bits##_t v##bits##u __attribute__((vector_size(16)));                                      \
    SCAN(scan_sum##bits, uint##bits##_t, v##bits##u, L, ADD, 0, flip)                                        \
    static void sum##bits(const void *in, int64_t n, uint64_t *carry, bool inclusive, void *out)             \
    {                                                                                                        \
        if (inclusive) {                                                                                     \
            scan_sum##bits(in, n, 0, carry, true, out);                                                      \
        } else {                                                                                             \
            scan_sum##bits(in, n, 0, carry, false, out);                                                     \
        }                                                                                                    \
    }                                                                                                        \
    static uint64_t sum_total##bits(const void *in, int64_t n)                                               \
    {                                                                                                        \
        uint##bits##_t total = 0;                                                                            \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            total = (uint##bits##_t)(total + ((const uint##bits##_t *)in)[i]);                               \
        }                                                                                                    \
        return total;                                                                                        \
    }
SUM(8, 16)
SUM(16, 8)
SUM(32, 4)
SUM(64, 2)

#define LEAST_SCAN(bits, L)                                                                                  \
    typedef int##bits##_t v##bits##s __attribute__((vector_size(16)));                                       \
    SCAN(scan_least##bits, int##bits##_t, v##bits##s, L, LEAST, INT##bits##_MAX, flip)                       \
    static void least##bits(const void *in, int64_t n, uint64_t flip, uint64_t *carry, bool inclusive,       \
                            void *out)                                                                       \
    {                                                                                                        \
        if (inclusive) {                                                                                     \
            scan_least##bits(in, n, (int##bits##_t)flip, carry, true, out);                                  \
        } else {                                                                                             \
            scan_least##bits(in, n, (int##bits##_t)flip, carry, false, out);                                 \
        }                                                                                                    \
    }                                                                                                        \
    static uint64_t least_total##bits(const void *in, int64_t n, uint64_t flip)                              \
    {                                                                                                        \
        int##bits##_t total = INT##bits##_MAX;                                                               \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            int##bits##_t v = (int##bits##_t)(((const int##bits##_t *)in)[i] ^ (int##bits##_t)flip);         \
            total = v < total ? v : total;                                                                   \
        }                                                                                                    \
        return (uint64_t)total;                                                                              \
    }
LEAST_SCAN(8, 16)
LEAST_SCAN(16, 8)
LEAST_SCAN(32, 4)
LEAST_SCAN(64, 2)

/* ---- Segments: an element after the other, `keep` 0 where one begins and else all ones --------------------- */

#define KEYED(T, flip, first, step)                                                                          \
    if (inclusive) {                                                                                         \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            const T v = (T)(((const T *)in)[i] ^ (flip)), keep = (T)(flags[i] - 1);                          \
            first;                                                                                           \
            step;                                                                                            \
            ((T *)out)[i] = (T)(c ^ (flip));                                                                 \
        }                                                                                                    \
    } else {                                                                                                 \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            const T v = (T)(((const T *)in)[i] ^ (flip)), keep = (T)(flags[i] - 1);                          \
            first;                                                                                           \
            ((T *)out)[i] = (T)(c ^ (flip));                                                                 \
            step;                                                                                            \
        }                                                                                                    \
    }                                                                                                        \
    *carry = (uint64_t)c

#define KEYED_SCANS(bits)                                                                                    \
    static void keyed_sum##bits(const void *in, int64_t n, const uint8_t *flags, uint64_t *carry,            \
                                bool inclusive, void *out)                                                   \
    {                                                                                                        \
        uint##bits##_t c = (uint##bits##_t) * carry;                                                         \
        KEYED(uint##bits##_t, 0, c = (uint##bits##_t)(c & keep), c = (uint##bits##_t)(c + v));               \
    }                                                                                                        \
    static void keyed_least##bits(const void *in, int64_t n, const uint8_t *flags, uint64_t flip,            \
                                  uint64_t none, uint64_t *carry, bool inclusive, void *out)                 \
    {                                                                                                        \
        int##bits##_t c = (int##bits##_t) * carry;                                                           \
        KEYED(int##bits##_t, (int##bits##_t)flip, c = keep ? c : (int##bits##_t)none, c = v < c ? v : c);    \
    }
KEYED_SCANS(8)
KEYED_SCANS(16)
KEYED_SCANS(32)
KEYED_SCANS(64)

/* ---- Other types --------------------------------------------------------------------------- */

static void widen(const void *in, gf_depth from, gf_depth to, int64_t n, void *out)
{
    bool wide = gf_depth_size(to) == 8;
#define WIDEN(depth, T, S)                                                                                   \
    case depth:                                                                                              \
        if (wide) {                                                                                          \
            for (int64_t i = 0; i < n; i++) {                                                                \
                ((S##64_t *)out)[i] = ((const T *)in)[i];                                                    \
            }                                                                                                \
        } else {                                                                                             \
            for (int64_t i = 0; i < n; i++) {                                                                \
                ((S##32_t *)out)[i] = (S##32_t)((const T *)in)[i];                                           \
            }                                                                                                \
        }                                                                                                    \
        break;
    switch (from) {
        WIDEN(GF_U8, uint8_t, uint)
        WIDEN(GF_U16, uint16_t, uint)
        WIDEN(GF_U32, uint32_t, uint)
        WIDEN(GF_S16, int16_t, int)
        WIDEN(GF_S32, int32_t, int)
    default:
        break;
    }
#undef WIDEN
}

/* Flips all bits but the sign of negative numbers: then the bits are in signed order. Undoes itself. */
static int32_t flip32(int32_t bits)
{
    return bits ^ ((bits >> 31) & INT32_MAX);
}
static int64_t flip64(int64_t bits)
{
    return bits ^ ((bits >> 63) & INT64_MAX);
}

static void key(const void *in, gf_depth type, int64_t n, uint64_t nan, void *out)
{
    if (type == GF_F32) {
        for (int64_t i = 0; i < n; i++) {
            int32_t bits = ((const int32_t *)in)[i];
            ((int32_t *)out)[i] = (bits & INT32_MAX) > 0x7f800000 ? (int32_t)nan : flip32(bits);
        }
    } else {
        for (int64_t i = 0; i < n; i++) {
            int64_t bits = ((const int64_t *)in)[i];
            ((int64_t *)out)[i] = (bits & INT64_MAX) > 0x7ff0000000000000 ? (int64_t)nan : flip64(bits);
        }
    }
}

static void unkey(void *keys, gf_depth type, int64_t n)
{
    if (type == GF_F32) {
        for (int64_t i = 0; i < n; i++) {
            ((int32_t *)keys)[i] = flip32(((int32_t *)keys)[i]);
        }
    } else {
        for (int64_t i = 0; i < n; i++) {
            ((int64_t *)keys)[i] = flip64(((int64_t *)keys)[i]);
        }
    }
}

/* ---- Sums of floats -------------------------------------------------------------------------- */

#ifdef __AVX512F__
#include "array/scan/scan_rows_wide.h"
#endif

/* Masks as wide as the sums. */
typedef int32_t mask_float;
typedef int64_t mask_double;

#define GF_FROM float
#define GF_TO   float
#include "array/scan/scan_rows_float.h"

#define GF_FROM float
#define GF_TO   double
#include "array/scan/scan_rows_float.h"

#define GF_FROM double
#define GF_TO   double
#include "array/scan/scan_rows_float.h"

static double float_tile(const void *in, gf_depth type, gf_depth to, int64_t count, struct gf_scan_tile *tile)
{
    return to == GF_F32     ? tile_float_float(in, count, tile)
           : type == GF_F32 ? tile_float_double(in, count, tile)
                            : tile_double_double(in, count, tile);
}

static void float_scan(const void *in, gf_depth type, gf_depth to, int64_t count,
                       const struct gf_scan_tile *tile, double before, bool inclusive, void *out)
{
    if (to == GF_F32) {
        scan_float_float(in, count, tile, (float)before, inclusive, out);
    } else if (type == GF_F32) {
        scan_float_double(in, count, tile, before, inclusive, out);
    } else {
        scan_double_double(in, count, tile, before, inclusive, out);
    }
}

static double keyed_tile(const void *in, gf_depth type, gf_depth to, int64_t count, const uint8_t *flags,
                         struct gf_scan_keyed_tile *tile)
{
    return to == GF_F32     ? keyed_tile_float_float(in, count, flags, tile)
           : type == GF_F32 ? keyed_tile_float_double(in, count, flags, tile)
                            : keyed_tile_double_double(in, count, flags, tile);
}

static void keyed_scan(const void *in, gf_depth type, gf_depth to, int64_t count, const uint8_t *flags,
                       const struct gf_scan_keyed_tile *tile, double before, bool inclusive, void *out)
{
    if (to == GF_F32) {
        keyed_scan_float_float(in, count, flags, tile, (float)before, inclusive, out);
    } else if (type == GF_F32) {
        keyed_scan_float_double(in, count, flags, tile, before, inclusive, out);
    } else {
        keyed_scan_double_double(in, count, flags, tile, before, inclusive, out);
    }
}

const struct gf_scan_rows GF_LEVEL_NAME(gf_scan_rows) = {
    .sum = {sum8, sum16, sum32, sum64},
    .least = {least8, least16, least32, least64},
    .sum_total = {sum_total8, sum_total16, sum_total32, sum_total64},
    .least_total = {least_total8, least_total16, least_total32, least_total64},
    .widen = widen,
    .key = key,
    .unkey = unkey,
    .float_tile = float_tile,
    .float_scan = float_scan,
    .keyed_sum = {keyed_sum8, keyed_sum16, keyed_sum32, keyed_sum64},
    .keyed_least = {keyed_least8, keyed_least16, keyed_least32, keyed_least64},
    .keyed_tile = keyed_tile,
    .keyed_scan = keyed_scan,
};
