/* The order of the sort on numbers, for the sequential definitions: written apart from the keys that the fast
 * variants use. */
#pragma once

#include "gpufilter/types.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Tells whether *a must come before *b: elements of `type`, aligned or not. False for equal ones. */
static inline bool gf_sort_before(gf_depth type, bool descending, const void *a, const void *b)
{
    bool less = false, greater = false;
#define GF_COMPARE(depth, T)                                                                                 \
    case depth: {                                                                                            \
        T x, y;                                                                                              \
        memcpy(&x, a, sizeof x);                                                                             \
        memcpy(&y, b, sizeof y);                                                                             \
        less = x < y;                                                                                        \
        greater = y < x;                                                                                     \
        break;                                                                                               \
    }
#define GF_COMPARE_FLOAT(depth, T)                                                                           \
    case depth: {                                                                                            \
        T x, y;                                                                                              \
        memcpy(&x, a, sizeof x);                                                                             \
        memcpy(&y, b, sizeof y);                                                                             \
        if (isnan(x) || isnan(y)) {                                                                          \
            return !isnan(x); /* a number comes before a NaN in either direction */                          \
        }                                                                                                    \
        less = x < y || (x == y && signbit(x) && !signbit(y)); /* -0 before +0 */                            \
        greater = y < x || (x == y && signbit(y) && !signbit(x));                                            \
        break;                                                                                               \
    }
    switch (type) {
        GF_COMPARE(GF_U8, uint8_t)
        GF_COMPARE(GF_U16, uint16_t)
        GF_COMPARE(GF_U32, uint32_t)
        GF_COMPARE(GF_U64, uint64_t)
        GF_COMPARE(GF_S16, int16_t)
        GF_COMPARE(GF_S32, int32_t)
        GF_COMPARE(GF_S64, int64_t)
        GF_COMPARE_FLOAT(GF_F32, float)
        GF_COMPARE_FLOAT(GF_F64, double)
    }
#undef GF_COMPARE
#undef GF_COMPARE_FLOAT
    return descending ? greater : less;
}
