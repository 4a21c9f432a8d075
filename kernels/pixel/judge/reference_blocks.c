/* The judge's taps and solves, written out sample by sample: see reference.h. */
#include "pixel/ir/kernel_table.h"
#include "pixel/judge/reference_parts.h"

#include <math.h>
#include <stdlib.h>

/* The picture, the channel and the rectangle that a tap measures. */
struct measured {
    const struct gf_tap *tap;
    const float *range; /* {lo, hi} by channel, or NULL */
    const void *data;
    struct gf_value value;
    struct gf_rect roi;
    int32_t channel;
};

/* Sample of pixel (x, y); false outside the picture and the rectangle. */
static bool sample_at(const struct measured *m, int64_t x, int64_t y, float *v)
{
    if (x >= m->value.width || y >= m->value.height || !gf_judge_inside(m->roi, x, y)) {
        return false;
    }
    *v = gf_judge_sample(m->data, m->value.depth, (y * m->value.width + x) * m->value.channels + m->channel);
    return true;
}

/* The bin of a tap that counts by a digit of keys (digit.h): the first 11 bits, or the next 11 or last 10 of
 * samples with the same bits before them as one of the picks. */
static int32_t digit_of(const struct measured *m, float v)
{
    const int32_t shift = (int32_t)m->tap->lo, picks = m->tap->bins / 2048;
    const uint64_t *keys = (const void *)m->range;
    const uint64_t key = gf_float_key(v);
    if (isnan(v)) {
        return GF_BIN_NAN;
    }
    for (int32_t i = 0; keys && i < picks; i++) {
        const uint64_t pick = keys[2 * (m->channel * picks + i)];
        if (shift == 10 && key >> 21 == pick >> 21) {
            return 2048 * i + (int32_t)(key >> 10 & 2047);
        }
        if (shift == 0 && key >> 10 == pick >> 10) {
            return 2048 * i + (int32_t)(key & 1023);
        }
    }
    return keys ? GF_BIN_NAN : (int32_t)(key >> 21);
}

static gf_status histogram(const struct measured *m, void *block, gf_error *error)
{
    const struct gf_tap *tap = m->tap;
    uint64_t *row = block;
    const bool ranged = m->range && tap->hi >= tap->lo;
    float lo = ranged ? m->range[2 * m->channel] : tap->lo;
    float hi = ranged ? m->range[2 * m->channel + 1] : tap->hi;
    float v = 0.0F;

    for (int64_t y = 0; y < m->value.height; y++) {
        for (int64_t x = 0; x < m->value.width; x++) {
            if (!sample_at(m, x, y, &v)) {
                continue;
            }
            int32_t bin = (int32_t)(m->value.depth == GF_F32 ? 0.0F : v);
            if (m->value.depth == GF_F32) {
                bin = hi < lo ? digit_of(m, v) : gf_judge_bin(v, lo, hi, tap->bins);
            }
            if (bin == GF_BIN_BELOW) {
                bin = tap->bins;
            } else if (bin == GF_BIN_ABOVE) {
                bin = tap->bins + 1;
            } else if (bin == GF_BIN_NAN) {
                bin = tap->bins + 2;
            }
            row[bin]++;
        }
    }
    (void)error;
    return GF_OK;
}

static gf_status finite_range(const struct measured *m, void *block, gf_error *error)
{
    float *row = block;
    bool any = false;
    float v = 0.0F;

    for (int64_t y = 0; y < m->value.height; y++) {
        for (int64_t x = 0; x < m->value.width; x++) {
            if (sample_at(m, x, y, &v) && isfinite(v)) {
                row[0] = any ? gf_min_ordered(row[0], v) : v;
                row[1] = any ? gf_max_ordered(row[1], v) : v;
                any = true;
            }
        }
    }
    (void)error;
    return GF_OK;
}

/* Sum of v, or of v * v, over the cell whose first pixel is (x0, y0). */
static double cell_sum(const struct measured *m, int64_t x0, int64_t y0, bool squares)
{
    double column[GF_CELL_W] = {0.0};
    float v = 0.0F;

    for (int64_t j = 0; j < GF_CELL_W; j++) {
        for (int64_t i = 0; i < GF_CELL_H; i++) {
            if (sample_at(m, x0 + j, y0 + i, &v) && !isnan(v)) {
                column[j] += squares ? (double)v * (double)v : (double)v;
            }
        }
    }
    for (int64_t half = GF_CELL_W / 2; half > 0; half /= 2) {
        for (int64_t j = 0; j < half; j++) {
            column[j] += column[j + half];
        }
    }
    return column[0];
}

