/* The kernels of passes that combine two pictures of bytes: exact in integers, or as real numbers. Private to
 * the CUDA backend. */
#pragma once

#include "pixel/cuda/pass_cuda.h"

/* Rows of three pictures without gaps are one long row. */
static inline void gf_pair_join(struct gf_pass_args *a)
{
    const struct gf_surface &other = a->operand[GF_OPERAND_SECOND];
    if (a->in.pitch == a->width * a->in.channels && a->out.pitch == a->in.pitch &&
        other.pitch == a->width * other.channels) {
        a->width = a->width * a->height;
        a->height = 1;
    }
}

bool gf_point_pair_takes(const struct gf_pass_args *args);
gf_status gf_point_pair_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error);

bool gf_point_blend_takes(const struct gf_pass_args *args);
gf_status gf_point_blend_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error);
