/* Separable windows over u8 in the integers of docs/exactness.md, as products of matrices of bytes: 16 sums
 * beside each other are the same 32 or 64 samples times 16 rows of shifted weights, 16 sums below each other
 * likewise. A matrix unit does 16 x 8 of them at once, whatever the radius is.
 *
 * Samples are those of all channels as they lie in memory; a neighbour is C samples away. Numbers of 16 bits
 * are taken in two bytes, and products added up with their weights of 2^8 and 2^16. A warp owns 128 samples
 * and marches down in steps of 16 rows. How the results of the first product lie in its lanes is how the
 * second wants its operand, when rows and columns are named accordingly: below, g = lane / 4 and t = lane
 * % 4. */
#ifndef GF_PIXEL_MARCH_TILES_CUDA_CUH
#define GF_PIXEL_MARCH_TILES_CUDA_CUH

#include "pixel/march_ends_cuda.cuh"
#include "pixel/march_grid_cuda.h"

enum {
    GF_TILE = 16,       /* samples, and rows, that a product makes */
    GF_TILES = 8,       /* of a warp */
    GF_TILE_RADIUS = 8, /* the most */
    GF_TILE_WARPS = 4,
    GF_TILE_THREADS = GF_TILE_WARPS * GF_WARP,
    GF_TILE_STRIP = GF_TILES * GF_TILE
};

struct gf_tiles_params {
    int32_t samples, height; /* of a row: width times channels */
    int32_t channels, border, segment;
    int32_t radius_x, radius_y;
    int16_t wx[2 * GF_TILE_RADIUS + 1], wy[2 * GF_TILE_RADIUS + 1]; /* from the first tap on */
    int32_t shift_x, shift_y, half_x, half_y;                       /* of the two roundings */
    int32_t line;                                                   /* bytes of a row on its way */
    int32_t first;          /* ... from this byte on, for the first strip */
    int32_t step;           /* ... and from strip to strip */
    bool converts;          /* rows go through gray or a table before the window */
    bool wide_in, wide_out; /* addresses fit 8 bytes, and 4 */
    uint8_t fill[4];
    struct gf_march_tables tables;
};

/* K: blocks of 32 samples that a row of sums is made of. */
template <int K> struct gf_tiles_shape {
    static const int left =
        K == 1 ? 8 : 24; /* samples to the left of a tile in its blocks, and to the right */
    static const int line = GF_TILE_STRIP + 2 * left;
};

/* Bytes that a warp keeps from step to step for a tile and lane: sums of two samples and four rows. */
template <bool SIGNED> struct gf_tiles_kept {
    static const int planes = SIGNED ? 3 : 2; /* bytes of a sum */
    static const int words = 2 * planes;
};

template <int K, bool SIGNED> static int32_t gf_tiles_room(const struct gf_tiles_params &p)
{
    return GF_TILE * (p.line + gf_tiles_shape<K>::line) +
           GF_TILES * gf_tiles_kept<SIGNED>::words * GF_WARP * 4;
}

/* ---- weights ----------------------------------------------------------------------------------------------- */

/* A matrix of weights in its two bytes, as a lane has it. */
struct gf_tiles_matrix {
    uint32_t low[4], high[4];
};

/* Weight of `distance` samples or rows from the result, 0 beyond the taps: a table that a block makes. */
enum { GF_TILE_REACH = 64 };
GF_DEVICE_FN void gf_tiles_weights(const int16_t *weights, int32_t radius, int32_t apart, int16_t *table)
{
    for (int32_t i = static_cast<int32_t>(threadIdx.x); i < 2 * GF_TILE_REACH; i += GF_TILE_THREADS) {
        const int32_t distance = i - GF_TILE_REACH + radius * apart, tap = distance / apart;
        table[i] = distance >= 0 && distance % apart == 0 && tap <= 2 * radius ? weights[tap] : int16_t(0);
    }
}

/* Row m of 16 and column k of 32 of a matrix: of which distance the weight is. ROWS: of those below each
 * other. */
template <bool ROWS> GF_DEVICE_FN int32_t gf_tiles_distance(int32_t m, int32_t k, int32_t left)
{
    if (ROWS) {
        return k / 16 * 16 + k % 4 / 2 * 8 + k % 16 / 4 * 2 + k % 2 - GF_TILE / 2 - m;
    }
    return k - left - (m % 8 / 2 * 4 + m / 8 * 2 + m % 2);
}

