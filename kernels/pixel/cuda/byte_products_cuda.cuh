/* Sums of products of bytes on tensor cores, for conv and match.
 *
 * A row of weights, times the rows of samples that it may lie on, is a product of matrices: sixteen rows of
 * samples, times the weights that belong to them at eight places beside each other. A product takes 16
 * samples of a row and the same 16 of the row below, which leaves out more than 32 of one row would. Samples
 * are less 128, so that they are signed. All sums are exact. */
#ifndef GF_PIXEL_BYTE_PRODUCTS_CUDA_CUH
#define GF_PIXEL_BYTE_PRODUCTS_CUDA_CUH

#include "base/gf_cuda.h"

enum {
    GF_PRODUCTS_ACROSS = 4,                      /* parts of a warp beside each other, of 8 places each */
    GF_PRODUCTS_WARP_W = 8 * GF_PRODUCTS_ACROSS, /* places of a warp */
    GF_PRODUCTS_STEP = 16,                       /* samples of a row that a product takes */
    GF_PRODUCTS_TAKEN_OFF = 128
};

/* Steps that the places of a warp take over `wide` samples, C of which are a pixel. */
template <int C> GF_DEVICE_FN constexpr int gf_products_steps(int wide)
{
    return (wide + (GF_PRODUCTS_WARP_W - 1) * C + GF_PRODUCTS_STEP - 1) / GF_PRODUCTS_STEP;
}

/* Whether a product of step and part has any weight but 0: its first sample is that of the weight of number
 * `first` at the part's first place. */
template <int C> GF_DEVICE_FN bool gf_products_count(int first, int wide)
{
    return first > -GF_PRODUCTS_STEP && first - 7 * C < wide;
}

/* The sums of M parts below each other, of 16 rows, in K of which each is 256 times the one before it. */
template <int M, int K> struct gf_products_sums {
    int32_t of[K][M][GF_PRODUCTS_ACROSS][4];
};

/* Loads the words of the parts of a step that the step before it did not have, in two rows from `row` on. */
template <int C, int D, class W>
GF_DEVICE_FN void gf_products_weights(int row, int step, int wide, const W &weights,
                                      uint2 (&w)[D][GF_PRODUCTS_ACROSS])
{
    GF_UNROLL
    for (int n = 0; n < (C == 1 ? 2 : GF_PRODUCTS_ACROSS); n++) {
        const int first = step * GF_PRODUCTS_STEP - 8 * n * C;
        if (gf_products_count<C>(first, wide)) {
            GF_UNROLL
            for (int d = 0; d < D; d++) {
                w[d][n] = weights(row, first, d);
            }
        }
    }
}

/* Multiplies what P bytes of samples have with D digits of weights in a step. */
template <int C, int M, int D, int P, bool SIGNED>
GF_DEVICE_FN void gf_products_step(const unsigned char *from, int pitch, int plane, int step, int wide,
                                   const uint2 (&w)[D][GF_PRODUCTS_ACROSS],
                                   gf_products_sums<M, D + P - 1> &sums)
{
    GF_UNROLL
    for (int p = 0; p < P; p++) {
        uint32_t a[M][4];
        GF_UNROLL
        for (int m = 0; m < M; m++) {
            gf_load_matrices(a[m], from + p * plane + 16 * m * pitch + step * GF_PRODUCTS_STEP);
        }
        GF_UNROLL
        for (int n = 0; n < GF_PRODUCTS_ACROSS; n++) {
            if (!gf_products_count<C>(step * GF_PRODUCTS_STEP - 8 * n * C, wide)) {
                continue;
            }
            GF_UNROLL
            for (int i = 0; i < D * M; i++) {
                const int d = i / M, m = i % M;
                if constexpr (SIGNED) {
                    gf_multiply_bytes(sums.of[d + p][m][n], a[m], w[d][n].x, w[d][n].y);
                } else {
                    gf_multiply_bytes_su(sums.of[d + p][m][n], a[m], w[d][n].x, w[d][n].y);
                }
            }
        }
    }
}

