/* Percentiles of counts, on the CPU. */
#include "pixel/percentile.h"

#include "base/status.h"

#include <string.h>

/* Infinite samples lie outside the bins, and count as the last of those. */
static float percentile_of(const uint64_t *counts, int32_t bins, const float *range, double percent)
{
    const uint64_t below = counts[bins], above = counts[bins + 1];
    uint64_t inside = 0, up_to = 0;
    for (int32_t i = 0; i < bins; i++) {
        inside += counts[i];
    }
    if (inside == 0) {
        return 0.0F;
    }
    uint64_t index = gf_percentile_index(percent, below + inside + above);
    index = index < below ? 0 : index - below < inside ? index - below : inside - 1;
    for (int32_t i = 0;; i++) {
        up_to += counts[i];
        if (index < up_to) {
            return gf_percentile_sample(range, i, bins, index, inside);
        }
    }
}

static gf_status percentile(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *counts = &run->in_values[0], *out = &run->out_values[0];
    const float *range = run->in[1].data;
    float *to = run->out[0].data;
    struct gf_percentile_args args;
    gf_args_get(&run->apply->args, &args, sizeof args);
    if (args.bins < 1 || counts->width < args.bins + 3 || counts->depth != GF_U64) {
        return gf_fail(error, GF_ERROR_INTERNAL, "percentile: counts do not have %d bins", (int)args.bins);
    }
    memset(to, 0, (size_t)(out->channels * out->width) * sizeof *to);
    for (int32_t c = 0; c < out->channels; c++) {
        for (int32_t i = 0; i < 2 && args.mask >> c & 1; i++) {
            to[c * out->width + i] =
                percentile_of((const uint64_t *)run->in[0].data + c * counts->width, args.bins,
                              range ? range + (ptrdiff_t)(2 * c) : NULL, args.percent[i]);
        }
    }
    return GF_OK;
}

const struct gf_kernel gf_kernel_percentile = {
    .name = "percentile",
    .kind = GF_KERNEL_SOLVE,
    .apply_cpu = percentile,
    .light = true,
    .apply_cuda = GF_CUDA_FN(gf_percentile_cuda),
    .judge = gf_judge_percentile,
    .words = "block to block, on the device",
};
