/* STATS of f32 of one channel, rows aligned to 16 bytes: a warp measures a cell, a lane four of its columns.
 */
#include "pixel/tap/tap_stats_cuda.cuh"

enum { ROWS_AT_ONCE = 4 };

/* Keys of the infinities: NaN lies beyond them. */
static const uint32_t KEY_LEAST = 0x007fffffU, KEY_GREATEST = 0xff800000U;

/* What a lane has seen of its four columns: the extremes as keys and the first rows that have them. */
struct gf_quad_seen {
    double sum[4], square[4];
    uint32_t least, greatest, nan;
    int32_t least_row, greatest_row;
};

GF_DEVICE_FN void gf_quad_load(const unsigned char *from, int32_t n, float (&v)[4])
{
    uint4 bits = make_uint4(0, 0, 0, 0);
    if (n == 4) {
        bits = gf_load16(from);
    }
    memcpy(v, &bits, sizeof bits);
    if (n > 0 && n < 4) {
#pragma unroll
        for (int i = 0; i < 3; i++) {
            v[i] = i < n ? reinterpret_cast<const float *>(from)[i] : 0.0F;
        }
    }
}

/* Four samples, the first n of which are in the picture; those that are not, and NaN, leave nothing. */
GF_DEVICE_FN void gf_quad_take(struct gf_quad_seen &seen, const float (&v)[4], int32_t n, int32_t row)
{
    uint32_t keys[4], least, greatest;
    float use[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const uint32_t bits = gf_float_bits(v[i]);
        keys[i] =
            bits ^ ((0U - (bits >> 31)) | 0x80000000U); /* gf_float_key, but every NaN a key of its own */
        use[i] = v[i];
    }
    least = keys[0] < keys[1] ? keys[0] : keys[1];
    greatest = keys[0] < keys[1] ? keys[1] : keys[0];
#pragma unroll
    for (int i = 2; i < 4; i++) {
        least = keys[i] < least ? keys[i] : least;
        greatest = keys[i] > greatest ? keys[i] : greatest;
    }
    if (n < 4 || least < KEY_LEAST || greatest > KEY_GREATEST) {
        least = UINT32_MAX;
        greatest = 0;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const bool none = i >= n || v[i] != v[i];
            seen.nan += i < n && none;
            use[i] = none ? 0.0F : v[i];
            least = !none && keys[i] < least ? keys[i] : least;
            greatest = !none && keys[i] > greatest ? keys[i] : greatest;
        }
    }
    seen.least_row = least < seen.least ? row : seen.least_row;
    seen.least = least < seen.least ? least : seen.least;
    seen.greatest_row = greatest > seen.greatest ? row : seen.greatest_row;
    seen.greatest = greatest > seen.greatest ? greatest : seen.greatest;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const double d = static_cast<double>(use[i]), d2 = d * d;
        seen.sum[i] = seen.sum[i] + d;
        seen.square[i] = seen.square[i] + d2;
    }
}

/* The place of `key` in the row of a cell where it is first, looked up again: the leftmost of the lanes that
 * had it there. row: this lane's, GF_CELL_H if it has none. */
GF_DEVICE_FN int64_t gf_quad_place(const struct gf_surface &picture, int64_t width, int64_t top, int64_t x,
                                   uint32_t key, int32_t row)
{
    const int32_t first = gf_reduce_min(row);
    const float *const from = reinterpret_cast<const float *>(picture.data + (top + first) * picture.pitch);
    int32_t column = GF_CELL_W;
    for (int32_t i = 3; i >= 0 && first < GF_CELL_H && row == first; i--) {
        column = x + i < width && gf_float_key(from[x + i]) == key ? static_cast<int32_t>(gf_lane()) * 4 + i
                                                                   : column;
    }
    column = gf_reduce_min(column);
    return first < GF_CELL_H ? (top + first) * width + (x - static_cast<int64_t>(gf_lane()) * 4) + column
                             : -1;
}

/* The histogram of a block, in shared memory; without COUNT there is none. */
template <bool COUNT> struct gf_quad_counter {
    const struct gf_hist_params &h;
    uint32_t *counts;
    float lo, scale;

    __device__ __forceinline__ gf_quad_counter(const struct gf_hist_params &params, uint32_t *shared)
        : h(params), counts(shared), lo(0.0F), scale(0.0F)
    {
        if (COUNT) {
            lo = h.range ? h.range[0] : h.lo;
            scale = gf_range_scale(lo, h.range ? h.range[1] : h.hi, h.bins);
            for (int32_t i = static_cast<int32_t>(threadIdx.x); i < h.bins + 3;
                 i += static_cast<int32_t>(blockDim.x)) {
                counts[i] = 0;
            }
            __syncthreads();
        }
    }
    /* Four samples, the first n of which are in the picture. */
    __device__ __forceinline__ void take(const float (&v)[4], int32_t n) const
    {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            if (COUNT && i < n - GF_FAULT(cuda_stats_counts)) {
                gf_atomic_add(&counts[gf_hist_slot(GF_F32, h, lo, scale, v[i])], 1u);
            }
        }
    }
    /* Behind a barrier. */
    __device__ __forceinline__ void flush() const
    {
        if (COUNT) {
            gf_hist_flush(counts, h.bins + 3, h.counts);
        }
    }
};

