/* "frontier" of bfs on CUDA, as published: a thread a vertex of the frontier, a launch a level. Ours has the
 * loop around it, and marks vertices by their levels. */
#include "graph/bfs_cuda.cuh"

/* A thread a vertex of the frontier, which walks along its edges. queue[0]: the frontier, `count` vertices;
 * queue[1]: the next one. */
static __global__ void gf_bfs_frontier(const gf_bfs_args a, uint32_t count, int32_t level)
{
    const int64_t i = gf_thread_index();
    if (i >= count) {
        return;
    }
    const int64_t u = a.queue[0].vertices[i];
    for (int64_t e = a.g.offsets[u]; e < a.g.offsets[u + 1]; e++) {
        const uint32_t v = a.g.targets[e];
        if (gf_atomic_cas(a.levels + v, -1, level) == -1) {
            a.queue[1].vertices[gf_atomic_add(&a.state->large, 1u)] = v;
        }
    }
}

static size_t lay_out_frontier(const struct gf_array_call *array, gf_bfs_args *a)
{
    size_t used = 0;
    a->state = gf_scratch_array<gf_bfs_state>(array->scratch, &used, 1);
    a->queue[0].vertices = gf_scratch_array<uint32_t>(array->scratch, &used, array->n);
    a->queue[1].vertices = gf_scratch_array<uint32_t>(array->scratch, &used, array->n);
    return used;
}

size_t gf_bfs_frontier_cuda_scratch(const struct gf_array_call *array)
{
    gf_bfs_args a = {};
    return lay_out_frontier(array, &a);
}

gf_status gf_bfs_frontier_cuda(const struct gf_array_call *array, gf_error *error)
{
    gf_bfs_args a = gf_bfs_args_of(array);
    const uint32_t source = static_cast<uint32_t>(a.g.source);
    const int32_t zero = 0;
    gf_launch c = {};
    c.block = dim3(array->options.block > 0 ? static_cast<unsigned>(array->options.block) : 256);
    c.stream = static_cast<cudaStream_t>(array->queue.stream);
    if (array->n == 0) {
        return GF_OK;
    }
    GF_ON_DEVICE(array->queue.device, error)
    lay_out_frontier(array, &a);
    GF_CUDA_TRY(error,
                cudaMemsetAsync(a.levels, 0xff, static_cast<size_t>(a.g.n) * sizeof *a.levels, c.stream));
    GF_CUDA_TRY(error,
                cudaMemcpyAsync(a.levels + source, &zero, sizeof zero, cudaMemcpyHostToDevice, c.stream));
    GF_CUDA_TRY(error, cudaMemcpyAsync(a.queue[0].vertices, &source, sizeof source, cudaMemcpyHostToDevice,
                                       c.stream));
    uint32_t count = 1;
    for (int32_t level = 1; count > 0 && level <= a.depth; level++) {
        c.grid = dim3(gf_blocks(count, c.block.x));
        GF_CUDA_TRY(error, cudaMemsetAsync(a.state, 0, sizeof *a.state, c.stream));
        GF_CUDA_TRY(error, GF_LAUNCH(gf_bfs_frontier, c, a, count, level));
        GF_CUDA_TRY(error,
                    cudaMemcpyAsync(&count, &a.state->large, sizeof count, cudaMemcpyDeviceToHost, c.stream));
        GF_CUDA_TRY(error, cudaStreamSynchronize(c.stream));
        const gf_vertex_queue next = a.queue[1];
        a.queue[1] = a.queue[0];
        a.queue[0] = next;
    }
    return gf_bfs_find_parents(array, a, error);
}
