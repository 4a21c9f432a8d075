/* The tap that adds up columns or rows: one read of the picture. Integers go to the block by atomics, f32 by
 * cells in scratch, which a second kernel adds up in the order of docs/exactness.md. */
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/tap/tap_stats_cuda.cuh"

enum {
    PROFILE_WARPS = 8,
    PROFILE_THREADS = PROFILE_WARPS * GF_WARP,
    PROFILE_BLOCKS = 4224,
    ROWS_A_WARP = 32, /* of integers, whose sums then fit into 16 bits of u8 */
    CHUNKS = 16       /* of a segment of a row */
};

struct gf_profile_params {
    struct gf_surface picture;
    uint64_t *out;         /* [channels][bins] */
    double *cells[2];      /* f32; the second array: levels of the fold */
    int64_t first, end;    /* samples of a row that are measured */
    int64_t top, bottom;   /* rows that are */
    int64_t width, height; /* pixels */
    int64_t above;         /* rows of the picture above, in a band */
    int32_t bins, mask;
    bool aligned; /* rows begin at multiples of 16 bytes */
};

template <class S> struct gf_vector {
    enum { PER = 16 / sizeof(S) };
    S v[16 / sizeof(S)];
};

/* Samples s and on of a row; what is not measured is 0. */
template <class S>
GF_DEVICE_FN gf_vector<S> gf_profile_load(const struct gf_profile_params &p, int64_t y, int64_t s)
{
    gf_vector<S> vector;
    const S *const row = reinterpret_cast<const S *>(p.picture.data + y * p.picture.pitch);
    if (p.aligned && s >= p.first && s + gf_vector<S>::PER <= p.end) {
        const uint4 bits = gf_load16(row + s, GF_STREAM);
        memcpy(vector.v, &bits, sizeof bits);
    } else {
#pragma unroll
        for (int i = 0; i < gf_vector<S>::PER; i++) {
            const bool is = s + i >= p.first && s + i < p.end && !GF_FAULT(cuda_profile_edge);
            vector.v[i] = is ? row[s + i] : S(0);
        }
    }
    return vector;
}

/* Returns where the sum of sample s of a row is among those of columns; NULL: it is not measured. */
GF_DEVICE_FN uint64_t *gf_profile_column(const struct gf_profile_params &p, int64_t s)
{
    const int64_t x = s / p.picture.channels;
    const int32_t c = static_cast<int32_t>(s - x * p.picture.channels);
    return s >= p.first && s < p.end && (p.mask >> c & 1) != 0 ? p.out + int64_t(c) * p.bins + x : nullptr;
}

/* ---- columns of integers ------------------------------------------------------------------------------- */

/* A warp takes ROWS_A_WARP rows of a strip, a lane a vector of each; the block adds up what its warps have.
 */
template <class S>
static __global__ void __launch_bounds__(PROFILE_THREADS) gf_profile_columns(const struct gf_profile_params p)
{
    enum { PER = 16 / sizeof(S), STRIP = GF_WARP * PER, SEGMENT = PROFILE_WARPS * ROWS_A_WARP };
    GF_SHARED(uint32_t, sums, GF_WARP * 16);
    const int64_t strip = p.first / STRIP, strips = (p.end + STRIP - 1) / STRIP - strip;
    const int64_t units = strips * ((p.bottom - p.top + SEGMENT - 1) / SEGMENT);
    for (int64_t unit = blockIdx.x; unit < units; unit += gridDim.x) {
        const int64_t at = (strip + unit % strips) * STRIP;
        const int64_t from = p.top + unit / strips * SEGMENT + gf_warp() * ROWS_A_WARP;
        const int64_t to = from + ROWS_A_WARP < p.bottom ? from + ROWS_A_WARP : p.bottom;
        uint32_t own[PER] = {};
        for (int32_t i = static_cast<int32_t>(threadIdx.x); i < STRIP; i += PROFILE_THREADS) {
            sums[i] = 0;
        }
        __syncthreads();
#pragma unroll 4
        for (int64_t y = from; y < to; y++) {
            const gf_vector<S> vector = gf_profile_load<S>(p, y, at + gf_lane() * PER);
#pragma unroll
            for (int i = 0; i < PER; i++) {
                own[i] += vector.v[i];
            }
        }
#pragma unroll
        for (int i = 0; i < PER; i++) { /* so laid out that lanes meet in no bank */
            gf_atomic_add(&sums[i * GF_WARP + gf_lane()], own[i]);
        }
        __syncthreads();
        for (int32_t i = static_cast<int32_t>(threadIdx.x); i < STRIP; i += PROFILE_THREADS) {
            uint64_t *const column = gf_profile_column(p, at + i);
            if (column) {
                gf_atomic_add(column, static_cast<uint64_t>(sums[i % PER * GF_WARP + i / PER]));
            }
        }
        __syncthreads(); /* the sums have been read */
    }
}

