/* Combs on CUDA: with a way back a thread makes every delay-th frame, so that as many run at a time. */
#include "base/device_scope_cuda.h"
#include "signal/frame_term.h"
#include "signal/track_cuda.cuh"

enum { THREADS = 256 };

static __global__ void __launch_bounds__(THREADS)
    gf_signal_comb_frames(const struct gf_source in, const struct gf_sink out, const struct gf_signal_comb a,
                          int64_t stride, float *ring, int64_t ring_pitch)
{
    const float *x = in.data + blockIdx.y * in.pitch;
    const int64_t own = int64_t(blockIdx.x) * THREADS + threadIdx.x;
    float *kept = ring ? ring + blockIdx.y * ring_pitch + (out.first + own) % a.delay : NULL;
    float back = kept && own < stride ? *kept : 0.0F;
    for (int64_t i = own; i < out.count && own < stride; i += stride) {
        const int64_t n = out.first + i;
        back = gf_comb_term(&a, gf_source_frame(in, x, n), gf_source_frame(in, x, n - a.delay), back);
        out.data[blockIdx.y * out.pitch + i] = back;
    }
    if (kept && own < stride) {
        *kept = back;
    }
}

extern "C" size_t gf_signal_comb_cuda_scratch(const void *, int64_t, int32_t)
{
    return 0;
}

extern "C" gf_status gf_signal_comb_cuda(gf_queue queue, const void *args, void *state, void *,
                                         const struct gf_track *in, int64_t frames,
                                         const struct gf_track *out, int32_t channels, gf_error *error)
{
    const struct gf_signal_comb *a = static_cast<const struct gf_signal_comb *>(args);
    const int64_t stride = a->back != 0 ? a->delay : INT64_C(1) << 20;
    const int64_t pitch = (static_cast<int64_t>(a->delay) + 3) / 4 * 4; /* of a state */
    gf_launch launch = {};
    GF_ON_DEVICE(queue.device, error)
    launch.grid =
        dim3(gf_blocks(out->count < stride ? out->count : stride, THREADS), static_cast<unsigned>(channels));
    launch.block = dim3(THREADS);
    launch.stream = static_cast<cudaStream_t>(queue.stream);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_comb_frames, launch, gf_source_of(in, frames, false),
                                 gf_sink_of(out, channels), *a, stride,
                                 a->back != 0 ? static_cast<float *>(state) : NULL, pitch));
    return GF_OK;
}
