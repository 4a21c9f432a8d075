/* Compares a row, pixel by pixel where it differs at all. */
#include "compare/compare.h"

#include <math.h>
#include <string.h>

static inline uint64_t whole_value(const void *sample, gf_depth depth)
{
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    switch (depth) {
    case GF_U8:
        return *(const uint8_t *)sample;
    case GF_U16:
        memcpy(&u16, sample, sizeof u16);
        return u16;
    case GF_U32:
        memcpy(&u32, sample, sizeof u32);
        return u32;
    default:
        memcpy(&u64, sample, sizeof u64);
        return u64;
    }
}

static inline double real_value(const void *sample, gf_depth depth)
{
    float f32;
    double f64;
    if (depth == GF_F32) {
        memcpy(&f32, sample, sizeof f32);
        return (double)f32;
    }
    memcpy(&f64, sample, sizeof f64);
    return f64;
}

static inline bool is_real(gf_depth depth)
{
    return depth == GF_F32 || depth == GF_F64;
}

/* Inline, so that a loop whose depth is a constant has no switch in it. */
static inline double difference_of(const void *a, const void *b, gf_depth depth)
{
    if (is_real(depth)) {
        const double difference = fabs(real_value(a, depth) - real_value(b, depth));
        return !memcmp(a, b, gf_depth_size(depth)) ? 0 : isnan(difference) ? INFINITY : difference;
    }
    const uint64_t u = whole_value(a, depth), v = whole_value(b, depth);
    return (double)(u > v ? u - v : v - u);
}

double gf_compare_value(const void *sample, gf_depth depth)
{
    return is_real(depth) ? real_value(sample, depth) : (double)whole_value(sample, depth);
}

double gf_compare_difference(const void *a, const void *b, gf_depth depth)
{
    return difference_of(a, b, depth);
}

/* ---- what is not compared ---- */

/* Marks the pixels of row y that are ignored; returns how many. */
static uint64_t mark_ignored(const struct gf_compare_job *job, int64_t y, uint8_t *marks)
{
    const gf_rect area = job->area;
    uint64_t count = 0;
    memset(marks, GF_MARK_EQUAL, (size_t)area.w);
    if (!job->masked) {
        return 0;
    }
    for (int64_t i = 0; i < job->o.ignore_count; i++) {
        const gf_rect r = job->o.ignore[i];
        const int64_t from = r.x > area.x ? r.x : area.x;
        const int64_t to = r.x + r.w < area.x + area.w ? r.x + r.w : area.x + area.w;
        if (y >= r.y && y - r.y < r.h && from < to) {
            memset(marks + (from - area.x), GF_MARK_IGNORED, (size_t)(to - from));
        }
    }
    const struct gf_compare_side *mask = &job->side[2];
    const uint8_t *row = mask->data ? mask->data + (y - mask->top) * mask->pitch + area.x : NULL;
    for (int64_t x = 0; x < area.w; x++) {
        marks[x] = row && row[x] == 0 ? GF_MARK_IGNORED : marks[x];
        count += marks[x] == GF_MARK_IGNORED;
    }
    return count;
}

/* ---- a pixel ---- */

struct pixel {
    int64_t x, y;
    const uint8_t *a, *b;
    double difference[4];
};

/* Tells whether a pixel differs by more than it may; and adds its colour difference. */
static bool is_over(const struct gf_compare_job *job, const struct pixel *p, struct gf_compare_sums *sums)
{
    const bool wants = job->o.metrics & GF_COMPARE_CIEDE2000 && job->white > 0;
    double a[4], b[4], distance = 0;
    if (job->o.by != GF_COMPARE_BY_SAMPLES || wants) {
        gf_compare_colour(job, 0, p->x, p->y, a);
        gf_compare_colour(job, 1, p->x, p->y, b);
    }
    if (wants || job->o.by == GF_COMPARE_BY_CIEDE2000) {
        distance = gf_compare_ciede2000(a, b);
        sums->ciede_sum += distance;
        sums->ciede_largest = fmax(sums->ciede_largest, distance);
        sums->above += !(distance <= 1);
    }
    if (job->o.by == GF_COMPARE_BY_CIEDE2000) {
        return !(distance <= job->bound);
    }
    if (job->o.by == GF_COMPARE_BY_YIQ) {
        return !(gf_compare_yiq(a, b) <= job->bound);
    }
    for (int32_t c = 0; c < job->shape.channels; c++) {
        if (p->difference[c] > job->bound) {
            return true;
        }
    }
    return false;
}

