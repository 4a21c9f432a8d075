/* The fast path of separable windows over u16 and f32. Private to the CUDA backend. */
#ifndef GF_PIXEL_STRIP_F32_CUDA_H
#define GF_PIXEL_STRIP_F32_CUDA_H

#include "pixel/pass_cuda.h"

/* Depends on the pass alone, so that scratch can be known beforehand. */
bool gf_strip_f32_takes(const struct gf_pass *pass);

/* args->out has memory. */
gf_status gf_strip_f32_launch(const struct gf_pass_args *args, const struct gf_run *run, gf_error *error);

#endif
