/* Five points over a matrix of f32, as the published stencil has them: what it and its neighbours by plain
 * loads and by textures share. Places are ints, as in the text. */
#ifndef GF_LINEAR_STENCIL_CROSS_CUDA_CUH
#define GF_LINEAR_STENCIL_CROSS_CUDA_CUH

#include "linear/stencil/stencil_cuda.cuh"

struct gf_cross_args {
    const float *in;
    float *out;
    int width, height;
    int above, below, before, after; /* the row or column that stands for the one outside; -1: `value` does */
    float value;
    float weights[5]; /* up, left, middle, right, down */
};

static inline gf_cross_args gf_cross_args_of(const struct gf_stencil_call *call)
{
    gf_cross_args g = {};
    g.width = static_cast<int>(call->columns);
    g.height = static_cast<int>(call->rows);
    g.above = static_cast<int>(gf_border_index(-1, call->rows, call->border));
    g.below = static_cast<int>(gf_border_index(call->rows, call->rows, call->border));
    g.before = static_cast<int>(gf_border_index(-1, call->columns, call->border));
    g.after = static_cast<int>(gf_border_index(call->columns, call->columns, call->border));
    g.value = static_cast<float>(call->value);
    for (int t = 0; t < 5; t++) {
        g.weights[t] = call->taps[t].f32;
    }
    return g;
}

/* The rows and columns beside one. */
GF_DEVICE_FN int gf_cross_up(const gf_cross_args &g, int y)
{
    return y > 0 ? y - 1 : g.above;
}
GF_DEVICE_FN int gf_cross_down(const gf_cross_args &g, int y)
{
    return y < g.height - 1 ? y + 1 : g.below;
}
GF_DEVICE_FN int gf_cross_left(const gf_cross_args &g, int x)
{
    return x > 0 ? x - 1 : g.before;
}
GF_DEVICE_FN int gf_cross_right(const gf_cross_args &g, int x)
{
    return x < g.width - 1 ? x + 1 : g.after;
}

/* An element, or the value of what lies outside. */
GF_DEVICE_FN float gf_cross_at(const gf_cross_args &g, int y, int x)
{
    return y < 0 || x < 0 ? g.value : g.in[y * g.width + x];
}

GF_DEVICE_FN float gf_cross_sum(const gf_cross_args &g, float up, float left, float middle, float right,
                                float down)
{
    float sum = g.weights[0] * up;
    sum = gf_matmul_add(g.weights[1], left, sum);
    sum = gf_matmul_add(g.weights[2], middle, sum);
    sum = gf_matmul_add(g.weights[3], right, sum);
    return gf_matmul_finish(gf_matmul_add(g.weights[4], down, sum));
}

/* Calls pass(g, launch) for each step, g.in and g.out being set, on a grid of blocks of that shape. */
template <class F> static gf_status gf_cross_passes(const struct gf_array_call *array, dim3 block, F &&pass)
{
    const struct gf_stencil_call *call = gf_stencil_call_of(array);
    if (array->n == 0) {
        return GF_OK;
    }
    gf_cross_args g = gf_cross_args_of(call);
    const gf_launch c = gf_launch_on(
        array->queue.stream, dim3(gf_blocks(call->columns, block.x), gf_blocks(call->rows, block.y)), block);
    for (int64_t i = 0; i < call->steps; i++) {
        g.in = static_cast<const float *>(gf_stencil_from(array, i, call->steps));
        g.out = static_cast<float *>(gf_stencil_to(array, i, call->steps));
        GF_TRY(pass(g, c));
    }
    return GF_OK;
}

/* Blocks of whole warps, for a thread an element. */
static inline dim3 gf_cross_block(const struct gf_array_call *array)
{
    const unsigned block = array->options.block > 0 ? static_cast<unsigned>(array->options.block) : 256;
    return dim3(GF_WARP, block / GF_WARP);
}

#endif
