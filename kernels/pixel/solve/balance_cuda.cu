/* Factors of colours on the GPU: a thread for each channel. */
#include "pixel/cuda/solve_cuda.cuh"
#include "pixel/solve/balance.h"

struct gf_balance_params {
    const void *block;
    float *out; /* [channels] */
    int64_t width;
    int32_t channels;
    struct gf_balance_args args;
};

static __global__ void __launch_bounds__(GF_WARP) gf_balance_kernel(const struct gf_balance_params p)
{
    const int32_t c = static_cast<int32_t>(threadIdx.x);
    if (c < p.channels) {
        p.out[c] = gf_balance_of(&p.args, p.block, p.width, p.channels, c);
    }
}

gf_status gf_balance_cuda(const struct gf_apply_run *run, gf_error *error)
{
    struct gf_balance_params p = {};
    GF_ON_DEVICE(run->queue.device, error)
    gf_args_get(&run->apply->args, &p.args, sizeof p.args);
    p.block = run->in[0].data;
    p.out = static_cast<float *>(run->out[0].data);
    p.width = run->in_values[0].width;
    p.channels = run->out_values[0].channels;
    gf_launch launch = gf_launch_on(run->queue.stream, 1, GF_WARP);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_balance_kernel, launch, p));
    return GF_OK;
}
