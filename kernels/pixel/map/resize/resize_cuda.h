/* "resize" on CUDA: resize_cuda.cu; for u8 resize_dot_cuda.cu, resize_across_cuda.cu and resize_down_cuda.cu;
 * for chains of f32 resize_chain_across_cuda.cu and resize_chain_down_cuda.cu. */
#pragma once

#include "base/gf_cuda.h"
#include "pixel/map/resize/resize.h"

struct gf_resize_params {
    const char *in;              /* row in_first of the input */
    char *out;                   /* row `first` of the output */
    const int32_t *begin, *many; /* of each output: where its samples begin, and how many they are */
    const void *weights;
    const int32_t *digits;                                      /* of u8: their quads */
    int64_t in_pitch, out_pitch, in_first, width, first, count; /* width: samples of a row of the output */
    int64_t outputs;                                            /* along the axis */
    int64_t in_size, in_rows; /* bytes of a row of the input, and its rows */
    int32_t taps, quads, channels, down, weighed;
    int processors; /* of the GPU */
};

/* A sum of so many products of a digit and a sample fits 32 bits. */
enum { GF_RESIZE_MOST_TAPS = 1 << 15 };

/* A sum by its digits, rounded but not yet clamped; those below LOWEST are 0, and what rounds lies in that
 * one. */
template <int LOWEST> GF_DEVICE_FN int32_t gf_resize_shifted(int32_t low, int32_t middle, int32_t high)
{
    const uint32_t two = static_cast<uint32_t>(high) * 256 + static_cast<uint32_t>(middle);
    return LOWEST == 2   ? high >> (GF_RESIZE_SHIFT - 16)
           : LOWEST == 1 ? static_cast<int32_t>(two) >> (GF_RESIZE_SHIFT - 8)
                         : static_cast<int32_t>(two * 256 + static_cast<uint32_t>(low)) >> GF_RESIZE_SHIFT;
}

/* u8 by products of bytes, for rows that begin at multiples of four bytes; false: not for this picture.
 * `status` is that of the launch. */
bool gf_resize_dot_launch(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status);
bool gf_resize_across_launch(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status);
bool gf_resize_down_launch(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status);

/* Chains of f32, for rows that begin at multiples of 16 bytes; the rest as above. */
bool gf_resize_chain_across_launch(const struct gf_resize_params &p, gf_depth from, gf_depth to, bool weighed,
                                   cudaStream_t stream, cudaError_t *status);
bool gf_resize_chain_down_launch(const struct gf_resize_params &p, gf_depth from, gf_depth to,
                                 cudaStream_t stream, cudaError_t *status);
