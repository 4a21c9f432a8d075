/* "auto" of components of pictures on CUDA: sets begin as runs of a row, 32 pixels long at most, which are
 * then united with those beside and above them. */
#include "graph/grid.h"
#include "graph/labels_cuda.cuh"

struct gf_runs_args {
    gf_grid grid;
    int64_t words; /* of 32 pixels, of all rows; each row begins with one of its own */
    uint32_t *labels;
};

/* A lane's pixel. */
struct gf_run_pixel {
    int64_t x, y, v;
    uint32_t key; /* 0: no pixel, too */
};

GF_DEVICE_FN gf_run_pixel gf_run_at(const gf_grid &g, int64_t word)
{
    const int64_t across = (g.width + GF_WARP - 1) / GF_WARP;
    gf_run_pixel p;
    p.x = word % across * GF_WARP + gf_lane();
    p.y = word / across;
    p.v = p.y * g.width + p.x;
    p.key = p.x < g.width ? gf_grid_key(&g, p.v) : 0;
    return p;
}

GF_DEVICE_FN uint32_t gf_run_key(const gf_grid &g, int64_t x, int64_t y)
{
    return x >= 0 && x < g.width && y >= 0 ? gf_grid_key(&g, y * g.width + x) : 0;
}

static __global__ void gf_grid_runs(const gf_runs_args a)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x / GF_WARP;
    for (int64_t word = gf_thread_index() / GF_WARP; word < a.words; word += step) {
        const gf_run_pixel p = gf_run_at(a.grid, word);
        const uint32_t before = gf_lane() > 0 ? gf_run_key(a.grid, p.x - 1, p.y) : 0;
        const uint32_t begins = gf_ballot(p.key == 0 || p.key != before), up_to = begins << (31 - gf_lane());
        if (p.x < a.grid.width) {
            a.labels[p.v] =
                static_cast<uint32_t>(p.v) - static_cast<uint32_t>(__clz(static_cast<int>(up_to)));
        }
    }
}

/* Unites a pixel with those before and above it of its key, unless the one in front of it did so for both
 * runs. */
static __global__ void gf_grid_unite(const gf_runs_args a)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x / GF_WARP;
    for (int64_t word = gf_thread_index() / GF_WARP; word < a.words; word += step) {
        const gf_run_pixel p = gf_run_at(a.grid, word);
        const uint32_t key = p.key, v = static_cast<uint32_t>(p.v);
        if (key == 0) {
            continue;
        }
        const bool goes_on = gf_run_key(a.grid, p.x - 1, p.y) == key;
        const bool left = gf_run_key(a.grid, p.x - 1, p.y - 1) == key,
                   up = gf_run_key(a.grid, p.x, p.y - 1) == key,
                   right = gf_run_key(a.grid, p.x + 1, p.y - 1) == key, corners = a.grid.connect == 8;
        const uint32_t above = static_cast<uint32_t>(p.v - a.grid.width);
        if (goes_on && gf_lane() == 0) {
            gf_unite(a.labels, v, v - 1);
        }
        if (up && !(goes_on && left)) {
            gf_unite(a.labels, v, above);
        }
        if (corners && !up && left && !goes_on) {
            gf_unite(a.labels, v, above - 1);
        }
        if (corners && !up && right && !GF_FAULT(cuda_grid_corner)) {
            gf_unite(a.labels, v, above + 1);
        }
    }
}

gf_status gf_grid_components_cuda(const struct gf_array_call *array, gf_error *error)
{
    gf_runs_args a = {};
    gf_launch c = {};
    a.grid = gf_graph_call_of(array)->grid;
    a.words = (a.grid.width + GF_WARP - 1) / GF_WARP * a.grid.height;
    a.labels = static_cast<uint32_t *>(array->out);
    GF_ON_DEVICE(array->queue.device, error)
    GF_TRY(gf_edges_launch(array, &c, error));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_grid_runs, c, a));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_grid_unite, c, a));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_components_end, c, a.labels, array->n));
    return GF_OK;
}
