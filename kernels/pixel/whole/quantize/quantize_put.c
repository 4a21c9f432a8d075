/* quantize on the CPU: rows become colours of the palette.
 *
 * Floyd and Steinberg's errors go from pixel to pixel, and from row to row, so that threads take tiles along
 * diagonals: a tile of ROWS rows, each beginning a pixel further left than the one above it, needs the tile
 * at its left, and of the rows above the tiles up to the one at its right. One line of errors is enough for
 * all rows: a row puts its own in the place of those of the row above, which it has read, but for the one
 * above at its left, which it carries along. */
#include "base/planted_fault.h"
#include "base/team.h"
#include "pixel/whole/quantize/quantize_cpu.h"

enum { ROWS = 16, COLUMNS = 128 };

struct job {
    struct gf_quantizer *q;
    const struct gf_apply_run *run;
    int64_t rows, across, diagonal, first; /* first: of the tiles of a diagonal, the highest */
};

void gf_quantize_spread_planes(struct gf_quantizer *q)
{
    for (uint32_t i = 0; i < q->palette[0]; i++) {
        for (int32_t c = 0; c < GF_QUANTIZE_CHANNELS; c++) {
            q->planes[c][i] = (int32_t)(q->palette[1 + i] >> 8 * c & 255);
        }
    }
}

int32_t gf_quantize_nearest(const struct gf_quantizer *q, const int32_t v[GF_QUANTIZE_CHANNELS])
{
    int32_t best = INT32_MAX; /* the distance, and behind it the index: at most 4 255^2 256 + 255 */
    for (int32_t i = 0; i < (int32_t)q->palette[0]; i++) {
        const int32_t a = v[0] - q->planes[0][i], b = v[1] - q->planes[1][i], c = v[2] - q->planes[2][i];
        const int32_t d = v[3] - q->planes[3][i], key = (a * a + b * b + c * c + d * d) * 256 + i;
        best = key < best ? key : best;
    }
    return best & 255;
}

static void put(const struct gf_quantizer *q, const int32_t v[GF_QUANTIZE_CHANNELS], uint8_t *to)
{
    const int32_t i = gf_quantize_nearest(q, v);
    for (int32_t c = 0; c < q->channels; c++) {
        to[c] = (uint8_t)q->planes[c][i];
    }
}

static const uint8_t *row_in(const struct gf_apply_run *run, int64_t y)
{
    return (const uint8_t *)run->in[0].data + y * run->in[0].pitch;
}

static uint8_t *row_out(const struct gf_apply_run *run, int64_t y)
{
    return (uint8_t *)run->out[0].data + y * run->out[0].pitch;
}

/* Rows whose pixels know nothing of each other. */
static void make_plain(void *argument, int i, int n)
{
    const struct job *job = argument;
    const struct gf_quantizer *q = job->q;
    const int32_t colour = gf_quantize_colour_channels(q->channels);
    const bool ordered = q->args.dither == GF_QUANTIZE_ORDERED;
    for (int64_t y = job->rows * i / n; y < job->rows * (i + 1) / n; y++) {
        const uint8_t *from = row_in(job->run, y);
        uint8_t *to = row_out(job->run, y);
        for (int64_t x = 0; x < q->width; x++, from += q->channels, to += q->channels) {
            const int32_t more =
                ordered ? gf_quantize_offset(x, job->run->in[0].rows.first + y, q->args.spread) : 0;
            int32_t v[GF_QUANTIZE_CHANNELS] = {0};
            for (int32_t c = 0; c < q->channels; c++) {
                v[c] = from[c] + (c < colour ? more : 0);
                v[c] = v[c] < 0 ? 0 : v[c] > 255 ? 255 : v[c];
            }
            put(q, v, to);
        }
    }
}

/* Pixels [x, end) of a row. line[x] has the error above; that of pixel -1, and of pixel `width`, is 0. */
static void make_span(const struct job *job, int64_t y, int64_t x, int64_t end)
{
    const struct gf_quantizer *q = job->q;
    const int32_t n = q->channels, colour = gf_quantize_colour_channels(n);
    const uint8_t *from = row_in(job->run, y) + x * n;
    uint8_t *to = row_out(job->run, y) + x * n;
    int16_t *errors = q->line + (x + 1) * colour, *carry = q->carry + y * colour;
    for (; x < end; x++, from += n, to += n, errors += colour) {
        int32_t v[GF_QUANTIZE_CHANNELS] = {0};
        for (int32_t c = 0; c < n; c++) {
            v[c] = c < colour ? gf_quantize_spread(from[c], errors[c - colour], carry[c], errors[c],
                                                   errors[c + colour])
                              : from[c];
        }
        put(q, v, to);
        for (int32_t c = 0; c < colour; c++) {
            carry[c] = GF_FAULT(quantize_carry) ? 0 : errors[c];
            errors[c] = (int16_t)(v[c] - to[c]);
        }
    }
}

static void make_tile(void *argument, int i, int n)
{
    const struct job *job = argument;
    const int64_t down = job->first + i, across = job->diagonal - 2 * down, width = job->q->width;
    (void)n;
    for (int64_t k = 0; k < ROWS && down * ROWS + k < job->rows; k++) {
        const int64_t from = across * COLUMNS - k, end = from + COLUMNS;
        make_span(job, down * ROWS + k, from < 0 ? 0 : from, end < width ? end : width);
    }
}

static void diffuse(struct job *job)
{
    const int64_t down = (job->rows + ROWS - 1) / ROWS;
    const int32_t colour = gf_quantize_colour_channels(job->q->channels);
    memset(job->q->carry, 0, (size_t)(job->rows * colour) * sizeof *job->q->carry);
    job->across = (job->q->width + ROWS - 1 + COLUMNS - 1) / COLUMNS;
    for (job->diagonal = 0; job->diagonal < job->across + 2 * (down - 1); job->diagonal++) {
        const int64_t over = job->diagonal - job->across + 1, last = job->diagonal / 2;
        job->first = over > 0 ? (over + 1) / 2 : 0;
        const int64_t end = last < down - 1 ? last : down - 1;
        if (end >= job->first) {
            gf_team_run(job->run->team, (int)(end - job->first + 1), make_tile, job);
        }
    }
}

void gf_quantize_rows(struct gf_quantizer *q, const struct gf_apply_run *run)
{
    struct job job = {.q = q, .run = run, .rows = run->in[0].rows.count};
    if (q->args.dither == GF_QUANTIZE_FLOYD) {
        diffuse(&job);
    } else {
        gf_team_run(run->team, run->threads, make_plain, &job);
    }
}
