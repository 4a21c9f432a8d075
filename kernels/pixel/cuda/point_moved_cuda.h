/* Passes without a window that load through a move, of any depth and program: see point_moved_cuda.cu.
 * Private to the CUDA backend. */
#pragma once

#include "pixel/cuda/pass_cuda.h"

/* Runs a pass for which gf_pass_is_moved is true. */
gf_status gf_point_moved_launch(const struct gf_pass_args *args, const struct gf_run *run, gf_error *error);
