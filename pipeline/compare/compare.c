/* gf_compare and gf_compare_rows: by bands, rows on several threads, all sums in the order of the rows. */
#include "compare/compare.h"

#include "base/processors.h"
#include "base/team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct gf_sized sized_out = GF_SIZED(gf_comparison, channel);

/* What the rows come to. */
struct total {
    gf_comparison c;
    double sum, squares, ciede_sum;
    uint64_t above;
    int64_t right, bottom;
};

/* ---- rows of a band ---- */

/* Makes the rows from..to of a side be there: what the band before left stays, the rest is read. */
static gf_status read_side(struct gf_compare_job *job, struct gf_compare_side *side, int64_t from, int64_t to)
{
    gf_error said = GF_ERROR_INIT;
    if (!side->source || side->read >= to) {
        return GF_OK;
    }
    uint8_t *own = side->own;
    if (side->source->whole) {
        from = 0;
        to = job->shape.height;
    } else if (from > side->top) {
        const int64_t kept = side->read > from ? side->read - from : 0;
        memmove(own, own + (side->read - kept - side->top) * side->pitch, (size_t)(kept * side->pitch));
        side->top = side->read - kept;
    }
    const gf_status status =
        side->source->rows(side->source->user, own + (side->read - side->top) * side->pitch, side->pitch,
                           to - side->read, &said);
    side->data = own;
    side->read = to;
    return gf_callback_status(status, &said, "the source", &side->error);
}

static void read_task(void *argument, int i, int n)
{
    struct gf_compare_job *job = argument;
    const int64_t from = job->y > job->halo ? job->y - job->halo : 0;
    const int64_t to = job->end + job->halo < job->shape.height ? job->end + job->halo : job->shape.height;
    (void)n;
    job->side[i].status = read_side(job, &job->side[i], from, to);
}

/* A and B are read at the same time. */
static gf_status read_band(struct gf_compare_job *job, gf_error *error)
{
    if (job->side[0].source) {
        gf_team_run(job->team, GF_COMPARE_SIDES, read_task, job);
    }
    for (int i = 0; i < GF_COMPARE_SIDES; i++) {
        GF_TRY(job->side[i].status == GF_OK ? GF_OK : gf_error_copy(error, &job->side[i].error));
    }
    return GF_OK;
}

static void compare_task(void *argument, int i, int n)
{
    const struct gf_compare_job *job = argument;
    (void)n;
    gf_compare_row_of(job, job->y + i, job->marks + i * job->area.w, &job->sums[i]);
}

/* One channel of one metric. */
static void ssim_task(void *argument, int i, int n)
{
    const struct gf_compare_job *job = argument;
    const int32_t channels = job->shape.channels;
    (void)n;
    if (job->ssim[i / channels]) {
        gf_compare_ssim_take(job->ssim[i / channels], job, i % channels);
    }
}

/* ---- sums ---- */

static void add_row(struct total *t, const struct gf_compare_sums *row, int64_t y)
{
    gf_comparison *c = &t->c;
    if (c->count == 0) {
        c->first = row->first;
    }
    if (row->largest > c->largest) {
        c->largest = row->largest;
        c->most = row->most;
    }
    for (int i = 0; i < 4; i++) {
        c->channel[i].count += row->channel[i].count;
        c->channel[i].largest = fmax(c->channel[i].largest, row->channel[i].largest);
    }
    if (row->pixel_count > 0) {
        if (c->pixel_count == 0) {
            c->box.x = row->left;
            c->box.y = y;
        }
        c->box.x = row->left < c->box.x ? row->left : c->box.x;
        t->right = row->right > t->right ? row->right : t->right;
        t->bottom = y;
    }
    c->count += row->count;
    c->pixel_count += row->pixel_count;
    c->antialiased += row->antialiased;
    c->ignored += row->ignored;
    c->nans += row->nans;
    c->identical = c->identical && !row->differs;
    c->ciede2000_largest = fmax(c->ciede2000_largest, row->ciede_largest);
    t->sum += row->sum;
    t->squares += row->squares;
    t->ciede_sum += row->ciede_sum;
    t->above += row->above;
}

