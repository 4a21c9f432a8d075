#include "io/png/png_segments.h"

#include "base/processors.h"
#include "base/status.h"
#include "io/png/png_deflate.h"
#include "io/png/png_filter.h"
#include "io/work.h"

#include <stdlib.h>
#include <string.h>

#define MAX_THREADS 1024

/* What a rows call brought. Places in it count filtered bytes. */
struct rows {
    const uint8_t *data;
    int64_t pitch;
    size_t line; /* bytes of a filtered row */
};

/* States of a segment. */
enum { TAKING, FILTERED, COMPRESSED };

struct segment {
    uint8_t *filtered;
    struct rows rows;
    size_t from, to; /* places in rows that are still to be filtered, behind `taken` bytes */
    size_t taken, size;
    int last; /* of the picture */
    int state;
    struct gf_png_chunk chunk;
};

/* Segments are tasks of two phases: filtering, for which the rows are needed, and compressing, which looks
 * back into the segment before. A segment's memory serves the one `count` later. */
struct gf_png_segments {
    struct gf_bytes_out *out;
    struct gf_budget budget; /* without limit: sees to what compressing takes */
    int level;               /* as gf_write_options.png_level */
    int plain;               /* 1: no filter */
    int swap;                /* 1: the samples' bytes are to be swapped */
    size_t pixel, row;       /* bytes, without the filter's */
    size_t size;             /* of a segment that is not the last */
    int64_t rows_left;
    uint8_t *above; /* the last row of the call before, zeros at first */
    int threads, count;
    struct gf_png_deflate *deflate; /* by worker */
    struct segment *segments;
    int64_t taking, written; /* numbers of segments */
    int open;                /* 1: segment `taking` has its memory */
    struct gf_work work;
    int working;    /* 1: `work` has begun */
    uint32_t adler; /* of all that is written */
};

void gf_png_put_uint(uint8_t bytes[4], uint32_t value)
{
    bytes[0] = (uint8_t)(value >> 24);
    bytes[1] = (uint8_t)(value >> 16);
    bytes[2] = (uint8_t)(value >> 8);
    bytes[3] = (uint8_t)value;
}

static struct segment *segment_at(const struct gf_png_segments *s, int64_t number)
{
    return &s->segments[number % s->count];
}

/* ---- filtering ---- */

/* Bytes `from` to `to` - 1 of the filtered row, in the file's byte order. That of the samples has each pair
 * swapped, and may be cut within one. */
static void filter_bytes(const struct gf_png_segments *s, enum gf_png_filter filter, const uint8_t *row,
                         const uint8_t *above, size_t from, size_t to, uint8_t *out)
{
    uint8_t pair[2];
    if (s->swap && from < to && from % 2 != 0) {
        gf_png_filter_apply(filter, row, above, from - 1, from + 1, s->pixel, pair);
        *out++ = pair[0];
        from++;
    }
    if (s->swap && from < to && to % 2 != 0) {
        to--;
        gf_png_filter_apply(filter, row, above, to, to + 2, s->pixel, pair);
        out[to - from] = pair[1];
    }
    gf_png_filter_apply(filter, row, above, from, to, s->pixel, out);
    for (size_t i = 0; s->swap && i < to - from; i += 2) {
        uint8_t first = out[i];
        out[i] = out[i + 1];
        out[i + 1] = first;
    }
}

/* Judges by a sample of the row where all is to be fast. */
static enum gf_png_filter choose(const struct gf_png_segments *s, const uint8_t *row, const uint8_t *above)
{
    int every = s->level < 0 ? 4 : 1;
    return s->level == 0 || s->plain ? GF_PNG_NONE
                                     : gf_png_filter_choose(row, above, s->row, s->pixel, (size_t)every);
}

/* The part of row `index` that lies between the places `from` and `to`, to its place behind `out`. */
static void filter_row(const struct gf_png_segments *s, const struct rows *rows, size_t index, size_t from,
                       size_t to, uint8_t *out)
{
    const uint8_t *row = rows->data + (int64_t)index * rows->pitch;
    const uint8_t *above = index > 0 ? row - rows->pitch : s->above;
    size_t begin = index * rows->line, first = 0;
    size_t last = to - begin < rows->line ? to - begin : rows->line;
    enum gf_png_filter filter = choose(s, row, above);
    if (begin >= from) {
        out += begin - from;
        *out++ = (uint8_t)filter;
    } else {
        first = from - begin - 1;
    }
    filter_bytes(s, filter, row, above, first, last - 1, out);
}

