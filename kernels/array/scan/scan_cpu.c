/* The CPU's scan: threads take chunks in order. A chunk is summed, which brings it into the cache, waits for
 * the sum of all before it, and is scanned from the cache: memory is read once and written once, as in the
 * GPU's look-back. */
#include "array/common/turns.h"
#include "array/scan/scan_parts.h"
#include "base/cpu_stream.h"
#include "base/float_mode.h"
#include "base/planted_fault.h"
#include "base/team.h"

enum {
    CHUNK_BYTES = 4 * GF_SCAN_TILE_BYTES, /* of results: with as much input well inside a core's cache */
    CHUNK_TILES = CHUNK_BYTES / GF_SCAN_TILE_BYTES,
    STREAM_BYTES = 16 << 20 /* of results: larger arrays are written past the caches */
};

struct job {
    struct gf_scan_parts parts;
    void (*stream)(void *out, const void *in, size_t bytes); /* NULL: write through the caches */
    int64_t chunk;                                           /* elements */
    int threads;
    struct gf_turns turns;
    uint64_t carry;             /* what lies before the chunk whose turn it is: integers and keys */
    struct gf_scan_chain chain; /* and sums of floats */
};

/* ---- Integers and keys --------------------------------------------------------------------- */

/* Returns what lies before the chunk behind it. */
static uint64_t chunk_scan(const struct job *job, int64_t first, int64_t end, uint64_t carry)
{
    _Alignas(64) char block[GF_SCAN_BLOCK_BYTES], results[GF_SCAN_BLOCK_BYTES];
    const struct gf_scan_parts *parts = &job->parts;
    const struct gf_scan_call *call = parts->call;
    gf_depth type = call->array.options.type;
    for (int64_t step = GF_SCAN_BLOCK_BYTES >> parts->width; first < end; first += step) {
        int64_t n = end - first < step ? end - first : step;
        const void *in = gf_scan_prepared(parts, first, n, block);
        void *out = job->stream ? results : gf_scan_output_at(parts, first);
        if (call->op == GF_SCAN_SUM) {
            parts->rows->sum[parts->width](in, n, &carry, call->inclusive, out);
        } else {
            parts->rows->least[parts->width](in, n, parts->flip, &carry, call->inclusive, out);
            if (type == GF_F32 || type == GF_F64) {
                parts->rows->unkey(out, type, n);
            }
        }
        if (job->stream) {
            job->stream(gf_scan_output_at(parts, first), out, (size_t)n << parts->width);
        }
    }
    return carry;
}

static void work_integers(struct job *job)
{
    int64_t n = job->parts.call->array.n, chunk;
    while ((chunk = gf_turn_take(&job->turns)) * job->chunk < n) {
        int64_t first = chunk * job->chunk, end = n - first < job->chunk ? n : first + job->chunk;
        if (job->threads == 1) { /* nobody waits for the total */
            job->carry = chunk_scan(job, first, end, job->carry);
            continue;
        }
        uint64_t total = gf_scan_total(&job->parts, first, end);
        gf_turn_wait(&job->turns, chunk);
        uint64_t carry = job->carry;
        job->carry =
            gf_scan_combined(&job->parts, GF_FAULT(scan_chunk_carry) && chunk == 1 ? 0 : carry, total);
        gf_turn_pass(&job->turns);
        (void)chunk_scan(job, first, end, carry);
    }
}

/* ---- Sums of floats -------------------------------------------------------------------------- */

static void scan_tile(const struct job *job, int64_t first, int64_t count, const struct gf_scan_tile *tile,
                      double before)
{
    _Alignas(64) char results[GF_SCAN_TILE_BYTES];
    const struct gf_scan_parts *parts = &job->parts;
    const struct gf_scan_call *call = parts->call;
    void *out = job->stream ? results : gf_scan_output_at(parts, first);
    parts->rows->float_scan(gf_scan_input_at(parts, first), call->array.options.type, call->out, count, tile,
                            before, call->inclusive, out);
    if (job->stream) {
        job->stream(gf_scan_output_at(parts, first), out, (size_t)count << parts->width);
    }
}

static void work_floats(struct job *job)
{
    const struct gf_scan_call *call = job->parts.call;
    int64_t n = call->array.n, size = GF_SCAN_TILE_BYTES >> job->parts.width, chunk;
    struct gf_scan_tile tiles[CHUNK_TILES];
    double before[CHUNK_TILES];
    while ((chunk = gf_turn_take(&job->turns)) * job->chunk < n) {
        int64_t first = chunk * job->chunk, end = n - first < job->chunk ? n : first + job->chunk;
        int count = (int)((end - first + size - 1) / size);
        for (int t = 0; t < count; t++) {
            int64_t at = first + t * size;
            before[t] =
                job->parts.rows->float_tile(gf_scan_input_at(&job->parts, at), call->array.options.type,
                                            call->out, end - at < size ? end - at : size, &tiles[t]);
        }
        gf_turn_wait(&job->turns, chunk);
        for (int t = 0; t < count; t++) {
            before[t] = gf_scan_chain_next(&job->chain, before[t], false, call->out);
        }
        gf_turn_pass(&job->turns);
        for (int t = 0; t < count; t++) {
            int64_t at = first + t * size;
            scan_tile(job, at, end - at < size ? end - at : size, &tiles[t], before[t]);
        }
    }
}

/* ---- The call ---------------------------------------------------------------------------------- */

static void work(void *argument, int thread, int threads)
{
    struct job *job = argument;
    gf_float_mode saved;
    (void)thread;
    (void)threads;
    gf_float_mode_set(&saved);
    if (gf_scan_is_float_sum(job->parts.call)) {
        work_floats(job);
    } else {
        work_integers(job);
    }
    gf_float_mode_restore(&saved);
}

gf_status gf_scan_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_scan_call *call = gf_scan_call_of(array);
    struct job job = {.parts = gf_scan_parts_of(call)};
    (void)error;
    job.carry = job.parts.none;
    job.chunk = CHUNK_BYTES >> job.parts.width;
    job.stream = array->n > STREAM_BYTES >> job.parts.width ? gf_cpu_stream : NULL;
    job.threads = gf_array_threads(array, GF_ARRAY_PAYS);
    gf_team_run_once(job.threads, work, &job);
    return GF_OK;
}
