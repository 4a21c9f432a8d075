/* Finds by how much a picture is moved: every shift is tried, the nearest first, and left as soon as more
 * differs than with the best one so far. */
#include "compare/compare.h"

#include "base/processors.h"
#include "base/team.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 256, ROWS = 32 };

struct search {
    const gf_image *a, *b;
    gf_compare_options o;
    int32_t channels; /* compared */
    size_t size;
    int32_t dx, dy;
    int64_t x, y, w, h; /* of A, what both have */
    uint64_t enough;    /* from so many on it is no better */
    uint64_t found[ROWS];
};

static const uint8_t *at(const gf_image *image, int64_t x, int64_t y, size_t size)
{
    return (const uint8_t *)image->data + y * image->pitch + (size_t)(x * image->shape.channels) * size;
}

static bool differs(const struct search *s, const uint8_t *a, const uint8_t *b)
{
    for (int32_t c = 0; c < s->channels; c++, a += s->size, b += s->size) {
        if (gf_compare_difference(a, b, s->a->shape.depth) > s->o.max_diff) {
            return true;
        }
    }
    return false;
}

/* Counts rows i, i + n, ... of the overlap, until a part alone has enough. */
static void count(void *argument, int i, int n)
{
    struct search *s = argument;
    const size_t step[2] = {(size_t)s->a->shape.channels * s->size, (size_t)s->b->shape.channels * s->size};
    uint64_t found = 0;
    for (int64_t y = i; y < s->h && found < s->enough; y += n) {
        const uint8_t *a = at(s->a, s->x, s->y + y, s->size);
        const uint8_t *b = at(s->b, s->x + s->dx, s->y + y + s->dy, s->size);
        if (step[0] == step[1] && !memcmp(a, b, (size_t)s->w * step[0])) {
            continue;
        }
        for (int64_t x = 0; x < s->w && found < s->enough; x++, a += step[0], b += step[1]) {
            found += differs(s, a, b);
        }
    }
    s->found[i] = found;
}

static uint64_t count_all(struct search *s, struct gf_team *team, int parts)
{
    uint64_t sum = 0;
    gf_team_run(team, parts, count, s);
    for (int i = 0; i < parts; i++) {
        sum += s->found[i];
    }
    return sum;
}

/* The nearest first, then from the top and from the left. */
static int compare_shifts(const void *p, const void *q)
{
    const int32_t *a = p, *b = q;
    const int64_t far_a = (int64_t)a[0] * a[0] + (int64_t)a[1] * a[1],
                  far_b = (int64_t)b[0] * b[0] + (int64_t)b[1] * b[1];
    return far_a != far_b ? (far_a < far_b ? -1 : 1)
           : a[1] != b[1] ? (a[1] < b[1] ? -1 : 1)
           : a[0] < b[0]  ? -1
                          : a[0] > b[0];
}

static void set_shift(struct search *s, int32_t dx, int32_t dy)
{
    const gf_shape shape = s->a->shape;
    s->dx = dx;
    s->dy = dy;
    s->x = dx < 0 ? -dx : 0;
    s->y = dy < 0 ? -dy : 0;
    s->w = shape.width - (dx < 0 ? -dx : dx);
    s->h = shape.height - (dy < 0 ? -dy : dy);
}

static gf_status search_all(struct search *s, int32_t most, gf_compare_shift_result *best, gf_error *error)
{
    const int32_t side = 2 * most + 1;
    const int threads = s->o.threads ? s->o.threads : gf_processors(),
              parts = threads < ROWS ? threads : ROWS;
    int32_t(*shifts)[2] = malloc((size_t)side * (size_t)side * sizeof *shifts);
    GF_TRY(gf_need_memory(shifts != NULL, error));
    for (int32_t i = 0; i < side * side; i++) {
        shifts[i][0] = i % side - most;
        shifts[i][1] = i / side - most;
    }
    qsort(shifts, (size_t)side * (size_t)side, sizeof *shifts, compare_shifts);
    struct gf_team *team = gf_team_create(threads);
    for (int32_t i = 0; i < side * side && (i == 0 || best->pixel_count > 0); i++) {
        const gf_shape shape = s->a->shape;
        set_shift(s, shifts[i][0], shifts[i][1]);
        if (2 * s->w < shape.width || 2 * s->h < shape.height) {
            continue;
        }
        const uint64_t pixels = (uint64_t)s->w * (uint64_t)s->h;
        /* The share must be smaller; products of shares fit, as they do in f64 to 53 bits. */
        const double share = i ? (double)best->pixel_count / (double)best->pixels : 1;
        s->enough = i ? (uint64_t)(share * (double)pixels) + 1 : pixels + 1;
        const uint64_t found = count_all(s, team, parts);
        if (i == 0 || (double)found / (double)pixels < share) {
            *best = (gf_compare_shift_result){sizeof *best, s->dx, s->dy, pixels, found};
        }
    }
    gf_team_destroy(team);
    free(shifts);
    return GF_OK;
}

gf_status gf_compare_shift(const gf_image *a, const gf_image *b, const gf_compare_options *options,
                           int32_t most, gf_compare_shift_result *out, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_compare_shift_result, pixel_count);
    gf_comparison c = GF_COMPARISON_INIT;
    gf_compare_options one = GF_COMPARE_OPTIONS_INIT;
    struct gf_compare_job job = {0};
    gf_compare_shift_result best = GF_COMPARE_SHIFT_RESULT_INIT;
    GF_TRY(gf_struct_check(&sized, out, error));
    GF_TRY(!a || !b ? gf_fail(error, GF_ERROR_ARGUMENT, "%s is NULL", a ? "B" : "A") : GF_OK);
    if (most < 0 || most > MOST) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "most is %d: must be 0 to %d", (int)most, MOST);
    }
    /* Whatever is wrong with the pictures is found by comparing one pixel of them. */
    one.area = (gf_rect){0, 0, 1, 1};
    one.ignore_alpha = options ? options->ignore_alpha : 0;
    GF_TRY(gf_compare(a, b, NULL, &one, &c, error));
    GF_TRY(gf_compare_begin(&job, options, a->shape, b->shape, NULL, error));
    if (job.o.by != GF_COMPARE_BY_SAMPLES) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "a shift is found by samples, and by colours not");
    }
    struct search s = {a, b, job.o, job.shape.channels, job.size, 0, 0, 0, 0, 0, 0, 0, {0}};
    GF_TRY(search_all(&s, most, &best, error));
    return gf_struct_out(&sized, out, &best, error);
}