/* Adds the products of 2 * `pairs` rows of `wide` weights of D digits, with samples of P bytes, which lie in
 * planes `plane` bytes apart; `seen` has those of the warp's first place. weights(row, first, digit) gives a
 * lane its words of those from number `first` on, in the row and in the one below. SIGNED: digits are. */
template <int C, int M, int D, int P, bool SIGNED, class W>
GF_DEVICE_FN void gf_products_add(const unsigned char *seen, int pitch, int plane, int pairs, int wide,
                                  const W &weights, gf_products_sums<M, D + P - 1> &sums)
{
    const int lane = static_cast<int>(gf_lane()), steps = gf_products_steps<C>(wide);
    const unsigned char *from = seen + (lane % 16 + lane / 16) * pitch;
    uint2 w[D][GF_PRODUCTS_ACROSS] = {};
    gf_products_weights<C, D>(0, 0, wide, weights, w);
    for (int row = 0, step = 0; row < 2 * pairs;) {
        uint2 next[D][GF_PRODUCTS_ACROSS] = {}; /* loaded while the tensor cores are busy */
        const int next_step = step + 1 < steps ? step + 1 : 0, next_row = next_step ? row : row + 2;
        if (next_row < 2 * pairs) {
            gf_products_weights<C, D>(next_row, next_step, wide, weights, next);
        }
        gf_products_step<C, M, D, P, SIGNED>(from + row * pitch, pitch, plane, step, wide, w, sums);
        GF_UNROLL
        for (int d = 0; d < D; d++) {
            GF_UNROLL
            for (int n = GF_PRODUCTS_ACROSS - 1; n >= 0; n--) {
                w[d][n] = C == 1 && n > 1 ? w[d][n - 2] : next[d][n];
            }
        }
        step = next_step;
        row = next_row;
    }
}

/* ---- samples ---- */

enum { GF_PRODUCTS_BATCH = 8 }; /* rows that a warp reads at once */

/* Byte `byte` of four samples from `at` on, which begin `step` bytes apart; 0 from `end` on. words: whether
 * rows may be read four bytes at a time. */
GF_DEVICE_FN uint32_t gf_products_four(const char *row, int64_t at, int64_t end, int step, int byte,
                                       bool words)
{
    if (words && step <= 2 && at + 4 <= end) {
        const uint32_t *from = reinterpret_cast<const uint32_t *>(row + at * step);
        return step == 2 ? gf_byte_perm(from[0], from[1], byte ? 0x7531U : 0x6420U) : from[0];
    }
    uint32_t four = 0;
    for (int i = 0; i < 4 && at + i < end; i++) {
        four |= static_cast<uint32_t>(static_cast<unsigned char>(row[(at + i) * step + byte])) << 8 * i;
    }
    return four;
}

/* Lays down `rows` rows of `words` words each, four(row, word) less 128 in each byte, by a block of so many
 * warps. */
template <int WARPS, class R>
GF_DEVICE_FN void gf_products_lay(unsigned char *seen, int pitch, int words, int rows, const R &four)
{
    for (int w = static_cast<int>(gf_lane()); w < words; w += GF_WARP) {
        for (int r = static_cast<int>(gf_warp()); r < rows; r += GF_PRODUCTS_BATCH * WARPS) {
            uint32_t v[GF_PRODUCTS_BATCH]; /* read before any is waited for */
            GF_UNROLL
            for (int k = 0; k < GF_PRODUCTS_BATCH; k++) {
                v[k] = four(r + k * WARPS < rows ? r + k * WARPS : rows - 1, w);
            }
            GF_UNROLL
            for (int k = 0; k < GF_PRODUCTS_BATCH; k++) {
                if (r + k * WARPS < rows) {
                    *reinterpret_cast<uint32_t *>(seen + (r + k * WARPS) * pitch + 4 * w) =
                        v[k] ^ 0x80808080U;
                }
            }
        }
    }
}

#endif
