/* The judge of sums of columns and rows, sample by sample: see reference.h. */
#include "pixel/ir/kernel_table.h"
#include "pixel/judge/reference_parts.h"

#include <stdlib.h>

/* A channel of the picture, and its row of the block. */
struct channel {
    const void *data;
    struct gf_value value;
    struct gf_rect roi;
    int32_t number;
    int64_t sums; /* of a row of the block, behind which f32 has its counts of NaN */
    void *row;
};

/* false: not measured, or not there. */
static bool sample_at(const struct channel *c, int64_t x, int64_t y, float *v)
{
    if (x >= c->value.width || y >= c->value.height || !gf_judge_inside(c->roi, x, y)) {
        return false;
    }
    *v = gf_judge_sample(c->data, c->value.depth, (y * c->value.width + x) * c->value.channels + c->number);
    return true;
}

static void add_integers(const struct channel *c, bool of_rows)
{
    uint64_t *sums = c->row;
    float v = 0.0F;
    for (int64_t y = 0; y < c->value.height; y++) {
        for (int64_t x = 0; x < c->value.width; x++) {
            if (sample_at(c, x, y, &v)) {
                sums[of_rows ? y : x] += (uint64_t)v;
            }
        }
    }
}

static void count_nan(const struct channel *c, bool of_rows)
{
    uint64_t *counts = (uint64_t *)c->row + c->sums;
    float v = 0.0F;
    for (int64_t y = 0; y < c->value.height; y++) {
        for (int64_t x = 0; x < c->value.width; x++) {
            counts[of_rows ? y : x] += sample_at(c, x, y, &v) && isnan(v);
        }
    }
}

/* A column in cells from the top, and they from the top. */
static double column_sum(const struct channel *c, int64_t x)
{
    double all = 0.0;
    float v = 0.0F;
    for (int64_t top = 0; top < c->value.height; top += GF_CELL_H) {
        double cell = 0.0;
        for (int64_t y = top; y < top + GF_CELL_H; y++) {
            if (sample_at(c, x, y, &v) && !isnan(v)) {
                cell += (double)v;
            }
        }
        all += cell;
    }
    return all;
}

/* Values half of them apart, then half of those that are left. */
static double fold_apart(double *values, int64_t n)
{
    for (int64_t half = n / 2; half > 0; half /= 2) {
        for (int64_t i = 0; i < half; i++) {
            values[i] += values[i + half];
        }
    }
    return values[0];
}

/* Neighbours, level by level. */
static double fold_pairs(double *values, int64_t n)
{
    for (; n > 1; n = (n + 1) / 2) {
        for (int64_t i = 0; i < (n + 1) / 2; i++) {
            values[i] = 2 * i + 1 < n ? values[2 * i] + values[2 * i + 1] : values[2 * i];
        }
    }
    return values[0];
}

static double row_sum(const struct channel *c, int64_t y, double *cells)
{
    int64_t across = (c->value.width + GF_CELL_W - 1) / GF_CELL_W;
    float v = 0.0F;
    for (int64_t cell = 0; cell < across; cell++) {
        double columns[GF_CELL_W] = {0.0};
        for (int64_t j = 0; j < GF_CELL_W; j++) {
            if (sample_at(c, cell * GF_CELL_W + j, y, &v) && !isnan(v)) {
                columns[j] += (double)v;
            }
        }
        cells[cell] = fold_apart(columns, GF_CELL_W);
    }
    return fold_pairs(cells, across);
}

static gf_status add_floats(const struct channel *c, bool of_rows, gf_error *error)
{
    double *sums = c->row;
    double *cells = calloc((size_t)(c->value.width / GF_CELL_W + 1), sizeof *cells);
    if (!cells) {
        return gf_fail(error, GF_ERROR_MEMORY, "no memory for the sums of a row");
    }
    for (int64_t i = 0; i < c->sums; i++) {
        sums[i] = of_rows ? row_sum(c, i, cells) : column_sum(c, i);
        sums[i] = sums[i] == sums[i] ? sums[i] : gf_bits_double(0x7ff8000000000000U);
    }
    count_nan(c, of_rows);
    free(cells);
    return GF_OK;
}

gf_status gf_judge_profile(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_tap *tap = &op->u.tap;
    struct channel c = {.data = judge->data[op->in], .value = judge->list->values[op->in]};
    bool is_float = c.value.depth == GF_F32;
    c.roi = tap->roi == GF_NONE ? c.roi : op->roi;
    c.sums = is_float ? tap->bins / 2 : tap->bins;
    for (; c.number < c.value.channels; c.number++) {
        c.row = (uint64_t *)judge->data[tap->out] + (int64_t)c.number * tap->bins;
        if (!(tap->mask >> c.number & 1)) {
            continue;
        }
        if (!is_float) {
            add_integers(&c, tap->of_rows);
        } else {
            GF_TRY(add_floats(&c, tap->of_rows, error));
        }
    }
    return GF_OK;
}
