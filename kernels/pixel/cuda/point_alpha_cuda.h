/* The kernel of passes that only weigh RGBA by alpha, or take that back. Private to the CUDA backend. */
#pragma once

#include "pixel/cuda/pass_cuda.h"

bool gf_point_alpha_takes(const struct gf_pass_args *args);
gf_status gf_point_alpha_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error);
