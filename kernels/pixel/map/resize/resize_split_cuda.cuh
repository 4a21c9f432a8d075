/* Pixels of bytes as a word a channel, for "resize" of u8 along rows on the GPU. */
#ifndef GF_PIXEL_RESIZE_SPLIT_CUDA_CUH
#define GF_PIXEL_RESIZE_SPLIT_CUDA_CUH

#include "base/gf_cuda.h"
#include "pixel/cuda/byte_square_cuda.cuh"

/* Four pixels of C channels as a word a channel; `at` is where they begin. */
template <int C> GF_DEVICE_FN void gf_resize_split(const uint32_t *at, uint32_t (&word)[C])
{
    if constexpr (C == 1) {
        word[0] = at[0];
    } else if constexpr (C == 2) {
        const uint2 v = gf_load8(at);
        word[0] = gf_byte_perm(v.x, v.y, 0x6420);
        word[1] = gf_byte_perm(v.x, v.y, 0x7531);
    } else if constexpr (C == 3) { /* of rgbr gbrg brgb */
        const uint32_t x = at[0], y = at[1], z = at[2];
        word[0] = gf_byte_perm(gf_byte_perm(x, y, 0x0630), z, 0x5210);
        word[1] = gf_byte_perm(gf_byte_perm(x, y, 0x0741), z, 0x6210);
        word[2] = gf_byte_perm(gf_byte_perm(x, y, 0x0052), z, 0x7410);
    } else {
        const uint4 v = gf_load16(at);
        gf_turn_bytes(v.x, v.y, v.z, v.w, word);
    }
}

#endif
