/* Medians of K x K, 5 to 15, by networks that neighbouring windows share.
 *
 * A block owns a strip of a channel and marches down a segment, two rows at a time. First each thread sorts
 * two columns of the strip and its halo: the K - 1 samples that both rows see once, and one more for each
 * row. The sorted columns lie in shared memory. Then a thread makes the medians of four windows side by side
 * in a row (gf_median_four): the K - 3 columns that the four see are merged once, and what can be no window's
 * median any more is dropped. Words of two samples hold those of the strip's left and right halves.
 *
 * A column's samples stay in registers from step to step, so a sample is loaded once; the next two rows are
 * on their way while the networks run. */
#ifndef GF_PIXEL_RANK_TILE_CUDA_CUH
#define GF_PIXEL_RANK_TILE_CUDA_CUH

#include "pixel/cuda/march_grid_cuda.h"
#include "pixel/window/rank/rank_cuda.h"
#include "pixel/window/rank/rank_network.h"
#include "pixel/window/rank/rank_sample_cuda.cuh"

enum {
    GF_RANK_TILE_THREADS = 128,
    GF_RANK_TILE_HELD = 2,                                           /* columns of a thread */
    GF_RANK_TILE_COLUMNS = GF_RANK_TILE_HELD * GF_RANK_TILE_THREADS, /* of a half, with its halo */
    GF_RANK_TILE_FOURS = 60,                                         /* threads that make a row of a half */
    GF_RANK_TILE_HALF = 4 * GF_RANK_TILE_FOURS,                      /* columns */
    GF_RANK_TILE_PLANE =
        GF_RANK_TILE_COLUMNS / 4 + 8 /* words; so that neither kind of access has conflicts */
};

struct gf_rank_tile_params {
    struct gf_surface in, out;
    int32_t width, height, border;
    struct gf_segments segments;
    bool bytes; /* u8 */
    uint32_t fill[GF_MAX_CHANNELS];
};

/* Returns where word number i of the sorted column c lies: four neighbouring columns are a plane apart, since
 * threads read every fourth. */
GF_DEVICE_FN int32_t gf_rank_tile_at(int32_t c, int32_t i)
{
    return (4 * i + c % 4) * GF_RANK_TILE_PLANE + c / 4;
}

/* The columns of four windows, from the first of them. */
struct gf_rank_tile_columns {
    const uint32_t *first;
    __device__ __forceinline__ uint32_t at(int32_t c, int32_t i) const
    {
        return first[gf_rank_tile_at(c, i)];
    }
};

/* A thread's columns of a channel. */
template <class S, int K> struct gf_rank_tile_own {
    int32_t channel;
    uint32_t fill;
    int32_t x[GF_RANK_TILE_HELD][S::SIDES]; /* by the border; -1: the fill */
    uint32_t v[GF_RANK_TILE_HELD][K + 1];   /* of the rows that the step sees */
    uint32_t next[GF_RANK_TILE_HELD][2];

    __device__ __forceinline__ void load(const struct gf_rank_tile_params &p, int32_t y, int held,
                                         uint32_t &word) const
    {
        if (static_cast<uint32_t>(y) >= static_cast<uint32_t>(p.height)) {
            y = gf_strip_row(y, p.height, p.border);
        }
        const unsigned char *const row = p.in.data + int64_t(y) * p.in.pitch;
        word = 0;
#pragma unroll
        for (int s = 0; s < S::SIDES; s++) {
            uint32_t key = fill;
            if (y >= 0 && x[held][s] >= 0) {
                key = S::load(row, int64_t(x[held][s]) * p.in.channels + channel, p.bytes);
            }
            word |= key << (16 * s);
        }
    }
};

template <class S>
GF_DEVICE_FN void gf_rank_tile_store(const struct gf_rank_tile_params &p, int32_t channel, int32_t x,
                                     int32_t y, const uint32_t (&made)[4])
{
    unsigned char *const row = p.out.data + int64_t(y) * p.out.pitch;
#pragma unroll
    for (int s = 0; s < S::SIDES; s++) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int32_t at = x + s * GF_RANK_TILE_HALF + i;
            if (at < p.width) {
                S::store(row, int64_t(at) * p.out.channels + channel, p.bytes, made[i] >> (16 * s));
            }
        }
    }
}

/* Sorts a column for both rows of a step. */
template <class S, int K>
GF_DEVICE_FN void gf_rank_tile_sort(const uint32_t (&v)[K + 1], uint32_t *upper, uint32_t *lower)
{
    uint32_t both[K - 1], sorted[K];
    gf_sort<S, 1, K - 1>(v, both);
    const uint32_t top[1] = {v[0]}, bottom[1] = {v[K]};
    gf_merge<S>(both, top, sorted);
#pragma unroll
    for (int i = 0; i < K; i++) {
        upper[gf_rank_tile_at(0, i)] = sorted[i];
    }
    gf_merge<S>(both, bottom, sorted);
#pragma unroll
    for (int i = 0; i < K; i++) {
        lower[gf_rank_tile_at(0, i)] = sorted[i];
    }
}

