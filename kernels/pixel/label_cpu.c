/* label on the CPU, by pieces of rows (label_pieces.h): each thread finds those of its rows and unites them;
 * where parts meet roots are united; labels become numbers; then each thread stores and measures what its
 * pieces belong to. */
#include "base/cpu_level.h"
#include "base/planted_fault.h"
#include "base/team.h"
#include "pixel/label_pieces.h"

#include <stdbool.h>
#include <string.h>

/* ---- numbers ---- */

static void find_pieces(void *argument, int i, int n)
{
    (void)n;
    struct gf_label_work *work = argument;
    gf_label_find_pieces(work, &work->parts[i]);
}

/* Is it the root of a region that is large enough? A mark is none. */
static bool is_kept(const struct gf_label_work *work, uint32_t label)
{
    const uint32_t area = work->area[label];
    return work->parent[label] == label && area >= work->args.min_area && area <= work->args.max_area &&
           area <= gf_label_mark(work->n_joined) && GF_LABEL_RANK(area, label) >= work->least_rank;
}

static void count_regions(void *argument, int i, int n)
{
    (void)n;
    struct gf_label_work *work = argument;
    struct gf_label_part *part = &work->parts[i];
    part->count = 0;
    for (uint32_t label = part->at; label < part->labels; label++) {
        part->count += is_kept(work, label);
    }
}

/* Takes the area of what a piece belongs to. */
static void drop(struct gf_label_work *work, uint32_t piece)
{
    uint32_t root = work->parent[work->pieces[piece].label];
    if (work->area[root] > gf_label_mark(work->n_joined)) {
        root = work->joined[UINT32_MAX - work->area[root]].root;
    }
    work->area[root] = 0;
}

static void drop_border(struct gf_label_work *work)
{
    for (int64_t y = 0; y < work->height; y++) {
        const uint32_t first = work->begin[y], end = work->end[y];
        for (uint32_t i = first; i < end; i++) {
            if (y == 0 || y == work->height - 1 || work->pieces[i].first == 0 ||
                work->pieces[i].end == work->width) {
                drop(work, i);
            } else if (end - i > 2) {
                i = end - 2; /* then the last */
            }
        }
    }
}

/* The least rank of the largest regions, a byte after the other. Labels are in the order of first pixels. */
static void choose_largest(struct gf_label_work *work)
{
    uint64_t rank = 0, wanted = (uint64_t)(work->args.largest - GF_FAULT(label_choice));
    for (int shift = 56; shift >= 0; shift -= 8) {
        uint64_t counts[256] = {0};
        for (int i = 0; i < work->n_parts; i++) {
            for (uint32_t label = work->parts[i].at; label < work->parts[i].labels; label++) {
                const uint64_t own = GF_LABEL_RANK(work->area[label], label);
                if (is_kept(work, label) && own >> shift >> 8 == rank >> shift >> 8) {
                    counts[own >> shift & 255]++;
                }
            }
        }
        uint64_t byte = 255;
        for (; byte > 0 && wanted > counts[byte]; byte--) {
            wanted -= counts[byte];
        }
        rank |= byte << shift;
    }
    work->least_rank = rank;
}

/* Areas become numbers, in the order of the roots; labels have that, or the mark, of their root. */
static void number_regions(void *argument, int i, int n)
{
    (void)n;
    struct gf_label_work *work = argument;
    const struct gf_label_part *part = &work->parts[i];
    struct gf_region *regions = work->run->out[2].data;
    uint32_t number = (uint32_t)part->count;
    for (uint32_t label = part->at; label < part->labels; label++) {
        if (work->parent[label] != label) {
            work->area[label] = work->area[work->parent[label]];
        } else if (is_kept(work, label)) {
            regions[number] = (struct gf_region){
                .area = work->area[label], .left = UINT32_MAX, .top = UINT32_MAX, .least = UINT32_MAX};
            work->area[label] = ++number;
        } else if (work->area[label] <= gf_label_mark(work->n_joined)) {
            work->area[label] = 0;
        }
    }
}

/* ---- results ---- */

static void add(struct gf_region *to, const struct gf_region *part)
{
    to->sum_x += part->sum_x;
    to->sum_y += part->sum_y;
    to->sum_v += part->sum_v;
    to->least = part->least < to->least ? part->least : to->least;
    to->greatest = part->greatest > to->greatest ? part->greatest : to->greatest;
    to->left = part->left < to->left ? part->left : to->left;
    to->top = part->top < to->top ? part->top : to->top;
    to->right = part->right > to->right ? part->right : to->right;
    to->bottom = part->bottom > to->bottom ? part->bottom : to->bottom;
}

