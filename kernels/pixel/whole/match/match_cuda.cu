/* match on CUDA, a band of rows of the result after the other. One kernel adds up the rows of columns, with
 * their squares; one multiplies, tile by tile, with pieces of picture and template in shared memory, bytes
 * four at a time; one adds up columns along rows and makes scores. */
#include "base/device_scope_cuda.h"
#include "base/gf_atomic.h"
#include "pixel/whole/match/match.h"
#include "pixel/whole/match/match_score.h"

enum {
    GF_MATCH_BAND = 128,   /* rows */
    GF_MATCH_CHUNK = 32,   /* rows, or columns, over which a thread's sums slide */
    GF_MATCH_TILE = 32,    /* places, across and down */
    GF_MATCH_DEEP = 4,     /* rows of places a thread */
    GF_MATCH_PIECE_W = 64, /* samples of the template, a multiple of 4 */
    GF_MATCH_PIECE_H = 16,
    GF_MATCH_THREADS = GF_MATCH_TILE * GF_MATCH_TILE / GF_MATCH_DEEP,
    GF_MATCH_SEEN_W = GF_MATCH_TILE * GF_MATCH_CHANNELS + GF_MATCH_PIECE_W, /* samples of the picture */
    GF_MATCH_SEEN_H = GF_MATCH_TILE + GF_MATCH_PIECE_H - 1,
    GF_MATCH_BY_H = GF_MATCH_PIECE_H + 2 * (GF_MATCH_DEEP - 1) /* rows of 0 around the piece */
};

