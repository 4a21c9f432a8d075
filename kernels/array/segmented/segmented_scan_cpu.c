/* The CPU's scan of segments: threads take chunks in order, as scan's do. Flags of where segments begin are
 * made for a chunk, from its keys or from the offsets; a chunk in which one begins needs nothing of what lies
 * before it to tell what lies behind it. */
#include "array/common/turns.h"
#include "array/keyed/runs_lines.h"
#include "array/scan/scan_parts.h"
#include "array/segmented/segmented_scan_call.h"
#include "base/cpu_level.h"
#include "base/cpu_stream.h"
#include "base/float_mode.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <string.h>

enum {
    CHUNK = 16384, /* elements */
    BLOCK = GF_SCAN_BLOCK_BYTES / sizeof(uint64_t),
    BLOCKS = CHUNK / BLOCK,
    MOST_TILES = CHUNK * sizeof(double) / GF_SCAN_TILE_BYTES,
    MANY = 24,               /* of so many elements one begins a segment: no loop of its own for each */
    STREAM_BYTES = 16 << 20, /* of results: larger arrays are written past the caches */
};

struct job {
    const struct gf_segmented_scan_call *call;
    struct gf_scan_parts parts;
    gf_runs_line heads;                                      /* of keys */
    void (*stream)(void *out, const void *in, size_t bytes); /* NULL: write through the caches */
    struct gf_turns turns;
    uint64_t carry; /* what lies before the chunk whose turn it is, in its segment: integers and keys */
    struct gf_scan_chain chain; /* and sums of floats */
};

/* Elements [first, first + n) and where segments begin among them. */
struct chunk {
    int64_t first;
    int32_t n;
    int32_t counts[BLOCKS]; /* of each block: how many begin */
    uint8_t flags[CHUNK];   /* 1 where one does; behind the elements 0 */
};

/* ---- Flags --------------------------------------------------------------------------------------------------- */

