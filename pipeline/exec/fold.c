#include "exec/fold.h"

#include "pixel/ir/kernel_table.h"

#include <string.h>

void gf_fold_blocks(const struct gf_band_view *view, void *const *part, void *const *whole)
{
    for (int32_t s = 0; s < view->steps.n; s++) {
        const struct gf_step *step = &view->steps.step[s];
        bool measured =
            step->kind == GF_STEP_PASS && !gf_view_skips(&view->view, s) && gf_pass_measures(step->u.pass);
        for (int32_t i = 0; measured && i < step->u.pass->n_taps; i++) {
            const struct gf_tap *tap = &step->u.pass->taps[i];
            const struct gf_value *block = &view->plan->lowered.list.values[tap->out];
            if (gf_tap_continues(step->u.pass, tap)) {
                memcpy(whole[tap->out], part[tap->out], gf_block_size(block));
                continue;
            }
            tap->kernel->tap.fold(block, part[tap->out], view->runs[s].first * step->u.pass->width,
                                  whole[tap->out]);
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