/* The number of a piece's region, 0 if it is none, and where its measures are added up. */
static uint32_t region_of(const struct gf_label_work *work, const struct gf_label_piece *piece,
                          struct gf_region **region)
{
    uint32_t number = work->area[piece->label];
    if (number > gf_label_mark(work->n_joined)) {
        struct gf_label_joined *joined = &work->joined[UINT32_MAX - number];
        number = work->area[joined->root];
        *region = &joined->sums;
    } else {
        *region = (struct gf_region *)work->run->out[2].data + number - (number > 0);
    }
    return number;
}

static const void *pixel_at(const struct gf_label_work *work, int64_t x, int64_t y)
{
    const struct gf_value *in = &work->run->in_values[0];
    return (const char *)gf_label_row(work, y) + (size_t)x * (size_t)in->channels * gf_depth_size(in->depth);
}

static void measure(const struct gf_label_work *work, const uint64_t *bits,
                    const struct gf_label_piece *piece, int64_t y, struct gf_region *region)
{
    const struct gf_value *in = &work->run->in_values[0];
    struct gf_label_sums sums = {.least = UINT32_MAX};
    work->rows->count(bits, piece->first, piece->end, &sums);
    work->rows->measure(pixel_at(work, piece->first, y), in->depth, in->channels, piece->end - piece->first,
                        &sums);
    const struct gf_region own = {.sum_x = sums.x,
                                  .sum_y = sums.count * (uint64_t)y,
                                  .sum_v = sums.v,
                                  .left = piece->first,
                                  .top = (uint32_t)y,
                                  .right = piece->end - 1,
                                  .bottom = (uint32_t)y,
                                  .least = sums.least,
                                  .greatest = sums.greatest};
    add(region, &own);
}

static void store_samples(const struct gf_label_work *work, int64_t y, int64_t first, int64_t end)
{
    gf_depth depth = work->run->out_values[0].depth;
    char *row = (char *)work->run->out[0].data + y * work->run->out[0].pitch;
    for (int64_t x = first; x < end; x++) {
        const float sample = gf_label_sample(work, x, y);
        const float v = !(sample > 0 || sample < 0)          ? 0
                        : work->args.output == GF_LABEL_MASK ? (float)gf_depth_white(depth)
                                                             : sample;
        if (depth == GF_U8) {
            ((uint8_t *)row)[x] = (uint8_t)v;
        } else if (depth == GF_U16) {
            ((uint16_t *)row)[x] = (uint16_t)v;
        } else {
            ((float *)row)[x] = v;
        }
    }
}

static void finish_row(const struct gf_label_work *work, int64_t y, uint64_t *bits)
{
    const struct gf_value *in = &work->run->in_values[0];
    const bool numbers = work->args.output == GF_LABEL_NUMBERS;
    char *row = (char *)work->run->out[0].data + y * work->run->out[0].pitch;
    const size_t size = numbers ? sizeof(uint32_t) : gf_depth_size(work->run->out_values[0].depth);
    gf_label_bits(work, y, bits);
    memset(row, 0, (size_t)work->width * size);
    for (uint32_t i = work->begin[y]; i < work->end[y]; i++) {
        const struct gf_label_piece *piece = &work->pieces[i];
        struct gf_region *region;
        const uint32_t number = region_of(work, piece, &region);
        if (!number) {
            continue;
        }
        if (numbers) {
            work->rows->numbers(pixel_at(work, piece->first, y), in->depth, in->channels,
                                piece->end - piece->first, number, (uint32_t *)(void *)row + piece->first);
        } else {
            store_samples(work, y, piece->first, piece->end);
        }
        measure(work, bits, piece, y, region);
    }
}

static void finish_rows(void *argument, int i, int n)
{
    (void)n;
    const struct gf_label_work *work = argument;
    for (int64_t y = work->parts[i].first; y < work->parts[i].end; y++) {
        finish_row(work, y, work->parts[i].bits[0]);
    }
}

static void add_joined(const struct gf_label_work *work)
{
    struct gf_region *regions = work->run->out[2].data;
    for (uint32_t i = 0; i < work->n_joined; i++) {
        uint32_t number = work->area[work->joined[i].root];
        if (number) {
            add(&regions[number - 1], &work->joined[i].sums);
        }
    }
}

