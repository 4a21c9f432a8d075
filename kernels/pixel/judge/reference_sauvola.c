/* The judge's levels by mean and spread: every sum from its definition. */
#include "pixel/judge/reference_parts.h"
#include "pixel/window/sauvola/sauvola.h"

struct sums {
    double of_v, of_squares; /* f32 */
    uint64_t exact, exact_squares;
};

/* The sums of the window around (x, y): for f32 each row's first. */
static struct sums sums_at(const struct gf_judge_plane *p, const struct gf_sauvola_args *args, int64_t x,
                           int64_t y)
{
    struct sums all = {0, 0, 0, 0};
    for (int64_t v = y - args->radius_y; v <= y + args->radius_y; v++) {
        struct sums row = {0, 0, 0, 0};
        for (int64_t u = x - args->radius_x; u <= x + args->radius_x; u++) {
            const float sample = gf_judge_extended(p, u, v);
            row.of_v += sample;
            row.of_squares += (double)sample * sample;
            if (p->value.depth != GF_F32) {
                all.exact += (uint64_t)sample;
                all.exact_squares += (uint64_t)sample * (uint64_t)sample;
            }
        }
        all.of_v += row.of_v;
        all.of_squares += row.of_squares;
    }
    return all;
}

static float level_at(const struct gf_judge_plane *p, const struct gf_sauvola_args *args, int64_t x,
                      int64_t y)
{
    const gf_depth depth = p->value.depth;
    const struct sums s = sums_at(p, args, x, y);
    const double n = (2.0 * args->radius_x + 1) * (2.0 * args->radius_y + 1);
    const double mean = (depth == GF_F32 ? s.of_v : (double)s.exact) / n;
    const double square = (depth == GF_F32 ? s.of_squares : (double)s.exact_squares) / n;
    double variance = square - mean * mean;
    if (!(variance > 0)) {
        variance = 0;
    }
    const double level = mean * (1.0 + args->k * (sqrt(variance) / args->range - 1.0));
    const double white = depth == GF_U8 ? 255 : 65535;
    return depth == GF_F32 ? (float)level : (float)floor(level > white ? white : level);
}

gf_status gf_judge_sauvola(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    struct gf_judge_plane p = gf_judge_input(judge, op);
    const struct gf_sauvola_args args = gf_sauvola_args_of(&op->u.window);
    (void)error;
    for (p.channel = 0; p.channel < p.value.channels; p.channel++) {
        for (int64_t i = 0; i < p.value.width * p.value.height; i++) {
            gf_judge_store(judge->data[op->out], p.value.depth, i * p.value.channels + p.channel,
                           level_at(&p, &args, i % p.value.width, i / p.value.width));
        }
    }
    return GF_OK;
}
