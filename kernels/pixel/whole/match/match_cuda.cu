/* match on CUDA, a band of rows of the result after the other. One kernel adds up the rows of columns, with
 * their squares; one multiplies on tensor cores; one adds up columns along rows and makes scores.
 *
 * A row of the template, times the rows of the picture that it may lie on, is a product of matrices: sixteen
 * rows of 32 samples, less 128 so that they are signed, times those of the template that belong to them at
 * eight places beside each other. Samples of u16 are two digits of a byte, so there are four products. All
 * sums are exact. */
#include "base/device_scope_cuda.h"
#include "base/gf_atomic.h"
#include "pixel/cuda/solve_cuda.cuh"
#include "pixel/whole/match/match.h"
#include "pixel/whole/match/match_score.h"

enum {
    GF_MATCH_BAND = 512,       /* rows */
    GF_MATCH_CHUNK = 32,       /* rows over which a thread's sums slide */
    GF_MATCH_THREADS = 128,    /* four warps, which make a tile of places: two beside each other, two below */
    GF_MATCH_PARTS_DOWN = 4,   /* of a warp, of 16 rows, */
    GF_MATCH_PARTS_ACROSS = 4, /* and of 8 places */
    GF_MATCH_WARP_H = 16 * GF_MATCH_PARTS_DOWN,  /* places of a warp, down */
    GF_MATCH_WARP_W = 8 * GF_MATCH_PARTS_ACROSS, /* and across */
    GF_MATCH_STEP = 32,                          /* samples of a product */
    GF_MATCH_PIECE_W = 64,                       /* samples of the template that lie in shared memory, */
    GF_MATCH_PIECE_H = 16,                       /* and their rows */
    GF_MATCH_PIECES = 64,                        /* products of 2^16 samples fit s32: 2^16 128 255 < 2^31 */
    GF_MATCH_SEEN_H = 2 * GF_MATCH_WARP_H + GF_MATCH_PIECE_H - 1,
    GF_MATCH_BEFORE = 48,                                       /* bytes of 0 before a piece, */
    GF_MATCH_BY = (GF_MATCH_BEFORE + GF_MATCH_PIECE_W + 48) / 4 /* words with those, and 0 behind it */
};

struct gf_match_params {
    const char *in, *by;
    char *out;
    int64_t in_pitch, by_pitch, out_pitch;
    int64_t width, across, down, places; /* of the picture, the template twice, the result's width */
    int64_t first, rows;                 /* of the result */
    int channels;
    struct gf_match_template *t;
    uint64_t *columns;  /* by row, column and channel, squares behind; then sums of them along rows */
    uint64_t *products; /* by row and column */
};

template <class T> GF_DEVICE_FN const T *gf_match_in(const struct gf_match_params &p, int64_t x, int64_t y)
{
    return reinterpret_cast<const T *>(p.in + y * p.in_pitch) + x * p.channels;
}

/* One block: what is known of the template. */
template <class T>
static __global__ void __launch_bounds__(GF_MATCH_THREADS)
    gf_match_template_sums(const struct gf_match_params p)
{
    GF_SHARED(uint64_t, sums, GF_MATCH_CHANNELS + 1);
    const int own = static_cast<int>(threadIdx.x);
    if (own <= GF_MATCH_CHANNELS) {
        sums[own] = 0;
    }
    __syncthreads();
    uint64_t squares = 0;
    for (int c = 0; c < p.channels; c++) {
        uint64_t sum = 0;
        for (int64_t i = own; i < p.across * p.down; i += GF_MATCH_THREADS) {
            const int64_t y = i / p.across, x = i - y * p.across;
            const uint64_t v = reinterpret_cast<const T *>(p.by + y * p.by_pitch)[x * p.channels + c];
            sum += v;
            squares += v * v;
        }
        gf_atomic_add(&sums[c], sum);
    }
    gf_atomic_add(&sums[GF_MATCH_CHANNELS], squares);
    __syncthreads();
    if (own == 0) {
        gf_match_wide all = 0;
        p.t->n = static_cast<uint64_t>(p.across * p.down);
        for (int c = 0; c < p.channels; c++) {
            p.t->sum[c] = sums[c];
            all += static_cast<gf_match_wide>(sums[c]) * sums[c];
        }
        const gf_match_wide b =
            static_cast<gf_match_wide>(gf_match_difference(p.t->n, sums[GF_MATCH_CHANNELS], all));
        p.t->b[0] = static_cast<uint64_t>(b);
        p.t->b[1] = static_cast<uint64_t>(b >> 64);
    }
}

