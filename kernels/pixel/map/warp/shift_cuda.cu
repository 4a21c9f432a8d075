/* "shift" on the GPU: a thread finds the shift, which only the device then knows; then a thread a column
 * takes the rows whose turn it is. */
#include "array/common/grid_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/cuda/sample_cuda.cuh"
#include "pixel/map/warp/shift.h"

enum { GF_SHIFT_THREADS = 256, GF_SHIFT_MOST_ROWS = 32768, GF_SHIFT_TAPS = 4 };

struct gf_shift_params {
    struct gf_shift_votes votes;
    const struct gf_stats_block *stats;
    double *found;
    struct gf_warp_args args;
    const char *in;
    char *out;
    int64_t in_pitch, out_pitch, width, height;
    int32_t channels;
};

static __global__ void gf_shift_place(const struct gf_shift_params p)
{
    gf_shift_find(&p.votes, p.stats->at_greatest, p.found);
}

template <class T>
GF_DEVICE_FN float gf_shift_sample(const struct gf_shift_params &p, int64_t x, int64_t y, int32_t c)
{
    const int64_t column = gf_border_index(x, p.width, p.args.border),
                  row = gf_border_index(y, p.height, p.args.border);
    return column < 0 || row < 0
               ? p.args.fill[c]
               : static_cast<float>(
                     reinterpret_cast<const T *>(p.in + row * p.in_pitch)[column * p.channels + c]);
}

template <class T>
static __global__ void __launch_bounds__(GF_SHIFT_THREADS) gf_shift_move(const struct gf_shift_params p)
{
    const int64_t x = int64_t(blockIdx.x) * GF_SHIFT_THREADS + threadIdx.x;
    const int taps = gf_warp_taps(p.args.filter);
    const double u = static_cast<double>(x) + -p.found[0];
    float across[GF_SHIFT_TAPS], down[GF_SHIFT_TAPS];
    const int32_t left = gf_warp_weights(p.args.filter, nullptr, u, across);
    for (int64_t y = blockIdx.y; x < p.width && y < p.height; y += gridDim.y) {
        const double v = static_cast<double>(y) + (GF_FAULT(cuda_shift_down) ? p.found[1] : -p.found[1]);
        const int32_t top = gf_warp_weights(p.args.filter, nullptr, v, down);
        T *to = reinterpret_cast<T *>(p.out + y * p.out_pitch) + x * p.channels;
        for (int32_t c = 0; c < p.channels; c++) {
            float sum = 0.0F;
            for (int j = 0; j < taps; j++) {
                float line = across[0] * gf_shift_sample<T>(p, left, int64_t(top) + j, c);
                for (int i = 1; i < taps; i++) {
                    line = gf_fma(across[i], gf_shift_sample<T>(p, int64_t(left) + i, int64_t(top) + j, c),
                                  line);
                }
                sum = j == 0 ? down[0] * line : gf_fma(down[j], line, sum);
            }
            gf_sample_put(to + c, sum);
        }
    }
}

gf_status gf_shift_cuda(const struct gf_apply_run *run, gf_error *error)
{
    struct gf_shift_args args;
    struct gf_shift_params p = {};
    struct gf_launch launch = {};
    GF_ON_DEVICE(run->queue.device, error)
    gf_args_get(&run->apply->args, &args, sizeof args);
    p.votes = {static_cast<const char *>(run->in[0].data), run->in[0].pitch, run->in_values[0].width,
               run->in_values[0].height};
    p.stats = static_cast<const struct gf_stats_block *>(run->in[1].data);
    p.found = static_cast<double *>(run->out[0].data);
    p.args = args.warp;
    launch.stream = static_cast<cudaStream_t>(run->queue.stream);
    launch.block = launch.grid = dim3(1);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_shift_place, launch, p));
    if (run->apply->in[2] == GF_NONE || !run->out[1].data) {
        return GF_OK;
    }
    p.in = static_cast<const char *>(run->in[2].data);
    p.out = static_cast<char *>(run->out[1].data);
    p.in_pitch = run->in[2].pitch;
    p.out_pitch = run->out[1].pitch;
    p.width = run->in_values[2].width;
    p.height = run->in_values[2].height;
    p.channels = run->in_values[2].channels;
    launch.block = dim3(GF_SHIFT_THREADS);
    launch.grid = dim3(gf_blocks(p.width, GF_SHIFT_THREADS),
                       static_cast<unsigned>(p.height < GF_SHIFT_MOST_ROWS ? p.height : GF_SHIFT_MOST_ROWS));
    return gf_dispatch_sample(run->in_values[2].depth, error, [&](auto tag) -> gf_status {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_shift_move<typename decltype(tag)::type>), launch, p));
        return GF_OK;
    });
}
