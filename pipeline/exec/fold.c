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

void gf_fold_blocks(const gf_plan *plan, void *const *part, int64_t first, void **whole)
{
    const struct gf_op_list *list = &plan->lowered.list;
    for (int32_t v = 0; v < list->n_values && first == 0; v++) {
        if (whole[v]) {
            memcpy(whole[v], part[v], gf_block_size(&list->values[v]));
        }
    }
    for (int32_t s = 0; s < plan->steps.n && first > 0; s++) {
        const struct gf_pass *pass = plan->steps.step[s].u.pass;
        for (int32_t i = 0; i < pass->n_taps; i++) {
            int32_t v = pass->taps[i].out;
            if (whole[v] && pass->taps[i].kind == GF_TAP_HIST) {
                fold_counts(&list->values[v], part[v], whole[v]);
            } else if (whole[v]) {
                fold_stats(&list->values[v], part[v], first * pass->width, whole[v]);
            }
        }
    }
}
