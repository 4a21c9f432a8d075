#include "exec/fold.h"

#include <string.h>

static void fold_counts(const struct gf_value *block, const uint64_t *part, uint64_t *whole)
{
    for (int64_t i = 0; i < block->channels * block->width; i++) {
        whole[i] += part[i];
    }
}

/* Of integers: sums are exact. Of equal extremes the first stays. */
static void fold_stats(const struct gf_value *block, const struct gf_stats_block *part, int64_t offset,
                       struct gf_stats_block *whole)
{
    for (int32_t c = 0; c < block->channels; c++) {
        struct gf_stats_block *all = &whole[c];
        if (part[c].count == 0) {
            continue;
        }
        if (all->count == 0 || part[c].least < all->least) {
            all->least = part[c].least;
            all->at_least = part[c].at_least + offset;
        }
        if (all->count == 0 || part[c].greatest > all->greatest) {
            all->greatest = part[c].greatest;
            all->at_greatest = part[c].at_greatest + offset;
        }
        all->count += part[c].count;
        all->sum_u += part[c].sum_u;
        all->square_u += part[c].square_u;
    }
}

static void fold_tap(const struct gf_value *block, const struct gf_tap *tap, const void *part, int64_t offset,
                     void *whole)
{
    if (offset == 0) {
        memcpy(whole, part, gf_block_size(block));
    } else if (tap->kind == GF_TAP_HIST) {
        fold_counts(block, part, whole);
    } else {
        fold_stats(block, part, offset, whole);
    }
}

void gf_fold_blocks(const gf_plan *plan, int32_t sweep, void *const *part, int64_t first, void **whole)
{
    for (int32_t s = 0; s < plan->steps.n; s++) {
        const struct gf_step *step = &plan->steps.step[s];
        bool measured = step->kind == GF_STEP_PASS && step->sweep == sweep;
        for (int32_t i = 0; measured && i < step->u.pass->n_taps; i++) {
            const struct gf_tap *tap = &step->u.pass->taps[i];
            fold_tap(&plan->lowered.list.values[tap->out], tap, part[tap->out], first * step->u.pass->width,
                     whole[tap->out]);
        }
    }
}