/* A warp measures a cell, a block GF_CELLS_AT_ONCE neighbours, which it folds as far as the tree does. */
template <bool COUNT>
static __global__ void __launch_bounds__(GF_CELLS_AT_ONCE *GF_WARP)
    gf_stats_f32(const struct gf_surface picture, int64_t width, int64_t height,
                 const struct gf_stats_params s, const struct gf_hist_params h)
{
    GF_SHARED_DYN(uint32_t, counts);
    GF_SHARED(double, folded, 2 * GF_CELLS_AT_ONCE);
    GF_SHARED(struct gf_measure, all, GF_CELLS_AT_ONCE);
    const int64_t first = int64_t(blockIdx.x) * GF_CELLS_AT_ONCE, cell = first + gf_warp();
    const int64_t top = cell / s.across * GF_CELL_H, x = cell % s.across * GF_CELL_W + gf_lane() * 4;
    const int64_t rows =
        cell < s.n_cells ? (height - top < GF_CELL_H ? height - top : int64_t(GF_CELL_H)) : 0;
    const int32_t n = width - x >= 4 ? 4 : width > x ? static_cast<int32_t>(width - x) : 0;
    struct gf_quad_seen seen = {{}, {}, UINT32_MAX, 0, 0, GF_CELL_H, GF_CELL_H};
    const struct gf_quad_counter<COUNT> counter(h, counts);
    const unsigned char *from = picture.data + top * picture.pitch + x * 4;
    for (int32_t row = 0; row < rows; row += ROWS_AT_ONCE, from += ROWS_AT_ONCE * picture.pitch) {
        float v[ROWS_AT_ONCE][4];
#pragma unroll
        for (int32_t r = 0; r < ROWS_AT_ONCE; r++) {
            gf_quad_load(from + r * picture.pitch, row + r < rows ? n : 0, v[r]);
        }
#pragma unroll
        for (int32_t r = 0; r < ROWS_AT_ONCE; r++) {
            const int32_t there = row + r < rows ? n : 0;
            gf_quad_take(seen, v[r], there, row + r);
            counter.take(v[r], there);
        }
    }
    struct gf_measure m = gf_measure_none();
    const uint32_t least = gf_reduce_min(seen.least), greatest = gf_reduce_max(seen.greatest);
    m.nan = gf_reduce_add(seen.nan);
    m.count = static_cast<uint64_t>(gf_reduce_add(n * static_cast<int32_t>(rows))) - m.nan;
    m.least = least;
    m.greatest = greatest;
    m.at_least =
        gf_quad_place(picture, width, top, x, least, seen.least == least ? seen.least_row : GF_CELL_H);
    m.at_greatest = gf_quad_place(picture, width, top, x, greatest,
                                  seen.greatest == greatest ? seen.greatest_row : GF_CELL_H);
    const double sum = gf_quads_fold(seen.sum), square = gf_quads_fold(seen.square);
    if (gf_lane() == 0) {
        folded[gf_warp()] = sum;
        folded[GF_CELLS_AT_ONCE + gf_warp()] = square;
        all[gf_warp()] = m;
    }
    __syncthreads();
    counter.flush();
    if (threadIdx.x < 2) {
        double *const cells = folded + threadIdx.x * GF_CELLS_AT_ONCE;
        const int64_t left = s.n_cells - first;
        for (int64_t k = left < GF_CELLS_AT_ONCE ? left : int64_t(GF_CELLS_AT_ONCE); k > 1; k = (k + 1) / 2) {
            for (int64_t i = 0; i < (k + 1) / 2; i++) {
                cells[i] = 2 * i + 1 < k ? cells[2 * i] + cells[2 * i + 1] : cells[2 * i];
            }
        }
        s.cells[0][threadIdx.x * gridDim.x + blockIdx.x] = cells[0];
    } else if (threadIdx.x / GF_WARP == 1) {
        for (unsigned half = GF_CELLS_AT_ONCE / 2; half > 0; half /= 2) {
            if (gf_lane() < half) {
                gf_measure_merge(all[gf_lane()], all[gf_lane() + half]);
            }
            gf_syncwarp();
        }
        if (gf_lane() == 0) {
            s.measures[blockIdx.x] = all[0];
        }
    }
}

gf_status gf_stats_f32_launch(const struct gf_pass *pass, const struct gf_surface *picture,
                              struct gf_stats_params *s, const struct gf_hist_params *h, cudaStream_t stream,
                              gf_error *error)
{
    const int64_t groups = (s->n_cells + GF_CELLS_AT_ONCE - 1) / GF_CELLS_AT_ONCE;
    gf_launch launch = gf_launch_on(stream, gf_blocks(groups, 1), GF_CELLS_AT_ONCE * GF_WARP);
    if (h) {
        launch.shared = (static_cast<size_t>(h->bins) + 3) * sizeof(uint32_t);
        GF_CUDA_TRY(error,
                    GF_LAUNCH(gf_stats_f32<true>, launch, *picture, pass->width, pass->height, *s, *h));
    } else {
        const struct gf_hist_params none = {};
        GF_CUDA_TRY(error,
                    GF_LAUNCH(gf_stats_f32<false>, launch, *picture, pass->width, pass->height, *s, none));
    }
    s->n_cells = groups;
    s->blocks = static_cast<int32_t>(groups);
    return GF_OK;
}
