/* clahe, as the contract has it: every tile is counted, clipped and summed up one bin after the other, every
 * pixel looks into the tables of the four tiles around it. */
#include "pixel/judge/reference_parts.h"
#include "pixel/whole/clahe/clahe.h"

#include <stdlib.h>
#include <string.h>

struct equalizer {
    struct gf_clahe_args args;
    const void *samples;
    const struct gf_value *in;
    const float *range; /* f32: {lo, hi} of the channel */
    int32_t channel, bins;
    int64_t *counts;
    float *tables; /* of the channel, by tile */
};

/* The pixel's bin, -1 for NaN. */
static int32_t bin_at(const struct equalizer *e, int64_t x, int64_t y)
{
    const float v =
        gf_judge_sample(e->samples, e->in->depth, (y * e->in->width + x) * e->in->channels + e->channel);
    if (e->in->depth != GF_F32) {
        return (int32_t)v;
    }
    if (isnan(v)) {
        return -1;
    }
    const int32_t bin = gf_judge_bin(v, e->range[0], e->range[1], e->bins);
    return bin == GF_BIN_BELOW ? 0 : bin == GF_BIN_ABOVE ? e->bins - 1 : bin;
}

/* Samples of the tile by bin; returns how many there are. */
static int64_t count_tile(const struct equalizer *e, int32_t across, int32_t down)
{
    int64_t n = 0;
    for (int32_t i = 0; i < e->bins; i++) {
        e->counts[i] = 0;
    }
    for (int64_t y = down * e->args.tile_h; y < (down + 1) * e->args.tile_h; y++) {
        for (int64_t x = across * e->args.tile_w; x < (across + 1) * e->args.tile_w; x++) {
            const int32_t bin = bin_at(e, gf_border_index(x, e->in->width, GF_BORDER_REFLECT101),
                                       gf_border_index(y, e->in->height, GF_BORDER_REFLECT101));
            if (bin >= 0) {
                e->counts[bin]++;
                n++;
            }
        }
    }
    return n;
}

/* Takes from each bin what is beyond the limit, and hands it out again. */
static void clip_tile(const struct equalizer *e, int64_t n)
{
    int64_t limit = (int64_t)(e->args.clip * (double)n / (double)e->bins), over = 0;
    limit = limit < 1 ? 1 : limit;
    for (int32_t i = 0; i < e->bins; i++) {
        if (e->counts[i] > limit) {
            over += e->counts[i] - limit;
            e->counts[i] = limit;
        }
    }
    const int64_t each = over / e->bins;
    int64_t rest = over - each * e->bins;
    for (int32_t i = 0; i < e->bins; i++) {
        e->counts[i] += each;
    }
    for (int64_t i = 0, step = rest ? e->bins / rest : 1; i < e->bins && rest > 0; i += step, rest--) {
        e->counts[i]++;
    }
}

static void make_table(const struct equalizer *e, int64_t n, float *table)
{
    const float scale = (float)gf_depth_white(e->in->depth) / (float)n;
    int64_t sum = 0;
    for (int32_t i = 0; i < e->bins; i++) {
        sum += e->counts[i];
        table[i] =
            n > 0 ? gf_judge_quantise(e->in->depth, (float)sum * scale) : (float)i / (float)(e->bins - 1);
    }
}

/* The nearer of the two tiles that lie on both sides of pixel i along an axis, first and second, and where it
 * lies between their middles. */
static float between(int64_t i, int64_t tile, int32_t tiles, int32_t *first, int32_t *second)
{
    const float at = (float)i * (1.0F / (float)tile) - 0.5F;
    const int32_t before = (int32_t)floorf(at);
    *first = before < 0 ? 0 : before;
    *second = before + 1 < tiles ? before + 1 : tiles - 1;
    return at - (float)before;
}

static float mixed(const struct equalizer *e, int64_t x, int64_t y)
{
    const int32_t bin = bin_at(e, x, y);
    int32_t left = 0, right = 0, above = 0, below = 0;
    if (bin < 0) {
        return gf_bits_float(GF_CANONICAL_NAN);
    }
    const float u = between(x, e->args.tile_w, e->args.across, &left, &right);
    const float v = between(y, e->args.tile_h, e->args.down, &above, &below);
    const float *upper = e->tables + (int64_t)above * e->args.across * e->bins + bin;
    const float *lower = e->tables + (int64_t)below * e->args.across * e->bins + bin;
    const float top = upper[(int64_t)left * e->bins] * (1.0F - u) + upper[(int64_t)right * e->bins] * u;
    const float bottom = lower[(int64_t)left * e->bins] * (1.0F - u) + lower[(int64_t)right * e->bins] * u;
    return gf_judge_quantise(e->in->depth, top * (1.0F - v) + bottom * v);
}

static void make_channel(struct equalizer *e, bool changes, void *out)
{
    for (int32_t i = 0; changes && i < e->args.across * e->args.down; i++) {
        const int64_t n = count_tile(e, i % e->args.across, i / e->args.across);
        if (e->args.clip > 0) {
            clip_tile(e, n);
        }
        make_table(e, n, e->tables + (int64_t)i * e->bins);
    }
    for (int64_t y = 0; y < e->in->height; y++) {
        for (int64_t x = 0; x < e->in->width; x++) {
            const int64_t at = (y * e->in->width + x) * e->in->channels + e->channel;
            const size_t size = gf_depth_size(e->in->depth);
            if (changes) {
                gf_judge_store(out, e->in->depth, at, mixed(e, x, y));
            } else { /* whatever NaN it is */
                memcpy((char *)out + (size_t)at * size, (const char *)e->samples + (size_t)at * size, size);
            }
        }
    }
}

gf_status gf_judge_clahe(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    struct equalizer e = {.samples = judge->data[apply->in[0]], .in = &judge->list->values[apply->in[0]]};
    gf_args_get(&apply->args, &e.args, sizeof e.args);
    e.bins = e.in->depth == GF_U8 ? 256 : 65536;
    e.counts = calloc((size_t)e.bins, sizeof *e.counts);
    e.tables = calloc((size_t)e.args.across * (size_t)e.args.down * (size_t)e.bins, sizeof *e.tables);
    for (e.channel = 0; e.counts && e.tables && e.channel < e.in->channels; e.channel++) {
        e.range =
            apply->in[1] == GF_NONE ? NULL : (const float *)judge->data[apply->in[1]] + (size_t)e.channel * 2;
        make_channel(&e, e.args.mask >> e.channel & 1, judge->data[apply->out[0]]);
    }
    const gf_status status =
        e.counts && e.tables ? GF_OK : gf_fail(error, GF_ERROR_MEMORY, "no memory for the judge's tables");
    free(e.counts);
    free(e.tables);
    return status;
}
