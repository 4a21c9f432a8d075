/* The solvers on the CPU. */
#include "pixel/solve.h"
#include "base/planted_fault.h"
#include "base/status.h"
#include "pixel/kernel_functions.h"

#include <string.h>

/* Lowest bin of the greatest score. */
static int32_t otsu_bin(const uint64_t *counts, int32_t bins)
{
    uint64_t n = 0;
    uint64_t s = 0;
    uint64_t n0 = 0;
    uint64_t s0 = 0;
    double greatest = 0.0;
    int32_t best = 0;

    for (int32_t i = 0; i < bins; i++) {
        n += counts[i];
        s += (uint64_t)i * counts[i];
    }
    for (int32_t t = 0; t < bins; t++) {
        n0 += counts[t];
        s0 += (uint64_t)t * counts[t];
        double score = gf_otsu_score(n0, s0, n, s);
        if (score > greatest || (GF_FAULT(otsu_tie) && score == greatest)) {
            greatest = score;
            best = t;
        }
    }
    return best;
}

/* A row of counts is bins, below, above, nan. */
static gf_status check_counts(const struct gf_solve *solve, const struct gf_value *counts, gf_error *error)
{
    if (solve->bins < 1 || counts->width < solve->bins || counts->depth != GF_U64) {
        return gf_fail(error, GF_ERROR_INTERNAL, "%s: counts do not have %d bins", solve->kernel->name,
                       (int)solve->bins);
    }
    return GF_OK;
}

gf_status gf_otsu_cpu(const struct gf_solve *solve, const struct gf_value values[3], const void *const in[2],
                      void *out, gf_error *error)
{
    const float *range = in[1];
    float *level = out;

    GF_TRY(check_counts(solve, &values[0], error));
    memset(out, 0, (size_t)(values[2].channels * values[2].width) * sizeof *level);
    for (int32_t c = 0; c < values[2].channels; c++) {
        if (solve->mask >> c & 1) {
            const uint64_t *counts = (const uint64_t *)in[0] + c * values[0].width;
            int32_t bin = otsu_bin(counts, solve->bins);
            level[c * values[2].width] =
                range ? gf_bin_middle(range[2 * c], range[2 * c + 1], bin, solve->bins) : (float)bin;
        }
    }
    return GF_OK;
}

struct equalizer {
    uint64_t first, n; /* count of the first bin that has any; of all bins */
    float white;
    float only; /* f32: where there is one value, that value */
    gf_depth depth;
};

static void equalize_row(const struct equalizer *e, const uint64_t *counts, int32_t bins, void *row)
{
    uint64_t cdf = 0;

    for (int32_t i = 0; i < bins; i++) {
        cdf += counts[i];
        if (e->depth == GF_F32) {
            ((float *)row)[i] = e->n > e->first ? gf_equalize_f(cdf, e->first, e->n, e->white) : e->only;
            continue;
        }
        uint64_t entry = (uint64_t)i;
        if (e->n > e->first) {
            entry = gf_equalize_u(cdf, e->first, e->n, (uint64_t)e->white);
        }
        if (e->depth == GF_U8) {
            ((uint8_t *)row)[i] = (uint8_t)entry;
        } else {
            ((uint16_t *)row)[i] = (uint16_t)entry;
        }
    }
}

gf_status gf_equalize_cpu(const struct gf_solve *solve, const struct gf_value values[3],
                          const void *const in[2], void *out, gf_error *error)
{
    const float *range = in[1];
    size_t row_bytes = (size_t)values[2].width * gf_depth_size(values[2].depth);

    GF_TRY(check_counts(solve, &values[0], error));
    memset(out, 0, (size_t)values[2].channels * row_bytes);
    for (int32_t c = 0; c < values[2].channels; c++) {
        if (!(solve->mask >> c & 1)) {
            continue;
        }
        const uint64_t *counts = (const uint64_t *)in[0] + c * values[0].width;
        struct equalizer e = {0, 0, solve->white, range ? range[2 * c] : 0.0F, values[2].depth};
        for (int32_t i = 0; i < solve->bins; i++) {
            e.n += counts[i];
            e.first = e.first > 0 || GF_FAULT(equalize_cdf_min) ? e.first : counts[i];
        }
        equalize_row(&e, counts, solve->bins, (char *)out + (size_t)c * row_bytes);
    }
    return GF_OK;
}
