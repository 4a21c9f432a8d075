/* Several levels of counts on the GPU: a thread a group, which tries every beginning of the class that it
 * ends. */
#include "pixel/cuda/solve_cuda.cuh"
#include "pixel/solve/classes.h"

struct gf_classes_params {
    const uint64_t *counts; /* [channels][width] */
    const float *range;     /* [channels][2], or NULL */
    float *levels;          /* [channels][classes - 1] */
    void *table;            /* [channels][bins] */
    int64_t width;
    gf_depth depth;
    struct gf_classes_args args;
};

static_assert(static_cast<int>(GF_CLASSES_GROUPS) == static_cast<int>(GF_SOLVE_THREADS), "a thread a group");

/* The bins that groups share. ends: 2 elements of shared memory. All threads call it. */
GF_DEVICE_FN struct gf_classes_span gf_classes_span_of(const uint64_t *counts, int32_t bins, int32_t *ends)
{
    const struct gf_share share = gf_solve_share(bins);
    if (threadIdx.x == 0) {
        ends[0] = bins > GF_CLASSES_GROUPS ? bins - 1 : 0;
        ends[1] = bins > GF_CLASSES_GROUPS ? 0 : bins - 1;
    }
    __syncthreads();
    int32_t least = bins, greatest = -1;
    for (int32_t i = share.first; i < share.end && bins > GF_CLASSES_GROUPS; i++) {
        if (counts[i]) {
            least = i < least ? i : least;
            greatest = i;
        }
    }
    if (greatest >= 0) {
        gf_atomic_min(&ends[0], least);
        gf_atomic_max(&ends[1], greatest);
    }
    __syncthreads();
    /* nothing counted: the CPU's search stops at the last bin */
    const int32_t first = ends[0] <= ends[1] ? ends[0] : bins - 1;
    const int32_t last = ends[0] <= ends[1] ? ends[1] : bins - 1;
    return {first, last - first + 1};
}

GF_DEVICE_FN void gf_classes_store(const struct gf_classes_params &p, int64_t at, float v)
{
    if (p.depth == GF_U8) {
        static_cast<uint8_t *>(p.table)[at] = static_cast<uint8_t>(v);
    } else if (p.depth == GF_U16) {
        static_cast<uint16_t *>(p.table)[at] = static_cast<uint16_t>(v);
    } else {
        static_cast<float *>(p.table)[at] = v;
    }
}

static __global__ void __launch_bounds__(GF_SOLVE_THREADS) gf_classes_kernel(const struct gf_classes_params p)
{
    GF_SHARED(uint64_t, warps, GF_SOLVE_WARPS);
    GF_SHARED(uint64_t, n, GF_CLASSES_GROUPS + 1);
    GF_SHARED(uint64_t, s, GF_CLASSES_GROUPS + 1);
    GF_SHARED(double, best, 2 * GF_CLASSES_GROUPS);
    GF_SHARED(uint8_t, from, GF_CLASSES_MOST * GF_CLASSES_GROUPS);
    GF_SHARED(int32_t, ends, GF_CLASSES_MOST);
    const int32_t c = static_cast<int32_t>(blockIdx.x), t = static_cast<int32_t>(threadIdx.x);
    const int32_t classes = p.args.classes, bins = p.args.bins;
    const uint64_t *counts = p.counts + c * p.width;
    const float *range = p.range ? p.range + int64_t(c) * 2 : nullptr;
    const bool solved = (p.args.mask >> c & 1) != 0;
    const struct gf_classes_span span = gf_classes_span_of(counts, bins, ends);
    uint64_t own_n = 0, own_s = 0, all = 0;
    const int32_t end = gf_classes_begin(span, t + 1 + GF_FAULT(cuda_classes_carry));
    for (int32_t i = gf_classes_begin(span, t); i < end && i < bins; i++) {
        own_n += gf_count_at(counts, i, p.args.bins);
        own_s += gf_count_at(counts, i, p.args.bins) * static_cast<uint64_t>(i);
    }
    n[t] = gf_solve_scan(own_n, warps, &all);
    s[t] = gf_solve_scan(own_s, warps, &all);
    if (t == GF_CLASSES_GROUPS - 1) {
        n[t + 1] = n[t] + own_n;
        s[t + 1] = s[t] + own_s;
    }
    __syncthreads();
    best[t] = gf_classes_score(n[t + 1], s[t + 1]);
    for (int32_t k = 1; k < classes; k++) {
        __syncthreads();
        const double *before = best + (k - 1) % 2 * GF_CLASSES_GROUPS;
        double greatest = -1.0;
        int32_t at = 0;
        for (int32_t i = k; i <= t; i++) {
            const double score = before[i - 1] + gf_classes_score(n[t + 1] - n[i], s[t + 1] - s[i]);
            if (gf_classes_better(score, greatest)) {
                greatest = score;
                at = i - 1;
            }
        }
        best[k % 2 * GF_CLASSES_GROUPS + t] = greatest;
        from[k * GF_CLASSES_GROUPS + t] = static_cast<uint8_t>(at);
    }
    __syncthreads();
    if (t == 0) {
        for (int32_t k = classes - 1, group = GF_CLASSES_GROUPS - 1; k > 0; k--) {
            group = from[k * GF_CLASSES_GROUPS + group];
            ends[k - 1] = gf_classes_begin(span, group + 1);
        }
        ends[classes - 1] = bins;
    }
    __syncthreads();
    if (t < classes - 1) {
        p.levels[c * (classes - 1) + t] = solved ? gf_classes_level(range, ends[t] - 1, bins) : 0.0F;
    }
    for (int32_t i = t; i < bins; i += GF_SOLVE_THREADS) {
        int32_t k = 0;
        while (i >= ends[k]) {
            k++;
        }
        const float shade = gf_classes_shade(k, classes, p.args.white, p.depth != GF_F32);
        gf_classes_store(p, int64_t(c) * bins + i, solved ? shade : 0.0F);
    }
}

gf_status gf_classes_cuda(const struct gf_apply_run *run, gf_error *error)
{
    struct gf_classes_params p = {};
    GF_ON_DEVICE(run->queue.device, error)
    gf_args_get(&run->apply->args, &p.args, sizeof p.args);
    p.counts = static_cast<const uint64_t *>(run->in[0].data);
    p.range = static_cast<const float *>(run->in[1].data);
    p.levels = static_cast<float *>(run->out[0].data);
    p.table = run->out[1].data;
    p.width = run->in_values[0].width;
    p.depth = run->out_values[1].depth;
    gf_launch launch =
        gf_launch_on(run->queue.stream, static_cast<unsigned>(run->out_values[0].channels), GF_SOLVE_THREADS);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_classes_kernel, launch, p));
    return GF_OK;
}
