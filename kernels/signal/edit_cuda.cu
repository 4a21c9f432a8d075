/* shift, fade, dither and mix on CUDA: a thread makes a frame at a time. */
#include "base/cuda_status.h"
#include "base/device_scope_cuda.h"
#include "signal/edit.h"
#include "signal/track_cuda.cuh"

enum { EDIT_THREADS = 256, BLOCKS = 4096 };

#define KERNEL(name)                                                                                         \
    static __global__ void __launch_bounds__(EDIT_THREADS) gf_signal_##name##_frames(                        \
        const struct gf_signal_##name a, const struct gf_edit e, const struct gf_track out)                  \
    {                                                                                                        \
        const int32_t c = static_cast<int32_t>(blockIdx.y);                                                  \
        const int64_t stride = int64_t(gridDim.x) * EDIT_THREADS;                                            \
        for (int64_t i = int64_t(blockIdx.x) * EDIT_THREADS + threadIdx.x; i < out.count; i += stride) {     \
            out.data[c * out.pitch + i] = gf_##name##_frame(&a, &e, out.first + i, c);                       \
        }                                                                                                    \
    }                                                                                                        \
    extern "C" size_t gf_signal_##name##_cuda_scratch(const void *, int64_t, int32_t)                        \
    {                                                                                                        \
        return 0;                                                                                            \
    }                                                                                                        \
    extern "C" gf_status gf_signal_##name##_cuda(                                                            \
        gf_queue queue, const void *args, void *state, void *, const struct gf_track *in, int64_t frames,    \
        const struct gf_track *out, int32_t channels, gf_error *error)                                       \
    {                                                                                                        \
        const struct gf_signal_##name *a = static_cast<const struct gf_signal_##name *>(args);               \
        const struct gf_edit e = {*in, frames, state};                                                       \
        GF_ON_DEVICE(queue.device, error)                                                                    \
        GF_TRY(gf_edit_begin(queue, a, state, out, &channels, error));                                       \
        gf_launch launch = {};                                                                               \
        const unsigned blocks = gf_blocks(out->count, EDIT_THREADS);                                         \
        launch.grid = dim3(blocks < BLOCKS ? blocks : unsigned(BLOCKS), static_cast<unsigned>(channels));    \
        launch.block = dim3(EDIT_THREADS);                                                                   \
        launch.stream = static_cast<cudaStream_t>(queue.stream);                                             \
        GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_##name##_frames, launch, *a, e, *out));                       \
        return GF_OK;                                                                                        \
    }

/* Only mix has a table, and other channels than its input. */
static gf_status gf_edit_begin(gf_queue, const void *, void *, const struct gf_track *, int32_t *, gf_error *)
{
    return GF_OK;
}

static gf_status gf_edit_begin(gf_queue queue, const struct gf_signal_mix *a, void *state,
                               const struct gf_track *out, int32_t *channels, gf_error *error)
{
    *channels = a->outputs;
    return gf_upload_table(queue, state, a->table,
                           static_cast<size_t>(a->table[a->outputs]) * sizeof *a->table, out, error);
}

KERNEL(shift)
KERNEL(fade)
KERNEL(dither)
KERNEL(mix)