static gf_compare_place place_of(const struct gf_compare_job *job, const struct pixel *p, int32_t channel)
{
    const size_t at = (size_t)channel * job->size;
    return (gf_compare_place){p->x,
                              p->y,
                              channel,
                              0,
                              gf_compare_value(p->a + at, job->shape.depth),
                              gf_compare_value(p->b + at, job->shape.depth)};
}

/* Counts what differs in a pixel; returns its mark. */
static uint8_t count_pixel(const struct gf_compare_job *job, const struct pixel *p,
                           struct gf_compare_sums *sums)
{
    const double least = job->o.by == GF_COMPARE_BY_SAMPLES ? job->bound : 0;
    if (!is_over(job, p, sums)) {
        return GF_MARK_WITHIN;
    }
    if (job->o.antialias && gf_compare_smooths(job, p->x, p->y)) {
        sums->antialiased++;
        return GF_MARK_ANTIALIAS;
    }
    for (int32_t c = 0; c < job->shape.channels; c++) {
        if (p->difference[c] > least) {
            sums->channel[c].count++;
            if (sums->count++ == 0) {
                sums->first = place_of(job, p, c);
            }
        }
    }
    sums->left = p->x < sums->left ? p->x : sums->left;
    sums->right = p->x;
    sums->pixel_count++;
    return GF_MARK_COUNTS;
}

/* Adds the differences of a pixel, and returns its mark. */
static inline __attribute__((always_inline)) uint8_t
add_pixel(const struct gf_compare_job *job, struct pixel *p, gf_depth depth, struct gf_compare_sums *sums)
{
    bool differs = false;
    for (int32_t c = 0; c < job->shape.channels; c++) {
        const size_t at = (size_t)c * gf_depth_size(depth);
        const double difference = difference_of(p->a + at, p->b + at, depth);
        p->difference[c] = difference;
        if (difference == 0) {
            continue;
        }
        differs = true;
        sums->sum += difference;
        sums->squares += difference * difference;
        sums->nans += is_real(depth) && isinf(difference) &&
                      (isnan(real_value(p->a + at, depth)) || isnan(real_value(p->b + at, depth)));
        if (difference > sums->channel[c].largest) {
            sums->channel[c].largest = difference;
        }
        if (difference > sums->largest) {
            sums->largest = difference;
            sums->most = place_of(job, p, c);
        }
    }
    sums->differs = sums->differs || differs;
    return differs ? count_pixel(job, p, sums) : GF_MARK_EQUAL;
}

/* ---- a row ---- */

enum { BLOCK = 32 }; /* pixels that are skipped at once where they are equal */

static inline __attribute__((always_inline)) void add_pixels(const struct gf_compare_job *job, int64_t y,
                                                             uint8_t *marks, gf_depth depth,
                                                             struct gf_compare_sums *sums)
{
    const int32_t channels[2] = {job->side[0].channels, job->side[1].channels};
    const size_t step[2] = {(size_t)channels[0] * job->size, (size_t)channels[1] * job->size};
    const uint8_t *rows[2] = {gf_compare_at(job, 0, job->area.x, y), gf_compare_at(job, 1, job->area.x, y)};
    for (int64_t from = 0; from < job->area.w; from += BLOCK) {
        const int64_t to = from + BLOCK < job->area.w ? from + BLOCK : job->area.w;
        if (channels[0] == channels[1] &&
            !memcmp(rows[0] + (size_t)from * step[0], rows[1] + (size_t)from * step[0],
                    (size_t)(to - from) * step[0])) {
            continue;
        }
        for (int64_t x = from; x < to; x++) {
            struct pixel p = {
                job->area.x + x, y, rows[0] + (size_t)x * step[0], rows[1] + (size_t)x * step[1], {0}};
            marks[x] = marks[x] == GF_MARK_IGNORED ? GF_MARK_IGNORED : add_pixel(job, &p, depth, sums);
        }
    }
}

void gf_compare_row_of(const struct gf_compare_job *job, int64_t y, uint8_t *marks,
                       struct gf_compare_sums *sums)
{
    *sums = (struct gf_compare_sums){.left = INT64_MAX, .right = -1};
    sums->ignored = mark_ignored(job, y, marks);
    switch (job->shape.depth) { /* each with the depth as a constant */
    case GF_U8:
        add_pixels(job, y, marks, GF_U8, sums);
        break;
    case GF_U16:
        add_pixels(job, y, marks, GF_U16, sums);
        break;
    case GF_F32:
        add_pixels(job, y, marks, GF_F32, sums);
        break;
    case GF_U32:
        add_pixels(job, y, marks, GF_U32, sums);
        break;
    case GF_U64:
        add_pixels(job, y, marks, GF_U64, sums);
        break;
    default:
        add_pixels(job, y, marks, GF_F64, sums);
        break;
    }
}