template <class S, int K>
static __global__ void __launch_bounds__(GF_RANK_TILE_THREADS)
    gf_rank_tile(const struct gf_rank_tile_params p)
{
    constexpr int R = K / 2, ROW = 4 * K * GF_RANK_TILE_PLANE;
    GF_SHARED(uint32_t, sorted, 2 * ROW);
    const int32_t thread = static_cast<int32_t>(threadIdx.x), channel = static_cast<int32_t>(blockIdx.z);
    const int32_t x0 = static_cast<int32_t>(blockIdx.x) * (S::SIDES * GF_RANK_TILE_HALF);
    const int32_t y0 = gf_segment_first(p.segments, static_cast<int32_t>(blockIdx.y));
    const int32_t y1 = gf_segment_end(p.segments, static_cast<int32_t>(blockIdx.y), y0, p.height);
    const int32_t row = thread / GF_RANK_TILE_FOURS, four = thread % GF_RANK_TILE_FOURS, x = x0 + 4 * four;
    struct gf_rank_tile_own<S, K> own;
    own.channel = channel;
    own.fill = p.fill[0];
#pragma unroll
    for (int c = 1; c < GF_MAX_CHANNELS; c++) {
        own.fill = c == channel ? p.fill[c] : own.fill;
    }
#pragma unroll
    for (int h = 0; h < GF_RANK_TILE_HELD; h++) {
#pragma unroll
        for (int s = 0; s < S::SIDES; s++) {
            const int64_t column =
                int64_t(x0) + s * GF_RANK_TILE_HALF + h * GF_RANK_TILE_THREADS + thread - R;
            own.x[h][s] = static_cast<int32_t>(gf_border_index(column, p.width, p.border));
        }
#pragma unroll
        for (int i = 0; i <= K; i++) {
            own.load(p, y0 - R + i + (GF_FAULT(cuda_rank_seam) && y0 > 0), h, own.v[h][i]);
        }
    }
#pragma unroll 1
    for (int32_t y = y0; y < y1; y += 2) {
#pragma unroll
        for (int h = 0; h < GF_RANK_TILE_HELD; h++) {
            uint32_t *const to = sorted + gf_rank_tile_at(h * GF_RANK_TILE_THREADS + thread, 0);
            gf_rank_tile_sort<S, K>(own.v[h], to, to + ROW);
            own.load(p, y + R + 2, h, own.next[h][0]);
            own.load(p, y + R + 3, h, own.next[h][1]);
        }
        __syncthreads();
        if (row < 2 && y + row < y1 && x < p.width) {
            uint32_t made[4];
            gf_median_four<S, K>(gf_rank_tile_columns{sorted + row * ROW + four}, made);
            gf_rank_tile_store<S>(p, channel, x, y + row, made);
        }
        __syncthreads();
#pragma unroll
        for (int h = 0; h < GF_RANK_TILE_HELD; h++) {
#pragma unroll
            for (int i = 0; i < K - 1; i++) {
                own.v[h][i] = own.v[h][i + 2];
            }
            own.v[h][K - 1] = own.next[h][0];
            own.v[h][K] = own.next[h][1];
        }
    }
}

template <class S, int K>
static gf_status gf_rank_tile_depth(const struct gf_rank_job *job, const struct gf_run *run, gf_error *error)
{
    struct gf_rank_tile_params p = {};
    struct gf_launch launch = {};
    p.in = job->in;
    p.out = job->out;
    p.width = static_cast<int32_t>(job->width);
    p.height = static_cast<int32_t>(job->height);
    p.border = job->border;
    p.bytes = job->in.depth == GF_U8;
    memcpy(p.fill, job->fill, sizeof p.fill);
    launch.block = dim3(GF_RANK_TILE_THREADS);
    launch.stream = gf_run_stream(run);
    launch.grid.x = gf_blocks(job->width, S::SIDES * GF_RANK_TILE_HALF);
    launch.grid.z = static_cast<unsigned>(job->in.channels);
    GF_TRY(gf_segments_make(run, gf_rank_tile<S, K>, GF_RANK_TILE_THREADS,
                            int64_t(launch.grid.x) * launch.grid.z, job->height, 8, K, &launch, &p.segments,
                            error));
    if (gf_only_prepares(run)) {
        return GF_OK;
    }
    GF_CUDA_TRY(error, GF_LAUNCH((gf_rank_tile<S, K>), launch, p));
    return GF_OK;
}

template <int K>
static gf_status gf_rank_tile_run(const struct gf_rank_job *job, const struct gf_run *run, gf_error *error)
{
    return job->in.depth == GF_F32 ? gf_rank_tile_depth<gf_rank_one, K>(job, run, error)
                                   : gf_rank_tile_depth<gf_rank_two, K>(job, run, error);
}

#endif
