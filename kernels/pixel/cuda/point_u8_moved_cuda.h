/* See point_u8_moved_cuda.cu. Private to the CUDA backend. */
#pragma once

#include "pixel/cuda/point_u8_cuda.cuh"

/* Runs a pass for which gf_pass_is_moved is true; p as a straight one has it. */
gf_status gf_point_u8_moved_launch(const struct gf_pass_args *args, const struct gf_chunk_params &p,
                                   const struct gf_u8_plan *plan, const struct gf_run *run, gf_error *error);
