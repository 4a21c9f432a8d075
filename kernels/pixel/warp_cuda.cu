/* "warp" on the GPU: a thread makes a pixel. Threads of a block lie in a square, so that what they gather
 * does, whatever the matrix turns, and the nearest cache serves it. */
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"
#include "pixel/warp.h"

enum { GF_WARP_X = 32, GF_WARP_Y = 8, GF_WARP_MOST_BLOCKS = 32768 };

struct gf_warp_params {
    struct gf_warp_args args;
    const char *in; /* row 0 */
    char *out;      /* row `first` */
    const float *table;
    int64_t in_pitch, out_pitch, in_width, in_height, width, first, count;
};

GF_DEVICE_FN void gf_warp_store(uint8_t *to, float v)
{
    *to = gf_quantise_u8(v);
}
GF_DEVICE_FN void gf_warp_store(uint16_t *to, float v)
{
    *to = gf_quantise_u16(v);
}
GF_DEVICE_FN void gf_warp_store(float *to, float v)
{
    *to = gf_canonical(v);
}

template <class T, int C, int FILTER>
GF_DEVICE_FN void gf_warp_pixel(const struct gf_warp_params &p, double u, double v, float (&sum)[C])
{
    const int taps = FILTER == GF_WARP_NEAREST  ? 1
                     : FILTER == GF_WARP_LINEAR ? 2
                     : FILTER == GF_WARP_CUBIC  ? 4
                                                : int(GF_WARP_TAPS);
    float across[taps], down[taps];
    int64_t column[taps];
    const int64_t x = gf_warp_weights(FILTER, p.table, u, across);
    const int64_t y = gf_warp_weights(FILTER, p.table, v, down);
    GF_UNROLL
    for (int i = 0; i < taps; i++) {
        column[i] = gf_border_index(x + i, p.in_width, p.args.border);
    }
    GF_UNROLL
    for (int j = 0; j < taps; j++) {
        const int64_t at = gf_border_index(y + j, p.in_height, p.args.border);
        const T *row = reinterpret_cast<const T *>(p.in + at * p.in_pitch);
        float line[C] = {};
        GF_UNROLL
        for (int i = 0; i < taps; i++) {
            GF_UNROLL
            for (int c = 0; c < C; c++) {
                const float sample =
                    at < 0 || column[i] < 0 ? p.args.fill[c] : static_cast<float>(row[column[i] * C + c]);
                line[c] = i == 0 ? across[0] * sample : gf_fma(across[i], sample, line[c]);
            }
        }
        const float w = down[GF_FAULT(cuda_warp_row) ? taps - 1 - j : j];
        GF_UNROLL
        for (int c = 0; c < C; c++) {
            sum[c] = j == 0 ? w * line[c] : gf_fma(w, line[c], sum[c]);
        }
    }
}

template <class T, int C, int FILTER>
static __global__ void __launch_bounds__(GF_WARP_X *GF_WARP_Y) gf_warp_kernel(const struct gf_warp_params p)
{
    const int64_t x = int64_t(blockIdx.x) * GF_WARP_X + threadIdx.x, end = p.first + p.count;
    if (x >= p.width) {
        return;
    }
    for (int64_t y = p.first + int64_t(blockIdx.y) * GF_WARP_Y + threadIdx.y; y < end;
         y += int64_t(gridDim.y) * GF_WARP_Y) {
        double u, v;
        float sum[C];
        GF_UNROLL
        for (int c = 0; c < C; c++) {
            sum[c] = p.args.fill[c];
        }
        if (gf_warp_place(&p.args, static_cast<double>(x), static_cast<double>(y), &u, &v)) {
            gf_warp_pixel<T, C, FILTER>(p, u, v, sum);
        }
        T *to = reinterpret_cast<T *>(p.out + (y - p.first) * p.out_pitch) + x * C;
        GF_UNROLL
        for (int c = 0; c < C; c++) {
            gf_warp_store(to + c, sum[c]);
        }
    }
}

template <class T, int C>
static cudaError_t gf_warp_launch(const struct gf_warp_params &p, cudaStream_t stream)
{
    struct gf_launch launch = {};
    launch.stream = stream;
    launch.block = dim3(GF_WARP_X, GF_WARP_Y);
    const unsigned blocks = gf_blocks(p.count, GF_WARP_Y);
    launch.grid = dim3(gf_blocks(p.width, GF_WARP_X),
                       blocks < GF_WARP_MOST_BLOCKS ? blocks : unsigned(GF_WARP_MOST_BLOCKS));
    switch (p.args.filter) {
    case GF_WARP_NEAREST:
        return GF_LAUNCH((gf_warp_kernel<T, C, GF_WARP_NEAREST>), launch, p);
    case GF_WARP_LINEAR:
        return GF_LAUNCH((gf_warp_kernel<T, C, GF_WARP_LINEAR>), launch, p);
    case GF_WARP_CUBIC:
        return GF_LAUNCH((gf_warp_kernel<T, C, GF_WARP_CUBIC>), launch, p);
    default:
        return GF_LAUNCH((gf_warp_kernel<T, C, GF_WARP_LANCZOS>), launch, p);
    }
}

template <class T>
static cudaError_t gf_warp_channels(const struct gf_warp_params &p, int32_t channels, cudaStream_t stream)
{
    return channels == 1   ? gf_warp_launch<T, 1>(p, stream)
           : channels == 2 ? gf_warp_launch<T, 2>(p, stream)
           : channels == 3 ? gf_warp_launch<T, 3>(p, stream)
                           : gf_warp_launch<T, 4>(p, stream);
}

gf_status gf_warp_cuda(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *in = &run->in_values[0];
    const cudaStream_t stream = static_cast<cudaStream_t>(run->queue.stream);
    struct gf_warp_params p = {};
    GF_ON_DEVICE(run->queue.device, error)
    gf_args_get(&run->apply->args, &p.args, sizeof p.args);
    p.in = static_cast<const char *>(run->in[0].data);
    p.out = static_cast<char *>(run->out[0].data);
    p.table = p.args.filter == GF_WARP_LANCZOS ? static_cast<const float *>(run->in[1].data) : nullptr;
    p.in_pitch = run->in[0].pitch;
    p.out_pitch = run->out[0].pitch;
    p.in_width = in->width;
    p.in_height = in->height;
    p.width = run->out_values[0].width;
    p.first = run->out[0].rows.first;
    p.count = run->out[0].rows.count;
    GF_CUDA_TRY(error, in->depth == GF_U8    ? gf_warp_channels<uint8_t>(p, in->channels, stream)
                       : in->depth == GF_U16 ? gf_warp_channels<uint16_t>(p, in->channels, stream)
                                             : gf_warp_channels<float>(p, in->channels, stream));
    return GF_OK;
}
