/* What an exec knows of its last run. */
#include "exec/exec.h"

#include "base/sized.h"

#include <string.h>

void gf_exec_set_progress(gf_exec *exec, gf_progress progress, void *user)
{
    if (exec) {
        exec->progress = progress;
        exec->progress_user = user;
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