/* Sum over the picture: its cells in raster order, folded in pairs, level by level. */
static gf_status tree_sum(const struct measured *m, bool squares, double *sum, gf_error *error)
{
    int64_t across = (m->value.width + GF_CELL_W - 1) / GF_CELL_W;
    int64_t n = across * ((m->value.height + GF_CELL_H - 1) / GF_CELL_H);
    double *cells = calloc((size_t)n, sizeof *cells);

    if (!cells) {
        return gf_fail(error, GF_ERROR_MEMORY, "no memory for %lld sums", (long long)n);
    }
    for (int64_t i = 0; i < n; i++) {
        cells[i] = cell_sum(m, i % across * GF_CELL_W, i / across * GF_CELL_H, squares);
    }
    for (; n > 1; n = (n + 1) / 2) {
        for (int64_t i = 0; i < (n + 1) / 2; i++) {
            cells[i] = 2 * i + 1 < n ? cells[2 * i] + cells[2 * i + 1] : cells[2 * i];
        }
    }
    *sum = cells[0] == cells[0] ? cells[0] : gf_bits_double(0x7ff8000000000000U); /* inf - inf: one NaN */
    free(cells);
    return GF_OK;
}

static gf_status statistics(const struct measured *m, void *block, gf_error *error)
{
    struct gf_stats_block *s = block;
    float v = 0.0F;
    float least = 0.0F;
    float greatest = 0.0F;

    s->at_least = s->at_greatest = -1;
    for (int64_t y = 0; y < m->value.height; y++) {
        for (int64_t x = 0; x < m->value.width; x++) {
            if (!sample_at(m, x, y, &v)) {
                continue;
            }
            if (isnan(v)) {
                s->nan++;
                continue;
            }
            if (s->count == 0 || gf_float_key(v) < gf_float_key(least)) {
                least = v;
                s->at_least = y * m->value.width + x;
            }
            if (s->count == 0 || gf_float_key(v) > gf_float_key(greatest)) {
                greatest = v;
                s->at_greatest = y * m->value.width + x;
            }
            s->count++;
            if (m->value.depth != GF_F32) {
                s->sum_u += (uint64_t)v;
                s->square_u += (uint64_t)v * (uint64_t)v;
            }
        }
    }
    s->least = least;
    s->greatest = greatest;
    if (m->value.depth == GF_F32) {
        GF_TRY(tree_sum(m, false, &s->sum_f, error));
        GF_TRY(tree_sum(m, true, &s->square_f, error));
    }
    return GF_OK;
}

/* Has the row of the block measured for each channel. */
static gf_status each_channel(const struct gf_judge *judge, const struct gf_op *op,
                              gf_status (*measure)(const struct measured *m, void *row, gf_error *error),
                              gf_error *error)
{
    const struct gf_tap *tap = &op->u.tap;
    const struct gf_value *out = &judge->list->values[tap->out];
    struct measured m = {.tap = tap, .data = judge->data[op->in], .value = judge->list->values[op->in]};
    m.range = tap->range == GF_NONE ? NULL : judge->data[op->blocks[tap->range]];
    m.roi = tap->roi == GF_NONE ? m.roi : op->roi;
    for (; m.channel < m.value.channels; m.channel++) {
        size_t at = (size_t)(m.channel * out->width) * gf_depth_size(out->depth);
        if (tap->mask >> m.channel & 1) {
            GF_TRY(measure(&m, (char *)judge->data[tap->out] + at, error));
        }
    }
    return GF_OK;
}

gf_status gf_judge_hist(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    return each_channel(judge, op, histogram, error);
}

gf_status gf_judge_range(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    return each_channel(judge, op, finite_range, error);
}

gf_status gf_judge_stats(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    return each_channel(judge, op, statistics, error);
}

/* ---- solves ---- */

/* out = a b: numbers of 16 digits of 32 bits, the lowest first, large enough for all that is multiplied here.
 */
struct big {
    uint32_t digits[16];
};

static struct big big_of(uint64_t v)
{
    return (struct big){{(uint32_t)v, (uint32_t)(v >> 32)}};
}

