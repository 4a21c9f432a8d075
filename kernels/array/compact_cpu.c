/* The CPU's compactions. "auto": threads take chunks in order; a chunk is tested and counted, which brings it
 * into the cache, waits for the count of all before it, and is packed from the cache. "cpu-direct" and
 * "cpu-scan" are the published one-thread versions (docs/primitives/compact.md). */
#include "array/compact_rows.h"
#include "array/turns.h"
#include "base/cpu_level.h"
#include "base/planted_fault.h"
#include "pixel/cpu_rows.h"

#include <string.h>

enum {
    BLOCKS = 64,
    CHUNK = BLOCKS * GF_COMPACT_BLOCK, /* elements; with flags and results inside a core's cache */
    STREAM_BYTES = 16 << 20            /* of input: of larger ones the results are written past the caches */
};

struct job {
    const struct gf_compact_call *call;
    const struct gf_compact_rows *rows;
    void (*stream)(void *out, const void *in, size_t bytes); /* NULL: write through the caches */
    int width;                                               /* log2 of an element's bytes */
    struct gf_turns turns;
    uint64_t kept; /* of all chunks before the one whose turn it is */
};

static const char *input_at(const struct gf_compact_call *call, int64_t i)
{
    return (const char *)call->array.in + (size_t)i * gf_depth_size(call->array.options.type);
}

static int32_t test_block(const struct gf_compact_rows *rows, const struct gf_compact_call *call,
                          int64_t first, int32_t n, uint8_t *flags)
{
    return call->flags ? rows->flag_flags(call->flags + first, n, flags)
                       : rows->flag(input_at(call, first), call->array.options.type, n, call->test, flags);
}

/* ---- auto ---------------------------------------------------------------------------------- */

/* Writes what stays of a block as elements at, at + 1, ... of the output, up to its capacity. */
static void pack_block(const struct job *job, int64_t first, int32_t n, const uint8_t *flags, uint64_t at)
{
    _Alignas(64) char results[(GF_COMPACT_BLOCK + 8) * sizeof(uint64_t)], tail[8 * sizeof(uint64_t)];
    const struct gf_compact_call *call = job->call;
    const char *in = input_at(call, first);
    size_t size = call->indices ? gf_depth_size(call->out) : (size_t)1 << job->width;
    int32_t whole = n & ~7, kept = 0;
    if (call->indices && call->out == GF_U32) {
        kept = job->rows->pack_u32((uint32_t)first, flags, n, (uint32_t *)(void *)results);
    } else if (call->indices) {
        kept = job->rows->pack_u64((uint64_t)first, flags, n, (uint64_t *)(void *)results);
    } else {
        kept = job->rows->pack[job->width](in, flags, whole, results);
        if (whole < n) { /* the input ends here: eight elements are read where there are fewer */
            memcpy(tail, in + (size_t)whole * size, (size_t)(n - whole) * size);
            kept +=
                job->rows->pack[job->width](tail, flags + whole, n - whole, results + (size_t)kept * size);
        }
    }
    uint64_t room = at < (uint64_t)call->capacity ? (uint64_t)call->capacity - at : 0;
    size_t bytes = ((uint64_t)kept < room ? (size_t)kept : (size_t)room) * size;
    char *out = (char *)call->array.out + (bytes > 0 ? at * size : 0);
    if (job->stream && bytes >= 256) {
        job->stream(out, results, bytes);
    } else if (bytes > 0) {
        memcpy(out, results, bytes);
    }
}

static void work(struct job *job)
{
    uint8_t flags[CHUNK];
    int32_t counts[BLOCKS];
    int64_t n = job->call->array.n, chunk;
    while ((chunk = gf_turn_take(&job->turns)) * CHUNK < n) {
        int64_t first = chunk * CHUNK, all = n - first < CHUNK ? n - first : CHUNK;
        uint64_t kept = 0;
        for (int32_t b = 0, i = 0; i < all; b++, i += GF_COMPACT_BLOCK) {
            int32_t some = all - i < GF_COMPACT_BLOCK ? (int32_t)(all - i) : GF_COMPACT_BLOCK;
            counts[b] = test_block(job->rows, job->call, first + i, some, flags + i);
            kept += (uint64_t)counts[b];
        }
        memset(flags + all, 0, (size_t)(CHUNK - all < 8 ? CHUNK - all : 8));
        if (GF_FAULT(compact_chunk_count)) {
            kept += flags[all - 1];
        }
        gf_turn_wait(&job->turns, chunk);
        uint64_t at = job->kept;
        job->kept = at + kept;
        gf_turn_pass(&job->turns);
        for (int32_t b = 0, i = 0; i < all && at < (uint64_t)job->call->capacity;
             b++, i += GF_COMPACT_BLOCK) {
            int32_t some = all - i < GF_COMPACT_BLOCK ? (int32_t)(all - i) : GF_COMPACT_BLOCK;
            if (counts[b] > 0) {
                pack_block(job, first + i, some, flags + i, at);
            }
            at += (uint64_t)counts[b];
        }
    }
}

gf_status gf_compact_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_compact_call *call = gf_compact_call_of(array);
    struct job job;
    int32_t threads = gf_array_threads(array);
    (void)error;
    memset(&job, 0, sizeof job);
    job.call = call;
    job.rows = gf_compact_rows_best();
    for (size_t size = gf_depth_size(array->options.type); size > 1; size /= 2) {
        job.width++;
    }
    job.stream = array->n > STREAM_BYTES >> job.width ? gf_cpu_rows_best()->stream : NULL;
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
#else
    (void)threads;
#endif
    work(&job);
    *call->count = job.kept;
    return GF_OK;
}

const struct gf_compact_rows *gf_compact_rows_best(void)
{
#ifndef GF_ROWS_BASELINE_ONLY
    switch (gf_cpu_level()) {
    case GF_CPU_AVX512:
        return &gf_compact_rows_avx512;
    case GF_CPU_AVX2:
        return &gf_compact_rows_avx2;
    case GF_CPU_BASELINE:
        break;
    }
#endif
    return &gf_compact_rows_baseline;
}
