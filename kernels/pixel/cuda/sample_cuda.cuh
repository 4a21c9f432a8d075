/* Samples of a picture in device memory as f32, one by one. */
#ifndef GF_PIXEL_SAMPLE_CUDA_CUH
#define GF_PIXEL_SAMPLE_CUDA_CUH

#include "pixel/cuda/pass_cuda.h"

/* A thread's pixels: (x + i * step, y). */
struct gf_place {
    int64_t x, step, y;
    /* The first sample of the centre at these pixels, where it is on the chip: neighbours side by side,
     * channels `apart` bytes from each other. NULL: it is a picture in memory. */
    const unsigned char *centre = nullptr;
    int32_t apart = 0;
    gf_depth centre_depth = GF_F32;
};

/* Calls use with a number of the type of the depth's samples: one decision for all that it does. */
template <class F> GF_DEVICE_FN auto gf_of_depth(gf_depth depth, const F &use)
{
    switch (depth) {
    case GF_U8:
        return use(uint8_t());
    case GF_U16:
        return use(uint16_t());
    case GF_S16:
        return use(int16_t());
    default:
        return use(float());
    }
}

/* Sample i at p as f32: exact. */
GF_DEVICE_FN float gf_sample_load(const void *p, gf_depth depth, int64_t i)
{
    return gf_of_depth(
        depth, [&](auto type) { return static_cast<float>(static_cast<const decltype(type) *>(p)[i]); });
}

/* P samples from p on, `step` of them apart, where `takes` says so. */
template <int P>
GF_DEVICE_FN void gf_samples_take(const unsigned char *p, gf_depth depth, int64_t step,
                                  const bool (&takes)[P], float (&to)[P])
{
    gf_of_depth(depth, [&](auto type) {
        const auto *from = reinterpret_cast<const decltype(type) *>(p);
#pragma unroll
        for (int i = 0; i < P; i++) {
            to[i] = takes[i] ? static_cast<float>(from[i * step]) : 0.0F;
        }
    });
}

/* The value of a finished program; integer depths hold integers in range by then. */
template <class T> GF_DEVICE_FN void gf_sample_put(T *to, float v)
{
    if constexpr (sizeof *to == 1) {
        *to = gf_quantise_u8(v);
    } else if constexpr (sizeof *to == 4) {
        *to = GF_FAULT(cuda_nan_bits) ? v : gf_canonical(v);
    } else if constexpr (std::is_signed<T>::value) {
        *to = gf_quantise_s16(v);
    } else {
        *to = gf_quantise_u16(v);
    }
}
GF_DEVICE_FN void gf_sample_store(void *p, gf_depth depth, int64_t i, float v)
{
    gf_of_depth(depth, [&](auto type) { gf_sample_put(static_cast<decltype(type) *>(p) + i, v); });
}

/* Loads P pixels of a row of a surface; zeros past the width. */
template <int CM, int P>
GF_DEVICE_FN void gf_pixels_load(const struct gf_surface &s, int64_t width, const struct gf_place &at,
                                 float (&v)[CM][P])
{
#pragma unroll
    for (int c = 0; c < CM; c++) {
        const int64_t first = at.x * s.channels + c;
        bool takes[P];
#pragma unroll
        for (int i = 0; i < P; i++) {
            takes[i] = c < s.channels && at.x + i * at.step < width;
        }
        gf_samples_take<P>(s.data + at.y * s.pitch + first * gf_sample_bytes(s.depth), s.depth,
                           at.step * s.channels, takes, v[c]);
    }
}

template <int CM, int P>
GF_DEVICE_FN void gf_pixels_store(const struct gf_surface &s, int64_t width, const struct gf_place &at,
                                  const float (&v)[CM][P])
{
    gf_of_depth(s.depth, [&](auto type) {
        auto *row = reinterpret_cast<decltype(type) *>(s.data + at.y * s.pitch);
#pragma unroll
        for (int i = 0; i < P; i++) {
            const int64_t x = at.x + i * at.step;
#pragma unroll
            for (int c = 0; c < CM; c++) {
                if (c < s.channels && x < width) {
                    gf_sample_put(row + x * s.channels + c, v[c][i]);
                }
            }
        }
    });
}

#endif
