/* STATS taps. A block measures whole cells of GF_CELL_W x GF_CELL_H pixels, a thread one column of the cell;
 * f32 sums go cell by cell to scratch and are folded in the fixed tree of docs/exactness.md, all else is
 * order-free and merged by block. Aligned f32 of one channel are read 16 bytes at a time; bytes are counted
 * (tap_lines_cuda.cu). */
#include "pixel/tap_lines_cuda.cuh"

enum { GF_STATS_THREADS = GF_CELL_W, GF_STATS_BLOCKS = 1056, GF_CELLS_AT_ONCE = 8, GF_FOLD_THREADS = 256 };

/* Scratch of one tap. */
struct gf_stats_params {
    struct gf_measure *measures; /* [channels][blocks] */
    double *cells[2]; /* [channels][2: sum, square][n_cells]; the second array: levels of the fold */
    struct gf_stats_block *out; /* [channels] */
    struct gf_rect roi;
    int64_t across, n_cells;
    int32_t mask, blocks;
};

/* The 128 columns j, j + 64; j, j + 32; ... into columns[0]. All threads call it. */
GF_DEVICE_FN void gf_columns_fold(double *columns)
{
    for (unsigned half = GF_CELL_W / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            const unsigned other =
                GF_FAULT(cuda_stats_fold_order) ? 2 * half - 1 - threadIdx.x : threadIdx.x + half;
            columns[threadIdx.x] = columns[threadIdx.x] + columns[other];
        }
    }
}

static __global__ void __launch_bounds__(GF_STATS_THREADS)
    gf_stats_cells(const struct gf_surface picture, int64_t width, int64_t height,
                   const struct gf_stats_params s)
{
    GF_SHARED(double, sums, GF_CELL_W);
    GF_SHARED(double, squares, GF_CELL_W);
    GF_SHARED(struct gf_measure, all, GF_STATS_THREADS);
    for (int32_t c = 0; c < picture.channels; c++) {
        struct gf_measure m = gf_measure_none();
        for (int64_t cell = blockIdx.x; (s.mask >> c & 1) && cell < s.n_cells; cell += gridDim.x) {
            const int64_t top = cell / s.across * GF_CELL_H;
            const int64_t x = cell % s.across * GF_CELL_W + threadIdx.x;
            const int64_t end = top + GF_CELL_H < height ? top + GF_CELL_H : height;
            double sum = 0.0, square = 0.0;
            for (int64_t y = top; x < width && y < end; y++) {
                if (!gf_rect_has(s.roi, x, y)) {
                    continue;
                }
                const float v =
                    gf_sample_load(picture.data + y * picture.pitch, picture.depth, x * picture.channels + c);
                if (v != v) {
                    m.nan++;
                    continue;
                }
                const uint32_t key = gf_float_key(v);
                const int64_t at = y * width + x;
                gf_measure_least(m, key, at);
                gf_measure_greatest(m, key, at);
                m.count++;
                if (picture.depth == GF_F32) {
                    const double d = static_cast<double>(v), d2 = d * d;
                    sum = sum + d;
                    square = square + d2;
                } else {
                    const uint64_t u = static_cast<uint64_t>(v);
                    m.sum += u;
                    m.square += u * u;
                }
            }
            if (picture.depth == GF_F32) {
                __syncthreads(); /* the fold before has been read */
                sums[threadIdx.x] = sum;
                squares[threadIdx.x] = square;
                gf_columns_fold(sums);
                gf_columns_fold(squares);
                if (threadIdx.x == 0) {
                    s.cells[0][(2 * c) * s.n_cells + cell] = sums[0];
                    s.cells[0][(2 * c + 1) * s.n_cells + cell] = squares[0];
                }
            }
        }
        __syncthreads();
        all[threadIdx.x] = m;
        gf_measure_fold(all, GF_STATS_THREADS);
        if (threadIdx.x == 0) {
            s.measures[int64_t(c) * s.blocks + blockIdx.x] = all[0];
        }
    }
}

