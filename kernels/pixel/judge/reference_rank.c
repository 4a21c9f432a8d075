/* The judge's ranks: each neighbourhood is gathered; the least of its samples is found that has enough up to
 * it. */
#include "pixel/judge/reference_parts.h"
#include "pixel/window/rank/rank.h"

#include <stdlib.h>

/* Returns what would be at `index` if they were sorted. */
static uint32_t key_at(const uint32_t *keys, int64_t n, int64_t index)
{
    uint32_t least = 0, greatest = UINT32_MAX;
    while (least < greatest) {
        const uint32_t middle = least + (greatest - least) / 2;
        int64_t up_to = 0;
        for (int64_t i = 0; i < n; i++) {
            up_to += keys[i] <= middle;
        }
        if (up_to > index) {
            greatest = middle;
        } else {
            least = middle + 1;
        }
    }
    return least;
}

gf_status gf_judge_rank(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    struct gf_judge_plane p = gf_judge_input(judge, op);
    const struct gf_rank_args args = gf_rank_args_of(&op->u.window);
    uint32_t *found = malloc((size_t)args.n * sizeof *found);
    GF_TRY(gf_need_memory(found != NULL, error));
    for (p.channel = 0; p.channel < p.value.channels; p.channel++) {
        for (int64_t i = 0; i < p.value.width * p.value.height; i++) {
            const int64_t x = i % p.value.width, y = i / p.value.width;
            int64_t n = 0;
            for (int64_t v = y - args.radius_y; v <= y + args.radius_y; v++) {
                for (int64_t u = x - args.radius_x; u <= x + args.radius_x; u++) {
                    found[n++] = gf_float_key(gf_judge_extended(&p, u, v));
                }
            }
            gf_judge_store(judge->data[op->out], p.value.depth, i * p.value.channels + p.channel,
                           gf_key_float(key_at(found, n, args.index)));
        }
    }
    free(found);
    return GF_OK;
}
