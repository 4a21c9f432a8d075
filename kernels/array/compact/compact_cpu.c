/* The CPU's compactions. "auto": threads take chunks in order; a chunk is tested and counted, which brings it
 * into the cache, waits for the count of all before it, and is packed from the cache. "cpu-direct" and
 * "cpu-scan" are the published one-thread versions (docs/primitives/compact.md). */
#include "array/common/turns.h"
#include "array/compact/compact_stage.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <string.h>

struct job {
    struct gf_compact_work work;
    struct gf_turns turns;
    uint64_t kept; /* of all chunks before the one whose turn it is */
};

/* Writes what stays of a chunk as elements at, at + 1, ... of the output, up to its capacity. */
static void pack_chunk(const struct gf_compact_work *w, int64_t first, int32_t n, const uint8_t *bits,
                       const int32_t *counts, uint64_t at)
{
    struct gf_compact_stage stage;
    uint64_t capacity = (uint64_t)w->call->capacity;
    if (at >= capacity) {
        return;
    }
    stage.out = (char *)w->call->array.out + at * w->result_size;
    stage.bytes = 0;
    stage.room = (size_t)(capacity - at) * w->result_size;
    for (int32_t b = 0, i = 0; i < n && stage.bytes < stage.room; b++, i += GF_COMPACT_BLOCK) {
        if (counts[b] > 0) {
            gf_compact_pack_block(w, first + i, n - i < GF_COMPACT_BLOCK ? n - i : GF_COMPACT_BLOCK,
                                  bits + i / 8, &stage);
        }
    }
    gf_compact_flush(w, &stage, stage.bytes);
}

static void work(void *argument, int thread, int threads)
{
    struct job *job = argument;
    (void)thread;
    (void)threads;
    uint8_t bits[GF_COMPACT_CHUNK / 8];
    int32_t counts[GF_COMPACT_CHUNK / GF_COMPACT_BLOCK];
    int64_t n = job->work.call->array.n, chunk;
    while ((chunk = gf_turn_take(&job->turns)) * GF_COMPACT_CHUNK < n) {
        int64_t first = chunk * GF_COMPACT_CHUNK,
                all = n - first < GF_COMPACT_CHUNK ? n - first : GF_COMPACT_CHUNK;
        uint64_t kept = 0;
        for (int32_t b = 0, i = 0; i < all; b++, i += GF_COMPACT_BLOCK) {
            int32_t some = all - i < GF_COMPACT_BLOCK ? (int32_t)(all - i) : GF_COMPACT_BLOCK;
            counts[b] = gf_compact_test_block(&job->work, first + i, some, bits + i / 8);
            kept += (uint64_t)counts[b];
        }
        if (GF_FAULT(compact_chunk_count)) {
            kept += bits[(all - 1) / 8] >> (all - 1) % 8 & 1;
        }
        gf_turn_wait(&job->turns, chunk);
        uint64_t at = job->kept;
        job->kept = at + kept;
        gf_turn_pass(&job->turns);
        pack_chunk(&job->work, first, (int32_t)all, bits, counts, at);
    }
}

gf_status gf_compact_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_compact_call *call = gf_compact_call_of(array);
    struct job job;
    (void)error;
    memset(&job, 0, sizeof job);
    job.work = gf_compact_work_of(call);
    gf_team_run_once(gf_array_threads(array, GF_ARRAY_PAYS), work, &job);
    *call->count = job.kept;
    return GF_OK;
}