/* A thread has a column and GF_MATCH_CHUNK rows of the band. */
template <class T>
static __global__ void __launch_bounds__(GF_MATCH_THREADS) gf_match_columns(const struct gf_match_params p)
{
    const int64_t x = int64_t(blockIdx.x) * GF_MATCH_THREADS + threadIdx.x;
    const int64_t y0 = int64_t(blockIdx.y) * GF_MATCH_CHUNK;
    const int64_t end = y0 + GF_MATCH_CHUNK < p.rows ? y0 + GF_MATCH_CHUNK : p.rows;
    uint64_t sums[GF_MATCH_CHANNELS + 1] = {};
    if (x >= p.width) {
        return;
    }
    const auto add = [&](int64_t y, bool comes) {
        const T *v = gf_match_in<T>(p, x, p.first + y);
        GF_UNROLL
        for (int c = 0; c < GF_MATCH_CHANNELS; c++) {
            if (c < p.channels) {
                const uint64_t sample = v[c];
                sums[c] += comes ? sample : 0 - sample;
                sums[GF_MATCH_CHANNELS] += comes ? sample * sample : 0 - sample * sample;
            }
        }
    };
    for (int64_t y = y0; y < y0 + p.down - 1; y++) {
        add(y, true);
    }
    for (int64_t y = y0; y < end; y++) {
        add(y + p.down - 1, true);
        uint64_t *to = p.columns + (y * p.width + x) * (p.channels + 1);
        GF_UNROLL
        for (int c = 0; c < GF_MATCH_CHANNELS; c++) {
            if (c < p.channels) {
                to[c] = sums[c];
            }
        }
        to[p.channels] = sums[GF_MATCH_CHANNELS];
        add(y, false);
    }
}

/* Bytes from row to row of what a tile sees of the picture, so that eight rows lie in different banks. */
GF_HD int gf_match_pitch(int channels)
{
    const int most = GF_MATCH_PIECE_W + (GF_MATCH_WARP_W - 1) * channels;
    return GF_MATCH_WARP_W * channels + (most + GF_MATCH_STEP - 1) / GF_MATCH_STEP * GF_MATCH_STEP + 16;
}

/* A byte each of four samples from `at` on, 0 from `end` on: the lower one, or the higher. */
template <class T> GF_DEVICE_FN uint32_t gf_match_four(const T *row, int64_t at, int64_t end, int higher)
{
    const uint32_t *words = reinterpret_cast<const uint32_t *>(row + at);
    uint32_t four = 0;
    if (at + 4 <= end && reinterpret_cast<uintptr_t>(words) % 4 == 0) {
        return sizeof(T) == 1 ? words[0] : gf_byte_perm(words[0], words[1], higher ? 0x7531u : 0x6420u);
    }
    for (int i = 0; i < 4 && at + i < end; i++) {
        four |= (static_cast<uint32_t>(row[at + i]) >> 8 * higher & 255U) << 8 * i;
    }
    return four;
}

/* Lays down the piece of the template from sample i, row j on, and what the tile from (x, y) on sees of the
 * picture there, less 128; 0 beyond the template. digits: which byte of the picture, times 2, and of the
 * template. */
template <class T>
GF_DEVICE_FN void gf_match_load(const struct gf_match_params &p, int64_t x, int64_t y, int64_t i, int64_t j,
                                int digits, unsigned char *seen, uint32_t *piece)
{
    const int pitch = gf_match_pitch(p.channels);
    for (int r = static_cast<int>(gf_warp()); r < GF_MATCH_SEEN_H; r += GF_MATCH_THREADS / GF_WARP) {
        const bool is = y + j + r < p.rows + p.down - 1;
        const T *row = gf_match_in<T>(p, 0, p.first + (is ? y + j + r : 0));
        for (int w = static_cast<int>(gf_lane()); w < pitch / 4 - 4; w += GF_WARP) {
            const int64_t end = is ? p.width * p.channels : 0;
            const uint32_t four = gf_match_four(row, x * p.channels + i + 4 * w, end, digits / 2);
            *reinterpret_cast<uint32_t *>(seen + r * pitch + 4 * w) = four ^ 0x80808080U;
        }
    }
    for (int k = static_cast<int>(threadIdx.x); k < GF_MATCH_PIECE_H * GF_MATCH_PIECE_W / 4;
         k += GF_MATCH_THREADS) {
        const int64_t row = j + k / (GF_MATCH_PIECE_W / 4), at = i + k % (GF_MATCH_PIECE_W / 4) * 4;
        piece[k] = row < p.down ? gf_match_four(reinterpret_cast<const T *>(p.by + row * p.by_pitch), at,
                                                p.across * p.channels, digits % 2)
                                : 0;
    }
}

