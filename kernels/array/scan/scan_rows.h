/* Inner loops of the CPU's scan, once per SIMD level: scan_rows.c is compiled several times, as
 * pixel/cpu/cpu_rows.c is. All levels give the same bits. Pure but for what they write; safe in any thread.
 */
#pragma once

#include "array/scan/scan_call.h"

/* A float sum's tile between its two steps: what lies before each lane and each row, in the output's type. */
struct gf_scan_tile {
    double lanes[GF_SCAN_ROWS * GF_SCAN_LANES]; /* within the row; holds floats where the output is f32 */
    double rows[GF_SCAN_ROWS];                  /* within the tile */
};

/* The same of a tile in which segments begin. What counts as 0 in front of a segment is told by masks: all
 * ones where a segment has begun before the lane, in its row, and before the row, in the tile. */
struct gf_scan_keyed_tile {
    struct gf_scan_tile sums;
    int64_t lanes[GF_SCAN_ROWS * GF_SCAN_LANES]; /* as wide as the sums */
    int64_t rows[GF_SCAN_ROWS];
};

struct gf_scan_rows {
    /* Integers and keys of 1, 2, 4, 8 bytes, by log2 of that. Sums wrap; least is the minimum by signed order
     * of v ^ flip, which an all-ones flip turns into the maximum. `sum` and `least` write the scan of
     * in[0..n) after *carry, and move *carry past it; out may be in. */
    void (*sum[4])(const void *in, int64_t n, uint64_t *carry, bool inclusive, void *out);
    void (*least[4])(const void *in, int64_t n, uint64_t flip, uint64_t *carry, bool inclusive, void *out);
    uint64_t (*sum_total[4])(const void *in, int64_t n);
    uint64_t (*least_total[4])(const void *in, int64_t n, uint64_t flip); /* n > 0; of v ^ flip */

    /* Integers to the width of `to`; f32 and f64 to keys in signed order, -0 below +0, where every NaN is
     * `nan`. */
    void (*widen)(const void *in, gf_depth from, gf_depth to, int64_t n, void *out);
    void (*key)(const void *in, gf_depth type, int64_t n, uint64_t nan, void *out);
    void (*unkey)(void *keys, gf_depth type, int64_t n); /* in place */

    /* Sums of floats in the order of docs/exactness.md. First the lanes and rows of a tile of count > 0
     * elements, giving its total, then its results after `before`. in may be out. */
    double (*float_tile)(const void *in, gf_depth type, gf_depth to, int64_t count,
                         struct gf_scan_tile *tile);
    void (*float_scan)(const void *in, gf_depth type, gf_depth to, int64_t count,
                       const struct gf_scan_tile *tile, double before, bool inclusive, void *out);

    /* The same where flags[i] = 1 begins a segment (else it is 0), with which a scan begins anew: at `none`,
     * or at 0. keyed_tile gives the total of what lies behind the last beginning; its flags are of a whole
     * tile.
     */
    void (*keyed_sum[4])(const void *in, int64_t n, const uint8_t *flags, uint64_t *carry, bool inclusive,
                         void *out);
    void (*keyed_least[4])(const void *in, int64_t n, const uint8_t *flags, uint64_t flip, uint64_t none,
                           uint64_t *carry, bool inclusive, void *out);
    double (*keyed_tile)(const void *in, gf_depth type, gf_depth to, int64_t count, const uint8_t *flags,
                         struct gf_scan_keyed_tile *tile);
    void (*keyed_scan)(const void *in, gf_depth type, gf_depth to, int64_t count, const uint8_t *flags,
                       const struct gf_scan_keyed_tile *tile, double before, bool inclusive, void *out);
};

extern const struct gf_scan_rows gf_scan_rows_baseline, gf_scan_rows_avx2, gf_scan_rows_avx512;

/* The fastest level that runs here. */
const struct gf_scan_rows *gf_scan_rows_best(void);
