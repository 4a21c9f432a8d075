/* Compares two pictures sample by sample. */
#ifndef GF_CLI_COMPARE_H
#define GF_CLI_COMPARE_H

#include "gpufilter/types.h"

#include <stdbool.h>

struct comparison {
    gf_rect area;     /* what was compared */
    int32_t channels; /* compared, from the first on */
    uint64_t samples; /* compared */
    uint64_t count;   /* that differ by more than the tolerance */
    double largest;   /* difference, sample units; infinite where only one is NaN */
    double psnr;      /* dB; infinite for equal pictures; NaN where full scale is not defined */
    bool identical;   /* no sample differs at all */
    int64_t x, y;     /* first sample that counts, in raster order; meaningful when count > 0 */
    int32_t channel;
    double a, b;
};

/* How many channels are compared: without alpha, which is the last of 2 or 4, when it is ignored. */
int32_t compared_channels(int32_t channels, bool ignore_alpha);

/* |a - b| of sample `channel` of a pixel; 0 for the same bits, infinite when one is NaN or both are
 * NaN of other bits. Pixel (x, y) lies in both pictures, which have the same depth. */
double sample_difference(const gf_image *a, const gf_image *b, int64_t x, int64_t y, int32_t channel);

/* Pictures of the same size and depth; `channels` of each are compared, inside `area`. */
void compare_pictures(const gf_image *a, const gf_image *b, gf_rect area, int32_t channels, double max_diff,
                      struct comparison *comparison);

#endif
