/* Rectangles of least samples that fit the chip: march_least_cuda.cu. Private to the CUDA backend. */
#pragma once

#include "pixel/cuda/pass_cuda.h"

/* Does it take the window, for any depth and channels, with whatever programs around it? */
bool gf_march_least_takes(const struct gf_pass *pass);

gf_path_launch gf_march_least_launch;
