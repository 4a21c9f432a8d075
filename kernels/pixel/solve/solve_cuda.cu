/* The solvers on the GPU: one block a channel, so that no result crosses the bus and no thread walks alone
 * through all bins. Formulas and ties: solve.h. */
#include "pixel/cuda/solve_cuda.cuh"

struct gf_solve_params {
    const uint64_t *counts; /* [channels][width] */
    const float *range;     /* [channels][2], or NULL */
    void *out;
    int64_t width, out_width;
    int32_t bins, mask;
    float white;
    gf_depth depth; /* of out */
};

static __global__ void __launch_bounds__(GF_SOLVE_THREADS) gf_otsu_kernel(const struct gf_solve_params s)
{
    GF_SHARED(uint64_t, warps, GF_SOLVE_WARPS);
    GF_SHARED(struct gf_otsu, scores, GF_SOLVE_THREADS);
    GF_SHARED(int32_t, bins, GF_SOLVE_THREADS);
    const int32_t c = static_cast<int32_t>(blockIdx.x);
    const uint64_t *counts = s.counts + c * s.width;
    const struct gf_share share = gf_solve_share(s.bins);
    float *level = static_cast<float *>(s.out) + c * s.out_width;
    uint64_t n0 = 0, s0 = 0, n = 0, sum = 0;
    if (!(s.mask >> c & 1)) {
        if (threadIdx.x == 0) {
            *level = 0.0F;
        }
        return;
    }
    for (int32_t i = share.first; i < share.end; i++) {
        n0 += gf_count_at(counts, i, s.bins);
        s0 += static_cast<uint64_t>(i) * gf_count_at(counts, i, s.bins);
    }
    n0 = gf_solve_scan(n0, warps, &n);
    s0 = gf_solve_scan(s0, warps, &sum);
    struct gf_otsu greatest = {0, 0, 0.0};
    int32_t best = 0;
    for (int32_t i = share.first; i < share.end; i++) {
        const uint64_t count = gf_count_at(counts, i, s.bins);
        n0 += count;
        s0 += static_cast<uint64_t>(i) * count;
        const struct gf_otsu score = gf_otsu_make(n0, s0, n, sum);
        if (count && gf_otsu_compare(&score, &greatest) > 0) {
            greatest = score;
            best = i;
        }
    }
    scores[threadIdx.x] = greatest;
    bins[threadIdx.x] = best;
    for (unsigned half = GF_SOLVE_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            const int order = gf_otsu_compare(&scores[threadIdx.x + half], &scores[threadIdx.x]);
            const int32_t at = bins[threadIdx.x + half];
            if (order > 0 || (order == 0 && (at < bins[threadIdx.x]) != GF_FAULT(cuda_otsu_tie))) {
                scores[threadIdx.x] = scores[threadIdx.x + half];
                bins[threadIdx.x] = at;
            }
        }
    }
    if (threadIdx.x == 0) {
        *level = s.range ? gf_bin_middle(s.range[2 * c], s.range[2 * c + 1], bins[0], s.bins)
                         : static_cast<float>(bins[0]);
    }
}

/* Entry i of the table of a channel. */
GF_DEVICE_FN void gf_equalize_store(const struct gf_solve_params &s, int64_t at, int32_t i, uint64_t cdf,
                                    uint64_t first, uint64_t n, float only)
{
    if (s.depth == GF_F32) {
        static_cast<float *>(s.out)[at] = n > first ? gf_equalize_f(cdf, first, n, s.white) : only;
        return;
    }
    const uint64_t entry =
        n > first ? gf_equalize_u(cdf, first, n, static_cast<uint64_t>(s.white)) : static_cast<uint64_t>(i);
    if (s.depth == GF_U8) {
        static_cast<uint8_t *>(s.out)[at] = static_cast<uint8_t>(entry);
    } else {
        static_cast<uint16_t *>(s.out)[at] = static_cast<uint16_t>(entry);
    }
}

