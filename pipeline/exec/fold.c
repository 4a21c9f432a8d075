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

void gf_fold_blocks(const struct gf_band_view *view, void *const *part, void *const *whole)
{
    for (int32_t s = 0; s < view->steps.n; s++) {
        const struct gf_step *step = &view->steps.step[s];
        bool measured = step->kind == GF_STEP_PASS && !gf_view_skips(&view->view, s);
        for (int32_t i = 0; measured && i < step->u.pass->n_taps; i++) {
            const struct gf_tap *tap = &step->u.pass->taps[i];
            const struct gf_value *block = &view->plan->lowered.list.values[tap->out];
            if (tap->kind == GF_TAP_HIST) {
                fold_counts(block, part[tap->out], whole[tap->out]);
            } else {
                fold_stats(block, part[tap->out], view->runs[s].first * step->u.pass->width, whole[tap->out]);
            }
        }
    }
}

void gf_fold_clear(const struct gf_band_view *view, void *const *whole)
{
    for (int32_t s = 0; s < view->steps.n; s++) {
        const struct gf_step *step = &view->steps.step[s];
        for (int32_t i = 0; step->kind == GF_STEP_PASS && i < step->u.pass->n_taps; i++) {
            int32_t block = step->u.pass->taps[i].out;
            memset(whole[block], 0, gf_block_size(&view->plan->lowered.list.values[block]));
        }
    }
}
