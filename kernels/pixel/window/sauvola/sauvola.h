/* A level for each sample by the mean and the spread of its neighbours. */
#pragma once

#include "base/gf_num.h"
#include "pixel/ir/kernel_table.h"

#include <math.h>

/* The window of gf_kernel_sauvola, in the depth of what it reads. For integers it is the greatest integer
 * that is not above the level, or white. */
struct gf_sauvola_args {
    int32_t radius_x, radius_y; /* 0 to GF_SAUVOLA_MOST: sums of squares of u16 fit 64 bits */
    double k;                   /* 0 to 1, so that no level is below the least sample */
    double range;               /* > 0, the spread at which the level is the mean; in units of samples */
};

enum { GF_SAUVOLA_MOST = 32767 };

GF_WINDOW_ARGS_OF(gf_sauvola_args)

GF_HD int64_t gf_sauvola_area(const struct gf_sauvola_args *args)
{
    return (2 * (int64_t)args->radius_x + 1) * (2 * (int64_t)args->radius_y + 1);
}

/* Do 32 bits hold all sums? Of bytes only. */
static inline bool gf_sauvola_is_narrow(const struct gf_sauvola_args *args, gf_depth depth)
{
    return depth == GF_U8 && gf_sauvola_area(args) <= UINT32_MAX / (255 * 255);
}

/* The level of n samples from their sum and the sum of their squares (J. Sauvola and M. Pietikainen,
 * "Adaptive document image binarization", 2000). Each operation is rounded once. */
GF_HD double gf_sauvola_level(double sum, double squares, double n, double k, double range)
{
    const double mean = sum / n;
    const double variance = squares / n - mean * mean;
    const double spread = sqrt(variance > 0 ? variance : 0);
    return mean * (1 + k * (spread / range - 1));
}

/* A level of integers from 0 to white as one of them. */
GF_HD uint32_t gf_sauvola_floor(double level, uint32_t white)
{
    return level < white ? (uint32_t)level : white;
}
