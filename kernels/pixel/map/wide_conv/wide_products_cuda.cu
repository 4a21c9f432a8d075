/* "wide_conv" on CUDA: sums of products of bytes on tensor cores. One kernel cuts the weights into digits, in
 * the order in which lanes want them; the other lays down what a tile of places sees, once, and multiplies it
 * by all rows of weights. Channels are tiles of their own. */
#include "array/common/grid_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"
#include "pixel/cuda/byte_products_cuda.cuh"
#include "pixel/map/wide_conv/wide_put_cuda.cuh"

enum {
    GF_WIDE_PRODUCTS_THREADS = 128, /* two by two warps */
    GF_WIDE_PRODUCTS_W = 2 * GF_PRODUCTS_WARP_W
};

struct gf_wide_products {
    const char *in;
    char *out;
    const double *weights;
    uint2 *table; /* of each two rows, for each first weight, by 8 from -8 on, of each digit: lanes' words */
    int64_t in_pitch, out_pitch;
    int64_t in_width, in_rows, width, rows; /* pixels; rows in memory, the output's begin at in's first */
    int64_t tiles;                          /* beside each other */
    int channels, depth;                    /* depth of out */
    int pitch, seen, firsts, pairs;         /* bytes and rows in shared memory; of the table */
    int words, eights; /* whether rows may be read four bytes at a time, and bytes written eight at a time */
    struct gf_wide_conv_args args;
};

static int gf_wide_products_firsts(const struct gf_wide_conv_args *args)
{
    return (args->across + 6) / 8 + 2;
}

size_t gf_wide_products_scratch(const struct gf_wide_conv_args *args)
{
    return sizeof(uint2) * GF_WARP * size_t(gf_wide_products_firsts(args)) * size_t(args->digits) *
           size_t((args->down + 1) / 2);
}

/* Where the words of lane 0 lie. */
GF_DEVICE_FN int gf_wide_products_at(const struct gf_wide_products &p, int pair, int first, int digit)
{
    return ((pair * p.firsts + first / 8 + 1) * p.args.digits + digit) * GF_WARP;
}

/* A thread has a word, of one of two rows. */
static __global__ void __launch_bounds__(GF_WIDE_PRODUCTS_THREADS)
    gf_wide_products_digits(const struct gf_wide_products p)
{
    const int k = static_cast<int>(blockIdx.x) * GF_WIDE_PRODUCTS_THREADS + static_cast<int>(threadIdx.x);
    const int lane = k / 2 % GF_WARP, digit = k / 2 / GF_WARP % p.args.digits;
    const int place = k / 2 / GF_WARP / p.args.digits, row = place / p.firsts * 2 + k % 2;
    const int first = (place % p.firsts - 1) * 8 + lane % 4 * 4 - lane / 4;
    uint32_t word = 0;
    if (place >= p.firsts * p.pairs) {
        return;
    }
    for (int i = 0; i < 4; i++) {
        if (row < p.args.down && first + i >= 0 && first + i < p.args.across) {
            const double weight = p.weights[int64_t(row) * p.args.across + first + i];
            const int32_t own = gf_wide_conv_digit(static_cast<int64_t>(weight), digit);
            word |= (static_cast<uint32_t>(own) & 255U) << 8 * i;
        }
    }
    reinterpret_cast<uint32_t *>(p.table)[k] = word;
}

/* A sum as a double: it is below 2^51, and what digits add up to on the way is below 2^53, so no step rounds.
 */
template <int M, int K>
GF_DEVICE_FN double gf_wide_products_sum(const gf_products_sums<M, K> &sums, int m, int n, int e, double left)
{
    double sum = left;
    GF_UNROLL
    for (int k = 0; k < K; k++) {
        sum = fma(static_cast<double>(int64_t(1) << 8 * k), static_cast<double>(sums.of[k][m][n][e]), sum);
    }
    return sum;
}

