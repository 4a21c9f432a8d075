/* Counting and merging that several kernels with taps share. */
#ifndef GF_PIXEL_TAP_CUDA_CUH
#define GF_PIXEL_TAP_CUDA_CUH

#include "pixel/cuda/program_cuda.cuh"

enum { GF_TAP_THREADS = 256, GF_TAP_BLOCKS = 1056 };

/* Blocks that take pieces of rows in turns. */
static inline struct gf_launch gf_tap_grid(const struct gf_run *run)
{
    const int64_t pieces = (run->pass->width + GF_TAP_THREADS - 1) / GF_TAP_THREADS * run->pass->height;
    gf_launch launch =
        gf_launch_on(gf_run_stream(run),
                     gf_blocks(pieces < GF_TAP_BLOCKS ? pieces : int64_t(GF_TAP_BLOCKS), 1), GF_TAP_THREADS);
    return launch;
}

static inline struct gf_rect gf_tap_roi(const struct gf_pass *pass, const struct gf_tap *tap)
{
    struct gf_rect whole = {0, 0, 0, 0};
    return tap->roi == GF_NONE ? whole : pass->rois[tap->roi];
}

/* A HIST tap as its kernels see it. A row of counts is bins, below, above, nan. */
struct gf_hist_params {
    uint64_t *counts;   /* [channels][bins + 3] */
    const float *range; /* [channels][2], or picks where hi < lo (digit.h), or NULL */
    struct gf_rect roi;
    int32_t bins, mask;
    float lo, hi;
};

struct gf_hist_params gf_hist_params_make(const struct gf_run *run, int32_t tap); /* hist_cuda.cu */

/* The element of a row of counts that v belongs to; scale: gf_range_scale, for f32. */
GF_DEVICE_FN int32_t gf_hist_slot(gf_depth depth, const struct gf_hist_params &h, float lo, float scale,
                                  float v)
{
    if (depth != GF_F32) {
        return static_cast<int32_t>(v);
    }
    const int32_t bin = gf_range_bin(v, lo, scale, h.bins);
    return bin >= 0 ? bin : bin == GF_BIN_BELOW ? h.bins : bin == GF_BIN_ABOVE ? h.bins + 1 : h.bins + 2;
}

/* Adds the counts of a block, kept in shared memory, to those of the picture. All threads call it. */
GF_DEVICE_FN void gf_hist_flush(const uint32_t *shared, int32_t n, uint64_t *counts)
{
    for (int32_t i = static_cast<int32_t>(gf_thread()); i < n; i += static_cast<int32_t>(blockDim.x)) {
        if (shared[i] != 0) {
            gf_atomic_add(&counts[i], static_cast<uint64_t>(shared[i]));
        }
    }
}

/* Statistics of some samples of one channel; the extremes as keys in the order of gf_float_key, position -1
 * when there is none. Merging is associative and commutative: the tree does not show. */
struct gf_measure {
    uint64_t count, nan, sum, square;
    int64_t at_least, at_greatest;
    uint32_t least, greatest;
};

GF_DEVICE_FN void gf_measure_least(struct gf_measure &m, uint32_t key, int64_t at)
{
    const bool better = at >= 0 && (m.at_least < 0 || key < m.least || (key == m.least && at < m.at_least));
    m.least = better ? key : m.least;
    m.at_least = better ? at : m.at_least;
}

GF_DEVICE_FN void gf_measure_greatest(struct gf_measure &m, uint32_t key, int64_t at)
{
    const bool better =
        at >= 0 && (m.at_greatest < 0 || key > m.greatest || (key == m.greatest && at < m.at_greatest));
    m.greatest = better ? key : m.greatest;
    m.at_greatest = better ? at : m.at_greatest;
}

GF_DEVICE_FN void gf_measure_merge(struct gf_measure &m, const struct gf_measure &other)
{
    m.count += other.count;
    m.nan += other.nan;
    m.sum += other.sum;
    m.square += other.square;
    gf_measure_least(m, other.least, other.at_least);
    gf_measure_greatest(m, other.greatest, other.at_greatest);
}

GF_DEVICE_FN struct gf_measure gf_measure_none()
{
    const struct gf_measure none = {0, 0, 0, 0, -1, -1, 0, 0};
    return none;
}

/* Folds all[0 .. n), n a power of two and the number of threads, into all[0]. All threads call it. */
GF_DEVICE_FN void gf_measure_fold(struct gf_measure *all, unsigned n)
{
    for (unsigned half = n / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            gf_measure_merge(all[threadIdx.x], all[threadIdx.x + half]);
        }
    }
    __syncthreads();
}

#endif
