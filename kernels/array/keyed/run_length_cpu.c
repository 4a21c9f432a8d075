/* The CPU's runs: threads take chunks in order; the runs of a chunk are found, which brings it into the
 * cache, wait for the number of all before them, and are written from there. */
#include "array/common/turns.h"
#include "array/keyed/run_length_call.h"
#include "array/keyed/runs_cpu.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <string.h>

struct job {
    const struct gf_run_length_call *call;
    struct gf_runs_cpu runs;
    struct gf_turns turns;
    struct gf_runs_before before; /* of the chunk whose turn it is */
};

/* A run's length is known where the next begins: the run before the chunk's first is this chunk's, its last
 * is another's. */
static void write_counts(const struct gf_run_length_call *call, const struct gf_runs_chunk *chunk,
                         struct gf_runs_before before, int64_t room)
{
    const int64_t ends = gf_least(chunk->count - 1, room);
    const int64_t at = (int64_t)before.runs;
    if (at > 0 && chunk->count > 0 && at <= call->capacity) {
        call->counts[at - 1] = chunk->first + chunk->starts[0] - before.last;
    }
    for (int64_t i = 0; i < ends; i++) {
        call->counts[at + i] = chunk->starts[i + 1] - chunk->starts[i];
    }
}

static void write_runs(const struct job *job, const struct gf_runs_chunk *chunk, struct gf_runs_before before)
{
    const struct gf_run_length_call *call = job->call;
    const size_t size = gf_depth_size(call->array.options.type);
    const int64_t at = (int64_t)before.runs;
    const int64_t room = call->capacity > at ? call->capacity - at : 0;
    const int64_t n = gf_least(chunk->count, room);
    if (call->array.out && n > 0) {
        memcpy((char *)call->array.out + (size_t)at * size, chunk->keys, (size_t)n * size);
    }
    for (int64_t i = 0; call->starts && i < n; i++) {
        call->starts[at + i] = chunk->first + chunk->starts[i];
    }
    if (call->counts) {
        write_counts(call, chunk, before, room);
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
        const struct gf_runs_before before = job->before;
        job->before.runs += (uint64_t)chunk.count + (GF_FAULT(run_length_seam) && c == 1);
        if (chunk.count > 0) {
            job->before.last = chunk.first + chunk.starts[chunk.count - 1];
        }
        gf_turn_pass(&job->turns);
        write_runs(job, &chunk, before);
    }
}

gf_status gf_run_length_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_run_length_call *call = gf_run_length_call_of(array);
    struct job job = {.call = call, .runs = gf_runs_cpu_of(array->in, array->n, array->options.type)};
    (void)error;
    gf_team_run_once(gf_array_threads(array, GF_ARRAY_PAYS), work, &job);
    if (call->counts && job.before.runs > 0 && job.before.runs <= (uint64_t)call->capacity) {
        call->counts[job.before.runs - 1] = array->n - job.before.last;
    }
    *call->runs = job.before.runs;
    return GF_OK;
}
