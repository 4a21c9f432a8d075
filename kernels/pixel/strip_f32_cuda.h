/* The fast path of separable windows over u16 and f32. Private to the CUDA backend. */
#ifndef GF_PIXEL_STRIP_F32_CUDA_H
#define GF_PIXEL_STRIP_F32_CUDA_H

#include "pixel/pass_cuda.h"

/* Of a separable window; depends on the pass alone. */
bool gf_strip_f32_takes(const struct gf_pass *pass);

extern const struct gf_cuda_way gf_way_strip_f32;

#endif