static gf_status give_row(const struct gf_compare_job *job, int64_t y, gf_error *error)
{
    gf_error said = GF_ERROR_INIT;
    const gf_compare_row row = {y, gf_compare_at(job, 0, job->area.x, y),
                                gf_compare_at(job, 1, job->area.x, y),
                                job->marks + (y - job->y) * job->area.w};
    return gf_callback_status(job->o.row(job->o.user, &row, &said), &said, "the function of rows", error);
}

static gf_status compare_band(struct gf_compare_job *job, struct total *t, gf_error *error)
{
    const int metrics = job->ssim[0] || job->ssim[1] || job->ssim[2] ? 3 : 0;
    const int64_t bottom = job->area.y + job->area.h, top = job->y > job->area.y ? job->y : job->area.y;
    job->y = top;
    job->end = job->end < bottom ? job->end : bottom;
    gf_team_run(job->team, (int)(job->end - job->y), compare_task, job);
    gf_team_run(job->team, metrics * job->shape.channels, ssim_task, job);
    for (int64_t y = job->y; y < job->end; y++) {
        add_row(t, &job->sums[y - job->y], y);
        GF_TRY(job->o.row ? give_row(job, y, error) : GF_OK);
    }
    return GF_OK;
}

static void finish(const struct gf_compare_job *job, struct total *t)
{
    gf_comparison *c = &t->c;
    double *const of_ssim[3] = {&c->ssim, &c->ssim_uniform, &c->ms_ssim};
    c->pixels = (uint64_t)job->area.w * (uint64_t)job->area.h - c->ignored;
    c->samples = c->pixels * (uint64_t)c->channels;
    const double samples = c->samples > 0 ? (double)c->samples : 1,
                 pixels = c->pixels > 0 ? (double)c->pixels : 1;
    c->mean = t->sum / samples;
    c->psnr = !(job->white > 0)   ? NAN
              : !(t->squares > 0) ? INFINITY
                                  : 10 * log10(job->white * job->white / (t->squares / samples));
    const bool coloured = job->white > 0 && job->o.metrics & GF_COMPARE_CIEDE2000;
    c->ciede2000_mean = coloured ? t->ciede_sum / pixels : NAN;
    c->ciede2000_share = coloured ? (double)t->above / pixels : NAN;
    c->ciede2000_largest = coloured ? c->ciede2000_largest : NAN;
    if (c->pixel_count > 0) {
        c->box.w = t->right - c->box.x + 1;
        c->box.h = t->bottom - c->box.y + 1;
    }
    for (int i = 0; i < 3; i++) {
        *of_ssim[i] = job->ssim[i] ? gf_compare_ssim_end(job->ssim[i]) : NAN;
    }
}

/* ---- begin and end ---- */

/* Rows of a band: fewer of wide pictures, so that a band of each takes at most some 4 MiB. */
static int64_t band_rows(const struct gf_compare_job *job)
{
    const int64_t bytes = job->shape.width * 4 * (int64_t)job->size, rows = (INT64_C(4) << 20) / bytes;
    return rows < 4 ? 4 : rows < GF_COMPARE_ROWS ? rows : GF_COMPARE_ROWS;
}

static gf_status take_memory(struct gf_compare_job *job, gf_error *error)
{
    const int64_t rows = band_rows(job);
    const uint32_t metrics[3] = {GF_COMPARE_SSIM, GF_COMPARE_SSIM_UNIFORM, GF_COMPARE_MS_SSIM};
    job->sums = malloc((size_t)rows * sizeof *job->sums);
    job->marks = malloc((size_t)(rows * job->area.w));
    bool there = job->sums && job->marks;
    for (int i = 0; i < 3; i++) {
        if (job->o.metrics & metrics[i] && job->white > 0) {
            job->ssim[i] = gf_compare_ssim_begin(job, metrics[i]);
            there = there && job->ssim[i];
        }
    }
    for (int i = 0; i < GF_COMPARE_SIDES; i++) {
        struct gf_compare_side *side = &job->side[i];
        if (side->source) {
            const int64_t held = side->source->whole ? job->shape.height : rows + 2 * job->halo;
            side->pitch =
                (side->channels * job->shape.width * (int64_t)(i < 2 ? job->size : 1) + 63) / 64 * 64;
            side->own = aligned_alloc(64, (size_t)(held * side->pitch));
            there = there && side->own;
        }
    }
    return gf_need_memory(there, error);
}

