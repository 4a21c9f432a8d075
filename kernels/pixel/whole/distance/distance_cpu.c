/* distance on the CPU. Bands of lines first say where their columns have sites; then each band is worked on
 * by itself. */
#include "pixel/whole/distance/distance_cpu.h"

#include "base/cpu_level.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <string.h>

enum { BAND = GF_DISTANCE_BAND, BLOCK = GF_DISTANCE_BLOCK, RETRY = 16, ALIGN = 64 };

static size_t take(size_t *used, int64_t count, size_t size)
{
    size_t at = *used;
    *used += ((size_t)count * size + ALIGN - 1) / ALIGN * ALIGN;
    return at;
}

/* Sets up `part` in memory at `base`, unless that is NULL; returns the bytes that it takes. */
static size_t lay_out(const struct gf_distance_work *work, unsigned char *base, struct gf_distance_part *part)
{
    size_t used = 0;
    int64_t n = work->n, blocks = (n + BLOCK - 1) / BLOCK;
    int64_t rows = work->lines < BAND ? work->lines : BAND;
    size_t site = take(&used, rows * n, 1), last = take(&used, n, 4), gap = take(&used, n, 4);
    size_t places = take(&used, work->args.nearest ? rows * n : 0, 4);
    size_t stack = take(&used, n, sizeof(struct gf_distance_best)),
           own = take(&used, n + 2 * GF_DISTANCE_PAD, 2);
    size_t cost = take(&used, work->small ? n : 0, 4);
    size_t best = take(&used, blocks * BLOCK, 2), far = take(&used, blocks, 1);
    if (base) {
        *part = (struct gf_distance_part){
            .work = work,
            .site = base + site,
            .last = (int32_t *)(base + last),
            .gap = (int32_t *)(base + gap),
            .cost = (int32_t *)(base + cost),
            .places = (uint32_t *)(base + places),
            .stack = (struct gf_distance_best *)(base + stack),
            .near = {(uint16_t *)(base + own), (uint16_t *)(base + best), base + far}};
    }
    return used;
}

/* Fills all of `work` but what it does, in memory at `base` unless that is NULL; returns the bytes. */
static size_t begin(const struct gf_apply_run *run, unsigned char *base, struct gf_distance_work *work)
{
    const struct gf_value *in = &run->in_values[0];
    *work = (struct gf_distance_work){.run = run, .rows = GF_LEVEL_BEST(&gf_distance_rows)};
    gf_args_get(&run->apply->args, &work->args, sizeof work->args);
    work->n = work->args.nearest ? in->height : in->width;
    work->lines = work->args.nearest ? in->width : in->height;
    work->bands = (work->lines + BAND - 1) / BAND;
    work->small = work->n < 32768 && work->lines < 32768;
    size_t used = 0;
    bool wants_bits = work->args.nearest && work->args.metric == GF_DISTANCE_CHESSBOARD;
    size_t before = take(&used, work->bands * work->n, 4), behind = take(&used, work->bands * work->n, 4);
    size_t bits = take(&used, wants_bits ? work->bands * work->n : 0, 8);
    work->each = lay_out(work, NULL, NULL);
    if (base) {
        work->before = (int32_t *)(base + before);
        work->behind = (int32_t *)(base + behind);
        work->bits = wants_bits ? (uint64_t *)(base + bits) : NULL;
        work->own = base + used;
    }
    return used + (size_t)run->threads * work->each;
}

/* ---- down the columns ---- */

static const char *samples_at(const struct gf_distance_work *work, int64_t x, int64_t y)
{
    const struct gf_value *in = &work->run->in_values[0];
    return (const char *)work->run->in[0].data + y * work->run->in[0].pitch +
           x * in->channels * (int64_t)gf_depth_size(in->depth);
}

static int32_t rows_of(const struct gf_distance_work *work, int64_t band)
{
    int64_t left = work->lines - band * BAND;
    return (int32_t)(left < BAND ? left : BAND);
}

/* The sites of a band's lines. */
static void find_sites(const struct gf_distance_part *part, int64_t band)
{
    const struct gf_distance_work *work = part->work;
    const struct gf_value *in = &work->run->in_values[0];
    const int32_t rows = rows_of(work, band);
    if (!work->args.nearest) {
        for (int32_t r = 0; r < rows; r++) {
            work->rows->sites(samples_at(work, 0, band * BAND + r), in->depth, in->channels, work->n,
                              part->site + r * work->n);
        }
        return;
    }
    for (int64_t y = 0; y < work->n; y++) {
        uint8_t across[BAND];
        work->rows->sites(samples_at(work, band * BAND, y), in->depth, in->channels, rows, across);
        for (int32_t r = 0; r < rows; r++) {
            part->site[r * work->n + y] = across[r];
        }
    }
}

