/* "shift" on the GPU: a thread finds the shift, which only the device then knows; then a thread a column
 * takes the rows whose turn it is. */
#include "array/common/grid_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"
#include "pixel/cuda/sample_cuda.cuh"
#include "pixel/map/warp/shift.h"

enum { GF_SHIFT_THREADS = 256, GF_SHIFT_MOST_ROWS = 32768, GF_SHIFT_TAPS = 4 };

struct gf_shift_params {
    struct gf_plane votes, in, out;
    struct gf_value votes_value, value; /* value: of in and out */
    const struct gf_stats_block *stats;
    double *found;
    struct gf_warp_args args;
};

static __global__ void gf_shift_place(const struct gf_shift_params p)
{
    gf_shift_find(&p.votes, &p.votes_value, p.stats->at_greatest, p.found);
}

GF_DEVICE_FN float gf_shift_sample(const struct gf_shift_params &p, int64_t x, int64_t y, int32_t c)
{
    const int64_t column = gf_border_index(x, p.value.width, p.args.border);
    const int64_t row = gf_border_index(y, p.value.height, p.args.border);
    return column < 0 || row < 0 ? p.args.fill[c]
                                 : gf_sample_load(static_cast<const char *>(p.in.data) + row * p.in.pitch,
                                                  p.value.depth, column * p.value.channels + c);
}

static __global__ void __launch_bounds__(GF_SHIFT_THREADS) gf_shift_move(const struct gf_shift_params p)
{
    const int64_t x = int64_t(blockIdx.x) * GF_SHIFT_THREADS + threadIdx.x;
    const int taps = gf_warp_taps(p.args.filter);
    float across[GF_SHIFT_TAPS], down[GF_SHIFT_TAPS];
    const int64_t left = gf_warp_weights(p.args.filter, nullptr, static_cast<double>(x) - p.found[0], across);
    for (int64_t y = blockIdx.y; x < p.value.width && y < p.value.height; y += gridDim.y) {
        const double v = static_cast<double>(y) + (GF_FAULT(cuda_shift_down) ? p.found[1] : -p.found[1]);
        const int64_t top = gf_warp_weights(p.args.filter, nullptr, v, down);
        for (int32_t c = 0; c < p.value.channels; c++) {
            float sum = 0.0F;
            for (int j = 0; j < taps; j++) {
                float line = across[0] * gf_shift_sample(p, left, top + j, c);
                for (int i = 1; i < taps; i++) {
                    line = gf_fma(across[i], gf_shift_sample(p, left + i, top + j, c), line);
                }
                sum = j == 0 ? down[0] * line : gf_fma(down[j], line, sum);
            }
            gf_sample_store(static_cast<char *>(p.out.data) + y * p.out.pitch, p.value.depth,
                            x * p.value.channels + c, sum);
        }
    }
}

gf_status gf_shift_cuda(const struct gf_apply_run *run, gf_error *error)
{
    struct gf_shift_params p = {};
    struct gf_launch launch = {};
    GF_ON_DEVICE(run->queue.device, error)
    gf_args_get(&run->apply->args, &p.args, sizeof p.args);
    p.votes = run->in[0];
    p.in = run->in[2];
    p.out = run->out[1];
    p.votes_value = run->in_values[0];
    p.value = run->in_values[2];
    p.stats = static_cast<const struct gf_stats_block *>(run->in[1].data);
    p.found = static_cast<double *>(run->out[0].data);
    launch.stream = static_cast<cudaStream_t>(run->queue.stream);
    launch.block = launch.grid = dim3(1);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_shift_place, launch, p));
    if (!run->out[1].data) {
        return GF_OK;
    }
    launch.block = dim3(GF_SHIFT_THREADS);
    const unsigned rows = gf_blocks(p.value.height, 1), most = GF_SHIFT_MOST_ROWS;
    launch.grid = dim3(gf_blocks(p.value.width, GF_SHIFT_THREADS), rows < most ? rows : most);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_shift_move, launch, p));
    return GF_OK;
}
