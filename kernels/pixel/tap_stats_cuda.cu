/* STATS taps. A block measures whole cells of GF_CELL_W x GF_CELL_H pixels, a thread one column of the cell;
 * f32 sums go cell by cell to scratch and are folded in the fixed tree of docs/exactness.md, all else is
 * order-free and merged by block. Gray pictures of bytes are read 16 bytes at a time. */
#include "pixel/tap_cuda.cuh"
#include "pixel/u8_cuda.cuh"

enum {
    GF_STATS_THREADS = GF_CELL_W,
    GF_STATS_BLOCKS = 1056,
    GF_BYTES_THREADS = 256,
    GF_BYTES_BLOCKS = 528,
    GF_BYTES_AT_ONCE = 4, /* chunks under way */
    GF_FOLD_THREADS = 256
};

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

/* ---- bytes ---------------------------------------------------------------------------------------- */

/* What a thread has seen; 256 and -1 before the first byte. Positions ascend, so the first of equals stays.
 */
struct gf_bytes_seen {
    uint64_t count, sum, square;
    int32_t least, greatest;
    int64_t at_least, at_greatest;
};

GF_DEVICE_FN void gf_bytes_extremes(struct gf_bytes_seen &seen, const uint32_t (&words)[4], int32_t n,
                                    int64_t at)
{
#pragma unroll
    for (int32_t i = 0; i < 16; i++) {
        const int32_t v = static_cast<int32_t>(words[i / 4] >> (i % 4 * 8) & 0xffU);
        const bool less = i < n && v < seen.least, greater = i < n && v > seen.greatest;
        seen.at_least = less ? at + i : seen.at_least;
        seen.least = less ? v : seen.least;
        seen.at_greatest = greater ? at + i : seen.at_greatest;
        seen.greatest = greater ? v : seen.greatest;
    }
}

/* Sums of a chunk of n bytes, zeros behind them; true if one of its bytes is below or above these. */
GF_DEVICE_FN bool gf_bytes_sums(struct gf_bytes_seen &seen, const uint32_t (&words)[4], int32_t n,
                                int32_t least, int32_t greatest)
{
    const uint32_t above = static_cast<uint32_t>(255 - greatest) * 0x00010001U;
    const uint32_t from = static_cast<uint32_t>(256 - least) * 0x00010001U;
    uint32_t sum = 0, square = 0, greater = 0, not_less = 0x01010101U;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        sum = gf_dp4a_u(words[k], 0x01010101U, sum);
        square = gf_dp4a_u(words[k], words[k], square);
        greater |= gf_step_bits(words[k], above);
        not_less &= gf_step_bits(words[k], from);
    }
    seen.count += static_cast<uint32_t>(n);
    seen.sum += sum;
    seen.square += square;
    return greater != 0 || not_less != 0x01010101U;
}

/* One row of `n` bytes after the other, at multiples of 16. A warp knows the extremes of all its lanes: what
 * lies between them is not looked at, since equals further on do not count. */
static __global__ void __launch_bounds__(GF_BYTES_THREADS)
    gf_stats_bytes(const struct gf_surface picture, int64_t n, int64_t rows, const struct gf_stats_params s)
{
    GF_SHARED(struct gf_measure, all, GF_BYTES_THREADS);
    struct gf_bytes_seen seen = {0, 0, 0, 256, -1, -1, -1};
    const int64_t chunks = (n + 15) / 16, stride = int64_t(gridDim.x) * GF_BYTES_THREADS;
    const int64_t warp = int64_t(blockIdx.x) * GF_BYTES_THREADS + gf_warp() * GF_WARP;
    int32_t least = 256, greatest = -1; /* of the warp */
    for (int64_t y = 0; y < rows; y++) {
        const unsigned char *row = picture.data + y * picture.pitch;
        for (int64_t first = warp; first < chunks; first += GF_BYTES_AT_ONCE * stride) {
            uint32_t words[GF_BYTES_AT_ONCE][4] = {};
            int32_t live[GF_BYTES_AT_ONCE];
#pragma unroll
            for (int k = 0; k < GF_BYTES_AT_ONCE; k++) {
                const int64_t at = (first + k * stride + gf_lane()) * 16, left = n - at;
                live[k] = left <= 0 ? 0 : left < 16 ? static_cast<int32_t>(left) : 16;
                if (left >= 16) {
                    const uint4 chunk = gf_load16(row + at, GF_STREAM);
                    memcpy(words[k], &chunk, sizeof chunk);
                } else if (left > 0) {
                    memcpy(words[k], row + at, static_cast<size_t>(left));
                }
            }
#pragma unroll
            for (int k = 0; k < GF_BYTES_AT_ONCE; k++) {
                const bool found = gf_bytes_sums(seen, words[k], live[k], least, greatest);
                if (gf_any(found)) {
                    gf_bytes_extremes(seen, words[k], live[k], y * n + (first + k * stride + gf_lane()) * 16);
                    least = gf_reduce_min(seen.least);
                    greatest = gf_reduce_max(seen.greatest);
                }
            }
        }
    }
    struct gf_measure m = gf_measure_none();
    m.count = seen.count;
    m.sum = seen.sum;
    m.square = seen.square;
    m.least = gf_float_key(static_cast<float>(seen.least));
    m.greatest = gf_float_key(static_cast<float>(seen.greatest));
    m.at_least = seen.at_least;
    m.at_greatest = seen.at_greatest;
    all[threadIdx.x] = m;
    gf_measure_fold(all, GF_BYTES_THREADS);
    if (threadIdx.x == 0) {
        s.measures[blockIdx.x] = all[0];
    }
}

