/* What an exec knows of its last run. */
#define _GNU_SOURCE /* clock_gettime */
#include "exec/exec.h"

#include "base/sized.h"
#include "base/status.h"
#include "lang/pipeline.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double gf_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

gf_status gf_exec_settle(const gf_exec *exec, gf_status status)
{
    return gf_context_settle(exec->plan->context, exec->plan->device, status);
}

gf_status gf_exec_need_block(gf_exec *exec, int32_t value, gf_error *error)
{
    void **block = &exec->host_blocks[value];
    *block = *block ? *block : calloc(1, gf_block_size(&exec->plan->lowered.list.values[value]));
    return gf_need_memory(*block != NULL, error);
}

void gf_exec_drop_results(gf_exec *exec)
{
    for (int32_t i = 0; i < exec->n_results; i++) {
        gf_result_free(&exec->results[i]);
    }
    exec->n_results = 0;
}

void gf_exec_begin(gf_exec *exec)
{
    exec->started_ms = gf_now_ms();
    exec->run_stats = (gf_run_stats){.struct_size = sizeof(gf_run_stats), .peak_memory = exec->memory};
    for (int32_t s = 0; exec->step_stats && s < exec->plan->steps.n; s++) {
        exec->step_stats[s] = (gf_step_stats){.struct_size = sizeof *exec->step_stats};
    }
    gf_exec_drop_results(exec);
}

gf_status gf_exec_make_results(gf_exec *exec, gf_error *error)
{
    const struct gf_lowered *lowered = &exec->plan->lowered;
    for (int32_t i = 0; i < lowered->n_results; i++) {
        const struct gf_lowered_result *result = &lowered->results[i];
        const void *blocks[GF_MAX_RESULT_BLOCKS] = {0};
        for (int32_t b = 0; b < result->n_blocks; b++) {
            blocks[b] = exec->host_blocks[result->blocks[b]];
        }
        gf_status status = gf_result_make(result, &exec->plan->pipeline->nodes[result->stage], blocks,
                                          &exec->results[i], error);
        if (status != GF_OK) {
            gf_exec_drop_results(exec);
            return status;
        }
        exec->n_results = i + 1;
    }
    return GF_OK;
}

void gf_exec_set_progress(gf_exec *exec, gf_progress progress, void *user)
{
    if (exec) {
        exec->progress = progress;
        exec->progress_user = user;
    }
}

void gf_exec_set_times(gf_exec *exec, int on)
{
    if (exec) {
        exec->times = on != 0;
    }
}

int32_t gf_exec_result_count(const gf_exec *exec)
{
    return exec ? exec->n_results : 0;
}

const gf_result *gf_exec_result(const gf_exec *exec, int32_t index)
{
    return exec && index >= 0 && index < exec->n_results ? &exec->results[index].result : NULL;
}

const gf_result *gf_exec_result_named(const gf_exec *exec, const char *name)
{
    for (int32_t i = 0; exec && name && i < exec->n_results; i++) {
        const gf_result *result = &exec->results[i].result;
        if (!strcmp(*result->name ? result->name : result->stage, name)) {
            return result;
        }
    }
    return NULL;
}

gf_status gf_exec_step_stats(const gf_exec *exec, int32_t step, gf_step_stats *stats)
{
    static const struct gf_sized sized = GF_SIZED(gf_step_stats, bytes_written);
    if (!exec || step < 0 || step >= exec->plan->steps.n || !exec->step_stats) {
        return GF_ERROR_ARGUMENT;
    }
    return gf_struct_out(&sized, stats, &exec->step_stats[step], NULL);
}

gf_status gf_exec_run_stats(const gf_exec *exec, gf_run_stats *stats)
{
    static const struct gf_sized sized = GF_SIZED(gf_run_stats, peak_memory);
    if (!exec) {
        return GF_ERROR_ARGUMENT;
    }
    return gf_struct_out(&sized, stats, &exec->run_stats, NULL);
}