static void end(struct gf_compare_job *job)
{
    gf_team_destroy(job->team);
    for (int i = 0; i < 3; i++) {
        gf_compare_ssim_free(job->ssim[i]);
        free(job->side[i].own);
    }
    free(job->sums);
    free(job->marks);
}

static gf_status run(struct gf_compare_job *job, struct total *t, gf_error *error)
{
    const int64_t rows = band_rows(job);
    const int threads = job->o.threads ? job->o.threads : gf_processors();
    GF_TRY(take_memory(job, error));
    job->team = gf_team_create(threads);
    /* Sources are read to their ends, whatever the area, so that what is wrong further down is found. */
    for (int64_t y = 0; y < job->shape.height; y += rows) {
        job->y = y;
        job->end = y + rows < job->shape.height ? y + rows : job->shape.height;
        GF_TRY(read_band(job, error));
        if (job->end > job->area.y && job->y < job->area.y + job->area.h) {
            GF_TRY(compare_band(job, t, error));
        }
    }
    return GF_OK;
}

static gf_status compare(struct gf_compare_job *job, gf_comparison *out, gf_error *error)
{
    struct total t = {.c = {.struct_size = sizeof t.c,
                            .channels = job->shape.channels,
                            .area = job->area,
                            .identical = 1,
                            .by = job->o.by,
                            .max_diff = job->o.max_diff}};
    gf_status status = run(job, &t, error);
    if (status == GF_OK) {
        finish(job, &t);
        status = gf_struct_out(&sized_out, out, &t.c, error);
    }
    end(job);
    return status;
}

/* ---- the calls ---- */

static gf_status take_image(const gf_image *image, const char *name, struct gf_compare_side *side,
                            gf_shape *shape, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_image, device);
    gf_image taken = GF_IMAGE_INIT;
    GF_TRY(image ? gf_struct_in(&sized, image, &taken, error)
                 : gf_fail(error, GF_ERROR_ARGUMENT, "%s is NULL", name));
    if (!taken.data || taken.device >= 0 ||
        taken.pitch < gf_image_row_bytes(taken.shape.width, taken.shape.channels, taken.shape.depth)) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "%s has no samples in host memory, or a pitch too small for a row", name);
    }
    side->data = taken.data;
    side->pitch = taken.pitch;
    *shape = taken.shape;
    return GF_OK;
}

gf_status gf_compare(const gf_image *a, const gf_image *b, const gf_image *mask,
                     const gf_compare_options *options, gf_comparison *out, gf_error *error)
{
    struct gf_compare_job job = {0};
    gf_shape shape[3];
    GF_TRY(gf_struct_check(&sized_out, out, error));
    GF_TRY(take_image(a, "A", &job.side[0], &shape[0], error));
    GF_TRY(take_image(b, "B", &job.side[1], &shape[1], error));
    GF_TRY(mask ? take_image(mask, "the mask", &job.side[2], &shape[2], error) : GF_OK);
    GF_TRY(gf_compare_begin(&job, options, shape[0], shape[1], mask ? &shape[2] : NULL, error));
    return compare(&job, out, error);
}

static gf_status take_source(const gf_source *source, const char *name, gf_source *taken,
                             struct gf_compare_side *side, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_source, rows);
    GF_TRY(source ? gf_struct_in(&sized, source, taken, error)
                  : gf_fail(error, GF_ERROR_ARGUMENT, "%s is NULL", name));
    side->source = taken;
    side->error = (gf_error)GF_ERROR_INIT;
    return taken->rows ? GF_OK
                       : gf_fail(error, GF_ERROR_ARGUMENT, "%s has no function that gives rows", name);
}

gf_status gf_compare_rows(const gf_source *a, const gf_source *b, const gf_source *mask,
                          const gf_compare_options *options, gf_comparison *out, gf_error *error)
{
    struct gf_compare_job job = {0};
    gf_source source[3] = {0};
    GF_TRY(gf_struct_check(&sized_out, out, error));
    GF_TRY(take_source(a, "A", &source[0], &job.side[0], error));
    GF_TRY(take_source(b, "B", &source[1], &job.side[1], error));
    GF_TRY(mask ? take_source(mask, "the mask", &source[2], &job.side[2], error) : GF_OK);
    GF_TRY(gf_compare_begin(&job, options, source[0].shape, source[1].shape, mask ? &source[2].shape : NULL,
                            error));
    return compare(&job, out, error);
}
