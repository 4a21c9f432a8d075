/* From what a run knows to what CUDA kernels are compiled for. */
#ifndef GF_PIXEL_DISPATCH_PIXEL_CUDA_CUH
#define GF_PIXEL_DISPATCH_PIXEL_CUDA_CUH

#include "array/common/dispatch_cuda.cuh"

#include <type_traits>

/* Calls f with the tag (gf_dispatch_type) of samples of that depth: u8, u16 or f32. */
template <class F> static gf_status gf_dispatch_sample(gf_depth depth, gf_error *error, F &&f)
{
    return gf_dispatch_type<GF_TYPE_BIT(GF_U8) | GF_TYPE_BIT(GF_U16) | GF_TYPE_BIT(GF_F32)>(depth, error, f);
}

/* Calls f with n as a std::integral_constant, FIRST to LAST; LAST stands for all other n. */
template <int FIRST, int LAST, class F> static auto gf_dispatch_number(int64_t n, F &&f)
{
    if constexpr (FIRST < LAST) {
        if (n != FIRST) {
            return gf_dispatch_number<FIRST + 1, LAST>(n, f);
        }
    }
    return f(std::integral_constant<int, FIRST>());
}

#endif
