/* match: how alike a template and the picture are at each place: zero-mean normalised correlation. WHOLE:
 *   in[0] picture of u8 or u16, of 1 or 3 channels, W x H
 *   in[1] the template, of the same depth and channels, w x h, at most GF_MATCH_PIXELS pixels, none of its
 *     sides longer than the picture's
 *   out[0] f32 picture of W - w + 1 x H - h + 1: the score of the template with its first pixel there
 *
 * With n = w h, sums over the pixels of the template, and sums over channels in front of them:
 *   N = sum_c (n sum I T - sum I sum T), A = sum_c (n sum I^2 - (sum I)^2), B = the same of T;
 * integers. The score is the f32 that is nearest to N / sqrt(A B), 0 where A B is 0 (match_score.h). */
#pragma once

#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GF_MATCH_CHANNELS = 3, GF_MATCH_PIXELS = 1 << 29 }; /* so that all sums of squares fit u64 */

/* What is known of the template. */
struct gf_match_template {
    uint64_t n, sum[GF_MATCH_CHANNELS];
    uint64_t b[2];  /* B, its low word first */
    int32_t narrow; /* whether N, A, B, and what they are differences of, are all below 2^52 */
};

size_t gf_match_cuda_scratch(const struct gf_apply_run *run);

/* ---- inner loops of the CPU, once a SIMD level ---- */

/* A row of places: sums for each, those of I by channel, `stride` sums apart. */
struct gf_match_row {
    const uint64_t *products, *sums, *squares;
    int64_t stride;
};

struct gf_match_rows {
    /* Returns the sum of the products of n samples each. */
    uint64_t (*multiply)(const void *a, const void *b, gf_depth depth, int64_t n);
    /* Adds n pixels of a row to sums of columns, by channel, `wide` sums apart, and their squares behind the
     * last; takes those of another away, which may be NULL. */
    void (*slide)(const void *comes, const void *goes, gf_depth depth, int32_t channels, int64_t n,
                  int64_t wide, uint64_t *columns);
    /* Scores of n places. */
    void (*score)(const struct gf_match_template *t, const struct gf_match_row *row, int32_t channels,
                  int64_t n, float *out);
};

extern const struct gf_match_rows gf_match_rows_baseline;
extern const struct gf_match_rows gf_match_rows_avx2;   /* x86-64 builds only */
extern const struct gf_match_rows gf_match_rows_avx512; /* x86-64 builds only */

#ifdef __cplusplus
}
#endif
