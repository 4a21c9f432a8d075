/* What the CUDA variants of the stencil share: the call as kernels see it, an element near the edge, and how
 * tiles lie over the matrix. */
#ifndef GF_LINEAR_STENCIL_CUDA_CUH
#define GF_LINEAR_STENCIL_CUDA_CUH

#include "base/gf_border.h"
#include "linear/matmul/matmul_cuda.cuh"
#include "linear/stencil/stencil_call.h"

#include <type_traits>

#define GF_STENCIL_TYPES (GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_F64))

constexpr int GF_STENCIL_MOST_THREADS = 1024; /* of a block, where its caller says how many */

template <class T> struct gf_stencil_args {
    const T *in;
    T *out;
    int64_t rows, columns;
    uint32_t across; /* tiles side by side */
    int32_t border, count;
    int32_t up, down, left, right;
    T value;
    T weights[GF_STENCIL_TAPS];
    int8_t y[GF_STENCIL_TAPS], x[GF_STENCIL_TAPS];
};

template <class T> static inline gf_stencil_args<T> gf_stencil_args_of(const struct gf_stencil_call *call)
{
    gf_stencil_args<T> g = {};
    g.rows = call->rows;
    g.columns = call->columns;
    g.border = call->border;
    g.count = call->count;
    g.up = call->up;
    g.down = call->down;
    g.left = call->left;
    g.right = call->right;
    g.value = static_cast<T>(call->value);
    for (int t = 0; t < call->count; t++) {
        g.weights[t] = static_cast<T>(call->taps[t].f64);
        g.y[t] = static_cast<int8_t>(call->taps[t].y);
        g.x[t] = static_cast<int8_t>(call->taps[t].x);
    }
    return g;
}

/* A grid of tiles of so many rows and columns, one a block, in a line: `across` of them side by side. */
static inline gf_status gf_stencil_grid(const struct gf_stencil_call *call, int64_t rows, int64_t columns,
                                        dim3 *grid, uint32_t *across, gf_error *error)
{
    const int64_t down = (call->rows - 1) / rows + 1;
    const int64_t aside = (call->columns - 1) / columns + 1;
    if (down > INT32_MAX / aside) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "stencil: %lld x %lld elements are more tiles of %lld x %lld than a grid holds",
                       static_cast<long long>(call->rows), static_cast<long long>(call->columns),
                       static_cast<long long>(rows), static_cast<long long>(columns));
    }
    *across = static_cast<uint32_t>(aside);
    *grid = dim3(static_cast<unsigned>(aside * down));
    return GF_OK;
}

/* Element (y, x) of the extended matrix. */
template <class T> GF_DEVICE_FN T gf_stencil_sample(const gf_stencil_args<T> &g, int64_t y, int64_t x)
{
    const int64_t v = gf_border_index(y, g.rows, g.border), u = gf_border_index(x, g.columns, g.border);
    return v < 0 || u < 0 ? g.value : g.in[v * g.columns + u];
}

/* Calls pass(g) for each pass of `passes`, g.in and g.out being set. */
template <class T, class F>
static gf_status gf_stencil_passes(const struct gf_array_call *array, int64_t passes, F &&pass)
{
    gf_stencil_args<T> g = gf_stencil_args_of<T>(gf_stencil_call_of(array));
    for (int64_t i = 0; i < passes; i++) {
        g.in = static_cast<const T *>(gf_stencil_from(array, i, passes));
        g.out = static_cast<T *>(gf_stencil_to(array, i, passes));
        GF_TRY(pass(g, i));
    }
    return GF_OK;
}

/* A step by large tiles, of any window. */
gf_status gf_stencil_tiles_cuda(const struct gf_array_call *call, gf_error *error);

#endif
