/* All files are open at once and give a row each, so that memory holds OUT and a row of every picture,
 * however many there are. Only files that cannot be read by rows are held as a whole. */
#include "sheet/stack.h"

#include "base/message.h"
#include "job/limit_option.h"
#include "job/progress.h"
#include "job/signals.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct layer {
    const char *path;
    gf_reader *reader;
    gf_source source;
    gf_picture *rows; /* the row that is looked at, or all of them */
};

struct stacking {
    const struct stack *stack;
    struct layer *layers;
    int64_t count, room;
    gf_picture *out;
    double *values; /* of one sample */
};

/* ---- one sample ---- */

/* The k-th least of n values, which are put on either side of it: C. A. R. Hoare, Find, 1961. */
static double kth(double *v, int64_t n, int64_t k)
{
    int64_t low = 0, high = n - 1;
    while (low < high) {
        const double pivot = v[k];
        int64_t i = low, j = high;
        while (i <= j) {
            while (v[i] < pivot) {
                i++;
            }
            while (v[j] > pivot) {
                j--;
            }
            if (i <= j) {
                const double swapped = v[i];
                v[i++] = v[j];
                v[j--] = swapped;
            }
        }
        low = j < k ? i : low;
        high = k < i ? j : high;
    }
    return v[k];
}

/* NaN where one of the values is NaN. */
static double combined(enum stack_rule rule, double *v, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += v[i];
        if (isnan(v[i])) {
            return NAN;
        }
    }
    return rule == STACK_MEAN     ? sum / (double)n
           : rule == STACK_MEDIAN ? (kth(v, n, n / 2) + kth(v, n, (n - 1) / 2)) / 2
                                  : kth(v, n, rule == STACK_MAX ? n - 1 : 0);
}

static double sample_of(const void *row, gf_depth depth, int64_t i)
{
    return depth == GF_U8    ? ((const uint8_t *)row)[i]
           : depth == GF_U16 ? ((const uint16_t *)row)[i]
                             : (double)((const float *)row)[i];
}

/* Integers are rounded half up. */
static void put_sample(void *row, gf_depth depth, int64_t i, double value)
{
    if (depth == GF_U8) {
        ((uint8_t *)row)[i] = (uint8_t)(value + 0.5);
    } else if (depth == GF_U16) {
        ((uint16_t *)row)[i] = (uint16_t)(value + 0.5);
    } else {
        ((float *)row)[i] = (float)value;
    }
}

/* ---- files ---- */

/* As many files may be open as there are layers, and some more: the program asks for them, where the system
 * gives fewer by itself. */
