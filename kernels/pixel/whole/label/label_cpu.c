/* label on the CPU, by pieces of rows (label_pieces.h): each thread finds those of its rows and unites them;
 * where parts meet roots are united; labels become numbers; then each thread stores and measures what its
 * pieces belong to. */
#include "base/cpu_level.h"
#include "base/planted_fault.h"
#include "base/team.h"
#include "pixel/whole/label/label_pieces.h"

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
        gf_label_choose_byte(counts, shift, &wanted, &rank);
    }
    work->least_rank = rank;
}

/* Areas become numbers, in the order of the roots; labels have that, or the mark, of their root. */
static void number_regions(void *argument, int i, int n)
{
    (void)n;
    struct gf_label_work *work = argument;
    const struct gf_label_part *part = &work->parts[i];
    uint32_t number = (uint32_t)part->count;
    for (uint32_t label = part->at; label < part->labels; label++) {
        if (work->parent[label] != label) {
            work->area[label] = work->area[work->parent[label]];
        } else if (is_kept(work, label)) {
            if (work->regions) {
                work->regions[number] = (struct gf_region){
                    .area = work->area[label], .left = UINT32_MAX, .top = UINT32_MAX, .least = UINT32_MAX};
            }
            work->area[label] = ++number;
        } else if (work->area[label] <= gf_label_mark(work->n_joined)) {
            work->area[label] = 0;
        }
    }
}

/* ---- results ---- */

void gf_label_add(struct gf_region *to, const struct gf_region *part)
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

/* The number of a piece's region, 0 if it is none. */
static uint32_t number_of(const struct gf_label_work *work, const struct gf_label_piece *piece)
{
    uint32_t number = work->area[piece->label];
    if (number > gf_label_mark(work->n_joined)) {
        number = work->area[work->joined[UINT32_MAX - number].root];
    }
    return number && work->finals ? work->finals[number - 1] : number;
}

/* Returns where the measures of a piece that has a number are added up. */
static struct gf_region *sums_of(const struct gf_label_work *work, const struct gf_label_piece *piece)
{
    const uint32_t number = work->area[piece->label];
    return number > gf_label_mark(work->n_joined) ? &work->joined[UINT32_MAX - number].sums
                                                  : &work->regions[number - 1];
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
    gf_label_add(region, &own);
}

/* Stores a row; where a pixel has a number: white, or itself. */
#define DEFINE_STORE(type)                                                                                   \
    static void store_##type(const struct gf_label_work *work, int64_t y, const uint32_t *numbers, type *to) \
    {                                                                                                        \
        const type *const from = gf_label_row(work, y);                                                      \
        const int32_t channels = work->run->in_values[0].channels;                                           \
        const type white = (type)gf_depth_white(work->run->out_values[0].depth);                             \
        if (work->args.output == GF_LABEL_MASK) {                                                            \
            for (int64_t x = 0; x < work->width; x++) {                                                      \
                to[x] = numbers[x] ? white : 0;                                                              \
            }                                                                                                \
            return;                                                                                          \
        }                                                                                                    \
        for (int64_t x = 0; x < work->width; x++) {                                                          \
            to[x] = numbers[x] ? from[x * channels] : 0;                                                     \
        }                                                                                                    \
    }
DEFINE_STORE(uint8_t)
DEFINE_STORE(uint16_t)
DEFINE_STORE(float)

static void store_colours(const uint32_t *colours, int64_t width, uint8_t *row)
{
    for (int64_t x = 0; x < width; x++) {
        row[3 * x] = (uint8_t)colours[x];
        row[3 * x + 1] = (uint8_t)(colours[x] >> 8);
        row[3 * x + 2] = (uint8_t)(colours[x] >> 16);
    }
}

void gf_label_number_row(const struct gf_label_work *work, int64_t y, bool colours, uint32_t *to)
{
    const struct gf_value *in = &work->run->in_values[0];
    memset(to, 0, (size_t)work->width * sizeof *to);
    for (uint32_t i = work->begin[y]; i < work->end[y]; i++) {
        const struct gf_label_piece *piece = &work->pieces[i];
        const uint32_t number = number_of(work, piece);
        if (number) {
            work->rows->numbers(pixel_at(work, piece->first, y), in->depth, in->channels,
                                piece->end - piece->first, colours ? gf_label_colour(number) : number,
                                to + piece->first);
        }
    }
}

