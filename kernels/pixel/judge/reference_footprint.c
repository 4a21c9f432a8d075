/* The judge's least and greatest samples of a footprint: every sample of every run is looked at. */
#include "pixel/judge/reference_parts.h"
#include "pixel/window/morphology/footprint.h"

gf_status gf_judge_footprint(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    struct gf_judge_plane p = gf_judge_input(judge, op);
    const int16_t *runs = judge->data[op->blocks[op->u.window.blocks[0]]];
    const struct gf_footprint_args args = gf_footprint_args_of(&op->u.window);
    (void)error;
    for (p.channel = 0; p.channel < p.value.channels; p.channel++) {
        for (int64_t i = 0; i < p.value.width * p.value.height; i++) {
            const int64_t x = i % p.value.width, y = i / p.value.width;
            float found = gf_judge_extended(&p, x + runs[GF_RUN_FROM], y + runs[GF_RUN_ROW]);
            for (int32_t k = 0; k < args.runs; k++) {
                const int16_t *run = runs + (ptrdiff_t)k * GF_RUN_NUMBERS;
                for (int64_t u = x + run[GF_RUN_FROM]; u <= x + run[GF_RUN_TO]; u++) {
                    const float other = gf_judge_extended(&p, u, y + run[GF_RUN_ROW]);
                    found = args.invert ? gf_max_ordered(found, other) : gf_min_ordered(found, other);
                }
            }
            gf_judge_store(judge->data[op->out], p.value.depth, i * p.value.channels + p.channel, found);
        }
    }
    return GF_OK;
}
