/* The CPU's scan: threads take chunks in order. A chunk is summed, which brings it into the cache, waits for
 * the sum of all before it, and is scanned from the cache: memory is read once and written once, as in the
 * GPU's look-back. */
#include "array/scan_rows.h"
#include "array/turns.h"
#include "base/cpu_level.h"
#include "base/cpu_stream.h"
#include "base/float_mode.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <string.h>

enum {
    CHUNK_BYTES = 4 * GF_SCAN_TILE_BYTES, /* of results: with as much input well inside a core's cache */
    CHUNK_TILES = CHUNK_BYTES / GF_SCAN_TILE_BYTES,
    BLOCK_BYTES = 8192,     /* of results: a step of the inner loops, inside the first cache */
    STREAM_BYTES = 16 << 20 /* of results: larger arrays are written past the caches */
};

/* What lies before a tile, for sums of floats. */
struct chain {
    double before_group; /* supergroups, and groups of this one */
    double supergroups, groups[GF_SCAN_FAN], tiles[GF_SCAN_FAN];
    int64_t tile;
};

struct job {
    const struct gf_scan_call *call;
    const struct gf_scan_rows *rows;
    void (*stream)(void *out, const void *in, size_t bytes); /* NULL: write through the caches */
    int width;                                               /* log2 of an output element's bytes */
    int64_t chunk;                                           /* elements */
    int threads;
    uint64_t flip, nan; /* of minima and maxima: see scan_rows.h */
    struct gf_turns turns;
    uint64_t carry;     /* what lies before the chunk whose turn it is: integers and keys */
    struct chain chain; /* and sums of floats */
};

static char *output_at(const struct job *job, int64_t i)
{
    return (char *)job->call->array.out + (i << job->width);
}

static const char *input_at(const struct job *job, int64_t i)
{
    const struct gf_array_call *a = &job->call->array;
    return (const char *)a->in + (size_t)i * gf_depth_size(a->options.type);
}

/* ---- Integers and keys --------------------------------------------------------------------- */

/* Elements [first, first + n) at the output's width: where they are, or made in `block`. */
static const void *prepared(const struct job *job, int64_t first, int64_t n, void *block)
{
    gf_depth type = job->call->array.options.type;
    const void *in = input_at(job, first);
    if (job->call->op != GF_SCAN_SUM && (type == GF_F32 || type == GF_F64)) {
        job->rows->key(in, type, n, job->nan, block);
        return block;
    }
    if (gf_depth_size(type) != gf_depth_size(job->call->out)) {
        job->rows->widen(in, type, job->call->out, n, block);
        return block;
    }
    return in;
}

static uint64_t combined(const struct job *job, uint64_t a, uint64_t b)
{
    return job->call->op == GF_SCAN_SUM ? a + b : (int64_t)b < (int64_t)a ? b : a;
}

static uint64_t chunk_total(const struct job *job, int64_t first, int64_t end)
{
    _Alignas(64) char block[BLOCK_BYTES];
    bool sums = job->call->op == GF_SCAN_SUM;
    uint64_t total = sums ? 0 : (uint64_t)INT64_MAX;
    for (int64_t step = BLOCK_BYTES >> job->width; first < end; first += step) {
        int64_t n = end - first < step ? end - first : step;
        const void *in = prepared(job, first, n, block);
        total = combined(job, total,
                         sums ? job->rows->sum_total[job->width](in, n)
                              : job->rows->least_total[job->width](in, n, job->flip));
    }
    return total;
}

/* Returns what lies before the chunk behind it. */
static uint64_t chunk_scan(const struct job *job, int64_t first, int64_t end, uint64_t carry)
{
    _Alignas(64) char block[BLOCK_BYTES], results[BLOCK_BYTES];
    const struct gf_scan_call *call = job->call;
    gf_depth type = call->array.options.type;
    for (int64_t step = BLOCK_BYTES >> job->width; first < end; first += step) {
        int64_t n = end - first < step ? end - first : step;
        const void *in = prepared(job, first, n, block);
        void *out = job->stream ? results : output_at(job, first);
        if (call->op == GF_SCAN_SUM) {
            job->rows->sum[job->width](in, n, &carry, call->inclusive, out);
        } else {
            job->rows->least[job->width](in, n, job->flip, &carry, call->inclusive, out);
            if (type == GF_F32 || type == GF_F64) {
                job->rows->unkey(out, type, n);
            }
        }
        if (job->stream) {
            job->stream(output_at(job, first), out, (size_t)n << job->width);
        }
    }
    return carry;
}

static void work_integers(struct job *job)
{
    int64_t n = job->call->array.n, chunk;
    while ((chunk = gf_turn_take(&job->turns)) * job->chunk < n) {
        int64_t first = chunk * job->chunk, end = n - first < job->chunk ? n : first + job->chunk;
        if (job->threads == 1) { /* nobody waits for the total */
            job->carry = chunk_scan(job, first, end, job->carry);
            continue;
        }
        uint64_t total = chunk_total(job, first, end);
        gf_turn_wait(&job->turns, chunk);
        uint64_t carry = job->carry;
        job->carry = combined(job, GF_FAULT(scan_chunk_carry) && chunk == 1 ? 0 : carry, total);
        gf_turn_pass(&job->turns);
        (void)chunk_scan(job, first, end, carry);
    }
}

