/* The judge's factors of colours: see balance.h for what they are. */
#include "pixel/judge/reference_parts.h"
#include "pixel/solve/balance.h"

static double mean_of(const struct gf_stats_block *s, gf_depth depth)
{
    if (s->count == 0) {
        return 0;
    }
    return (depth == GF_F32 ? s->sum_f : (double)s->sum_u) / (double)s->count;
}

gf_status gf_judge_balance(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *in = &judge->list->values[apply->in[0]];
    const struct gf_stats_block *stats = judge->data[apply->in[0]];
    const float *levels = judge->data[apply->in[0]];
    float *out = judge->data[apply->out[0]];
    struct gf_balance_args args;
    (void)error;
    gf_args_get(&apply->args, &args, sizeof args);
    const gf_depth depth = args.white > 1 ? GF_U8 : GF_F32; /* of u16, too, sums are integers */
    double sum = 0;
    for (int32_t c = 0; c < in->channels && args.by_gray; c++) {
        sum += args.mask >> c & 1 ? mean_of(&stats[c], depth) : 0;
    }
    for (int32_t c = 0; c < in->channels; c++) {
        const double own = args.by_gray ? mean_of(&stats[c], depth) : (double)levels[c];
        const double wanted = args.by_gray ? sum / __builtin_popcount(args.mask) : args.white;
        const float factor = (float)(wanted / own);
        const bool counts = args.mask >> c & 1 && own > 0 && isfinite(wanted / own) && isfinite(factor);
        out[c] = counts && factor > 0 ? factor : 1;
    }
    return GF_OK;
}
