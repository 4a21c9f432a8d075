/* Separable windows and boxes alone, over one channel: march_cuda.cuh. Private to the CUDA backend. */
#ifndef GF_PIXEL_MARCH_CUDA_H
#define GF_PIXEL_MARCH_CUDA_H

#include "pixel/pass_cuda.h"

enum { GF_MARCH_RADIUS = 8, GF_MARCH_BOX_RADIUS = 32 };

/* Depends on the pass alone, so that scratch can be known beforehand. */
bool gf_march_takes(const struct gf_pass *pass);

/* args->out has memory. */
gf_status gf_march_launch(const struct gf_pass_args *args, const struct gf_run *run, gf_error *error);

/* By what the window is: u8, u16 and f32, a box of u8. */
gf_status gf_march_u8_launch(const struct gf_pass_args *args, const struct gf_run *run, gf_error *error);
gf_status gf_march_f32_launch(const struct gf_pass_args *args, const struct gf_run *run, gf_error *error);
gf_status gf_march_box_launch(const struct gf_pass_args *args, const struct gf_run *run, gf_error *error);

#endif
