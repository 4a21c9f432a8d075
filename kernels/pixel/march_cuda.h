/* Separable windows and boxes alone, over one channel: march_cuda.cuh. Private to the CUDA backend. */
#ifndef GF_PIXEL_MARCH_CUDA_H
#define GF_PIXEL_MARCH_CUDA_H

#include "pixel/pass_cuda.h"

enum { GF_MARCH_RADIUS = 8, GF_MARCH_BOX_RADIUS = 32 };

/* Are there no programs, and one channel? */
bool gf_march_takes(const struct gf_pass *pass);

extern const struct gf_cuda_way gf_way_march_u8, gf_way_march_f32, gf_way_march_box;

#endif
