/* What filters without delay need on CUDA beside the filter: frames beyond the ends, and states to begin
 * with. */
#include "base/device_scope_cuda.h"
#include "signal/frame_term.h"
#include "signal/iir_rows.h"
#include "signal/track_cuda.cuh"

enum { EXTEND_THREADS = 256 };

static __global__ void gf_signal_extend_frames(const struct gf_source in, const struct gf_sink out,
                                               int64_t more)
{
    const int64_t i = int64_t(blockIdx.x) * EXTEND_THREADS + threadIdx.x, n = out.first + i - more,
                  last = in.frames - 1;
    const float *x = in.data + blockIdx.y * in.pitch - in.first;
    if (i < out.count) {
        out.data[blockIdx.y * out.pitch + i] = gf_extend_frame(x, last, n);
    }
}

extern "C" size_t gf_signal_extend_cuda_scratch(const void *, int64_t, int32_t)
{
    return 0;
}

extern "C" gf_status gf_signal_extend_cuda(gf_queue queue, const void *args, void *, void *,
                                           const struct gf_track *in, int64_t frames,
                                           const struct gf_track *out, int32_t channels, gf_error *error)
{
    const int64_t most = static_cast<const struct gf_signal_extend *>(args)->frames;
    const int64_t more = frames < 0 || frames > most ? most : frames - 1;
    gf_launch launch = {};
    GF_ON_DEVICE(queue.device, error)
    launch.grid = dim3(gf_blocks(out->count, EXTEND_THREADS), static_cast<unsigned>(channels));
    launch.block = dim3(EXTEND_THREADS);
    launch.stream = static_cast<cudaStream_t>(queue.stream);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_extend_frames, launch, gf_source_of(in, frames, false),
                                 gf_sink_of(out, channels), more));
    return GF_OK;
}

struct settled_params {
    const float *x; /* the first frame of channel 0 */
    int64_t pitch;
    char *state;
    size_t state_bytes;
    double of_one[GF_IIR_STATES];
};

/* A block a channel, a thread a state: the group of one block in front of the first frame. */
static __global__ void gf_signal_iir_rest(const struct settled_params p)
{
    const float x = p.x[blockIdx.x * p.pitch];
    struct gf_dd *end = reinterpret_cast<struct gf_dd *>(p.state + blockIdx.x * p.state_bytes);
    end[threadIdx.x] = {p.of_one[threadIdx.x] * static_cast<double>(gf_fma(x, 0.0F, x)), 0.0};
}

static gf_status begin(gf_queue queue, const struct gf_signal_iir_settled *a, void *state,
                       const struct gf_track *in, int32_t channels, gf_error *error)
{
    const int32_t states = a->iir.made->states;
    struct settled_params p = {
        in->data - in->first, in->pitch, static_cast<char *>(state), GF_IIR_STATE_BYTES(states), {}};
    gf_launch launch = {};
    memcpy(p.of_one, a->state, sizeof p.of_one);
    GF_ON_DEVICE(queue.device, error)
    launch.grid = dim3(static_cast<unsigned>(channels));
    launch.block = dim3(static_cast<unsigned>(states));
    launch.stream = static_cast<cudaStream_t>(queue.stream);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_iir_rest, launch, p));
    return GF_OK;
}

extern "C" size_t gf_signal_iir_settled_cuda_scratch(const void *args, int64_t most, int32_t channels)
{
    return gf_signal_iir_cuda_scratch(args, most, channels);
}

extern "C" gf_status gf_signal_iir_settled_cuda(gf_queue queue, const void *args, void *state, void *scratch,
                                                const struct gf_track *in, int64_t frames,
                                                const struct gf_track *out, int32_t channels, gf_error *error)
{
    struct gf_track x = *in, y = *out;
    if (out->first == 0 && out->count > 0) {
        y.count = 0; /* puts the tables, and makes nothing */
        GF_TRY(gf_signal_iir_cuda(queue, args, state, scratch, in, frames, &y, channels, error));
        GF_TRY(begin(queue, static_cast<const struct gf_signal_iir_settled *>(args), state, in, channels,
                     error));
        y.count = out->count;
    }
    x.first += GF_IIR_BLOCK;
    y.first += GF_IIR_BLOCK;
    return gf_signal_iir_cuda(queue, args, state, scratch, &x, frames, &y, channels, error);
}