/* A row of the piece four times, with 0 around it: copy c begins with its byte c. */
GF_DEVICE_FN void gf_match_copies(const uint32_t *piece, uint32_t *by)
{
    for (int k = static_cast<int>(threadIdx.x); k < GF_MATCH_PIECE_H * 4 * GF_MATCH_BY;
         k += GF_MATCH_THREADS) {
        const int row = k / (4 * GF_MATCH_BY), copy = k / GF_MATCH_BY % 4;
        const int w = k % GF_MATCH_BY - GF_MATCH_BEFORE / 4, words = GF_MATCH_PIECE_W / 4;
        const uint32_t low = w >= 0 && w < words ? piece[row * words + w] : 0;
        const uint32_t high = w >= -1 && w + 1 < words ? piece[row * words + w + 1] : 0;
        by[k] = gf_funnel_right(low, high, 8U * static_cast<uint32_t>(copy));
    }
}

typedef int32_t gf_match_sums[GF_MATCH_PARTS_DOWN][GF_MATCH_PARTS_ACROSS][4];

/* Adds the products of a piece of `rows` rows of `wide` samples to the sums of a warp's places, whose first
 * sample is at `seen`. */
GF_DEVICE_FN void gf_match_multiply(const unsigned char *seen, const uint32_t *by, int channels, int rows,
                                    int wide, gf_match_sums &sums)
{
    const int lane = static_cast<int>(gf_lane()), pitch = gf_match_pitch(channels);
    const int off = GF_MATCH_BEFORE + lane % 4 * 4 - lane / 4 * channels; /* the sample at the lane's place */
    const unsigned char *from = seen + lane % 16 * pitch + lane / 16 * 16;
    const uint32_t *with = by + off % 4 * GF_MATCH_BY + off / 4;
    for (int r = 0; r < rows; r++, from += pitch, with += 4 * GF_MATCH_BY) {
        for (int k = 0; k < wide + (GF_MATCH_WARP_W - 1) * channels; k += GF_MATCH_STEP) {
            uint32_t a[GF_MATCH_PARTS_DOWN][4];
            GF_UNROLL
            for (int m = 0; m < GF_MATCH_PARTS_DOWN; m++) {
                gf_load_matrices(a[m], from + 16 * m * pitch + k);
            }
            GF_UNROLL
            for (int n = 0; n < GF_MATCH_PARTS_ACROSS; n++) {
                const int d = k - 8 * n * channels; /* of the template, at the part's first place */
                if (d > -GF_MATCH_STEP && d - 7 * channels < wide) {
                    GF_UNROLL
                    for (int m = 0; m < GF_MATCH_PARTS_DOWN; m++) {
                        gf_multiply_bytes_su(sums[m][n], a[m], with[d / 4], with[d / 4 + 4]);
                    }
                }
            }
        }
    }
}

/* Adds a warp's sums, shifted, to those of places from (x, y) on, and begins again; the first time with what
 * came of taking 128 from each sample. */
GF_DEVICE_FN void gf_match_keep(const struct gf_match_params &p, int64_t x, int64_t y, int shift, bool *first,
                                uint64_t left, gf_match_sums &sums)
{
    GF_UNROLL
    for (int m = 0; m < GF_MATCH_PARTS_DOWN; m++) {
        GF_UNROLL
        for (int n = 0; n < GF_MATCH_PARTS_ACROSS; n++) {
            GF_UNROLL
            for (int e = 0; e < 4; e++) {
                const int64_t row = y + 16 * m + gf_lane() / 4 + e / 2 * 8;
                const int64_t column = x + 8 * n + gf_lane() % 4 * 2 + e % 2;
                const uint64_t sum = static_cast<uint64_t>(static_cast<int64_t>(sums[m][n][e])) << shift;
                sums[m][n][e] = 0;
                if (row < p.rows && column < p.places) {
                    uint64_t *to = p.products + row * p.places + column;
                    *to = sum + (*first ? left : *to);
                }
            }
        }
    }
    *first = false;
}

