/* The kernels of passes that combine two pictures of bytes: exact in integers, or as real numbers. Private to
 * the CUDA backend. */
#ifndef GF_PIXEL_POINT_PAIR_CUDA_H
#define GF_PIXEL_POINT_PAIR_CUDA_H

#include "pixel/pass_cuda.h"

bool gf_point_pair_takes(const struct gf_pass_args *args);
gf_status gf_point_pair_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error);

bool gf_point_blend_takes(const struct gf_pass_args *args);
gf_status gf_point_blend_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error);

#endif
