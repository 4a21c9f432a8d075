/* Rows of a picture that is moved: where they lie, and 16 bytes of them at any address. */
#ifndef GF_PIXEL_MOVE_VECTOR_CUDA_CUH
#define GF_PIXEL_MOVE_VECTOR_CUDA_CUH

#include "pixel/cuda/move_cuda.h"

/* The row of the input that row y of the output is made from; NULL: fill. */
GF_DEVICE_FN const char *gf_move_line(const struct gf_move_params &m, int64_t y)
{
    const int64_t from = gf_move_y(m, y);
    return from < 0 ? nullptr : m.in + (from - m.in_first) * m.in_pitch;
}

/* 16 bytes from `bytes` (0 to 15) behind the beginning of a. */
GF_DEVICE_FN uint4 gf_move_shifted(uint4 a, uint4 b, uint32_t bytes)
{
    const uint32_t shift = bytes % 4 * 8;
    const bool eight = bytes >= 8, four = bytes % 8 >= 4;
    const uint32_t w0 = eight ? a.z : a.x, w1 = eight ? a.w : a.y, w2 = eight ? b.x : a.z,
                   w3 = eight ? b.y : a.w, w4 = eight ? b.z : b.x, w5 = eight ? b.w : b.y;
    const uint32_t v0 = four ? w1 : w0, v1 = four ? w2 : w1, v2 = four ? w3 : w2, v3 = four ? w4 : w3,
                   v4 = four ? w5 : w4;
    return make_uint4(gf_funnel_right(v0, v1, shift), gf_funnel_right(v1, v2, shift),
                      gf_funnel_right(v2, v3, shift), gf_funnel_right(v3, v4, shift));
}

#endif
