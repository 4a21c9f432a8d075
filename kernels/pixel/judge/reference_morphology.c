/* The judge's least and greatest samples: every sample of every window is looked at. */
#include "pixel/judge/reference_parts.h"
#include "pixel/window/morphology/morphology.h"

gf_status gf_judge_morphology(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    struct gf_judge_plane p = gf_judge_input(judge, op);
    const struct gf_morphology_args args = gf_morphology_args_of(&op->u.window);
    (void)error;
    for (p.channel = 0; p.channel < p.value.channels; p.channel++) {
        for (int64_t i = 0; i < p.value.width * p.value.height; i++) {
            const int64_t x = i % p.value.width, y = i / p.value.width;
            float found = gf_judge_extended(&p, x, y);
            for (int64_t v = y - args.up; v <= y + args.down; v++) {
                for (int64_t u = x - args.left; u <= x + args.right; u++) {
                    const float other = gf_judge_extended(&p, u, v);
                    found = args.invert ? gf_max_ordered(found, other) : gf_min_ordered(found, other);
                }
            }
            gf_judge_store(judge->data[op->out], p.value.depth, i * p.value.channels + p.channel, found);
        }
    }
    return GF_OK;
}
