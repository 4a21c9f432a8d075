/* Both ends of a march over any picture of up to 4 channels: interleaved pixels to lines of one channel each,
 * programs on the way, and the window's results through the program behind it to the picture and to a tap
 * that counts. All of it goes in units of 4 neighbouring pixels, which the lanes of a warp take in turns,
 * side by side. */
#ifndef GF_PIXEL_MARCH_ENDS_CUDA_CUH
#define GF_PIXEL_MARCH_ENDS_CUDA_CUH

#include "pixel/cuda/march_cuda.h"
#include "pixel/cuda/u8_cuda.h"
#include "pixel/cuda/unit_cuda.cuh"

/* What a block keeps of them in shared memory; C * 256 each, NULL where the window is not one of bytes. */
struct gf_march_shared {
    uint8_t *in, *out;
    uint32_t *counts;
};

/* ---- samples of units ----------------------------------------------------------------------------------- */

GF_DEVICE_FN gf_depth gf_depth_of(uint8_t)
{
    return GF_U8;
}
GF_DEVICE_FN gf_depth gf_depth_of(uint16_t)
{
    return GF_U16;
}
GF_DEVICE_FN gf_depth gf_depth_of(float)
{
    return GF_F32;
}

/* Four values of a type to and from a line of them. */
GF_DEVICE_FN void gf_unit_put(float *to, const float *v)
{
    gf_store16(
        to, make_uint4(gf_float_bits(v[0]), gf_float_bits(v[1]), gf_float_bits(v[2]), gf_float_bits(v[3])));
}
GF_DEVICE_FN void gf_unit_put(uint16_t *to, const float *v)
{
    gf_store8(to, make_uint2(gf_u16_word(v), gf_u16_word(v + 2)));
}
GF_DEVICE_FN void gf_unit_put(uint8_t *to, const float *v)
{
    gf_store4(to, gf_u8_word(v));
}
template <class M> GF_DEVICE_FN void gf_unit_get(const M *from, float (&v)[GF_UNIT])
{
    uint32_t w[sizeof(M)];
    M values[GF_UNIT];
    gf_words_take(reinterpret_cast<const unsigned char *>(from), w);
    memcpy(values, w, sizeof values);
#pragma unroll
    for (int i = 0; i < GF_UNIT; i++) {
        v[i] = static_cast<float>(values[i]);
    }
}

/* ---- bytes ------------------------------------------------------------------------------------------------ */

/* Table and histogram on words of four results of each channel; `live` of their pixels, if any, are inside
 * the picture. */
template <int C, int WORDS>
GF_DEVICE_FN void gf_bytes_finish(const struct gf_march_tables &t, const struct gf_march_shared &shared,
                                  int32_t live, uint32_t (&q)[C][WORDS])
{
#pragma unroll
    for (int i = 0; i < C * WORDS; i++) {
        const int c = i / WORDS, k = i % WORDS;
        if (t.out) {
            q[c][k] = gf_table_word(shared.out + 256 * c, q[c][k]);
        }
        if (t.counts) {
            gf_count_word(shared.counts + 256 * c, q[c][k], live - GF_UNIT * k);
        }
    }
}

/* The same of a step. highs: how many samples of each channel were above it. */
template <int C, int WORDS>
GF_DEVICE_FN void gf_bytes_step(const struct gf_u8_step &step, int32_t live, uint32_t (&q)[C][WORDS],
                                int32_t (&highs)[C])
{
    static_assert(WORDS <= 8, "a bit a word");
#pragma unroll
    for (int c = 0; c < C; c++) {
        uint32_t all = 0, inside = 0;
#pragma unroll
        for (int k = 0; k < WORDS; k++) {
            const uint32_t bits = gf_step_bits(step, q[c][k]);
            q[c][k] = gf_step_word(step, bits);
            all += bits << k;
        }
        if (live < GF_UNIT * WORDS) {
#pragma unroll 1
            for (int i = 0; i < live; i++) {
                inside |= 1U << (i % GF_UNIT * 8 + i / GF_UNIT);
            }
            all &= inside;
        }
        highs[c] += __popc(all);
    }
}

template <int C>
GF_DEVICE_FN void gf_bytes_store(unsigned char *to, int32_t live, bool wide, const uint32_t (&q)[C])
{
    uint32_t w[C];
    gf_join<C>(q, w);
    if (wide && live >= GF_UNIT) {
        gf_words_put(to, w, GF_STREAM);
        return;
    }
#pragma unroll
    for (int i = 0; i < GF_UNIT * C; i++) {
        if (i < live * C) {
            to[i] = static_cast<unsigned char>(w[i / 4] >> (i % 4 * 8));
        }
    }
}

/* Adds what a lane knows of a step's two values to the block's counts; samples: how many each channel has. */
template <int C>
GF_DEVICE_FN void gf_step_count(const struct gf_march_tables &t, uint32_t *counts, int32_t samples,
                                const int32_t (&highs)[C])
{
    const uint32_t low = t.step.low & 0xffU;
#pragma unroll
    for (int c = 0; c < C; c++) {
        gf_atomic_add(&counts[256 * c + low], static_cast<uint32_t>(samples - highs[c]));
        gf_atomic_add(&counts[256 * c + ((low + static_cast<uint32_t>(t.step.rise)) & 0xffU)],
                      static_cast<uint32_t>(highs[c]));
    }
}

#endif
