/* Both ends of a march over any picture of up to 4 channels: interleaved pixels to lines of one channel each,
 * programs on the way, and the window's results through the program behind it to the picture and to a tap
 * that counts. All of it in units of 4 neighbouring pixels, of which the lanes of a warp take neighbours in
 * turns. */
#ifndef GF_PIXEL_MARCH_ENDS_CUDA_CUH
#define GF_PIXEL_MARCH_ENDS_CUDA_CUH

#include "pixel/march_cuda.h"
#include "pixel/store_cuda.cuh"
#include "pixel/u8_cuda.h"

enum { GF_UNIT = 4 };

/* What a block keeps of them in shared memory; C * 256 each, NULL where the window is not one of bytes. */
struct gf_march_shared {
    uint8_t *in, *out;
    uint32_t *counts;
};

/* ---- samples of units ----------------------------------------------------------------------------------- */

/* N words, 16 bytes at a time where that fits; both sides aligned to it. */
template <int N> GF_DEVICE_FN void gf_words_take(const unsigned char *from, uint32_t (&w)[N])
{
    if constexpr (N % 4 == 0) {
#pragma unroll
        for (int i = 0; i < N; i += 4) {
            const uint4 v = gf_load16(from + 4 * i);
            w[i] = v.x;
            w[i + 1] = v.y;
            w[i + 2] = v.z;
            w[i + 3] = v.w;
        }
    } else {
#pragma unroll
        for (int i = 0; i < N; i++) {
            w[i] = gf_load4(from + 4 * i);
        }
    }
}

template <int N> GF_DEVICE_FN void gf_words_put(unsigned char *to, const uint32_t (&w)[N], gf_hint hint)
{
    if constexpr (N % 4 == 0) {
#pragma unroll
        for (int i = 0; i < N; i += 4) {
            gf_store16(to + 4 * i, make_uint4(w[i], w[i + 1], w[i + 2], w[i + 3]), hint);
        }
    } else if constexpr (N == 2) {
        gf_store8(to, make_uint2(w[0], w[1]), hint);
    } else {
#pragma unroll
        for (int i = 0; i < N; i++) {
            gf_store4(to + 4 * i, w[i], hint);
        }
    }
}

/* Four interleaved pixels of CI channels and SIZE bytes a sample to f32. */
template <int CI, int SIZE> GF_DEVICE_FN void gf_unit_unpack(const unsigned char *raw, float (&v)[4][GF_UNIT])
{
    uint32_t w[CI * SIZE];
    gf_words_take(raw, w);
#pragma unroll
    for (int i = 0; i < CI * GF_UNIT; i++) {
        const uint32_t word = w[i * SIZE / 4];
        v[i % CI][i / CI] = SIZE == 4   ? gf_bits_float(word)
                            : SIZE == 2 ? static_cast<float>(word >> (i % 2 * 16) & 0xffffU)
                                        : static_cast<float>(word >> (i % 4 * 8) & 0xffU);
    }
}

template <int CI>
GF_DEVICE_FN void gf_unit_unpack_any(gf_depth depth, const unsigned char *raw, float (&v)[4][GF_UNIT])
{
    if (depth == GF_F32) {
        gf_unit_unpack<CI, 4>(raw, v);
    } else if (depth == GF_U16) {
        gf_unit_unpack<CI, 2>(raw, v);
    } else {
        gf_unit_unpack<CI, 1>(raw, v);
    }
}

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

/* Four pixels of a picture of C channels at once. */
template <int C>
GF_DEVICE_FN void gf_unit_store(unsigned char *to, gf_depth depth, const float (&v)[C][GF_UNIT])
{
    if (depth == GF_F32) {
        uint32_t w[4 * C];
#pragma unroll
        for (int i = 0; i < 4 * C; i++) {
            w[i] = gf_float_bits(gf_canonical(v[i % C][i / C]));
        }
        gf_words_put(to, w, GF_STREAM);
        return;
    }
    float flat[4 * C];
#pragma unroll
    for (int i = 0; i < 4 * C; i++) {
        flat[i] = v[i % C][i / C];
    }
    if (depth == GF_U16) {
        uint32_t w[2 * C];
#pragma unroll
        for (int i = 0; i < 2 * C; i++) {
            w[i] = gf_u16_word(flat + 2 * i);
        }
        gf_words_put(to, w, GF_STREAM);
    } else {
        uint32_t w[C];
#pragma unroll
        for (int i = 0; i < C; i++) {
            w[i] = gf_u8_word(flat + 4 * i);
        }
        gf_words_put(to, w, GF_STREAM);
    }
}

/* ---- bytes ------------------------------------------------------------------------------------------------ */

/* Table and histogram on words of four results of each channel, of which `live` pixels, if any, are inside
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

/* Adds what a lane knows of a step's two values to the block's counts; samples: of each channel. */
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
