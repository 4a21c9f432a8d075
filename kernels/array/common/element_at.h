/* element_at.h: an element of any type as a number, for the definitions, which read element by element. Every
 * integer and float is exact in it. */
#pragma once

#include "gpufilter/types.h"

#include <float.h>
#include <stdbool.h>

#if LDBL_MANT_DIG < 64
#error "the definitions need 64-bit integers and f64 exactly, in long double"
#endif

static inline long double gf_element_at(const void *in, gf_depth type, int64_t i)
{
    switch (type) {
    case GF_U8:
        return ((const uint8_t *)in)[i];
    case GF_U16:
        return ((const uint16_t *)in)[i];
    case GF_U32:
        return ((const uint32_t *)in)[i];
    case GF_U64:
        return ((const uint64_t *)in)[i];
    case GF_S16:
        return ((const int16_t *)in)[i];
    case GF_S32:
        return ((const int32_t *)in)[i];
    case GF_S64:
        return ((const int64_t *)in)[i];
    case GF_F32:
        return (long double)((const float *)in)[i];
    default:
        return (long double)((const double *)in)[i];
    }
}

/* Compares as keys: by value, and every NaN equals every NaN. */
static inline bool gf_elements_are_equal(const void *in, gf_depth type, int64_t i, int64_t j)
{
    const long double a = gf_element_at(in, type, i), b = gf_element_at(in, type, j);
    return a == b || (a != a && b != b);
}
