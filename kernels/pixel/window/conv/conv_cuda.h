/* Correlation on CUDA: conv_cuda.cu and conv_march_cuda.cu. */
#pragma once

#include "pixel/cuda/pass_cuda.h"

enum { GF_CONV_MARCH_RADIUS = 3 };

/* Kernels of up to 7 x 7 on one channel, where nothing comes before or after; or, in f32, where what comes
 * after is a quotient or a blend with a second picture, as in deconvolve. In f32 a weight of 0 that is not
 * there would count, so the kernel has to be as large as the one that is compiled. */
bool gf_conv_march_takes(const struct gf_pass *pass);

gf_path_launch gf_conv_march_launch;
