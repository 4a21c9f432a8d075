/* Pixels of bytes as a word a channel, for "resize" of u8 along rows on the GPU. */
#ifndef GF_PIXEL_RESIZE_SPLIT_CUDA_CUH
#define GF_PIXEL_RESIZE_SPLIT_CUDA_CUH

#include "base/gf_cuda.h"
#include "pixel/cuda/byte_square_cuda.cuh"

/* A pixel of four bytes, or two of two, its colour times its alpha. */
template <int C> GF_DEVICE_FN uint32_t gf_resize_times_alpha(uint32_t v)
{
    const uint32_t alpha = v >> 24;
    uint32_t even = (v & 0xff00ff) * alpha + 0x800080;
    uint32_t odd = ((v >> 8 & 0xff) | 0xff0000) * alpha + 0x800080;
    if (C == 2) {
        even = (v & 0xff) * (v >> 8 & 0xff) + (((v >> 16 & 0xff) * alpha) << 16) + 0x800080;
        odd = 0;
    }
    even = (even + (even >> 8 & 0xff00ff)) >> 8 & 0xff00ff;
    odd = (odd + (odd >> 8 & 0xff00ff)) & 0xff00ff00;
    return even | (C == 2 ? v & 0xff00ff00 : odd);
}

/* Four pixels of C channels as a word a channel; `at` is where they begin. WEIGHED: colour times alpha. */
template <int C, bool WEIGHED = false>
GF_DEVICE_FN void gf_resize_split(const uint32_t *at, uint32_t (&word)[C])
{
    if constexpr (C == 1) {
        word[0] = at[0];
    } else if constexpr (C == 2) {
        uint2 v = gf_load8(at);
        if (WEIGHED) {
            v = {gf_resize_times_alpha<C>(v.x), gf_resize_times_alpha<C>(v.y)};
        }
        word[0] = gf_byte_perm(v.x, v.y, 0x6420);
        word[1] = gf_byte_perm(v.x, v.y, 0x7531);
    } else if constexpr (C == 3) { /* of rgbr gbrg brgb */
        const uint32_t x = at[0], y = at[1], z = at[2];
        word[0] = gf_byte_perm(gf_byte_perm(x, y, 0x0630), z, 0x5210);
        word[1] = gf_byte_perm(gf_byte_perm(x, y, 0x0741), z, 0x6210);
        word[2] = gf_byte_perm(gf_byte_perm(x, y, 0x0052), z, 0x7410);
    } else {
        uint4 v = gf_load16(at);
        if (WEIGHED) {
            v = {gf_resize_times_alpha<C>(v.x), gf_resize_times_alpha<C>(v.y), gf_resize_times_alpha<C>(v.z),
                 gf_resize_times_alpha<C>(v.w)};
        }
        gf_turn_bytes(v.x, v.y, v.z, v.w, word);
    }
}

#endif
