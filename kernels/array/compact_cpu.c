/* The CPU's compactions. "auto": threads take chunks in order; a chunk is tested and counted, which brings it
 * into the cache, waits for the count of all before it, and is packed from the cache. "cpu-direct" and
 * "cpu-scan" are the published one-thread versions (docs/primitives/compact.md). */
#include "array/compact_rows.h"
#include "array/turns.h"
#include "base/cpu_level.h"
#include "base/cpu_stream.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <string.h>

enum {
    BLOCKS = 64,
    CHUNK = BLOCKS * GF_COMPACT_BLOCK, /* elements; with flags and results inside a core's cache */
    STAGE_BYTES = 8192,                /* of results that are written at once */
    STREAM_BYTES = 16 << 20            /* of input: of larger ones the results are written past the caches */
};

struct job {
    const struct gf_compact_call *call;
    const struct gf_compact_rows *rows;
    void (*stream)(void *out, const void *in, size_t bytes); /* NULL: write through the caches */
    int width;                                               /* log2 of an element's bytes */
    size_t result_size;                                      /* bytes */
    struct gf_turns turns;
    uint64_t kept; /* of all chunks before the one whose turn it is */
};

static const char *input_at(const struct gf_compact_call *call, int64_t i)
{
    return (const char *)call->array.in + (size_t)i * gf_depth_size(call->array.options.type);
}

/* The bits of GF_COMPACT_BLOCK elements, 0 behind the first n; returns how many are 1. */
static int32_t test_block(const struct job *job, int64_t first, int32_t n, uint8_t *bits)
{
    uint8_t flags[GF_COMPACT_BLOCK];
    const struct gf_compact_call *call = job->call;
    int32_t count =
        call->flags ? job->rows->flag_flags(call->flags + first, n, flags)
                    : job->rows->flag(input_at(call, first), call->array.options.type, n, call->test, flags);
    memset(flags + n, 0, (size_t)(GF_COMPACT_BLOCK - n));
    job->rows->bits(flags, bits);
    return count;
}

/* ---- auto ---------------------------------------------------------------------------------- */

/* What stays of a chunk on its way to the output: small pieces are gathered, so that whole lines of the
 * caches are written. */
struct stage {
    char *out;          /* where its first byte goes */
    size_t bytes, room; /* of it; left in the output, with it */
    _Alignas(64) char results[STAGE_BYTES + (GF_COMPACT_BLOCK + GF_COMPACT_STEP) * sizeof(uint64_t)];
};

/* Writes the first bytes; what is left moves to the front. */
static void flush(const struct job *job, struct stage *stage, size_t bytes)
{
    if (job->stream && bytes >= 256) {
        job->stream(stage->out, stage->results, bytes);
    } else if (bytes > 0) {
        memcpy(stage->out, stage->results, bytes);
    }
    stage->out += bytes;
    stage->room -= bytes;
    stage->bytes -= bytes;
    memmove(stage->results, stage->results + bytes, stage->bytes);
}

/* Packs what stays of a block behind what the stage holds. */
static void pack_block(const struct job *job, int64_t first, int32_t n, const uint8_t *bits,
                       struct stage *stage)
{
    const struct gf_compact_call *call = job->call;
    const char *in = input_at(call, first);
    char *to = stage->results + stage->bytes;
    size_t size = job->result_size;
    int32_t whole = n / GF_COMPACT_STEP * GF_COMPACT_STEP,
            up = (n + GF_COMPACT_STEP - 1) / GF_COMPACT_STEP * GF_COMPACT_STEP, kept = 0;
    if (call->indices && call->out == GF_U32) {
        kept = job->rows->pack_u32((uint32_t)first, bits, up, (uint32_t *)(void *)to);
    } else if (call->indices) {
        kept = job->rows->pack_u64((uint64_t)first, bits, up, (uint64_t *)(void *)to);
    } else {
        kept = job->rows->pack[job->width](in, bits, whole, to);
        if (whole < n) { /* the input ends here */
            char tail[GF_COMPACT_STEP * sizeof(uint64_t)] = {0};
            memcpy(tail, in + (size_t)whole * size, (size_t)(n - whole) * size);
            kept += job->rows->pack[job->width](tail, bits + whole / 8, GF_COMPACT_STEP,
                                                to + (size_t)kept * size);
        }
    }
    stage->bytes += (size_t)kept * size;
    stage->bytes = stage->bytes < stage->room ? stage->bytes : stage->room;
    if (stage->bytes >= STAGE_BYTES) {
        flush(job, stage, stage->bytes - (size_t)((uintptr_t)(stage->out + stage->bytes) % 64));
    }
}

