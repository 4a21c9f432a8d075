/* shift, fade, dither and mix on CUDA: a thread makes a frame at a time. */
#include "base/cuda_status.h"
#include "base/device_scope_cuda.h"
#include "signal/edit.h"
#include "signal/track_cuda.cuh"

enum { THREADS = 256, BLOCKS = 4096 };

static gf_launch launch_of(gf_queue queue, const struct gf_track *out, int32_t channels)
{
    gf_launch launch = {};
    const unsigned blocks = gf_blocks(out->count, THREADS);
    launch.grid = dim3(blocks < BLOCKS ? blocks : unsigned(BLOCKS), static_cast<unsigned>(channels));
    launch.block = dim3(THREADS);
    launch.stream = static_cast<cudaStream_t>(queue.stream);
    return launch;
}

/* make(frame, channel) is called for each frame of the output. */
template <class Make> GF_DEVICE_FN void each_frame(const struct gf_sink &out, Make make)
{
    const int64_t stride = int64_t(gridDim.x) * THREADS;
    const int32_t c = static_cast<int32_t>(blockIdx.y);
    for (int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x; i < out.count; i += stride) {
        out.data[c * out.pitch + i] = make(out.first + i, c);
    }
}

GF_DEVICE_FN float frame_of(const struct gf_source &in, int64_t n, int32_t c)
{
    return in.data[c * in.pitch + n - in.first];
}

/* The last frame that is kept so far stays in `last`, four floats a channel, for calls that have no other. */
static __global__ void __launch_bounds__(THREADS)
    gf_signal_shift_frames(const struct gf_source in, const struct gf_sink out, const struct gf_signal_shift a,
                           float *last)
{
    const int64_t there = in.first + in.count < a.stop ? in.first + in.count : a.stop;
    const int64_t kept = there > a.start ? there - a.start : 0; /* so far */
    const bool has_last = a.start + kept > in.first && kept > 0;
    each_frame(out, [&](int64_t n, int32_t c) {
        const int64_t i = n - a.before;
        if (i >= 0 && i < kept) {
            return frame_of(in, a.start + i, c);
        }
        if (a.border != 1) {
            return a.value;
        }
        if (i < 0) {
            return kept > 0 ? frame_of(in, a.start, c) : 0.0F;
        }
        return has_last ? frame_of(in, a.start + kept - 1, c) : last[4 * c];
    });
    if (has_last && blockIdx.x == 0 && threadIdx.x == 0) {
        last[4 * blockIdx.y] = frame_of(in, a.start + kept - 1, static_cast<int32_t>(blockIdx.y));
    }
}

static __global__ void __launch_bounds__(THREADS)
    gf_signal_fade_frames(const struct gf_source in, const struct gf_sink out, const struct gf_signal_fade a,
                          int64_t frames)
{
    each_frame(out, [&](int64_t n, int32_t c) { return gf_fade_frame(&a, frame_of(in, n, c), n, frames); });
}

static __global__ void __launch_bounds__(THREADS)
    gf_signal_dither_frames(const struct gf_source in, const struct gf_sink out,
                            const struct gf_signal_dither a)
{
    each_frame(out, [&](int64_t n, int32_t c) { return gf_dither_frame(&a, frame_of(in, n, c), n, c); });
}

static __global__ void __launch_bounds__(THREADS)
    gf_signal_mix_frames(const struct gf_source in, const struct gf_sink out, const int32_t *table)
{
    const int32_t from = table[blockIdx.y], to = table[blockIdx.y + 1];
    each_frame(out, [&](int64_t n, int32_t) {
        float y = 0.0F;
        for (int32_t k = from; k < to; k += 2) {
            const float gain = gf_bits_float(static_cast<uint32_t>(table[k + 1]));
            const float x = frame_of(in, n, table[k]);
            y = k == from ? gain * x : gf_fma(gain, x, y);
        }
        return gf_canonical(y);
    });
}

/* ---- launching -------------------------------------------------------------------------------------------- */

#define NO_SCRATCH(kernel)                                                                                   \
    extern "C" size_t gf_signal_##kernel##_cuda_scratch(const void *, int64_t, int32_t)                      \
    {                                                                                                        \
        return 0;                                                                                            \
    }
NO_SCRATCH(shift)
NO_SCRATCH(fade)
NO_SCRATCH(dither)
NO_SCRATCH(mix)

extern "C" gf_status gf_signal_shift_cuda(gf_queue queue, const void *args, void *state, void *,
                                          const struct gf_track *in, int64_t, const struct gf_track *out,
                                          int32_t channels, gf_error *error)
{
    GF_ON_DEVICE(queue.device, error)
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_shift_frames, launch_of(queue, out, channels),
                                 gf_source_of(in, -1, false), gf_sink_of(out, channels),
                                 *static_cast<const struct gf_signal_shift *>(args), static_cast<float *>(state)));
    return GF_OK;
}

extern "C" gf_status gf_signal_fade_cuda(gf_queue queue, const void *args, void *, void *,
                                         const struct gf_track *in, int64_t frames, const struct gf_track *out,
                                         int32_t channels, gf_error *error)
{
    GF_ON_DEVICE(queue.device, error)
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_fade_frames, launch_of(queue, out, channels),
                                 gf_source_of(in, -1, false), gf_sink_of(out, channels),
                                 *static_cast<const struct gf_signal_fade *>(args), frames));
    return GF_OK;
}

extern "C" gf_status gf_signal_dither_cuda(gf_queue queue, const void *args, void *, void *,
                                           const struct gf_track *in, int64_t, const struct gf_track *out,
                                           int32_t channels, gf_error *error)
{
    GF_ON_DEVICE(queue.device, error)
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_dither_frames, launch_of(queue, out, channels),
                                 gf_source_of(in, -1, false), gf_sink_of(out, channels),
                                 *static_cast<const struct gf_signal_dither *>(args)));
    return GF_OK;
}

extern "C" gf_status gf_signal_mix_cuda(gf_queue queue, const void *args, void *state, void *,
                                        const struct gf_track *in, int64_t, const struct gf_track *out, int32_t,
                                        gf_error *error)
{
    const struct gf_signal_mix *a = static_cast<const struct gf_signal_mix *>(args);
    const size_t bytes = static_cast<size_t>(a->table[a->outputs]) * sizeof *a->table;
    GF_ON_DEVICE(queue.device, error)
    GF_TRY(gf_upload_table(queue, state, a->table, bytes, out, error));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_mix_frames, launch_of(queue, out, a->outputs),
                                 gf_source_of(in, -1, false), gf_sink_of(out, a->outputs),
                                 static_cast<const int32_t *>(state)));
    return GF_OK;
}
