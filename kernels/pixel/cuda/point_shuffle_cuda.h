/* The kernel of passes over bytes in which channels come or go and nothing else. Private to the CUDA backend.
 */
#pragma once

#include "pixel/cuda/pass_cuda.h"

bool gf_point_shuffle_takes(const struct gf_pass_args *args);
gf_status gf_point_shuffle_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error);
