/* points on the CPU: every thread counts its part of the picture, and then writes from where the parts before
 * it end. Blocks of a row are tested and packed by the loops of the compaction. */
#include "array/compact/compact_rows.h"
#include "array/search/search_lines.h"
#include "base/cpu_level.h"
#include "base/gf_num.h"
#include "base/gf_order.h"
#include "base/planted_fault.h"
#include "base/status.h"
#include "base/team.h"
#include "pixel/whole/points/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_A_THREAD = 4 };

struct work {
    const struct gf_apply_run *run;
    const struct gf_compact_rows *rows;
    struct gf_points_args args;
    struct gf_keep_test tests[GF_PICTURE_CHANNELS];
    uint64_t *counts; /* of each part; then where it begins */
    uint64_t most;    /* rows there is room for */
    bool writes;
};

/* flags[i] = 1 where every measured channel of pixel i stays. */
#define DEFINE_FLAG(type, K, key)                                                                            \
    static int32_t flag_##type(const struct work *work, const type *pixel, int32_t n, uint8_t *flags)        \
    {                                                                                                        \
        const int32_t channels = work->run->in_values[0].channels;                                           \
        int32_t count = 0;                                                                                   \
        memset(flags, 1, (size_t)n);                                                                         \
        for (int32_t c = 0; c < channels; c++) {                                                             \
            const K least = (K)work->tests[c].least, span = (K)work->tests[c].span;                          \
            const uint8_t outside = work->tests[c].outside;                                                  \
            for (int32_t i = 0; i < n && (work->args.mask >> c & 1); i++) {                                  \
                flags[i] &= ((K)(key(pixel[i * channels + c]) - least) <= span) ^ outside;                   \
            }                                                                                                \
        }                                                                                                    \
        for (int32_t i = 0; i < n; i++) {                                                                    \
            count += flags[i];                                                                               \
        }                                                                                                    \
        return count;                                                                                        \
    }
DEFINE_FLAG(uint8_t, uint8_t, )
DEFINE_FLAG(uint16_t, uint16_t, )
DEFINE_FLAG(float, uint32_t, gf_key_f32)

static int32_t flag(const struct work *work, const void *pixel, int32_t n, uint8_t *flags)
{
    const gf_depth depth = work->run->in_values[0].depth;
    if (work->run->in_values[0].channels == 1 && work->args.mask) {
        return work->rows->flag(pixel, depth, n, work->tests[0], flags);
    }
    return depth == GF_U8    ? flag_uint8_t(work, pixel, n, flags)
           : depth == GF_U16 ? flag_uint16_t(work, pixel, n, flags)
                             : flag_float(work, pixel, n, flags);
}

/* Rows `at`, ... of the table: the pixels of row y of the picture whose columns are in xs. */
static void write_rows(const struct work *work, const uint32_t *xs, uint64_t n, int64_t y, uint64_t at)
{
    const struct gf_apply_run *run = work->run;
    const gf_depth depth = run->in_values[0].depth;
    const int32_t channels = run->in_values[0].channels;
    const void *row = (const char *)run->in[0].data + y * run->in[0].pitch;
    uint32_t *places = (uint32_t *)run->out[1].data + 2 * at;
    float *values = (float *)run->out[2].data + at * (uint64_t)__builtin_popcount(work->args.mask);
    for (uint64_t i = 0; i < n; i++) {
        places[2 * i] = xs[i];
        places[2 * i + 1] = (uint32_t)y;
        for (int32_t c = 0; c < channels; c++) {
            const int64_t sample = (int64_t)xs[i] * channels + c;
            if (work->args.mask >> c & 1) {
                *values++ = depth == GF_U8    ? ((const uint8_t *)row)[sample]
                            : depth == GF_U16 ? ((const uint16_t *)row)[sample]
                                              : ((const float *)row)[sample];
            }
        }
    }
}

/* Pixels [x, end) of row y, with `count` points before them. Returns how many there are with them.
 */
