/* The judge of "shift": the shift by its definition, and what the judge of "warp" makes of its matrix. */
#include "pixel/judge/reference_parts.h"
#include "pixel/map/warp/shift.h"

#include <string.h>

/* Of three numbers in a row, of which the middle one is the greatest: where between them the top is. */
static double top(const float *line, int64_t n, int64_t at, int64_t step)
{
    double height[3];
    for (int i = 0; i < 3; i++) {
        const int64_t place = (at + n + i - 1) % n;
        height[i] = gf_log2_magnitude(fmaxf(line[place * step], line[at * step] * 0x1p-20F));
    }
    const double bend = (height[1] - height[0]) + (height[1] - height[2]);
    return bend > 0 ? (height[2] - height[0]) / bend / 2 : 0;
}

gf_status gf_judge_shift(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *in = &judge->list->values[apply->in[0]];
    const float *votes = judge->data[apply->in[0]];
    double *found = judge->data[apply->out[0]];
    int64_t at = -1;
    for (int64_t i = 0; i < in->width * in->height; i++) {
        at = !isnan(votes[i]) && (at < 0 || votes[i] > votes[at]) ? i : at;
    }
    if (at >= 0 && votes[at] > 0x1p-100F && !isinf(votes[at])) {
        const int64_t x = at % in->width, y = at / in->width;
        found[0] =
            (double)(x > in->width / 2 ? x - in->width : x) + top(votes + y * in->width, in->width, x, 1);
        found[1] =
            (double)(y > in->height / 2 ? y - in->height : y) + top(votes + x, in->height, y, in->width);
        found[2] = votes[at];
    }
    struct gf_warp_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    const double m[9] = {1, 0, -found[0], 0, 1, -found[1], 0, 0, 1};
    memcpy(args.m, m, sizeof m);
    struct gf_op warp = *op;
    warp.u.apply.in[0] = apply->in[2];
    warp.u.apply.out[0] = apply->out[1];
    warp.u.apply.args = gf_args_of(&args, sizeof args);
    return gf_judge_warp(judge, &warp, error);
}
