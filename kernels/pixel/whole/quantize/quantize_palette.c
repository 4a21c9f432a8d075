/* quantize on the CPU: the palette of the cells that have pixels. */
#include "base/planted_fault.h"
#include "pixel/whole/quantize/quantize_cpu.h"

#include <string.h>

static const uint64_t *sums_of(const struct gf_quantizer *q, int32_t cell)
{
    return q->sums + (int64_t)cell * (1 + q->channels);
}

static void measure(const struct gf_quantizer *q, struct gf_quantize_box *box)
{
    box->n = 0;
    for (int32_t c = 0; c < q->channels; c++) {
        box->sums[c] = 0;
        box->least[c] = 256;
        box->greatest[c] = -1;
    }
    for (int32_t i = box->first; i < box->end; i++) {
        const uint64_t n = sums_of(q, q->list[i])[0];
        box->n += n;
        for (int32_t c = 0; c < q->channels; c++) {
            const int32_t place = gf_quantize_place(q->list[i], q->channels, c);
            box->sums[c] += n * (uint64_t)place;
            box->least[c] = place < box->least[c] ? place : box->least[c];
            box->greatest[c] = place > box->greatest[c] ? place : box->greatest[c];
        }
    }
}

/* The box and the channel to cut next; false: every box is a cell. */
static bool choose(const struct gf_quantizer *q, const struct gf_quantize_box *boxes, int32_t n, int32_t *box,
                   int32_t *channel)
{
    uint64_t best = 0;
    for (int32_t i = 0; i < n; i++) {
        for (int32_t c = 0; c < q->channels; c++) {
            const uint64_t score = gf_quantize_score(boxes[i].n, boxes[i].greatest[c] - boxes[i].least[c],
                                                     gf_quantize_bits(q->channels, c));
            if (score > best) {
                best = score;
                *box = i;
                *channel = c;
            }
        }
    }
    return best > 0;
}

/* Cuts behind the mean: what lies up to there stays in the box, the rest goes to the new one. */
static void cut(const struct gf_quantizer *q, struct gf_quantize_box *box, int32_t channel,
                struct gf_quantize_box *other)
{
    const int32_t mean = (int32_t)(box->sums[channel] / box->n);
    int32_t end = box->first;
    for (int32_t i = box->first; i < box->end; i++) {
        const int32_t cell = q->list[i];
        if (gf_quantize_place(cell, q->channels, channel) <= mean - GF_FAULT(quantize_cut)) {
            q->list[i] = q->list[end];
            q->list[end++] = cell;
        }
    }
    *other = (struct gf_quantize_box){.first = end, .end = box->end};
    box->end = end;
    measure(q, box);
    measure(q, other);
}

/* Colours become the means of what was added up for them; one that nothing was added for stays. */
static void settle(struct gf_quantizer *q, uint64_t (*added)[1 + GF_QUANTIZE_CHANNELS])
{
    for (uint32_t i = 0; i < q->palette[0]; i++) {
        uint32_t colour = 0;
        for (int32_t c = 0; c < q->channels && added[i][0] > 0; c++) {
            colour |= gf_quantize_mean(added[i][1 + c], added[i][0]) << 8 * c;
        }
        q->palette[1 + i] = added[i][0] > 0 ? colour : q->palette[1 + i];
    }
    memset(added, 0, GF_QUANTIZE_MOST * sizeof *added);
    gf_quantize_spread_planes(q);
}

static void add(const struct gf_quantizer *q, int32_t cell, uint64_t *to)
{
    for (int32_t c = 0; c <= q->channels; c++) {
        to[c] += sums_of(q, cell)[c];
    }
}

/* Adds up the cells of each box. */
static void add_boxes(const struct gf_quantizer *q, const struct gf_quantize_box *boxes, int32_t n,
                      uint64_t (*added)[1 + GF_QUANTIZE_CHANNELS])
{
    for (int32_t i = 0; i < n; i++) {
        for (int32_t k = boxes[i].first; k < boxes[i].end; k++) {
            add(q, q->list[k], added[i]);
        }
    }
}

/* Adds each cell to what goes to the colour nearest to its mean. */
static void add_nearest(const struct gf_quantizer *q, int32_t cells,
                        uint64_t (*added)[1 + GF_QUANTIZE_CHANNELS])
{
    for (int32_t k = 0; k < cells; k++) {
        const uint64_t *sums = sums_of(q, q->list[k]);
        int32_t mean[GF_QUANTIZE_CHANNELS] = {0};
        for (int32_t c = 0; c < q->channels; c++) {
            mean[c] = (int32_t)gf_quantize_mean(sums[1 + c], sums[0]);
        }
        add(q, q->list[k], added[gf_quantize_nearest(q, mean)]);
    }
}

void gf_quantize_find(struct gf_quantizer *q)
{
    struct gf_quantize_box boxes[GF_QUANTIZE_MOST] = {{.first = 0}};
    uint64_t added[GF_QUANTIZE_MOST][1 + GF_QUANTIZE_CHANNELS] = {{0}};
    int32_t n = 1, box = 0, channel = 0;
    for (int32_t cell = 0; cell < gf_quantize_cells(q->channels); cell++) {
        if (sums_of(q, cell)[0] > 0) {
            q->list[boxes[0].end++] = cell;
        }
    }
    const int32_t cells = boxes[0].end;
    measure(q, &boxes[0]);
    while (n < q->args.colours && choose(q, boxes, n, &box, &channel)) {
        cut(q, &boxes[box], channel, &boxes[n++]);
    }
    memset(q->palette, 0, sizeof q->palette);
    q->palette[0] = (uint32_t)n;
    add_boxes(q, boxes, n, added);
    settle(q, added);
    for (int32_t round = 0; round < GF_QUANTIZE_ROUNDS; round++) {
        add_nearest(q, cells, added);
        settle(q, added);
    }
}