/* ---- f32 of one channel, rows aligned to 16 bytes
 * ---------------------------------------------------------- */

/* Keys of the infinities: NaN lies beyond them. */
static const uint32_t KEY_LEAST = 0x007fffffU, KEY_GREATEST = 0xff800000U;

/* What a lane has seen of its four columns: the extremes as keys and the first rows that have them. */
struct gf_quad_seen {
    double sum[4], square[4];
    uint32_t least, greatest, nan;
    int32_t least_row, greatest_row;
};

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

/* The 128 columns j, j + 64; j, j + 32; ... of four a lane. All lanes have the sum. */
GF_DEVICE_FN double gf_quads_fold(double (&columns)[4])
{
#pragma unroll
    for (unsigned lanes = GF_WARP / 2; lanes > 0; lanes /= 2) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            columns[i] = columns[i] + gf_shfl_down(columns[i], lanes);
        }
    }
    return (columns[0] + columns[2]) + (columns[1] + columns[3]);
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

/* A warp measures a cell, a block GF_CELLS_AT_ONCE neighbours, which it folds as far as the tree does. */
static __global__ void __launch_bounds__(GF_CELLS_AT_ONCE *GF_WARP)
    gf_stats_f32(const struct gf_surface picture, int64_t width, int64_t height,
                 const struct gf_stats_params s)
{
    GF_SHARED(double, folded, 2 * GF_CELLS_AT_ONCE);
    GF_SHARED(struct gf_measure, all, GF_CELLS_AT_ONCE);
    const int64_t first = int64_t(blockIdx.x) * GF_CELLS_AT_ONCE, cell = first + gf_warp();
    const int64_t top = cell / s.across * GF_CELL_H, x = cell % s.across * GF_CELL_W + gf_lane() * 4;
    const int64_t rows =
        cell < s.n_cells ? (height - top < GF_CELL_H ? height - top : int64_t(GF_CELL_H)) : 0;
    const int32_t n = width - x >= 4 ? 4 : width > x ? static_cast<int32_t>(width - x) : 0;
    struct gf_quad_seen seen = {{}, {}, UINT32_MAX, 0, 0, GF_CELL_H, GF_CELL_H};
    const unsigned char *from = picture.data + top * picture.pitch + x * 4;
#pragma unroll 8
    for (int32_t row = 0; row < rows; row++, from += picture.pitch) {
        float v[4] = {};
        if (n == 4) {
            const uint4 bits = gf_load16(from);
            memcpy(v, &bits, sizeof bits);
        } else {
            for (int32_t i = 0; i < n; i++) {
                v[i] = reinterpret_cast<const float *>(from)[i];
            }
        }
        gf_quad_take(seen, v, n, row);
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
    if (threadIdx.x < 2) {
        double *const cells = folded + threadIdx.x * GF_CELLS_AT_ONCE;
        const int64_t left = s.n_cells - first;
        for (int64_t k = left < GF_CELLS_AT_ONCE ? left : int64_t(GF_CELLS_AT_ONCE); k > 1; k = (k + 1) / 2) {
            for (int64_t i = 0; i < (k + 1) / 2; i++) {
                cells[i] = 2 * i + 1 < k ? cells[2 * i] + cells[2 * i + 1] : cells[2 * i];
            }
        }
        s.cells[0][threadIdx.x * gridDim.x + blockIdx.x] = cells[0];
    } else if (threadIdx.x == GF_WARP) {
        for (int k = 1; k < GF_CELLS_AT_ONCE; k++) {
            gf_measure_merge(all[0], all[k]);
        }
        s.measures[blockIdx.x] = all[0];
    }
}

/* The launch, and what is left to fold. */
static gf_status gf_stats_f32_launch(const struct gf_pass *pass, const struct gf_surface *picture,
                                     struct gf_stats_params *s, cudaStream_t stream, gf_error *error)
{
    const int64_t groups = (s->n_cells + GF_CELLS_AT_ONCE - 1) / GF_CELLS_AT_ONCE;
    struct gf_launch launch = {};
    launch.block = dim3(GF_CELLS_AT_ONCE * GF_WARP);
    launch.grid = dim3(gf_blocks(groups, 1));
    launch.stream = stream;
    GF_CUDA_TRY(error, GF_LAUNCH(gf_stats_f32, launch, *picture, pass->width, pass->height, *s));
    s->n_cells = groups;
    s->blocks = static_cast<int32_t>(groups);
    return GF_OK;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

/* Neighbours 2i and 2i + 1 of a level make element i of the next; the last of an odd number is carried. */
GF_DEVICE_FN double gf_cells_fold(double *from, double *to, int64_t n)
{
    for (; n > 1; n = (n + 1) / 2) {
        for (int64_t i = threadIdx.x; i < (n + 1) / 2; i += blockDim.x) {
            to[i] = 2 * i + 1 < n ? from[2 * i] + from[2 * i + 1] : from[2 * i];
        }
        double *const swap = from;
        from = to;
        to = swap;
        __syncthreads();
    }
    return from[0] == from[0] ? from[0] : gf_bits_double(0x7ff8000000000000U);
}

/* One block a channel: the measures of all blocks, the tree of cells, the result. */
static __global__ void __launch_bounds__(GF_FOLD_THREADS)
    gf_stats_finish(gf_depth depth, const struct gf_stats_params s)
{
    GF_SHARED(struct gf_measure, all, GF_FOLD_THREADS);
    const int32_t c = static_cast<int32_t>(blockIdx.x);
    struct gf_measure m = gf_measure_none();
    double sums[2] = {0.0, 0.0};
    if (!(s.mask >> c & 1)) {
        return;
    }
    for (int32_t i = static_cast<int32_t>(threadIdx.x); i < s.blocks; i += GF_FOLD_THREADS) {
        gf_measure_merge(m, s.measures[int64_t(c) * s.blocks + i]);
    }
    all[threadIdx.x] = m;
    gf_measure_fold(all, GF_FOLD_THREADS);
    if (depth == GF_F32) {
        sums[0] =
            gf_cells_fold(s.cells[0] + (2 * c) * s.n_cells, s.cells[1] + (2 * c) * s.n_cells, s.n_cells);
        sums[1] = gf_cells_fold(s.cells[0] + (2 * c + 1) * s.n_cells, s.cells[1] + (2 * c + 1) * s.n_cells,
                                s.n_cells);
    }
    if (threadIdx.x == 0) {
        m = all[0];
        struct gf_stats_block out;
        out.count = m.count;
        out.nan = m.nan;
        out.sum_u = m.sum;
        out.square_u = m.square;
        out.sum_f = sums[0];
        out.square_f = sums[1];
        out.least = m.count == 0 ? 0.0 : static_cast<double>(gf_key_float(m.least));
        out.greatest = m.count == 0 ? 0.0 : static_cast<double>(gf_key_float(m.greatest));
        out.at_least = m.at_least;
        out.at_greatest = m.at_greatest;
        s.out[c] = out;
    }
}

static int64_t gf_most_blocks(const struct gf_pass *pass, int64_t n_cells)
{
    const int64_t groups = (n_cells + GF_CELLS_AT_ONCE - 1) / GF_CELLS_AT_ONCE;
    const int64_t few = n_cells < GF_STATS_BLOCKS ? n_cells : int64_t(GF_STATS_BLOCKS);
    return pass->post.depth_out == GF_F32 && groups > few ? groups : few;
}

/* Where things lie in the scratch of one tap; returns its bytes. */
static size_t gf_stats_layout(const struct gf_pass *pass, unsigned char *scratch, struct gf_stats_params *s)
{
    const int64_t channels = pass->post.channels_out;
    s->across = (pass->width + GF_CELL_W - 1) / GF_CELL_W;
    s->n_cells = s->across * ((pass->height + GF_CELL_H - 1) / GF_CELL_H);
    s->blocks = static_cast<int32_t>(s->n_cells < GF_STATS_BLOCKS ? s->n_cells : int64_t(GF_STATS_BLOCKS));
    const size_t measures =
        static_cast<size_t>(channels * gf_most_blocks(pass, s->n_cells)) * sizeof(struct gf_measure);
    const size_t cells = static_cast<size_t>(channels * 2 * s->n_cells) * sizeof(double);
    if (scratch) {
        s->measures = reinterpret_cast<struct gf_measure *>(scratch);
        s->cells[0] = reinterpret_cast<double *>(scratch + measures);
        s->cells[1] = reinterpret_cast<double *>(scratch + measures + cells);
    }
    return measures + (pass->post.depth_out == GF_F32 ? 2 * cells : 0);
}

static size_t gf_counts_bytes(int32_t channels)
{
    return static_cast<size_t>(channels) * (256 + 3) * sizeof(uint64_t);
}

size_t gf_stats_scratch(const struct gf_pass *pass)
{
    const int32_t channels = pass->post.channels_out;
    const size_t counting = gf_counts_bytes(channels) + gf_stats_of_counts_scratch(channels);
    struct gf_stats_params s;
    const size_t cells = gf_stats_layout(pass, nullptr, &s);
    return pass->post.depth_out == GF_U8 && counting > cells ? counting : cells;
}

/* STATS of bytes: counts those that no tap has counted. */
static gf_status gf_stats_count(const struct gf_lines *lines, const struct gf_surface *picture,
                                const struct gf_tap *tap, const uint64_t *counts, void *scratch, void *out,
                                cudaStream_t stream, bool *taken, gf_error *error)
{
    const size_t found = gf_counts_bytes(picture->channels);
    *taken = true;
    if (!counts) {
        struct gf_hist_params h = {};
        h.counts = static_cast<uint64_t *>(scratch);
        h.bins = 256;
        h.mask = tap->mask;
        GF_CUDA_TRY(error, cudaMemsetAsync(scratch, 0, found, stream));
        GF_TRY(gf_count_launch(lines, picture, &h, stream, taken, error));
        counts = h.counts;
    }
    return *taken ? gf_stats_of_counts_launch(lines, picture, counts, tap->mask,
                                              static_cast<unsigned char *>(scratch) + found,
                                              static_cast<struct gf_stats_block *>(out), stream, error)
                  : GF_OK;
}

gf_status gf_stats_launch(const struct gf_pass *pass, const struct gf_tap *tap, struct gf_rect roi,
                          struct gf_surface picture, const uint64_t *counts, void *scratch, void *out,
                          cudaStream_t stream, gf_error *error)
{
    struct gf_stats_params s = {};
    struct gf_launch launch = {}, finish = {};
    struct gf_lines lines;
    bool taken = false;
    const bool lined = gf_lines_make(&picture, pass->width, pass->height, &lines) && roi.w == 0;
    if (lined && picture.depth == GF_U8) {
        GF_TRY(gf_stats_count(&lines, &picture, tap, counts, scratch, out, stream, &taken, error));
    }
    if (taken) {
        return GF_OK;
    }
    (void)gf_stats_layout(pass, static_cast<unsigned char *>(scratch), &s);
    s.out = static_cast<struct gf_stats_block *>(out);
    s.roi = roi;
    s.mask = tap->mask;
    launch.block = dim3(GF_STATS_THREADS);
    launch.grid = dim3(static_cast<unsigned>(s.blocks));
    launch.stream = finish.stream = stream;
    finish.block = dim3(GF_FOLD_THREADS);
    finish.grid = dim3(static_cast<unsigned>(picture.channels));
    if (roi.w == 0 && picture.depth == GF_F32 && picture.channels == 1 && gf_is_aligned(&picture, 16) &&
        (tap->mask & 1) != 0) {
        GF_TRY(gf_stats_f32_launch(pass, &picture, &s, stream, error));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_stats_cells, launch, picture, pass->width, pass->height, s));
    }
    GF_CUDA_TRY(error, GF_LAUNCH(gf_stats_finish, finish, picture.depth, s));
    return GF_OK;
}
