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

/* Does the picture take four pixels at once? */
static inline bool gf_allows_wide_stores(const struct gf_surface *out)
{
    return out->channels == 1 && out->depth != GF_S16 && gf_is_aligned(out, 4 * gf_sample_bytes(out->depth));
}

/* Four neighbouring pixels of one channel at once where `wide`; else one by one. */
template <int CM, int P>
GF_DEVICE_FN void gf_pixels_store_wide(const struct gf_pass_args &a, bool wide, const struct gf_place &at,
                                       const float (&v)[CM][P])
{
    if constexpr (P == 4) {
        if (wide && at.x + P <= a.width) {
            unsigned char *to = a.out.data + at.y * a.out.pitch + at.x * gf_sample_bytes(a.out.depth);
            if (a.out.depth == GF_U8) {
                gf_store4(to, gf_u8_word(v[0]), GF_STREAM);
            } else if (a.out.depth == GF_U16) {
                gf_store8(to, make_uint2(gf_u16_word(v[0]), gf_u16_word(v[0] + 2)), GF_STREAM);
            } else {
                gf_store16(to, gf_f32_words(v[0]), GF_STREAM);
            }
            return;
        }
    }
    gf_pixels_store<CM, P>(a.out, a.width, at, v);
}

#endif