/* Filters the places `from` to `to` - 1 to out[0], ... */
static void filter_span(const struct gf_png_segments *s, const struct rows *rows, size_t from, size_t to,
                        uint8_t *out)
{
    for (size_t index = from / rows->line; index * rows->line < to; index++) {
        filter_row(s, rows, index, from, to, out);
    }
}

/* ---- tasks ---- */

static void compress_segment(struct gf_png_segments *s, int64_t number, int worker)
{
    struct segment *segment = segment_at(s, number);
    const uint8_t *window = NULL;
    if (number > 0) { /* only the last is shorter */
        struct segment *before = segment_at(s, number - 1);
        gf_work_await(&s->work, &before->state, FILTERED, -1);
        window = before->filtered + GF_PNG_SEGMENT - GF_PNG_WINDOW;
    }
    gf_work_await(&s->work, &segment->state, FILTERED, -1);
    gf_png_deflate_segment(&s->deflate[worker], segment->filtered, segment->size, window, segment->last,
                           &segment->chunk);
    gf_work_reach(&s->work, &segment->state, COMPRESSED);
}

static void run(void *user, int64_t number, int phase, int worker)
{
    struct gf_png_segments *s = user;
    struct segment *segment = segment_at(s, number);
    if (phase == 1) {
        compress_segment(s, number, worker);
        return;
    }
    filter_span(s, &segment->rows, segment->from, segment->to, segment->filtered + segment->taken);
    gf_work_reach(&s->work, &segment->state, FILTERED);
}

/* ---- memory ---- */

static void set_sizes(struct gf_png_segments *s, const struct gf_encoder *encoder, const gf_shape *shape)
{
    const uint16_t one = 1;
    size_t sample = gf_depth_size(shape->depth);
    s->out = encoder->out;
    s->budget.limit = UINT64_MAX;
    s->level = encoder->options->png_level;
    s->swap = sample == 2 && *(const uint8_t *)&one == 1;
    s->pixel = (size_t)shape->channels * sample;
    s->row = (size_t)shape->width * s->pixel;
    s->rows_left = shape->height;
    s->adler = (uint32_t)adler32(0, NULL, 0);
    uint64_t bytes, segments = MAX_THREADS;
    s->size = GF_PNG_SEGMENT;
    if (!__builtin_mul_overflow((uint64_t)shape->height, (uint64_t)s->row + 1, &bytes)) {
        s->size = bytes < GF_PNG_SEGMENT ? (size_t)bytes : GF_PNG_SEGMENT;
        segments = (bytes + GF_PNG_SEGMENT - 1) / GF_PNG_SEGMENT;
    }
    int32_t threads = encoder->options->threads > 0 ? encoder->options->threads : gf_processors();
    threads = threads < MAX_THREADS ? threads : MAX_THREADS;
    s->threads = (uint64_t)threads < segments ? (int)threads : (int)segments;
    /* Two a thread, so that one that is late does not keep all waiting, and the one that is being taken. */
    s->count = segments < 2 * (uint64_t)s->threads + 1 ? (int)segments : 2 * s->threads + 1;
    s->count = s->count > 1 || segments == 1 ? s->count : 2;
}

static int make_buffers(struct gf_png_segments *s)
{
    s->deflate = calloc((size_t)s->threads, sizeof *s->deflate);
    s->segments = calloc((size_t)s->count, sizeof *s->segments);
    s->above = calloc(1, s->row);
    if (s->deflate == NULL || s->segments == NULL || s->above == NULL) {
        return 0;
    }
    for (int i = 0; i < s->threads; i++) {
        if (!gf_png_deflate_make(&s->deflate[i], s->level, &s->budget)) {
            return 0;
        }
    }
    for (int i = 0; i < s->count; i++) {
        struct gf_png_chunk *chunk = &s->segments[i].chunk;
        chunk->room = gf_png_deflate_bound(&s->deflate[0], s->size);
        chunk->data = malloc(GF_PNG_FRONT + chunk->room + GF_PNG_BACK);
        s->segments[i].filtered = malloc(s->size);
        if (chunk->data == NULL || s->segments[i].filtered == NULL) {
            return 0;
        }
    }
    return 1;
}

gf_status gf_png_segments_create(const struct gf_encoder *encoder, const gf_shape *shape, int plain,
                                 struct gf_png_segments **out, gf_error *error)
{
    struct gf_png_segments *s = calloc(1, sizeof *s);
    *out = s;
    if (s != NULL) {
        set_sizes(s, encoder, shape);
        s->plain = plain;
        s->working = make_buffers(s) && gf_work_begin(&s->work, s->threads - 1, run, s);
        if (s->working) {
            return GF_OK;
        }
    }
    gf_png_segments_destroy(s);
    *out = NULL;
    return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for PNG", encoder->out->label);
}

