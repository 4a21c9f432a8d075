/* Sums of products of match on CUDA, on tensor cores.
 *
 * A row of the template, times the rows of the picture that it may lie on, is a product of matrices: sixteen
 * rows of 32 samples, less 128 so that they are signed, times those of the template that belong to them at
 * eight places beside each other. Samples of u16 are two digits of a byte, so there are four products. All
 * sums are exact. */
#ifndef GF_PIXEL_MATCH_PRODUCTS_CUDA_CUH
#define GF_PIXEL_MATCH_PRODUCTS_CUDA_CUH

#include "base/planted_fault.h"
#include "pixel/whole/match/match_cuda.h"

enum {
    GF_MATCH_DOWN = 4,                     /* parts of a warp, of 16 rows of places, */
    GF_MATCH_ACROSS = 4,                   /* and of 8 beside each other */
    GF_MATCH_WARP_H = 16 * GF_MATCH_DOWN,  /* places of a warp, */
    GF_MATCH_WARP_W = 8 * GF_MATCH_ACROSS, /* down and across */
    GF_MATCH_TILE_H = 2 * GF_MATCH_WARP_H, /* and of a block, of four warps */
    GF_MATCH_TILE_W = 2 * GF_MATCH_WARP_W,
    GF_MATCH_STEP = 32,    /* samples of a product */
    GF_MATCH_PIECE_W = 64, /* samples of the template in shared memory, */
    GF_MATCH_PIECE_H = 32, /* and their rows */
    GF_MATCH_WARPS = GF_MATCH_THREADS / GF_WARP,
    GF_MATCH_BATCH = 8,                    /* rows that a warp reads at once */
    GF_MATCH_PIECES = 32,                  /* 2^16 products, which fit s32: 2^16 128 255 < 2^31 */
    GF_MATCH_WORDS = GF_MATCH_PIECE_W / 4, /* of a row of a piece, */
    GF_MATCH_BEFORE = 48,                  /* bytes of 0 before it, */
    GF_MATCH_BY = (2 * GF_MATCH_BEFORE) / 4 + GF_MATCH_WORDS /* words with those, and as much behind it */
};

/* For C channels, what a block sees of a row of the picture. Eight rows lie in different banks. */
template <int C> struct gf_match_seen {
    static const int STEPS =
        (GF_MATCH_PIECE_W + (GF_MATCH_WARP_W - 1) * C + GF_MATCH_STEP - 1) / GF_MATCH_STEP;
    static const int WORDS = (GF_MATCH_WARP_W * C + STEPS * GF_MATCH_STEP) / 4;
    static const int PITCH = 4 * WORDS + 16; /* bytes */
    static const int ROWS = GF_MATCH_TILE_H + GF_MATCH_PIECE_H - 1;
};

/* A byte each of four samples from `at` on, 0 from `end` on: the lower one, or the higher. */
GF_DEVICE_FN uint32_t gf_match_four(const struct gf_match_params &p, const char *row, int64_t at, int64_t end,
                                    int higher)
{
    if (p.words && at + 4 <= end) {
        const uint32_t *words = reinterpret_cast<const uint32_t *>(row + (at << p.two));
        return p.two ? gf_byte_perm(words[0], words[1], higher ? 0x7531U : 0x6420U) : words[0];
    }
    uint32_t four = 0;
    for (int i = 0; i < 4 && at + i < end; i++) {
        const unsigned char byte = static_cast<unsigned char>(row[((at + i) << p.two) + higher]);
        four |= static_cast<uint32_t>(byte) << 8 * i;
    }
    return four;
}

/* Lays down the piece of the template from sample i, row j on, and what the tile from (x, y) on sees of the
 * picture there, less 128; 0 beyond either. digits: which byte of the picture, times 2, and of the template.
 */