/* Four lanes have two bytes each of eight places of four parts: lane t gets all eight of part t. */
GF_DEVICE_FN uint2 gf_wide_products_turn(const uint32_t (&pairs)[GF_PRODUCTS_ACROSS])
{
    const bool right = gf_lane() & 2, odd = gf_lane() & 1;
    const uint32_t a = gf_byte_perm(pairs[0], pairs[1], 0x5410), b = gf_byte_perm(pairs[2], pairs[3], 0x5410);
    const uint32_t came = gf_shfl_xor(right ? a : b, 2), own = right ? b : a;
    const uint32_t low = right ? came : own, high = right ? own : came;
    const uint32_t even_part = gf_byte_perm(low, high, 0x5410), odd_part = gf_byte_perm(low, high, 0x7632);
    const uint32_t mine = odd ? odd_part : even_part, other = gf_shfl_xor(odd ? even_part : odd_part, 1);
    const uint32_t even = odd ? other : mine, odds = odd ? mine : other; /* places 0, 1, 4, 5; 2, 3, 6, 7 */
    return make_uint2(gf_byte_perm(even, odds, 0x5410), gf_byte_perm(even, odds, 0x7632));
}

/* Rounds a warp's sums, whose first place is (x, y), to bytes that lie side by side. */
template <int M, int K>
GF_DEVICE_FN void gf_wide_products_bytes(const struct gf_wide_products &p, int64_t x, int64_t y, double left,
                                         const gf_products_sums<M, K> &sums)
{
    y += gf_lane() / 4;
    char *to = p.out + y * p.out_pitch + x + gf_lane() % 4 * 8;
    GF_UNROLL
    for (int i = 0; i < 2 * M; i++) {
        uint32_t pairs[GF_PRODUCTS_ACROSS];
        GF_UNROLL
        for (int n = 0; n < GF_PRODUCTS_ACROSS; n++) {
            const double a = gf_wide_products_sum(sums, i / 2, n, i % 2 * 2, left);
            const double b = gf_wide_products_sum(sums, i / 2, n, i % 2 * 2 + 1, left);
            pairs[n] = gf_wide_conv_level(a, p.args.unit, 255) | gf_wide_conv_level(b, p.args.unit, 255) << 8;
        }
        const uint2 eight = gf_wide_products_turn(pairs);
        if (y + 8 * i < p.rows) {
            gf_store8(to, eight);
        }
        to += 8 * p.out_pitch;
    }
}

/* The same for any depth, and for the edges. */
template <int M, int K>
GF_DEVICE_FN void gf_wide_products_give(const struct gf_wide_products &p, int64_t x, int64_t y, int c,
                                        double left, const gf_products_sums<M, K> &sums)
{
    if (p.eights && x + GF_PRODUCTS_WARP_W <= p.width) {
        gf_wide_products_bytes(p, x, y, left, sums);
        return;
    }
    x += gf_lane() % 4 * 2;
    y += gf_lane() / 4;
    GF_UNROLL
    for (int i = 0; i < 2 * M; i++) {
        char *const to = p.out + (y + 8 * i) * p.out_pitch;
        GF_UNROLL
        for (int k = 0; k < 2 * GF_PRODUCTS_ACROSS; k++) {
            const int64_t column = x + k / 2 * 8 + k % 2;
            const double sum = gf_wide_products_sum(sums, i / 2, k / 2, i % 2 * 2 + k % 2, left);
            if (y + 8 * i < p.rows && column < p.width) {
                gf_wide_conv_put(to, column * p.channels + c, p.depth, sum, p.args.unit);
            }
        }
    }
}

/* M parts of a warp below each other, D digits of weights, P bytes of a sample. */
template <int M, int D, int P, int BLOCKS>
static __global__ void __launch_bounds__(GF_WIDE_PRODUCTS_THREADS, BLOCKS)
    gf_wide_products_sums(const struct gf_wide_products p)
{
    GF_SHARED_DYN(unsigned char, seen);
    const int c = static_cast<int>(blockIdx.x) % p.channels, plane = p.seen * p.pitch;
    const int own_x = static_cast<int>(gf_warp()) % 2 * GF_PRODUCTS_WARP_W;
    const int own_y = static_cast<int>(gf_warp()) / 2 * 16 * M;
    const int64_t tile = int64_t(blockIdx.x) / p.channels;
    const int64_t x = tile % p.tiles * GF_WIDE_PRODUCTS_W, y = tile / p.tiles * 32 * M;
    const int rows = static_cast<int>(p.in_rows - y < p.seen ? p.in_rows - y : p.seen);
    const char *const from = p.in + y * p.in_pitch;
    for (int byte = 0; byte < P; byte++) {
        gf_products_lay<GF_WIDE_PRODUCTS_THREADS / GF_WARP>(
            seen + byte * plane, p.pitch, p.pitch / 4, rows, [&](int row, int word) {
                return gf_products_four(from + row * p.in_pitch, x + 4 * word, p.in_width, p.channels * P,
                                        c * P + byte, p.words);
            });
    }
    __syncthreads();
    if (x + own_x >= p.width || y + own_y >= p.rows) {
        return;
    }
    gf_products_sums<M, D + P - 1> sums = {};
    const uint2 *const table = p.table + gf_lane();
    const int pairs = p.pairs - GF_FAULT(cuda_wide_products_row);
    gf_products_add<1, M, D, P, true>(
        seen + own_y * p.pitch + own_x, p.pitch, plane, pairs, p.args.across,
        [&](int row, int first, int digit) {
            return gf_load_as<uint2>(table + gf_wide_products_at(p, row / 2, first, digit), GF_READ_ONLY);
        },
        sums);
    const double left = p.args.sum * (P == 2 ? 128 * 257 : 128);
    gf_wide_products_give<M, D + P - 1>(p, x + own_x, y + own_y, c, left, sums);
}