/* ---- Sums of floats -------------------------------------------------------------------------- */

static double add(double a, double b, gf_depth out)
{
    return out == GF_F32 ? (double)((float)a + (float)b) : a + b;
}

static double fold(const double v[GF_SCAN_FAN], gf_depth out)
{
    double w[GF_SCAN_FAN];
    memcpy(w, v, sizeof w);
    for (int half = GF_SCAN_FAN / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) {
            w[i] = add(w[i], w[i + half], out);
        }
    }
    return w[0];
}

/* Takes the next tile's total; returns what lies before that tile. */
static double chain_next(struct chain *chain, double total, gf_depth out)
{
    double before = add(chain->before_group, fold(chain->tiles, out), out);
    int64_t tile = chain->tile % GF_SCAN_FAN, group = chain->tile / GF_SCAN_FAN % GF_SCAN_FAN;
    chain->tile++;
    chain->tiles[tile] = total;
    if (tile == GF_SCAN_FAN - 1) {
        chain->groups[group] = fold(chain->tiles, out);
        memset(chain->tiles, 0, sizeof chain->tiles);
        if (group == GF_SCAN_FAN - 1) {
            chain->supergroups = add(chain->supergroups, fold(chain->groups, out), out);
            memset(chain->groups, 0, sizeof chain->groups);
        }
        chain->before_group = add(chain->supergroups, fold(chain->groups, out), out);
    }
    return before;
}

static void scan_tile(const struct job *job, int64_t first, int64_t count, const struct gf_scan_tile *tile,
                      double before)
{
    _Alignas(64) char results[GF_SCAN_TILE_BYTES];
    const struct gf_scan_call *call = job->call;
    void *out = job->stream ? results : output_at(job, first);
    job->rows->float_scan(input_at(job, first), call->array.options.type, call->out, count, tile, before,
                          call->inclusive, out);
    if (job->stream) {
        job->stream(output_at(job, first), out, (size_t)count << job->width);
    }
}

static void work_floats(struct job *job)
{
    const struct gf_scan_call *call = job->call;
    int64_t n = call->array.n, size = GF_SCAN_TILE_BYTES >> job->width, chunk;
    struct gf_scan_tile tiles[CHUNK_TILES];
    double before[CHUNK_TILES];
    while ((chunk = gf_turn_take(&job->turns)) * job->chunk < n) {
        int64_t first = chunk * job->chunk, end = n - first < job->chunk ? n : first + job->chunk;
        int count = (int)((end - first + size - 1) / size);
        for (int t = 0; t < count; t++) {
            int64_t at = first + t * size;
            before[t] = job->rows->float_tile(input_at(job, at), call->array.options.type, call->out,
                                              end - at < size ? end - at : size, &tiles[t]);
        }
        gf_turn_wait(&job->turns, chunk);
        for (int t = 0; t < count; t++) {
            before[t] = chain_next(&job->chain, before[t], call->out);
        }
        gf_turn_pass(&job->turns);
        for (int t = 0; t < count; t++) {
            int64_t at = first + t * size;
            scan_tile(job, at, end - at < size ? end - at : size, &tiles[t], before[t]);
        }
    }
}

/* ---- The call ---------------------------------------------------------------------------------- */

/* Where minima and maxima begin, as scan_rows.h wants it. */
static void begin_extremes(struct job *job)
{
    gf_depth type = job->call->out;
    bool least = job->call->op == GF_SCAN_MIN;
    uint64_t sign = UINT64_C(1) << (8 * gf_depth_size(type) - 1);
    if (type == GF_F32 || type == GF_F64) {
        uint64_t infinity = type == GF_F32 ? 0x7f800000U : 0x7ff0000000000000U;
        job->flip = least ? 0 : UINT64_MAX;
        job->carry = infinity;
        job->nan = least ? infinity : ~infinity; /* the keys of +inf and -inf */
        return;
    }
    bool is_signed = type == GF_S16 || type == GF_S32 || type == GF_S64;
    job->carry = sign - 1;
    job->flip = is_signed ? (least ? 0 : UINT64_MAX) : (least ? sign : sign - 1);
}

static void work(void *argument, int thread, int threads)
{
    struct job *job = argument;
    gf_float_mode saved;
    (void)thread;
    (void)threads;
    gf_float_mode_set(&saved);
    if (gf_scan_is_float_sum(job->call)) {
        work_floats(job);
    } else {
        work_integers(job);
    }
    gf_float_mode_restore(&saved);
}

gf_status gf_scan_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_scan_call *call = gf_scan_call_of(array);
    struct job job;
    (void)error;
    memset(&job, 0, sizeof job);
    job.call = call;
    job.rows = gf_scan_rows_best();
    for (size_t size = gf_depth_size(call->out); size > 1; size /= 2) {
        job.width++;
    }
    job.chunk = CHUNK_BYTES >> job.width;
    job.stream = array->n > STREAM_BYTES >> job.width ? gf_cpu_stream : NULL;
    job.threads = gf_array_threads(array, GF_ARRAY_PAYS);
    if (call->op != GF_SCAN_SUM) {
        begin_extremes(&job);
    }
    gf_team_run_once(job.threads, work, &job);
    return GF_OK;
}

const struct gf_scan_rows *gf_scan_rows_best(void)
{
    return GF_LEVEL_BEST(&gf_scan_rows);
}
