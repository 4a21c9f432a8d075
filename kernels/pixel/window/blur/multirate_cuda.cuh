/* What the kernels of a Gaussian of a large sigma share. */
#ifndef GF_PIXEL_MULTIRATE_CUDA_CUH
#define GF_PIXEL_MULTIRATE_CUDA_CUH

#include "pixel/cuda/program_cuda.cuh"
#include "pixel/ir/multirate.h"

enum { GF_MULTIRATE_THREADS = 128, GF_MULTIRATE_STEP = 16 /* the largest with kernels of its own */ };

/* Grids are planes of rows: [row][channel][column]. */
struct gf_multirate_params {
    struct gf_surface samples; /* the window's input, or what becomes it by conversion */
    float *across, *coarse, *smooth, *smoother;
    float *rows;          /* smoother, interpolated down the columns: a row for each of the picture's */
    const float *weights; /* device memory */
    int64_t width, height;
    struct gf_multirate_grids grids;
    int64_t line; /* elements of a row of one channel of across and coarse: wide, in whole fours */
    int32_t step, radius, channels, border;
    float fill[GF_MAX_CHANNELS];
};

/* Weights of a small step as parameters of kernels that are compiled for it: operands of their unrolled
 * loops. */
struct gf_decimation_taps {
    float weight[9 * GF_MULTIRATE_STEP + 1];
};
template <int STEP> struct gf_interpolation_taps {
    float weight[GF_MULTIRATE_TAPS][STEP > 0 ? STEP : 1];
};

/* f with a constant: the step, if it has kernels of its own, which take their weights from the host; else 0.
 */
template <class F> static inline gf_status gf_multirate_by_step(const float *host, int32_t step, F &&f)
{
    switch (host ? step : 0) {
    case 4:
        return f(std::integral_constant<int, 4>());
    case 8:
        return f(std::integral_constant<int, 8>());
    case GF_MULTIRATE_STEP:
        return f(std::integral_constant<int, GF_MULTIRATE_STEP>());
    default:
        return f(std::integral_constant<int, 0>());
    }
}

/* acc + weight * x; from -0 it is the product alone. */
GF_DEVICE_FN float gf_multirate_tap(float weight, float x, float acc)
{
    return GF_FAULT(cuda_fma_split) ? weight * x + acc : gf_fma(weight, x, acc);
}

/* Each queues one kernel. host: the block of weights in host memory, or NULL: kernels for any step then. */
gf_status gf_multirate_sample_across(const struct gf_multirate_params *p, const float *host,
                                     cudaStream_t stream, gf_error *error);
gf_status gf_multirate_sample_down(const struct gf_multirate_params *p, const float *host,
                                   cudaStream_t stream, gf_error *error);
gf_status gf_multirate_blur(const struct gf_multirate_params *p, bool down, cudaStream_t stream,
                            gf_error *error);
gf_status gf_multirate_interpolate_down(const struct gf_multirate_params *p, const float *host,
                                        cudaStream_t stream, gf_error *error);
gf_status gf_multirate_interpolate_across(const struct gf_pass_args *a, const struct gf_multirate_params *p,
                                          const float *host, cudaStream_t stream, gf_error *error);

#endif
