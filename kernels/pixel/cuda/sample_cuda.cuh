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

/* Sample i at p as f32: exact. */
GF_DEVICE_FN float gf_sample_load(const void *p, gf_depth depth, int64_t i)
{
    switch (depth) {
    case GF_U8:
        return static_cast<float>(static_cast<const uint8_t *>(p)[i]);
    case GF_U16:
        return static_cast<float>(static_cast<const uint16_t *>(p)[i]);
    case GF_S16:
        return static_cast<float>(static_cast<const int16_t *>(p)[i]);
    default:
        return static_cast<const float *>(p)[i];
    }
}

/* The value of a finished program; integer depths hold integers in range by then. */
GF_DEVICE_FN void gf_sample_store(void *p, gf_depth depth, int64_t i, float v)
{
    switch (depth) {
    case GF_U8:
        static_cast<uint8_t *>(p)[i] = gf_quantise_u8(v);
        break;
    case GF_U16:
        static_cast<uint16_t *>(p)[i] = gf_quantise_u16(v);
        break;
    case GF_S16:
        static_cast<int16_t *>(p)[i] = gf_quantise_s16(v);
        break;
    default:
        static_cast<float *>(p)[i] = GF_FAULT(cuda_nan_bits) ? v : gf_canonical(v);
    }
}

/* Loads P pixels of a row of a surface; zeros past the width. */
template <int CM, int P>
GF_DEVICE_FN void gf_pixels_load(const struct gf_surface &s, int64_t width, const struct gf_place &at,
                                 float (&v)[CM][P])
{
    const unsigned char *row = s.data + at.y * s.pitch;
#pragma unroll
    for (int i = 0; i < P; i++) {
        const int64_t x = at.x + i * at.step;
#pragma unroll
        for (int c = 0; c < CM; c++) {
            v[c][i] = c < s.channels && x < width ? gf_sample_load(row, s.depth, x * s.channels + c) : 0.0F;
        }
    }
}

template <int CM, int P>
GF_DEVICE_FN void gf_pixels_store(const struct gf_surface &s, int64_t width, const struct gf_place &at,
                                  const float (&v)[CM][P])
{
    unsigned char *row = s.data + at.y * s.pitch;
#pragma unroll
    for (int i = 0; i < P; i++) {
        const int64_t x = at.x + i * at.step;
#pragma unroll
        for (int c = 0; c < CM; c++) {
            if (c < s.channels && x < width) {
                gf_sample_store(row, s.depth, x * s.channels + c, v[c][i]);
            }
        }
    }
}

#endif
