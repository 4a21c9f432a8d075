/* Interleaved pixels in units of four neighbours: from and to memory by words. */
#ifndef GF_PIXEL_UNIT_CUDA_CUH
#define GF_PIXEL_UNIT_CUDA_CUH

#include "pixel/cuda/store_cuda.cuh"

enum { GF_UNIT = 4 };

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
template <int CI, int SIZE>
GF_DEVICE_FN void gf_unit_of_words(const uint32_t (&w)[CI * SIZE], float (&v)[4][GF_UNIT])
{
#pragma unroll
    for (int i = 0; i < CI * GF_UNIT; i++) {
        const uint32_t word = w[i * SIZE / 4];
        v[i % CI][i / CI] = SIZE == 4   ? gf_bits_float(word)
                            : SIZE == 2 ? static_cast<float>(word >> (i % 2 * 16) & 0xffffU)
                                        : static_cast<float>(word >> (i % 4 * 8) & 0xffU);
    }
}

template <int CI, int SIZE> GF_DEVICE_FN void gf_unit_unpack(const unsigned char *raw, float (&v)[4][GF_UNIT])
{
    uint32_t w[CI * SIZE];
    gf_words_take(raw, w);
    gf_unit_of_words<CI, SIZE>(w, v);
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

/* Four pixels of a picture of C channels at once, of the first C of v. */
template <int C, int CM>
GF_DEVICE_FN void gf_unit_store(unsigned char *to, gf_depth depth, const float (&v)[CM][GF_UNIT])
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

/* ... of as many channels as the picture has. */
template <int CM>
GF_DEVICE_FN void gf_unit_store_any(const struct gf_surface &s, unsigned char *to,
                                    const float (&v)[CM][GF_UNIT])
{
    if (s.channels == 3) {
        gf_unit_store<3>(to, s.depth, v);
    } else if (s.channels == 4) {
        gf_unit_store<4>(to, s.depth, v);
    } else if (s.channels == 2) {
        gf_unit_store<2>(to, s.depth, v);
    } else {
        gf_unit_store<1>(to, s.depth, v);
    }
}

/* Can units of this picture be loaded and stored? Where a unit is a multiple of 16 bytes it goes by these. */
static inline bool gf_is_in_units(const struct gf_surface *s)
{
    const int32_t words = s->channels * gf_sample_bytes(s->depth);
    return s->channels <= 4 && (s->depth == GF_U8 || s->depth == GF_U16 || s->depth == GF_F32) &&
           gf_is_aligned(s, words % 4 == 0   ? 16
                            : words % 4 == 2 ? 8
                                             : 4);
}

#endif
