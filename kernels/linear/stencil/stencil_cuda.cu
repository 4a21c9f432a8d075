/* The stencil on CUDA, "auto": windows of up to 3 x 3 by strips, through several steps at a time, others by
 * tiles, a step at a time. */
#include "linear/stencil/stencil_march_cuda.cuh"

constexpr int GF_STENCIL_CROSS_STEPS = 6; /* in one pass at most: what registers hold */
constexpr int GF_STENCIL_SQUARE_STEPS = 4;
constexpr uint32_t GF_STENCIL_CROSS_TAPS = 0272; /* rows 010, 111, 010 */

static bool is_small(const struct gf_stencil_call *call)
{
    return call->up <= 1 && call->down <= 1 && call->left <= 1 && call->right <= 1;
}

static uint32_t taps_of(const struct gf_stencil_call *call)
{
    uint32_t taps = 0;
    for (int t = 0; t < call->count; t++) {
        taps |= 1U << (3 * (call->taps[t].y + 1) + call->taps[t].x + 1);
    }
    return taps;
}

static int64_t passes_of(const struct gf_stencil_call *call)
{
    if (!is_small(call)) {
        return call->steps;
    }
    const int together =
        taps_of(call) == GF_STENCIL_CROSS_TAPS ? GF_STENCIL_CROSS_STEPS : GF_STENCIL_SQUARE_STEPS;
    return (call->steps - 1) / together + 1;
}

size_t gf_stencil_cuda_scratch(const struct gf_array_call *array)
{
    return gf_stencil_turns(array, passes_of(gf_stencil_call_of(array)));
}

template <class T> static gf_stencil_march_args<T> march_args_of(const struct gf_stencil_call *call)
{
    gf_stencil_march_args<T> g = {};
    g.rows = call->rows;
    g.columns = call->columns;
    g.border = call->border;
    g.taps = taps_of(call);
    g.value = static_cast<T>(call->value);
    for (int t = 0; t < call->count; t++) {
        g.weights[3 * (call->taps[t].y + 1) + call->taps[t].x + 1] = static_cast<T>(call->taps[t].f64);
    }
    return g;
}

template <class T> static gf_status march(const struct gf_stencil_call *call, gf_error *error)
{
    const int64_t passes = passes_of(call);
    gf_stencil_march_args<T> g = march_args_of<T>(call);
    int processors = 1;
    GF_TRY(gf_multiprocessors(&processors, error));
    for (int64_t i = 0; i < passes; i++) {
        const int64_t steps = call->steps / passes + (i < call->steps % passes);
        g.in = static_cast<const T *>(gf_stencil_from(&call->array, i, passes));
        g.out = static_cast<T *>(gf_stencil_to(&call->array, i, passes));
        if (g.taps == GF_STENCIL_CROSS_TAPS) {
            GF_TRY((gf_stencil_march_launch<gf_stencil_cross<T>, GF_STENCIL_CROSS_STEPS>(call, g, steps,
                                                                                         processors, error)));
        } else {
            GF_TRY((gf_stencil_march_launch<gf_stencil_square<T>, GF_STENCIL_SQUARE_STEPS>(
                call, g, steps, processors, error)));
        }
    }
    return GF_OK;
}

gf_status gf_stencil_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_stencil_call *call = gf_stencil_call_of(array);
    if (array->n == 0) {
        return GF_OK;
    }
    GF_ON_DEVICE(array->queue.device, error)
    if (!is_small(call)) {
        return gf_stencil_tiles_cuda(array, error);
    }
    return array->options.type == GF_F32 ? march<float>(call, error) : march<double>(call, error);
}