template <int C>
GF_DEVICE_FN void gf_match_load(const struct gf_match_params &p, int64_t x, int64_t y, int64_t i, int64_t j,
                                int digits, unsigned char *seen, uint32_t *piece)
{
    using S = gf_match_seen<C>;
    const int64_t left = p.rows + p.down - 1 - (y + j);
    const int rows = left < S::ROWS ? static_cast<int>(left) : S::ROWS;
    const char *from = p.in + (p.first + y + j) * p.in_pitch;
    for (int w = static_cast<int>(gf_lane()); w < S::WORDS; w += GF_WARP) {
        const int64_t at = x * C + i + 4 * w;
        for (int r = static_cast<int>(gf_warp()); r < rows; r += GF_MATCH_BATCH * GF_MATCH_WARPS) {
            uint32_t four[GF_MATCH_BATCH]; /* read before any is waited for */
            GF_UNROLL
            for (int k = 0; k < GF_MATCH_BATCH; k++) {
                const int row = r + k * GF_MATCH_WARPS < rows ? r + k * GF_MATCH_WARPS : rows - 1;
                four[k] = gf_match_four(p, from + row * p.in_pitch, at, p.samples, digits / 2);
            }
            GF_UNROLL
            for (int k = 0; k < GF_MATCH_BATCH; k++) {
                const int row = r + k * GF_MATCH_WARPS;
                if (row < rows) {
                    *reinterpret_cast<uint32_t *>(seen + row * S::PITCH + 4 * w) = four[k] ^ 0x80808080U;
                }
            }
        }
    }
    for (int k = static_cast<int>(threadIdx.x); k < GF_MATCH_PIECE_H * GF_MATCH_WORDS;
         k += GF_MATCH_THREADS) {
        const int64_t at = j + k / GF_MATCH_WORDS;
        piece[k] = at < p.down ? gf_match_four(p, p.by + at * p.by_pitch, i + k % GF_MATCH_WORDS * 4,
                                               p.across, digits % 2)
                               : 0;
    }
}

/* A row of the piece four times, with 0 around it: copy c begins with its byte c. */
GF_DEVICE_FN void gf_match_copies(const uint32_t *piece, uint32_t *by)
{
    for (int k = static_cast<int>(threadIdx.x); k < GF_MATCH_PIECE_H * 4 * GF_MATCH_BY;
         k += GF_MATCH_THREADS) {
        const int row = k / (4 * GF_MATCH_BY), copy = k / GF_MATCH_BY % 4;
        const int w = k % GF_MATCH_BY - GF_MATCH_BEFORE / 4;
        const uint32_t low = w >= 0 && w < GF_MATCH_WORDS ? piece[row * GF_MATCH_WORDS + w] : 0;
        const uint32_t high = w >= -1 && w + 1 < GF_MATCH_WORDS ? piece[row * GF_MATCH_WORDS + w + 1] : 0;
        by[k] = gf_funnel_right(low, high, 8U * static_cast<uint32_t>(copy));
    }
}

typedef int32_t gf_match_sums[GF_MATCH_DOWN][GF_MATCH_ACROSS][4];

/* Adds the products of `rows` rows of a piece of `wide` samples to the sums of a warp's places, whose first
 * sample is at `seen`. */
template <int C>
GF_DEVICE_FN void gf_match_multiply(const unsigned char *seen, const uint32_t *by, int rows, int wide,
                                    gf_match_sums &sums)
{
    using S = gf_match_seen<C>;
    const int lane = static_cast<int>(gf_lane());
    const int off = GF_MATCH_BEFORE + lane % 4 * 4 - lane / 4 * C; /* the sample at the lane's place */
    const unsigned char *from = seen + lane % 16 * S::PITCH + lane / 16 * 16;
    const uint32_t *with = by + off % 4 * GF_MATCH_BY + off / 4;
    for (int r = 0; r < rows; r++, from += S::PITCH, with += 4 * GF_MATCH_BY) {
        GF_UNROLL
        for (int step = 0; step < S::STEPS; step++) {
            if (step == S::STEPS - 1 && wide <= GF_MATCH_PIECE_W / 2) {
                break; /* of a narrow piece nothing is left */
            }
            uint32_t a[GF_MATCH_DOWN][4];
            GF_UNROLL
            for (int m = 0; m < GF_MATCH_DOWN; m++) {
                gf_load_matrices(a[m], from + 16 * m * S::PITCH + step * GF_MATCH_STEP);
            }
            GF_UNROLL
            for (int n = 0; n < GF_MATCH_ACROSS; n++) {
                const int d =
                    step * GF_MATCH_STEP - 8 * n * C; /* of the template, at the part's first place */
                if (d > -GF_MATCH_STEP && d - 7 * C < GF_MATCH_PIECE_W) {
                    const uint32_t b0 = with[d / 4], b1 = with[d / 4 + 4];
                    GF_UNROLL
                    for (int m = 0; m < GF_MATCH_DOWN; m++) {
                        gf_multiply_bytes_su(sums[m][n], a[m], b0, b1);
                    }
                }
            }
        }
    }
}

