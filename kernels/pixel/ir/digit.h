/* Samples of f32 by their place in the order of gf_float_key, whatever their range: a hist tap counts by a
 * digit of the key, 11, 11 and 10 bits from the top, and percentile picks in which of them the samples of the
 * asked ranks lie, until nothing is left to find out. For C11, C++17 and CUDA.
 *
 * Such a tap has hi < lo, and lo is the shift of its digit. For the first digit it counts all samples but NaN
 * in GF_DIGIT_BINS bins; else tap->range are picks, for each of which it has as many bins, and counts the
 * samples that have the digits of one so far, in those of the first such pick. */
#pragma once

#include "base/gf_num.h"

enum { GF_DIGIT_BINS = 2048, GF_DIGIT_FIRST = 21, GF_DIGIT_SECOND = 10, GF_DIGIT_LAST = 0 }; /* shifts */

/* The place of a rank, an element of the block of picks. */
struct gf_pick {
    uint64_t key;  /* its digits so far, the others 0 */
    uint64_t rest; /* which of the samples with those digits it is, in order, from 0 */
};

GF_HD int32_t gf_digit(uint32_t key, int32_t shift)
{
    return (int32_t)(key >> shift & (shift == GF_DIGIT_LAST ? 1023U : 2047U));
}

/* Does the key have the pick's digits above the one at `shift`, which is not the first? */
GF_HD int gf_digits_alike(uint32_t key, const struct gf_pick *pick, int32_t shift)
{
    const int32_t above = shift == GF_DIGIT_LAST ? GF_DIGIT_SECOND : GF_DIGIT_FIRST;
    return (key ^ (uint32_t)pick->key) >> above == 0;
}

/* The first of n picks with the same digits as that key so far; n: none. */
GF_HD int32_t gf_digit_slot(uint32_t key, const struct gf_pick *picks, int32_t n, int32_t shift)
{
    int32_t slot = 0;
    while (slot < n && !gf_digits_alike(key, &picks[slot], shift)) {
        slot++;
    }
    return slot;
}