template <class T>
static __global__ void __launch_bounds__(GF_MATCH_THREADS) gf_match_products(const struct gf_match_params p)
{
    GF_SHARED_DYN(unsigned char, seen);
    GF_SHARED(uint32_t, piece, GF_MATCH_PIECE_H * GF_MATCH_PIECE_W / 4);
    GF_SHARED(uint32_t, by, GF_MATCH_PIECE_H * 4 * GF_MATCH_BY);
    const int own_x = static_cast<int>(gf_warp()) % 2 * GF_MATCH_WARP_W;
    const int own_y = static_cast<int>(gf_warp()) / 2 * GF_MATCH_WARP_H;
    const int64_t x = int64_t(blockIdx.x) * 2 * GF_MATCH_WARP_W,
                  y = int64_t(blockIdx.y) * 2 * GF_MATCH_WARP_H;
    const unsigned char *const from = seen + own_y * gf_match_pitch(p.channels) + own_x * p.channels;
    const int64_t samples = p.across * p.channels;
    uint64_t left = 0;
    for (int c = 0; c < p.channels; c++) {
        left += p.t->sum[c] * (sizeof(T) == 1 ? 128 : 128 * 257);
    }
    gf_match_sums sums = {};
    bool first = true;
    for (int digits = 0; digits < (sizeof(T) == 1 ? 1 : 4); digits++) {
        const int shift = 8 * (digits / 2 + digits % 2);
        int pieces = 0;
        for (int64_t j = 0; j < p.down; j += GF_MATCH_PIECE_H) {
            for (int64_t i = 0; i < samples; i += GF_MATCH_PIECE_W) {
                const int most = GF_MATCH_PIECE_H - GF_FAULT(cuda_match_piece);
                const int rows = p.down - j < most ? static_cast<int>(p.down - j) : most;
                const int wide =
                    samples - i < GF_MATCH_PIECE_W ? static_cast<int>(samples - i) : GF_MATCH_PIECE_W;
                gf_match_load<T>(p, x, y, i, j, digits, seen, piece);
                __syncthreads();
                gf_match_copies(piece, by);
                __syncthreads();
                if (x + own_x < p.places && y + own_y < p.rows) {
                    gf_match_multiply(from, by, p.channels, rows, wide, sums);
                }
                __syncthreads(); /* before the next piece is laid down */
                pieces = (pieces + 1) % GF_MATCH_PIECES;
                if (pieces == 0) {
                    gf_match_keep(p, x + own_x, y + own_y, shift, &first, left, sums);
                }
            }
        }
        gf_match_keep(p, x + own_x, y + own_y, shift, &first, left, sums);
    }
}

/* Sums of columns of a row of the band from its first one on, in their place, by a block. */
GF_DEVICE_FN void gf_match_along(const struct gf_match_params &p, uint64_t *row, uint64_t *warps)
{
    uint64_t before[GF_MATCH_CHANNELS + 1] = {};
    for (int64_t x0 = 0; x0 < p.width; x0 += GF_SOLVE_THREADS) {
        const int64_t x = x0 + threadIdx.x;
        GF_UNROLL
        for (int c = 0; c <= GF_MATCH_CHANNELS; c++) {
            if (c > p.channels) {
                break;
            }
            uint64_t *at = row + x * (p.channels + 1) + c, total;
            const uint64_t own = x < p.width ? *at : 0;
            const uint64_t left = gf_solve_scan(own, warps, &total);
            if (x < p.width) {
                *at = before[c] + left + own;
            }
            before[c] += total;
        }
    }
    __syncthreads(); /* before others read them */
}

