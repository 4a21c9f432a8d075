/* Samples of given ranks, of counts, on the CPU. */
#include "pixel/solve/percentile.h"

#include "base/status.h"

#include <string.h>

/* What the solve knows of a channel. */
struct ranks {
    const struct gf_percentile_args *args;
    const uint64_t *counts;
    const double *percents;
    const struct gf_pick *before; /* NULL: this is the first digit, or counts by value */
    int32_t n;
};

/* Returns where rank i is, with the digit, or the value, that was counted. */
static struct gf_pick pick_at(const struct ranks *r, int32_t i)
{
    const uint64_t *counts = r->counts;
    struct gf_pick pick;
    if (r->before) {
        pick = r->before[i];
        const int32_t slot = gf_digit_slot((uint32_t)pick.key, r->before, r->n, r->args->shift);
        counts += (size_t)slot * GF_DIGIT_BINS;
    } else {
        uint64_t all = 0;
        for (int32_t k = 0; k < r->args->bins; k++) {
            all += counts[k];
        }
        pick = gf_percentile_first(r->args, counts, r->percents[i], all);
    }
    for (int32_t k = 0; k < r->args->bins; k++) {
        if (pick.rest < counts[k]) {
            pick.key |= gf_percentile_digit(r->args, k);
            break;
        }
        pick.rest -= counts[k];
    }
    return pick;
}

static gf_status percentile(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *counts = &run->in_values[0], *out = &run->out_values[0];
    const size_t row_size = (size_t)out->width * gf_depth_size(out->depth);
    struct gf_percentile_args args;
    gf_args_get(&run->apply->args, &args, sizeof args);
    struct ranks r = {.args = &args, .percents = run->in[1].data, .n = (int32_t)run->in_values[1].width};
    const bool later = args.shift >= 0 && args.shift < GF_DIGIT_FIRST;
    if (args.bins < 1 || counts->width < (later ? r.n : 1) * (int64_t)args.bins + 3 ||
        counts->depth != GF_U64) {
        return gf_fail(error, GF_ERROR_INTERNAL, "percentile: counts do not have %d bins", (int)args.bins);
    }
    memset(run->out[0].data, 0, (size_t)out->channels * row_size);
    for (int32_t c = 0; c < out->channels; c++) {
        char *to = (char *)run->out[0].data + (size_t)c * row_size;
        struct gf_pick ends[2] = {{0, 0}, {0, 0}};
        r.counts = (const uint64_t *)run->in[0].data + c * counts->width;
        r.before = later ? (const struct gf_pick *)run->in[2].data + (ptrdiff_t)c * r.n : NULL;
        for (int32_t i = 0; i < r.n && args.mask >> c & 1; i++) {
            const struct gf_pick pick = pick_at(&r, i);
            if (args.makes == GF_PERCENTILE_PICK) {
                ((struct gf_pick *)to)[i] = pick;
            } else if (args.makes == GF_PERCENTILE_LEVEL) {
                ((float *)to)[i] = gf_percentile_level(&args, &pick);
            } else {
                ends[i] = pick;
            }
        }
        if (args.makes == GF_PERCENTILE_RANGE && args.mask >> c & 1) {
            gf_percentile_range(ends, (const float *)run->in[2].data + (ptrdiff_t)(2 * c), (float *)to);
        }
    }
    return GF_OK;
}

const struct gf_kernel gf_kernel_percentile = {
    .name = "percentile",
    .kind = GF_KERNEL_SOLVE,
    .words = "block to block, on the device",
    .apply = {.cpu = percentile, .cuda = gf_percentile_cuda, .light = true},
    .judge = gf_judge_percentile,
};
