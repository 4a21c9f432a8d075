/* rms, gate and envelope on CUDA. Windows are summed a power of two at a time, in pieces of the output whose
 * sums stay in the second cache. */
#include "base/device_scope_cuda.h"
#include "signal/frame_term.h"
#include "signal/track_cuda.cuh"

enum { THREADS = 256, PIECE = 1 << 18 /* frames of all channels */ };

/* Squares of frames [first, first + count) of channel blockIdx.y. */
static __global__ void __launch_bounds__(THREADS)
    gf_signal_square(const struct gf_source in, int64_t first, int64_t count, double *to)
{
    const int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x;
    if (i < count) {
        const double v = gf_source_frame(in, in.data + blockIdx.y * in.pitch, first + i);
        to[blockIdx.y * count + i] = v * v;
    }
}

/* From S_k to S_(k+1), where `last` does not say that it is the highest bit, and S_k to the sum, where the
 * size has that bit. Rows of v have `room` numbers, of sum `count`. */
struct level {
    int64_t count, room, span, from;
    bool adds, begins, last;
};

static __global__ void __launch_bounds__(THREADS)
    gf_signal_window_level(const struct level p, const double *v, double *next, double *sum)
{
    const int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x;
    v += blockIdx.y * p.room;
    if (p.adds && i < p.count) {
        double *own = sum + blockIdx.y * p.count + i;
        *own = (p.begins ? 0.0 : *own) + v[p.from + i];
    }
    if (!p.last && i <= p.room - 2 * p.span) {
        next[blockIdx.y * p.room + i] = v[i] + v[i + p.span];
    }
}

static __global__ void __launch_bounds__(THREADS)
    gf_signal_rms_frames(const struct gf_source in, const struct gf_sink out, const struct gf_signal_rms a,
                         const double *sum)
{
    const int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x;
    if (i < out.count) {
        const float x = gf_source_frame(in, in.data + blockIdx.y * in.pitch, out.first + i);
        out.data[blockIdx.y * out.pitch + i] =
            gf_rms_frame(&a, x, sum[blockIdx.y * out.count + i], out.first + i, in.frames);
    }
}

static int64_t piece_of(const struct gf_signal_rms *a, int64_t most, int32_t channels)
{
    int64_t piece = PIECE / channels > 4096 ? PIECE / channels : 4096;
    piece = piece > a->size ? piece : a->size;
    return piece < most ? piece : most;
}

extern "C" size_t gf_signal_rms_cuda_scratch(const void *args, int64_t most, int32_t channels)
{
    const struct gf_signal_rms *a = static_cast<const struct gf_signal_rms *>(args);
    return static_cast<size_t>(3 * piece_of(a, most, channels) + 2 * a->size) *
           static_cast<size_t>(channels) * sizeof(double);
}

static gf_status run_piece(gf_launch launch, const struct gf_signal_rms *a, const struct gf_source &in,
                           const struct gf_sink &out, double *scratch, gf_error *error)
{
    const int64_t channels = launch.grid.y, room = out.count + a->size - 1;
    double *v = scratch, *next = v + channels * room, *sum = next + channels * room;
    launch.grid.x = gf_blocks(room, THREADS);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_square, launch, in, out.first - a->size / 2, room, v));
    struct level p = {out.count, room, 1, 0, false, true, false};
    for (; p.span <= a->size; p.span *= 2) {
        p.adds = (a->size & p.span) != 0;
        p.last = 2 * p.span > a->size;
        GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_window_level, launch, p, v, next, sum));
        p.begins = p.begins && !p.adds;
        p.from += a->size & p.span;
        double *used = v;
        v = next;
        next = used;
    }
    launch.grid.x = gf_blocks(out.count, THREADS);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_rms_frames, launch, in, out, *a, sum));
    return GF_OK;
}

extern "C" gf_status gf_signal_rms_cuda(gf_queue queue, const void *args, void *, void *scratch,
                                        const struct gf_track *in, int64_t frames, const struct gf_track *out,
                                        int32_t channels, gf_error *error)
{
    const struct gf_signal_rms *a = static_cast<const struct gf_signal_rms *>(args);
    const struct gf_source source = gf_source_of(in, frames, false);
    const int64_t piece = piece_of(a, out->count, channels);
    gf_launch launch = {};
    GF_ON_DEVICE(queue.device, error)
    launch.grid = dim3(1, static_cast<unsigned>(channels));
    launch.block = dim3(THREADS);
    launch.stream = static_cast<cudaStream_t>(queue.stream);
    for (int64_t i = 0; i < out->count; i += piece) {
        struct gf_sink sink = gf_sink_of(out, channels);
        sink.data += i;
        sink.first += i;
        sink.count = out->count - i < piece ? out->count - i : piece;
        GF_TRY(run_piece(launch, a, source, sink, static_cast<double *>(scratch), error));
    }
    return GF_OK;
}

static __global__ void __launch_bounds__(THREADS)
    gf_signal_envelope_frames(const struct gf_source in, const struct gf_sink out)
{
    const int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x;
    if (i < out.count) {
        float *y = out.data + blockIdx.y * out.pitch + i;
        *y = gf_envelope_frame(gf_source_frame(in, in.data + blockIdx.y * in.pitch, out.first + i), *y);
    }
}

extern "C" size_t gf_signal_envelope_cuda_scratch(const void *, int64_t, int32_t)
{
    return 0;
}

extern "C" gf_status gf_signal_envelope_cuda(gf_queue queue, const void *args, void *state, void *scratch,
                                             const struct gf_track *in, int64_t frames,
                                             const struct gf_track *out, int32_t channels, gf_error *error)
{
    gf_launch launch = {};
    GF_ON_DEVICE(queue.device, error)
    GF_TRY(gf_signal_fir_cuda(queue, args, state, scratch, in, frames, out, channels, error));
    launch.grid = dim3(gf_blocks(out->count, THREADS), static_cast<unsigned>(channels));
    launch.block = dim3(THREADS);
    launch.stream = static_cast<cudaStream_t>(queue.stream);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_signal_envelope_frames, launch, gf_source_of(in, frames, false),
                                 gf_sink_of(out, channels)));
    return GF_OK;
}
