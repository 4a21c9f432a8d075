/* label on the CPU: union-find, whose roots are the first pixels of their regions. Threads unite what lies in
 * their own rows; the rest is one walk over the picture in raster order. */
#include "base/planted_fault.h"
#include "base/team.h"
#include "pixel/label.h"

#include <stdbool.h>
#include <string.h>

#define OUTSIDE UINT32_MAX

struct work {
    const struct gf_apply_run *run;
    struct gf_label_args args;
    int64_t width, height;
    uint32_t *parent; /* of each pixel one before it or itself, or OUTSIDE; later its number */
    uint32_t *areas;  /* by number */
};

static float sample_at(const struct work *work, int64_t x, int64_t y)
{
    const char *row = (const char *)work->run->in[0].data + y * work->run->in[0].pitch;
    int64_t i = x * work->run->in_values[0].channels;
    switch (work->run->in_values[0].depth) {
    case GF_U8:
        return ((const uint8_t *)row)[i];
    case GF_U16:
        return ((const uint16_t *)row)[i];
    default:
        return ((const float *)row)[i];
    }
}

static uint32_t find(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* The lower root stays. */
static void unite(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = find(parent, a);
    b = find(parent, b);
    if (a < b) {
        parent[b] = a;
    } else {
        parent[a] = b;
    }
}

/* With the neighbour at dx, dy, if there is one that belongs to the same region: whether there is. */
static bool meet(const struct work *work, int64_t x, int64_t y, int dx, int dy)
{
    int64_t other = (y + dy) * work->width + x + dx, own = y * work->width + x;
    if (x + dx < 0 || x + dx >= work->width || work->parent[other] == OUTSIDE ||
        (work->args.equal && sample_at(work, x, y) != sample_at(work, x + dx, y + dy))) {
        return false;
    }
    unite(work->parent, (uint32_t)own, (uint32_t)other);
    return true;
}

/* What is right above has the corners beside it in its own region, where they belong to this one. */
static void meet_above(const struct work *work, int64_t x, int64_t y)
{
    if (!meet(work, x, y, 0, -1) && work->args.connectivity == 8) {
        meet(work, x, y, -1, -1);
        meet(work, x, y, 1, -1);
    }
}

static int64_t first_row(const struct work *work, int i, int n)
{
    return work->height / n * i + (work->height % n < i ? work->height % n : i);
}

static void unite_rows(void *argument, int i, int n)
{
    const struct work *work = argument;
    int64_t first = first_row(work, i, n), end = first_row(work, i + 1, n);
    for (int64_t y = first; y < end; y++) {
        for (int64_t x = 0; x < work->width; x++) {
            int64_t at = y * work->width + x;
            float v = sample_at(work, x, y);
            bool is = v < 0 || v > 0; /* NaN is not */
            work->parent[at] = is ? (uint32_t)at : OUTSIDE;
            if (is) {
                meet(work, x, y, -1, 0);
            }
            if (is && y > first) {
                meet_above(work, x, y);
            }
        }
    }
}

/* Roots come before all other pixels of their regions: numbers take the place of parents in one walk. Returns
 * how many there are. */
static uint32_t number_regions(const struct work *work)
{
    uint32_t count = 0, *parent = work->parent;
    for (int64_t i = 0; i < work->width * work->height; i++) {
        uint32_t up = parent[i];
        if (up == OUTSIDE) {
            parent[i] = 0;
        } else if (up != (uint32_t)i) {
            parent[i] = parent[up];
            work->areas[parent[i]]++;
        } else {
            parent[i] = ++count;
            work->areas[count] = 1;
        }
    }
    return count;
}

/* Of the regions that are large enough: areas[] becomes the number that each then has, or 0. */
static uint32_t drop_small(const struct work *work, uint32_t count)
{
    struct gf_region *regions = work->run->out[2].data;
    uint32_t kept = 0;
    work->areas[0] = 0;
    for (uint32_t i = 1; i <= count; i++) {
        uint32_t area = work->areas[i];
        work->areas[i] = 0;
        if (area >= work->args.min_area) {
            regions[kept] = (struct gf_region){.area = area, .left = UINT32_MAX, .top = UINT32_MAX};
            work->areas[i] = ++kept;
        }
    }
    return kept;
}

static void measure(struct gf_region *region, int64_t x, int64_t y, uint64_t v)
{
    region->sum_x += (uint64_t)x;
    region->sum_y += (uint64_t)y;
    region->sum_v += v;
    region->left = x < region->left ? (uint32_t)x : region->left;
    region->right = x > region->right ? (uint32_t)x : region->right;
    region->top = y < region->top ? (uint32_t)y : region->top;
    region->bottom = y > region->bottom ? (uint32_t)y : region->bottom;
}

static void store(const struct work *work, int64_t x, int64_t y, uint32_t number, float v)
{
    const struct gf_plane *out = &work->run->out[0];
    gf_depth depth = work->run->out_values[0].depth;
    char *row = (char *)out->data + y * out->pitch;
    float made = !number ? 0 : work->args.output == GF_LABEL_MASK ? (float)gf_depth_white(depth) : v;
    if (work->args.output == GF_LABEL_NUMBERS) {
        ((uint32_t *)row)[x] = number;
    } else if (depth == GF_U8) {
        ((uint8_t *)row)[x] = (uint8_t)made;
    } else if (depth == GF_U16) {
        ((uint16_t *)row)[x] = (uint16_t)made;
    } else {
        ((float *)row)[x] = made;
    }
}

static void finish(const struct work *work)
{
    struct gf_region *regions = work->run->out[2].data;
    bool whole = work->run->in_values[0].depth != GF_F32;
    for (int64_t y = 0; y < work->height; y++) {
        for (int64_t x = 0; x < work->width; x++) {
            uint32_t number = work->areas[work->parent[y * work->width + x]];
            float v = sample_at(work, x, y);
            if (number) {
                measure(&regions[number - 1], x, y, whole ? (uint64_t)v : 0);
            }
            store(work, x, y, number, v);
        }
    }
}

static size_t label_scratch(const struct gf_apply_run *run)
{
#if GF_HAVE_CUDA
    if (run->queue.device >= 0) {
        return gf_label_cuda_scratch(run);
    }
#endif
    return (size_t)(2 * run->in_values[0].width * run->in_values[0].height + 1) * sizeof(uint32_t);
}

static gf_status label_cpu(const struct gf_apply_run *run, gf_error *error)
{
    (void)error;
    struct work work = {.run = run,
                        .width = run->in_values[0].width,
                        .height = run->in_values[0].height,
                        .parent = run->scratch};
    work.areas = work.parent + work.width * work.height;
    gf_args_get(&run->apply->args, &work.args, sizeof work.args);
    int parts = work.height < run->threads ? (int)work.height : run->threads;
    gf_team_run(run->team, parts, unite_rows, &work);
    for (int i = 1; i < parts && !GF_FAULT(label_seam); i++) {
        int64_t y = first_row(&work, i, parts);
        for (int64_t x = 0; x < work.width; x++) {
            if (work.parent[y * work.width + x] != OUTSIDE) {
                meet_above(&work, x, y);
            }
        }
    }
    uint64_t *counts = run->out[1].data;
    counts[0] = counts[1] = drop_small(&work, number_regions(&work));
    finish(&work);
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
