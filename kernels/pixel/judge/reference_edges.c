/* The judge's edges: every pixel works out the gradients around it anew. */
#include "pixel/judge/reference_parts.h"
#include "pixel/window/edges/edges.h"

#include <stdlib.h>

struct slope {
    double x, y, square;
};

/* A channel's gradient at a pixel of the picture. Sums are made in f32: exact of u8 and u16. */
static struct slope slope_of_channel(const struct gf_judge_plane *p, int64_t x, int64_t y)
{
    float across[3], smooth[3];
    for (int64_t i = 0; i < 3; i++) {
        float left = gf_judge_extended(p, x - 1, y + i - 1), middle = gf_judge_extended(p, x, y + i - 1);
        float right = gf_judge_extended(p, x + 1, y + i - 1);
        across[i] = right - left;
        smooth[i] = (left + right) + 2.0F * middle;
    }
    struct slope s = {.x = (across[0] + across[2]) + 2.0F * across[1], .y = smooth[2] - smooth[0]};
    s.square = s.x * s.x + s.y * s.y;
    return s;
}

/* The strongest of the channels; nothing outside the picture, and where it is NaN. */
static struct slope slope_at(struct gf_judge_plane p, uint32_t mask, int64_t x, int64_t y)
{
    struct slope strongest = {0, 0, 0};
    if (x < 0 || y < 0 || x >= p.value.width || y >= p.value.height) {
        return strongest;
    }
    for (p.channel = 0; p.channel < p.value.channels; p.channel++) {
        struct slope s = slope_of_channel(&p, x, y);
        if ((mask >> p.channel & 1) && s.square > strongest.square) {
            strongest = s;
        }
    }
    return strongest;
}

/* Is the pixel stronger than the two beside it in the direction of its gradient? */
static bool is_ridge(const struct gf_judge_plane *p, uint32_t mask, int64_t x, int64_t y,
                     const struct slope *s)
{
    double ax = fabs(s->x), ay = fabs(s->y) * GF_EDGES_ONE;
    if (ay < ax * GF_EDGES_TANGENT) {
        return s->square > slope_at(*p, mask, x - 1, y).square &&
               s->square >= slope_at(*p, mask, x + 1, y).square;
    }
    if (ay > ax * (GF_EDGES_TANGENT + 2 * GF_EDGES_ONE)) {
        return s->square > slope_at(*p, mask, x, y - 1).square &&
               s->square >= slope_at(*p, mask, x, y + 1).square;
    }
    int64_t side = (s->x < 0) != (s->y < 0) ? -1 : 1;
    return s->square > slope_at(*p, mask, x - side, y - 1).square &&
           s->square > slope_at(*p, mask, x + side, y + 1).square;
}

gf_status gf_judge_edges(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_judge_plane p = gf_judge_input(judge, op);
    const struct gf_edges_args args = gf_edges_args_of(&op->u.window);
    uint8_t *out = judge->data[op->out];
    (void)error;
    for (int64_t i = 0; i < p.value.width * p.value.height; i++) {
        const int64_t x = i % p.value.width, y = i / p.value.width;
        const struct slope s = slope_at(p, args.mask, x, y);
        out[i] = GF_EDGE_NONE;
        if (s.square > args.low && is_ridge(&p, args.mask, x, y, &s)) {
            out[i] = s.square > args.high ? GF_EDGE_STRONG : GF_EDGE_WEAK;
        }
    }
    return GF_OK;
}

/* Follows edges from each strong one to all that it reaches: `todo` holds what was reached but not left. */
gf_status gf_judge_hysteresis(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *in = &judge->list->values[apply->in[0]];
    const struct gf_value *out = &judge->list->values[apply->out[0]];
    const uint8_t *edges = judge->data[apply->in[0]];
    const int64_t n = in->width * in->height;
    int64_t *todo = calloc((size_t)n, sizeof *todo), waiting = 0;
    bool *reached = calloc((size_t)n, sizeof *reached);
    for (int64_t i = 0; todo && reached && i < n; i++) {
        if (edges[i] == GF_EDGE_STRONG) {
            reached[i] = true;
            todo[waiting++] = i;
        }
    }
    while (waiting > 0) {
        const int64_t from = todo[--waiting];
        gf_judge_store(judge->data[apply->out[0]], out->depth, from, (float)gf_depth_white(out->depth));
        for (int64_t k = 0; k < 9; k++) {
            const int64_t x = from % in->width + k % 3 - 1, y = from / in->width + k / 3 - 1;
            const int64_t to = y * in->width + x;
            if (x >= 0 && y >= 0 && x < in->width && y < in->height && edges[to] && !reached[to]) {
                reached[to] = true;
                todo[waiting++] = to;
            }
        }
    }
    gf_status status = gf_need_memory(todo && reached, error);
    free(todo);
    free(reached);
    return status;
}
