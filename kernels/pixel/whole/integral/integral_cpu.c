/* integral on the CPU. Threads take columns of cells, from top to bottom, so that what is above is at hand.
 * With more than one of them rows are first summed up to where their columns begin. */
#include "pixel/whole/integral/integral.h"

#include "base/cpu_level.h"
#include "base/cpu_stream.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <string.h>

enum { ALIGN = 64 };

/* Sums are u64 or f64, both of 8 bytes. */
struct work {
    const struct gf_apply_run *run;
    const struct gf_integral_rows *rows;
    int64_t width, height, cells; /* columns of cells */
    int32_t channels;
    gf_depth depth;
    int parts;
    unsigned char *left; /* by row, channel and part: u64 of the row alone, f64 of the row of cells */
    unsigned char *own;  /* the first thread's, `each` bytes */
    size_t each, line;   /* of it a line of sums */
};

/* What a thread has of its own: for columns from `first` on, n of them. */
struct part {
    const struct work *work;
    int64_t first, n;
    unsigned char *samples; /* of a row and channel, where those are not all there is */
    unsigned char *sums;
    unsigned char *c, *a; /* f64 by channel; a are u64 for integers */
};

static int64_t begins(const struct work *work, int part)
{
    const int64_t x = work->cells * part / work->parts * GF_CELL_W;
    return x < work->width ? x : work->width;
}

