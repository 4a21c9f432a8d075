/* Compares two pictures sample by sample. */
#pragma once

#include "gpufilter/types.h"

#include <stdbool.h>

/* A sample of both pictures. */
struct sample_place {
    int64_t x, y;
    int32_t channel;
    double a, b;
};

/* The difference in one channel. */
struct channel_difference {
    uint64_t count; /* samples that differ by more than the tolerance */
    double largest; /* difference */
};

enum { COMPARED_CHANNELS = 4 };

struct comparison {
    gf_rect area;              /* what was compared */
    int32_t channels;          /* compared, from the first on */
    double max_diff;           /* the tolerance, sample units */
    uint64_t samples;          /* compared */
    uint64_t count;            /* that differ by more than the tolerance */
    double largest;            /* difference, sample units; infinite where only one is NaN */
    double psnr;               /* dB; infinite for equal pictures; NaN where full scale is not defined */
    bool identical;            /* no sample differs at all */
    struct sample_place first; /* that counts, in raster order; meaningful when count > 0 */
    struct sample_place most;  /* the first of the largest difference; meaningful unless identical */
    struct channel_difference channel[COMPARED_CHANNELS];
};

/* Returns how many channels are compared: without alpha, which is the last of 2 or 4, when it is ignored. */
int32_t compared_channels(int32_t channels, bool ignore_alpha);

/* |a - b| of sample `channel` of a pixel; 0 for the same bits, infinite when one is NaN or both are
 * NaN of other bits. Pixel (x, y) lies in both pictures, which have the same depth. */
double sample_difference(const gf_image *a, const gf_image *b, int64_t x, int64_t y, int32_t channel);

/* Pictures of the same size and depth; `channels` of each are compared, inside `area`. */
void compare_pictures(const gf_image *a, const gf_image *b, gf_rect area, int32_t channels, double max_diff,
                      struct comparison *comparison);
