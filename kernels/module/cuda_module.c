/* libgpufilter_cuda: what the door finds. */
#include "module/cuda_module.h"

extern const struct gf_cuda_module gf_cuda_module;
__attribute__((visibility("default"))) const struct gf_cuda_module gf_cuda_module = {
    .id = GF_MODULE_ID,
    .backend = &gf_backend_cuda,
    .transform_planes = gf_transform_planes_cuda,
    .frequency_part = gf_frequency_part_cuda,
    .fourier_conv_part = gf_fourier_conv_part_cuda,
#define GF_CUDA_PATHS(kernel)     .paths_##kernel = gf_paths_cuda_##kernel,
#define GF_CUDA_MEASURE(kernel)   .measure_##kernel = &gf_measure_cuda_##kernel,
#define GF_CUDA_APPLY(function)   .function = function,
#define GF_CUDA_ROOM(function)    .function = function,
#define GF_CUDA_RUN(function)     .function = function,
#define GF_CUDA_SCRATCH(function) .function = function,
#define GF_CUDA_SIGNAL(kernel)                                                                               \
    .signal_##kernel = gf_signal_##kernel##_cuda,                                                            \
    .signal_##kernel##_scratch = gf_signal_##kernel##_cuda_scratch,
#include "module/cuda_functions.def"
};
