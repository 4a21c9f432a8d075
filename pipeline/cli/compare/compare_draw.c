/* Draws where two pictures differ, a row at a time. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "base/message.h"
#include "compare/compare_pair.h"
#include "job/signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct drawing {
    const struct pair *pair;
    enum diff_style style;
    int32_t channels; /* of the drawing */
    double white, max_diff;
    uint8_t *row;
    gf_sink sink;     /* of a file; or */
    gf_picture *into; /* a picture, a place for every `step` pixels */
    int64_t step, y;
};

/* Sample `channel` of a pixel, as f64. */
static double value(const struct drawing *d, const uint8_t *pixel, int32_t channel)
{
    const gf_depth depth = d->pair->shapes[0].depth;
    const uint8_t *at = pixel + (size_t)channel * gf_depth_size(depth);
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    float f32;
    double f64;
    switch (depth) {
    case GF_U8:
        return *at;
    case GF_U16:
        memcpy(&u16, at, sizeof u16);
        return u16;
    case GF_U32:
        memcpy(&u32, at, sizeof u32);
        return u32;
    case GF_U64:
        memcpy(&u64, at, sizeof u64);
        return (double)u64;
    case GF_F32:
        memcpy(&f32, at, sizeof f32);
        return (double)f32;
    default:
        memcpy(&f64, at, sizeof f64);
        return f64;
    }
}

/* ---- marks on the faded A ---- */

/* The brightness of a pixel over white, a quarter of its way from white. */
static uint8_t faded(const struct drawing *d, const uint8_t *pixel)
{
    const int32_t channels = d->pair->shapes[0].channels;
    double light = channels >= 3
                       ? 0.299 * value(d, pixel, 0) + 0.587 * value(d, pixel, 1) + 0.114 * value(d, pixel, 2)
                       : value(d, pixel, 0);
    if (!(d->white > 0)) {
        return 255;
    }
    light = light / d->white > 0 ? fmin(light / d->white, 1) : 0;
    if (channels % 2 == 0 && d->pair->c.channels % 2 == 0) {
        light = 1 + (light - 1) * fmin(fmax(value(d, pixel, channels - 1) / d->white, 0), 1);
    }
    return (uint8_t)floor(255 * (1 - (1 - light) / 4) + 0.5);
}

static void draw_marks(const struct drawing *d, const gf_compare_row *row, size_t pixel_bytes)
{
    static const uint8_t red[3] = {230, 0, 20}, yellow[3] = {255, 190, 0};
    const uint8_t *a = row->a;
    for (int64_t x = 0; x < d->pair->c.area.w; x++, a += pixel_bytes) {
        uint8_t *to = d->row + 3 * x;
        const uint8_t light = faded(d, a), mark = row->marks[x];
        memset(to, light, 3);
        if (mark == GF_MARK_COUNTS || mark == GF_MARK_ANTIALIAS) {
            memcpy(to, mark == GF_MARK_COUNTS ? red : yellow, 3);
        } else if (mark == GF_MARK_IGNORED) { /* bluish */
            to[0] = (uint8_t)(light * 3 / 4);
            to[1] = (uint8_t)(light * 7 / 8);
        }
    }
}

/* ---- how much ---- */

static double difference(const struct drawing *d, const gf_compare_row *row, const size_t at[2],
                         int32_t channel)
{
    const size_t size = gf_depth_size(d->pair->shapes[0].depth), offset = (size_t)channel * size;
    const uint8_t *a = (const uint8_t *)row->a + at[0], *b = (const uint8_t *)row->b + at[1];
    if (!memcmp(a + offset, b + offset, size)) {
        return 0;
    }
    const double difference = fabs(value(d, a, channel) - value(d, b, channel));
    return isnan(difference) ? INFINITY : difference;
}

static uint8_t shade(const struct drawing *d, double difference)
{
    const double largest = d->pair->c.largest;
    if (!(difference > d->max_diff)) {
        return 0;
    }
    if (!isfinite(largest)) { /* a NaN somewhere: what is finite is dim beside it */
        return isfinite(difference) ? 64 : 255;
    }
    return (uint8_t)fmax(1, floor(255 * (difference / largest) + 0.5));
}

/* White is the largest difference; alpha's is drawn in every channel. */
static void draw_difference(const struct drawing *d, const gf_compare_row *row)
{
    const int32_t compared = d->pair->c.channels;
    for (int64_t x = 0; x < d->pair->c.area.w; x++) {
        size_t at[2];
        for (int i = 0; i < 2; i++) {
            const gf_shape *shape = &d->pair->shapes[i];
            at[i] = (size_t)(x * shape->channels) * gf_depth_size(shape->depth);
        }
        const bool draws = row->marks[x] == GF_MARK_COUNTS;
        const double alpha = draws && compared % 2 == 0 ? difference(d, row, at, compared - 1) : 0;
        for (int32_t c = 0; c < d->channels; c++) {
            d->row[x * d->channels + c] = draws ? shade(d, fmax(difference(d, row, at, c), alpha)) : 0;
        }
    }
}

/* ---- rows ---- */