/* Returns how many segments begin before element `first`. */
static int64_t segments_before(const struct gf_segmented_scan_call *call, int64_t first)
{
    int64_t low = 0, high = call->segments;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (call->offsets[middle] < first) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void flags_of_offsets(const struct gf_segmented_scan_call *call, struct chunk *chunk)
{
    const int64_t end = chunk->first + chunk->n;
    for (int64_t i = segments_before(call, chunk->first); i < call->segments && call->offsets[i] < end; i++) {
        chunk->flags[call->offsets[i] - chunk->first] = 1;
    }
}

static void take_flags(const struct job *job, int64_t first, struct chunk *chunk)
{
    const int64_t left = job->call->scan.array.n - first;
    chunk->first = first;
    chunk->n = left < CHUNK ? (int32_t)left : CHUNK;
    memset(chunk->flags, 0, sizeof chunk->flags);
    if (!job->call->by_key) {
        flags_of_offsets(job->call, chunk);
    }
    for (int32_t b = 0; b < BLOCKS; b++) {
        const int32_t at = b * BLOCK, n = chunk->n - at < BLOCK ? chunk->n - at : BLOCK;
        chunk->counts[b] = 0;
        if (job->call->by_key && n > 0) {
            chunk->counts[b] = job->heads(job->call->keys, first + at, n, chunk->flags + at);
        }
        for (int32_t i = at; !job->call->by_key && i < at + BLOCK; i++) {
            chunk->counts[b] += chunk->flags[i];
        }
    }
    if (GF_FAULT(segmented_scan_chunk) && first == CHUNK && chunk->flags[0] == 0) {
        chunk->flags[0] = 1;
        chunk->counts[0]++;
    }
}

/* Returns where the last segment of the chunk begins; -1: none begins there. */
static int32_t last_head(const struct chunk *chunk)
{
    int32_t b = BLOCKS - 1, i;
    while (b >= 0 && chunk->counts[b] == 0) {
        b--;
    }
    for (i = (b + 1) * BLOCK - 1; i >= 0 && chunk->flags[i] == 0; i--) {
    }
    return i;
}

/* ---- Integers and keys --------------------------------------------------------------------------------------- */

/* A block whose `heads` segments are scanned one by one, or all in one loop. Returns what lies behind. */
static uint64_t scan_block(const struct gf_scan_parts *parts, const void *in, int32_t n, const uint8_t *flags,
                           int32_t heads, uint64_t carry, void *out)
{
    const struct gf_scan_call *call = parts->call;
    const int width = parts->width;
    const bool sums = call->op == GF_SCAN_SUM;
    if (heads * MANY > n) {
        if (sums) {
            parts->rows->keyed_sum[width](in, n, flags, &carry, call->inclusive, out);
        } else {
            parts->rows->keyed_least[width](in, n, flags, parts->flip, parts->none, &carry, call->inclusive,
                                            out);
        }
        return carry;
    }
    for (int32_t i = 0, end; i < n; i = end) {
        const uint8_t *next = heads > 0 && i + 1 < n ? memchr(flags + i + 1, 1, (size_t)(n - i - 1)) : NULL;
        const void *from = (const char *)in + ((size_t)i << width);
        void *to = (char *)out + ((size_t)i << width);
        end = next ? (int32_t)(next - flags) : n;
        carry = flags[i] ? parts->none : carry;
        if (sums) {
            parts->rows->sum[width](from, end - i, &carry, call->inclusive, to);
        } else {
            parts->rows->least[width](from, end - i, parts->flip, &carry, call->inclusive, to);
        }
    }
    return carry;
}

static void scan_chunk(const struct job *job, const struct chunk *chunk, uint64_t carry)
{
    _Alignas(64) char block[GF_SCAN_BLOCK_BYTES], results[GF_SCAN_BLOCK_BYTES];
    const struct gf_scan_parts *parts = &job->parts;
    const gf_depth type = parts->call->array.options.type;
    for (int32_t at = 0; at < chunk->n; at += BLOCK) {
        const int32_t n = chunk->n - at < BLOCK ? chunk->n - at : BLOCK;
        const void *in = gf_scan_prepared(parts, chunk->first + at, n, block);
        void *out = job->stream ? results : gf_scan_output_at(parts, chunk->first + at);
        carry = scan_block(parts, in, n, chunk->flags + at, chunk->counts[at / BLOCK], carry, out);
        if (parts->call->op != GF_SCAN_SUM && (type == GF_F32 || type == GF_F64)) {
            parts->rows->unkey(out, type, n);
        }
        if (job->stream) {
            job->stream(gf_scan_output_at(parts, chunk->first + at), out, (size_t)n << parts->width);
        }
    }
}

static void integers(struct job *job, int64_t number, const struct chunk *chunk)
{
    const int32_t last = last_head(chunk);
    const int64_t end = chunk->first + chunk->n;
    const uint64_t total = gf_scan_total(&job->parts, chunk->first + (last < 0 ? 0 : last), end);
    gf_turn_wait(&job->turns, number);
    const uint64_t carry = job->carry;
    job->carry = last < 0 ? gf_scan_combined(&job->parts, carry, total) : total;
    gf_turn_pass(&job->turns);
    scan_chunk(job, chunk, carry);
}

/* ---- Sums of floats ------------------------------------------------------------------------------------------ */

struct tile {
    int64_t at;
    int32_t n;
    bool begins; /* a segment does */
    const uint8_t *flags;
    double before; /* first its own total, or what lies behind the last beginning */
    struct gf_scan_keyed_tile sums;
};

static void sum_tile(const struct job *job, const struct chunk *chunk, int32_t at, int32_t size,
                     struct tile *tile)
{
    const struct gf_scan_parts *parts = &job->parts;
    const gf_depth type = parts->call->array.options.type, out = parts->call->out;
    int32_t heads = 0;
    for (int32_t b = at / BLOCK; b < (at + size) / BLOCK; b++) {
        heads += chunk->counts[b];
    }
    tile->at = chunk->first + at;
    tile->n = chunk->n - at < size ? chunk->n - at : size;
    tile->begins = heads > 0;
    tile->flags = chunk->flags + at;
    const void *in = gf_scan_input_at(parts, tile->at);
    tile->before = heads > 0 ? parts->rows->keyed_tile(in, type, out, tile->n, tile->flags, &tile->sums)
                             : parts->rows->float_tile(in, type, out, tile->n, &tile->sums.sums);
}

static void scan_tile(const struct job *job, const struct tile *tile)
{
    _Alignas(64) char results[GF_SCAN_TILE_BYTES];
    const struct gf_scan_parts *parts = &job->parts;
    const struct gf_scan_call *call = parts->call;
    const gf_depth type = call->array.options.type;
    const void *in = gf_scan_input_at(parts, tile->at);
    void *out = job->stream ? results : gf_scan_output_at(parts, tile->at);
    if (tile->begins) {
        parts->rows->keyed_scan(in, type, call->out, tile->n, tile->flags, &tile->sums, tile->before,
                                call->inclusive, out);
    } else {
        parts->rows->float_scan(in, type, call->out, tile->n, &tile->sums.sums, tile->before, call->inclusive,
                                out);
    }
    if (job->stream) {
        job->stream(gf_scan_output_at(parts, tile->at), out, (size_t)tile->n << parts->width);
    }
}

static void floats(struct job *job, int64_t number, const struct chunk *chunk)
{
    const int32_t size = GF_SCAN_TILE_BYTES >> job->parts.width, count = (chunk->n + size - 1) / size;
    struct tile tiles[MOST_TILES];
    for (int32_t t = 0; t < count; t++) {
        sum_tile(job, chunk, t * size, size, &tiles[t]);
    }
    gf_turn_wait(&job->turns, number);
    for (int32_t t = 0; t < count; t++) {
        tiles[t].before =
            gf_scan_chain_next(&job->chain, tiles[t].before, tiles[t].begins, job->parts.call->out);
    }
    gf_turn_pass(&job->turns);
    for (int32_t t = 0; t < count; t++) {
        scan_tile(job, &tiles[t]);
    }
}

/* ---- The call ------------------------------------------------------------------------------------------------ */

static void work(void *argument, int thread, int threads)
{
    struct job *job = argument;
    struct chunk chunk;
    gf_float_mode saved;
    (void)thread;
    (void)threads;
    gf_float_mode_set(&saved);
    for (int64_t c; (c = gf_turn_take(&job->turns)) * CHUNK < job->call->scan.array.n;) {
        take_flags(job, c * CHUNK, &chunk);
        if (gf_scan_is_float_sum(&job->call->scan)) {
            floats(job, c, &chunk);
        } else {
            integers(job, c, &chunk);
        }
    }
    gf_float_mode_restore(&saved);
}

gf_status gf_segmented_scan_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_segmented_scan_call *call = gf_segmented_scan_call_of(array);
    struct job job = {.call = call, .parts = gf_scan_parts_of(&call->scan)};
    (void)error;
    job.heads = call->by_key ? GF_LEVEL_BEST(gf_runs_lines)[call->key] : NULL;
    job.carry = job.parts.none;
    job.stream = array->n > STREAM_BYTES >> job.parts.width ? gf_cpu_stream : NULL;
    gf_team_run_once(gf_array_threads(array, GF_ARRAY_PAYS), work, &job);
    return GF_OK;
}
