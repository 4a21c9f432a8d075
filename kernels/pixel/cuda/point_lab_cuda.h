/* The kernel of passes that are LAB or FROM_LAB of bytes. Private to the CUDA backend. */
#pragma once

#include "pixel/cuda/pass_cuda.h"

bool gf_point_lab_takes(const struct gf_pass_args *args);
gf_status gf_point_lab_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error);
