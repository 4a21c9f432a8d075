/* match on CUDA, a band of rows of the result after the other. One kernel adds up columns of samples and of
 * their squares, another makes the sums of products; the third adds up columns along rows and makes scores.
 */
#include "base/device_scope_cuda.h"
#include "base/gf_atomic.h"
#include "pixel/cuda/solve_cuda.cuh"
#include "pixel/whole/match/match_products_cuda.cuh"
#include "pixel/whole/match/match_score.h"

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
    const int64_t wide = p.across / p.channels; /* pixels */
    uint64_t squares = 0;
    for (int c = 0; c < p.channels; c++) {
        uint64_t sum = 0;
        for (int64_t i = own; i < wide * p.down; i += GF_MATCH_THREADS) {
            const int64_t y = i / wide, x = i - y * wide;
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
        p.t->n = static_cast<uint64_t>(wide * p.down);
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

enum { GF_MATCH_AHEAD = 8 }; /* rows of columns that are read at once */

/* Four samples of n rows from `row` on, 0 beyond the end of a row: bytes in x, words of two in x and y. */
template <class T>
GF_DEVICE_FN void gf_match_take(const struct gf_match_params &p, int64_t row, int n, int64_t at,
                                uint2 (&v)[GF_MATCH_AHEAD])
{
    GF_UNROLL
    for (int k = 0; k < GF_MATCH_AHEAD; k++) {
        const char *const from = p.in + (row + (k < n ? k : n - 1)) * p.in_pitch;
        const uint32_t low = gf_match_four(p, from, at, p.samples, 0);
        const uint32_t high = sizeof(T) == 1 ? 0 : gf_match_four(p, from, at, p.samples, 1);
        v[k] = sizeof(T) == 1
                   ? make_uint2(low, 0)
                   : make_uint2(gf_byte_perm(low, high, 0x5140U), gf_byte_perm(low, high, 0x7362U));
    }
}

/* SIGN: 1 to add, -1 to take away. */
template <class T, class S, int SIGN>
GF_DEVICE_FN void gf_match_add(const uint2 &words, S (&sums)[4], S (&squares)[4])
{
    GF_UNROLL
    for (int i = 0; i < 4; i++) {
        const S v =
            sizeof(T) == 1 ? words.x >> 8 * i & 255U : (i < 2 ? words.x : words.y) >> 16 * (i % 2) & 65535U;
        sums[i] = SIGN > 0 ? sums[i] + v : sums[i] - v;
        squares[i] = SIGN > 0 ? squares[i] + v * v : squares[i] - v * v;
    }
}

template <class S> GF_DEVICE_FN void gf_match_put(void *plane, int64_t at, const S (&v)[4])
{
    uint4 *to = reinterpret_cast<uint4 *>(static_cast<S *>(plane) + at);
    uint4 four[sizeof(S) / 4];
    memcpy(four, v, sizeof v);
    GF_UNROLL
    for (unsigned i = 0; i < sizeof(S) / 4; i++) {
        to[i] = four[i];
    }
}

/* A thread has four columns of samples and p.chunk rows of the band. */
template <class T, class S>
static __global__ void __launch_bounds__(GF_MATCH_THREADS) gf_match_columns(const struct gf_match_params p)
{
    const int64_t x = (int64_t(blockIdx.x) * GF_MATCH_THREADS + threadIdx.x) * 4;
    const int64_t y0 = int64_t(blockIdx.y) * p.chunk;
    const int64_t end = y0 + p.chunk < p.rows ? y0 + p.chunk : p.rows;
    S sums[4] = {}, squares[4] = {};
    uint2 comes[GF_MATCH_AHEAD], goes[GF_MATCH_AHEAD];
    if (x >= p.samples) {
        return;
    }
    for (int64_t y = 0; y < p.down - 1; y += GF_MATCH_AHEAD) {
        const int n = p.down - 1 - y < GF_MATCH_AHEAD ? static_cast<int>(p.down - 1 - y) : GF_MATCH_AHEAD;
        gf_match_take<T>(p, p.first + y0 + y, n, x, comes);
        GF_UNROLL
        for (int k = 0; k < GF_MATCH_AHEAD; k++) {
            if (k < n) {
                gf_match_add<T, S, 1>(comes[k], sums, squares);
            }
        }
    }
    for (int64_t y = y0; y < end; y += GF_MATCH_AHEAD) {
        const int n = end - y < GF_MATCH_AHEAD ? static_cast<int>(end - y) : GF_MATCH_AHEAD;
        gf_match_take<T>(p, p.first + y + p.down - 1, n, x, comes);
        gf_match_take<T>(p, p.first + y, n, x, goes);
        GF_UNROLL
        for (int k = 0; k < GF_MATCH_AHEAD; k++) {
            if (k < n) {
                gf_match_add<T, S, 1>(comes[k], sums, squares);
                gf_match_put(p.sums, (y + k) * p.wide + x, sums);
                gf_match_put(p.squares, (y + k) * p.wide + x, squares);
                gf_match_add<T, S, -1>(goes[k], sums, squares);
            }
        }
    }
}

/* Makes each of n elements, `stride` apart, the sum of those up to it, by a block. */
template <class S> GF_DEVICE_FN void gf_match_along(S *row, int64_t n, int stride, S *warps)
{
    S before = 0, total = 0;
    for (int64_t i0 = 0; i0 < n; i0 += 4 * GF_SOLVE_THREADS) {
        const int64_t own = i0 + 4 * threadIdx.x;
        S v[4], sum = 0;
        GF_UNROLL
        for (int i = 0; i < 4; i++) {
            sum += own + i < n ? row[(own + i) * stride] : 0;
            v[i] = sum;
        }
        const S left = before + gf_solve_scan(sum, warps, &total);
        GF_UNROLL
        for (int i = 0; i < 4; i++) {
            if (own + i < n) {
                row[(own + i) * stride] = left + v[i];
            }
        }
        before += total;
    }
}

/* A block has a row of the band. */
template <class S>
static __global__ void __launch_bounds__(GF_SOLVE_THREADS)
    gf_match_rows_of_columns(const struct gf_match_params p)
{
    GF_SHARED(S, warps, GF_SOLVE_WARPS);
    const int64_t row = blockIdx.x * p.wide;
    for (int c = 0; c < p.channels; c++) {
        gf_match_along(static_cast<S *>(p.sums) + row + c, p.samples / p.channels, p.channels, warps);
    }
    gf_match_along(static_cast<S *>(p.squares) + row, p.samples, 1, warps);
}

/* A thread has a place. */
template <class S>
static __global__ void __launch_bounds__(GF_SOLVE_THREADS) gf_match_scores(const struct gf_match_params p)
{
    using word = typename std::conditional<sizeof(S) == 4, uint64_t, gf_match_wide>::type;
    using number = typename std::conditional<sizeof(S) == 4, int64_t, gf_match_int>::type;
    const int64_t y = blockIdx.y, place = int64_t(blockIdx.x) * GF_SOLVE_THREADS + threadIdx.x;
    const S *const sums = static_cast<const S *>(p.sums) + y * p.wide;
    const S *const squares = static_cast<const S *>(p.squares) + y * p.wide;
    if (place >= p.places) {
        return;
    }
    const gf_match_wide b = static_cast<gf_match_wide>(p.t->b[1]) << 64 | p.t->b[0];
    const double own_b = gf_match_double(b);
    const int64_t from = place * p.channels, end = from + p.across; /* samples */
    word both = 0, own = 0;
    for (int c = 0; c < p.channels; c++) {
        const S sum = sums[end - p.channels + c] - (place > 0 ? sums[from - p.channels + c] : 0);
        both += static_cast<word>(sum) * p.t->sum[c];
        own += static_cast<word>(sum) * sum;
    }
    const S square = squares[end - 1] - (place > 0 ? squares[from - 1] : 0);
    const S product = static_cast<const S *>(p.products)[y * p.pitch + place];
    const number n = static_cast<number>(static_cast<word>(p.t->n) * product - both);
    const word a = static_cast<word>(p.t->n) * square - own;
    float score = 0;
    if (sizeof(S) > 4) {
        score = gf_match_score(n, a, b);
    } else if (n != 0 && a != 0 && own_b != 0) {
        const uint64_t size = static_cast<uint64_t>(n < 0 ? -n : n);
        const double quotient = static_cast<double>(size) / gf_sqrt_double(static_cast<double>(a) * own_b);
        score = gf_match_round(quotient, size, a, b);
        score = n < 0 ? -score : score;
    }
    reinterpret_cast<float *>(p.out + (p.first + y) * p.out_pitch)[place] = score;
}

/* What does not depend on where pictures and scratch lie. */
static struct gf_match_params gf_match_shape(const struct gf_apply_run *run)
{
    const struct gf_value *in = &run->in_values[0], *by = &run->in_values[1];
    struct gf_match_params p = {};
    p.channels = in->channels;
    p.two = in->depth != GF_U8;
    p.samples = in->width * in->channels;
    p.across = by->width * in->channels;
    p.down = by->height;
    p.places = in->width - by->width + 1;
    p.chunk = p.down < 64 ? 16 : p.down / 4 < GF_MATCH_BAND ? p.down / 4 : int64_t(GF_MATCH_BAND);
    p.wide = (p.samples + 3) / 4 * 4;
    p.pitch = (p.places + GF_MATCH_TILE_W - 1) / GF_MATCH_TILE_W * GF_MATCH_TILE_W;
    p.narrow = !p.two && p.across * p.down <= GF_MATCH_NARROW;
    return p;
}

/* Bytes of a band: of sums, the same of squares, and of products. */
static size_t gf_match_plane(const struct gf_match_params &p, int64_t wide)
{
    return (static_cast<size_t>(GF_MATCH_BAND * wide) * (p.narrow ? 4 : 8) + 255) / 256 * 256;
}

size_t gf_match_cuda_scratch(const struct gf_apply_run *run)
{
    const struct gf_match_params p = gf_match_shape(run);
    return 256 + 2 * gf_match_plane(p, p.wide) + gf_match_plane(p, p.pitch);
}

template <int C>
static cudaError_t gf_match_multiply_band(struct gf_launch launch, const struct gf_match_params &p)
{
    launch.shared = static_cast<size_t>(gf_match_seen<C>::PITCH * gf_match_seen<C>::ROWS);
    launch.grid = dim3(gf_blocks(p.places, GF_MATCH_TILE_W), gf_blocks(p.rows, GF_MATCH_TILE_H));
    return GF_LAUNCH((gf_match_products<C>), launch, p);
}

template <class T, class S>
static gf_status gf_match_bands(const struct gf_apply_run *run, struct gf_match_params p, gf_error *error)
{
    struct gf_launch launch = {};
    launch.stream = static_cast<cudaStream_t>(run->queue.stream);
    launch.block = dim3(GF_MATCH_THREADS);
    launch.grid = dim3(1);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_match_template_sums<T>), launch, p));
    for (p.first = 0; p.first < run->out_values[0].height; p.first += GF_MATCH_BAND) {
        const int64_t left = run->out_values[0].height - p.first;
        p.rows = left < GF_MATCH_BAND ? left : int64_t(GF_MATCH_BAND);
        launch.block = dim3(GF_MATCH_THREADS);
        launch.grid = dim3(gf_blocks(p.wide / 4, GF_MATCH_THREADS), gf_blocks(p.rows, p.chunk));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_match_columns<T, S>), launch, p));
        GF_CUDA_TRY(error, p.channels == 1 ? gf_match_multiply_band<1>(launch, p)
                                           : gf_match_multiply_band<3>(launch, p));
        launch.block = dim3(GF_SOLVE_THREADS);
        launch.grid = dim3(static_cast<unsigned>(p.rows));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_match_rows_of_columns<S>), launch, p));
        launch.grid = dim3(gf_blocks(p.places, GF_SOLVE_THREADS), static_cast<unsigned>(p.rows));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_match_scores<S>), launch, p));
    }
    return GF_OK;
}

