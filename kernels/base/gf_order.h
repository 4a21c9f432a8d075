/* gf_order.h: numbers as unsigned keys whose order is the one the array primitives promise. One source for
 * C11, C++17 and CUDA.
 *
 *   gf_key_...(v)      the key: a < b as numbers gives key(a) < key(b); -0 < +0; every NaN, whatever its
 *                      sign, above +inf
 *   gf_unkey_...(key)  the number back, bits kept, except that all NaN share the greatest key and come back
 *                      as the canonical one
 *
 * Code that must keep the bits of a NaN moves the element, not its key. */
#pragma once

#include "base/gf_num.h"

GF_HD uint8_t gf_key_u8(uint8_t v)
{
    return v;
}
GF_HD uint16_t gf_key_u16(uint16_t v)
{
    return v;
}
GF_HD uint32_t gf_key_u32(uint32_t v)
{
    return v;
}
GF_HD uint64_t gf_key_u64(uint64_t v)
{
    return v;
}
GF_HD uint16_t gf_key_s16(int16_t v)
{
    return (uint16_t)((uint16_t)v ^ 0x8000U);
}
GF_HD uint32_t gf_key_s32(int32_t v)
{
    return (uint32_t)v ^ 0x80000000U;
}
GF_HD uint64_t gf_key_s64(int64_t v)
{
    return (uint64_t)v ^ 0x8000000000000000U;
}

/* Negative numbers have all bits flipped, the others the sign bit only. */
GF_HD uint32_t gf_key_f32(float v)
{
    uint32_t bits = gf_float_bits(v);
    uint32_t flip = (0U - (bits >> 31)) | 0x80000000U;
    return (bits & 0x7fffffffU) > 0x7f800000U ? 0xffffffffU : bits ^ flip;
}
GF_HD uint64_t gf_key_f64(double v)
{
    uint64_t bits = gf_double_bits(v);
    uint64_t flip = (0U - (bits >> 63)) | 0x8000000000000000U;
    return (bits & 0x7fffffffffffffffU) > 0x7ff0000000000000U ? 0xffffffffffffffffU : bits ^ flip;
}

GF_HD uint8_t gf_unkey_u8(uint8_t key)
{
    return key;
}
GF_HD uint16_t gf_unkey_u16(uint16_t key)
{
    return key;
}
GF_HD uint32_t gf_unkey_u32(uint32_t key)
{
    return key;
}
GF_HD uint64_t gf_unkey_u64(uint64_t key)
{
    return key;
}
GF_HD int16_t gf_unkey_s16(uint16_t key)
{
    return (int16_t)(uint16_t)(key ^ 0x8000U);
}
GF_HD int32_t gf_unkey_s32(uint32_t key)
{
    return (int32_t)(key ^ 0x80000000U);
}
GF_HD int64_t gf_unkey_s64(uint64_t key)
{
    return (int64_t)(key ^ 0x8000000000000000U);
}
GF_HD float gf_unkey_f32(uint32_t key)
{
    uint32_t flip = ((key >> 31) - 1U) | 0x80000000U;
    return gf_bits_float(key == 0xffffffffU ? 0x7fc00000U : key ^ flip);
}
GF_HD double gf_unkey_f64(uint64_t key)
{
    uint64_t flip = ((key >> 63) - 1U) | 0x8000000000000000U;
    return gf_bits_double(key == 0xffffffffffffffffU ? 0x7ff8000000000000U : key ^ flip);
}
