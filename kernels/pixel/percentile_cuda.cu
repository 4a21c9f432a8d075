/* Percentiles of counts on the GPU: each thread looks for the samples in its own bins. */
#include "pixel/percentile.h"
#include "pixel/solve_cuda.cuh"

struct gf_percentile_params {
    const uint64_t *counts; /* [channels][width] */
    const float *range;     /* [channels][2], or NULL */
    float *out;             /* [channels][2] */
    int64_t width;
    struct gf_percentile_args args;
};

static __global__ void __launch_bounds__(GF_SOLVE_THREADS)
    gf_percentile_kernel(const struct gf_percentile_params p)
{
    GF_SHARED(uint64_t, warps, GF_SOLVE_WARPS);
    const int32_t c = static_cast<int32_t>(blockIdx.x);
    const uint64_t *counts = p.counts + c * p.width;
    const float *range = p.range ? p.range + int64_t(c) * 2 : nullptr;
    const struct gf_share share = gf_solve_share(p.args.bins);
    uint64_t own = 0, inside = 0;
    for (int32_t i = share.first; i < share.end; i++) {
        own += counts[i];
    }
    const uint64_t before = gf_solve_scan(own, warps, &inside);
    const bool solved = (p.args.mask >> c & 1) && inside > 0;
    if (threadIdx.x < 2 && !solved) {
        p.out[2 * c + threadIdx.x] = 0.0F;
    }
    for (int32_t k = 0; k < 2 && solved; k++) {
        const uint64_t below = counts[p.args.bins], above = counts[p.args.bins + 1];
        uint64_t index = gf_percentile_index(p.args.percent[k], below + inside + above);
        index = index < below ? 0 : index - below < inside ? index - below : inside - 1;
        uint64_t up_to = before;
        if (index < before || index - before >= own) {
            continue; /* it lies in the bins of another thread */
        }
        for (int32_t i = share.first; i < share.end; i++) {
            up_to += counts[i];
            if (index + GF_FAULT(cuda_percentile_edge) < up_to) {
                p.out[2 * c + k] = gf_percentile_sample(range, i, p.args.bins, index, inside);
                break;
            }
        }
    }
}

gf_status gf_percentile_cuda(const struct gf_apply_run *run, gf_error *error)
{
    struct gf_percentile_params p = {};
    GF_ON_DEVICE(run->queue.device, error)
    gf_args_get(&run->apply->args, &p.args, sizeof p.args);
    p.counts = static_cast<const uint64_t *>(run->in[0].data);
    p.range = static_cast<const float *>(run->in[1].data);
    p.out = static_cast<float *>(run->out[0].data);
    p.width = run->in_values[0].width;
    struct gf_launch launch = {};
    launch.block = dim3(GF_SOLVE_THREADS);
    launch.grid = dim3(static_cast<unsigned>(run->out_values[0].channels));
    launch.stream = static_cast<cudaStream_t>(run->queue.stream);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_percentile_kernel, launch, p));
    return GF_OK;
}
