/* label on CUDA: parts of tiles become regions (label_cuda.cuh). */
#include "array/common/union_cuda.cuh"
#include "pixel/whole/label/label_cuda.cuh"

/* ---- where tiles meet ---------------------------------------------------------------------------------- */

/* Two lines of pixels side by side, of rows or of columns, between which all tiles meet. */
struct gf_label_seam {
    const uint16_t *before, *behind; /* slots */
    int64_t at, n;                   /* the row or column of those behind; pixels of a line */
    int64_t side;                    /* pixels of a tile along the line */
    bool upright;                    /* columns */

    __device__ __forceinline__ int64_t x(int64_t i, int is_before) const
    {
        return upright ? at - is_before : i;
    }
    __device__ __forceinline__ int64_t y(int64_t i, int is_before) const
    {
        return upright ? i : at - is_before;
    }
};

GF_DEVICE_FN uint32_t gf_label_node(const struct gf_label_params &p, int64_t x, int64_t y, uint16_t slot)
{
    return gf_label_tile(p, x / GF_LABEL_SIDE, y / p.rows).base + slot;
}

/* Unites pixel i behind the seam with pixel j before it, if they belong together; tells whether they do. What
 * the pixels in front of both have done is not done again. */
template <class T>
GF_DEVICE_FN bool gf_label_meet(const struct gf_label_params &p, const struct gf_label_seam &seam, int64_t i,
                                int64_t j)
{
    if (j < 0 || j >= seam.n || seam.before[j] == GF_LABEL_NO_SLOT) {
        return false;
    }
    if (p.args.equal && gf_label_sample<T>(p, seam.x(i, 0), seam.y(i, 0)) !=
                            gf_label_sample<T>(p, seam.x(j, 1), seam.y(j, 1))) {
        return false;
    }
    if (i != j || i % seam.side == 0 || seam.behind[i - 1] != seam.behind[i] ||
        seam.before[i - 1] != seam.before[i]) {
        gf_union_unite<true>(p.parent, gf_label_node(p, seam.x(i, 0), seam.y(i, 0), seam.behind[i]),
                             gf_label_node(p, seam.x(j, 1), seam.y(j, 1), seam.before[j]));
    }
    return true;
}

template <class T>
static __global__ void __launch_bounds__(GF_LABEL_THREADS) gf_label_seams(const struct gf_label_params p)
{
    int64_t i = int64_t(blockIdx.x) * GF_LABEL_THREADS + threadIdx.x;
    const int64_t of_rows = (p.down - 1) * p.width;
    struct gf_label_seam seam = {};
    if (i < of_rows) {
        const int64_t row = i / p.width + 1;
        i -= (row - 1) * p.width;
        seam = {p.row_ends + (2 * row - 1) * p.width,
                p.row_ends + 2 * row * p.width,
                row * p.rows,
                p.width,
                GF_LABEL_SIDE,
                false};
    } else if (i < of_rows + (p.across - 1) * p.height) {
        const int64_t column = (i - of_rows) / p.height + 1;
        i -= of_rows + (column - 1) * p.height;
        seam = {p.column_ends + (2 * column - 1) * p.height,
                p.column_ends + 2 * column * p.height,
                column * GF_LABEL_SIDE,
                p.height,
                p.rows,
                true};
    } else {
        return;
    }
    /* what is right beside it has the corners beside it in its own region, where they belong to this one */
    if (seam.behind[i] != GF_LABEL_NO_SLOT && !(GF_FAULT(cuda_label_seam) && i == seam.n - 1) &&
        !gf_label_meet<T>(p, seam, i, i) && p.args.connectivity == 8) {
        gf_label_meet<T>(p, seam, i, i - 1);
        gf_label_meet<T>(p, seam, i, i + 1);
    }
}

/* ---- what the nodes are ---------------------------------------------------------------------------------- */

/* The nodes of a tile, a block each: to their roots, which learn the area and the first pixel of the region.
 * Nobody but its own thread stores the parent of a node any more: one that shortened the way on the side
 * could put back an earlier one. */
static __global__ void __launch_bounds__(GF_LABEL_THREADS) gf_label_gather(const struct gf_label_params p)
{
    const int64_t row = int64_t(blockIdx.x) / p.across;
    const struct gf_label_tile tile(p, int64_t(blockIdx.x) - row * p.across, row);
    for (uint32_t i = threadIdx.x; i < p.parts[blockIdx.x]; i += GF_LABEL_THREADS) {
        const uint32_t node = tile.base + i, root = gf_union_find<false>(p.parent, node);
        if (root != node) {
            gf_store_relaxed(p.parent + node, root);
            gf_atomic_add(p.area + root, p.area[node]);
            gf_atomic_min(p.first + root, p.first[node]);
        }
    }
}

/* Regions at the edge of the picture have no area any more. */
static __global__ void __launch_bounds__(GF_LABEL_THREADS) gf_label_drop(const struct gf_label_params p)
{
    const int64_t i = int64_t(blockIdx.x) * GF_LABEL_THREADS + threadIdx.x, rows = 2 * p.width;
    uint16_t slot = GF_LABEL_NO_SLOT;
    int64_t x = 0, y = 0;
    if (i < rows) {
        x = i % p.width;
        y = i < p.width ? 0 : p.height - 1;
        slot = p.row_ends[(i < p.width ? 0 : 2 * p.down - 1) * p.width + x];
    } else if (i < rows + 2 * p.height) {
        const bool is_last = i - rows >= p.height;
        y = (i - rows) % p.height;
        x = is_last ? p.width - 1 : 0;
        slot = p.column_ends[(is_last ? 2 * p.across - 1 : 0) * p.height + y];
    }
    if (slot != GF_LABEL_NO_SLOT) {
        gf_store_relaxed(p.area + p.parent[gf_label_node(p, x, y, slot)], 0u);
    }
}

/* ---- launch ---------------------------------------------------------------------------------------------- */

gf_status gf_label_queue_join(const struct gf_label_params *p, gf_depth depth, cudaStream_t stream,
                              gf_error *error)
{
    gf_launch launch = gf_launch_on(
        stream, gf_blocks((p->down - 1) * p->width + (p->across - 1) * p->height, GF_LABEL_THREADS),
        GF_LABEL_THREADS);
    GF_TRY(gf_dispatch_sample(depth, error, [&](auto tag) -> gf_status {
        using T = typename decltype(tag)::type;
        GF_CUDA_TRY(error, GF_LAUNCH(gf_label_seams<T>, launch, *p));
        return GF_OK;
    }));
    launch.grid = dim3(gf_blocks(p->tiles, 1));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_label_gather, launch, *p));
    if (p->args.drops_border) {
        launch.grid = dim3(gf_blocks(2 * (p->width + p->height), GF_LABEL_THREADS));
        GF_CUDA_TRY(error, GF_LAUNCH(gf_label_drop, launch, *p));
    }
    return GF_OK;
}
