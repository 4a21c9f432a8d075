/* integral, as the contract has it. */
#include "pixel/judge/reference_parts.h"
#include "pixel/whole/integral/integral.h"

/* p of the sample in column x of a cell: what is left of its group, by a scan of the groups' sums, and those
 * of its group up to it. v: the cell's samples in this row, 0 beyond the picture. */
static double row_sum(const double v[GF_CELL_W], int x)
{
    double sums[GF_INTEGRAL_GROUPS], own = 0;
    for (int i = 0; i < GF_INTEGRAL_GROUPS; i++) {
        double sum = v[GF_INTEGRAL_GROUP * i];
        own = GF_INTEGRAL_GROUP * i == x ? sum : own;
        for (int k = 1; k < GF_INTEGRAL_GROUP; k++) {
            sum += v[GF_INTEGRAL_GROUP * i + k];
            own = GF_INTEGRAL_GROUP * i + k == x ? sum : own;
        }
        sums[i] = sum;
    }
    for (int step = 1; step < GF_INTEGRAL_GROUPS; step *= 2) {
        for (int i = GF_INTEGRAL_GROUPS - 1; i >= step; i--) {
            sums[i] = sums[i - step] + sums[i];
        }
    }
    return (x < GF_INTEGRAL_GROUP ? 0 : sums[x / GF_INTEGRAL_GROUP - 1]) + own;
}

/* A cell of a channel, to `out`; g: of its rows, moved on to the cell to the right. */
static void sum_cell(const void *in, const struct gf_value *value, int64_t left, int64_t top, int32_t channel,
                     double g[GF_CELL_H], double *out)
{
    double c[GF_CELL_W] = {0};
    const int64_t w = value->width, n = value->channels;
    const int64_t columns = w - left < GF_CELL_W ? w - left : GF_CELL_W;
    for (int64_t r = 0; r < GF_CELL_H && top + r < value->height; r++) {
        double v[GF_CELL_W] = {0};
        for (int64_t x = 0; x < columns; x++) {
            v[x] = (double)gf_judge_sample(in, value->depth, ((top + r) * w + left + x) * n + channel);
        }
        for (int64_t x = 0; x < columns; x++) {
            const double p = row_sum(v, (int)x);
            const double a = top ? out[((top - 1) * w + left + x) * n + channel] : 0;
            c[x] = r ? c[x] + p : p;
            out[((top + r) * w + left + x) * n + channel] = a + (g[r] + c[x]);
        }
        g[r] = g[r] + c[columns - 1];
    }
}

static void sum_integers(const void *in, const struct gf_value *value, int32_t channel, uint64_t *out)
{
    const int64_t w = value->width, n = value->channels;
    for (int64_t y = 0; y < value->height; y++) {
        uint64_t row = 0;
        for (int64_t x = 0; x < w; x++) {
            const int64_t at = (y * w + x) * n + channel;
            row += (uint64_t)gf_judge_sample(in, value->depth, at);
            out[at] = row + (y ? out[at - w * n] : 0);
        }
    }
}

gf_status gf_judge_integral(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *value = &judge->list->values[apply->in[0]];
    const void *in = judge->data[apply->in[0]];
    double *out = judge->data[apply->out[0]];
    (void)error;
    for (int32_t c = 0; c < value->channels; c++) {
        if (value->depth != GF_F32) {
            sum_integers(in, value, c, judge->data[apply->out[0]]);
            continue;
        }
        for (int64_t top = 0; top < value->height; top += GF_CELL_H) {
            double g[GF_CELL_H] = {0};
            for (int64_t left = 0; left < value->width; left += GF_CELL_W) {
                sum_cell(in, value, left, top, c, g, out);
            }
        }
    }
    for (int64_t i = 0; value->depth == GF_F32 && i < value->width * value->height * value->channels; i++) {
        out[i] = out[i] == out[i] ? out[i] : gf_bits_double(UINT64_C(0x7ff8000000000000));
    }
    return GF_OK;
}