static size_t padded(size_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Fills all of `work`, its memory at `base`, unless that is NULL; returns the bytes. */
static size_t begin(const struct gf_apply_run *run, unsigned char *base, struct work *work)
{
    const struct gf_value *in = &run->in_values[0];
    *work = (struct work){.run = run,
                          .rows = GF_LEVEL_BEST(&gf_integral_rows),
                          .width = in->width,
                          .height = in->height,
                          .cells = (in->width + GF_CELL_W - 1) / GF_CELL_W,
                          .channels = in->channels,
                          .depth = in->depth};
    work->parts = work->cells < run->threads ? (int)work->cells : run->threads;
    const size_t left = padded((size_t)work->height * (size_t)work->channels * (size_t)work->parts * 8);
    work->line = padded((size_t)((work->cells - 1) / work->parts + 1) * GF_CELL_W * 8);
    work->each = (2 + 2 * (size_t)work->channels) * work->line;
    work->left = base;
    work->own = base ? base + left : NULL;
    return left + (size_t)work->parts * work->each;
}

static struct part part_of(const struct work *work, int i)
{
    unsigned char *own = work->own + (size_t)i * work->each;
    return (struct part){.work = work,
                         .first = begins(work, i),
                         .n = begins(work, i + 1) - begins(work, i),
                         .samples = own,
                         .sums = own + work->line,
                         .c = own + 2 * work->line,
                         .a = own + (2 + (size_t)work->channels) * work->line};
}

/* Returns where a part's left sum of a row and channel is. */
static unsigned char *left_of(const struct work *work, int part, int64_t y, int32_t channel)
{
    return work->left +
           (((size_t)part * (size_t)work->height + (size_t)y) * (size_t)work->channels + (size_t)channel) * 8;
}

/* The part's samples of a row and channel, in a line. */
static const void *gather(const struct part *part, int64_t y, int32_t channel)
{
    const struct work *work = part->work;
    const int64_t size = (int64_t)gf_depth_size(work->depth), c = work->channels;
    const char *row =
        (const char *)work->run->in[0].data + y * work->run->in[0].pitch + part->first * c * size;
    if (c == 1) {
        return row;
    }
    for (int64_t x = 0; x < part->n; x++) {
        if (work->depth == GF_U8) {
            ((uint8_t *)part->samples)[x] = ((const uint8_t *)row)[x * c + channel];
        } else if (work->depth == GF_U16) {
            ((uint16_t *)part->samples)[x] = ((const uint16_t *)row)[x * c + channel];
        } else {
            ((float *)part->samples)[x] = ((const float *)row)[x * c + channel];
        }
    }
    return part->samples;
}

/* The sums of a row of a channel; c and a are that channel's. out NULL: only what is to the right of it
 * needs. */
static void sum_row(const struct part *part, int64_t y, int32_t channel, void *left, void *out)
{
    const struct work *work = part->work;
    const void *v = gather(part, y, channel);
    const size_t at = (size_t)channel * work->line;
    if (work->depth != GF_F32) {
        uint64_t *above = (uint64_t *)(part->a + at), *sum = left;
        *sum += work->rows->whole(v, work->depth, part->n, above, *sum, out);
        return;
    }
    const int64_t in_cell = y % GF_CELL_H;
    double *g = left;
    *g = work->rows->real(v, part->n, in_cell == 0, in_cell == GF_CELL_H - 1, (double *)(part->c + at),
                          (double *)(part->a + at), *g, out);
}

/* A row of cells after the other, with the first thread's room, but for c: what is to the left of each part.
 */
static void sum_left(void *argument, int i, int n)
{
    const struct work *work = argument;
    const int64_t bands = (work->height + GF_CELL_H - 1) / GF_CELL_H;
    for (int64_t band = i; band < bands; band += n) {
        const int64_t end = (band + 1) * GF_CELL_H < work->height ? (band + 1) * GF_CELL_H : work->height;
        for (int p = 0; p + 1 < work->parts; p++) {
            struct part part = part_of(work, i);
            part.first = begins(work, p);
            part.n = begins(work, p + 1) - part.first;
            for (int64_t y = band * GF_CELL_H; y < end; y++) {
                for (int32_t c = 0; c < work->channels; c++) {
                    unsigned char *left = left_of(work, p + 1, y, c);
                    memset(left, 0, 8);
                    if (p > 0) {
                        memcpy(left, left_of(work, p, y, c), 8);
                    }
                    sum_row(&part, y, c, left, NULL);
                }
            }
        }
    }
}

static void sum_all(void *argument, int i, int n)
{
    const struct work *work = argument;
    const struct part part = part_of(work, i);
    (void)n;
    memset(part.a, 0, work->line * (size_t)work->channels);
    for (int64_t y = 0; y < work->height; y++) {
        char *row =
            (char *)work->run->out[0].data + y * work->run->out[0].pitch + part.first * work->channels * 8;
        for (int32_t c = 0; c < work->channels; c++) {
            uint64_t left = 0;
            if (i > 0 && !GF_FAULT(integral_seam)) {
                memcpy(&left, left_of(work, i, y, c), sizeof left);
            }
            sum_row(&part, y, c, &left, work->channels == 1 ? (void *)row : part.sums);
            for (int64_t x = 0; work->channels > 1 && x < part.n; x++) {
                memcpy(row + (x * work->channels + c) * 8, part.sums + x * 8, 8);
            }
        }
    }
    gf_cpu_fence();
}

static size_t integral_scratch(const struct gf_apply_run *run)
{
    if (run->queue.device >= 0) {
        return gf_integral_cuda_scratch(run);
    }
    struct work work;
    return begin(run, NULL, &work);
}

static gf_status integral_cpu(const struct gf_apply_run *run, gf_error *error)
{
    (void)error;
    struct work work;
    begin(run, run->scratch, &work);
    if (work.parts > 1) {
        gf_team_run(run->team, work.parts, sum_left, &work);
    }
    gf_team_run(run->team, work.parts, sum_all, &work);
    return GF_OK;
}

const struct gf_kernel gf_kernel_integral = {
    .name = "integral",
    .kind = GF_KERNEL_WHOLE,
    .words = "sums of all that is above and to the left",
    .apply = {.cpu = integral_cpu, .cuda = gf_integral_cuda, .scratch = integral_scratch, .light = true},
    .judge = gf_judge_integral,
};
