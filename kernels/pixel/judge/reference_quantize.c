/* The judge's quantize: as docs/exactness.md says it, over the whole picture and all cells each time. */
#include "pixel/judge/reference_parts.h"
#include "pixel/whole/quantize/quantize.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 256, ROUNDS = 8 };

struct painter {
    struct gf_quantize_args args;
    const uint8_t *in;
    uint8_t *out;
    int64_t width, height;
    int32_t channels, colour; /* colour: those that are not alpha */
    int32_t n_cells, bits[4];
    uint64_t (*cells)[5]; /* pixels, and sums of their samples */
    int32_t *box_of;      /* of each cell */
    int32_t n, palette[MOST][4];
};

static int32_t place_of(const struct painter *p, int32_t cell, int32_t c)
{
    for (int32_t i = 0; i < c; i++) {
        cell /= 1 << p->bits[i];
    }
    return cell % (1 << p->bits[c]);
}

static void count(struct painter *p)
{
    for (int64_t i = 0; i < p->width * p->height; i++) {
        const uint8_t *v = p->in + i * p->channels;
        int32_t cell = 0;
        for (int32_t c = p->channels - 1; c >= 0; c--) {
            cell = cell * (1 << p->bits[c]) + v[c] / (1 << (8 - p->bits[c]));
        }
        p->cells[cell][0]++;
        for (int32_t c = 0; c < p->channels; c++) {
            p->cells[cell][1 + c] += v[c];
        }
    }
}

/* Cuts the box that asks for it most; false: there is none. */
static bool cut(struct painter *p)
{
    uint64_t best = 0;
    int32_t box = 0, channel = 0, mean = 0;
    for (int32_t b = 0; b < p->n; b++) {
        for (int32_t c = 0; c < p->channels; c++) {
            uint64_t n = 0, sum = 0;
            int32_t least = 255, greatest = 0;
            for (int32_t i = 0; i < p->n_cells; i++) {
                const int32_t place = place_of(p, i, c);
                if (p->cells[i][0] > 0 && p->box_of[i] == b) {
                    n += p->cells[i][0];
                    sum += p->cells[i][0] * (uint64_t)place;
                    least = place < least ? place : least;
                    greatest = place > greatest ? place : greatest;
                }
            }
            const uint64_t side = greatest > least ? (uint64_t)(greatest - least) * (256U >> p->bits[c]) : 0;
            if (n * side * side > best) {
                best = n * side * side;
                box = b;
                channel = c;
                mean = (int32_t)(sum / n);
            }
        }
    }
    for (int32_t i = 0; best > 0 && i < p->n_cells; i++) {
        if (p->box_of[i] == box && place_of(p, i, channel) > mean) {
            p->box_of[i] = p->n;
        }
    }
    p->n += best > 0;
    return best > 0;
}

