/* Sums of products of match on CUDA, on tensor cores (byte_products_cuda.cuh). A block lays down a piece of
 * the template and what its places see of the picture there, then the next piece. Samples of u16 are two
 * digits of a byte, so there are four products. */
#ifndef GF_PIXEL_MATCH_PRODUCTS_CUDA_CUH
#define GF_PIXEL_MATCH_PRODUCTS_CUDA_CUH

#include "base/planted_fault.h"
#include "pixel/cuda/byte_products_cuda.cuh"
#include "pixel/whole/match/match_cuda.h"

enum {
    GF_MATCH_DOWN = 4,                     /* parts of a warp, of 16 rows of places */
    GF_MATCH_WARP_H = 16 * GF_MATCH_DOWN,  /* places of a warp, */
    GF_MATCH_TILE_H = 2 * GF_MATCH_WARP_H, /* and of a block, of four warps */
    GF_MATCH_TILE_W = 2 * GF_PRODUCTS_WARP_W,
    GF_MATCH_PIECE_W = 64,                 /* samples of the template in shared memory, */
    GF_MATCH_PIECE_H = 32,                 /* and their rows */
    GF_MATCH_PIECES = 32,                  /* 2^16 products, which fit s32: 2^16 128 255 < 2^31 */
    GF_MATCH_WORDS = GF_MATCH_PIECE_W / 4, /* of a row of a piece, */
    GF_MATCH_BEFORE = 48,                  /* bytes of 0 before it, */
    GF_MATCH_BY = (2 * GF_MATCH_BEFORE) / 4 + GF_MATCH_WORDS /* words with those, and as much behind it */
};

/* For C channels, what a block sees of a row of the picture. Eight rows lie in different banks. */
template <int C> struct gf_match_seen {
    static const int STEPS =
        (GF_MATCH_PIECE_W + (GF_PRODUCTS_WARP_W - 1) * C + GF_PRODUCTS_STEP - 1) / GF_PRODUCTS_STEP;
    static const int WORDS = (GF_PRODUCTS_WARP_W * C + STEPS * GF_PRODUCTS_STEP) / 4;
    static const int PITCH = 4 * WORDS + 16; /* bytes */
    static const int ROWS = GF_MATCH_TILE_H + GF_MATCH_PIECE_H - 1;
    static_assert(4 * ROWS >= GF_MATCH_PIECE_H * GF_MATCH_WORDS, "a piece lies behind the rows");
    static_assert(PITCH * ROWS + 16 * GF_MATCH_PIECE_H * GF_MATCH_BY <= 64 * 1024,
                  "no GPU has less for a block");
};

/* Word k of the piece of the template, of which four lie in the 16 bytes behind each row. */
template <int C> GF_DEVICE_FN uint32_t *gf_match_piece(unsigned char *seen, int k)
{
    using S = gf_match_seen<C>;
    return reinterpret_cast<uint32_t *>(seen + k / 4 * S::PITCH + 4 * S::WORDS) + k % 4;
}

/* Lays down the piece of the template from sample i, row j on, and what the tile from (x, y) on sees of the
 * picture there, less 128; 0 beyond either. digits: which byte of the picture, times 2, and of the template.
 */
template <int C>
GF_DEVICE_FN void gf_match_load(const struct gf_match_params &p, int64_t x, int64_t y, int64_t i, int64_t j,
                                int digits, unsigned char *seen)
{
    using S = gf_match_seen<C>;
    const int64_t left = p.rows + p.down - 1 - (y + j);
    const char *const from = p.in + (p.first + y + j) * p.in_pitch;
    gf_products_lay<GF_MATCH_WARPS>(
        seen, S::PITCH, S::WORDS, left < S::ROWS ? static_cast<int>(left) : S::ROWS, [&](int row, int word) {
            return gf_products_four(from + row * p.in_pitch, x * C + i + 4 * word, p.samples, 1 << p.two,
                                    digits / 2, p.words);
        });
    for (int k = static_cast<int>(threadIdx.x); k < GF_MATCH_PIECE_H * GF_MATCH_WORDS;
         k += GF_MATCH_THREADS) {
        const int64_t at = j + k / GF_MATCH_WORDS;
        *gf_match_piece<C>(seen, k) =
            at < p.down ? gf_products_four(p.by + at * p.by_pitch, i + k % GF_MATCH_WORDS * 4, p.across,
                                           1 << p.two, digits % 2, p.words)
                        : 0;
    }
}

/* A row of the piece four times, with 0 around it: copy c begins with its byte c. */
template <int C> GF_DEVICE_FN void gf_match_copies(unsigned char *seen, uint32_t *by)
{
    for (int k = static_cast<int>(threadIdx.x); k < GF_MATCH_PIECE_H * 4 * GF_MATCH_BY;
         k += GF_MATCH_THREADS) {
        const int row = k / (4 * GF_MATCH_BY), copy = k / GF_MATCH_BY % 4;
        const int w = k % GF_MATCH_BY - GF_MATCH_BEFORE / 4;
        const uint32_t low =
            w >= 0 && w < GF_MATCH_WORDS ? *gf_match_piece<C>(seen, row * GF_MATCH_WORDS + w) : 0;
        const uint32_t high =
            w >= -1 && w + 1 < GF_MATCH_WORDS ? *gf_match_piece<C>(seen, row * GF_MATCH_WORDS + w + 1) : 0;
        by[k] = gf_funnel_right(low, high, 8U * static_cast<uint32_t>(copy));
    }
}

