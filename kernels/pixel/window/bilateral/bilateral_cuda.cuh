/* What the kernels of bilateral means share. */
#ifndef GF_PIXEL_BILATERAL_CUDA_CUH
#define GF_PIXEL_BILATERAL_CUDA_CUH

#include "pixel/cuda/program_cuda.cuh"
#include "pixel/window/bilateral/bilateral.h"

struct gf_bilateral_params {
    struct gf_surface in, out; /* the window's input and output */
    int64_t width, height;     /* pixels */
    struct gf_bilateral_args args;
    int32_t border;
    float fill[GF_BILATERAL_CHANNELS];
};

typedef gf_status (*gf_bilateral_queue)(const struct gf_bilateral_params *p, cudaStream_t stream,
                                        gf_error *error);

/* The window's output in scratch, for the program after it; 0: there is none. */
size_t gf_bilateral_middle(const struct gf_pass *pass);

/* A gf_path_launch: what makes the window's input, `queue`, and the program after it. */
gf_status gf_bilateral_launch(const struct gf_pass_args *args, const struct gf_run *run,
                              const struct gf_scratch_layout *layout, gf_bilateral_queue queue,
                              gf_error *error);

/* bilateral_u8_cuda.cu: u8 of one channel, radius 1 to 4. */
bool gf_bilateral_u8_takes(const struct gf_pass *pass);
gf_path_launch gf_bilateral_u8_launch;

#endif
