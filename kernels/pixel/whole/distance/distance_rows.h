/* Inner loops of the CPU's distance, once a SIMD level: distance_rows.c is compiled several times. All levels
 * give the same bits. Pure but for what they write; safe in any thread. */
#pragma once

#include "pixel/whole/distance/distance.h"

/* A gap: how many pixels down a column it is to its nearest site, below 0: up; or GF_DISTANCE_FAR. */
#define GF_DISTANCE_FAR INT32_MAX

enum {
    GF_DISTANCE_BLOCK = 64, /* pixels of a line that are looked after together */
    GF_DISTANCE_NEAR = 128, /* columns that are looked at to each side of a pixel, a multiple of 4 */
    GF_DISTANCE_PAD = 4 * GF_DISTANCE_BLOCK, /* at each end of gf_distance_near.own */
    GF_DISTANCE_NO_ROW = 255
};

/* A line on its way through `near`: room for the gaps' own costs in 16 bits, and what comes of them. */
struct gf_distance_near {
    uint16_t *own;      /* n, and GF_DISTANCE_PAD at each end */
    uint16_t *best;     /* n, rounded up to whole blocks: costs, for the blocks that are not far */
    unsigned char *far; /* a block each: it is not settled; in: it was not in the line above, anywhere */
};

struct gf_distance_rows {
    /* 1 where a sample is a site, else 0. */
    void (*sites)(const void *samples, gf_depth depth, int32_t channels, int64_t n, uint8_t *site);

    /* In rows of sites, from row y on: the first and the last row with a site in each column, or -1. */
    void (*ends)(const uint8_t *site, int64_t pitch, int32_t rows, int64_t n, int32_t y, int32_t *first,
                 int32_t *last);

    /* In place: how many rows further down the next site of these rows is, or GF_DISTANCE_NO_ROW. */
    void (*below)(uint8_t *site, int64_t pitch, int32_t rows, int64_t n);

    /* The gaps of row y. last: row of the last site above, moved on; next: that of the first site below the
     * rows of `below`; or -1. */
    void (*gaps)(const uint8_t *below, int64_t n, int32_t y, int32_t *last, const int32_t *next,
                 int32_t *gap);

    /* Settles blocks by looking at GF_DISTANCE_NEAR columns to each side. `again`: also those that the line
     * above did not settle. Returns whether blocks are left. */
    bool (*near)(const int32_t *gap, int64_t n, enum gf_distance_metric metric, bool again,
                 struct gf_distance_near *line);

    /* Writes the blocks that are settled to a row of f32 or u64. */
    void (*settled)(const struct gf_distance_near *line, int64_t n, enum gf_distance_metric metric,
                    void *out);

    /* Correctly rounded. */
    void (*roots)(const int32_t *cost, int64_t n, float *out);
};

extern const struct gf_distance_rows gf_distance_rows_baseline, gf_distance_rows_avx2,
    gf_distance_rows_avx512;

/* The cost of a site that many columns and rows away; neither is below 0. */
static inline uint64_t gf_distance_cost(enum gf_distance_metric metric, int64_t across, int64_t down)
{
    return metric == GF_DISTANCE_L1           ? (uint64_t)(across + down)
           : metric == GF_DISTANCE_CHESSBOARD ? (uint64_t)(across > down ? across : down)
                                              : (uint64_t)(across * across + down * down);
}