/* Writes what stays of a chunk as elements at, at + 1, ... of the output, up to its capacity. */
static void pack_chunk(const struct job *job, int64_t first, int32_t n, const uint8_t *bits,
                       const int32_t *counts, uint64_t at)
{
    struct stage stage;
    uint64_t capacity = (uint64_t)job->call->capacity;
    if (at >= capacity) {
        return;
    }
    stage.out = (char *)job->call->array.out + at * job->result_size;
    stage.bytes = 0;
    stage.room = (size_t)(capacity - at) * job->result_size;
    for (int32_t b = 0, i = 0; i < n && stage.bytes < stage.room; b++, i += GF_COMPACT_BLOCK) {
        if (counts[b] > 0) {
            pack_block(job, first + i, n - i < GF_COMPACT_BLOCK ? n - i : GF_COMPACT_BLOCK, bits + i / 8,
                       &stage);
        }
    }
    flush(job, &stage, stage.bytes);
}

static void work(void *argument, int thread, int threads)
{
    struct job *job = argument;
    (void)thread;
    (void)threads;
    uint8_t bits[CHUNK / 8];
    int32_t counts[BLOCKS];
    int64_t n = job->call->array.n, chunk;
    while ((chunk = gf_turn_take(&job->turns)) * CHUNK < n) {
        int64_t first = chunk * CHUNK, all = n - first < CHUNK ? n - first : CHUNK;
        uint64_t kept = 0;
        for (int32_t b = 0, i = 0; i < all; b++, i += GF_COMPACT_BLOCK) {
            int32_t some = all - i < GF_COMPACT_BLOCK ? (int32_t)(all - i) : GF_COMPACT_BLOCK;
            counts[b] = test_block(job, first + i, some, bits + i / 8);
            kept += (uint64_t)counts[b];
        }
        if (GF_FAULT(compact_chunk_count)) {
            kept += bits[(all - 1) / 8] >> (all - 1) % 8 & 1;
        }
        gf_turn_wait(&job->turns, chunk);
        uint64_t at = job->kept;
        job->kept = at + kept;
        gf_turn_pass(&job->turns);
        pack_chunk(job, first, (int32_t)all, bits, counts, at);
    }
}

gf_status gf_compact_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_compact_call *call = gf_compact_call_of(array);
    struct job job;
    (void)error;
    memset(&job, 0, sizeof job);
    job.call = call;
    job.rows = gf_compact_rows_best();
    for (size_t size = gf_depth_size(array->options.type); size > 1; size /= 2) {
        job.width++;
    }
    job.result_size = call->indices ? gf_depth_size(call->out) : (size_t)1 << job.width;
    job.stream = array->n > STREAM_BYTES >> job.width ? gf_cpu_stream : NULL;
    gf_team_run_once(gf_array_threads(array, GF_ARRAY_PAYS), work, &job);
    *call->count = job.kept;
    return GF_OK;
}

const struct gf_compact_rows *gf_compact_rows_best(void)
{
    const struct gf_compact_rows *best = GF_LEVEL_BEST(&gf_compact_rows);
#ifndef GF_ROWS_BASELINE_ONLY
    if (best == &gf_compact_rows_avx512 && __builtin_cpu_supports("avx512vbmi2")) {
        return &gf_compact_rows_vbmi2;
    }
#endif
    return best;
}
