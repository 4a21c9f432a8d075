/* One SIMD level of "match": compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine options.
 */
#include "pixel/whole/match/match.h"

#include "base/cpu_level.h"
#include "pixel/whole/match/match_score.h"

#define ALWAYS static inline __attribute__((always_inline))

/* ---- products ---- */

static uint64_t multiply(const void *a, const void *b, gf_depth depth, int64_t n)
{
    uint64_t sum = 0;
    for (int64_t i = 0; depth == GF_U8 && i < n; i++) {
        sum += (uint32_t)((const uint8_t *)a)[i] * ((const uint8_t *)b)[i];
    }
    for (int64_t i = 0; depth == GF_U16 && i < n; i++) {
        sum += (uint32_t)((const uint16_t *)a)[i] * ((const uint16_t *)b)[i];
    }
    return sum;
}

/* ---- sums of columns ---- */

/* The same for each type of samples, so that loops vectorise; below 2^33 in size. */
#define SLIDE(name, type)                                                                                    \
    ALWAYS void name(const type *comes, const type *goes, int32_t channels, int64_t n, int64_t wide,         \
                     uint64_t *restrict columns, uint64_t *restrict squares)                                 \
    {                                                                                                        \
        for (int32_t c = 0; c < channels; c++) {                                                             \
            for (int64_t x = 0; x < n; x++) {                                                                \
                const int64_t v = comes[x * channels + c], u = goes ? goes[x * channels + c] : 0;            \
                columns[c * wide + x] += (uint64_t)(v - u);                                                  \
                squares[x] += (uint64_t)((v - u) * (v + u));                                                 \
            }                                                                                                \
        }                                                                                                    \
    }
SLIDE(slide_u8, uint8_t)
SLIDE(slide_u16, uint16_t)

static void slide(const void *comes, const void *goes, gf_depth depth, int32_t channels, int64_t n,
                  int64_t wide, uint64_t *columns)
{
    uint64_t *squares = columns + channels * wide;
    if (depth == GF_U16) {
        slide_u16(comes, goes, channels, n, wide, columns, squares);
    } else if (channels == 1 && goes) { /* so that the loop of what comes most vectorises */
        slide_u8(comes, goes, 1, n, wide, columns, squares);
    } else {
        slide_u8(comes, goes, channels, n, wide, columns, squares);
    }
}

/* ---- scores ---- */

/* v below 2^52, in a way that vectorises everywhere. */
ALWAYS double whole(uint64_t v)
{
    return gf_bits_double(v | UINT64_C(0x4330000000000000)) - 4503599627370496.0;
}

/* Below 2^52 all sums and products are exact in f64, and N, A and B without the roundings that GF_MATCH_DOUBT
 * allows for. */
ALWAYS uint64_t score_row(const struct gf_match_template *t, const struct gf_match_row *row, int32_t channels,
                          int64_t n, float *restrict out)
{
    const double pixels = (double)t->n, b = (double)t->b[0];
    uint64_t doubt = 0;
    for (int64_t x = 0; x < n; x++) {
        double both = 0, own = 0;
        for (int32_t c = 0; c < channels; c++) {
            const double sum = whole(row->sums[c * row->stride + x]);
            both += sum * (double)t->sum[c];
            own += sum * sum;
        }
        const double product = (pixels * whole(row->squares[x]) - own) * b;
        const double root = gf_sqrt_double(product == 0 ? 1.0 : product); /* where N is 0, too */
        const double quotient = (pixels * whole(row->products[x]) - both) / root;
        doubt |= (uint64_t)gf_match_in_doubt(quotient);
        out[x] = (float)quotient;
    }
    return doubt;
}

static void score(const struct gf_match_template *t, const struct gf_match_row *row, int32_t channels,
                  int64_t n, float *out)
{
    const gf_match_wide b = (gf_match_wide)t->b[1] << 64 | t->b[0];
    if (t->narrow &&
        !(channels == 1 ? score_row(t, row, 1, n, out) : score_row(t, row, GF_MATCH_CHANNELS, n, out))) {
        return;
    }
    for (int64_t x = 0; x < n; x++) {
        gf_match_wide both = 0, own = 0;
        for (int32_t c = 0; c < channels; c++) {
            const uint64_t sum = row->sums[c * row->stride + x];
            both += (gf_match_wide)sum * t->sum[c];
            own += (gf_match_wide)sum * sum;
        }
        out[x] = gf_match_score(gf_match_difference(t->n, row->products[x], both),
                                (gf_match_wide)gf_match_difference(t->n, row->squares[x], own), b);
    }
}

const struct gf_match_rows GF_LEVEL_NAME(gf_match_rows) = {multiply, slide, score};
