/* The solvers on the CPU. */
#include "pixel/ir/solve.h"
#include "base/planted_fault.h"
#include "base/status.h"
#include "pixel/ir/kernel_table.h"

#include <string.h>

/* Lowest bin of the greatest variance. */
static int32_t otsu_bin(const uint64_t *counts, int32_t bins)
{
    uint64_t n = 0;
    uint64_t s = 0;
    uint64_t n0 = 0;
    uint64_t s0 = 0;
    struct gf_otsu greatest = {0, 0, 0.0};
    int32_t best = 0;

    for (int32_t i = 0; i < bins; i++) {
        n += gf_count_at(counts, i, bins);
        s += (uint64_t)i * gf_count_at(counts, i, bins);
    }
    for (int32_t t = 0; t < bins; t++) {
        const uint64_t count = gf_count_at(counts, t, bins);
        n0 += count;
        s0 += (uint64_t)t * count;
        const struct gf_otsu score = gf_otsu_make(n0, s0, n, s);
        const int order = count ? gf_otsu_compare(&score, &greatest) : -1;
        if (order > 0 || (GF_FAULT(otsu_tie) && order == 0)) {
            greatest = score;
            best = t;
        }
    }
    return best;
}

/* A row of counts is bins, below, above, nan. */
static gf_status take_args(const struct gf_apply_run *run, struct gf_solve_args *args, gf_error *error)
{
    const struct gf_value *counts = &run->in_values[0];
    gf_args_get(&run->apply->args, args, sizeof *args);
    if (args->bins < 1 || counts->width < args->bins + 3 || counts->depth != GF_U64) {
        return gf_fail(error, GF_ERROR_INTERNAL, "%s: counts do not have %d bins", run->apply->kernel->name,
                       (int)args->bins);
    }
    return GF_OK;
}

static gf_status otsu(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *out = &run->out_values[0];
    const float *range = run->in[1].data;
    float *level = run->out[0].data;
    struct gf_solve_args args;

    GF_TRY(take_args(run, &args, error));
    memset(level, 0, (size_t)(out->channels * out->width) * sizeof *level);
    for (int32_t c = 0; c < out->channels; c++) {
        if (args.mask >> c & 1) {
            const uint64_t *counts = (const uint64_t *)run->in[0].data + c * run->in_values[0].width;
            int32_t bin = otsu_bin(counts, args.bins);
            level[c * out->width] =
                range ? gf_bin_middle(range[2 * c], range[2 * c + 1], bin, args.bins) : (float)bin;
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
        cdf += gf_count_at(counts, i, bins);
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

static gf_status equalize(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *out = &run->out_values[0];
    const float *range = run->in[1].data;
    size_t row_bytes = (size_t)out->width * gf_depth_size(out->depth);
    struct gf_solve_args args;

    GF_TRY(take_args(run, &args, error));
    memset(run->out[0].data, 0, (size_t)out->channels * row_bytes);
    for (int32_t c = 0; c < out->channels; c++) {
        if (!(args.mask >> c & 1)) {
            continue;
        }
        const uint64_t *counts = (const uint64_t *)run->in[0].data + c * run->in_values[0].width;
        struct equalizer e = {0, 0, args.white, range ? range[2 * c] : 0.0F, out->depth};
        for (int32_t i = 0; i < args.bins; i++) {
            const uint64_t count = gf_count_at(counts, i, args.bins);
            e.n += count;
            e.first = e.first > 0 || GF_FAULT(equalize_cdf_min) ? e.first : count;
        }
        equalize_row(&e, counts, args.bins, (char *)run->out[0].data + (size_t)c * row_bytes);
    }
    return GF_OK;
}

const struct gf_kernel gf_kernel_otsu = {
    .name = "otsu",
    .kind = GF_KERNEL_SOLVE,
    .words = "block to block, on the device",
    .apply = {.cpu = otsu, .cuda = gf_otsu_cuda, .light = true},
    .judge = gf_judge_otsu,
};

const struct gf_kernel gf_kernel_equalize = {
    .name = "equalize",
    .kind = GF_KERNEL_SOLVE,
    .words = "block to block, on the device",
    .apply = {.cpu = equalize, .cuda = gf_equalize_cuda, .light = true},
    .judge = gf_judge_equalize,
};
