/* label on the CPU, by runs (label_runs.h): each thread finds those of its rows and unites them; where parts
 * meet roots are united; then each thread numbers, stores and measures what its runs belong to. */
#include "base/gf_order.h"
#include "base/team.h"
#include "pixel/label_runs.h"

#include <stdbool.h>
#include <string.h>

/* ---- numbers ---- */

static void find_runs(void *argument, int i, int n)
{
    (void)n;
    gf_label_find_runs(argument, i);
}

/* Is it the root of a region that is large enough? A mark is none. */
static bool is_kept(const struct gf_label_work *work, uint32_t run)
{
    const uint32_t area = work->area[run];
    return work->parent[run] == run && area >= work->args.min_area && area <= work->args.max_area &&
           area <= gf_label_mark(work->n_joined);
}

static void end_of_runs(const struct gf_label_work *work, int i, uint32_t *begin, uint32_t *end)
{
    *begin = work->begin[gf_label_first_row(work, i)];
    *end = work->end[gf_label_first_row(work, i + 1) - 1];
}

static void count_regions(void *argument, int i, int n)
{
    (void)n;
    struct gf_label_work *work = argument;
    uint32_t run, end;
    uint64_t count = 0;
    for (end_of_runs(work, i, &run, &end); run < end; run++) {
        count += is_kept(work, run);
    }
    work->counts[i] = count;
}

