/* CUDA where its objects are linked, as they are into the tests. */
#include "module/cuda_module.h"

const struct gf_backend *gf_cuda_backend(void)
{
    return &gf_backend_cuda;
}

const char *gf_cuda_missing(void)
{
    return "";
}

#define GF_CUDA_PATHS(kernel)                                                                                \
    const struct gf_path *gf_cuda_paths_##kernel(void)                                                       \
    {                                                                                                        \
        return gf_paths_cuda_##kernel;                                                                       \
    }
#define GF_CUDA_MEASURE(kernel)                                                                              \
    const struct gf_cuda_measure *gf_cuda_measure_##kernel(void)                                             \
    {                                                                                                        \
        return &gf_measure_cuda_##kernel;                                                                    \
    }
#include "module/cuda_functions.def"