static uint64_t scan(const struct work *work, int64_t y, int64_t x, int64_t end, uint64_t count)
{
    const struct gf_apply_run *run = work->run;
    const size_t size = gf_depth_size(run->in_values[0].depth) * (size_t)run->in_values[0].channels;
    const char *row = (const char *)run->in[0].data + y * run->in[0].pitch;
    uint8_t flags[GF_COMPACT_BLOCK], bits[GF_COMPACT_BLOCK / 8];
    uint32_t xs[GF_COMPACT_BLOCK + GF_COMPACT_STEP];
    for (; x < end; x += GF_COMPACT_BLOCK) {
        const int32_t n = end - x < GF_COMPACT_BLOCK ? (int32_t)(end - x) : GF_COMPACT_BLOCK;
        const int32_t kept = flag(work, row + (size_t)x * size, n, flags);
        if (work->writes && kept > 0 && count < work->most) {
            const int32_t whole = (n + GF_COMPACT_STEP - 1) / GF_COMPACT_STEP * GF_COMPACT_STEP;
            const uint64_t room = work->most - count;
            memset(flags + n, 0, (size_t)(GF_COMPACT_BLOCK - n));
            work->rows->bits(flags, bits);
            work->rows->pack_u32((uint32_t)x, bits, whole, xs);
            write_rows(work, xs, (uint64_t)kept < room ? (uint64_t)kept : room, y, count);
        }
        count += (uint64_t)kept;
    }
    return count;
}

static void scan_part(void *argument, int i, int n)
{
    const struct work *work = argument;
    const struct gf_rect *roi = &work->args.roi;
    uint64_t count = work->writes ? work->counts[i] : 0;
    if (work->writes && count >= work->most) {
        return;
    }
    int64_t pixels = roi->w * roi->h, end = pixels / n * (i + 1) + (i + 1 == n ? pixels % n : 0);
    for (int64_t at = pixels / n * i; at < end;) {
        int64_t y = at / roi->w, x = at % roi->w;
        int64_t row = roi->w - x < end - at ? roi->w - x : end - at;
        count = scan(work, roi->y + y, roi->x + x, roi->x + x + row, count);
        at += row;
    }
    if (!work->writes) {
        work->counts[i] = count;
    }
}

/* ---- the first alone: threads take chunks in their order; one behind the best place so far is not read ---- */

enum { CHUNK = 65536 };

struct hunt {
    const struct work *work;
    int64_t next; /* the first pixel that nobody has taken */
    int64_t best; /* the lowest so far, or INT64_MAX; numbers are of pixels of the roi */
};

/* The first point of n pixels in a row, or n: lines are counted, which is fast, until one has a point. */
static int64_t first_of(const struct work *work, const char *pixel, int64_t n)
{
    const struct gf_value *in = &work->run->in_values[0];
    const int64_t size = (int64_t)gf_depth_size(in->depth) * in->channels;
    const bool plain = in->channels == 1 && work->args.mask && !work->tests[0].outside;
    const int64_t line = plain ? GF_SEARCH_LINE : GF_COMPACT_BLOCK;
    const struct gf_search_lines *lines = &GF_LEVEL_BEST(gf_search_lines)[in->depth];
    uint8_t flags[GF_COMPACT_BLOCK];
    for (int64_t x = 0; x < n; x += line) {
        const int64_t part = n - x < line ? n - x : line;
        const char *at = pixel + x * size;
        if (plain && lines->count(at, part, work->tests[0].least, work->tests[0].span) > 0) {
            return x + lines->first(at, part, work->tests[0].least, work->tests[0].span);
        }
        if (!plain && flag(work, at, (int32_t)part, flags) > 0) {
            return x + ((const uint8_t *)memchr(flags, 1, (size_t)part) - flags);
        }
    }
    return n;
}