/* Takes the area of what a run belongs to. */
static void drop(struct gf_label_work *work, uint32_t run)
{
    uint32_t root = work->parent[run];
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

/* areas become numbers, in the order of the roots. */
static void number_regions(void *argument, int i, int n)
{
    (void)n;
    struct gf_label_work *work = argument;
    struct gf_region *regions = work->run->out[2].data;
    uint32_t run, end, number = (uint32_t)work->counts[i];
    for (end_of_runs(work, i, &run, &end); run < end; run++) {
        if (is_kept(work, run)) {
            regions[number] = (struct gf_region){
                .area = work->area[run], .left = UINT32_MAX, .top = UINT32_MAX, .least = UINT32_MAX};
            work->area[run] = ++number;
        } else if (work->area[run] <= gf_label_mark(work->n_joined)) {
            work->area[run] = 0;
        }
    }
}

/* ---- results ---- */

/* Of a run of pixels side by side. */
static void measure(struct gf_region *region, uint64_t first, uint64_t end, uint64_t y)
{
    region->sum_x += (end - first) * (first + end - 1) / 2;
    region->sum_y += (end - first) * y;
    region->left = first < region->left ? (uint32_t)first : region->left;
    region->right = end - 1 > region->right ? (uint32_t)(end - 1) : region->right;
    region->top = y < region->top ? (uint32_t)y : region->top;
    region->bottom = y > region->bottom ? (uint32_t)y : region->bottom;
}

/* Their samples one by one. */
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

static void measure_samples(const struct gf_label_work *work, int64_t y, int64_t first, int64_t end,
                            struct gf_region *region)
{
    const struct gf_value *in = &work->run->in_values[0];
    const uint8_t *row = (const uint8_t *)work->run->in[0].data + y * work->run->in[0].pitch;
    int64_t x = first;
    /* Eight bytes at a time, fewer without asking how many there are; most are alike. */
    for (; in->depth == GF_U8 && in->channels == 1 && x < end && x + 8 <= work->width; x += 8) {
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

/* Numbers of columns `first` to end - 1, eight at a time: what lies behind is stored later. */
static void store_numbers(uint32_t *row, int64_t width, int64_t first, int64_t end, uint32_t number)
{
    uint32_t eight[8] = {number, number, number, number, number, number, number, number};
    int64_t x = first;
    for (; x < end && x + 8 <= width; x += 8) {
        memcpy(row + x, eight, sizeof eight);
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

/* The number of a run's region, 0 if it is none, and where its measures are added up. */
static uint32_t region_of(const struct gf_label_work *work, uint32_t run, struct gf_region **region)
{
    uint32_t at = work->parent[run], number = work->area[at];
    if (number > gf_label_mark(work->n_joined)) {
        struct gf_label_joined *joined = &work->joined[UINT32_MAX - number];
        number = work->area[joined->root];
        *region = &joined->sums;
    } else {
        *region = (struct gf_region *)work->run->out[2].data + number - (number > 0);
    }
    return number;
}

static void finish_row(const struct gf_label_work *work, int64_t y)
{
    const bool numbers = work->args.output == GF_LABEL_NUMBERS;
    char *row = (char *)work->run->out[0].data + y * work->run->out[0].pitch;
    int64_t done = 0; /* columns */
    if (!numbers) {
        memset(row, 0, (size_t)work->width * gf_depth_size(work->run->out_values[0].depth));
    }
    for (uint32_t run = work->begin[y]; run < work->end[y]; run++) {
        int64_t first = work->runs[run].first, end = work->runs[run].end;
        struct gf_region *region;
        uint32_t number = region_of(work, run, &region);
        if (numbers) {
            store_numbers((uint32_t *)(void *)row, work->width, done, first, 0);
            store_numbers((uint32_t *)(void *)row, work->width, first, end, number);
        } else if (number) {
            store_samples(work, y, first, end);
        }
        if (number) {
            measure(region, (uint64_t)first, (uint64_t)end, (uint64_t)y);
            measure_samples(work, y, first, end, region);
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
    for (int64_t y = gf_label_first_row(work, i); y < gf_label_first_row(work, i + 1); y++) {
        finish_row(work, y);
    }
}

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

/* Divides the scratch, or tells its size where that is NULL. */
static size_t divide(struct gf_label_work *work, const struct gf_apply_run *run)
{
    *work = (struct gf_label_work){
        .run = run, .width = run->in_values[0].width, .height = run->in_values[0].height};
    gf_args_get(&run->apply->args, &work->args, sizeof work->args);
    work->most = work->args.equal ? work->width : (work->width + 1) / 2;
    work->parts = work->height < run->threads ? (int32_t)work->height : run->threads;
    size_t joined = 2 * (size_t)work->most * (size_t)(work->parts - 1);
    if ((uint64_t)(work->width * work->height) + joined >= UINT32_MAX) {
        work->parts = 1;
        joined = 0;
    }
    const size_t rows = (size_t)work->height, runs = rows * (size_t)work->most, parts = (size_t)work->parts;
    const struct {
        void *to;
        size_t bytes;
    } arrays[] = {{&work->joined, joined * sizeof *work->joined},
                  {&work->bits, parts * (((size_t)work->width + 63) / 64) * sizeof *work->bits},
                  {&work->counts, parts * sizeof *work->counts},
                  {&work->runs, runs * sizeof *work->runs},
                  {&work->parent, runs * sizeof *work->parent},
                  {&work->area, runs * sizeof *work->area},
                  {&work->begin, rows * sizeof *work->begin},
                  {&work->end, rows * sizeof *work->end},
                  {&work->lines, 2 * parts * (size_t)work->width * sizeof *work->lines}};
    size_t total = 0;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        void *at = run->scratch ? (char *)run->scratch + total : NULL;
        memcpy(arrays[i].to, &at, sizeof at);
        total += (arrays[i].bytes + 63) / 64 * 64;
    }
    return total;
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
    gf_team_run(run->team, work.parts, find_runs, &work);
    gf_label_join(&work);
    if (work.args.drops_border) {
        drop_border(&work);
    }
    gf_team_run(run->team, work.parts, count_regions, &work);
    uint64_t *counts = run->out[1].data, all = 0;
    for (int i = 0; i < work.parts; i++) {
        uint64_t own = work.counts[i];
        work.counts[i] = all;
        all += own;
    }
    counts[0] = counts[1] = all;
    gf_team_run(run->team, work.parts, number_regions, &work);
    gf_team_run(run->team, work.parts, finish_rows, &work);
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