template <bool ROWS>
GF_DEVICE_FN void gf_tiles_matrix_make(const int16_t *table, int32_t left, struct gf_tiles_matrix &matrix)
{
    const int32_t g = static_cast<int32_t>(gf_lane()) / 4, t = static_cast<int32_t>(gf_lane()) % 4;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        matrix.low[i] = matrix.high[i] = 0;
#pragma unroll
        for (int b = 0; b < 4; b++) {
            const int32_t distance = gf_tiles_distance<ROWS>(g + i % 2 * 8, 4 * t + b + i / 2 * 16, left);
            const uint32_t weight =
                static_cast<uint32_t>(static_cast<int32_t>(table[GF_TILE_REACH + distance]));
            matrix.low[i] |= (weight & 0xffU) << (8 * b);
            matrix.high[i] |= (weight >> 8 & 0xffU) << (8 * b);
        }
    }
}

/* ---- sums --------------------------------------------------------------------------------------------------- */

/* Sums beside each other of rows r to r + 7 of a tile, rounded: of sample g or g + 8 in the order of
 * gf_tiles_distance (second index) rows 2 t and 2 t + 1. */
template <int K, bool SIGNED>
GF_DEVICE_FN void gf_tiles_across(const struct gf_tiles_params &p, const struct gf_tiles_matrix (&weights)[K],
                                  const unsigned char *words, int32_t (&sums)[4])
{
    int32_t low[4] = {p.half_x, p.half_x, p.half_x, p.half_x}, high[4] = {};
#pragma unroll
    for (int k = 0; k < K; k++) {
        const uint32_t b0 = gf_load4(words + 32 * k),
                       b1 = gf_load4(words + 32 * k + 16 - 4 * GF_FAULT(cuda_halo_short));
        gf_mma_bytes(weights[k].low, b0, b1, low);
        gf_mma_bytes<SIGNED>(weights[k].high, b0, b1, high);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        sums[i] = (low[i] + high[i] * 256) >> p.shift_x;
    }
}

/* Byte `plane` of four sums to a word each. */
template <int PLANES>
GF_DEVICE_FN void gf_tiles_pack(int32_t a, int32_t b, int32_t c, int32_t d, uint32_t (&words)[PLANES])
{
    const uint32_t low = gf_byte_perm(static_cast<uint32_t>(a), static_cast<uint32_t>(b), 0x5140);
    const uint32_t high = gf_byte_perm(static_cast<uint32_t>(c), static_cast<uint32_t>(d), 0x5140);
    words[0] = gf_byte_perm(low, high, 0x5410);
    words[1] = gf_byte_perm(low, high, 0x7632);
    if constexpr (PLANES == 3) {
        words[2] =
            gf_byte_perm(gf_byte_perm(static_cast<uint32_t>(a), static_cast<uint32_t>(b), 0x0062),
                         gf_byte_perm(static_cast<uint32_t>(c), static_cast<uint32_t>(d), 0x0062), 0x5410);
    }
}

/* Sums below each other: results of rows g (two) and g + 8 (two), as bytes. */
template <bool SIGNED, int PLANES>
GF_DEVICE_FN void gf_tiles_down(const struct gf_tiles_params &p, const struct gf_tiles_matrix &w,
                                const uint32_t (&above)[PLANES], const uint32_t (&below)[PLANES],
                                uint32_t (&results)[4])
{
    int32_t low[4] = {p.half_y, p.half_y, p.half_y, p.half_y}, middle[4] = {}, high[4] = {}, highest[4] = {};
    gf_mma_bytes(w.low, above[0], below[0], low);
    gf_mma_bytes(w.low, above[1], below[1], middle);
    gf_mma_bytes<SIGNED>(w.high, above[0], below[0], middle);
    gf_mma_bytes<SIGNED>(w.high, above[1], below[1], high);
    if constexpr (PLANES == 3) {
        gf_mma_bytes<false, true>(w.low, above[2], below[2], high);
        gf_mma_bytes<true, true>(w.high, above[2], below[2], highest);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        uint32_t sum = static_cast<uint32_t>(low[i]) + static_cast<uint32_t>(middle[i]) * 256U +
                       static_cast<uint32_t>(high[i]) * 65536U;
        if (SIGNED) {
            sum += static_cast<uint32_t>(highest[i]) << 24;
        }
        const int32_t rounded = static_cast<int32_t>(sum) >> p.shift_y;
        results[i] = static_cast<uint32_t>(SIGNED ? gf_clamp_u8(rounded) : rounded);
    }
}

#endif