/* ---- rows of integers ------------------------------------------------------------------------------------ */

/* A warp takes a segment of a row, a lane a vector a channel at a time, so that each byte's channel is known.
 */
template <class S, int C>
static __global__ void __launch_bounds__(PROFILE_THREADS) gf_profile_rows(const struct gf_profile_params p)
{
    enum { PER = 16 / sizeof(S), CHUNK = GF_WARP * C * PER, SEGMENT = CHUNKS * CHUNK };
    const int64_t segment = p.first / SEGMENT, segments = (p.end + SEGMENT - 1) / SEGMENT - segment;
    const int64_t units = segments * (p.bottom - p.top);
    const int64_t warps = int64_t(gridDim.x) * PROFILE_WARPS;
    for (int64_t unit = int64_t(blockIdx.x) * PROFILE_WARPS + gf_warp(); unit < units; unit += warps) {
        const int64_t y = p.top + unit / segments, at = (segment + unit % segments) * SEGMENT;
        uint32_t sums[C] = {}; /* at most CHUNKS * PER * 65535 of a lane, and 32 times that of the warp */
        for (int64_t s = at; s < at + SEGMENT && s < p.end; s += CHUNK) {
#pragma unroll
            for (int k = 0; k < C; k++) {
                const gf_vector<S> vector = gf_profile_load<S>(p, y, s + (gf_lane() * C + k) * PER);
#pragma unroll
                for (int i = 0; i < PER; i++) {
                    sums[(k * PER + i) % C] += vector.v[i];
                }
            }
        }
#pragma unroll
        for (int c = 0; c < C; c++) {
            const uint32_t sum = gf_reduce_add(sums[c]);
            if (gf_lane() == 0 && (p.mask >> c & 1) != 0) {
                gf_atomic_add(&p.out[int64_t(c) * p.bins + p.above + y], static_cast<uint64_t>(sum));
            }
        }
    }
}

/* ---- f32 ------------------------------------------------------------------------------------------------- */

GF_DEVICE_FN int64_t gf_profile_cells(int64_t n, int64_t cell)
{
    return (n + cell - 1) / cell;
}

/* A warp takes the rows of a cell, a lane four samples of each. cells[0]: [cells down][samples]. */
static __global__ void __launch_bounds__(PROFILE_THREADS)
    gf_profile_columns_f32(const struct gf_profile_params p)
{
    enum { PER = 4, STRIP = GF_WARP * PER };
    const int64_t samples = p.width * p.picture.channels;
    const int64_t strip = p.first / STRIP, strips = (p.end + STRIP - 1) / STRIP - strip;
    const int64_t cell = p.top / GF_CELL_H;
    const int64_t units = strips * (gf_profile_cells(p.bottom, GF_CELL_H) - cell);
    const int64_t warps = int64_t(gridDim.x) * PROFILE_WARPS;
    for (int64_t unit = int64_t(blockIdx.x) * PROFILE_WARPS + gf_warp(); unit < units; unit += warps) {
        const int64_t at = (strip + unit % strips) * STRIP + gf_lane() * PER, down = cell + unit / strips;
        const int64_t from = down * GF_CELL_H > p.top ? down * GF_CELL_H : p.top;
        const int64_t to = (down + 1) * GF_CELL_H < p.bottom ? (down + 1) * GF_CELL_H : p.bottom;
        double sums[PER] = {};
        uint32_t nan[PER] = {};
#pragma unroll 4
        for (int64_t y = from; y < to; y++) {
            const gf_vector<float> vector = gf_profile_load<float>(p, y, at);
#pragma unroll
            for (int i = 0; i < PER; i++) {
                const bool is_nan = vector.v[i] != vector.v[i];
                sums[i] = sums[i] + (is_nan ? 0.0 : static_cast<double>(vector.v[i]));
                nan[i] += is_nan;
            }
        }
#pragma unroll
        for (int i = 0; i < PER; i++) {
            uint64_t *const column = gf_profile_column(p, at + i);
            if (column) {
                p.cells[0][down * samples + at + i] = sums[i];
                if (nan[i] != 0) {
                    gf_atomic_add(column + p.bins / 2, static_cast<uint64_t>(nan[i]));
                }
            }
        }
    }
}