static struct big times(struct big a, struct big b)
{
    struct big out = {{0}};
    for (int i = 0; i < 16; i++) {
        uint64_t carry = 0;
        for (int j = 0; i + j < 16; j++) {
            carry += (uint64_t)a.digits[i] * b.digits[j] + out.digits[i + j];
            out.digits[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return out;
}

static struct big minus(struct big a, struct big b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < 16; i++) {
        const uint64_t less = (uint64_t)b.digits[i] + borrow;
        borrow = a.digits[i] < less;
        a.digits[i] = (uint32_t)(a.digits[i] - less);
    }
    return a;
}

static bool is_more(struct big a, struct big b)
{
    int i = 15;
    while (i > 0 && a.digits[i] == b.digits[i]) {
        i--;
    }
    return a.digits[i] > b.digits[i];
}

/* The bin after which to cut: the lowest that maximises the variance between the two classes
 * (Otsu, "A threshold selection method from gray-level histograms", 1979), a constant factor left out:
 * n0 n1 (s0 / n0 - s1 / n1)^2 = (n0 s - s0 n)^2 / (n0 n1), fractions compared crosswise. */
static int32_t otsu_bin(const uint64_t *counts, int32_t bins)
{
    uint64_t n = 0;
    uint64_t s = 0;
    uint64_t n0 = 0;
    uint64_t s0 = 0;
    struct big above = big_of(0), below = big_of(1); /* the greatest variance as a fraction */
    int32_t best = 0;

    for (int32_t i = 0; i < bins; i++) {
        n += gf_judge_count(counts, i, bins);
        s += (uint64_t)i * gf_judge_count(counts, i, bins);
    }
    for (int32_t t = 0; t < bins; t++) {
        n0 += gf_judge_count(counts, t, bins);
        s0 += (uint64_t)t * gf_judge_count(counts, t, bins);
        if (n0 == 0 || n0 == n || gf_judge_count(counts, t, bins) == 0) {
            continue; /* a class is empty, or it is the same cut as the one before */
        }
        const struct big d = minus(times(big_of(n0), big_of(s)), times(big_of(s0), big_of(n)));
        const struct big square = times(d, d), pairs = times(big_of(n0), big_of(n - n0));
        if (is_more(times(square, below), times(above, pairs))) {
            above = square;
            below = pairs;
            best = t;
        }
    }
    return best;
}

/* (counts up to i - first) * white / (all - first), the integer quotient rounded half up. */
static void equalize_row(const uint64_t *counts, const struct gf_solve_args *solve, const float *range,
                         gf_depth depth, void *row)
{
    uint64_t all = 0;
    uint64_t first = 0;
    uint64_t cdf = 0;

    for (int32_t i = 0; i < solve->bins; i++) {
        all += gf_judge_count(counts, i, solve->bins);
        first = first > 0 ? first : gf_judge_count(counts, i, solve->bins);
    }
    for (int32_t i = 0; i < solve->bins; i++) {
        cdf += gf_judge_count(counts, i, solve->bins);
        uint64_t above = cdf > first ? cdf - first : 0; /* bins below the least sample: 0 */
        if (depth == GF_F32) {
            ((float *)row)[i] = all > first
                                    ? (float)((double)above * (double)solve->white / (double)(all - first))
                                    : (range ? range[0] : 0.0F);
            continue;
        }
        uint64_t entry = (uint64_t)i;
        if (all > first) {
            entry = (2 * above * (uint64_t)solve->white + (all - first)) / (2 * (all - first));
        }
        if (depth == GF_U8) {
            ((uint8_t *)row)[i] = (uint8_t)entry;
        } else {
            ((uint16_t *)row)[i] = (uint16_t)entry;
        }
    }
}

/* The channel's counts and range (NULL: none), and where its row of what is made begins. */
struct solved {
    struct gf_solve_args args;
    const uint64_t *counts;
    const float *range;
    const struct gf_value *out;
    void *row;
};

/* false: the channel is not solved. */
static bool take_channel(const struct gf_judge *judge, const struct gf_apply *apply, int32_t c,
                         struct solved *s)
{
    const struct gf_value *values = judge->list->values;
    gf_args_get(&apply->args, &s->args, sizeof s->args);
    s->out = &values[apply->out[0]];
    s->counts = (const uint64_t *)judge->data[apply->in[0]] + c * values[apply->in[0]].width;
    s->range = apply->in[1] == GF_NONE ? NULL : (const float *)judge->data[apply->in[1]] + (size_t)c * 2;
    s->row = (char *)judge->data[apply->out[0]] + (size_t)(c * s->out->width) * gf_depth_size(s->out->depth);
    return s->args.mask >> c & 1;
}

gf_status gf_judge_otsu(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    struct solved s;
    (void)error;
    for (int32_t c = 0; c < judge->list->values[apply->in[0]].channels; c++) {
        if (take_channel(judge, apply, c, &s)) {
            double level = otsu_bin(s.counts, s.args.bins);
            if (s.range) {
                level = (double)s.range[0] +
                        (level + 0.5) * ((double)s.range[1] - (double)s.range[0]) / (double)s.args.bins;
            }
            *(float *)s.row = (float)level;
        }
    }
    return GF_OK;
}

gf_status gf_judge_equalize(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    struct solved s;
    (void)error;
    for (int32_t c = 0; c < judge->list->values[apply->in[0]].channels; c++) {
        if (take_channel(judge, apply, c, &s)) {
            equalize_row(s.counts, &s.args, s.range, s.out->depth, s.row);
        }
    }
    return GF_OK;
}