template <int D, int P>
static cudaError_t gf_wide_products_launch(struct gf_launch launch, const struct gf_wide_products &p)
{
    constexpr int K = D + P - 1, M = K == 1 ? 4 : 2, BLOCKS = K < 3 ? 4 : K == 3 ? 3 : 2;
    launch.shared = size_t(p.seen) * size_t(p.pitch) * P;
    launch.grid = dim3(gf_blocks(p.tiles * gf_wide_conv_pieces(p.rows, 32 * M) * p.channels, 1));
    return GF_LAUNCH((gf_wide_products_sums<M, D, P, BLOCKS>), launch, p);
}

template <int P>
static cudaError_t gf_wide_products_digits_of(const struct gf_launch &launch,
                                              const struct gf_wide_products &p)
{
    return p.args.digits == 1   ? gf_wide_products_launch<1, P>(launch, p)
           : p.args.digits == 2 ? gf_wide_products_launch<2, P>(launch, p)
           : p.args.digits == 3 ? gf_wide_products_launch<3, P>(launch, p)
                                : gf_wide_products_launch<4, P>(launch, p);
}

gf_status gf_wide_products_cuda(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *in = &run->in_values[0], *out = &run->out_values[0];
    const int bytes = in->depth == GF_U16 ? 2 : 1;
    struct gf_wide_products p = {};
    struct gf_launch launch = {};
    GF_ON_DEVICE(run->queue.device, error)
    gf_args_get(&run->apply->args, &p.args, sizeof p.args);
    p.in = static_cast<const char *>(run->in[0].data) +
           (run->out[0].rows.first - run->in[0].rows.first) * run->in[0].pitch;
    p.in_pitch = run->in[0].pitch;
    p.in_width = in->width;
    p.in_rows = run->in[0].rows.first + run->in[0].rows.count - run->out[0].rows.first;
    p.out = static_cast<char *>(run->out[0].data);
    p.out_pitch = run->out[0].pitch;
    p.width = out->width;
    p.rows = run->out[0].rows.count;
    p.channels = in->channels;
    p.depth = out->depth;
    p.weights = static_cast<const double *>(run->in[1].data);
    p.table = static_cast<uint2 *>(run->scratch);
    p.firsts = gf_wide_products_firsts(&p.args);
    p.pairs = (p.args.down + 1) / 2;
    p.seen = gf_wide_conv_rows_seen(&p.args, bytes);
    p.pitch = gf_wide_conv_pitch_seen(&p.args);
    p.words = (reinterpret_cast<uintptr_t>(p.in) | static_cast<uintptr_t>(p.in_pitch)) % 4 == 0;
    p.eights = p.depth == GF_U8 && p.channels == 1 &&
               (reinterpret_cast<uintptr_t>(p.out) | static_cast<uintptr_t>(p.out_pitch)) % 8 == 0;
    p.tiles = gf_wide_conv_pieces(p.width, GF_WIDE_PRODUCTS_W);
    launch.stream = static_cast<cudaStream_t>(run->queue.stream);
    launch.block = dim3(GF_WIDE_PRODUCTS_THREADS);
    launch.grid =
        dim3(gf_blocks(int64_t(p.pairs) * p.firsts * p.args.digits * GF_WARP * 2, GF_WIDE_PRODUCTS_THREADS));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_wide_products_digits, launch, p));
    GF_CUDA_TRY(error, bytes == 2 ? gf_wide_products_digits_of<2>(launch, p)
                                  : gf_wide_products_digits_of<1>(launch, p));
    return GF_OK;
}