static void allow_files(int64_t count)
{
    struct rlimit files;
    const rlim_t wanted = (rlim_t)count + 64;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < wanted) {
        files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

static gf_status fail_to_open(const struct stacking *s, gf_status status, gf_error *error)
{
    if (error->system == EMFILE) {
        return cli_fail(GF_ERROR_INPUT,
                        "%s\n  %" PRId64
                        " files are open, as many as `ulimit -Hn` allows: stack them in parts, or raise "
                        "that",
                        error->message, s->count);
    }
    return limit_told(status, error);
}

static gf_status add_layer(struct stacking *s, const char *path, int64_t page, int64_t *pages)
{
    gf_error error = GF_ERROR_INIT;
    gf_io_limits limits = s->stack->limits;
    limits.page = page;
    if (s->count == s->room) {
        s->room = 2 * s->room + 16;
        struct layer *more = realloc(s->layers, (size_t)s->room * sizeof *more);
        CLI_TRY(cli_need_memory(more != NULL));
        s->layers = more;
        allow_files(s->room);
    }
    struct layer *layer = &s->layers[s->count];
    *layer = (struct layer){.path = path};
    const gf_status status = gf_reader_open(path, &limits, &layer->reader, &error);
    CLI_TRY(status == GF_OK ? GF_OK : fail_to_open(s, status, &error));
    s->count++;
    layer->source = gf_reader_source(layer->reader);
    *pages = gf_reader_info(layer->reader)->pages;
    const gf_shape *is = &layer->source.shape, *must = &s->layers[0].source.shape;
    if (is->width != must->width || is->height != must->height || is->channels != must->channels ||
        is->depth != must->depth) {
        return cli_fail(GF_ERROR_INPUT,
                        "%s: %" PRId64 " x %" PRId64 " x %d %s, must be %" PRId64 " x %" PRId64
                        " x %d %s as %s",
                        path, is->width, is->height, is->channels, gf_depth_name(is->depth), must->width,
                        must->height, must->channels, gf_depth_name(must->depth), s->layers[0].path);
    }
    gf_shape shape = *is;
    shape.height = layer->source.whole ? shape.height : 1;
    return cli_told(gf_picture_create(&shape, &layer->rows, &error), &error);
}

static gf_status take_row(struct layer *layer, int64_t y, const void **row)
{
    const gf_image *image = &layer->rows->image;
    const bool whole = layer->source.whole;
    gf_error error = GF_ERROR_INIT;
    *row = (const char *)image->data + (whole ? y * image->pitch : 0);
    return whole && y ? GF_OK
                      : cli_told(layer->source.rows(layer->source.user, image->data, image->pitch,
                                                    image->shape.height, &error),
                                 &error);
}

static gf_status make_row(struct stacking *s, int64_t y, const void **rows)
{
    const gf_image *out = &s->out->image;
    const gf_depth depth = out->shape.depth;
    for (int64_t k = 0; k < s->count; k++) {
        CLI_TRY(take_row(&s->layers[k], y, &rows[k]));
    }
    for (int64_t i = 0; i < out->shape.width * out->shape.channels; i++) {
        for (int64_t k = 0; k < s->count; k++) {
            s->values[k] = sample_of(rows[k], depth, i);
        }
        put_sample((char *)out->data + y * out->pitch, depth, i,
                   combined(s->stack->rule, s->values, s->count));
    }
    return GF_OK;
}

static gf_status make_rows(struct stacking *s)
{
    const gf_shape shape = s->layers[0].source.shape;
    const gf_format *format;
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(cli_told(gf_io_format_for(s->stack->out, NULL, &format, &error), &error));
    CLI_TRY(cli_told(gf_io_format_holds(format, &shape, s->stack->out, &error), &error));
    CLI_TRY(cli_told(gf_picture_create(&shape, &s->out, &error), &error));
    const void **rows = calloc((size_t)s->count, sizeof *rows);
    s->values = calloc((size_t)s->count, sizeof *s->values);
    gf_status status = cli_need_memory(rows && s->values);
    for (int64_t y = 0; status == GF_OK && y < shape.height; y++) {
        progress_set("stacking", y, shape.height);
        status = make_row(s, y, rows);
    }
    free(rows);
    return status;
}

static bool has_profile_of(const gf_metadata *a, const gf_metadata *b)
{
    return a->icc_size == b->icc_size && (a->icc_size == 0 || memcmp(a->icc, b->icc, a->icc_size) == 0);
}

/* What OUT has beside samples is of the first picture: says what it then does not tell, or cannot hold. */
static void note_metadata(const struct stacking *s, const gf_format *format)
{
    const struct layer *first = &s->layers[0];
    const gf_metadata *metadata = gf_reader_metadata(first->reader);
    const bool icc = metadata->icc_size > 0, exif = metadata->exif_size > 0;
    if ((icc || exif) && !format->metadata) {
        cli_note("note: %s: %s has no room for %s of %s", s->stack->out, format->name,
                 !exif  ? "the ICC profile"
                 : !icc ? "the EXIF"
                        : "ICC profile and EXIF",
                 first->path);
    } else if (exif && s->count > 1) {
        cli_note("note: %s: has the EXIF of %s, the first of %" PRId64 " pictures", s->stack->out,
                 first->path, s->count);
    }
    for (int64_t k = 1; k < s->count; k++) {
        if (!has_profile_of(metadata, gf_reader_metadata(s->layers[k].reader))) {
            cli_note("note: %s: has another ICC profile than %s; samples are taken as stored",
                     s->layers[k].path, first->path);
            return;
        }
    }
}

static gf_status write(struct stacking *s)
{
    const gf_format *format = NULL;
    gf_error error = GF_ERROR_INIT;
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    for (int64_t k = 0; k < s->count; k++) {
        CLI_TRY(cli_told(gf_reader_finish(s->layers[k].reader, &error), &error));
        if (*gf_reader_note(s->layers[k].reader)) {
            cli_note("note: %s: %s", s->layers[k].path, gf_reader_note(s->layers[k].reader));
        }
    }
    CLI_TRY(cli_told(gf_io_format_for(s->stack->out, NULL, &format, &error), &error));
    note_metadata(s, format);
    signals_watch(&options);
    const gf_metadata *metadata = gf_reader_metadata(s->layers[0].reader);
    return cli_told(gf_io_write(s->stack->out, &s->out->image, metadata, &options, &error), &error);
}

gf_status stack_make(const struct stack *stack)
{
    struct stacking s = {.stack = stack};
    progress_begin("reading");
    gf_status status = GF_OK;
    for (int i = 0; i < stack->count; i++) {
        int64_t pages = 1;
        for (int64_t page = 1; status == GF_OK && page <= pages; page++) {
            status = add_layer(&s, stack->paths[i], page, &pages);
        }
    }
    status = status == GF_OK ? make_rows(&s) : status;
    status = status == GF_OK ? write(&s) : status;
    progress_end();
    for (int64_t k = 0; k < s.count; k++) {
        gf_picture_destroy(&s.layers[k].rows);
        gf_reader_close(&s.layers[k].reader);
    }
    gf_picture_destroy(&s.out);
    free(s.layers);
    free(s.values);
    return status;
}
