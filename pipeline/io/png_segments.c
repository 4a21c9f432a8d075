#include "png_segments.h"

#include "base/status.h"
#include "budget.h"
#include "png_filter.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define WINDOW      ((size_t)1 << 15) /* bytes that deflate looks back */
#define FRONT       10                /* length, name, and zlib's header in the first */
#define BACK        8                 /* Adler-32 in the last, CRC */
#define MAX_THREADS 1024
#define SPAN_LEAST  ((size_t)1 << 16) /* bytes that are worth filtering on more than one thread */
#define RUNS_LEAST  64                /* one byte of so many in runs: worth looking for them */

/* One compressed segment: a whole IDAT chunk, but for what the last one gets at the end. */
struct segment {
    uint8_t *chunk;
    size_t used;    /* of chunk, from FRONT on */
    uint32_t crc;   /* of the chunk's name and data */
    uint32_t adler; /* of the filtered bytes */
    int good;
};

/* What a thread compresses with. */
struct worker {
    z_stream search; /* by level; of level -1 for runs */
    z_stream plain;  /* level -1: no matches at all */
    int search_made, plain_made;
};

struct gf_png_segments {
    struct gf_bytes_out *out;
    struct gf_budget budget; /* without limit: sees to what zlib takes */
    int level;               /* as gf_write_options.png_level */
    int swap;                /* 1: the samples' bytes are to be swapped */
    size_t pixel, row;       /* bytes, without the filter's */
    int threads, count;      /* count: segments that are compressed at a time */
    struct worker *workers;
    struct segment *segments;

    uint8_t *filtered; /* WINDOW bytes, then room for `capacity` */
    size_t capacity, used;
    size_t window;  /* bytes that are known before filtered + WINDOW: 0 or WINDOW */
    uint8_t *above; /* the last row of the call before, zeros at first */
    uint8_t filter; /* of a row that did not fit in whole */
    int begun;      /* 1: the first chunk is written */
    uint32_t adler; /* of all that is written */
    size_t chunk_size;
};

void gf_png_put_uint(uint8_t bytes[4], uint32_t value)
{
    bytes[0] = (uint8_t)(value >> 24);
    bytes[1] = (uint8_t)(value >> 16);
    bytes[2] = (uint8_t)(value >> 8);
    bytes[3] = (uint8_t)value;
}

/* ---- memory ---- */

static int make_stream(struct gf_png_segments *s, z_stream *stream, int level, int strategy)
{
    stream->zalloc = gf_budget_zalloc;
    stream->zfree = gf_budget_zfree;
    stream->opaque = &s->budget;
    return deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 8, strategy) == Z_OK;
}

/* The default looks for runs only, and where there are none not even for those. */
static int make_worker(struct gf_png_segments *s, struct worker *worker)
{
    int level = s->level < 0 ? 1 : s->level;
    int strategy = s->level < 0 ? Z_RLE : s->level == 0 ? Z_DEFAULT_STRATEGY : Z_FILTERED;
    worker->search_made = make_stream(s, &worker->search, level, strategy);
    worker->plain_made = s->level < 0 && make_stream(s, &worker->plain, 1, Z_HUFFMAN_ONLY);
    return worker->search_made && (worker->plain_made || s->level >= 0);
}

/* Segments of the whole picture, or `most`; and the size of the first, the largest. */
static int64_t count_segments(const struct gf_png_segments *s, int64_t height, int64_t most, size_t *size)
{
    uint64_t bytes;
    if (__builtin_mul_overflow((uint64_t)height, (uint64_t)s->row + 1, &bytes) ||
        bytes / GF_PNG_SEGMENT >= (uint64_t)most) {
        *size = GF_PNG_SEGMENT;
        return most;
    }
    *size = bytes < GF_PNG_SEGMENT ? (size_t)bytes : GF_PNG_SEGMENT;
    return (int64_t)((bytes + GF_PNG_SEGMENT - 1) / GF_PNG_SEGMENT);
}

static void set_sizes(struct gf_png_segments *s, const struct gf_encoder *encoder)
{
    const uint16_t one = 1;
    const gf_shape *shape = &encoder->shape;
    size_t sample = gf_depth_size(shape->depth), size;
    s->out = encoder->out;
    s->budget.limit = UINT64_MAX;
    s->level = encoder->options->png_level;
    s->swap = sample == 2 && *(const uint8_t *)&one == 1;
    s->pixel = (size_t)shape->channels * sample;
    s->row = (size_t)shape->width * s->pixel;
    s->adler = (uint32_t)adler32(0, NULL, 0);
#ifdef _OPENMP
    long threads = encoder->options->threads > 0 ? encoder->options->threads : sysconf(_SC_NPROCESSORS_ONLN);
#else
    long threads = 1;
#endif
    threads = threads < 1 ? 1 : threads > MAX_THREADS ? MAX_THREADS : threads;
    /* Two a thread, so that one that is late does not keep all waiting. */
    s->count = (int)count_segments(s, shape->height, threads > 1 ? 2 * threads : 1, &size);
    s->threads = threads < s->count ? (int)threads : s->count;
    s->capacity = (size_t)s->count * size;
}