struct gf_match_params {
    const char *in, *by;
    char *out;
    int64_t in_pitch, by_pitch, out_pitch;
    int64_t width, across, down, places; /* of the picture, the template twice, the result's width */
    int64_t first, rows;                 /* of the result */
    int channels;
    struct gf_match_template *t;
    uint64_t *columns;  /* by row, column and channel, squares behind */
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

/* Lays down the piece of the template from sample i, row j on, and what the tile from (x, y) on sees of the
 * picture there; 0 beyond either. */
template <class T>
GF_DEVICE_FN void gf_match_load(const struct gf_match_params &p, int64_t x, int64_t y, int64_t i, int64_t j,
                                T *seen, T *by)
{
    for (int k = static_cast<int>(threadIdx.x); k < GF_MATCH_SEEN_W * GF_MATCH_SEEN_H;
         k += GF_MATCH_THREADS) {
        const int64_t row = p.first + y + j + k / GF_MATCH_SEEN_W;
        const int64_t at = x * p.channels + i + k % GF_MATCH_SEEN_W;
        const bool is = row < p.first + p.rows + p.down - 1 && at < p.width * p.channels;
        seen[k] = is ? gf_match_in<T>(p, 0, row)[at] : T(0);
    }
    for (int k = static_cast<int>(threadIdx.x); k < GF_MATCH_PIECE_W * GF_MATCH_BY_H; k += GF_MATCH_THREADS) {
        const int r = k / GF_MATCH_PIECE_W - (GF_MATCH_DEEP - 1);
        const int64_t row = j + r, at = i + k % GF_MATCH_PIECE_W;
        const bool is = r >= 0 && r < GF_MATCH_PIECE_H - GF_FAULT(cuda_match_piece) && row < p.down &&
                        at < p.across * p.channels;
        by[k] = is ? reinterpret_cast<const T *>(p.by + row * p.by_pitch)[at] : T(0);
    }
}

/* Adds the products of a piece to the sums of a thread's places, which begin at that sample and row of what
 * the tile sees. A row of it meets GF_MATCH_DEEP rows of the template. */
template <class T>
GF_DEVICE_FN void gf_match_multiply(const T *seen, const T *by, int at, int row, uint64_t *sums)
{
    for (int r = 0; r < GF_MATCH_PIECE_H + GF_MATCH_DEEP - 1; r++) {
        const T *from = seen + (row + r) * GF_MATCH_SEEN_W + at;
        const T *with = by + (r + GF_MATCH_DEEP - 1) * GF_MATCH_PIECE_W;
        if constexpr (sizeof(T) == 1) {
            const uint32_t *words = reinterpret_cast<const uint32_t *>(from - at % 4);
            const uint32_t shift = 8U * static_cast<uint32_t>(at % 4);
            uint32_t part[GF_MATCH_DEEP] = {}, next = words[0];
            for (int k = 0; k < GF_MATCH_PIECE_W / 4; k++) {
                const uint32_t low = next;
                next = words[k + 1];
                const uint32_t four = gf_funnel_right(low, next, shift);
                GF_UNROLL
                for (int q = 0; q < GF_MATCH_DEEP; q++) {
                    const uint32_t *other = reinterpret_cast<const uint32_t *>(with - q * GF_MATCH_PIECE_W);
                    part[q] = gf_dp4a_u(four, other[k], part[q]);
                }
            }
            GF_UNROLL
            for (int q = 0; q < GF_MATCH_DEEP; q++) {
                sums[q] += part[q];
            }
        } else {
            for (int k = 0; k < GF_MATCH_PIECE_W; k++) {
                const uint32_t v = from[k];
                GF_UNROLL
                for (int q = 0; q < GF_MATCH_DEEP; q++) {
                    sums[q] += v * static_cast<uint32_t>((with - q * GF_MATCH_PIECE_W)[k]);
                }
            }
        }
    }
}

template <class T>
static __global__ void __launch_bounds__(GF_MATCH_THREADS) gf_match_products(const struct gf_match_params p)
{
    GF_SHARED(T, seen, GF_MATCH_SEEN_W * GF_MATCH_SEEN_H);
    GF_SHARED(T, by, GF_MATCH_PIECE_W * GF_MATCH_BY_H);
    const int column = static_cast<int>(threadIdx.x) % GF_MATCH_TILE;
    const int row = static_cast<int>(threadIdx.x) / GF_MATCH_TILE * GF_MATCH_DEEP;
    const int64_t x = int64_t(blockIdx.x) * GF_MATCH_TILE, y = int64_t(blockIdx.y) * GF_MATCH_TILE;
    uint64_t sums[GF_MATCH_DEEP] = {};
    for (int64_t j = 0; j < p.down; j += GF_MATCH_PIECE_H) {
        for (int64_t i = 0; i < p.across * p.channels; i += GF_MATCH_PIECE_W) {
            gf_match_load<T>(p, x, y, i, j, seen, by);
            __syncthreads();
            gf_match_multiply<T>(seen, by, column * p.channels, row, sums);
            __syncthreads(); /* before the next piece is laid down */
        }
    }
    GF_UNROLL
    for (int q = 0; q < GF_MATCH_DEEP; q++) {
        if (x + column < p.places && y + row + q < p.rows) {
            p.products[(y + row + q) * p.places + x + column] = sums[q];
        }
    }
}

/* A thread has GF_MATCH_CHUNK places of a row. */
static __global__ void __launch_bounds__(GF_MATCH_THREADS) gf_match_scores(const struct gf_match_params p)
{
    const int64_t chunks = (p.places + GF_MATCH_CHUNK - 1) / GF_MATCH_CHUNK;
    const int64_t unit = int64_t(blockIdx.x) * GF_MATCH_THREADS + threadIdx.x;
    const int64_t y = unit / chunks, x0 = (unit - y * chunks) * GF_MATCH_CHUNK;
    const int64_t end = x0 + GF_MATCH_CHUNK < p.places ? x0 + GF_MATCH_CHUNK : p.places;
    uint64_t sums[GF_MATCH_CHANNELS + 1] = {};
    if (y >= p.rows) {
        return;
    }
    const gf_match_wide b = static_cast<gf_match_wide>(p.t->b[1]) << 64 | p.t->b[0];
    const uint64_t *const row = p.columns + y * p.width * (p.channels + 1);
    for (int64_t x = x0; x < end + p.across - 1; x++) {
        GF_UNROLL
        for (int c = 0; c <= GF_MATCH_CHANNELS; c++) {
            if (c <= p.channels) {
                sums[c] += row[x * (p.channels + 1) + c];
            }
        }
        const int64_t place = x - (p.across - 1);
        if (place < x0) {
            continue;
        }
        gf_match_wide both = 0, own = 0;
        uint64_t squares = 0;
        GF_UNROLL
        for (int c = 0; c <= GF_MATCH_CHANNELS; c++) {
            if (c < p.channels) {
                both += static_cast<gf_match_wide>(sums[c]) * p.t->sum[c];
                own += static_cast<gf_match_wide>(sums[c]) * sums[c];
            }
            squares = c == p.channels ? sums[c] : squares;
            if (c <= p.channels) {
                sums[c] -= row[place * (p.channels + 1) + c];
            }
        }
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
        launch.grid = dim3(gf_blocks(p.width, GF_MATCH_THREADS), gf_blocks(p.rows, GF_MATCH_CHUNK));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_match_columns<T>), launch, p));
        launch.grid = dim3(gf_blocks(p.places, GF_MATCH_TILE), gf_blocks(p.rows, GF_MATCH_TILE));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_match_products<T>), launch, p));
        launch.grid =
            dim3(gf_blocks((p.places + GF_MATCH_CHUNK - 1) / GF_MATCH_CHUNK * p.rows, GF_MATCH_THREADS));
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
