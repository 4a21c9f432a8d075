/* The CPU's unique keys with values: chunks in turns, as those of run_length. */
#include "array/common/turns.h"
#include "array/keyed/runs_cpu.h"
#include "array/keyed/unique_by_key_call.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <string.h>

struct job {
    const struct gf_unique_by_key_call *call;
    struct gf_runs_cpu runs;
    struct gf_turns turns;
    uint64_t before; /* runs in front of the chunk whose turn it is */
};

#define FETCH(T)                                                                                             \
    for (int64_t i = 0; i < n; i++) {                                                                        \
        ((T *)call->values_out)[at + i] = ((const T *)call->values)[chunk->first + chunk->starts[i]];        \
    }                                                                                                        \
    break

static void write_runs(const struct gf_unique_by_key_call *call, const struct gf_runs_chunk *chunk,
                       int64_t at)
{
    const size_t size = gf_depth_size(call->array.options.type);
    const int64_t n = gf_least(chunk->count, call->capacity > at ? call->capacity - at : 0);
    if (call->array.out && n > 0) {
        memcpy((char *)call->array.out + (size_t)at * size, chunk->keys, (size_t)n * size);
    }
    switch (call->value_size) {
    case 1:
        FETCH(uint8_t);
    case 2:
        FETCH(uint16_t);
    case 4:
        FETCH(uint32_t);
    default:
        FETCH(uint64_t);
    }
}

static void work(void *argument, int thread, int threads)
{
    struct job *job = argument;
    struct gf_runs_chunk chunk;
    (void)thread;
    (void)threads;
    for (int64_t c; (c = gf_turn_take(&job->turns)) * GF_RUNS_CHUNK < job->runs.n;) {
        gf_runs_cpu_take(&job->runs, c * GF_RUNS_CHUNK, job->call->array.out != NULL, &chunk);
        gf_turn_wait(&job->turns, c);
        const int64_t at = (int64_t)job->before - (GF_FAULT(unique_seam) && c == 1);
        job->before += (uint64_t)chunk.count;
        gf_turn_pass(&job->turns);
        write_runs(job->call, &chunk, at);
    }
}

gf_status gf_unique_by_key_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_unique_by_key_call *call = gf_unique_by_key_call_of(array);
    struct job job = {.call = call, .runs = gf_runs_cpu_of(array->in, array->n, array->options.type)};
    (void)error;
    gf_team_run_once(gf_array_threads(array, GF_ARRAY_PAYS), work, &job);
    *call->runs = job.before;
    return GF_OK;
}
