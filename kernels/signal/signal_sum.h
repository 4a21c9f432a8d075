/* The sum of taps times frames that fir and resample share, the same on every backend: in f32, tap k belongs
 * to chain k mod 8. A chain begins with 0 and goes through its taps in ascending k, by fma; frames outside
 * the signal are multiplied too. Then the chains are folded by halves. */
#pragma once

#include "base/gf_num.h"

#define GF_SUM_CHAINS 8

GF_HD float gf_sum_fold(const float *chain)
{
    return ((chain[0] + chain[4]) + (chain[2] + chain[6])) + ((chain[1] + chain[5]) + (chain[3] + chain[7]));
}

/* floor(n down / up), and n down mod up in *phase, for up and down below 2^31: no product overflows. */
GF_HD int64_t gf_resample_place(int64_t n, int64_t up, int64_t down, int64_t *phase)
{
    const int64_t within = n % up * down;
    *phase = within % up;
    return n / up * down + within / up;
}
