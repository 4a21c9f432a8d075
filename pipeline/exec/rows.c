/* Blocks of rows that a run counts: on the host as long as they are, and no longer. */
#include "exec/exec.h"

#include "base/status.h"

#include <stdlib.h>

static bool is_here(const gf_exec *exec)
{
    return exec->plan->device < 0; /* the arena is host memory */
}

/* The rows of one block, once its count is known. */
static gf_status fetch(gf_exec *exec, int32_t v, gf_error *error)
{
    const struct gf_value *value = &exec->plan->lowered.list.values[v];
    const uint64_t *count = exec->host_blocks[value->counted_by];
    uint64_t most = (uint64_t)(value->width / value->row), rows = *count < most ? *count : most;
    size_t bytes = (size_t)rows * (size_t)value->row * gf_depth_size(value->depth);
    void *made = exec->runners[0].arena + exec->plan->buffers.offset[v];
    if (is_here(exec)) {
        exec->host_blocks[v] = made;
        return GF_OK;
    }
    free(exec->host_blocks[v]);
    exec->host_blocks[v] = malloc(bytes + 1);
    if (!exec->host_blocks[v]) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory for the %llu rows that were found",
                       (unsigned long long)rows);
    }
    return bytes ? exec->runners[0].backend->copy(exec->errand.queue, GF_COPY_DOWNLOAD, exec->host_blocks[v],
                                                  0, made, 0, bytes, 1, error)
                 : GF_OK;
}

gf_status gf_exec_fetch_rows(gf_exec *exec, gf_error *error)
{
    const struct gf_lowered *lowered = &exec->plan->lowered;
    bool fetched = false;
    for (int32_t i = 0; i < lowered->n_results; i++) {
        for (int32_t b = 0; b < lowered->results[i].n_blocks; b++) {
            int32_t v = lowered->results[i].blocks[b];
            if (lowered->list.values[v].row) {
                GF_TRY(fetch(exec, v, error));
                fetched = true;
            }
        }
    }
    return fetched && !is_here(exec) ? exec->runners[0].backend->wait(exec->errand.queue, error) : GF_OK;
}

bool gf_exec_borrows(const gf_exec *exec, int32_t value)
{
    return exec->plan->device == GF_DEVICE_CPU && exec->plan->lowered.list.values[value].row != 0;
}