static void find_ends(void *argument, int i, int n)
{
    const struct gf_distance_work *work = argument;
    struct gf_distance_part part;
    lay_out(work, work->own + (size_t)i * work->each, &part);
    for (int64_t band = i; band < work->bands; band += n) {
        const int64_t at = band * work->n;
        const int32_t rows = rows_of(work, band);
        find_sites(&part, band);
        work->rows->ends(part.site, work->n, rows, work->n, (int32_t)(band * BAND), work->behind + at,
                         work->before + at);
        for (int64_t x = 0; work->bits && x < work->n; x++) {
            uint64_t bits = 0;
            for (int32_t r = 0; r < rows; r++) {
                bits |= (uint64_t)part.site[r * work->n + x] << r;
            }
            work->bits[at + x] = bits;
        }
    }
}

/* Replaces what `mine` has of each band, in order, by what the bands before it had last, for each column. */
static void carry(const struct gf_distance_work *work, int32_t *mine, int64_t band, int64_t step,
                  int32_t *last)
{
    for (int64_t x = 0; x < work->n; x++) {
        last[x] = -1;
    }
    for (; band >= 0 && band < work->bands; band += step) {
        int32_t *row = mine + band * work->n;
        for (int64_t x = 0; x < work->n; x++) {
            int32_t own = row[x];
            row[x] = GF_FAULT(distance_seam) ? -1 : last[x];
            last[x] = own < 0 ? last[x] : own;
        }
    }
}

/* ---- bands ---- */

static void store_places(const struct gf_distance_part *part, int64_t band)
{
    const struct gf_distance_work *work = part->work;
    const int32_t rows = rows_of(work, band);
    for (int64_t y = 0; y < work->n; y++) {
        uint32_t *to =
            (uint32_t *)((char *)work->run->out[0].data + y * work->run->out[0].pitch) + band * BAND;
        for (int32_t r = 0; r < rows; r++) {
            to[r] = part->places[r * work->n + y];
        }
    }
}

static void solve_bands(void *argument, int i, int n)
{
    const struct gf_distance_work *work = argument;
    struct gf_distance_part part;
    lay_out(work, work->own + (size_t)i * work->each, &part);
    for (int64_t band = i; band < work->bands; band += n) {
        const int64_t at = band * work->n;
        const int32_t rows = rows_of(work, band);
        find_sites(&part, band);
        work->rows->below(part.site, work->n, rows, work->n);
        memcpy(part.last, work->before + at, (size_t)work->n * sizeof *part.last);
        for (int32_t r = 0; r < rows; r++) {
            const int64_t line = band * BAND + r;
            work->rows->gaps(part.site + r * work->n, work->n, (int32_t)line, part.last, work->behind + at,
                             part.gap);
            if (work->args.nearest) {
                gf_distance_places(&part, line, part.places + r * work->n);
            } else {
                gf_distance_line(&part, r % RETRY == 0,
                                 (char *)work->run->out[0].data + line * work->run->out[0].pitch);
            }
        }
        if (work->args.nearest) {
            store_places(&part, band);
        }
    }
}

static size_t distance_scratch(const struct gf_apply_run *run)
{
    if (run->queue.device >= 0) {
        return gf_distance_cuda_scratch(run);
    }
    struct gf_distance_work work;
    return begin(run, NULL, &work);
}

static gf_status distance_cpu(const struct gf_apply_run *run, gf_error *error)
{
    (void)error;
    struct gf_distance_work work;
    struct gf_distance_part part;
    begin(run, run->scratch, &work);
    const int parts = work.bands < run->threads ? (int)work.bands : run->threads;
    gf_team_run(run->team, parts, find_ends, &work);
    lay_out(&work, work.own, &part);
    carry(&work, work.before, 0, 1, part.last);
    carry(&work, work.behind, work.bands - 1, -1, part.last);
    gf_team_run(run->team, parts, solve_bands, &work);
    return GF_OK;
}

const struct gf_kernel gf_kernel_distance = {
    .name = "distance",
    .kind = GF_KERNEL_WHOLE,
    .words = "distances to the nearest 0, down columns and along rows",
    .apply = {.cpu = distance_cpu, .cuda = gf_distance_cuda, .scratch = distance_scratch},
    .judge = gf_judge_distance,
};