/* The first of the pixels [at, end) of the roi, or INT64_MAX. */
static int64_t first_in(const struct work *work, int64_t at, int64_t end)
{
    const struct gf_apply_run *run = work->run;
    const gf_rect *roi = &work->args.roi;
    const int64_t size = (int64_t)gf_depth_size(run->in_values[0].depth) * run->in_values[0].channels;
    while (at < end) {
        const int64_t y = at / roi->w, x = at % roi->w, row = roi->w - x < end - at ? roi->w - x : end - at;
        const char *pixel = (const char *)run->in[0].data + (roi->y + y) * run->in[0].pitch;
        const int64_t found = first_of(work, pixel + (roi->x + x) * size, row - GF_FAULT(find_row));
        if (found < row - GF_FAULT(find_row)) {
            return at + found;
        }
        at += row;
    }
    return INT64_MAX;
}

static void hunt_part(void *argument, int thread, int threads)
{
    struct hunt *hunt = argument;
    const int64_t n = hunt->work->args.roi.w * hunt->work->args.roi.h;
    int64_t from;
    (void)thread;
    (void)threads;
    while ((from = __atomic_fetch_add(&hunt->next, CHUNK, __ATOMIC_RELAXED)) < n) {
        int64_t known = __atomic_load_n(&hunt->best, __ATOMIC_RELAXED);
        if (from > known) {
            return;
        }
        const int64_t at = first_in(hunt->work, from, n - from < CHUNK ? n : from + CHUNK);
        while (at < known &&
               !__atomic_compare_exchange_n(&hunt->best, &known, at, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        }
    }
}

static void find_first(const struct work *work)
{
    struct hunt hunt = {.work = work, .best = INT64_MAX};
    const gf_rect *roi = &work->args.roi;
    uint64_t *counts = work->run->out[0].data;
    gf_team_run(work->run->team, work->run->threads, hunt_part, &hunt);
    counts[0] = counts[1] = hunt.best != INT64_MAX;
    if (hunt.best != INT64_MAX) {
        const uint32_t x = (uint32_t)(roi->x + hunt.best % roi->w);
        write_rows(work, &x, 1, roi->y + hunt.best / roi->w, 0);
    }
}

static size_t points_scratch(const struct gf_apply_run *run)
{
    if (run->queue.device >= 0) {
        return gf_points_cuda_scratch(run);
    }
    return (size_t)run->threads * PARTS_A_THREAD * sizeof(uint64_t);
}

static void prepare(struct work *work, const struct gf_apply_run *run)
{
    *work = (struct work){.run = run, .rows = gf_compact_rows_best(), .counts = run->scratch};
    gf_args_get(&run->apply->args, &work->args, sizeof work->args);
    for (int32_t c = 0; c < run->in_values[0].channels; c++) {
        work->tests[c] = gf_points_test(&work->args, c, run->in_values[0].depth);
    }
}

/* Returns how many points there are, and finds where each part of them begins. */
static uint64_t count_points(struct work *work)
{
    const int parts = work->run->threads * PARTS_A_THREAD;
    uint64_t before = 0;
    gf_team_run(work->run->team, parts, scan_part, work);
    for (int i = 0; i < parts; i++) {
        uint64_t count = work->counts[i];
        work->counts[i] = before - (GF_FAULT(points_part) && before > 0);
        before += count;
    }
    return before;
}

static void write_points(struct work *work, uint64_t most)
{
    work->most = most;
    work->writes = true;
    gf_team_run(work->run->team, work->run->threads * PARTS_A_THREAD, scan_part, work);
}

static gf_status points_cpu(const struct gf_apply_run *run, gf_error *error)
{
    (void)error;
    const uint64_t most = (uint64_t)(run->out_values[1].width / run->out_values[1].row);
    uint64_t *counts = run->out[0].data;
    struct work work;
    prepare(&work, run);
    if (work.args.first) {
        find_first(&work);
        return GF_OK;
    }
    counts[1] = count_points(&work);
    counts[0] = counts[1] < most ? counts[1] : most;
    write_points(&work, most);
    return GF_OK;
}

/* ---- by bands: the table grows ---- */

struct table {
    uint32_t *places;
    float *values;
    uint64_t counts[2], room;
};

static gf_status create_table(void **table, gf_error *error)
{
    *table = calloc(1, sizeof(struct table));
    return gf_need_memory(*table != NULL, error);
}

static void destroy_table(void *opaque)
{
    struct table *table = opaque;
    if (table) {
        free(table->places);
        free(table->values);
        free(table);
    }
}

static gf_status need_rows(struct table *table, uint64_t n, size_t measured, gf_error *error)
{
    if (n <= table->room) {
        return GF_OK;
    }
    const uint64_t room = n + n / 2;
    uint32_t *places = realloc(table->places, room * 2 * sizeof *places);
    table->places = places ? places : table->places;
    float *values = realloc(table->values, room * measured * sizeof *values);
    table->values = values ? values : table->values;
    if (!places || !values) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory for %llu points", (unsigned long long)n);
    }
    table->room = room;
    return GF_OK;
}

