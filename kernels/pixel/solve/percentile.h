/* percentile: samples of given ranks, of what was counted. SOLVE:
 *   in[0] counts (hist): of u8 and u16 by value, of f32 by a digit (digit.h)
 *   in[1] f64 [1][n]: the percentiles, 0 to 100
 *   in[2] picks [channels][n] of the digits before, or range, or nothing
 *   out[0] a row a channel; 0 of channels outside the mask: by GF_PERCENTILE_
 *     PICK: picks, u64 [2 n], with one digit more
 *     LEVEL: f32 [n], the samples, in sample units
 *     RANGE: f32 [2], over which bins are to go, of the first digit and in[2], the least and the greatest
 *
 * Everything here is pure, for C11, C++17 and CUDA. */
#pragma once

#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/ir/digit.h"
#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gf_percentile_makes { GF_PERCENTILE_PICK, GF_PERCENTILE_LEVEL, GF_PERCENTILE_RANGE };

struct gf_percentile_args {
    int32_t bins;  /* of a row of counts, without below, above and nan; by digit: those of a pick */
    int32_t makes; /* enum gf_percentile_makes */
    int32_t shift; /* of the digit that was counted; < 0: they are counts by value */
    uint32_t mask; /* channels solved */
    bool finite;   /* f32: infinities are taken for the least and the greatest finite sample */
};

/* The index of a percentile among n samples in ascending order: floor(p (n - 1) + 1/2), n > 0. */
GF_HD uint64_t gf_percentile_index(double percent, uint64_t n)
{
    const double at = percent / 100.0 * (double)(n - 1);
    return (uint64_t)(GF_FAULT(percentile_down) ? at : at + 0.5);
}

/* The pick of a percentile before its first digit, among n samples counted. Infinities have digits of their
 * own. Where there is no sample it is one that none is found for, NaN or 0. */
GF_HD struct gf_pick gf_percentile_first(const struct gf_percentile_args *args, const uint64_t *counts,
                                         double percent, uint64_t n)
{
    struct gf_pick pick = {gf_float_key(args->finite ? 0.0F : gf_bits_float(GF_CANONICAL_NAN)), n};
    if (args->shift < 0) {
        pick.key = 0;
        pick.rest = gf_percentile_index(percent, n);
        return pick;
    }
    const uint64_t below =
        args->finite ? counts[gf_digit(gf_float_key(gf_bits_float(0xff800000U)), args->shift)] : 0;
    const uint64_t above =
        args->finite ? counts[gf_digit(gf_float_key(gf_bits_float(0x7f800000U)), args->shift)] : 0;
    if (below + above < n) {
        const uint64_t at = gf_percentile_index(percent, n), last = n - above - 1;
        pick.key = 0;
        pick.rest = at < below ? below : at > last ? last : at;
    }
    return pick;
}

/* Returns what bin k of those that were counted adds to the key of a pick. */
GF_HD uint32_t gf_percentile_digit(const struct gf_percentile_args *args, int32_t k)
{
    return args->shift < 0 ? (uint32_t)k : (uint32_t)k << args->shift;
}

/* The sample of a pick that has all its digits. */
GF_HD float gf_percentile_level(const struct gf_percentile_args *args, const struct gf_pick *pick)
{
    return args->shift < 0 ? (float)pick->key : gf_key_float((uint32_t)pick->key);
}

/* The range for bins between the finite extremes: a picture's own but for what lies farther beyond the digits
 * of percentiles 1 and 99 than four times the way between those, unless they are one digit. */
GF_HD void gf_percentile_range(const struct gf_pick picks[2], const float extremes[2], float range[2])
{
    const uint32_t rest = (1U << GF_DIGIT_FIRST) - 1;
    const double a = (double)gf_key_float((uint32_t)picks[0].key);
    const double b = (double)gf_key_float((uint32_t)picks[1].key | rest), beyond = 4.0 * (b - a);
    double lo = (double)extremes[0], hi = (double)extremes[1];
    if (picks[0].key != picks[1].key) {
        lo = a - beyond > lo ? a - beyond : lo;
        hi = b + beyond < hi ? b + beyond : hi;
    }
    range[0] = (float)lo;
    range[1] = (float)hi;
}

#ifdef __cplusplus
}
#endif
