/* Both ends of a march over bytes (march_pixels_cuda.cuh): a lane's chunk of pixels to a line for each
 * channel, gray and table on the way, and the window's results through a table to the picture and to a tap
 * that counts. All of it in the lane's registers, so that lanes meet at the lines alone. */
#ifndef GF_PIXEL_MARCH_BYTES_CUDA_CUH
#define GF_PIXEL_MARCH_BYTES_CUDA_CUH

#include "pixel/cuda/march_raw_cuda.cuh"

/* A chunk's words of each channel. */
template <class MATH, int C> struct gf_bytes_chunk {
    static const int words = MATH::P / 4;
    static_assert(C == 1 || words == 1, "several channels come in chunks of 4 pixels");
    uint32_t q[C][words];
};

/* Four pixels to a word a channel: gray, or channels apart. */
template <int C, int N> GF_DEVICE_FN void gf_bytes_split(const uint32_t (&w)[N], int k, uint32_t (&q)[C])
{
    if constexpr (N % (C + 2) == 0 && C == 1) {
        const uint32_t part[3] = {w[3 * k], w[3 * k + 1], w[3 * k + 2]};
        q[0] = gf_gray_quad(part);
    } else {
        q[0] = gf_pack4(gf_gray_word(w[0]), gf_gray_word(w[1]), gf_gray_word(w[2]), gf_gray_word(w[3]));
        q[1] = gf_pick<3, 7, 11, 15>(w);
    }
}

/* A chunk of raw pixels in front of the window. */
template <class MATH, int C>
GF_DEVICE_FN void gf_bytes_take_chunk(const struct gf_march_tables &t, const uint8_t *table,
                                      const unsigned char *raw, struct gf_bytes_chunk<MATH, C> &chunk)
{
    constexpr int WORDS = gf_bytes_chunk<MATH, C>::words;
    bool taken = false;
    if constexpr (C <= 2) {
        if (t.gray) {
            uint32_t w[WORDS * (C + 2)];
            gf_words_take(raw, w);
#pragma unroll
            for (int k = 0; k < WORDS; k++) {
                uint32_t q[C];
                gf_bytes_split<C>(w, k, q);
#pragma unroll
                for (int c = 0; c < C; c++) {
                    chunk.q[c][k] = q[c];
                }
            }
            taken = true;
        }
    }
    if (!taken) {
        uint32_t w[WORDS * C];
        gf_words_take(raw, w);
        if constexpr (C == 1) {
#pragma unroll
            for (int k = 0; k < WORDS; k++) {
                chunk.q[0][k] = w[k];
            }
        } else {
            uint32_t q[C];
            gf_split<C, 0>(w, q);
#pragma unroll
            for (int c = 0; c < C; c++) {
                chunk.q[c][0] = q[c];
            }
        }
    }
    if (t.in) {
#pragma unroll
        for (int c = 0; c < C; c++) {
#pragma unroll
            for (int k = 0; k < WORDS; k++) {
                chunk.q[c][k] = gf_table_word(table + 256 * c, chunk.q[c][k]);
            }
        }
    }
}

/* Makes of row y of raw pixels the lane's part of the lines of its channels, `apart` bytes from each
 * other. */
template <class MATH, int C>
GF_DEVICE_FN void gf_bytes_take(const struct gf_march_pixels_params &p, const struct gf_march_shared &shared,
                                const unsigned char *raw, int32_t x, int32_t y, unsigned char *line,
                                int32_t apart)
{
    struct gf_bytes_chunk<MATH, C> chunk;
    const struct gf_march_params &m = p.march;
    if (m.patch && (x < 0 || x >= m.width)) {
        return;
    }
    if (m.border == GF_BORDER_CONSTANT && static_cast<uint32_t>(y) >= static_cast<uint32_t>(m.height)) {
#pragma unroll
        for (int c = 0; c < C; c++) {
#pragma unroll
            for (int k = 0; k < MATH::P / 4; k++) {
                chunk.q[c][k] = static_cast<uint32_t>(p.fill[c]) * 0x01010101U;
            }
        }
    } else {
        gf_bytes_take_chunk<MATH, C>(p.tables, shared.in, raw, chunk);
    }
#pragma unroll
    for (int c = 0; c < C; c++) {
        gf_words_put(line + c * apart, chunk.q[c], GF_CACHED);
    }
}

/* Results of a row with `live` pixels in the picture; to: NULL stores nothing. highs: for a step, how many
 * samples of each channel were above it. */
template <class MATH, int C>
GF_DEVICE_FN void gf_bytes_put(const struct gf_march_pixels_params &p, const struct gf_march_shared &shared,
                               int32_t live, unsigned char *to, struct gf_bytes_chunk<MATH, C> &chunk,
                               int32_t (&highs)[C])
{
    if (p.tables.step.is) {
        gf_bytes_step(p.tables.step, live, chunk.q, highs);
    } else {
        gf_bytes_finish(p.tables, shared, live, chunk.q);
    }
    if (!to) {
        return;
    }
    if constexpr (C == 1) {
        gf_march_store(to, live, p.march.wide_out && live == MATH::P, chunk.q[0]);
    } else {
        uint32_t q[C];
#pragma unroll
        for (int c = 0; c < C; c++) {
            q[c] = chunk.q[c][0];
        }
        gf_bytes_store<C>(to, live, p.march.wide_out, q);
    }
}

#endif
