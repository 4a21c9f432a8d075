/* gf_divider.h: dividing box sums by the window's area without a division, exactly, for C11, C++17 and CUDA.
 *
 * floor((sum + floor(area / 2)) / area), which is the mean rounded half up, by one multiply-high.
 * With d = area, n = sum + floor(d / 2), m = floor(2^k / d) + 1 and e = m d - 2^k, 1 <= e <= d:
 *     n m / 2^k = n / d + n e / (d 2^k),
 * and the floor of that is the floor of n / d as long as n e < 2^k, because n / d is at least 1 / d below
 * the next integer (Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994).
 * The makers check n e < 2^k for the largest n and refuse otherwise; they run on the host, once a plan. */
#pragma once

#include "base/gf_num.h"

__extension__ typedef unsigned __int128 gf_u128;

/* Sums of up to 62 bits: k = 63 + shift. */
struct gf_divider {
    uint64_t multiplier;
    uint64_t half; /* floor(area / 2) */
    int32_t shift;
};

/* Sums of up to 32 bits: k = 32 + shift. Cheaper on a GPU; not every (area, max_sum) has one. */
struct gf_divider32 {
    uint32_t multiplier;
    uint32_t half;
    int32_t shift;
};

/* Sums of up to 16 bits: k = 16 + shift. For vectors of a CPU; not every (area, max_sum) has one. */
struct gf_divider16 {
    uint16_t multiplier;
    uint16_t half;
    int32_t shift;
};

/* Fills *divider for every sum in [0, max_sum]. Returns 1, or 0 (and a *divider of zeros) when area is 0
 * or max_sum + area / 2 reaches 2^62: otherwise it cannot fail. */
static inline int gf_divider_make(uint64_t area, uint64_t max_sum, struct gf_divider *divider)
{
    const uint64_t limit = (uint64_t)1 << 62;
    memset(divider, 0, sizeof *divider);
    if (area == 0 || area >= limit || max_sum >= limit || max_sum + area / 2 >= limit) {
        return 0;
    }
    int shift = 0;
    while (shift < 62 && area >> (shift + 1) != 0) {
        shift++;
    }
    gf_u128 power = (gf_u128)1 << (63 + shift);
    uint64_t multiplier = (uint64_t)(power / area) + 1; /* at most 2^63 + 1 */
    uint64_t excess = (uint64_t)((gf_u128)multiplier * area - power);
    if ((gf_u128)excess * (max_sum + area / 2) >= power) {
        return 0;
    }
    divider->multiplier = multiplier;
    divider->half = area / 2;
    divider->shift = shift;
    return 1;
}

/* Fills *divider for every sum in [0, max_sum]. Returns 1, or 0 (and a *divider of zeros) when area is 0
 * or no 32-bit constant is exact. There is one for the box of a u8 picture with an area of 2 to 2^22, and of
 * a u16 picture with 2 to 2^14; there is none for an area of 1, which needs no division. */
static inline int gf_divider32_make(uint32_t area, uint32_t max_sum, struct gf_divider32 *divider)
{
    uint64_t largest = (uint64_t)max_sum + area / 2;
    memset(divider, 0, sizeof *divider);
    if (area == 0 || largest > UINT32_MAX) {
        return 0;
    }
    for (int shift = 0; shift < 32; shift++) {
        gf_u128 power = (gf_u128)1 << (32 + shift);
        gf_u128 multiplier = power / area + 1;
        gf_u128 excess = multiplier * area - power;
        if (multiplier <= UINT32_MAX && excess * largest < power) {
            divider->multiplier = (uint32_t)multiplier;
            divider->half = area / 2;
            divider->shift = shift;
            return 1;
        }
    }
    return 0;
}

/* Fills *divider for every sum in [0, max_sum]. Returns 1, or 0 (and a *divider of zeros) when area is 0
 * or no 16-bit constant is exact: there is one for the square boxes of a u8 picture, 3 x 3 to 15 x 15. */
static inline int gf_divider16_make(uint32_t area, uint32_t max_sum, struct gf_divider16 *divider)
{
    uint64_t largest = (uint64_t)max_sum + area / 2;
    memset(divider, 0, sizeof *divider);
    if (area == 0 || largest > UINT16_MAX) {
        return 0;
    }
    for (int shift = 0; shift < 16; shift++) {
        uint64_t power = (uint64_t)1 << (16 + shift);
        uint64_t multiplier = power / area + 1;
        uint64_t excess = multiplier * area - power;
        if (multiplier <= UINT16_MAX && excess * largest < power) {
            divider->multiplier = (uint16_t)multiplier;
            divider->half = (uint16_t)(area / 2);
            divider->shift = shift;
            return 1;
        }
    }
    return 0;
}

/* floor((sum + floor(area / 2)) / area) for sum <= max_sum. */
GF_HD uint64_t gf_divide_round_half_up(uint64_t sum, struct gf_divider divider)
{
    uint64_t twice = (sum + divider.half) << 1;
#ifdef __CUDA_ARCH__
    return __umul64hi(twice, divider.multiplier) >> divider.shift;
#else
    return (uint64_t)((gf_u128)twice * divider.multiplier >> 64) >> divider.shift;
#endif
}

GF_HD uint32_t gf_divide_round_half_up32(uint32_t sum, struct gf_divider32 divider)
{
    uint64_t product = (uint64_t)(sum + divider.half) * divider.multiplier;
    return (uint32_t)(product >> 32) >> divider.shift;
}

GF_HD uint16_t gf_divide_round_half_up16(uint16_t sum, struct gf_divider16 divider)
{
    uint32_t product = (uint32_t)(uint16_t)(sum + divider.half) * divider.multiplier;
    return (uint16_t)((product >> 16) >> divider.shift);
}