/* The cells of each column, from the top. */
static __global__ void __launch_bounds__(PROFILE_THREADS)
    gf_profile_columns_add(const struct gf_profile_params p)
{
    const int64_t s = p.first + int64_t(blockIdx.x) * PROFILE_THREADS + threadIdx.x;
    uint64_t *const column = gf_profile_column(p, s);
    if (!column) {
        return;
    }
    const int64_t samples = p.width * p.picture.channels, end = gf_profile_cells(p.bottom, GF_CELL_H);
    double all = gf_bits_double(*column);
#pragma unroll 4
    for (int64_t cell = p.top / GF_CELL_H; cell < end; cell++) {
        all = all + p.cells[0][(GF_FAULT(cuda_profile_cells) ? end - 1 - cell : cell) * samples + s];
    }
    *column = gf_double_bits(gf_canonical_double(all));
}

/* A warp takes a row of a cell, a lane four of its pixels. cells[0]: [channels][rows measured][cells across].
 */
static __global__ void __launch_bounds__(PROFILE_THREADS)
    gf_profile_rows_f32(const struct gf_profile_params p)
{
    const int32_t channels = p.picture.channels;
    const int64_t across = gf_profile_cells(p.width, GF_CELL_W), rows = p.bottom - p.top;
    const int64_t warps = int64_t(gridDim.x) * PROFILE_WARPS;
    for (int64_t unit = int64_t(blockIdx.x) * PROFILE_WARPS + gf_warp(); unit < across * rows;
         unit += warps) {
        const int64_t row = unit / across, x = unit % across * GF_CELL_W + gf_lane() * 4;
        for (int32_t c = 0; c < channels; c++) {
            gf_vector<float> vector;
            double columns[4];
            uint32_t nan = 0;
            if (channels == 1) {
                vector = gf_profile_load<float>(p, p.top + row, x);
            } else {
                const float *const from =
                    reinterpret_cast<const float *>(p.picture.data + (p.top + row) * p.picture.pitch);
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    const int64_t s = (x + i) * channels + c;
                    vector.v[i] = s >= p.first && s < p.end ? from[s] : 0.0F;
                }
            }
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const bool is_nan = vector.v[i] != vector.v[i];
                columns[i] = is_nan ? 0.0 : static_cast<double>(vector.v[i]) + 0.0; /* -0 becomes +0 */
                nan += is_nan;
            }
            const double sum = gf_quads_fold(columns);
            nan = gf_reduce_add(nan);
            if (gf_lane() == 0 && (p.mask >> c & 1) != 0) {
                p.cells[0][c * rows * across + unit] = sum;
                if (nan != 0) {
                    gf_atomic_add(&p.out[int64_t(c) * p.bins + p.bins / 2 + p.above + p.top + row],
                                  static_cast<uint64_t>(nan));
                }
            }
        }
    }
}

/* The cells of a row, in pairs: block (i, c) takes every gridDim.x-th row of channel c. */
static __global__ void __launch_bounds__(GF_FOLD_THREADS)
    gf_profile_rows_fold(const struct gf_profile_params p)
{
    GF_SHARED(double, levels, 2 * GF_FOLD_SHARED);
    const int32_t c = static_cast<int32_t>(blockIdx.y);
    const int64_t across = gf_profile_cells(p.width, GF_CELL_W), rows = p.bottom - p.top;
    for (int64_t row = blockIdx.x; (p.mask >> c & 1) != 0 && row < rows; row += gridDim.x) {
        const int64_t at = (c * rows + row) * across;
        const double sum = gf_cells_fold(p.cells[0] + at, p.cells[1] + at, across, levels);
        if (threadIdx.x == 0) {
            p.out[int64_t(c) * p.bins + p.above + p.top + row] = gf_double_bits(sum);
        }
        __syncthreads(); /* the levels have been read */
    }
}

/* ---- launches -------------------------------------------------------------------------------------------- */

static struct gf_launch gf_profile_grid(int64_t units, cudaStream_t stream)
{
    gf_launch launch = gf_launch_on(
        stream, gf_blocks(units < PROFILE_BLOCKS ? units : int64_t(PROFILE_BLOCKS), 1), PROFILE_THREADS);
    return launch;
}

static int64_t gf_profile_over(int64_t n, int64_t per)
{
    return (n + per - 1) / per;
}

template <class S>
static gf_status gf_profile_integers(const struct gf_profile_params &p, bool of_rows, cudaStream_t stream,
                                     gf_error *error)
{
    const int64_t samples = p.end - p.first, rows = p.bottom - p.top, vectors = 16 / sizeof(S) * GF_WARP;
    if (!of_rows) {
        const int64_t units =
            (gf_profile_over(samples, vectors) + 1) * gf_profile_over(rows, PROFILE_WARPS * ROWS_A_WARP);
        GF_CUDA_TRY(error, GF_LAUNCH(gf_profile_columns<S>, gf_profile_grid(units, stream), p));
        return GF_OK;
    }
    const int64_t segment = vectors * p.picture.channels * CHUNKS;
    const int64_t units = (gf_profile_over(samples, segment) + 1) * rows;
    const struct gf_launch launch = gf_profile_grid(gf_profile_over(units, PROFILE_WARPS), stream);
    return gf_dispatch_number<1, 4>(p.picture.channels, [&](auto channels) -> gf_status {
        constexpr int C = decltype(channels)::value;
        GF_CUDA_TRY(error, GF_LAUNCH((gf_profile_rows<S, C>), launch, p));
        return GF_OK;
    });
}