/* The band's part of the region, in its own rows; without one its height is 0. */
static void cut_region(struct gf_rect *roi, struct gf_rows rows)
{
    const int64_t top = roi->y > rows.first ? roi->y : rows.first;
    const int64_t bottom =
        roi->y + roi->h < rows.first + rows.count ? roi->y + roi->h : rows.first + rows.count;
    roi->y = top - rows.first;
    roi->h = bottom > top ? bottom - top : 0;
}

static gf_status gather(void *opaque, const struct gf_apply_run *run, gf_error *error)
{
    struct table *table = opaque;
    const struct gf_rows rows = run->in[0].rows;
    struct gf_apply_run band = *run;
    struct work work;
    uint64_t counts[2] = {0, 0};
    prepare(&work, &band);
    const size_t measured = work.args.mask ? (size_t)__builtin_popcount(work.args.mask) : 1;
    if (rows.first == 0) {
        table->counts[0] = table->counts[1] = 0;
    }
    cut_region(&work.args.roi, rows);
    const bool looks = work.args.roi.h > 0 && !(work.args.first && table->counts[0] > 0);
    counts[1] = looks && !work.args.first ? count_points(&work) : looks;
    const uint64_t left = work.args.limit ? (uint64_t)work.args.limit - table->counts[0] : UINT64_MAX;
    counts[0] = counts[1] < left ? counts[1] : left;
    GF_TRY(need_rows(table, table->counts[0] + counts[0] + 1, measured, error)); /* there is always a table */
    uint32_t *const places = table->places + 2 * table->counts[0];
    band.out[0].data = counts;
    band.out[1].data = places;
    band.out[2].data = table->values + measured * table->counts[0];
    if (looks && work.args.first) {
        find_first(&work);
    } else if (counts[0] > 0) {
        write_points(&work, counts[0]);
    }
    for (uint64_t i = 0; i < counts[0]; i++) {
        places[2 * i + 1] += GF_FAULT(points_band) ? 0 : (uint32_t)rows.first;
    }
    table->counts[0] += counts[0];
    table->counts[1] += counts[1];
    return GF_OK;
}

static gf_status solve(void *opaque, const struct gf_apply *apply, void *blocks[GF_MAX_OPERANDS],
                       gf_error *error)
{
    struct table *table = opaque;
    (void)apply;
    (void)error;
    memcpy(blocks[0], table->counts, sizeof table->counts);
    blocks[1] = table->places;
    blocks[2] = table->values;
    return GF_OK;
}

static const struct gf_by_bands by_bands = {create_table, destroy_table, gather, solve, NULL};

const struct gf_kernel gf_kernel_points = {
    .name = "points",
    .kind = GF_KERNEL_WHOLE,
    .words = "pixels to a table of points",
    .apply = {.cpu = points_cpu, .cuda = gf_points_cuda, .scratch = points_scratch, .by_bands = &by_bands},
    .judge = gf_judge_points,
};
