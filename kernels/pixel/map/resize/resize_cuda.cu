/* "resize" on the GPU. Any rows: a thread owns a column of samples and a few rows; down, its neighbours read
 * beside it, and across, they read windows that overlap, which the nearest cache serves. Rows that begin at
 * multiples of words, or of 16 bytes, have faster ways (resize_cuda.h). */
#include "array/common/grid_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/map/resize/resize_cuda.h"

enum { GF_RESIZE_COLUMNS = 128, GF_RESIZE_MOST_BLOCKS = 32768 };

/* For u8 an exact sum of integers, else a chain of f32. */
GF_DEVICE_FN int32_t gf_resize_first(int32_t w, uint8_t v)
{
    return w * v;
}
template <class T> GF_DEVICE_FN float gf_resize_first(float w, T v)
{
    return w * static_cast<float>(v);
}
GF_DEVICE_FN int32_t gf_resize_next(int32_t sum, int32_t w, uint8_t v)
{
    return sum + w * v;
}
template <class T> GF_DEVICE_FN float gf_resize_next(float sum, float w, T v)
{
    return gf_fma(w, static_cast<float>(v), sum);
}
GF_DEVICE_FN void gf_resize_store(uint8_t *to, int32_t sum)
{
    *to = gf_clamp_u8((sum + (1 << (GF_RESIZE_SHIFT - 1))) >> GF_RESIZE_SHIFT);
}
GF_DEVICE_FN void gf_resize_store(uint16_t *to, float sum)
{
    *to = gf_quantise_u16(sum);
}
GF_DEVICE_FN void gf_resize_store(float *to, float sum)
{
    *to = gf_canonical(sum);
}

/* Sample k of an output, times that of its pixel's alpha where `alpha` says how far on that lies. */
template <bool weighed, class T> GF_DEVICE_FN float gf_resize_load(const char *from, int64_t alpha, float)
{
    const T *at = reinterpret_cast<const T *>(from);
    return weighed && alpha ? static_cast<float>(at[0]) * static_cast<float>(at[alpha])
                            : static_cast<float>(at[0]);
}
template <bool weighed, class T> GF_DEVICE_FN uint8_t gf_resize_load(const char *from, int64_t alpha, int32_t)
{
    const uint8_t *at = reinterpret_cast<const uint8_t *>(from);
    return weighed && alpha ? static_cast<uint8_t>(gf_times_alpha_u8(at[0], at[alpha])) : at[0];
}

/* W: of the weights, and of a sum. */
template <class T, class W, class U, bool weighed>
static __global__ void __launch_bounds__(GF_RESIZE_COLUMNS) gf_resize_kernel(const struct gf_resize_params p)
{
    const int64_t at = int64_t(blockIdx.x) * GF_RESIZE_COLUMNS + threadIdx.x;
    const int64_t end = p.first + p.count;
    if (at >= p.width) {
        return;
    }
    const int64_t x = at / p.channels, alpha = p.channels - 1 - (at - x * p.channels);
    for (int64_t y = p.first + blockIdx.y; y < end; y += gridDim.y) {
        const int64_t i = p.down ? y : x;
        const W *w = static_cast<const W *>(p.weights) + i * p.taps;
        const int32_t n = p.many[i] - GF_FAULT(cuda_resize_weight);
        const int64_t row = (p.down ? p.begin[i] : y) - p.in_first;
        const int64_t sample = p.down ? at : at + (p.begin[i] - x) * p.channels;
        const int64_t step = p.down ? p.in_pitch : p.channels * int64_t(sizeof(T));
        const char *from = p.in + row * p.in_pitch + sample * int64_t(sizeof(T));
        W sum = gf_resize_first(w[0], gf_resize_load<weighed, T>(from, alpha, W()));
        for (int32_t k = 1; k < n; k++) {
            sum = gf_resize_next(sum, w[k], gf_resize_load<weighed, T>(from + k * step, alpha, W()));
        }
        gf_resize_store(reinterpret_cast<U *>(p.out + (y - p.first) * p.out_pitch) + at, sum);
    }
}