/* A block has a row, a thread places of it. */
static __global__ void __launch_bounds__(GF_SOLVE_THREADS) gf_match_scores(const struct gf_match_params p)
{
    GF_SHARED(uint64_t, warps, GF_SOLVE_WARPS);
    const int64_t y = blockIdx.x;
    uint64_t *const row = p.columns + y * p.width * (p.channels + 1);
    gf_match_along(p, row, warps);
    const gf_match_wide b = static_cast<gf_match_wide>(p.t->b[1]) << 64 | p.t->b[0];
    for (int64_t place = threadIdx.x; place < p.places; place += GF_SOLVE_THREADS) {
        const uint64_t *const end = row + (place + p.across - 1) * (p.channels + 1);
        const uint64_t *const before = place > 0 ? row + (place - 1) * (p.channels + 1) : nullptr;
        gf_match_wide both = 0, own = 0;
        for (int c = 0; c < p.channels; c++) {
            const uint64_t sum = end[c] - (before ? before[c] : 0);
            both += static_cast<gf_match_wide>(sum) * p.t->sum[c];
            own += static_cast<gf_match_wide>(sum) * sum;
        }
        const uint64_t squares = end[p.channels] - (before ? before[p.channels] : 0);
        const gf_match_int n = gf_match_difference(p.t->n, p.products[y * p.places + place], both);
        const gf_match_int a = gf_match_difference(p.t->n, squares, own);
        reinterpret_cast<float *>(p.out + (p.first + y) * p.out_pitch)[place] =
            gf_match_score(n, static_cast<gf_match_wide>(a), b);
    }
}

/* The first of the two parts of scratch, rounded up; the second are the products of a band. */
static size_t gf_match_columns_size(const struct gf_value *in)
{
    return (static_cast<size_t>(GF_MATCH_BAND * in->width * (in->channels + 1)) * sizeof(uint64_t) + 255) /
           256 * 256;
}

size_t gf_match_cuda_scratch(const struct gf_apply_run *run)
{
    return 256 + gf_match_columns_size(&run->in_values[0]) +
           static_cast<size_t>(GF_MATCH_BAND * run->out_values[0].width) * sizeof(uint64_t);
}

template <class T> static gf_status gf_match_run(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *in = &run->in_values[0], *out = &run->out_values[0];
    char *scratch = static_cast<char *>(run->scratch);
    struct gf_match_params p = {};
    p.in = static_cast<const char *>(run->in[0].data);
    p.by = static_cast<const char *>(run->in[1].data);
    p.out = static_cast<char *>(run->out[0].data);
    p.in_pitch = run->in[0].pitch;
    p.by_pitch = run->in[1].pitch;
    p.out_pitch = run->out[0].pitch;
    p.width = in->width;
    p.across = run->in_values[1].width;
    p.down = run->in_values[1].height;
    p.places = out->width;
    p.channels = in->channels;
    p.t = reinterpret_cast<struct gf_match_template *>(scratch);
    p.columns = reinterpret_cast<uint64_t *>(scratch + 256);
    p.products = reinterpret_cast<uint64_t *>(scratch + 256 + gf_match_columns_size(in));
    struct gf_launch launch = {};
    launch.stream = static_cast<cudaStream_t>(run->queue.stream);
    launch.block = dim3(GF_MATCH_THREADS);
    launch.grid = dim3(1);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_match_template_sums<T>), launch, p));
    for (p.first = 0; p.first < out->height; p.first += GF_MATCH_BAND) {
        p.rows = out->height - p.first < GF_MATCH_BAND ? out->height - p.first : int64_t(GF_MATCH_BAND);
        launch.block = dim3(GF_MATCH_THREADS);
        launch.shared = 0;
        launch.grid = dim3(gf_blocks(p.width, GF_MATCH_THREADS), gf_blocks(p.rows, GF_MATCH_CHUNK));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_match_columns<T>), launch, p));
        launch.shared = static_cast<size_t>(GF_MATCH_SEEN_H * gf_match_pitch(p.channels));
        launch.grid = dim3(gf_blocks(p.places, 2 * GF_MATCH_WARP_W), gf_blocks(p.rows, 2 * GF_MATCH_WARP_H));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_match_products<T>), launch, p));
        launch.block = dim3(GF_SOLVE_THREADS);
        launch.shared = 0;
        launch.grid = dim3(static_cast<unsigned>(p.rows));
        GF_CUDA_TRY(error, GF_LAUNCH(gf_match_scores, launch, p));
    }
    return GF_OK;
}

gf_status gf_match_cuda(const struct gf_apply_run *run, gf_error *error)
{
    GF_ON_DEVICE(run->queue.device, error)
    return run->in_values[0].depth == GF_U8 ? gf_match_run<uint8_t>(run, error)
                                            : gf_match_run<uint16_t>(run, error);
}
