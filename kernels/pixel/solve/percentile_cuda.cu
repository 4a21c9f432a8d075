/* Samples of given ranks, of counts, on the GPU: each thread looks for them in its own bins. */
#include "pixel/cuda/solve_cuda.cuh"
#include "pixel/solve/percentile.h"

struct gf_percentile_params {
    const uint64_t *counts; /* [channels][width] */
    const double *percents;
    const struct gf_pick *before; /* [channels][n], or NULL */
    const float *extremes;        /* [channels][2], or NULL */
    char *out;                    /* [channels][row_size] */
    int64_t width, row_size;
    int32_t n;
    struct gf_percentile_args args;
};

static __global__ void __launch_bounds__(GF_SOLVE_THREADS)
    gf_percentile_kernel(const struct gf_percentile_params p)
{
    GF_SHARED(uint64_t, warps, GF_SOLVE_WARPS);
    GF_SHARED(struct gf_pick, ends, 2);
    const int32_t c = static_cast<int32_t>(blockIdx.x);
    const struct gf_pick *before = p.before ? p.before + int64_t(c) * p.n : nullptr;
    const struct gf_share share = gf_solve_share(p.args.bins);
    char *out = p.out + c * p.row_size;
    for (int32_t k = 0; k < p.n && (p.args.mask >> c & 1); k++) {
        const int32_t slot =
            before ? gf_digit_slot(static_cast<uint32_t>(before[k].key), before, p.n, p.args.shift) : 0;
        const uint64_t *counts = p.counts + c * p.width + int64_t(slot) * GF_DIGIT_BINS;
        uint64_t own = 0, all = 0;
        for (int32_t i = share.first; i < share.end; i++) {
            own += counts[i];
        }
        uint64_t up_to = gf_solve_scan(own, warps, &all);
        struct gf_pick pick = before ? before[k] : gf_percentile_first(&p.args, counts, p.percents[k], all);
        const uint64_t at = pick.rest;
        if (at < all ? at < up_to || at - up_to >= own : threadIdx.x != 0) {
            continue; /* it lies in the bins of another thread, or in none, which the first one tells */
        }
        for (int32_t i = share.first; i < share.end && at < all; i++) {
            if (at + GF_FAULT(cuda_percentile_edge) < up_to + counts[i]) {
                pick.key |= gf_percentile_digit(&p.args, i);
                pick.rest = at - up_to;
                break;
            }
            up_to += counts[i];
        }
        if (p.args.makes == GF_PERCENTILE_PICK) {
            reinterpret_cast<struct gf_pick *>(out)[k] = pick;
        } else if (p.args.makes == GF_PERCENTILE_LEVEL) {
            reinterpret_cast<float *>(out)[k] = gf_percentile_level(&p.args, &pick);
        } else {
            ends[k] = pick;
        }
    }
    __syncthreads();
    if (p.args.makes == GF_PERCENTILE_RANGE && threadIdx.x == 0 && (p.args.mask >> c & 1)) {
        const struct gf_pick both[2] = {ends[0], ends[1]};
        gf_percentile_range(both, p.extremes + int64_t(c) * 2, reinterpret_cast<float *>(out));
    }
}

gf_status gf_percentile_cuda(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *out = &run->out_values[0];
    struct gf_percentile_params p = {};
    GF_ON_DEVICE(run->queue.device, error)
    gf_args_get(&run->apply->args, &p.args, sizeof p.args);
    const bool later = p.args.shift >= 0 && p.args.shift < GF_DIGIT_FIRST;
    p.counts = static_cast<const uint64_t *>(run->in[0].data);
    p.percents = static_cast<const double *>(run->in[1].data);
    p.before = later ? static_cast<const struct gf_pick *>(run->in[2].data) : nullptr;
    p.extremes = static_cast<const float *>(run->in[2].data);
    p.out = static_cast<char *>(run->out[0].data);
    p.width = run->in_values[0].width;
    p.row_size = out->width * static_cast<int64_t>(gf_depth_size(out->depth));
    p.n = static_cast<int32_t>(run->in_values[1].width);
    gf_launch launch =
        gf_launch_on(run->queue.stream, static_cast<unsigned>(out->channels), GF_SOLVE_THREADS);
    GF_CUDA_TRY(error, cudaMemsetAsync(p.out, 0, static_cast<size_t>(out->channels * p.row_size),
                                       launch.stream)); /* channels outside the mask */
    GF_CUDA_TRY(error, GF_LAUNCH(gf_percentile_kernel, launch, p));
    return GF_OK;
}
