/* label on the CPU, by runs (label_runs.h): each thread finds those of its rows and unites them; where parts
 * meet roots are united; labels become numbers; then each thread stores and measures what its runs belong to.
 */
#include "base/gf_order.h"
#include "base/team.h"
#include "pixel/label_runs.h"

#include <stdbool.h>
#include <string.h>

/* ---- numbers ---- */

static void find_runs(void *argument, int i, int n)
{
    (void)n;
    struct gf_label_work *work = argument;
    gf_label_find_runs(work, &work->parts[i]);
}

/* Is it the root of a region that is large enough? A mark is none. */
static bool is_kept(const struct gf_label_work *work, uint32_t label)
{
    const uint32_t area = work->area[label];
    return work->parent[label] == label && area >= work->args.min_area && area <= work->args.max_area &&
           area <= gf_label_mark(work->n_joined);
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

/* Takes the area of what a run belongs to. */
static void drop(struct gf_label_work *work, uint32_t run)
{
    uint32_t root = work->parent[work->labels[run]];
    if (work->area[root] > gf_label_mark(work->n_joined)) {
        root = work->joined[UINT32_MAX - work->area[root]].root;
    }
    work->area[root] = 0;
}

static void drop_border(struct gf_label_work *work)
{
    for (int64_t y = 0; y < work->height; y++) {
        const uint32_t first = work->begin[y], end = work->end[y];
        for (uint32_t run = first; run < end; run++) {
            if (y == 0 || y == work->height - 1 || work->runs[run].first == 0 ||
                work->runs[run].end == work->width) {
                drop(work, run);
            } else if (end - run > 2) {
                run = end - 2; /* then the last */
            }
        }
    }
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

/* Samples of columns `first` to end - 1, one by one. */
static void measure_each(const struct gf_label_work *work, int64_t y, int64_t first, int64_t end,
                         struct gf_region *region)
{
    const bool is_float = work->run->in_values[0].depth == GF_F32;
    for (int64_t x = first; x < end; x++) {
        const float v = gf_label_sample(work, x, y);
        const uint32_t key = is_float ? gf_key_f32(v) : (uint32_t)v;
        region->sum_v += is_float ? 0 : key;
        region->least = key < region->least ? key : region->least;
        region->greatest = key > region->greatest ? key : region->greatest;
    }
}

/* Bytes of one channel, eight at a time, fewer without asking how many there are; most are alike. */
static inline void measure_bytes(const struct gf_label_work *work, int64_t y, int64_t first, int64_t end,
                                 struct gf_region *region)
{
    const uint8_t *row = (const uint8_t *)work->run->in[0].data + y * work->run->in[0].pitch;
    int64_t x = first;
    for (; x < end && x + 8 <= work->width; x += 8) {
        const uint64_t mask = end - x < 8 ? (1ULL << 8 * (end - x)) - 1 : UINT64_MAX;
        uint64_t eight;
        memcpy(&eight, row + x, sizeof eight);
        if (((eight ^ row[x] * 0x0101010101010101U) & mask) != 0) {
            measure_each(work, y, x, end - x < 8 ? end : x + 8, region);
            continue;
        }
        region->sum_v += (uint64_t)row[x] * (uint64_t)(end - x < 8 ? end - x : 8);
        region->least = row[x] < region->least ? row[x] : region->least;
        region->greatest = row[x] > region->greatest ? row[x] : region->greatest;
    }
    if (x < end) {
        measure_each(work, y, x, end, region);
    }
}

/* Where the measures of a run are added up; NULL: it belongs to no region. */
static struct gf_region *region_of(const struct gf_label_work *work, uint32_t run)
{
    uint32_t number = work->area[work->labels[run]];
    if (number > gf_label_mark(work->n_joined)) {
        struct gf_label_joined *joined = &work->joined[UINT32_MAX - number];
        return work->area[joined->root] ? &joined->sums : NULL;
    }
    return number ? (struct gf_region *)work->run->out[2].data + number - 1 : NULL;
}

/* Runs of one region, one behind the other, are added up before they go to it. */
static void measure_row(const struct gf_label_work *work, int64_t y)
{
    const struct gf_value *in = &work->run->in_values[0];
    const bool bytes = in->depth == GF_U8 && in->channels == 1;
    const struct gf_region none = {
        .left = UINT32_MAX, .top = (uint32_t)y, .bottom = (uint32_t)y, .least = UINT32_MAX};
    struct gf_region here = none, *region = NULL;
    for (uint32_t run = work->begin[y]; run < work->end[y]; run++) {
        const uint64_t first = work->runs[run].first, end = work->runs[run].end;
        struct gf_region *own = region_of(work, run);
        if (own != region) {
            if (region) {
                add(region, &here);
            }
            here = none;
            region = own;
        }
        here.sum_x += (end - first) * (first + end - 1) / 2;
        here.sum_y += (end - first) * (uint64_t)y;
        here.left = first < here.left ? (uint32_t)first : here.left;
        here.right = end - 1 > here.right ? (uint32_t)(end - 1) : here.right;
        if (bytes) {
            measure_bytes(work, y, (int64_t)first, (int64_t)end, &here);
        } else {
            measure_each(work, y, (int64_t)first, (int64_t)end, &here);
        }
    }
    if (region) {
        add(region, &here);
    }
}

/* Anywhere in memory. */
typedef uint32_t eight_numbers __attribute__((vector_size(32), aligned(4), may_alias));

/* Numbers of columns `first` to end - 1, eight at a time: what lies behind is stored later. */
static void store_numbers(uint32_t *row, int64_t width, int64_t first, int64_t end, uint32_t number)
{
    const eight_numbers none = {0}, eight = none + number;
    int64_t x = first;
    for (; x < end && x + 8 <= width; x += 8) {
        *(eight_numbers *)(row + x) = eight;
    }
    for (; x < end; x++) {
        row[x] = number;
    }
}

static void store_samples(const struct gf_label_work *work, int64_t y, int64_t first, int64_t end)
{
    gf_depth depth = work->run->out_values[0].depth;
    char *row = (char *)work->run->out[0].data + y * work->run->out[0].pitch;
    for (int64_t x = first; x < end; x++) {
        float v =
            work->args.output == GF_LABEL_MASK ? (float)gf_depth_white(depth) : gf_label_sample(work, x, y);
        if (depth == GF_U8) {
            ((uint8_t *)row)[x] = (uint8_t)v;
        } else if (depth == GF_U16) {
            ((uint16_t *)row)[x] = (uint16_t)v;
        } else {
            ((float *)row)[x] = v;
        }
    }
}

/* The number of a run's region, 0 if it is none. */
static uint32_t number_of(const struct gf_label_work *work, uint32_t run)
{
    const uint32_t number = work->area[work->labels[run]];
    return number > gf_label_mark(work->n_joined) ? work->area[work->joined[UINT32_MAX - number].root]
                                                  : number;
}

static void store_row(const struct gf_label_work *work, int64_t y)
{
    const bool numbers = work->args.output == GF_LABEL_NUMBERS;
    char *row = (char *)work->run->out[0].data + y * work->run->out[0].pitch;
    int64_t done = 0; /* columns */
    if (!numbers) {
        memset(row, 0, (size_t)work->width * gf_depth_size(work->run->out_values[0].depth));
    }
    for (uint32_t run = work->begin[y]; run < work->end[y]; run++) {
        const int64_t first = work->runs[run].first, end = work->runs[run].end;
        const uint32_t number = number_of(work, run);
        if (numbers) {
            store_numbers((uint32_t *)(void *)row, work->width, done, first, 0);
            store_numbers((uint32_t *)(void *)row, work->width, first, end, number);
        } else if (number) {
            store_samples(work, y, first, end);
        }
        done = end;
    }
    if (numbers) {
        store_numbers((uint32_t *)(void *)row, work->width, done, work->width, 0);
    }
}

static void finish_rows(void *argument, int i, int n)
{
    (void)n;
    const struct gf_label_work *work = argument;
    for (int64_t y = work->parts[i].first; y < work->parts[i].end; y++) {
        store_row(work, y);
        measure_row(work, y);
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
        struct gf_label_part part = {.first = row,
                                     .end = row + each + (i < rest),
                                     .at = (uint32_t)(row * work->most + i * GF_LABEL_SLACK)};
        part.pairs = take(work, used, (4 * (size_t)work->most + 1) * sizeof *part.pairs);
        part.bits = take(work, used, (width + 63) / 64 * sizeof *part.bits);
        part.lines = take(work, used, 2 * width * sizeof *part.lines);
        row = part.end;
        if (work->parts) {
            work->parts[i] = part;
        }
    }
}

/* Divides the scratch, or tells its size where that is NULL. */
static size_t divide(struct gf_label_work *work, const struct gf_apply_run *run)
{
    *work = (struct gf_label_work){
        .run = run, .width = run->in_values[0].width, .height = run->in_values[0].height};
    gf_args_get(&run->apply->args, &work->args, sizeof work->args);
    work->most = work->args.equal ? work->width : (work->width + 1) / 2;
    work->n_parts = work->height < run->threads ? (int32_t)work->height : run->threads;
    uint64_t joined = 2 * (uint64_t)work->most * (uint64_t)(work->n_parts - 1);
    const uint64_t slack = (uint64_t)work->n_parts * GF_LABEL_SLACK;
    if ((uint64_t)(work->width * work->height) + joined + slack >= UINT32_MAX) {
        work->n_parts = 1;
        joined = 0;
    }
    const size_t rows = (size_t)work->height;
    const size_t runs = rows * (size_t)work->most + (size_t)work->n_parts * GF_LABEL_SLACK;
    size_t used = 0;
    work->parts = take(work, &used, (size_t)work->n_parts * sizeof *work->parts);
    work->joined = take(work, &used, (size_t)joined * sizeof *work->joined);
    work->runs = take(work, &used, runs * sizeof *work->runs);
    work->labels = take(work, &used, runs * sizeof *work->labels);
    work->parent = take(work, &used, runs * sizeof *work->parent);
    work->area = take(work, &used, runs * sizeof *work->area);
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
    gf_team_run(run->team, work.n_parts, find_runs, &work);
    gf_label_join(&work);
    if (work.args.drops_border) {
        drop_border(&work);
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