/* The rows of a packed picture are one long row; others are taken one at a time, which is worth it for wide
 * ones alone. */
static bool gf_stats_takes_bytes(const struct gf_pass *pass, const struct gf_surface *picture,
                                 struct gf_rect roi)
{
    const bool packed = picture->pitch == pass->width;
    const bool wide =
        gf_is_aligned(picture, 16) && pass->width >= int64_t(16) * GF_BYTES_BLOCKS * GF_BYTES_THREADS;
    return picture->depth == GF_U8 && picture->channels == 1 && roi.w == 0 &&
           reinterpret_cast<uintptr_t>(picture->data) % 16 == 0 && (packed || wide);
}

static gf_status gf_stats_bytes_launch(const struct gf_pass *pass, const struct gf_surface *picture,
                                       struct gf_stats_params *s, cudaStream_t stream, gf_error *error)
{
    const bool packed = picture->pitch == pass->width;
    const int64_t n = packed ? pass->width * pass->height : pass->width;
    const int64_t chunks = (n + 15) / 16, blocks = (chunks + GF_BYTES_THREADS - 1) / GF_BYTES_THREADS;
    struct gf_launch launch = {};
    s->blocks = s->blocks < GF_BYTES_BLOCKS ? s->blocks : int32_t(GF_BYTES_BLOCKS);
    s->blocks = s->blocks < blocks ? s->blocks : static_cast<int32_t>(blocks);
    launch.block = dim3(GF_BYTES_THREADS);
    launch.grid = dim3(static_cast<unsigned>(s->blocks));
    launch.stream = stream;
    GF_CUDA_TRY(error,
                GF_LAUNCH(gf_stats_bytes, launch, *picture, n, packed ? int64_t(1) : pass->height, *s));
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

/* Where things lie in the scratch of one tap; returns its bytes. */
static size_t gf_stats_layout(const struct gf_pass *pass, unsigned char *scratch, struct gf_stats_params *s)
{
    const int64_t channels = pass->post.channels_out;
    s->across = (pass->width + GF_CELL_W - 1) / GF_CELL_W;
    s->n_cells = s->across * ((pass->height + GF_CELL_H - 1) / GF_CELL_H);
    s->blocks = static_cast<int32_t>(s->n_cells < GF_STATS_BLOCKS ? s->n_cells : int64_t(GF_STATS_BLOCKS));
    const size_t measures = static_cast<size_t>(channels * s->blocks) * sizeof(struct gf_measure);
    const size_t cells = static_cast<size_t>(channels * 2 * s->n_cells) * sizeof(double);
    if (scratch) {
        s->measures = reinterpret_cast<struct gf_measure *>(scratch);
        s->cells[0] = reinterpret_cast<double *>(scratch + measures);
        s->cells[1] = reinterpret_cast<double *>(scratch + measures + cells);
    }
    return measures + (pass->post.depth_out == GF_F32 ? 2 * cells : 0);
}

size_t gf_stats_scratch(const struct gf_pass *pass)
{
    struct gf_stats_params s;
    return gf_stats_layout(pass, nullptr, &s);
}

gf_status gf_stats_launch(const struct gf_pass *pass, const struct gf_tap *tap, struct gf_rect roi,
                          struct gf_surface picture, void *scratch, void *out, cudaStream_t stream,
                          gf_error *error)
{
    struct gf_stats_params s = {};
    struct gf_launch launch = {}, finish = {};
    (void)gf_stats_layout(pass, static_cast<unsigned char *>(scratch), &s);
    s.out = static_cast<struct gf_stats_block *>(out);
    s.roi = roi;
    s.mask = tap->mask;
    launch.block = dim3(GF_STATS_THREADS);
    launch.grid = dim3(static_cast<unsigned>(s.blocks));
    launch.stream = finish.stream = stream;
    finish.block = dim3(GF_FOLD_THREADS);
    finish.grid = dim3(static_cast<unsigned>(picture.channels));
    if ((tap->mask & 1) != 0 && gf_stats_takes_bytes(pass, &picture, roi)) {
        GF_TRY(gf_stats_bytes_launch(pass, &picture, &s, stream, error));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_stats_cells, launch, picture, pass->width, pass->height, s));
    }
    GF_CUDA_TRY(error, GF_LAUNCH(gf_stats_finish, finish, picture.depth, s));
    return GF_OK;
}
