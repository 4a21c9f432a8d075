/* The partition on the CPU. Where the second side begins is not known before all elements are tested: so
 * threads test chunks first, and keep a bit of each element and a count of each chunk; then they pack each
 * chunk twice, what stays and what does not, the second time from the cache. */
#include "array/compact/compact_stage.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <stdatomic.h>
#include <string.h>

enum { CHUNK = GF_COMPACT_CHUNK };

struct job {
    struct gf_compact_work work;
    uint64_t *kept; /* of each chunk; then of all chunks before it, and of all */
    uint8_t *bits;  /* of each chunk CHUNK of them */
    int64_t chunks;
    atomic_int_fast64_t next;
};

static size_t lay_out(const struct gf_array_call *array, void *memory, struct job *job)
{
    size_t used = 0;
    job->chunks = (array->n + CHUNK - 1) / CHUNK;
    job->kept = gf_scratch_take(memory, &used, ((size_t)job->chunks + 1) * sizeof(uint64_t));
    job->bits = gf_scratch_take(memory, &used, (size_t)job->chunks * (CHUNK / 8));
    return used;
}

size_t gf_partition_cpu_scratch(const struct gf_array_call *array)
{
    struct job job;
    return lay_out(array, NULL, &job);
}

/* Elements of a chunk. */
static int64_t size_of(const struct job *job, int64_t chunk)
{
    const int64_t left = job->work.call->array.n - chunk * CHUNK;
    return left < CHUNK ? left : CHUNK;
}

static void test_chunks(void *argument, int thread, int threads)
{
    struct job *job = argument;
    int64_t chunk;
    (void)thread;
    (void)threads;
    while ((chunk = atomic_fetch_add(&job->next, 1)) < job->chunks) {
        const int64_t all = size_of(job, chunk);
        uint8_t *bits = job->bits + chunk * (CHUNK / 8);
        uint64_t kept = 0;
        for (int64_t i = 0; i < all; i += GF_COMPACT_BLOCK) {
            const int32_t some = all - i < GF_COMPACT_BLOCK ? (int32_t)(all - i) : GF_COMPACT_BLOCK;
            kept += (uint64_t)gf_compact_test_block(&job->work, chunk * CHUNK + i, some, bits + i / 8);
        }
        job->kept[chunk] = kept;
    }
}

/* One side of a chunk, whose bits are 1. */
static void pack_side(const struct gf_compact_work *work, int64_t first, int64_t all, const uint8_t *bits,
                      uint64_t at)
{
    struct gf_compact_stage stage;
    stage.out = (char *)work->call->array.out + at * work->result_size;
    stage.bytes = 0;
    stage.room = (size_t)((uint64_t)work->call->array.n - at) * work->result_size;
    for (int64_t i = 0; i < all; i += GF_COMPACT_BLOCK) {
        const int32_t some = all - i < GF_COMPACT_BLOCK ? (int32_t)(all - i) : GF_COMPACT_BLOCK;
        gf_compact_pack_block(work, first + i, some, bits + i / 8, &stage);
    }
    gf_compact_flush(work, &stage, stage.bytes);
}

/* The bits of the others: none behind the last element. */
static void turn_bits(uint8_t *bits, int64_t all)
{
    for (int64_t i = 0; i < CHUNK / 8; i++) {
        bits[i] = (uint8_t)~bits[i];
    }
    if (all < CHUNK) {
        bits[all / 8] &= (uint8_t)((1U << all % 8) - 1);
        memset(bits + all / 8 + 1, 0, (size_t)(CHUNK / 8 - all / 8 - 1));
    }
}

static void pack_chunks(void *argument, int thread, int threads)
{
    struct job *job = argument;
    int64_t chunk;
    (void)thread;
    (void)threads;
    while ((chunk = atomic_fetch_add(&job->next, 1)) < job->chunks) {
        const int64_t first = chunk * CHUNK, all = size_of(job, chunk);
        uint8_t *bits = job->bits + chunk * (CHUNK / 8);
        const uint64_t before = job->kept[chunk], total = job->kept[job->chunks];
        pack_side(&job->work, first, all, bits, before);
        turn_bits(bits, all);
        pack_side(&job->work, first, all, bits,
                  total + (uint64_t)first - before - (GF_FAULT(partition_chunk) && chunk > 0));
    }
}

gf_status gf_partition_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_compact_call *call = gf_compact_call_of(array);
    struct job job = {.work = gf_compact_work_of(call)};
    const int threads = gf_array_threads(array, GF_ARRAY_PAYS);
    uint64_t sum = 0;
    (void)error;
    lay_out(array, array->scratch, &job);
    gf_team_run_once(threads, test_chunks, &job);
    for (int64_t chunk = 0; chunk < job.chunks; chunk++) {
        const uint64_t kept = job.kept[chunk];
        job.kept[chunk] = sum;
        sum += kept;
    }
    *call->count = sum;
    if (job.chunks > 0) {
        job.kept[job.chunks] = sum;
        atomic_store(&job.next, 0);
        gf_team_run_once(threads, pack_chunks, &job);
    }
    return GF_OK;
}
