/* "auto" of bfs and sssp of pictures on CUDA. */
#include "array/common/dispatch_cuda.cuh"
#include "graph/grid_tile_cuda.cuh"

size_t gf_grid_search_cuda_scratch(const struct gf_array_call *array)
{
    gf_grid_args<gf_level_steps> a = {};
    return array->n > 0 ? gf_grid_lay_out(array, &a) : 0;
}

/* ---- Levels -------------------------------------------------------------------------------------------------- */

/* Finds for each pixel the smallest one of the level before that it has an edge with. */
static __global__ void gf_grid_parents(const gf_grid g, int64_t source, const int32_t *levels,
                                       uint32_t *parents)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    for (int64_t v = gf_thread_index(); v < g.width * g.height; v += step) {
        const int64_t x = v % g.width, y = v / g.width;
        const uint32_t key = gf_grid_key(&g, v);
        uint32_t parent = v == source ? static_cast<uint32_t>(v) : GF_NO_VERTEX;
        for (int way = 0; way < g.connect && levels[v] > 0; way++) {
            const int64_t ux = x + gf_grid_dx(way), uy = y + gf_grid_dy(way), u = uy * g.width + ux;
            if (ux >= 0 && ux < g.width && uy >= 0 && uy < g.height && u < parent &&
                levels[u] == levels[v] - 1 && gf_grid_key(&g, u) == key) {
                parent = static_cast<uint32_t>(u);
            }
        }
        parents[v] = parent;
    }
}

gf_status gf_grid_bfs_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    gf_grid_args<gf_level_steps> a = {};
    if (array->n == 0) {
        return GF_OK;
    }
    GF_ON_DEVICE(array->queue.device, error)
    a.distances = static_cast<uint32_t *>(array->out);
    GF_TRY(gf_grid_run(array, &a, error));
    if (call->parents) {
        gf_launch c = {};
        GF_TRY(gf_edges_launch(array, &c, error));
        GF_CUDA_TRY(error, GF_LAUNCH(gf_grid_parents, c, call->grid, call->source,
                                     static_cast<const int32_t *>(array->out), call->parents));
    }
    return GF_OK;
}

/* ---- Distances ----------------------------------------------------------------------------------------------- */

template <class Steps> static gf_status run_costs(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    gf_grid_args<Steps> a = {};
    a.distances = static_cast<typename Steps::number *>(array->out);
    a.costs = static_cast<const typename Steps::cost *>(call->grid.costs);
    a.bad = call->bad;
    return gf_grid_run(array, &a, error);
}

gf_status gf_grid_sssp_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    GF_ON_DEVICE(array->queue.device, error)
    if (array->n == 0) {
        GF_CUDA_TRY(error, cudaMemsetAsync(call->bad, 0xff, sizeof *call->bad, /* -1 */
                                           static_cast<cudaStream_t>(array->queue.stream)));
        return GF_OK;
    }
    return gf_dispatch_type<GF_PATH_TYPES>(array->options.type, error, [&](auto tag) {
        using W = typename decltype(tag)::type;
        return call->grid.cost == GF_GRID_DIFFERENCE && call->grid.costs
                   ? run_costs<gf_cost_steps<W, true>>(array, error)
                   : run_costs<gf_cost_steps<W, false>>(array, error);
    });
}