static int32_t nearest(const struct painter *p, const int32_t *v)
{
    int32_t best = 0, least = INT32_MAX;
    for (int32_t i = 0; i < p->n; i++) {
        int32_t distance = 0;
        for (int32_t c = 0; c < p->channels; c++) {
            distance += (v[c] - p->palette[i][c]) * (v[c] - p->palette[i][c]);
        }
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

/* Every colour becomes the mean of its cells. */
static void centre(struct painter *p)
{
    uint64_t sums[MOST][5] = {{0}};
    for (int32_t i = 0; i < p->n_cells; i++) {
        for (int32_t k = 0; p->cells[i][0] > 0 && k <= p->channels; k++) {
            sums[p->box_of[i]][k] += p->cells[i][k];
        }
    }
    for (int32_t b = 0; b < p->n; b++) {
        for (int32_t c = 0; sums[b][0] > 0 && c < p->channels; c++) {
            p->palette[b][c] = (int32_t)((2 * sums[b][1 + c] + sums[b][0]) / (2 * sums[b][0]));
        }
    }
}

static void find(struct painter *p)
{
    count(p);
    p->n = 1;
    while (p->n < p->args.colours && cut(p)) {
    }
    centre(p);
    for (int32_t round = 0; round < ROUNDS; round++) {
        for (int32_t i = 0; i < p->n_cells; i++) {
            int32_t mean[4] = {0};
            const uint64_t n = p->cells[i][0];
            for (int32_t c = 0; n > 0 && c < p->channels; c++) {
                mean[c] = (int32_t)((2 * p->cells[i][1 + c] + n) / (2 * n));
            }
            p->box_of[i] = nearest(p, mean);
        }
        centre(p);
    }
}

static int32_t clamped(int32_t v)
{
    return v < 0 ? 0 : v > 255 ? 255 : v;
}

/* The greatest integer that is not above v / n. */
static int32_t floored(int32_t v, int32_t n)
{
    return v >= 0 ? v / n : -((-v + n - 1) / n);
}

static int32_t offset(const struct painter *p, int64_t x, int64_t y)
{
    static const int32_t rank[8][8] = {{0, 32, 8, 40, 2, 34, 10, 42},  {48, 16, 56, 24, 50, 18, 58, 26},
                                       {12, 44, 4, 36, 14, 46, 6, 38}, {60, 28, 52, 20, 62, 30, 54, 22},
                                       {3, 35, 11, 43, 1, 33, 9, 41},  {51, 19, 59, 27, 49, 17, 57, 25},
                                       {15, 47, 7, 39, 13, 45, 5, 37}, {63, 31, 55, 23, 61, 29, 53, 21}};
    return floored((2 * rank[y % 8][x % 8] - 63) * p->args.spread, 128);
}

/* errors: of two rows, the one above first, of width + 2 pixels. */
static void paint_row(const struct painter *p, int64_t y, int32_t (*above)[3], int32_t (*own)[3])
{
    for (int64_t x = 0; x < p->width; x++) {
        const uint8_t *from = p->in + (y * p->width + x) * p->channels;
        uint8_t *to = p->out + (y * p->width + x) * p->channels;
        int32_t v[4] = {0};
        for (int32_t c = 0; c < p->channels; c++) {
            v[c] = from[c];
            if (c < p->colour && p->args.dither == GF_QUANTIZE_ORDERED) {
                v[c] = clamped(v[c] + offset(p, x, y));
            } else if (c < p->colour && p->args.dither == GF_QUANTIZE_FLOYD) {
                v[c] = clamped(
                    v[c] +
                    floored(7 * own[x][c] + above[x][c] + 5 * above[x + 1][c] + 3 * above[x + 2][c] + 8, 16));
            }
        }
        const int32_t *colour = p->palette[nearest(p, v)];
        for (int32_t c = 0; c < p->channels; c++) {
            to[c] = (uint8_t)colour[c];
            if (c < p->colour) {
                own[x + 1][c] = v[c] - colour[c];
            }
        }
    }
}

gf_status gf_judge_quantize(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *in = &judge->list->values[apply->in[0]];
    struct painter p = {.in = judge->data[apply->in[0]], .out = judge->data[apply->out[0]], .n_cells = 1};
    uint32_t *table = judge->data[apply->out[1]];
    gf_args_get(&apply->args, &p.args, sizeof p.args);
    p.width = in->width;
    p.height = in->height;
    p.channels = in->channels;
    p.colour = in->channels < 3 ? 1 : 3;
    for (int32_t c = 0; c < p.channels; c++) {
        p.bits[c] = c == p.colour ? 3 : p.colour == 3 ? 5 : 8;
        p.n_cells *= 1 << p.bits[c];
    }
    p.cells = calloc((size_t)p.n_cells, sizeof *p.cells);
    p.box_of = calloc((size_t)p.n_cells, sizeof *p.box_of);
    int32_t(*errors)[3] = calloc((size_t)(p.width + 2) * 2, sizeof *errors);
    const bool enough = p.cells && p.box_of && errors;
    if (enough && apply->in[1] == GF_NONE) {
        find(&p);
        table[0] = (uint32_t)p.n;
        for (int32_t i = 0; i < p.n * 4; i++) {
            table[1 + i / 4] |= (uint32_t)p.palette[i / 4][i % 4] << 8 * (i % 4);
        }
    } else if (enough) {
        memcpy(table, judge->data[apply->in[1]], GF_QUANTIZE_PALETTE * sizeof *table);
        p.n = (int32_t)table[0];
        for (int32_t i = 0; i < p.n * 4; i++) {
            p.palette[i / 4][i % 4] = (int32_t)(table[1 + i / 4] >> 8 * (i % 4) & 255);
        }
    }
    for (int64_t y = 0; enough && y < p.height; y++) {
        paint_row(&p, y, errors + (y % 2 ? 0 : p.width + 2), errors + (y % 2 ? p.width + 2 : 0));
    }
    free(p.cells);
    free(p.box_of);
    free(errors);
    return enough ? GF_OK : gf_fail(error, GF_ERROR_MEMORY, "no memory for the judge's palette");
}