void gf_png_segments_destroy(struct gf_png_segments *s)
{
    if (s == NULL) {
        return;
    }
    if (s->working) {
        gf_work_end(&s->work);
    }
    for (int i = 0; s->deflate != NULL && i < s->threads; i++) {
        gf_png_deflate_free(&s->deflate[i], &s->budget);
    }
    for (int i = 0; s->segments != NULL && i < s->count; i++) {
        free(s->segments[i].chunk.data);
        free(s->segments[i].filtered);
    }
    free(s->deflate);
    free(s->segments);
    free(s->above);
    free(s);
}

/* ---- rows in, chunks out ---- */

/* Waits for the oldest segment and writes its chunk, the last with the checksum of everything. */
static gf_status write_oldest(struct gf_png_segments *s, gf_error *error)
{
    struct segment *segment = segment_at(s, s->written);
    struct gf_png_chunk *compressed = &segment->chunk;
    gf_work_await(&s->work, &segment->state, COMPRESSED, 1);
    if (compressed->used == 0) {
        return gf_fail(error, GF_ERROR_INTERNAL, "%s: its samples cannot be compressed", s->out->label);
    }
    size_t front = s->written > 0 ? 8 : GF_PNG_FRONT; /* length, name, header */
    uint8_t *chunk = compressed->data + GF_PNG_FRONT - front,
            *end = compressed->data + GF_PNG_FRONT + compressed->used;
    s->adler = (uint32_t)adler32_combine(s->adler, compressed->adler, (z_off_t)segment->size);
    if (segment->last) {
        gf_png_put_uint(end, s->adler);
        compressed->crc = (uint32_t)crc32(compressed->crc, end, 4);
        end += 4;
    }
    gf_png_put_uint(chunk, (uint32_t)(end - chunk - 8));
    gf_png_put_uint(end, compressed->crc);
    s->written++;
    return gf_bytes_out_write(s->out, chunk, (size_t)(end + 4 - chunk)) ? GF_OK
                                                                        : gf_bytes_out_fail(s->out, error);
}

/* The segment that takes rows now. It uses the memory of one that must be written, and so must the next one
 * be, which looks back into that memory. */
static gf_status open_segment(struct gf_png_segments *s, gf_error *error)
{
    while (s->written + s->count <= s->taking + 1 && s->written < s->taking) {
        GF_TRY(write_oldest(s, error));
    }
    struct segment *segment = segment_at(s, s->taking);
    segment->taken = segment->from = segment->to = 0;
    segment->state = TAKING;
    s->open = 1;
    return GF_OK;
}

/* The places [from, to) are the rest of the segment. */
static void submit(struct gf_png_segments *s, const struct rows *rows, size_t from, size_t to, int last)
{
    struct segment *segment = segment_at(s, s->taking++);
    segment->rows = *rows;
    segment->from = from;
    segment->to = to;
    segment->size = segment->taken + (to - from);
    segment->last = last;
    s->open = 0;
    gf_work_submit(&s->work);
}

static gf_status take_rows(struct gf_png_segments *s, const struct rows *rows, size_t end, gf_error *error)
{
    int64_t first = s->taking;
    for (size_t at = 0, to; at < end; at = to) {
        if (!s->open) {
            GF_TRY(open_segment(s, error));
        }
        struct segment *segment = segment_at(s, s->taking);
        size_t room = GF_PNG_SEGMENT - segment->taken;
        to = end - at < room ? end : at + room;
        int last = s->rows_left == 0 && to == end;
        if (to - at == room || last) {
            submit(s, rows, at, to, last);
        } else {
            filter_span(s, rows, at, to, segment->filtered + segment->taken);
            segment->taken += to - at;
        }
    }
    for (; first < s->taking; first++) { /* the rows are the caller's again */
        if (first >= s->written) {
            gf_work_await(&s->work, &segment_at(s, first)->state, FILTERED, 0);
        }
    }
    return GF_OK;
}

gf_status gf_png_segments_rows(struct gf_png_segments *s, const void *data, int64_t pitch, int64_t count,
                               gf_error *error)
{
    struct rows rows = {data, pitch, s->row + 1};
    s->rows_left -= count;
    gf_status status = take_rows(s, &rows, (size_t)count * rows.line, error);
    if (status != GF_OK) { /* tasks that still read rows end before the caller has them again */
        gf_work_end(&s->work);
        s->working = 0;
    } else if (count > 0) {
        memcpy(s->above, rows.data + (count - 1) * pitch, s->row);
    }
    return status;
}

gf_status gf_png_segments_end(struct gf_png_segments *s, gf_error *error)
{
    while (s->written < s->taking) {
        GF_TRY(write_oldest(s, error));
    }
    return GF_OK;
}