/* Adds a warp's sums, shifted, to those of places from `to` on, and begins again; the first time with what
 * came of taking 128 from each sample. */
template <class S>
GF_DEVICE_FN void gf_match_keep(S *to, int64_t pitch, int shift, bool first, S left, gf_match_sums &sums)
{
    to += gf_lane() / 4 * pitch + gf_lane() % 4 * 2;
    GF_UNROLL
    for (int m = 0; m < GF_MATCH_DOWN; m++) {
        GF_UNROLL
        for (int half = 0; half < 2; half++, to += 8 * pitch) {
            GF_UNROLL
            for (int n = 0; n < GF_MATCH_ACROSS; n++) {
                GF_UNROLL
                for (int e = 0; e < 2; e++) {
                    int32_t *const own = &sums[m][n][2 * half + e];
                    const S sum = static_cast<S>(static_cast<int64_t>(*own)) << shift;
                    to[8 * n + e] = sum + (first ? left : to[8 * n + e]);
                    *own = 0;
                }
            }
        }
    }
}

template <int C>
static __global__ void __launch_bounds__(GF_MATCH_THREADS, 4)
    gf_match_products(const struct gf_match_params p)
{
    using S = gf_match_seen<C>;
    GF_SHARED_DYN(unsigned char, seen);
    GF_SHARED(uint32_t, piece, GF_MATCH_PIECE_H * GF_MATCH_WORDS);
    GF_SHARED(uint32_t, by, GF_MATCH_PIECE_H * 4 * GF_MATCH_BY);
    const int own_x = static_cast<int>(gf_warp()) % 2 * GF_MATCH_WARP_W;
    const int own_y = static_cast<int>(gf_warp()) / 2 * GF_MATCH_WARP_H;
    const int64_t x = int64_t(blockIdx.x) * GF_MATCH_TILE_W, y = int64_t(blockIdx.y) * GF_MATCH_TILE_H;
    const int64_t at = (y + own_y) * p.pitch + x + own_x;
    uint64_t left = 0;
    for (int c = 0; c < C; c++) {
        left += p.t->sum[c] * (p.two ? 128 * 257 : 128);
    }
    gf_match_sums sums = {};
    bool first = true;
    const auto keep = [&](int shift) {
        if (p.narrow) {
            gf_match_keep(static_cast<uint32_t *>(p.products) + at, p.pitch, shift, first,
                          static_cast<uint32_t>(left), sums);
        } else {
            gf_match_keep(static_cast<uint64_t *>(p.products) + at, p.pitch, shift, first, left, sums);
        }
        first = false;
    };
    for (int digits = 0; digits < (p.two ? 4 : 1); digits++) {
        const int shift = 8 * (digits / 2 + digits % 2);
        int pieces = 0;
        for (int64_t j = 0; j < p.down; j += GF_MATCH_PIECE_H) {
            for (int64_t i = 0; i < p.across; i += GF_MATCH_PIECE_W) {
                const int most = GF_MATCH_PIECE_H - GF_FAULT(cuda_match_piece);
                const int rows = p.down - j < most ? static_cast<int>(p.down - j) : most;
                const int wide =
                    p.across - i < GF_MATCH_PIECE_W ? static_cast<int>(p.across - i) : GF_MATCH_PIECE_W;
                gf_match_load<C>(p, x, y, i, j, digits, seen, piece);
                __syncthreads();
                gf_match_copies(piece, by);
                __syncthreads();
                if (x + own_x < p.places && y + own_y < p.rows) {
                    gf_match_multiply<C>(seen + own_y * S::PITCH + own_x * C, by, rows, wide, sums);
                }
                __syncthreads(); /* before the next piece is laid down */
                pieces = (pieces + 1) % GF_MATCH_PIECES;
                if (pieces == 0) {
                    keep(shift);
                }
            }
        }
        if (pieces > 0) {
            keep(shift);
        }
    }
}

#endif