static void store_row(const struct gf_label_work *work, const struct gf_label_part *part, int64_t y)
{
    void *const row = (char *)work->run->out[0].data + y * work->run->out[0].pitch;
    if (work->args.output == GF_LABEL_NUMBERS) {
        gf_label_number_row(work, y, false, row);
        return;
    }
    const bool colours = work->args.output == GF_LABEL_COLOURS;
    gf_label_number_row(work, y, colours, part->numbers);
    if (colours) {
        store_colours(part->numbers, work->width, row);
    } else if (work->run->out_values[0].depth == GF_U8) {
        store_uint8_t(work, y, part->numbers, row);
    } else if (work->run->out_values[0].depth == GF_U16) {
        store_uint16_t(work, y, part->numbers, row);
    } else {
        store_float(work, y, part->numbers, row);
    }
}

static void measure_row(const struct gf_label_work *work, const struct gf_label_part *part, int64_t y)
{
    gf_label_bits(work, y, part->bits[0]);
    for (uint32_t i = work->begin[y]; i < work->end[y]; i++) {
        const struct gf_label_piece *piece = &work->pieces[i];
        if (number_of(work, piece)) {
            measure(work, part->bits[0], piece, y, sums_of(work, piece));
        }
    }
}

static void finish_rows(void *argument, int i, int n)
{
    (void)n;
    const struct gf_label_work *work = argument;
    for (int64_t y = work->parts[i].first; y < work->parts[i].end; y++) {
        if (work->run->out[0].data) {
            store_row(work, &work->parts[i], y);
        }
        if (work->regions) {
            measure_row(work, &work->parts[i], y);
        }
    }
}

static void add_joined(const struct gf_label_work *work)
{
    for (uint32_t i = 0; i < work->n_joined; i++) {
        uint32_t number = work->area[work->joined[i].root];
        if (number) {
            gf_label_add(&work->regions[number - 1], &work->joined[i].sums);
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
        part.numbers =
            take(work, used, work->args.output == GF_LABEL_NUMBERS ? 0 : width * sizeof *part.numbers);
        row = part.end;
        if (work->parts) {
            work->parts[i] = part;
        }
    }
}

size_t gf_label_divide(struct gf_label_work *work, const struct gf_apply_run *run)
{
    *work = (struct gf_label_work){.run = run,
                                   .rows = GF_LEVEL_BEST(&gf_label_rows),
                                   .width = run->in_values[0].width,
                                   .height = run->in[0].rows.count};
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
    if (run->queue.device >= 0) {
        return gf_label_cuda_scratch(run);
    }
    struct gf_label_work work;
    return gf_label_divide(&work, run);
}

uint64_t gf_label_count(struct gf_label_work *work)
{
    struct gf_team *const team = work->run->team;
    gf_team_run(team, work->n_parts, find_pieces, work);
    gf_label_join(work);
    if (work->args.drops_border) {
        drop_border(work);
    }
    if (work->args.largest > 0) {
        choose_largest(work);
    }
    gf_team_run(team, work->n_parts, count_regions, work);
    uint64_t all = 0;
    for (int i = 0; i < work->n_parts; i++) {
        uint64_t own = work->parts[i].count;
        work->parts[i].count = all;
        all += own;
    }
    return all;
}

void gf_label_number(struct gf_label_work *work)
{
    gf_team_run(work->run->team, work->n_parts, number_regions, work);
}

void gf_label_finish(struct gf_label_work *work)
{
    gf_team_run(work->run->team, work->n_parts, finish_rows, work);
    if (work->regions) {
        add_joined(work);
    }
}

static gf_status label_cpu(const struct gf_apply_run *run, gf_error *error)
{
    (void)error;
    struct gf_label_work work;
    uint64_t *counts = run->out[1].data;
    gf_label_divide(&work, run);
    work.regions = run->out[2].data;
    counts[0] = counts[1] = gf_label_count(&work);
    gf_label_number(&work);
    gf_label_finish(&work);
    return GF_OK;
}

const struct gf_kernel gf_kernel_label = {
    .name = "label",
    .kind = GF_KERNEL_WHOLE,
    .words = "connected regions, numbered and measured",
    .apply = {.cpu = label_cpu,
              .cuda = gf_label_cuda,
              .scratch = label_scratch,
              .by_bands = &gf_label_by_bands},
    .judge = gf_judge_label,
};
