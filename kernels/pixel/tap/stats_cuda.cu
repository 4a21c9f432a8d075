/* STATS taps. A block measures whole cells of GF_CELL_W x GF_CELL_H pixels, a thread one column of the cell;
 * f32 sums go cell by cell to scratch and are folded in the fixed tree of docs/exactness.md, all else is
 * order-free and merged by block. Aligned f32 of one channel are left to tap_stats_f32_cuda.cu, bytes to
 * tap_lines_cuda.cu. */
#include "pixel/tap/tap_lines_cuda.cuh"
#include "pixel/tap/tap_stats_cuda.cuh"

enum { GF_STATS_THREADS = GF_CELL_W, GF_STATS_BLOCKS = 1056 };

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
                const int64_t at = (s.top + y) * width + x;
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

/* ---- the whole --------------------------------------------------------------------------------------- */

/* One block a channel: the measures of all blocks, the tree of cells, the result. */
static __global__ void __launch_bounds__(GF_FOLD_THREADS)
    gf_stats_finish(gf_depth depth, const struct gf_stats_params s)
{
    GF_SHARED(struct gf_measure, all, GF_FOLD_THREADS);
    GF_SHARED(double, levels, 2 * GF_FOLD_SHARED);
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
        for (int k = 0; k < 2; k++) {
            const int64_t at = (2 * c + k) * s.n_cells;
            sums[k] = s.is_part ? gf_cells_grow(s.cells[0] + at + s.first_cell, s.cells[1] + at, s.own_cells,
                                                s.out[c].cells, k == 0 ? s.out[c].sums : s.out[c].squares)
                                : gf_cells_fold(s.cells[0] + at, s.cells[1] + at, s.n_cells, levels);
            __syncthreads(); /* the levels have been read */
        }
    }
    if (threadIdx.x == 0) {
        m = all[0];
        struct gf_stats_block *const out = &s.out[c];
        if (s.continues && out->count > 0) {
            gf_measure_least(m, gf_float_key(static_cast<float>(out->least)), out->at_least);
            gf_measure_greatest(m, gf_float_key(static_cast<float>(out->greatest)), out->at_greatest);
        }
        out->count = m.count + (s.continues ? out->count : 0);
        out->nan = m.nan + (s.continues ? out->nan : 0);
        out->sum_u = m.sum;
        out->square_u = m.square;
        out->sum_f = sums[0];
        out->square_f = sums[1];
        out->least = out->count == 0 ? 0.0 : static_cast<double>(gf_key_float(m.least));
        out->greatest = out->count == 0 ? 0.0 : static_cast<double>(gf_key_float(m.greatest));
        out->at_least = m.at_least;
        out->at_greatest = m.at_greatest;
        if (s.is_part) {
            out->cells += static_cast<uint64_t>(s.own_cells);
        }
    }
}

static int64_t gf_most_blocks(const struct gf_pass *pass, int64_t n_cells)
{
    const int64_t groups = (n_cells + GF_CELLS_AT_ONCE - 1) / GF_CELLS_AT_ONCE;
    const int64_t few = n_cells < GF_STATS_BLOCKS ? n_cells : int64_t(GF_STATS_BLOCKS);
    return pass->post.depth_out == GF_F32 && groups > few ? groups : few;
}

/* Lays out the scratch of one tap; returns its bytes. */
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

static size_t gf_stats_scratch(const struct gf_pass *pass)
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
    const size_t found = gf_counts_bytes(picture->channels), start = counts ? found : 0;
    const size_t end = found + gf_stats_of_counts_scratch(picture->channels);
    *taken = true;
    GF_CUDA_TRY(error,
                cudaMemsetAsync(static_cast<unsigned char *>(scratch) + start, 0, end - start, stream));
    if (!counts) {
        struct gf_hist_params h = {};
        h.counts = static_cast<uint64_t *>(scratch);
        h.bins = 256;
        h.mask = tap->mask;
        GF_TRY(gf_count_launch(lines, picture, &h, stream, taken, error));
        counts = h.counts;
    }
    return *taken ? gf_stats_of_counts_launch(lines, picture, counts, tap->mask,
                                              static_cast<unsigned char *>(scratch) + found,
                                              static_cast<struct gf_stats_block *>(out), stream, error)
                  : GF_OK;
}