static __global__ void __launch_bounds__(GF_SOLVE_THREADS) gf_equalize_kernel(const struct gf_solve_params s)
{
    GF_SHARED(uint64_t, warps, GF_SOLVE_WARPS);
    GF_SHARED(int32_t, lowest, 1);
    const int32_t c = static_cast<int32_t>(blockIdx.x);
    const uint64_t *counts = s.counts + c * s.width;
    const struct gf_share share = gf_solve_share(s.bins);
    uint64_t cdf = 0, n = 0;
    int32_t used = s.bins;
    if (threadIdx.x == 0) {
        *lowest = s.bins;
    }
    for (int32_t i = share.first; i < share.end; i++) {
        cdf += gf_count_at(counts, i, s.bins);
        used = gf_count_at(counts, i, s.bins) != 0 && i < used ? i : used;
    }
    cdf = gf_solve_scan(cdf, warps, &n); /* its barriers also stand between the two uses of lowest */
    if (used < s.bins) {
        gf_atomic_min(lowest, used);
    }
    __syncthreads();
    const uint64_t first = *lowest < s.bins ? gf_count_at(counts, *lowest, s.bins) : 0;
    const float only = s.range ? s.range[2 * c] : 0.0F;
    for (int32_t i = share.first; (s.mask >> c & 1) && i < share.end; i++) {
        cdf += gf_count_at(counts, i, s.bins);
        gf_equalize_store(s, c * s.out_width + i, i, cdf, first, n, only);
    }
}

static gf_status gf_solve_params_make(const struct gf_apply_run *run, struct gf_solve_params *s,
                                      gf_error *error)
{
    struct gf_solve_args args;
    gf_args_get(&run->apply->args, &args, sizeof args);
    if (args.bins < 1 || run->in_values[0].width < args.bins + 3 || run->in_values[0].depth != GF_U64) {
        return gf_fail(error, GF_ERROR_INTERNAL, "%s: counts do not have %d bins", run->apply->kernel->name,
                       static_cast<int>(args.bins));
    }
    *s = gf_solve_params();
    s->counts = static_cast<const uint64_t *>(run->in[0].data);
    s->range = static_cast<const float *>(run->in[1].data);
    s->out = run->out[0].data;
    s->width = run->in_values[0].width;
    s->out_width = run->out_values[0].width;
    s->bins = args.bins;
    s->mask = static_cast<uint8_t>(args.mask);
    s->white = args.white;
    s->depth = run->out_values[0].depth;
    return GF_OK;
}

/* A block of threads for each channel. */
static struct gf_launch gf_solve_launch(const struct gf_apply_run *run)
{
    gf_launch launch =
        gf_launch_on(run->queue.stream, static_cast<unsigned>(run->out_values[0].channels), GF_SOLVE_THREADS);
    return launch;
}

gf_status gf_otsu_cuda(const struct gf_apply_run *run, gf_error *error)
{
    struct gf_solve_params s = {};
    GF_ON_DEVICE(run->queue.device, error)
    GF_TRY(gf_solve_params_make(run, &s, error));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_otsu_kernel, gf_solve_launch(run), s));
    return GF_OK;
}

gf_status gf_equalize_cuda(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *out = &run->out_values[0];
    const struct gf_launch launch = gf_solve_launch(run);
    struct gf_solve_params s = {};
    GF_ON_DEVICE(run->queue.device, error)
    GF_TRY(gf_solve_params_make(run, &s, error));
    const size_t bytes = static_cast<size_t>(out->channels * out->width) * gf_depth_size(out->depth);
    GF_CUDA_TRY(error, cudaMemsetAsync(s.out, 0, bytes, launch.stream)); /* channels outside the mask */
    GF_CUDA_TRY(error, GF_LAUNCH(gf_equalize_kernel, launch, s));
    return GF_OK;
}