/* Of a picture that is drawn smaller a place is that of its first pixel, unless there is a mark among them.
 */
static void put_smaller(struct drawing *d, const uint8_t *marks)
{
    const gf_image *to = &d->into->image;
    const size_t n = (size_t)d->channels;
    uint8_t *row = (uint8_t *)to->data + d->y / d->step * to->pitch;
    for (int64_t x = 0; x < d->pair->c.area.w; x++) {
        if ((d->y % d->step == 0 && x % d->step == 0) || marks[x] == GF_MARK_COUNTS) {
            memcpy(row + (size_t)(x / d->step) * n, d->row + (size_t)x * n, n);
        }
    }
    d->y++;
}

static gf_status draw_row(void *user, const gf_compare_row *row, gf_error *error)
{
    struct drawing *d = user;
    const gf_shape *a = &d->pair->shapes[0];
    if (d->style == STYLE_DIFFERENCE) {
        draw_difference(d, row);
    } else if (d->style == STYLE_MARKS) {
        draw_marks(d, row, (size_t)a->channels * gf_depth_size(a->depth));
    } else {
        for (int64_t x = 0; x < d->pair->c.area.w; x++) {
            d->row[x] = row->marks[x] == GF_MARK_COUNTS ? 255 : 0;
        }
    }
    if (d->into) {
        put_smaller(d, row->marks);
        return GF_OK;
    }
    return d->sink.rows(d->sink.user, d->row, (d->pair->c.area.w * d->channels + 63) / 64 * 64, 1, error);
}

static gf_status begin(const struct criteria *criteria, struct pair *pair, enum diff_style style,
                       struct drawing *d)
{
    const gf_rect area = pair->c.area;
    *d = (struct drawing){.pair = pair, .style = style, .step = 1, .max_diff = pair->c.max_diff};
    d->channels = style == STYLE_MASK ? 1 : style == STYLE_MARKS || pair->c.channels >= 3 ? 3 : 1;
    d->white = gf_depth_white(pair->shapes[0].depth);
    d->max_diff = criteria->by == GF_COMPARE_BY_SAMPLES ? pair->c.max_diff : 0;
    d->row = aligned_alloc(64, (size_t)((area.w * d->channels + 63) / 64 * 64));
    pair->diff_white = pair->c.count ? pair->c.largest : 0;
    return cli_need_memory(d->row != NULL);
}

/* A format that takes its picture whole gets it so. */
static gf_status draw_whole(const struct criteria *criteria, struct pair *pair, const char *path,
                            const gf_write_options *options)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *picture = NULL;
    gf_status status = pair_draw_picture(criteria, pair, criteria->style, INT64_MAX, &picture);
    if (status == GF_OK) {
        status = cli_told(gf_io_write(path, &picture->image, NULL, options, &error), &error);
    }
    gf_picture_destroy(&picture);
    return status;
}

gf_status pair_draw(const struct criteria *criteria, struct pair *pair, const char *path, int file)
{
    gf_error error = GF_ERROR_INIT;
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    gf_writer *writer = NULL;
    const gf_format *format = NULL;
    struct drawing d;
    signals_watch_file(&options, file);
    options.threads = pair->name ? 1 : 0;
    CLI_TRY(cli_told(gf_io_format_for(path, NULL, &format, &error), &error));
    if (format->whole) {
        return draw_whole(criteria, pair, path, &options);
    }
    gf_status status = begin(criteria, pair, criteria->style, &d);
    const gf_shape shape = {pair->c.area.w, pair->c.area.h, d.channels, GF_U8};
    if (status == GF_OK) {
        status = cli_told(gf_writer_open(path, &shape, NULL, &options, &writer, &error), &error);
    }
    if (status == GF_OK) {
        d.sink = gf_writer_sink(writer);
        status = pair_again(criteria, pair, draw_row, &d);
    }
    if (status == GF_OK) {
        status = cli_told(gf_writer_commit(&writer, &error), &error);
    }
    gf_writer_abort(&writer);
    free(d.row);
    return status;
}

gf_status pair_draw_picture(const struct criteria *criteria, struct pair *pair, enum diff_style style,
                            int64_t most, gf_picture **picture)
{
    gf_error error = GF_ERROR_INIT;
    struct drawing d;
    gf_status status = begin(criteria, pair, style, &d);
    const gf_rect area = pair->c.area;
    const int64_t longest = area.w > area.h ? area.w : area.h;
    d.step = longest > most ? (longest - 1) / most + 1 : 1;
    const gf_shape shape = {(area.w - 1) / d.step + 1, (area.h - 1) / d.step + 1, d.channels, GF_U8};
    status = status == GF_OK ? cli_told(gf_picture_create(&shape, picture, &error), &error) : status;
    d.into = *picture;
    status = status == GF_OK ? pair_again(criteria, pair, draw_row, &d) : status;
    free(d.row);
    return status;
}

void remove_difference(const char *path)
{
    struct stat status;
    char *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? realpath(path, NULL) : NULL;
    if (file && unlink(file) == 0) {
        cli_note("note: %s: removed: it showed other pictures, and of these two no difference can be drawn",
                 path);
    }
    free(file);
}