template <class T, class W, class U, bool weighed = false>
static cudaError_t gf_resize_launch(const struct gf_resize_params &p, cudaStream_t stream)
{
    gf_launch launch = gf_launch_on(
        stream, dim3(gf_blocks(p.width, GF_RESIZE_COLUMNS), gf_blocks(p.count, 1)), GF_RESIZE_COLUMNS);
    launch.grid.y = launch.grid.y < GF_RESIZE_MOST_BLOCKS ? launch.grid.y : unsigned(GF_RESIZE_MOST_BLOCKS);
    return GF_LAUNCH((gf_resize_kernel<T, W, U, weighed>), launch, p);
}

/* u8, if there is a faster way; false: there is none. */
static bool gf_resize_bytes(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status)
{
    const uint64_t places = reinterpret_cast<uint64_t>(p.in) | reinterpret_cast<uint64_t>(p.out) |
                            static_cast<uint64_t>(p.in_pitch) | static_cast<uint64_t>(p.out_pitch);
    return places % 4 == 0 && (p.down ? gf_resize_down_launch(p, stream, status)
                                      : (!p.weighed && gf_resize_dot_launch(p, stream, status)) ||
                                            gf_resize_across_launch(p, stream, status));
}

/* Resizes by chains of f32, if there is a faster way; false: there is none. */
static bool gf_resize_chains(const struct gf_resize_params &p, gf_depth from, gf_depth to, bool weighed,
                             cudaStream_t stream, cudaError_t *status)
{
    const uint64_t places = reinterpret_cast<uint64_t>(p.in) | reinterpret_cast<uint64_t>(p.out) |
                            static_cast<uint64_t>(p.in_pitch) | static_cast<uint64_t>(p.out_pitch);
    return places % 16 == 0 && (p.down ? gf_resize_chain_down_launch(p, from, to, stream, status)
                                       : gf_resize_chain_across_launch(p, from, to, weighed, stream, status));
}

static cudaError_t gf_resize_depths(const struct gf_resize_params &p, gf_depth from, gf_depth to,
                                    bool weighed, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    if (from == GF_U8 ? gf_resize_bytes(p, stream, &status)
                      : gf_resize_chains(p, from, to, weighed, stream, &status)) {
        return status;
    }
    if (weighed) {
        return from == GF_U8    ? gf_resize_launch<uint8_t, int32_t, uint8_t, true>(p, stream)
               : from == GF_U16 ? gf_resize_launch<uint16_t, float, float, true>(p, stream)
                                : gf_resize_launch<float, float, float, true>(p, stream);
    }
    if (from == GF_U8) {
        return gf_resize_launch<uint8_t, int32_t, uint8_t>(p, stream);
    }
    if (from == GF_U16) {
        return to == GF_F32 ? gf_resize_launch<uint16_t, float, float>(p, stream)
                            : gf_resize_launch<uint16_t, float, uint16_t>(p, stream);
    }
    return to == GF_F32 ? gf_resize_launch<float, float, float>(p, stream)
                        : gf_resize_launch<float, float, uint16_t>(p, stream);
}

gf_status gf_resize_cuda(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *in = &run->in_values[0], *out = &run->out_values[0];
    const cudaStream_t stream = static_cast<cudaStream_t>(run->queue.stream);
    struct gf_resize_args args;
    struct gf_resize_params p = {};
    GF_ON_DEVICE(run->queue.device, error)
    gf_args_get(&run->apply->args, &args, sizeof args);
    p.in = static_cast<const char *>(run->in[0].data);
    p.out = static_cast<char *>(run->out[0].data);
    p.begin = static_cast<const int32_t *>(run->in[1].data);
    p.many = p.begin + run->in_values[1].width;
    p.weights = run->in[2].data;
    p.digits = in->depth == GF_U8 ? static_cast<const int32_t *>(run->in[3].data) : nullptr;
    p.in_pitch = run->in[0].pitch;
    p.out_pitch = run->out[0].pitch;
    p.in_first = run->in[0].rows.first;
    p.width = out->width * out->channels;
    p.first = run->out[0].rows.first;
    p.count = run->out[0].rows.count;
    p.outputs = run->in_values[1].width;
    p.in_size = in->width * in->channels * static_cast<int64_t>(gf_depth_size(in->depth));
    p.in_rows = in->height;
    p.taps = args.taps;
    p.quads = gf_resize_quads(args.taps, args.down);
    p.channels = out->channels;
    p.down = args.down;
    p.weighed = args.weighed;
    GF_TRY(gf_multiprocessors(&p.processors, error));
    GF_CUDA_TRY(error, gf_resize_depths(p, in->depth, out->depth, args.weighed != 0, stream));
    return GF_OK;
}