static int make_buffers(struct gf_png_segments *s)
{
    s->workers = calloc((size_t)s->threads, sizeof *s->workers);
    s->segments = calloc((size_t)s->count, sizeof *s->segments);
    s->filtered = malloc(WINDOW + s->capacity);
    s->above = calloc(1, s->row);
    if (s->workers == NULL || s->segments == NULL || s->filtered == NULL || s->above == NULL) {
        return 0;
    }
    for (int i = 0; i < s->threads; i++) {
        if (!make_worker(s, &s->workers[i])) {
            return 0;
        }
    }
    size_t size = s->count > 1 ? GF_PNG_SEGMENT : s->capacity;
    uLong bound = deflateBound(&s->workers[0].search, (uLong)size);
    uLong plain = s->level < 0 ? deflateBound(&s->workers[0].plain, (uLong)size) : 0;
    s->chunk_size = (bound > plain ? bound : plain) + 64; /* the end of a segment is no more than that */
    for (int i = 0; i < s->count; i++) {
        s->segments[i].chunk = malloc(FRONT + s->chunk_size + BACK);
        if (s->segments[i].chunk == NULL) {
            return 0;
        }
    }
    return 1;
}

gf_status gf_png_segments_create(const struct gf_encoder *encoder, struct gf_png_segments **out,
                                 gf_error *error)
{
    struct gf_png_segments *s = calloc(1, sizeof *s);
    *out = s;
    if (s != NULL) {
        set_sizes(s, encoder);
        if (make_buffers(s)) {
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
    for (int i = 0; s->workers != NULL && i < s->threads; i++) {
        if (s->workers[i].search_made) {
            deflateEnd(&s->workers[i].search);
        }
        if (s->workers[i].plain_made) {
            deflateEnd(&s->workers[i].plain);
        }
    }
    for (int i = 0; s->segments != NULL && i < s->count; i++) {
        free(s->segments[i].chunk);
    }
    free(s->workers);
    free(s->segments);
    free(s->filtered);
    free(s->above);
    free(s);
}

/* ---- filtering ---- */

/* What a rows call brought. Places in it count filtered bytes. */
struct rows {
    const uint8_t *data;
    int64_t pitch;
    size_t line; /* bytes of a filtered row */
};

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

/* By a sample of the row where all is to be fast. */
static enum gf_png_filter choose(const struct gf_png_segments *s, const uint8_t *row, const uint8_t *above)
{
    int every = s->level < 0 ? 4 : 1;
    return s->level == 0 ? GF_PNG_NONE : gf_png_filter_choose(row, above, s->row, s->pixel, (size_t)every);
}

/* The part of row `index` that lies between the places `from` and `to`, to its place behind `out`. */
static void filter_row(const struct gf_png_segments *s, const struct rows *rows, size_t index, size_t from,
                       size_t to, uint8_t *out)
{
    const uint8_t *row = rows->data + (int64_t)index * rows->pitch;
    const uint8_t *above = index > 0 ? row - rows->pitch : s->above;
    size_t begin = index * rows->line, first = 0;
    size_t last = to - begin < rows->line ? to - begin : rows->line;
    enum gf_png_filter filter = s->filter;
    if (begin >= from) {
        out += begin - from;
        filter = choose(s, row, above);
        *out++ = (uint8_t)filter;
    } else {
        first = from - begin - 1;
    }
    filter_bytes(s, filter, row, above, first, last - 1, out);
}

/* Filters the places `from` to `to` - 1 to out[0], ... */
static void filter_span(struct gf_png_segments *s, const struct rows *rows, size_t from, size_t to,
                        uint8_t *out)
{
    size_t first = from / rows->line, end = (to - 1) / rows->line + 1;
    int threads = to - from < SPAN_LEAST ? 1 : s->threads;
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(threads)
#endif
    for (int thread = 0; thread < threads; thread++) {
        size_t share = (end - first) / (size_t)threads, rest = (end - first) % (size_t)threads;
        size_t t = (size_t)thread, index = first + t * share + (t < rest ? t : rest);
        size_t stop = index + share + (t < rest);
        for (; index < stop; index++) {
            filter_row(s, rows, index, from, to, out);
        }
    }
    if ((end - 1) * rows->line >= from) {
        s->filter = out[(end - 1) * rows->line - from];
    }
}

/* ---- compressing ---- */

/* Whether there are enough bytes like the three before them. */
static int has_runs(const uint8_t *bytes, size_t size)
{
    size_t runs = 0;
    for (size_t from = 3; from < size; from += 128) {
        size_t to = size - from < 128 ? size : from + 128;
        uint8_t some = 0;
        for (size_t i = from; i < to; i++) {
            some = (uint8_t)(some + ((bytes[i] == bytes[i - 1]) & (bytes[i] == bytes[i - 2]) &
                                     (bytes[i] == bytes[i - 3])));
        }
        runs += some;
    }
    return runs > size / RUNS_LEAST;
}

/* Segment `index` of those that are full; `flush` ends it. */
static void compress_segment(const struct gf_png_segments *s, struct worker *worker, int index, size_t size,
                             int flush)
{
    struct segment *segment = &s->segments[index];
    uint8_t *from = s->filtered + WINDOW + (size_t)index * GF_PNG_SEGMENT;
    z_stream *stream = s->level >= 0 || has_runs(from, size) ? &worker->search : &worker->plain;
    int good = deflateReset(stream) == Z_OK;
    size_t window = index > 0 ? WINDOW : s->window;
    if (s->level > 0 && window > 0) {
        good = good && deflateSetDictionary(stream, from - window, (uInt)window) == Z_OK;
    }
    stream->next_in = from;
    stream->avail_in = (uInt)size;
    stream->next_out = segment->chunk + FRONT;
    stream->avail_out = (uInt)s->chunk_size;
    int result = deflate(stream, flush);
    segment->good = good && result == (flush == Z_FINISH ? Z_STREAM_END : Z_OK) && stream->avail_in == 0 &&
                    stream->avail_out > 0;
    segment->used = s->chunk_size - stream->avail_out;
    segment->adler = (uint32_t)adler32(adler32(0, NULL, 0), from, (uInt)size);
    uint8_t *name = segment->chunk + 4, *data = segment->chunk + FRONT;
    if (s->begun || index > 0) {
        name += 2;
    } else { /* zlib's header: deflate, 32 KiB; how hard was tried; a multiple of 31 */
        static const uint8_t tried[11] = {0x01, 0x01, 0x01, 0x5e, 0x5e, 0x5e, 0x5e, 0x9c, 0xda, 0xda, 0xda};
        data[-2] = 0x78;
        data[-1] = tried[s->level + 1];
    }
    memcpy(name, "IDAT", 4);
    segment->crc = (uint32_t)crc32(crc32(0, NULL, 0), name, (uInt)(data + segment->used - name));
}

/* Writes a finished chunk, the last with the checksum of everything. */
static int write_segment(struct gf_png_segments *s, struct segment *segment, size_t size, int last)
{
    size_t front = s->begun ? 8 : FRONT; /* length, name, header */
    uint8_t *chunk = segment->chunk + FRONT - front, *end = segment->chunk + FRONT + segment->used;
    s->adler = (uint32_t)adler32_combine(s->adler, segment->adler, (z_off_t)size);
    s->begun = 1;
    if (last) {
        gf_png_put_uint(end, s->adler);
        segment->crc = (uint32_t)crc32(segment->crc, end, 4);
        end += 4;
    }
    gf_png_put_uint(chunk, (uint32_t)(end - chunk - 8));
    gf_png_put_uint(end, segment->crc);
    return gf_bytes_out_write(s->out, chunk, (size_t)(end + 4 - chunk));
}

/* Compresses and writes all that is there; only the last time may it be less than the capacity. */
static gf_status flush_segments(struct gf_png_segments *s, int last, gf_error *error)
{
    int count = (int)((s->used + GF_PNG_SEGMENT - 1) / GF_PNG_SEGMENT);
    size_t rest = s->used - (size_t)(count - 1) * GF_PNG_SEGMENT; /* in the last of them */
    int threads = count < s->threads ? count : s->threads;
    atomic_int next = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(threads)
#endif
    for (int thread = 0; thread < threads; thread++) {
        for (int i; (i = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed)) < count;) {
            compress_segment(s, &s->workers[thread], i, i == count - 1 ? rest : GF_PNG_SEGMENT,
                             last && i == count - 1 ? Z_FINISH : Z_SYNC_FLUSH);
        }
    }
    for (int i = 0; i < count; i++) {
        if (!s->segments[i].good) {
            return gf_fail(error, GF_ERROR_INTERNAL, "%s: zlib does not compress", s->out->label);
        }
        if (!write_segment(s, &s->segments[i], i == count - 1 ? rest : GF_PNG_SEGMENT,
                           last && i == count - 1)) {
            return gf_bytes_out_fail(s->out, error);
        }
    }
    if (!last) {
        memcpy(s->filtered, s->filtered + s->capacity, WINDOW);
        s->window = WINDOW;
        s->used = 0;
    }
    return GF_OK;
}

gf_status gf_png_segments_rows(struct gf_png_segments *s, const void *data, int64_t pitch, int64_t count,
                               gf_error *error)
{
    struct rows rows = {data, pitch, s->row + 1};
    size_t end = (size_t)count * rows.line;
    for (size_t at = 0, to; at < end; at = to) {
        if (s->used == s->capacity) { /* only now is it known that more follows */
            GF_TRY(flush_segments(s, 0, error));
        }
        size_t room = s->capacity - s->used;
        to = end - at < room ? end : at + room;
        filter_span(s, &rows, at, to, s->filtered + WINDOW + s->used);
        s->used += to - at;
    }
    if (count > 0) {
        memcpy(s->above, rows.data + (count - 1) * pitch, s->row);
    }
    return GF_OK;
}

gf_status gf_png_segments_end(struct gf_png_segments *s, gf_error *error)
{
    return flush_segments(s, 1, error);
}
