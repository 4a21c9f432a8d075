/* distance, as the contract has it: the best of all rows, nearest rows first, each by its sites to the left
 * and to the right. */
#include "pixel/judge/reference_parts.h"
#include "pixel/whole/distance/distance.h"

#include <stdlib.h>

struct search {
    const struct gf_value *in;
    struct gf_distance_args args;
    int64_t *left, *right; /* of each pixel: column of the nearest site of its row on that side, or -1 */
};

struct best {
    uint64_t cost; /* GF_DISTANCE_NONE: no site yet */
    uint64_t site; /* y * width + x */
};

static bool find_sites(const struct search *s, const void *samples)
{
    bool any = false;
    for (int64_t y = 0; y < s->in->height; y++) {
        int64_t row = y * s->in->width, last = -1;
        for (int64_t x = 0; x < s->in->width; x++) {
            float v = gf_judge_sample(samples, s->in->depth, (row + x) * s->in->channels);
            last = v < 0 || v > 0 ? last : x;
            s->left[row + x] = last;
        }
        any = any || last >= 0;
        last = -1;
        for (int64_t x = s->in->width - 1; x >= 0; x--) {
            last = s->left[row + x] == x ? x : last;
            s->right[row + x] = last;
        }
    }
    return any;
}

static uint64_t cost_of(const struct search *s, int64_t dx, int64_t dy)
{
    uint64_t across = (uint64_t)llabs(dx), down = (uint64_t)llabs(dy);
    switch (s->args.metric) {
    case GF_DISTANCE_L1:
        return across + down;
    case GF_DISTANCE_CHESSBOARD:
        return across > down ? across : down;
    default:
        return across * across + down * down;
    }
}

static void try_site(const struct search *s, int64_t x, int64_t y, int64_t sx, int64_t sy, struct best *best)
{
    if (sx < 0) {
        return;
    }
    struct best other = {cost_of(s, sx - x, sy - y), (uint64_t)(sy * s->in->width + sx)};
    if (other.cost < best->cost || (other.cost == best->cost && other.site < best->site)) {
        *best = other;
    }
}

/* On the chessboard all sites of a row no further away than the best are as near: takes the first. */
static struct best first_of_square(const struct search *s, int64_t x, int64_t y, struct best best)
{
    int64_t w = s->in->width, h = s->in->height, d = (int64_t)best.cost;
    for (int64_t sy = y > d ? y - d : 0; sy <= y + d && sy < h; sy++) {
        int64_t sx = s->right[sy * w + (x > d ? x - d : 0)];
        if (sx >= 0 && sx <= x + d) {
            best.site = (uint64_t)(sy * w + sx);
            break;
        }
    }
    return best;
}

static struct best search(const struct search *s, int64_t x, int64_t y)
{
    int64_t w = s->in->width, h = s->in->height;
    struct best best = {GF_DISTANCE_NONE, 0};
    for (int64_t dy = 0; dy < h && cost_of(s, 0, dy) <= best.cost; dy++) {
        for (int64_t sy = y - dy; sy <= y + dy; sy += dy ? 2 * dy : 1) {
            if (sy >= 0 && sy < h) {
                try_site(s, x, y, s->left[sy * w + x], sy, &best);
                try_site(s, x, y, s->right[sy * w + x], sy, &best);
            }
        }
    }
    return s->args.metric == GF_DISTANCE_CHESSBOARD ? first_of_square(s, x, y, best) : best;
}

static void store(const struct search *s, void *out, int64_t pixel, struct best best)
{
    bool none = best.cost == GF_DISTANCE_NONE;
    if (s->args.nearest) {
        ((uint32_t *)out)[pixel] = none ? UINT32_MAX : (uint32_t)best.site;
    } else if (s->args.metric == GF_DISTANCE_SQUARED) {
        ((uint64_t *)out)[pixel] = best.cost;
    } else if (s->args.metric == GF_DISTANCE_L2) {
        ((float *)out)[pixel] = none ? INFINITY : gf_distance_root(best.cost);
    } else {
        ((float *)out)[pixel] = none ? INFINITY : (float)best.cost;
    }
}

gf_status gf_judge_distance(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    struct search s = {.in = &judge->list->values[apply->in[0]]};
    int64_t n = s.in->width * s.in->height;
    gf_args_get(&apply->args, &s.args, sizeof s.args);
    s.left = malloc((size_t)n * sizeof *s.left);
    s.right = malloc((size_t)n * sizeof *s.right);
    if (s.left && s.right) {
        bool any = find_sites(&s, judge->data[apply->in[0]]);
        for (int64_t i = 0; i < n; i++) {
            const struct best none = {GF_DISTANCE_NONE, 0};
            store(&s, judge->data[apply->out[0]], i,
                  any ? search(&s, i % s.in->width, i / s.in->width) : none);
        }
    }
    gf_status status = gf_need_memory(s.left && s.right, error);
    free(s.left);
    free(s.right);
    return status;
}
