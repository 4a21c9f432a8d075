/* percentile: two percentiles of what was counted. SOLVE:
 *   in[0] counts (hist), in[1] range block (f32 pictures) or GF_NONE
 *   out[0] f32 [channels][2]: the sample at each of them, in sample units; 0 of channels outside the mask
 *
 * Everything here is pure, for C11, C++17 and CUDA. */
#ifndef GF_PIXEL_PERCENTILE_H
#define GF_PIXEL_PERCENTILE_H

#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/kernel_table.h"
#include "pixel/solve.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_percentile_args {
    double percent[2]; /* 0 to 100 */
    int32_t bins;      /* of a row of counts, without below, above and nan */
    uint32_t mask;     /* channels solved */
};

/* Which of n samples in ascending order a percentile is: floor(p (n - 1) + 1/2), n > 0. */
GF_HD uint64_t gf_percentile_index(double percent, uint64_t n)
{
    const double at = percent / 100.0 * (double)(n - 1);
    return (uint64_t)(GF_FAULT(percentile_down) ? at : at + 0.5);
}

/* The sample that number `index` of `inside` ones in the bins is; it lies in `bin`. f32 has the least and the
 * greatest themselves, and of the others the middles of their bins. */
GF_HD float gf_percentile_sample(const float *range, int32_t bin, int32_t bins, uint64_t index,
                                 uint64_t inside)
{
    if (!range) {
        return (float)bin;
    }
    return index == 0            ? range[0]
           : index == inside - 1 ? range[1]
                                 : gf_bin_middle(range[0], range[1], bin, bins);
}

#ifdef __cplusplus
}
#endif
#endif
