/* Samples of "resize" by chains of f32 on the GPU. */
#ifndef GF_PIXEL_RESIZE_CHAIN_CUDA_CUH
#define GF_PIXEL_RESIZE_CHAIN_CUDA_CUH

#include "pixel/cuda/march_load_cuda.cuh"
#include "pixel/map/resize/resize_cuda.h"

/* A product and this is the product, whatever its sign: where a chain begins. */
#define GF_CHAIN_BEGIN (-0.0F)

/* The sum of a chain as a sample of the type of `like`. */
GF_DEVICE_FN float gf_chain_sample(float sum, float like)
{
    (void)like;
    return gf_canonical(sum);
}
GF_DEVICE_FN uint16_t gf_chain_sample(float sum, uint16_t like)
{
    (void)like;
    return gf_quantise_u16(sum);
}

/* Four of them, at an address that is a multiple of their size. */
template <class U> GF_DEVICE_FN void gf_chain_store4(char *to, const float (&sum)[4])
{
    if constexpr (sizeof(U) == sizeof(float)) {
        gf_store16(to, gf_f32_words(sum));
    } else {
        gf_store8(to, make_uint2(gf_u16_word(sum), gf_u16_word(sum + 2)));
    }
}

#endif