/* Does a STATS tap take the kernel of tap_stats_f32_cuda.cu? */
static bool gf_stats_is_f32(const struct gf_pass *pass, const struct gf_tap *tap,
                            const struct gf_surface *picture)
{
    const bool is_part = pass->part.continues || pass->part.goes_on;
    return tap->roi == GF_NONE && picture->depth == GF_F32 && picture->channels == 1 &&
           gf_is_aligned(picture, 16) && (tap->mask & 1) != 0 && !is_part;
}

struct gf_stats_counting gf_stats_counting_of(const struct gf_run *run, const struct gf_surface *picture)
{
    const struct gf_pass *pass = run->pass;
    struct gf_stats_counting found = {GF_NONE, GF_NONE};
    for (int32_t i = pass->n_taps - 1; i >= 0; i--) { /* the first of each */
        const struct gf_tap *tap = &pass->taps[i];
        if (!gf_stats_is_f32(pass, tap, picture)) {
            continue;
        }
        if (tap->kernel->tap.cuda() == &gf_measure_cuda_stats) {
            found.stats = i;
        } else if (tap->kernel->tap.cuda() == &gf_measure_cuda_hist && tap->lo <= tap->hi &&
                   tap->bins <= GF_STATS_BINS) {
            found.hist = i;
        }
    }
    if (found.stats == GF_NONE || found.hist == GF_NONE) {
        found.stats = found.hist = GF_NONE;
    }
    return found;
}

/* f32 goes on from band to band. */
static void gf_stats_part(const struct gf_pass_part *part, struct gf_stats_params *s)
{
    s->is_part = part->continues || part->goes_on;
    if (s->is_part) {
        s->top = part->top;
        s->continues = part->continues;
        s->first_cell = part->own.first / GF_CELL_H * s->across;
        s->own_cells = (part->own.count + GF_CELL_H - 1) / GF_CELL_H * s->across;
    }
}

static gf_status gf_stats_launch(const struct gf_run *run, int32_t i, const struct gf_surface &picture,
                                 void *scratch, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_tap *tap = &pass->taps[i];
    const struct gf_rect roi = gf_tap_roi(pass, tap);
    const cudaStream_t stream = gf_run_stream(run);
    void *const out = run->taps[i];
    const int32_t counted = roi.w == 0 ? gf_tap_counts(pass, tap->mask) : GF_NONE;
    const uint64_t *counts = counted == GF_NONE ? nullptr : static_cast<const uint64_t *>(run->taps[counted]);
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
    if (picture.depth == GF_F32) {
        gf_stats_part(&pass->part, &s);
    }
    launch.block = dim3(GF_STATS_THREADS);
    launch.grid = dim3(static_cast<unsigned>(s.blocks));
    launch.stream = finish.stream = stream;
    finish.block = dim3(GF_FOLD_THREADS);
    finish.grid = dim3(static_cast<unsigned>(picture.channels));
    if (gf_stats_is_f32(pass, tap, &picture)) {
        const struct gf_stats_counting counting = gf_stats_counting_of(run, &picture);
        struct gf_hist_params h = {};
        if (counting.stats == i) {
            h = gf_hist_params_make(run, counting.hist);
        }
        GF_TRY(gf_stats_f32_launch(pass, &picture, &s, counting.stats == i ? &h : nullptr, stream, error));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_stats_cells, launch, picture, pass->width, pass->height, s));
    }
    GF_CUDA_TRY(error, GF_LAUNCH(gf_stats_finish, finish, picture.depth, s));
    return GF_OK;
}

const struct gf_cuda_measure gf_measure_cuda_stats = {gf_stats_launch, gf_stats_scratch, false};