static gf_status gf_profile_floats(const struct gf_profile_params &p, bool of_rows, cudaStream_t stream,
                                   gf_error *error)
{
    const int64_t rows = p.bottom - p.top, samples = p.end - p.first;
    if (!of_rows) {
        const int64_t units =
            (gf_profile_over(samples, GF_WARP * 4) + 1) * (gf_profile_over(rows, GF_CELL_H) + 1);
        struct gf_launch add = gf_profile_grid(0, stream);
        add.grid = dim3(gf_blocks(samples, PROFILE_THREADS));
        GF_CUDA_TRY(error, GF_LAUNCH(gf_profile_columns_f32,
                                     gf_profile_grid(gf_profile_over(units, PROFILE_WARPS), stream), p));
        GF_CUDA_TRY(error, GF_LAUNCH(gf_profile_columns_add, add, p));
        return GF_OK;
    }
    const int64_t units = gf_profile_over(p.width, GF_CELL_W) * rows;
    struct gf_launch fold = gf_profile_grid(rows, stream);
    fold.block = dim3(GF_FOLD_THREADS);
    fold.grid.y = static_cast<unsigned>(p.picture.channels);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_profile_rows_f32,
                                 gf_profile_grid(gf_profile_over(units, PROFILE_WARPS), stream), p));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_profile_rows_fold, fold, p));
    return GF_OK;
}

/* f64 of one tap in scratch, in one of its two arrays. */
static int64_t gf_profile_room(const struct gf_pass *pass, const struct gf_tap *tap)
{
    const int64_t channels = pass->post.channels_out;
    return tap->of_rows ? gf_profile_over(pass->width, GF_CELL_W) * pass->height * channels
                        : gf_profile_over(pass->height, GF_CELL_H) * pass->width * channels;
}

static size_t gf_profile_scratch(const struct gf_pass *pass)
{
    int64_t most = 0;
    for (int32_t i = 0; i < pass->n_taps && pass->post.depth_out == GF_F32; i++) {
        const struct gf_tap *tap = &pass->taps[i];
        const bool is_profile = tap->kernel->tap.cuda() == &gf_measure_cuda_profile;
        const int64_t room = is_profile ? gf_profile_room(pass, tap) * (tap->of_rows ? 2 : 1) : 0;
        most = room > most ? room : most;
    }
    return static_cast<size_t>(most) * sizeof(double);
}

static gf_status gf_profile_launch(const struct gf_run *run, int32_t i, const struct gf_surface &picture,
                                   void *scratch, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_tap *tap = &pass->taps[i];
    const struct gf_rect roi = gf_tap_roi(pass, tap);
    const cudaStream_t stream = gf_run_stream(run);
    struct gf_profile_params p = {};
    p.picture = picture;
    p.out = static_cast<uint64_t *>(run->taps[i]);
    p.cells[0] = static_cast<double *>(scratch);
    p.cells[1] = p.cells[0] + gf_profile_room(pass, tap);
    p.width = pass->width;
    p.height = pass->height;
    p.end = (roi.w && roi.x + roi.w < pass->width ? roi.x + roi.w : pass->width) * picture.channels;
    p.first = roi.w ? roi.x * picture.channels : 0;
    p.bottom = roi.w && roi.y + roi.h < pass->height ? roi.y + roi.h : pass->height;
    p.top = roi.w && roi.y > 0 ? roi.y : 0; /* that of a band may begin above it */
    p.above = pass->part.top;
    p.bins = tap->bins;
    p.mask = tap->mask;
    p.aligned = gf_is_aligned(&picture, 16);
    if (p.first >= p.end || p.top >= p.bottom) {
        return GF_OK; /* a band without a part of the region */
    }
    return picture.depth == GF_U8    ? gf_profile_integers<uint8_t>(p, tap->of_rows, stream, error)
           : picture.depth == GF_F32 ? gf_profile_floats(p, tap->of_rows, stream, error)
                                     : gf_profile_integers<uint16_t>(p, tap->of_rows, stream, error);
}

const struct gf_cuda_measure gf_measure_cuda_profile = {gf_profile_launch, gf_profile_scratch, false};