/* ---- the whole ---- */

/* Takes the next array of the scratch, if there is one. */
static void *take(const struct gf_label_work *work, size_t *used, size_t bytes)
{
    void *at = work->run->scratch ? (char *)work->run->scratch + *used : NULL;
    *used += (bytes + 63) / 64 * 64;
    return at;
}

static void divide_parts(struct gf_label_work *work, size_t *used)
{
    const int64_t each = work->height / work->n_parts, rest = work->height % work->n_parts;
    const size_t width = (size_t)work->width;
    int64_t row = 0;
    for (int32_t i = 0; i < work->n_parts; i++) {
        struct gf_label_part part = {
            .first = row, .end = row + each + (i < rest), .at = (uint32_t)(row * work->most)};
        for (int k = 0; k < 2; k++) {
            part.bits[k] = take(work, used, (width + 63) / 64 * sizeof *part.bits[k]);
            part.lines[k] = take(work, used, work->args.equal ? width * sizeof *part.lines[k] : 0);
        }
        part.touching = take(work, used, (width + 63) / 64 * sizeof *part.touching);
        part.loose = take(work, used, (width + 63) / 64 * sizeof *part.loose);
        row = part.end;
        if (work->parts) {
            work->parts[i] = part;
        }
    }
}

/* Divides the scratch, or tells its size where that is NULL. */
static size_t divide(struct gf_label_work *work, const struct gf_apply_run *run)
{
    *work = (struct gf_label_work){.run = run,
                                   .rows = GF_LEVEL_BEST(&gf_label_rows),
                                   .width = run->in_values[0].width,
                                   .height = run->in_values[0].height};
    gf_args_get(&run->apply->args, &work->args, sizeof work->args);
    work->most = work->args.equal ? work->width : (work->width + 1) / 2;
    work->n_parts = work->height < run->threads ? (int32_t)work->height : run->threads;
    uint64_t joined = 2 * (uint64_t)work->most * (uint64_t)(work->n_parts - 1);
    if ((uint64_t)(work->width * work->height) + joined >= UINT32_MAX) {
        work->n_parts = 1;
        joined = 0;
    }
    const size_t rows = (size_t)work->height, pieces = rows * (size_t)work->most;
    size_t used = 0;
    work->parts = take(work, &used, (size_t)work->n_parts * sizeof *work->parts);
    work->joined = take(work, &used, (size_t)joined * sizeof *work->joined);
    work->pieces = take(work, &used, pieces * sizeof *work->pieces);
    work->parent = take(work, &used, pieces * sizeof *work->parent);
    work->area = take(work, &used, pieces * sizeof *work->area);
    work->begin = take(work, &used, rows * sizeof *work->begin);
    work->end = take(work, &used, rows * sizeof *work->end);
    divide_parts(work, &used);
    return used;
}

static size_t label_scratch(const struct gf_apply_run *run)
{
#if GF_HAVE_CUDA
    if (run->queue.device >= 0) {
        return gf_label_cuda_scratch(run);
    }
#endif
    struct gf_label_work work;
    return divide(&work, run);
}

static gf_status label_cpu(const struct gf_apply_run *run, gf_error *error)
{
    (void)error;
    struct gf_label_work work;
    divide(&work, run);
    gf_team_run(run->team, work.n_parts, find_pieces, &work);
    gf_label_join(&work);
    if (work.args.drops_border) {
        drop_border(&work);
    }
    if (work.args.largest > 0) {
        choose_largest(&work);
    }
    gf_team_run(run->team, work.n_parts, count_regions, &work);
    uint64_t *counts = run->out[1].data, all = 0;
    for (int i = 0; i < work.n_parts; i++) {
        uint64_t own = work.parts[i].count;
        work.parts[i].count = all;
        all += own;
    }
    counts[0] = counts[1] = all;
    gf_team_run(run->team, work.n_parts, number_regions, &work);
    gf_team_run(run->team, work.n_parts, finish_rows, &work);
    add_joined(&work);
    return GF_OK;
}

const struct gf_kernel gf_kernel_label = {
    .name = "label",
    .kind = GF_KERNEL_WHOLE,
    .apply_cpu = label_cpu,
    .apply_cuda = GF_CUDA_FN(gf_label_cuda),
    .apply_scratch = label_scratch,
    .judge = gf_judge_label,
    .words = "connected regions, numbered and measured",
};
