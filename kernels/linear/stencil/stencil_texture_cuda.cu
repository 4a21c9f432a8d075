/* The stencil through the texture units, "texture": a thread an element, which fetches its neighbours from a
 * two-dimensional texture over the matrix. Units and their cache are the ones that plain loads go through
 * since Volta; what is left of textures is that they find places and clamp them at the edge themselves.
 *
 * A texture object must outlive the work that uses it, so the call waits for its work. */
#include "base/gf_texture.h"
#include "base/planted_fault.h"
#include "linear/stencil/stencil_cross_cuda.cuh"

static_assert(int(GF_STENCIL_TEXTURE_COLUMNS) == GF_TEXTURE_WIDTH &&
                  int(GF_STENCIL_TEXTURE_ROWS) == GF_TEXTURE_HEIGHT,
              "stencil.c checks by them");

/* CLAMPED: what lies outside is the nearest element, as textures have it. */
template <bool CLAMPED>
static __global__ void __launch_bounds__(GF_STENCIL_MOST_THREADS)
    gf_stencil_texture(const gf_cross_args g, const gf_texture from)
{
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const auto at = [&](int v, int u) {
        return !CLAMPED && (v < 0 || u < 0) ? g.value : gf_texture_at(from, u, v);
    };
    if (y < g.height && x < g.width) {
        g.out[y * g.width + x] = gf_cross_sum(g, at(CLAMPED ? y - 1 : gf_cross_up(g, y), x),
                                              at(y, CLAMPED ? x - 1 : gf_cross_left(g, x)), at(y, x),
                                              at(y, CLAMPED ? x + 1 : gf_cross_right(g, x)),
                                              at(CLAMPED ? y + 1 : gf_cross_down(g, y), x));
    }
}

/* ---- Sources ------------------------------------------------------------------------------------------------ */

/* The input, and what steps write in turns: matrices that the call has textures over. */
struct gf_stencil_sources {
    gf_texture texture[4];
    const void *base[4];
    int count;
};

static size_t pitch_of(const struct gf_stencil_call *call)
{
    const size_t row = static_cast<size_t>(call->columns) * sizeof(float);
    return (row + GF_TEXTURE_PITCH - 1) / GF_TEXTURE_PITCH * GF_TEXTURE_PITCH;
}

/* Room in scratch memory, behind the turns, for a matrix that does not lie as textures want it. */
static char *room_of(const struct gf_array_call *array)
{
    const struct gf_stencil_call *call = gf_stencil_call_of(array);
    const uintptr_t at = reinterpret_cast<uintptr_t>(array->scratch) + gf_stencil_turns(array, call->steps) +
                         GF_TEXTURE_BASE - 1;
    return reinterpret_cast<char *>(at / GF_TEXTURE_BASE * GF_TEXTURE_BASE);
}

size_t gf_stencil_texture_scratch(const struct gf_array_call *array)
{
    const struct gf_stencil_call *call = gf_stencil_call_of(array);
    return gf_stencil_turns(array, call->steps) + GF_TEXTURE_BASE +
           pitch_of(call) * static_cast<size_t>(call->rows);
}

/* A texture over the matrix, or over a copy of it that this queues. */
static gf_status open_source(const struct gf_array_call *array, const void *from, gf_stencil_sources *sources,
                             const gf_texture **texture, gf_error *error)
{
    const struct gf_stencil_call *call = gf_stencil_call_of(array);
    const size_t row = static_cast<size_t>(call->columns) * sizeof(float), pitch = pitch_of(call);
    const bool fits = pitch == row && reinterpret_cast<uintptr_t>(from) % GF_TEXTURE_BASE == 0;
    char *const room = room_of(array);
    const void *const base = fits ? from : room;
    if (!fits && !GF_FAULT(cuda_stencil_texture)) {
        GF_CUDA_TRY(error, cudaMemcpy2DAsync(room, pitch, from, row, row, static_cast<size_t>(call->rows),
                                             cudaMemcpyDeviceToDevice,
                                             static_cast<cudaStream_t>(array->queue.stream)));
    }
    int i = 0;
    while (i < sources->count && sources->base[i] != base) {
        i++;
    }
    if (i == sources->count) {
        GF_CUDA_TRY(error, gf_texture_create(&sources->texture[i], base, pitch,
                                             static_cast<int>(call->columns), static_cast<int>(call->rows)));
        sources->base[i] = base;
        sources->count++;
    }
    *texture = &sources->texture[i];
    return GF_OK;
}

/* ---- The call ----------------------------------------------------------------------------------------------- */

static gf_status run_steps(const struct gf_array_call *array, gf_stencil_sources *sources, gf_error *error)
{
    const bool clamped = gf_stencil_call_of(array)->border == GF_BORDER_REPLICATE;
    return gf_cross_passes(array, gf_cross_block(array), [&](const gf_cross_args &g, const gf_launch &c) {
        const gf_texture *from = nullptr;
        GF_TRY(open_source(array, g.in, sources, &from, error));
        GF_CUDA_TRY(error, clamped ? GF_LAUNCH((gf_stencil_texture<true>), c, g, *from)
                                   : GF_LAUNCH((gf_stencil_texture<false>), c, g, *from));
        return GF_OK;
    });
}

gf_status gf_stencil_texture_cuda(const struct gf_array_call *array, gf_error *error)
{
    gf_stencil_sources sources = {};
    if (array->n == 0) {
        return GF_OK;
    }
    GF_ON_DEVICE(array->queue.device, error)
    gf_status status = run_steps(array, &sources, error);
    const cudaError_t waited = cudaStreamSynchronize(static_cast<cudaStream_t>(array->queue.stream));
    for (int i = 0; i < sources.count; i++) {
        gf_texture_destroy(sources.texture[i]);
    }
    if (status == GF_OK) {
        GF_CUDA_TRY(error, waited);
    }
    return status;
}