gf_status gf_match_cuda(const struct gf_apply_run *run, gf_error *error)
{
    GF_ON_DEVICE(run->queue.device, error)
    struct gf_match_params p = gf_match_shape(run);
    char *scratch = static_cast<char *>(run->scratch);
    p.in = static_cast<const char *>(run->in[0].data);
    p.by = static_cast<const char *>(run->in[1].data);
    p.out = static_cast<char *>(run->out[0].data);
    p.in_pitch = run->in[0].pitch;
    p.by_pitch = run->in[1].pitch;
    p.out_pitch = run->out[0].pitch;
    p.words = (reinterpret_cast<uintptr_t>(p.in) | reinterpret_cast<uintptr_t>(p.by) |
               static_cast<uintptr_t>(p.in_pitch) | static_cast<uintptr_t>(p.by_pitch)) %
                  4 ==
              0;
    p.t = reinterpret_cast<struct gf_match_template *>(scratch);
    p.sums = scratch + 256;
    p.squares = scratch + 256 + gf_match_plane(p, p.wide);
    p.products = scratch + 256 + 2 * gf_match_plane(p, p.wide);
    return p.two      ? gf_match_bands<uint16_t, uint64_t>(run, p, error)
           : p.narrow ? gf_match_bands<uint8_t, uint32_t>(run, p, error)
                      : gf_match_bands<uint8_t, uint64_t>(run, p, error);
}
