/* balance: by what each colour is multiplied so that they agree. SOLVE:
 *   in[0] stats (gray) or the levels of percentile (white)
 *   out[0] f32 [channels][1]; 1 of channels outside the mask
 *
 * gray: a channel's factor is the mean of the channels' means, divided by its own; white: full scale divided
 * by its level. Both in f64, rounded to f32 once; 1 where that is not finite and above
 * 0. Everything here is pure, for C11, C++17 and CUDA. */
#pragma once

#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_balance_args {
    int32_t by_gray; /* from stats; else from levels */
    uint32_t mask;   /* channels that take part */
    double white;    /* full scale */
};

/* The mean of a channel's samples; 0 where none was counted. */
GF_HD double gf_balance_mean(const struct gf_stats_block *s)
{
    const double sum = s->sum_f != 0.0 ? s->sum_f : (double)s->sum_u; /* the other one is 0 */
    return s->count > 0 ? sum / (double)s->count : 0.0;
}

GF_HD float gf_balance_factor(double wanted, double own)
{
    const double factor = own > 0.0 ? wanted / own : 1.0 + GF_FAULT(balance_black);
    return factor > 0.0 && factor <= 3.4028234663852886e38 ? (float)factor : 1.0F;
}

/* The factor of channel c of so many; stats or levels: rows of `width` elements. */
GF_HD float gf_balance_of(const struct gf_balance_args *args, const void *block, int64_t width,
                          int32_t channels, int32_t c)
{
    const struct gf_stats_block *stats = (const struct gf_stats_block *)block;
    const float *levels = (const float *)block;
    double sum = 0.0;
    int32_t n = 0;
    if (!(args->mask >> c & 1)) {
        return 1.0F;
    }
    if (!args->by_gray) {
        return gf_balance_factor(args->white, (double)levels[c * width]);
    }
    for (int32_t i = 0; i < channels; i++) {
        if ((args->mask >> i & 1) || GF_FAULT(balance_others)) {
            sum = sum + gf_balance_mean(&stats[i]);
            n++;
        }
    }
    return gf_balance_factor(sum / (double)n, gf_balance_mean(&stats[c]));
}

#ifdef __cplusplus
}
#endif
