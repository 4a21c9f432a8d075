/* Samples to memory, several at once. */
#ifndef GF_PIXEL_STORE_CUDA_CUH
#define GF_PIXEL_STORE_CUDA_CUH

#include "pixel/cuda/program_cuda.cuh"
#include "pixel/cuda/u8_cuda.cuh"

/* Four samples of u8, as gf_quantise_u8 has them, two of u16 and four of f32 as they lie in memory. */
GF_DEVICE_FN uint32_t gf_u8_word(const float *v)
{
    return gf_pack_u8(gf_round_s32(v[0]), gf_round_s32(v[1]), gf_round_s32(v[2]), gf_round_s32(v[3]));
}
GF_DEVICE_FN uint32_t gf_u16_word(const float *v)
{
    return gf_quantise_u16(v[0]) | static_cast<uint32_t>(gf_quantise_u16(v[1])) << 16;
}
GF_DEVICE_FN uint4 gf_f32_words(const float *v)
{
    return make_uint4(gf_float_bits(gf_canonical(v[0])), gf_float_bits(gf_canonical(v[1])),
                      gf_float_bits(gf_canonical(v[2])), gf_float_bits(gf_canonical(v[3])));
}

/* Four samples side by side, from an address aligned to them. */
GF_DEVICE_FN void gf_four_store(unsigned char *to, gf_depth depth, const float *v)
{
    if (depth == GF_U8) {
        gf_store4(to, gf_u8_word(v), GF_STREAM);
    } else if (depth == GF_U16) {
        gf_store8(to, make_uint2(gf_u16_word(v), gf_u16_word(v + 2)), GF_STREAM);
    } else {
        gf_store16(to, gf_f32_words(v), GF_STREAM);
    }
}

/* Does the picture take P pixels at once: four of one channel, or two of two to four? */
static inline bool gf_allows_wide_stores(const struct gf_surface *out, int p)
{
    const int64_t samples = out->channels == 3 ? 2 : 4;
    return (p == 4 ? out->channels == 1 : p == 2 && out->channels >= 2 && out->channels <= 4) &&
           out->depth != GF_S16 && gf_is_aligned(out, samples * gf_sample_bytes(out->depth));
}

/* Two neighbouring pixels of C channels: four samples at a time, of three channels two. */
template <int C, int CM>
GF_DEVICE_FN void gf_two_pixels_store(unsigned char *to, gf_depth depth, const float (&v)[CM][2])
{
    if constexpr (C <= CM) {
        float flat[2 * C];
#pragma unroll
        for (int i = 0; i < 2 * C; i++) {
            flat[i] = v[i % C][i / C];
        }
#pragma unroll
        for (int i = 0; i < 2 * C; i += C == 3 ? 2 : 4) {
            unsigned char *here = to + i * gf_sample_bytes(depth);
            if constexpr (C == 3) {
                if (depth == GF_U8) {
                    *reinterpret_cast<uint16_t *>(here) = static_cast<uint16_t>(
                        gf_quantise_u8(flat[i]) | static_cast<uint32_t>(gf_quantise_u8(flat[i + 1])) << 8);
                } else if (depth == GF_U16) {
                    gf_store4(here, gf_u16_word(flat + i), GF_STREAM);
                } else {
                    gf_store8(here,
                              make_uint2(gf_float_bits(gf_canonical(flat[i])),
                                         gf_float_bits(gf_canonical(flat[i + 1]))),
                              GF_STREAM);
                }
            } else {
                gf_four_store(here, depth, flat + i);
            }
        }
    }
}

/* P neighbouring pixels at once where `wide` (gf_allows_wide_stores); else one by one. */
template <int CM, int P>
GF_DEVICE_FN void gf_pixels_store_wide(const struct gf_pass_args &a, bool wide, const struct gf_place &at,
                                       const float (&v)[CM][P])
{
    if (wide && at.x + P <= a.width) {
        const int32_t channels = a.out.channels;
        unsigned char *to = a.out.data + at.y * a.out.pitch + at.x * channels * gf_sample_bytes(a.out.depth);
        if constexpr (P == 4) {
            gf_four_store(to, a.out.depth, v[0]);
            return;
        } else if constexpr (P == 2) {
            if (channels == 4) {
                gf_two_pixels_store<4>(to, a.out.depth, v);
            } else if (channels == 3) {
                gf_two_pixels_store<3>(to, a.out.depth, v);
            } else {
                gf_two_pixels_store<2>(to, a.out.depth, v);
            }
            return;
        }
    }
    gf_pixels_store<CM, P>(a.out, a.width, at, v);
}

#endif