typedef gf_products_sums<GF_MATCH_DOWN, 1> gf_match_sums;

/* Adds the products of two by two rows of a piece of `wide` samples to the sums of a warp's places. */
template <int C>
GF_DEVICE_FN void gf_match_multiply(const unsigned char *seen, const uint32_t *by, int pairs, int wide,
                                    gf_match_sums &sums)
{
    const int lane = static_cast<int>(gf_lane());
    const int off = GF_MATCH_BEFORE + lane % 4 * 4 - lane / 4 * C; /* the sample at the lane's place */
    const uint32_t *const with = by + off % 4 * GF_MATCH_BY + off / 4;
    gf_products_add<C, GF_MATCH_DOWN, 1, 1, false>(
        seen, gf_match_seen<C>::PITCH, 0, pairs, wide,
        [&](int row, int first, int) {
            const uint32_t *const own = with + row * 4 * GF_MATCH_BY + first / 4;
            return make_uint2(own[0], own[4 * GF_MATCH_BY]);
        },
        sums);
}

/* Adds a warp's sums, shifted, to those of places from (x, y) on, and begins again; the first time with what
 * came of taking 128 from each sample. */
template <class S>
GF_DEVICE_FN void gf_match_keep(const struct gf_match_params &p, int64_t x, int64_t y, int shift, bool first,
                                S left, gf_match_sums &sums)
{
    x += gf_lane() % 4 * 2;
    y += gf_lane() / 4;
    const int64_t right = p.places - x, below = p.rows - y;
    S *to = reinterpret_cast<S *>(p.products + y * p.pitch) + x;
    GF_UNROLL
    for (int i = 0; i < 2 * GF_MATCH_DOWN; i++) {
        GF_UNROLL
        for (int k = 0; k < 2 * GF_PRODUCTS_ACROSS; k++) {
            int32_t *const own = &sums.of[0][i / 2][k / 2][i % 2 * 2 + k % 2];
            const int at = k / 2 * 8 + k % 2;
            if (8 * i < below && at < right) {
                to[at] = (static_cast<S>(static_cast<int64_t>(*own)) << shift) + (first ? left : to[at]);
            }
            *own = 0;
        }
        to = reinterpret_cast<S *>(reinterpret_cast<char *>(to) + 8 * p.pitch);
    }
}

template <int C>
static __global__ void __launch_bounds__(GF_MATCH_THREADS, 4)
    gf_match_products(const struct gf_match_params p)
{
    using S = gf_match_seen<C>;
    GF_SHARED_DYN(unsigned char, seen);
    GF_SHARED(uint32_t, by, GF_MATCH_PIECE_H * 4 * GF_MATCH_BY);
    const int own_x = static_cast<int>(gf_warp()) % 2 * GF_PRODUCTS_WARP_W;
    const int own_y = static_cast<int>(gf_warp()) / 2 * GF_MATCH_WARP_H;
    const int64_t tiles = (p.places + GF_MATCH_TILE_W - 1) / GF_MATCH_TILE_W;
    const int64_t x = blockIdx.x % tiles * GF_MATCH_TILE_W, y = blockIdx.x / tiles * GF_MATCH_TILE_H;
    uint64_t left = 0;
    for (int c = 0; c < C; c++) {
        left += p.t->sum[c] * (p.two ? 128 * 257 : 128);
    }
    gf_match_sums sums = {};
    bool first = true;
    const auto keep = [&](int shift) {
        if (p.narrow) {
            gf_match_keep(p, x + own_x, y + own_y, shift, first, static_cast<uint32_t>(left), sums);
        } else {
            gf_match_keep(p, x + own_x, y + own_y, shift, first, left, sums);
        }
        first = false;
    };
    for (int digits = 0; digits < (p.two ? 4 : 1); digits++) {
        const int shift = 8 * (digits / 2 + digits % 2);
        int pieces = 0;
        for (int64_t j = 0; j < p.down; j += GF_MATCH_PIECE_H) {
            for (int64_t i = 0; i < p.across; i += GF_MATCH_PIECE_W) {
                const int rows =
                    p.down - j < GF_MATCH_PIECE_H ? static_cast<int>(p.down - j) : GF_MATCH_PIECE_H;
                const int pairs = rows / 2 + (GF_FAULT(cuda_match_piece) ? 0 : rows % 2);
                const int wide =
                    p.across - i < GF_MATCH_PIECE_W ? static_cast<int>(p.across - i) : GF_MATCH_PIECE_W;
                gf_match_load<C>(p, x, y, i, j, digits, seen);
                __syncthreads();
                gf_match_copies<C>(seen, by);
                __syncthreads();
                if (x + own_x < p.places && y + own_y < p.rows) {
                    gf_match_multiply<C>(seen + own_y * S::PITCH + own_x * C, by, pairs, wide, sums);
                }
                __syncthreads(); /* before the next piece is laid down */
                const bool last = j + GF_MATCH_PIECE_H >= p.down && i + GF_MATCH_PIECE_W >= p.across;
                if (++pieces == GF_MATCH_PIECES || last) {
                    keep(shift);
                    pieces = 0;
                }
            }
        }
    }
}

#endif
