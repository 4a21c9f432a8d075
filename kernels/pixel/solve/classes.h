/* classes: several levels that part what was counted (P. Liao, T. Chen, P. Chung, "A Fast Algorithm for
 * Multilevel Thresholding", 2001). SOLVE:
 *   in[0] counts (hist), in[1] range block (f32 pictures) or GF_NONE
 *   out[0] f32 [channels][classes - 1]: the levels, ascending, in sample units; "v > level" is above
 *   out[1] table [channels][bins] in the picture's depth: the classes from 0 to white, evenly
 * Both are 0 of channels outside the mask.
 *
 * Bins are taken together in GF_CLASSES_GROUPS groups. Everything here is pure, for C11, C++17 and CUDA. */
#pragma once

#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/ir/kernel_table.h"
#include "pixel/ir/solve.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GF_CLASSES_MOST = 8, GF_CLASSES_GROUPS = 256 };

struct gf_classes_args {
    int32_t bins; /* of a row of counts, without below, above and nan */
    int32_t classes;
    float white;
    uint32_t mask; /* channels solved */
};

/* The bins that groups share: all of them where they are no more than groups, else from the first to the last
 * that counts anything. */
struct gf_classes_span {
    int32_t first, n;
};

/* The first bin of a group; for GF_CLASSES_GROUPS the one behind the last. A bin b is in group floor((b -
 * first) groups / n). */
GF_HD int32_t gf_classes_begin(struct gf_classes_span span, int32_t group)
{
    const int64_t at = ((int64_t)group * span.n + GF_CLASSES_GROUPS - 1) / GF_CLASSES_GROUPS;
    return span.first + (int32_t)at;
}

/* Returns what a class is worth: the square of its sum by its count, the sum over classes being what parts
 * them best. Sums are exact below 2^63. */
GF_HD double gf_classes_score(uint64_t n, uint64_t s)
{
    return n ? (double)s / (double)n * (double)s : 0.0;
}

/* Tells whether a score takes the place of the best one of lower levels. */
GF_HD int gf_classes_better(double score, double best)
{
    return GF_FAULT(classes_tie) ? score >= best : score > best;
}

/* The level above whose class `bin` is the last one. */
GF_HD float gf_classes_level(const float *range, int32_t bin, int32_t bins)
{
    return range ? gf_bin_middle(range[0], range[1], bin, bins) : (float)bin;
}

/* Returns what samples of a class become: white class / (classes - 1), for u8 and u16 half up. */
GF_HD float gf_classes_shade(int32_t level, int32_t classes, float white, int integers)
{
    const int32_t steps = classes - 1;
    if (integers) {
        return (float)((2 * level * (int32_t)white + steps) / (2 * steps));
    }
    return gf_div((float)level, (float)steps);
}

#ifdef __cplusplus
}
#endif
